from dataclasses import replace
from math import inf

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.edits import SetJoin, SetMargin, Together
from core.arrangement.row_edits import SetBelow
from core.case.arrangement_json import describe_edit
from core.case.history import append
from core.inspection.answers import answers_of, doubt_of
from core.matching.costs import Costs

PAGES = (tuple("abcdef"),)


@pytest.fixture
def case(small_case):
    return replace(small_case, arrangement=Arrangement(PAGES), history=())


def did(case, *edits, **parameters):
    """Carry out an edit as the window does, or record a step that is none."""
    arrangement = case.arrangement
    if edits:
        edit = Together(edits)
        arrangement, _ = edit.apply(arrangement)
        parameters = {"edit": describe_edit(edit)}
    step = {"when": "2026-11-28T09:55:01Z", "who": "Ada", "what": "edited", "text": "step", "parameters": parameters}
    return replace(case, arrangement=arrangement, history=append(case.history, **step, arrangement=arrangement))


def went_back(case, to, state):
    return replace(did(case, to=to), arrangement=state.arrangement)


def listed(case):
    return [(answer.number, *answer.joins) for answer in answers_of(case)]


YES, NO = SetJoin("a", "b", "confirmed"), SetJoin("c", "d", "forbidden")


def test_answers_come_in_the_order_in_which_they_were_given(case):
    case = did(did(did(case, NO), solve=True), YES)
    assert listed(case) == [(1, (("c", "d"), "forbidden")), (3, (("a", "b"), "confirmed"))]
    assert answers_of(case)[-1].pair == ("a", "b")


def test_what_was_said_in_one_breath_is_one_answer_and_is_withdrawn_as_one(case):
    chosen = did(case, NO, SetJoin("c", "f", "confirmed"))
    (answer,) = answers_of(chosen)
    assert answer.joins == ((("c", "d"), "forbidden"), (("c", "f"), "confirmed"))
    assert answer.pair == ("c", "d")
    after, _ = answer.withdrawal.apply(chosen.arrangement)
    assert after == case.arrangement


def test_the_end_of_a_page_is_withdrawn_with_its_answer(case):
    ended = did(case, NO, SetMargin("c", "right"))
    (answer,) = answers_of(ended)
    assert answer.margins == (("c", "right"),)
    assert answer.withdrawal.apply(ended.arrangement)[0] == case.arrangement


def test_what_was_undone_is_no_answer_and_what_was_done_again_is(case):
    one = did(case, YES)
    two = did(one, NO)
    undone = went_back(two, 1, one)
    assert [number for number, *_ in listed(undone)] == [1]
    assert [number for number, *_ in listed(went_back(undone, 2, two))] == [1, 2]
    other = did(went_back(undone, 0, case), SetJoin("e", "f", "forbidden"))
    assert listed(other) == [(5, (("e", "f"), "forbidden"))]


def test_answers_about_rows_are_listed_and_withdrawn_as_the_others(case):
    below, not_below = SetBelow("a", "d", "confirmed"), SetBelow("b", "e", "forbidden")
    said = did(did(did(case, NO), below), not_below)
    first, second, third = answers_of(said)
    assert (first.below, second.below, third.below) == (False, True, True)
    assert [(one.number, one.joins) for one in (second, third)] == [
        (2, ((("a", "d"), "confirmed"),)), (3, ((("b", "e"), "forbidden"),)),
    ]  # fmt: skip
    after, _ = second.withdrawal.apply(said.arrangement)
    assert (after.confirmed_below, after.forbidden_below) == (frozenset(), {("b", "e")})
    assert [one.number for one in answers_of(replace(said, history=()))] == [0, 0, 0]


def test_a_later_answer_takes_the_place_of_an_earlier_one(case):
    case = did(did(case, YES), SetJoin("a", "b", "forbidden"))
    assert listed(case) == [(2, (("a", "b"), "forbidden"))]
    assert listed(did(case, SetJoin("a", "b", "suggested"))) == []


def test_withdrawing_confirms_again_what_was_displaced_unless_that_is_contradicted_by_now(case):
    instead = did(did(case, YES), SetJoin("a", "b", "suggested"), SetJoin("a", "d", "confirmed"))
    (answer,) = answers_of(instead)
    assert answer.displaced == (("a", "b"),)
    assert answer.withdrawal.apply(instead.arrangement)[0].confirmed == {("a", "b")}
    later = did(instead, SetJoin("e", "b", "confirmed"))
    assert answers_of(later)[0].displaced == ()


def test_answers_without_an_entry_come_first_each_by_itself(case):
    taken_over = replace(case.arrangement, confirmed=frozenset({("e", "f")}), forbidden=frozenset({("b", "c")}))
    case = did(replace(case, arrangement=taken_over), YES)
    assert listed(case) == [
        (0, (("b", "c"), "forbidden")),
        (0, (("e", "f"), "confirmed")),
        (1, (("a", "b"), "confirmed")),
    ]


def test_what_no_longer_holds_is_no_answer(case):
    answered = did(case, YES, NO)
    parted = replace(answered, arrangement=replace(answered.arrangement, confirmed=frozenset()))
    assert listed(parted) == [(1, (("c", "d"), "forbidden"))]


def test_a_join_is_the_more_doubtful_the_dearer_it_is_than_others_at_its_borders():
    cost = np.array([[0, 1, 4], [2, 0, 3], [np.inf, 9, 0]], np.float32)
    blank = np.zeros(3, np.float32)
    costs = Costs.of_all(cost, np.zeros((3, 3), np.int16), blank, blank)
    doubt = doubt_of(costs, {"a": 0, "b": 1, "c": 2}.get)
    assert [doubt(pair) for pair in (("a", "b"), ("a", "c"), ("c", "b"))] == [1 - 4, 4 - 1, 9 - 1]
    assert doubt(("c", "a")) == doubt(("a", "unknown")) == inf
    alone = doubt_of(costs.of([0]), {"a": 0, "b": 0}.get)
    assert alone(("a", "b")) == inf, "no other is there either"
