from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog

from app.widgets import messages
from core.arrangement.edits import HalfTurn, MoveShreds, SetJoin, ShiftShreds
from core.case.file import load
from core.matching.costs import Costs

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def pages(window):
    return window.session.document.case.arrangement.pages


def until_composed(qtbot, window):
    qtbot.waitUntil(lambda: tuple(window.pages.view.canvas.places) == pages(window)[window.session.document.page])


def test_an_edit_is_a_step_with_a_name(qtbot, opened):
    session, commands = opened.session, opened.commands
    before = session.document.case.arrangement
    assert not commands.undo.isEnabled()
    assert session.editor.edit(MoveShreds(("1-01", "1-02"), 0, 6), "move of 2 shreds")
    assert pages(opened)[0] == ("1-03", "2-01", "2-02", "2-03", "1-01", "1-02")
    assert commands.undo.text() == "&Undo move of 2 shreds"
    assert opened.isWindowModified()
    until_composed(qtbot, opened)
    qtbot.keyClick(opened.pages.view.canvas, Qt.Key.Key_Z, CTRL)
    assert session.document.case.arrangement == before
    assert commands.redo.text() == "&Redo move of 2 shreds"
    assert not opened.isWindowModified()
    until_composed(qtbot, opened)
    for key, modifiers in ((Qt.Key.Key_Y, CTRL), (Qt.Key.Key_Z, CTRL | SHIFT)):
        qtbot.keyClick(opened.pages.tray, key, modifiers)
        assert pages(opened)[0][-1] == "1-02"
        session.editor.undo()


@pytest.mark.slow
def test_hundreds_of_steps_are_taken_back(session):
    before = session.document.case
    for number in range(300):
        assert session.editor.edit(MoveShreds(("1-01",), 0, 6 if number % 2 == 0 else 0), "move")
    for _ in range(300):
        session.editor.undo()
    assert session.document.case.arrangement == before.arrangement
    assert session.document.case.joins == before.joins
    assert not session.document.undo_stack.canUndo()


def test_undo_shows_the_page_it_changes(qtbot, session):
    session.editor.edit(HalfTurn(("3-02",)), "half-turn")
    session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    assert session.document.page == 0
    for page in (0, 1):
        session.editor.undo()
        assert session.document.page == page
    session.editor.redo()
    assert session.document.page == 1
    session.editor.redo()
    assert session.document.page == 0


def test_nudges_are_one_step_and_none_if_they_lead_back(session):
    before = session.document.case.arrangement
    for _ in range(5):
        session.editor.edit(ShiftShreds(("1-02",), 1), "nudge of 1-02")
    assert session.document.undo_stack.count() == 1
    assert session.document.case.arrangement.offsets_px(0)["1-02"] == 5
    session.editor.undo()
    assert session.document.case.arrangement == before
    session.editor.redo()
    assert session.document.case.arrangement.offsets_px(0)["1-02"] == 5
    session.editor.edit(ShiftShreds(("1-02",), -5), "nudge of 1-02")
    assert session.document.case.arrangement == before
    assert session.document.undo_stack.count() == 0


def test_an_edit_that_is_not_possible_is_told_and_no_step(opened):
    session = opened.session
    session.editor.edit(SetJoin("1-01", "1-02", "confirmed"), "confirmation")
    assert not session.editor.edit(MoveShreds(("2-01",), 0, 1), "move")
    assert "1-01 and 1-02 are confirmed neighbours" in opened.notices.text
    assert session.document.undo_stack.count() == 1
    assert not session.editor.edit(MoveShreds(("2-01",), 0, 3), "move"), "it stands there"


def test_joins_are_described_anew_once_the_costs_are_known(qtbot, opened):
    session = opened.session
    n = len(session.document.case.matched_ids)
    cost = np.arange(n * n, dtype=np.float32).reshape(n, n) + 1
    shift_px = np.arange(n * n, dtype=np.int16).reshape(n, n)
    case = replace(session.document.case, costs=Costs.of_all(cost, shift_px, cost[0], cost[0]))
    session.editor.adopt(case, "solving")
    with qtbot.waitSignal(session.document.arrangement_changed):
        session.editor.edit(MoveShreds(("1-01",), 0, 6), "move")
    qtbot.waitUntil(lambda: session.document.case.joins[-3].cost == cost[5, 0])
    session.editor.edit(MoveShreds(("1-02",), 0, 6), "move")
    join = session.document.case.joins[4]
    assert (join.left, join.right, join.cost, join.shift_px) == ("1-01", "1-02", cost[0, 1], shift_px[0, 1])
    session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    assert session.document.case.joins[4].cost == np.inf
    session.document.select_shred("1-02")
    assert "Left: 1-01, not compared" in opened.sheets.source._detail.text()


def test_a_new_result_is_a_step_too(opened):
    session = opened.session
    before = session.document.case
    arrangement = replace(before.arrangement, pages=(before.arrangement.pages[0][::-1], before.arrangement.pages[1]))
    session.editor.adopt(replace(before, arrangement=arrangement, optimal=False, gap=0.5), "solving")
    assert "within 50.00 %" in opened.status.summary.text()
    session.editor.undo()
    assert session.document.case.arrangement == before.arrangement
    assert session.document.case.optimal
    assert "proved the cheapest" in opened.status.summary.text()
    session.editor.redo()
    assert pages(opened)[0][0] == "2-03"


