from dataclasses import replace
from itertools import pairwise

from core.case.case import JoinInfo


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
