import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QLabel

from app.reasons import reason_against
from app.widgets.messages import MessageDialog
from core.renewal import update
from tests.app.sheets.test_mending import MendingEngine, in_their_order

Key, Held = Qt.Key, Qt.KeyboardModifier


@pytest.fixture
def engine(monkeypatch):
    monkeypatch.setattr(update, "match", in_their_order)
    return MendingEngine()


def answer(qtbot, key):
    """Press a key on the question once it is there; return what it asked."""
    asked = []

    def press():
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, MessageDialog)
        asked.append(" ".join(each.text() for each in dialog.findChildren(QLabel)))
        qtbot.keyClick(dialog, key)

    QTimer.singleShot(0, press)
    return asked


def sheets_of_shreds(window):
    return {shred.sheet for shred in window.session.document.case.shreds}


def settled(qtbot, window):
    qtbot.waitUntil(lambda: len(window.session.jobs) == 0)


def choose_by_menu(qtbot, window, row):
    """Open the context menu of a sheet with the mouse."""
    strip = window.sheets.filmstrip
    at = strip.visualRect(strip.model().index(row)).center()
    strip.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, strip.viewport().mapToGlobal(at)))
    qtbot.waitUntil(window.sheets.menu.isVisible)
    return window.sheets.menu


def test_a_sheet_is_withdrawn_from_its_context_menu_and_comes_back_by_undo(qtbot, opened):
    before = opened.session.document.case
    menu = choose_by_menu(qtbot, opened, 1)
    asked = answer(qtbot, Key.Key_Return)
    qtbot.keyClick(menu, Key.Key_W)
    qtbot.waitUntil(lambda: sheets_of_shreds(opened) == {0, 2})
    settled(qtbot, opened)
    assert "scan2.png" in asked[0]
    assert "4 shreds" in asked[0]
    case = opened.session.document.case
    assert case.history[-1].text == "withdrawal of sheet 2, scan2.png"
    assert opened.commands.undo.text() == "&Undo withdrawal of sheet 2, scan2.png"
    index = opened.sheets.filmstrip.model().index(1)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "scan2.png, withdrawn"
    opened.commands.undo.trigger()
    settled(qtbot, opened)
    assert opened.session.document.case.arrangement == before.arrangement


def test_the_same_again_takes_it_back_in_without_a_question(qtbot, opened):
    strip, action = opened.sheets.filmstrip, opened.commands.withdraw
    strip.setFocus()
    qtbot.keyClick(strip, Key.Key_Home)
    opened.session.document.select_sheet(1)
    answer(qtbot, Key.Key_Return)
    qtbot.keyClick(strip, Key.Key_X, Held.ControlModifier | Held.ShiftModifier)
    qtbot.waitUntil(lambda: sheets_of_shreds(opened) == {0, 2})
    settled(qtbot, opened)
    assert action.isChecked()
    opened.activateWindow()
    qtbot.waitUntil(opened.isActiveWindow)
    qtbot.keyClick(opened, Key.Key_X, Held.ControlModifier | Held.ShiftModifier)
    qtbot.waitUntil(lambda: sheets_of_shreds(opened) == {0, 1, 2})
    settled(qtbot, opened)
    assert not action.isChecked()
    assert opened.session.document.case.history[-1].text == "taking back in of sheet 2, scan2.png"


def test_esc_leaves_the_sheet_in_the_case(qtbot, opened):
    before = opened.session.document.case
    opened.session.document.select_sheet(1)
    answer(qtbot, Key.Key_Escape)
    opened.commands.withdraw.trigger()
    assert opened.session.document.case is before
    assert not opened.commands.withdraw.isChecked()


def test_what_stands_against_it_is_said(qtbot, opened, draw_sheet):
    action, document = opened.commands.withdraw, opened.session.document
    document.select_sheet(-1)
    assert "Choose a sheet" in reason_against(action)
    document.select_sheet(1)
    assert reason_against(action) == ""
    opened.sheets.mending.open(1)
    assert "being mended" in reason_against(action)
    opened.sheets.mending.close()
    assert reason_against(action) == ""
    opened.session.document.discard_changes()


def test_the_last_sheet_with_shreds_cannot_be_withdrawn(qtbot, window, draw_sheet):
    window.opener.open([draw_sheet("scan1.png")])
    qtbot.waitUntil(lambda: bool(window.pages.view.canvas.places))
    window.session.document.select_sheet(0)
    assert "nothing would be left" in reason_against(window.commands.withdraw)