def test_the_source_tells_the_new_neighbours(opened):
    opened.session.document.select_shred("1-02")
    assert "Left: 1-01, > 99 % sure" in opened.sheets.source._detail.text()
    opened.session.editor.edit(MoveShreds(("1-01",), 0, 6), "move")
    assert "Left" not in opened.sheets.source._detail.text()


def test_an_order_changed_by_hand_is_not_called_proved(opened):
    opened.session.editor.edit(MoveShreds(("1-01",), 1, 0), "move")
    assert "order changed by hand" in opened.status.summary.text()
    assert "proved" not in opened.status.summary.text()
    opened.session.editor.undo()
    assert "proved" in opened.status.summary.text()


def test_all_shreds_of_a_page_move_and_the_page_is_gone(qtbot, opened):
    session = opened.session
    session.document.show_page(1)
    session.editor.edit(MoveShreds(("3-01", "3-02", "3-03"), 0, 0), "move of 3 shreds")
    assert (session.document.page, session.document.n_pages) == (0, 1)
    until_composed(qtbot, opened)


def test_the_edited_page_stays_in_sight_until_it_is_composed(qtbot, opened):
    canvas = opened.pages.view.canvas
    opened.session.editor.edit(MoveShreds(("1-01",), 0, 6), "move")
    assert next(iter(canvas.places)) == "1-01"
    assert canvas.image_item.opacity() == 1
    until_composed(qtbot, opened)


# Saving


def test_the_case_is_saved_with_what_was_set_by_hand(qtbot, opened, tmp_path, monkeypatch):
    path = tmp_path / "matter.rejoin"
    monkeypatch.setattr(messages, "choose_case", lambda parent, proposed: path)
    opened.session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    with qtbot.waitSignal(opened.session.document.saved):
        qtbot.keyClick(opened, Qt.Key.Key_S, CTRL)
    assert load(path).arrangement == opened.session.document.case.arrangement
    assert not opened.isWindowModified()
    assert opened.windowTitle() == "matter.rejoin[*] – Rejoin"
    opened.session.editor.undo()
    assert opened.isWindowModified()
    with qtbot.waitSignal(opened.session.document.saved):  # to the same file, unasked
        qtbot.keyClick(opened, Qt.Key.Key_S, CTRL)
    assert load(path).arrangement.half_turned == frozenset()


@pytest.mark.parametrize("leave", ["close", "open", "again"])
def test_unsaved_changes_are_asked_for(qtbot, opened, engine, draw_sheet, tmp_path, monkeypatch, leave):
    path, other = tmp_path / "matter.rejoin", draw_sheet("other.png")
    answers = ["cancel", "save"]
    monkeypatch.setattr(messages, "ask_to_save", lambda parent: answers.pop(0))
    monkeypatch.setattr(messages, "choose_case", lambda parent, proposed: path)
    do = {"close": opened.close, "open": lambda: opened.opener.open([other]), "again": opened.commands.again.trigger}[
        leave
    ]
    opened.session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    runs = len(engine.runs)
    do()
    assert opened.isVisible()
    assert len(engine.runs) == runs
    do()
    if leave == "close":
        qtbot.waitUntil(lambda: not opened.isVisible())
    else:
        qtbot.waitUntil(lambda: len(engine.runs) == runs + 1)
        qtbot.waitUntil(lambda: not opened.session.jobs.busy)
    assert load(path).arrangement.half_turned == {"1-02"}


def test_a_save_that_fails_leaves_nothing(qtbot, opened, engine, tmp_path, monkeypatch):
    paths = [tmp_path / "nowhere" / "matter.rejoin", tmp_path / "matter.rejoin"]
    monkeypatch.setattr(messages, "ask_to_save", lambda parent: "save")
    monkeypatch.setattr(messages, "choose_case", lambda parent, proposed: paths.pop(0))
    opened.session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    with qtbot.waitSignal(opened.session.jobs.failed):
        opened.close()
    assert opened.isVisible()
    next(dialog for dialog in opened.findChildren(QDialog) if dialog.isVisible()).close()
    with qtbot.waitSignal(opened.session.document.saved):
        opened.commands.save.trigger()
    assert opened.isVisible(), "to close was given up when the first save failed"


def test_changes_can_be_thrown_away(opened, monkeypatch):
    monkeypatch.setattr(messages, "ask_to_save", lambda parent: "discard")
    opened.session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    opened.close()
    assert not opened.isVisible()


# Choosing several


def test_several_shreds_are_chosen_in_reading_order(session):
    session.document.select_shreds(["3-04", "2-01", "1-02"], current="2-01")
    assert session.document.selection.shreds == ("1-02", "2-01", "3-04")
    assert (session.document.selection.shred, session.document.selection.sheet) == ("2-01", 1)
    session.document.select_shred("1-01")
    assert session.document.selection.shreds == ("1-01",)
    session.document.select_shreds([])
    assert session.document.selection.shreds == ()
