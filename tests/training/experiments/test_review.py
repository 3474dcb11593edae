import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.inspection.questions import Question
from core.matching.costs import Costs
from training.experiments.__main__ import main
from training.experiments.review import (
    ORDERS,
    Course,
    Examiner,
    Standing,
    _noted,
    answers_offered,
    answers_until_taken,
    examine,
)

TRUTH = [["a", "b", "c", "d"], ["e", "f"]]


def question(left, right, to_the_right=(), to_the_left=()):
    return Question(left, right, 0.5, 1.0, to_the_right, to_the_left)


def said(edits):
    return [tuple(vars(edit).values()) for edit in edits]


def test_a_truthful_examiner_says_yes_no_or_which_one_else():
    examiner = Examiner(TRUTH)
    assert said(examiner.answer(question("a", "b"))) == [("a", "b", "confirmed")]
    assert said(examiner.answer(question("a", "c"))) == [("a", "c", "forbidden")]
    assert said(examiner.answer(question("a", "c", ("f", "b"), ("b",))))[1:] == [("a", "b", "confirmed")]
    assert said(examiner.answer(question("d", "c", ("a",), ("e", "b"))))[1:] == [("b", "c", "confirmed")]
    assert said(examiner.answer(question("d", "e"))) == [("d", "e", "forbidden"), ("d", "right")], "a page ends there"
    assert said(examiner.answer(question("b", "e"))) == [("b", "e", "forbidden"), ("e", "left")]


def test_an_examiner_errs_as_often_as_told():
    asked = question("a", "b", ("c",), ("f",))
    examiner = Examiner(TRUTH, wrong=0.3, seed=1)
    answers = [examiner.answer(asked) for _ in range(400)]
    truth = Examiner(TRUTH).answer(asked)
    assert 90 < sum(answer != truth for answer in answers) < 150
    assert set(answers) == set(answers_offered(asked)), "any answer that the window offers can be the slip"


def test_a_true_answer_is_never_a_slip():
    asked = question("a", "c", ("b",))
    answers = {Examiner(TRUTH, wrong=1, seed=seed).answer(asked) for seed in range(40)}
    assert said(*answers & {answers_offered(asked)[0]}) == [("a", "c", "confirmed")]
    assert not answers & {answers_offered(asked)[1], answers_offered(asked)[-1]}, "b instead, and the mere no, are true"


def test_what_is_asked_again_counts_once_it_is_repeated_or_nothing_speaks_against_it():
    asked = Question("a", "b", 0.9, 1.0, (), ())
    arrangement = Arrangement((("a", "b"),))
    yes, no = answers_offered(asked)[0], answers_offered(asked)[-1]

    class Scripted:
        def __init__(self, *answers):
            self.left = list(answers)

        def answer(self, asked):
            return self.left.pop(0)

    assert answers_until_taken(Scripted(yes), asked, arrangement) == [yes]
    assert answers_until_taken(Scripted(no, yes), asked, arrangement) == [no, yes]
    assert answers_until_taken(Scripted(no, no), asked, arrangement) == [no, no]
    end = answers_offered(asked)[1]
    assert answers_until_taken(Scripted(no, end, no, no), asked, arrangement) == [no, end, no, no]


def test_an_answer_takes_the_place_of_what_contradicts_it():
    before = Arrangement((("a", "b", "c"),), confirmed=frozenset({("a", "b")}))
    no = Examiner([["a", "c"]]).answer(question("b", "a"))
    assert _noted(before, no).forbidden == {("b", "a")}
    assert _noted(before, Examiner([["a", "c"]]).answer(question("a", "c"))).confirmed == {("a", "c")}


@pytest.mark.slow
@pytest.mark.parametrize("order", ORDERS.values())
@pytest.mark.parametrize("batch", [1, 3])
def test_true_answers_lead_to_the_true_order(make_shred, order, batch):
    n = 12
    ids = [f"{number:02}" for number in range(n)]
    shreds = [make_shred(shred_id, np.ones((30, 8), dtype=np.bool_)) for shred_id in ids]
    rng = np.random.default_rng(3)
    cost = rng.uniform(5, 6, (n, n)).astype(np.float32)  # costs that tell nothing
    np.fill_diagonal(cost, np.inf)
    ends = rng.uniform(5, 6, (2, n)).astype(np.float32)
    costs = Costs.of_all(cost, np.zeros((n, n), np.int16), *ends, temperature=1.0)
    truth = [ids[:7], ids[7:]]
    how = {"n_answers": 60, "batch": batch, "order": order, "n_pages": 2}
    course = examine(shreds, costs, truth, n, Examiner(truth), **how)
    assert course[0].accuracy < 0.5
    assert course[-1] == Standing(1.0, n - 2, n - 1)
    assert course == examine(shreds, costs, truth, n, Examiner(truth), **how)


def test_the_examination_ends_when_all_joins_are_sure(make_shred):
    ids = list("abcd")
    shreds = [make_shred(shred_id, np.ones((30, 8), dtype=np.bool_)) for shred_id in ids]
    cost = np.full((4, 4), 50, dtype=np.float32)
    cost[np.arange(3), np.arange(1, 4)] = 1
    np.fill_diagonal(cost, np.inf)
    costs = Costs.of_all(cost, np.zeros((4, 4), np.int16), *np.full((2, 4), 30, dtype=np.float32), temperature=1.0)
    assert examine(shreds, costs, [ids], 4, Examiner([ids], wrong=1.0), n_answers=30) == (Standing(1.0, 3, 3),)


def test_wrong_answers_never_stop_the_examination(make_shred):
    ids = list("abcd")
    shreds = [make_shred(shred_id, np.ones((30, 8), dtype=np.bool_)) for shred_id in ids]
    cost = np.full((4, 4), 2, dtype=np.float32)
    np.fill_diagonal(cost, np.inf)
    ends = np.ones((2, 4), dtype=np.float32)
    costs = Costs.of_all(cost, np.zeros((4, 4), np.int16), *ends, temperature=1.0)
    course = examine(shreds, costs, [ids], 4, Examiner([ids], wrong=1.0), n_answers=30)
    assert all(one.joins == one.neighbours == round(3 * one.accuracy) for one in course), "there is one page"
    assert 2 <= len(course) <= 31
    assert course[-1].joins == 0


def test_a_course_tells_what_was_lost_by_a_single_answer():
    standings = Standing(0.5, 2, 2), Standing(0.75, 2, 3), Standing(0.25, 1, 1), Standing(0.5, 1, 2)
    course = Course("all cues, truthful", standings, 4)
    assert course.at(0.5) == 0.25
    assert course.largest_loss == 1
    assert course.largest_loss_of_neighbours == 2
    one = Course("all cues, truthful", standings[:1], 4)
    assert one.largest_loss == one.largest_loss_of_neighbours == 0


@pytest.mark.slow
def test_the_command_draws_the_curves(data_set, weights, tmp_path):
    arguments = ["review", str(data_set), "--weights", str(weights), "--variants", "ink", "--share", "0.5"]
    assert main([*arguments, "-o", str(tmp_path)]) == 0
    text = (tmp_path / "review.md").read_text()
    assert "## d2: 7 joins" in text
    assert "| ink alone, truthful, most useful first |" in text
    assert "| ink alone, 5 % wrong answers, asked again, seed 0 |" in text
    assert "| ink alone, 5 % wrong answers, asked once, seed 0 |" in text
    assert "99.17 with 25 % answered" in text
    assert (tmp_path / "review.png").stat().st_size > 5000
