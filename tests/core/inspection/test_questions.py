from dataclasses import replace

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.inspection.outlook import Outlook
from core.inspection.questions import (
    N_ALTERNATIVES,
    N_WEIGHED,
    answers_in_doubt,
    next_questions,
    question_about,
    questions_below,
    questions_of,
)
from core.matching.confidence import JoinBelow
from core.matching.costs import Costs
from tests.core.inspection.test_outlook import rows_of

IDS = tuple("abcdefghij")
PAGES = (tuple("abcdef"), tuple("ghij"))


@pytest.fixture
def costs() -> Costs:
    """Two pages: between c and f three joins hang together; on the second page any order is as good as another."""
    rng = np.random.default_rng(0)
    cost = rng.normal(30, 0.3, (10, 10)).astype(np.float32)
    cost[np.arange(5), np.arange(1, 6)] = 10
    # c e d f instead of c d e f, a little dearer.
    cost[2, 4] = cost[4, 3] = cost[3, 5] = 10.5
    cost[6:, 6:] = 14
    cost[6, 7] = 12
    np.fill_diagonal(cost, np.inf)
    blank = np.full(10, 30, dtype=np.float32)
    to_blank, from_blank = blank.copy(), blank.copy()
    to_blank[5] = from_blank[0] = 10
    to_blank[6:] = from_blank[6:] = 14
    return Costs.of_all(cost, np.zeros((10, 10), np.int16), to_blank, from_blank, temperature=1.0)


def joins(questions):
    return [(question.left, question.right) for question in questions]


def test_the_answer_that_changes_most_is_asked_for_first(costs):
    questions = next_questions(costs, IDS, Arrangement(PAGES))
    worth = {(question.left, question.right): question.usefulness for question in questions}
    # A "no" to c d exchanges three joins; one to a b would be answered by a dear order, and is hardly to be expected.
    assert worth["c", "d"] > 1
    assert worth["a", "b"] < 0.01
    assert [question.usefulness for question in questions] == sorted(worth.values(), reverse=True)
    assert joins(questions).index(("c", "d")) < joins(questions).index(("g", "h"))


def test_confirmed_and_skipped_joins_are_not_asked_about(costs):
    arrangement = Arrangement(PAGES, confirmed=frozenset({("c", "d")}))
    asked = joins(next_questions(costs, IDS, arrangement, skipped=[("g", "h"), ("not", "there")]))
    assert ("c", "d") not in asked
    assert ("g", "h") not in asked
    assert ("d", "e") in asked
    assert all(pair in arrangement.joins() for pair in asked)


def test_an_answer_makes_what_hangs_on_it_sure(costs):
    before = {(q.left, q.right): q.confidence for q in next_questions(costs, IDS, Arrangement(PAGES))}
    arrangement = Arrangement(PAGES, confirmed=frozenset({("c", "d")}))
    after = {(q.left, q.right): q.confidence for q in next_questions(costs, IDS, arrangement)}
    assert before["d", "e"] < 0.8
    assert after["d", "e"] > 0.95
    forbidden = Arrangement(PAGES, forbidden=frozenset({("c", "e")}))
    assert {(q.left, q.right): q.confidence for q in next_questions(costs, IDS, forbidden)}["c", "d"] > 0.95


def test_alternatives_are_the_likeliest_others(costs):
    arrangement = Arrangement(PAGES, forbidden=frozenset({("g", "i")}))
    question = {(q.left, q.right): q for q in next_questions(costs, IDS, arrangement)}
    assert question["c", "d"].alternatives_right[0] == "e"
    assert question["c", "d"].alternatives_left[0] == "e"
    of_g = question["g", "h"]
    assert len(of_g.alternatives_right) == len(of_g.alternatives_left) == N_ALTERNATIVES
    assert "h" not in of_g.alternatives_right
    assert "g" not in of_g.alternatives_left
    assert "i" not in of_g.alternatives_right, "that was forbidden"
    assert of_g.alternatives_right[0] == "j"


def test_blank_shreds_and_those_set_aside_are_left_out(costs):
    arrangement = Arrangement((("a", "b", "blank", "c", "d", "e"), tuple("ghij")), ("f",))
    questions = next_questions(costs, IDS, arrangement)
    assert ("b", "c") not in joins(questions), "a blank shred stands between them"
    assert not any("f" in (*q.alternatives_right, *q.alternatives_left, q.right) for q in questions)


