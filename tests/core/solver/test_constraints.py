from dataclasses import replace

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.edits import MergePages, MoveShreds, SetAside, SetJoin, SplitPage
from core.case.case import Case
from core.matching.costs import Costs
from core.solver.constraints import joins_by_hand, placed_shreds, with_blank_shreds
from core.update import remembered, shifts_by_hand


@pytest.fixture
def case(small_case: Case) -> Case:
    """The small case as the solver left it: 1-01 2-02 | 2-01 1-02, and 1-03 is blank."""
    pages = (("1-01", "2-02"), ("2-01", "1-02"))
    costs = small_case.costs
    shift_px = {"2-02": int(costs.shift_px[0, 3]), "1-02": int(costs.shift_px[2, 1])}
    return replace(small_case, arrangement=Arrangement(pages, ("1-03",), shift_px), solved=None)


def edited(case, *edits):
    arrangement = case.arrangement
    for edit in edits:
        arrangement, _ = edit.apply(arrangement)
    return replace(case, arrangement=arrangement, solved=case.solved or case.arrangement)


def test_nothing_is_held_before_anything_is_done(case):
    assert remembered(case) == case.arrangement


def test_joins_made_by_hand_are_held_and_those_undone_stay_parted(case):
    moved = remembered(edited(case, MoveShreds(("2-01",), 0, 1)))
    assert moved.pages == (("1-01", "2-01", "2-02"), ("1-02",))
    assert moved.held == {("1-01", "2-01"), ("2-01", "2-02")}
    assert moved.parted == {("1-01", "2-02"), ("2-01", "1-02")}
    split = remembered(edited(case, SplitPage("2-02")))
    assert split.parted == {("1-01", "2-02")}
    assert split.held == {("1-01", ""), ("", "2-02")}, "a page ends, and the next one begins"
    merged = remembered(edited(case, MergePages(0)))
    assert merged.held == {("2-02", "2-01")}


def test_what_was_held_is_remembered_over_several_solutions(case):
    first = remembered(edited(case, MergePages(0)))
    second = remembered(replace(case, arrangement=first, solved=None))
    assert second.held == {("2-02", "2-01")}
    parted_again = remembered(edited(replace(case, arrangement=first), SplitPage("2-01")))
    assert parted_again.parted == {("2-02", "2-01")}
    assert parted_again.held == {("2-02", ""), ("", "2-01")}


def test_a_join_made_where_a_page_was_split_takes_the_margins_back(case):
    split = replace(case, arrangement=remembered(edited(case, SplitPage("2-02"))), solved=None)
    merged = remembered(edited(split, MergePages(0)))
    assert merged.held == {("1-01", "2-02")}
    other = remembered(edited(split, MoveShreds(("2-01",), 1, 0)))
    assert other.held == {("1-01", ""), ("2-01", "2-02")}


def test_margins_rule_out_neighbours_unless_one_is_confirmed():
    arrangement = Arrangement(held=frozenset({("a", ""), ("", "b"), ("c", ""), ("gone", "")}))
    assert joins_by_hand(arrangement, "abc") == ([], [(0, 1), (0, 2), (2, 0), (2, 1)])
    said = replace(arrangement, confirmed=frozenset({("a", "b")}))
    assert joins_by_hand(said, "abc") == ([(0, 1)], [(2, 0), (2, 1)])


def test_what_is_said_outweighs_what_was_done(case):
    forbidden = remembered(edited(case, MergePages(0), SetJoin("2-02", "2-01", "forbidden")))
    assert forbidden.held == frozenset()
    confirmed = remembered(edited(case, SplitPage("2-02"), SetJoin("1-01", "2-02", "confirmed")))
    assert confirmed.parted == frozenset()


def test_kept_joins_never_branch_and_confirmed_ones_go_first():
    arrangement = Arrangement(
        confirmed=frozenset({("a", "b"), ("c", "aside")}),
        forbidden=frozenset({("b", "d")}),
        held=frozenset({("a", "c"), ("b", "c"), ("c", "a"), ("b", "d")}),
        parted=frozenset({("a", "b"), ("d", "a")}),
    )
    kept, avoided = joins_by_hand(arrangement, ["a", "b", "c", "d"])
    assert kept == [(0, 1), (1, 2)]
    assert avoided == [(1, 3), (3, 0)]


def test_contradictions_in_what_was_said_are_left_to_the_solver():
    arrangement = Arrangement(confirmed=frozenset({("a", "b"), ("a", "c")}), forbidden=frozenset({("a", "b")}))
    assert joins_by_hand(arrangement, "abc") == ([(0, 1), (0, 2)], [(0, 1)])


def test_shifts_that_differ_from_the_costs_were_set_by_hand(case):
    assert shifts_by_hand(case) == {}
    nudged = replace(case.arrangement, shift_px=case.arrangement.shift_px | {"2-02": 77})
    assert shifts_by_hand(replace(case, arrangement=nudged)) == {("1-01", "2-02"): 77}
    turned = replace(nudged, half_turned=frozenset({"1-01"}))
    assert shifts_by_hand(replace(case, arrangement=turned, solved=case.arrangement)) == {}
    beside_blank = edited(case, MoveShreds(("1-03",), 0, 1)).arrangement
    lower = replace(beside_blank, shift_px=beside_blank.shift_px | {"1-03": 5})
    assert shifts_by_hand(replace(case, arrangement=lower))["1-01", "1-03"] == 5


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
    costs = Costs(cost, np.ones((2, 2), np.int16), *ends, temperature=0.5)
    larger = with_blank_shreds(costs, 2)
    assert larger.temperature == 0.5
    np.testing.assert_array_equal(larger.cost[:2, :2], cost)
    np.testing.assert_array_equal(larger.cost[:2, 3], ends[0])
    np.testing.assert_array_equal(larger.cost[2, :2], ends[1])
    assert larger.cost[2, 3] == larger.to_blank[3] == larger.from_blank[2] == -1
    assert np.isinf(np.diag(larger.cost)).all()
    assert not larger.shift_px[2:].any()
    assert with_blank_shreds(costs, 0) is costs
