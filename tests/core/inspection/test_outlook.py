from dataclasses import replace

import pytest

from core.arrangement.arrangement import Arrangement
from core.case.case import JoinInfo
from core.inspection.outlook import Outlook, outlook


def case_with(small_case, *confidences, cost=1.0, **answers):
    ids = "abcdefgh"[: len(confidences) + 1]
    joins = tuple(
        JoinInfo(left, right, cost, 0, sure) for left, right, sure in zip(ids, ids[1:], confidences, strict=False)
    )
    return replace(small_case, arrangement=Arrangement((tuple(ids),), **answers), joins=joins)


def test_doubts_are_added_up_over_the_joins_that_are_not_sure(small_case):
    summed = outlook(case_with(small_case, 0.5, 0.75, 0.99, 0.2))
    assert summed.n_questions == 3
    assert summed.n_wrong == pytest.approx(0.5 + 0.25 + 0.8)


def test_what_was_answered_or_never_compared_is_no_question(small_case):
    answered = case_with(small_case, 0.1, 0.1, confirmed=frozenset({("a", "b")}), forbidden=frozenset({("b", "c")}))
    assert outlook(answered) == Outlook(0, 0)
    assert outlook(case_with(small_case, 0.0, 0.0, cost=float("inf"))) == Outlook(0, 0)
