from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QMessageBox

from app.widgets import messages
from core.arrangement.edits import HalfTurn, MoveShreds, SetJoin, ShiftShreds
from core.case.file import load
from core.matching.costs import Costs

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def pages(window):
    return window.workspace.case.arrangement.pages


def until_composed(qtbot, window):
    qtbot.waitUntil(
        lambda: tuple(window.page_view.canvas.places) == pages(window)[window.workspace.page], timeout=10_000
    )


def test_an_edit_is_a_step_with_a_name(qtbot, opened):
    workspace, commands = opened.workspace, opened.commands
    before = workspace.case.arrangement
    assert not commands.undo.isEnabled()
    assert workspace.edit(MoveShreds(("1-01", "1-02"), 0, 6), "move of 2 shreds")
    assert pages(opened)[0] == ("1-03", "2-01", "2-02", "2-03", "1-01", "1-02")
    assert commands.undo.text() == "&Undo move of 2 shreds"
    assert opened.isWindowModified()
    until_composed(qtbot, opened)
    qtbot.keyClick(opened.page_view.canvas, Qt.Key.Key_Z, CTRL)
    assert workspace.case.arrangement == before
    assert commands.redo.text() == "&Redo move of 2 shreds"
    assert not opened.isWindowModified()
    until_composed(qtbot, opened)
    for key, modifiers in ((Qt.Key.Key_Y, CTRL), (Qt.Key.Key_Z, CTRL | SHIFT)):
        qtbot.keyClick(opened.set_aside, key, modifiers)
        assert pages(opened)[0][-1] == "1-02"
        workspace.undo()


def test_hundreds_of_steps_are_taken_back(opened):
    workspace = opened.workspace
    before = workspace.case
    for number in range(300):
        assert workspace.edit(MoveShreds(("1-01",), 0, 6 if number % 2 == 0 else 0), "move")
    for _ in range(300):
        workspace.undo()
    assert workspace.case.arrangement == before.arrangement
    assert workspace.case.joins == before.joins
    assert not workspace.undo_stack.canUndo()


def test_undo_shows_the_page_it_changes(qtbot, opened):
    workspace = opened.workspace
    workspace.edit(HalfTurn(("3-02",)), "half-turn")
    workspace.edit(HalfTurn(("1-02",)), "half-turn")
    assert workspace.page == 0
    for page in (0, 1):
        workspace.undo()
        assert workspace.page == page
    workspace.redo()
    assert workspace.page == 1
    workspace.redo()
    assert workspace.page == 0


def test_nudges_are_one_step_and_none_if_they_lead_back(opened):
    workspace = opened.workspace
    before = workspace.case.arrangement
    for _ in range(5):
        workspace.edit(ShiftShreds(("1-02",), 1), "nudge of 1-02")
    assert workspace.undo_stack.count() == 1
    assert workspace.case.arrangement.offsets_px(0)["1-02"] == 5
    workspace.undo()
    assert workspace.case.arrangement == before
    workspace.redo()
    assert workspace.case.arrangement.offsets_px(0)["1-02"] == 5
    workspace.edit(ShiftShreds(("1-02",), -5), "nudge of 1-02")
    assert workspace.case.arrangement == before
    assert workspace.undo_stack.count() == 0


def test_an_edit_that_is_not_possible_is_told_and_no_step(opened):
    workspace = opened.workspace
    workspace.edit(SetJoin("1-01", "1-02", "confirmed"), "confirmation")
    assert not workspace.edit(MoveShreds(("2-01",), 0, 1), "move")
    assert "1-01 and 1-02 are confirmed neighbours" in opened.notice.text
    assert workspace.undo_stack.count() == 1
    assert not workspace.edit(MoveShreds(("2-01",), 0, 3), "move"), "it stands there"


def test_joins_are_described_anew_once_the_costs_are_known(qtbot, opened):
    workspace = opened.workspace
    n = len(workspace.case.matched_ids)
    cost = np.arange(n * n, dtype=np.float32).reshape(n, n) + 1
    shift_px = np.arange(n * n, dtype=np.int16).reshape(n, n)
    case = replace(workspace.case, costs=Costs(cost, shift_px, cost[0], cost[0]))
    workspace.adopt(case, "solving")
    with qtbot.waitSignal(workspace.arrangement_changed):
        workspace.edit(MoveShreds(("1-01",), 0, 6), "move")
    qtbot.waitUntil(lambda: workspace.case.joins[-3].cost == cost[5, 0], timeout=5000)
    workspace.edit(MoveShreds(("1-02",), 0, 6), "move")
    join = workspace.case.joins[4]
    assert (join.left, join.right, join.cost, join.shift_px) == ("1-01", "1-02", cost[0, 1], shift_px[0, 1])
    workspace.edit(HalfTurn(("1-02",)), "half-turn")
    assert workspace.case.joins[4].cost == np.inf
    workspace.select_shred("1-02")
    assert "Left: 1-01, not compared" in opened.source_view._detail.text()


def test_a_new_result_is_a_step_too(opened):
    workspace = opened.workspace
    before = workspace.case
    arrangement = replace(before.arrangement, pages=(before.arrangement.pages[0][::-1], before.arrangement.pages[1]))
    workspace.adopt(replace(before, arrangement=arrangement, optimal=False, gap=0.5), "solving")
    assert "within 50.00%" in opened.habits.status.summary.text()
    workspace.undo()
    assert workspace.case.arrangement == before.arrangement
    assert workspace.case.optimal
    assert "proved the cheapest" in opened.habits.status.summary.text()
    workspace.redo()
    assert pages(opened)[0][0] == "2-03"


