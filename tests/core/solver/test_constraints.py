from dataclasses import replace

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.edits import MoveShreds, SetAside, SetJoin
from core.case.case import Case
from core.faces.posed import Posed
from core.matching.costs import Costs
from core.solver.constraints import joins_by_hand, placed_shreds, poses_by_hand, with_blank_shreds
from tests.core.matrices import matrix


def costs_of(n):
    cost = np.where(np.eye(n), np.inf, 1).astype(np.float32)
    blank = np.ones(n, np.float32)
    return Costs.of_all(cost, np.zeros((n, n), np.int16), blank, blank, temperature=1.0)


@pytest.fixture
def case(small_case: Case) -> Case:
    """The small case as the solver left it: 1-01 2-02 | 2-01 1-02, and 1-03 is blank."""
    pages = (("1-01", "2-02"), ("2-01", "1-02"))
    costs = small_case.costs
    shift_px = {"2-02": int(costs.shift_of(0, 3)), "1-02": int(costs.shift_of(2, 1))}
    return replace(small_case, arrangement=Arrangement(pages, ("1-03",), shift_px), solved=None)


def edited(case, *edits):
    arrangement = case.arrangement
    for edit in edits:
        arrangement, _ = edit.apply(arrangement)
    return replace(case, arrangement=arrangement, solved=case.solved or case.arrangement)


def test_margins_rule_out_neighbours_unless_one_is_confirmed():
    arrangement = Arrangement(held=frozenset({("a", ""), ("", "b"), ("c", ""), ("gone", "")}))
    assert joins_by_hand(arrangement, "abc", costs_of(3)) == ([], [(0, 1), (0, 2), (2, 0), (2, 1)])
    few = costs_of(3)
    few.cost[few.at([0, 2], [1, 0])] = np.inf
    assert joins_by_hand(arrangement, "abc", few) == ([], [(0, 2), (2, 1)])
    said = replace(arrangement, confirmed=frozenset({("a", "b")}))
    assert joins_by_hand(said, "abc", costs_of(3)) == ([(0, 1)], [(2, 0), (2, 1)])


def test_kept_joins_never_branch_and_confirmed_ones_go_first():
    arrangement = Arrangement(
        confirmed=frozenset({("a", "b"), ("c", "aside")}),
        forbidden=frozenset({("b", "d")}),
        held=frozenset({("a", "c"), ("b", "c"), ("c", "a"), ("b", "d")}),
        parted=frozenset({("a", "b"), ("d", "a")}),
    )
    kept, avoided = joins_by_hand(arrangement, ["a", "b", "c", "d"], costs_of(4))
    assert kept == [(0, 1), (1, 2)]
    assert avoided == [(1, 3), (3, 0)]


def test_a_margin_holds_for_a_shred_as_it_stands_whatever_the_way_up_of_others():
    arrangement = Arrangement(held=frozenset({("", "b")}), parted=frozenset({("a", "c")}), half_turned=frozenset({"b"}))
    kept, avoided = poses_by_hand(arrangement, Posed.alone("abc", costs_of(6)))
    assert kept == []
    before, after_turned = {(left, 4) for left in range(6)} - {(4, 4)}, {(1, right) for right in range(6)} - {(1, 1)}
    assert set(avoided) == {*before, *after_turned, (0, 2), (5, 3)}


def test_contradictions_in_what_was_said_are_left_to_the_solver():
    arrangement = Arrangement(confirmed=frozenset({("a", "b"), ("a", "c")}), forbidden=frozenset({("a", "b")}))
    assert joins_by_hand(arrangement, "abc", costs_of(3)) == ([(0, 1), (0, 2)], [(0, 1)])


def test_who_stands_on_pages(case):
    assert placed_shreds(case.shreds, case.arrangement) == {"1-01", "1-02", "2-01", "2-02"}
    assert "1-03" in placed_shreds(case.shreds, edited(case, MoveShreds(("1-03",), 0, 1)).arrangement)
    aside = edited(case, SetAside(("1-02",)))
    assert "1-02" not in placed_shreds(case.shreds, aside.arrangement)
    tied = edited(aside, SetJoin("2-02", "1-02", "confirmed"), SetJoin("1-02", "1-03", "confirmed"))
    assert placed_shreds(case.shreds, tied.arrangement) == {shred.id for shred in case.shreds}


def test_blank_shreds_fit_where_a_margin_would():
    cost = np.array([[np.inf, 2], [3, np.inf]], dtype=np.float32)
    ends = np.array([5, -1], np.float32), np.array([7, 8], np.float32)
    costs = Costs.of_all(cost, np.ones((2, 2), np.int16), *ends, temperature=0.5)
    larger = with_blank_shreds(costs, 2)
    assert larger.temperature == 0.5
    larger_cost = matrix(larger)
    np.testing.assert_array_equal(larger_cost[:2, :2], cost)
    np.testing.assert_array_equal(larger_cost[:2, 3], ends[0])
    np.testing.assert_array_equal(larger_cost[2, :2], ends[1])
    assert larger_cost[2, 3] == larger.to_blank[3] == larger.from_blank[2] == -1
    assert not larger.shift_px[larger.left >= 2].any()
    assert with_blank_shreds(costs, 0) is costs


def test_of_many_blank_shreds_any_other_fits_beside_some_alike_in_both_ways_up():
    larger = with_blank_shreds(costs_of(6), 200, n_ways=2)  # 3 shreds, and 100 that are blank
    beside = np.isfinite(matrix(larger))
    assert beside[:6, 6:].sum(axis=1).tolist() == [128] * 6
    np.testing.assert_array_equal(beside[:6, 6:], beside[6:, :6].T)
    half_turned = [*range(3, 6), *range(3), *range(106, 206), *range(6, 106)]
    np.testing.assert_array_equal(beside, beside[np.ix_(half_turned, half_turned)].T)
    assert beside[6:, 6:].sum(axis=1).min() >= 126
