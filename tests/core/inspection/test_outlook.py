from dataclasses import replace

import pytest

from core.arrangement.arrangement import Arrangement
from core.case.case import JoinInfo
from core.inspection.outlook import Outlook, asked_below, outlook
from core.matching.confidence import JoinBelow


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


def rows_of(small_case, first, second, **said):
    """Two rows of two pieces, and how sure either join downwards is."""
    places = {"1-01": (0, 0, 0), "2-01": (0, 1, 0)}
    now = Arrangement((("1-01", "2-02"), ("2-01", "1-02")), ("1-03",), grid_places=places, **said)
    below = JoinBelow("1-01", "2-01", first), JoinBelow("2-02", "1-02", second)
    return replace(small_case, arrangement=now, solved=None, joins=(), below=below)


def test_of_two_rows_the_surest_join_is_asked_about(small_case):
    case = rows_of(small_case, 0.2, 0.5)
    assert [(one.pair, len(joins)) for one, joins in asked_below(case)] == [(("2-02", "1-02"), 2)]
    assert outlook(case) == Outlook(1, 0.5)


def test_where_rows_are_sure_or_answered_pieces_are_asked_about_for_themselves(small_case):
    case = rows_of(small_case, 0.2, 0.99)
    assert [(one.pair, len(joins)) for one, joins in asked_below(case)] == [(("1-01", "2-01"), 1)]
    confirmed = rows_of(small_case, 0.2, 0.5, confirmed_below=frozenset({("2-02", "1-02")}))
    assert [one.pair for one, _ in asked_below(confirmed)] == [("1-01", "2-01")]
    forbidden = rows_of(small_case, 0.2, 0.5, forbidden_below=frozenset({("2-02", "1-02")}))
    assert asked_below(forbidden) == [], "they stand there all the same, for want of another place"
    assert asked_below(rows_of(small_case, None, None)) == []
