import threading
from dataclasses import replace

import pytest

from app.session.answers import shift_between
from core.arrangement.edits import HalfTurn, MoveShreds
from tests.app.solvable import ORDER, SolvableEngine


@pytest.fixture
def engine():
    return SolvableEngine()


@pytest.fixture
def answers(session):
    return session.answers


@pytest.fixture
def held(engine, monkeypatch):
    """Let solving wait until it is told to go on."""
    go = threading.Event()
    begun = []
    solve = engine.solve_again

    def wait(case, progress):
        begun.append(case)
        while not go.wait(0.01):
            progress(0.1, "Waiting")
        return solve(case, progress)

    monkeypatch.setattr(engine, "solve_again", wait)
    go.begun = begun
    yield go
    go.set()


def solve(qtbot, answers):
    with qtbot.waitSignal(answers.solved) as signal:
        answers.solve_again()
    return signal.args[0]


def test_the_case_is_arranged_by_its_costs(session):
    assert session.document.case.arrangement.pages == (ORDER,)


def test_what_is_said_can_be_taken_back_and_undone(session, answers):
    assert answers.answer(("1-01", "1-02"), "confirmed")
    assert session.document.undo_stack.undoText() == "confirmation of 1-01 | 1-02"
    assert answers.toggle(("1-01", "1-02"), "confirmed")
    assert session.document.case.arrangement.confirmed == frozenset()
    assert answers.toggle(("1-01", "1-02"), "forbidden")
    assert session.document.case.arrangement.forbidden == {("1-01", "1-02")}
    assert not answers.answer(("1-01", "1-02"), "forbidden")
    session.editor.undo()
    session.editor.undo()
    assert session.document.case.arrangement.confirmed == {("1-01", "1-02")}


def test_a_confirmation_replaces_those_that_contradict_it(session, answers):
    answers.answer(("1-01", "1-02"), "confirmed")
    answers.answer(("2-01", "1-03"), "confirmed")
    n_steps = session.document.undo_stack.count()
    answers.answer(("1-01", "1-03"), "confirmed")
    assert session.document.case.arrangement.confirmed == {("1-01", "1-03")}
    assert session.document.undo_stack.count() == n_steps + 1


def test_of_those_with_which_it_closes_a_ring_it_replaces_the_most_doubtful_one(session, answers):
    for pair in (("1-01", "1-02"), ("1-02", "2-03"), ("2-03", "3-01")):
        answers.answer(pair, "confirmed")
    answers.answer(("3-01", "1-01"), "confirmed")
    doubtful = ("1-02", "2-03"), ("2-03", "3-01")
    assert sum(session.document.case.arrangement.state(*pair) == "confirmed" for pair in doubtful) == 1
    assert session.document.case.arrangement.state("1-01", "1-02") == "confirmed", "of which the costs are sure"
    assert session.document.case.arrangement.state("3-01", "1-01") == "confirmed"


def test_solving_again_is_one_step_and_tells_what_changed(qtbot, session, answers):
    answers.answer(("2-01", "2-02"), "forbidden")
    changed = solve(qtbot, answers)
    assert session.document.case.arrangement.pages == (
        ("1-01", "1-02", "1-03", "2-02", "2-01", "2-03", "3-01", "3-02", "3-03"),
    )
    assert changed.new == (("1-03", "2-02"), ("2-02", "2-01"), ("2-01", "2-03"))
    assert session.document.undo_stack.undoText() == "solving again"
    session.editor.undo()
    assert session.document.case.arrangement.pages == (ORDER,)
    assert session.document.case.arrangement.forbidden == {("2-01", "2-02")}
    assert not answers.solving


def test_where_nothing_changes_there_is_no_step(qtbot, session, answers):
    answers.answer(("1-01", "1-02"), "confirmed")
    assert not solve(qtbot, answers)
    assert session.document.undo_stack.count() == 1


def test_answers_given_while_solving_are_not_lost(qtbot, session, answers, held):
    answers.answer(("2-01", "2-02"), "forbidden")
    answers.solve_again()
    assert answers.solving
    answers.answer(("3-01", "3-02"), "forbidden")
    with qtbot.waitSignal(answers.solved):
        held.set()
    arrangement = session.document.case.arrangement
    assert arrangement.forbidden == {("2-01", "2-02"), ("3-01", "3-02")}
    assert not arrangement.forbidden & set(arrangement.joins())
    assert len(held.begun) == 2
    assert session.document.undo_stack.count() == 3


def test_another_case_is_not_given_the_solution_of_the_one_before(qtbot, session, answers, held, draw_sheet):
    answers.answer(("2-01", "2-02"), "forbidden")
    answers.solve_again()
    session.reader.open([draw_sheet("x.png"), draw_sheet("y.png"), draw_sheet("z.png")])
    assert not answers.solving
    held.set()
    qtbot.waitUntil(lambda: session.document.case is not None)
    assert session.document.case.arrangement.pages == (ORDER,)


def test_turned_shreds_are_compared_anew_and_that_can_be_cancelled(qtbot, session, answers, held):
    session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    answers.solve_again()
    assert session.jobs.busy
    session.jobs.cancel()
    assert not answers.solving
    assert session.document.case.turned_since == {"1-02"}
    held.set()


def test_a_failure_is_told(qtbot, session, answers, monkeypatch):
    answers.answer(("1-01", "1-02"), "forbidden")

    def fail(case, progress):
        raise RuntimeError("no order")

    monkeypatch.setattr(session.jobs.engine, "solve_again", fail)
    told = []
    session.jobs.failed.connect(told.append)
    answers.solve_again()
    qtbot.waitUntil(lambda: bool(told))
    assert not answers.solving
    assert str(told[0]) == "no order"


def test_shifts_of_pairs(session):
    case = session.document.case
    assert shift_between(case, ("1-01", "1-02")) == case.arrangement.shift_px["1-02"]
    assert shift_between(case, ("1-01", "3-03")) == int(case.costs.shift_of(0, 8))
    assert shift_between(case, ("1-01", "1-04")) == 0, "that one is blank"
    session.editor.edit(MoveShreds(("3-03",), 0, 1), "move")
    session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    assert shift_between(session.document.case, ("1-02", "3-01")) == 0


def test_an_answer_about_rows_is_a_step_of_its_own(session, answers):
    assert answers.answer_below(("1-01", "1-03"), "confirmed")
    assert session.document.undo_stack.undoText() == "confirmation of 1-03 below 1-01"
    assert session.document.case.arrangement.confirmed_below == {("1-01", "1-03")}
    assert not answers.answer_below(("1-01", "1-03"), "confirmed")
    session.editor.undo()
    assert session.document.case.arrangement.confirmed_below == frozenset()


def test_rows_that_solving_again_moves_are_adopted_though_no_join_side_by_side_is_another(
    qtbot, session, answers, engine, monkeypatch
):
    solve_again, moved = engine.solve_again, {"1-01": (0, 1, 0)}

    def solved(case, progress):
        found = solve_again(case, progress)
        return replace(found, arrangement=replace(found.arrangement, grid_places=moved))

    monkeypatch.setattr(engine, "solve_again", solved)
    solve(qtbot, answers)
    assert session.document.case.arrangement.grid_places == moved
    session.editor.undo()
    assert session.document.case.arrangement.grid_places == {}
