from dataclasses import replace
from math import inf

from core.arrangement.edits import HalfTurn, MoveShreds
from core.case.joins import JoinTable, join_table, known_shifts, rearranged, told, with_joins
from core.faces.posed import Posed


def test_joins_follow_the_arrangement(small_case):
    known = join_table(small_case)
    edit = MoveShreds(("1-01", "1-03"), 2)
    arrangement, _ = edit.apply(small_case.arrangement, known_shifts(small_case))
    case = rearranged(small_case, arrangement, known)
    assert arrangement.pages == (("2-01", "1-02"), ("1-01", "2-02", "1-03"))
    assert [(join.left, join.right) for join in case.joins] == arrangement.joins()
    assert case.joins[2].cost == inf, "the blank shred was compared with none"
    plain = replace(small_case, arrangement=replace(arrangement, half_turned=frozenset(), turned_deg={}))
    first = rearranged(plain, plain.arrangement, known).joins[0]
    assert first.cost == small_case.costs.cost_of(2, 1)
    assert first.confidence == known.confidence.of(2, 1)
    assert first.shift_px == -8, "as it was set before"


def test_an_edit_looks_up_only_the_joins_that_it_makes(small_case, monkeypatch):
    as_found = replace(small_case.arrangement, half_turned=frozenset(), turned_deg={})
    case = replace(small_case, arrangement=as_found, solved=as_found)
    known, looked_up = join_table(case), []
    parts = type(case.costs).parts
    monkeypatch.setattr(type(case.costs), "parts", lambda costs, *at: looked_up.append(at) or parts(costs, *at))
    assert rearranged(case, as_found, known).joins
    assert looked_up == []
    arrangement, _ = MoveShreds(("1-02",), 1, 0).apply(as_found, known_shifts(case))
    rearranged(case, arrangement, known)
    assert looked_up == [(1, 2)]


def test_joins_are_told_anew(small_case):
    arrangement, _ = MoveShreds(("1-01",), 1).apply(small_case.arrangement)
    case = rearranged(small_case, arrangement, None)
    assert inf in [join.cost for join in case.joins]
    assert with_joins(case).joins == rearranged(small_case, arrangement, join_table(case)).joins
    assert with_joins(case).solved == case.solved
    plain = replace(case, costs=None)
    assert with_joins(plain) is plain


def test_nothing_is_known_of_what_was_turned_since(small_case):
    case = replace(small_case, solved=small_case.arrangement)
    known = join_table(case)
    turned = rearranged(case, HalfTurn(("1-02",)).apply(case.arrangement)[0], known)
    assert [join.cost == inf for join in turned.joins] == [False, True]
    back = rearranged(turned, HalfTurn(("1-02",)).apply(turned.arrangement)[0], known)
    assert [join.cost == inf for join in back.joins] == [False, False]


def test_without_costs_joins_keep_what_was_known(small_case):
    case = replace(small_case, costs=None)
    assert join_table(case) is None
    arrangement, _ = MoveShreds(("1-02",), 0, 0).apply(case.arrangement)
    joins = rearranged(case, arrangement, None).joins
    assert joins[0].cost == inf
    assert joins[1] == small_case.joins[0]


def test_shifts_come_from_the_costs(small_case):
    case = replace(small_case, solved=small_case.arrangement)
    shift_of = known_shifts(case)
    assert shift_of("1-01", "1-02") == int(small_case.costs.shift_of(0, 1))
    assert isinstance(shift_of("1-01", "1-02"), int)
    assert shift_of("1-03", "1-02") is None, "the blank shred was compared with none"
    turned, _ = HalfTurn(("1-01",)).apply(case.arrangement)
    assert known_shifts(replace(case, arrangement=turned))("1-01", "1-02") is None
    assert known_shifts(replace(case, costs=None))("1-01", "1-02") is None


def test_answers_make_joins_surer(small_case):
    costs, ids = small_case.costs, small_case.matched_ids
    plain = JoinTable.of(
        Posed.alone(ids, costs), replace(small_case.arrangement, confirmed=frozenset(), forbidden=frozenset())
    )
    said = JoinTable.of(
        Posed.alone(ids, costs), replace(small_case.arrangement, confirmed=frozenset({("1-01", "2-02")}))
    )
    assert said.confidence.of(0, 3) > 0.99
    assert said.confidence.of(0, 3) > plain.confidence.of(0, 3)
    assert said.confidence.of(0, 1) == 0
    assert said.posed.costs is costs, "what joins cost does not depend on what was said"


def test_sureness_goes_by_the_answers_alone_that_still_hold(small_case):
    assert told(small_case) is small_case.found_as_seen
    withdrawn = replace(small_case, arrangement=replace(small_case.arrangement, confirmed=frozenset()))
    solved = replace(withdrawn, solved=small_case.arrangement)
    assert told(solved) == replace(small_case.arrangement, confirmed=frozenset())
    since = replace(small_case, arrangement=replace(small_case.arrangement, confirmed=frozenset({("1-01", "1-02")})))
    assert told(replace(since, solved=replace(since.arrangement, confirmed=frozenset()))).confirmed == frozenset()