def test_there_are_at_most_so_many_and_always_the_same():
    rng = np.random.default_rng(1)
    n = 4 * N_WEIGHED
    cost = rng.uniform(5, 9, (n, n)).astype(np.float32)
    np.fill_diagonal(cost, np.inf)
    many = Costs.of_all(cost, np.zeros((n, n), np.int16), cost[:, 1] + 1, cost[1] + 1)
    many.to_blank[1] = many.from_blank[1] = 7
    ids = [f"{number:03}" for number in range(n)]
    arrangement = Arrangement((tuple(ids[: n // 2]), tuple(ids[n // 2 :])))
    one, two = (next_questions(many, ids, arrangement) for _ in range(2))
    assert one == two
    assert len(one) == N_WEIGHED


def test_a_join_without_any_other_order_is_asked_about_last():
    cost = np.array([[np.inf, 1], [np.inf, np.inf]], dtype=np.float32)
    two = Costs.of_all(
        cost, np.zeros((2, 2), np.int16), np.ones(2, np.float32), np.ones(2, np.float32), temperature=1.0
    )
    (question,) = next_questions(two, "ab", Arrangement((("a", "b"),)))
    assert question.usefulness == 0
    assert question.alternatives_right == question.alternatives_left == ()


def test_nothing_is_asked_where_nothing_stands(costs):
    assert next_questions(costs, IDS, Arrangement()) == []


def test_questions_of_a_case_leave_out_what_was_turned_since(small_case):
    plain = replace(small_case.arrangement, half_turned=frozenset(), turned_deg={})
    case = replace(small_case, arrangement=plain, solved=plain)
    questions, left = questions_of(case)
    asked = joins(questions)
    assert asked
    assert left.n_questions == sum(question.confidence < 0.92 for question in questions)
    turned = replace(case, arrangement=replace(plain, half_turned=frozenset({asked[0][0]})))
    assert asked[0] not in joins(questions_of(turned)[0])
    assert questions_of(replace(case, costs=None)) == ([], Outlook(0, 0.0))


def test_any_join_can_be_asked_about_and_comes_first(small_case):
    plain = replace(small_case.arrangement, half_turned=frozenset(), turned_deg={})
    case = replace(small_case, arrangement=plain, solved=plain)
    *_, last = joins(questions_of(case)[0])
    questions, _ = questions_of(case, about=last)
    assert joins(questions)[0] == last
    assert len(questions) == len(set(joins(questions)))
    confirmed = replace(case, arrangement=replace(plain, confirmed=frozenset({last})))
    first = questions_of(confirmed, about=last)[0][0]
    assert (first.pair, first.state) == (last, "confirmed")
    assert questions_of(case, about=("not", "there"))[0] == questions_of(case)[0]


def test_the_question_about_an_answer_says_how_sure_the_join_is_but_for_that(costs):
    arrangement = Arrangement(PAGES, forbidden=frozenset({("a", "b")}), confirmed=frozenset({("b", "h")}))
    no = question_about(costs, IDS, arrangement, ("a", "b"))
    assert (no.state, no.confidence > 0.9) == ("forbidden", True)
    yes = question_about(costs, IDS, arrangement, ("b", "h"))
    assert (yes.state, yes.confidence < 0.01) == ("confirmed", True)
    assert question_about(costs, IDS, arrangement, ("a", "nowhere")) is None


# Second thoughts


def said(questions):
    return [(question.left, question.right, question.state) for question in questions]


def test_a_no_that_all_the_rest_speaks_against_is_asked_about_again(costs):
    arrangement = Arrangement(PAGES, forbidden=frozenset({("a", "b"), ("c", "e")}))
    (question,) = answers_in_doubt(costs, IDS, arrangement)
    assert said([question]) == [("a", "b", "forbidden")]
    assert question.confidence > 0.95, "but for the answer"
    assert len(question.alternatives_right) == N_ALTERNATIVES


def test_other_answers_speak_too(costs):
    """Nothing but the answer to another join tells that c d was right."""
    slip = frozenset({("c", "d")})
    assert answers_in_doubt(costs, IDS, Arrangement(PAGES, forbidden=slip)) == []
    told = Arrangement(PAGES, forbidden=slip, confirmed=frozenset({("d", "e")}))
    assert said(answers_in_doubt(costs, IDS, told)) == [("c", "d", "forbidden")]


def test_a_yes_to_what_is_hardly_possible_is_asked_about_again(costs):
    arrangement = Arrangement(PAGES, confirmed=frozenset({("b", "h"), ("c", "e"), ("a", "b")}))
    doubted = answers_in_doubt(costs, IDS, arrangement)
    assert said(doubted) == [("b", "h", "confirmed")]
    assert doubted[0].alternatives_right[0] == "c"


def test_second_thoughts_come_first_and_can_be_skipped(small_case):
    plain = replace(small_case.arrangement, half_turned=frozenset(), turned_deg={}, held=frozenset())
    case = replace(small_case, arrangement=plain, solved=plain)
    slip = next(iter(plain.confirmed))
    row = {shred: number for number, shred in enumerate(case.matched_ids)}
    case.costs.cost[case.costs.at(row[slip[0]], row[slip[1]])] = 1e4
    first = questions_of(case)[0][0]
    assert said([first]) == [(*slip, "confirmed")]
    assert slip not in joins(questions_of(case, skipped=[slip])[0])


def test_rows_are_asked_about_among_the_others_by_what_an_answer_is_worth(small_case):
    case = rows_of(small_case, 0.2, 0.5)
    (alone,) = questions_below(case)
    assert (alone.pair, alone.below, alone.usefulness) == (("2-02", "1-02"), True, 0.5 * 0.25)
    other = replace(case, below=(*case.below, JoinBelow("1-01", "1-02", 0.4), JoinBelow("1-01", "1-03", 0.1)))
    (more,) = questions_below(other)
    assert more.usefulness == pytest.approx(0.5 * (0.4 / 0.8 + 0.4 / 0.5 + 0.25)), "what could stand there instead"
    questions, left = questions_of(other)
    assert questions == sorted(questions, key=lambda one: -one.usefulness)
    assert [one.pair for one in questions if one.below] == [("2-02", "1-02")]
    assert left.n_questions == 1 + sum(one.confidence < 0.92 for one in questions if not one.below)
    assert not any(one.below for one in questions_of(other, skipped=[("2-02", "1-02")])[0])


def test_an_answer_about_rows_can_be_asked_about_again(small_case):
    pair = "1-01", "2-01"
    first = questions_of(rows_of(small_case, 0.2, 0.99), about=pair)[0][0]
    assert (first.pair, first.below, first.state) == (pair, True, "suggested")
    said = rows_of(small_case, 0.2, 0.99, forbidden_below=frozenset({pair}))
    first = questions_of(said, about=pair)[0][0]
    assert (first.pair, first.below, first.state) == (pair, True, "forbidden")
