from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.half_turns import standing_as
from core.case.case import JoinInfo
from core.matching.confidence import JoinBelow
from core.matching.costs import Costs


def test_what_follows_from_shreds_and_joins_goes_on_while_these_stay(small_case):
    case = small_case
    later = replace(case, gap=0.5, history=())
    assert later.shred_by_id is case.shred_by_id
    assert later.matched_ids is case.matched_ids
    assert later.join_left_of is case.join_left_of


def test_other_shreds_and_joins_are_looked_at_anew(small_case):
    case = small_case
    before = case.shred_by_id, case.matched_ids, case.scraps, case.join_left_of, case.doubtful_joins, case.cross_cut
    assert all(part is not None for part in before)
    sliver, piece, *others = case.shreds
    shreds = replace(sliver, scrap="sliver"), replace(piece, cross_cut=True), *others[::-1]
    doubtful = JoinInfo("1-01", "2-02", 2.5, 4, 0.2)
    later = replace(replace(case, shreds=shreds), joins=(doubtful,))
    assert list(later.shred_by_id.values()) == list(shreds)
    assert later.matched_ids == tuple(shred.id for shred in shreds if shred.compared)
    assert [later.row_of(shred) for shred in later.matched_ids] == list(range(len(later.matched_ids)))
    assert later.scraps == {shred.id for shred in shreds if shred.scrap}
    assert later.cross_cut
    assert later.join_left_of == {"2-02": doubtful}
    assert later.doubtful_joins == []  # it is confirmed
    assert replace(later, arrangement=replace(later.arrangement, confirmed=frozenset())).doubtful_joins == [doubtful]
    assert before == (
        case.shred_by_id, case.matched_ids, case.scraps, case.join_left_of, case.doubtful_joins, case.cross_cut,
    )  # fmt: skip


def test_the_joins_of_a_shred_are_those_with_its_neighbours(small_case):
    case = small_case
    page = "1-01", "2-02", "2-01"
    joins = tuple(JoinInfo(left, right, 1.0, 0, 0.5) for left, right in pairwise(page))
    case = replace(case, arrangement=replace(case.arrangement, pages=(page,), set_aside=("1-02",)), joins=joins)
    assert [case.joins_beside(shred) for shred in (*page, "1-02", "9-09")] == [
        [joins[0]], [*joins], [joins[1]], [], [],
    ]  # fmt: skip


@pytest.fixture
def in_rows(small_case):
    """Two rows of two pieces on a page; of one join downwards it is known that it is doubtful."""
    places = {"1-01": (0, 0, 0), "2-01": (0, 1, 0)}
    now = Arrangement(pages=(("1-01", "2-02"), ("2-01", "1-02")), set_aside=("1-03",), grid_places=places)
    below = JoinBelow("1-01", "2-01", 0.2), JoinBelow("2-02", "1-02", 0.95), JoinBelow("1-01", "1-02", 0.1)
    return replace(small_case, arrangement=now, solved=None, below=below)


def test_what_stands_below_what_is_as_sure_as_it_was_found(in_rows):
    case = in_rows
    assert case.joins_below == case.below[:2]
    assert case.doubtful_below == [case.below[0]]
    confirmed = replace(case.arrangement, confirmed_below=frozenset({("1-01", "2-01")}))
    assert replace(case, arrangement=confirmed).doubtful_below == []
    assert case.sure_below("2-02", "2-01") == 0.0, "it did not come into question"
    assert case.sure_below("1-01", "1-03") is None, "it was not compared"
    assert replace(case, arrangement=replace(case.arrangement, grid_places={})).joins_below == ()


def test_of_another_order_that_was_found_nothing_is_known_of_what_stands_below_what(in_rows):
    found = in_rows.arrangement
    assert in_rows.below_of(found) == replace(in_rows, solved=found, arrangement=Arrangement()).below_of(found)
    assert in_rows.below_of(found) == in_rows.below
    assert in_rows.below_of(replace(found, grid_places={})) == ()


def test_turned_as_a_whole_what_stood_below_stands_above(in_rows):
    found = in_rows.arrangement
    over = replace(standing_as(found, {*found.order}), pages=(("1-02", "2-01"), ("2-02", "1-01")))
    over = replace(over, grid_places={"1-02": (0, 0, 0), "2-02": (0, 1, 0)})
    n = 2 * len(in_rows.matched_ids)  # pieces are compared both ways up
    costs = Costs.of_all(np.ones((n, n), np.float32), np.zeros((n, n), np.int16), *np.ones((2, n), np.float32))
    case = replace(in_rows, costs=costs, arrangement=over, solved=found)
    assert [(join.pair, join.confidence) for join in case.joins_below] == [
        (("1-02", "2-02"), 0.95), (("2-01", "1-01"), 0.2),
    ]  # fmt: skip
    alone = replace(case, arrangement=standing_as(found, {"1-01"}), solved=found)
    assert alone.joins_below[0].confidence is None, "turned alone, it lies otherwise than it did"
    assert alone.joins_below[1].confidence == 0.95