def test_the_source_tells_the_new_neighbours(opened):
    opened.workspace.select_shred("1-02")
    assert "Left: 1-01, > 99 % sure" in opened.source_view._detail.text()
    opened.workspace.edit(MoveShreds(("1-01",), 0, 6), "move")
    assert "Left" not in opened.source_view._detail.text()


def test_an_order_changed_by_hand_is_not_called_proved(opened):
    opened.workspace.edit(MoveShreds(("1-01",), 1, 0), "move")
    assert "order changed by hand" in opened.habits.status.summary.text()
    assert "proved" not in opened.habits.status.summary.text()
    opened.workspace.undo()
    assert "proved" in opened.habits.status.summary.text()


def test_all_shreds_of_a_page_move_and_the_page_is_gone(qtbot, opened):
    workspace = opened.workspace
    workspace.show_page(1)
    workspace.edit(MoveShreds(("3-01", "3-02", "3-03"), 0, 0), "move of 3 shreds")
    assert (workspace.page, workspace.n_pages) == (0, 1)
    until_composed(qtbot, opened)


def test_the_edited_page_stays_in_sight_until_it_is_composed(qtbot, opened):
    canvas = opened.page_view.canvas
    opened.workspace.edit(MoveShreds(("1-01",), 0, 6), "move")
    assert next(iter(canvas.places)) == "1-01"
    assert canvas.image_item.opacity() == 1
    until_composed(qtbot, opened)


# Saving


def test_the_case_is_saved_with_what_was_set_by_hand(qtbot, opened, tmp_path, monkeypatch):
    path = tmp_path / "matter.rejoin"
    monkeypatch.setattr(messages, "choose_case", lambda parent, proposed: path)
    opened.workspace.edit(HalfTurn(("1-02",)), "half-turn")
    with qtbot.waitSignal(opened.workspace.saved):
        qtbot.keyClick(opened, Qt.Key.Key_S, CTRL)
    assert load(path).arrangement == opened.workspace.case.arrangement
    assert not opened.isWindowModified()
    assert opened.windowTitle() == "matter.rejoin[*] – Rejoin"
    opened.workspace.undo()
    assert opened.isWindowModified()
    with qtbot.waitSignal(opened.workspace.saved):  # to the same file, unasked
        qtbot.keyClick(opened, Qt.Key.Key_S, CTRL)
    assert load(path).arrangement.half_turned == frozenset()


@pytest.mark.parametrize("leave", ["close", "open", "again"])
def test_unsaved_changes_are_asked_for(qtbot, opened, engine, draw_sheet, tmp_path, monkeypatch, leave):
    path, other = tmp_path / "matter.rejoin", draw_sheet("other.png")
    answers = [QMessageBox.StandardButton.Cancel, QMessageBox.StandardButton.Save]
    monkeypatch.setattr(messages, "ask_to_save", lambda parent: answers.pop(0))
    monkeypatch.setattr(messages, "choose_case", lambda parent, proposed: path)
    do = {"close": opened.close, "open": lambda: opened.open([other]), "again": opened.commands.again.trigger}[leave]
    opened.workspace.edit(HalfTurn(("1-02",)), "half-turn")
    runs = len(engine.runs)
    do()
    assert opened.isVisible()
    assert len(engine.runs) == runs
    do()
    if leave == "close":
        qtbot.waitUntil(lambda: not opened.isVisible(), timeout=5000)
    else:
        qtbot.waitUntil(lambda: len(engine.runs) == runs + 1, timeout=5000)
        qtbot.waitUntil(lambda: not opened.workspace.busy, timeout=10_000)
    assert load(path).arrangement.half_turned == {"1-02"}


def test_a_save_that_fails_leaves_nothing(qtbot, opened, engine, tmp_path, monkeypatch):
    paths = [tmp_path / "nowhere" / "matter.rejoin", tmp_path / "matter.rejoin"]
    monkeypatch.setattr(messages, "ask_to_save", lambda parent: QMessageBox.StandardButton.Save)
    monkeypatch.setattr(messages, "choose_case", lambda parent, proposed: paths.pop(0))
    opened.workspace.edit(HalfTurn(("1-02",)), "half-turn")
    with qtbot.waitSignal(opened.workspace.failed):
        opened.close()
    assert opened.isVisible()
    next(dialog for dialog in opened.findChildren(QDialog) if dialog.isVisible()).close()
    with qtbot.waitSignal(opened.workspace.saved):
        opened.commands.save.trigger()
    assert opened.isVisible(), "to close was given up when the first save failed"


def test_changes_can_be_thrown_away(opened, monkeypatch):
    monkeypatch.setattr(messages, "ask_to_save", lambda parent: QMessageBox.StandardButton.Discard)
    opened.workspace.edit(HalfTurn(("1-02",)), "half-turn")
    opened.close()
    assert not opened.isVisible()


# Choosing several


def test_several_shreds_are_chosen_in_reading_order(opened):
    workspace = opened.workspace
    workspace.select_shreds(["3-04", "2-01", "1-02"], current="2-01")
    assert workspace.selection.shreds == ("1-02", "2-01", "3-04")
    assert (workspace.selection.shred, workspace.selection.sheet) == ("2-01", 1)
    workspace.select_shred("1-01")
    assert workspace.selection.shreds == ("1-01",)
    workspace.select_shreds([])
    assert workspace.selection.shreds == ()
