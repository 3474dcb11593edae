import threading

import pytest

from app.session.solving import Joining, shift_between
from core.arrangement.edits import HalfTurn, MoveShreds
from tests.app.solvable import ORDER, SolvableEngine


@pytest.fixture
def engine():
    return SolvableEngine()


@pytest.fixture
def joining(opened):
    return Joining(opened.workspace)


@pytest.fixture
def workspace(opened):
    return opened.workspace


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


def solve(qtbot, joining):
    with qtbot.waitSignal(joining.solved, timeout=10_000) as signal:
        joining.solve_again()
    return signal.args[0]


def test_the_case_is_arranged_by_its_costs(workspace):
    assert workspace.case.arrangement.pages == (ORDER,)


def test_what_is_said_can_be_taken_back_and_undone(workspace, joining):
    assert joining.say(("1-01", "1-02"), "confirmed")
    assert workspace.undo_stack.undoText() == "confirmation of 1-01 | 1-02"
    assert joining.toggle(("1-01", "1-02"), "confirmed")
    assert workspace.case.arrangement.confirmed == frozenset()
    assert joining.toggle(("1-01", "1-02"), "forbidden")
    assert workspace.case.arrangement.forbidden == {("1-01", "1-02")}
    assert not joining.say(("1-01", "1-02"), "forbidden")
    workspace.undo()
    workspace.undo()
    assert workspace.case.arrangement.confirmed == {("1-01", "1-02")}


def test_a_confirmation_replaces_those_that_contradict_it(workspace, joining):
    joining.say(("1-01", "1-02"), "confirmed")
    joining.say(("2-01", "1-03"), "confirmed")
    n_steps = workspace.undo_stack.count()
    joining.say(("1-01", "1-03"), "confirmed")
    assert workspace.case.arrangement.confirmed == {("1-01", "1-03")}
    assert workspace.undo_stack.count() == n_steps + 1


def test_solving_again_is_one_step_and_tells_what_changed(qtbot, workspace, joining):
    joining.say(("2-01", "2-02"), "forbidden")
    changed = solve(qtbot, joining)
    assert workspace.case.arrangement.pages == (
        ("1-01", "1-02", "1-03", "2-02", "2-01", "2-03", "3-01", "3-02", "3-03"),
    )
    assert changed.new == (("1-03", "2-02"), ("2-02", "2-01"), ("2-01", "2-03"))
    assert workspace.undo_stack.undoText() == "solving again"
    workspace.undo()
    assert workspace.case.arrangement.pages == (ORDER,)
    assert workspace.case.arrangement.forbidden == {("2-01", "2-02")}
    assert not joining.solving


def test_where_nothing_changes_there_is_no_step(qtbot, workspace, joining):
    joining.say(("1-01", "1-02"), "confirmed")
    assert not solve(qtbot, joining)
    assert workspace.undo_stack.count() == 1


def test_answers_given_while_solving_are_not_lost(qtbot, workspace, joining, held):
    joining.say(("2-01", "2-02"), "forbidden")
    joining.solve_again()
    assert joining.solving
    joining.say(("3-01", "3-02"), "forbidden")
    with qtbot.waitSignal(joining.solved, timeout=10_000):
        held.set()
    arrangement = workspace.case.arrangement
    assert arrangement.forbidden == {("2-01", "2-02"), ("3-01", "3-02")}
    assert not arrangement.forbidden & set(arrangement.joins())
    assert len(held.begun) == 2
    assert workspace.undo_stack.count() == 3


def test_another_case_is_not_given_the_solution_of_the_one_before(qtbot, opened, joining, held, draw_sheet):
    joining.say(("2-01", "2-02"), "forbidden")
    joining.solve_again()
    opened.workspace.open([draw_sheet("x.png"), draw_sheet("y.png"), draw_sheet("z.png")])
    assert not joining.solving
    held.set()
    qtbot.waitUntil(lambda: opened.workspace.case is not None, timeout=10_000)
    assert opened.workspace.case.arrangement.pages == (ORDER,)


def test_turned_shreds_are_compared_anew_and_that_can_be_cancelled(qtbot, workspace, joining, held):
    workspace.edit(HalfTurn(("1-02",)), "half-turn")
    joining.solve_again()
    assert workspace.busy
    workspace.cancel()
    assert not joining.solving
    assert workspace.case.turned_since == {"1-02"}
    held.set()


def test_a_failure_is_told(qtbot, workspace, joining, monkeypatch):
    joining.say(("1-01", "1-02"), "forbidden")

    def fail(case, progress):
        raise RuntimeError("no order")

    monkeypatch.setattr(workspace.engine, "solve_again", fail)
    told = []
    workspace.failed.disconnect()
    workspace.failed.connect(told.append)
    joining.solve_again()
    qtbot.waitUntil(lambda: bool(told), timeout=10_000)
    assert not joining.solving
    assert str(told[0]) == "no order"


def test_shifts_of_pairs(workspace):
    case = workspace.case
    assert shift_between(case, ("1-01", "1-02")) == case.arrangement.shift_px["1-02"]
    assert shift_between(case, ("1-01", "3-03")) == int(case.costs.shift_px[0, 8])
    assert shift_between(case, ("1-01", "1-04")) == 0, "that one is blank"
    workspace.edit(MoveShreds(("3-03",), 0, 1), "move")
    workspace.edit(HalfTurn(("1-02",)), "half-turn")
    assert shift_between(workspace.case, ("1-02", "3-01")) == 0
