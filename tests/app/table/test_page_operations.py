"""Pages named, grouped, marked and put in order on the light table; what counts is the case that comes of it."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QComboBox, QInputDialog, QLineEdit

from core.arrangement.edits import ShiftShreds
from tests.app.table.test_controller import CTRL, LEFT, NONE, Key, at, engine, table, text

__all__ = ["engine", "table"]

SHIFT, ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier


def arrangement(window):
    return window.session.document.case.arrangement


def firsts(window):
    return [page[0] for page in arrangement(window).pages]


def click(qtbot, table, page, modifiers=NONE):
    qtbot.mouseClick(table.view.viewport(), LEFT, modifiers, at(table, page))


def answer(qtbot, window, typed):
    (dialog,) = window.findChildren(QInputDialog)
    field = dialog.focusWidget()
    field = field.lineEdit() if isinstance(field, QComboBox) else field
    assert isinstance(field, QLineEdit), "what is typed goes there"
    field.selectAll()
    qtbot.keyClicks(field, typed) if typed else qtbot.keyClick(field, Key.Key_Delete)
    qtbot.keyClick(field, Key.Key_Return)
    qtbot.waitUntil(lambda: not window.findChildren(QInputDialog))
    window.activateWindow()  # as a window manager does
    qtbot.waitUntil(window.isActiveWindow)


def test_chosen_pages_are_marked_by_keys(qtbot, opened, table):
    click(qtbot, table, 0)
    click(qtbot, table, 2, CTRL)
    qtbot.keyClick(table.view, Key.Key_3, ALT)
    assert [arrangement(opened).page_state(page)[0] for page in range(3)] == ["done", "new", "done"]
    assert opened.commands.undo.text() == "&Undo 2 pages: done"
    click(qtbot, table, 1)
    qtbot.keyClick(table.view, Key.Key_2, ALT)
    assert arrangement(opened).page_state(1) == ("reviewed", False)
    assert "Reviewed" in text(table, 1)
    qtbot.keyClick(table.view, Key.Key_1, ALT)
    assert arrangement(opened).page_state(1) == ("new", False)
    qtbot.keyClick(table.view, Key.Key_Z, CTRL)
    assert arrangement(opened).page_state(1) == ("reviewed", False)


def test_a_page_that_was_done_says_that_it_has_been_changed(qtbot, opened, table):
    qtbot.keyClick(table.view, Key.Key_3, ALT)
    opened.session.editor.edit(ShiftShreds(("1-02",), 1), "nudge")
    assert "Done, and changed since" in text(table, 0)
    qtbot.keyClick(table.view, Key.Key_Z, CTRL)
    assert "changed since" not in text(table, 0)


def test_a_page_is_named_and_the_name_stands_wherever_the_page_is_named(qtbot, opened, table):
    click(qtbot, table, 1)
    qtbot.keyClick(table.view, Key.Key_F2)
    answer(qtbot, opened, "Invoice")
    assert arrangement(opened).page_names == {"2-01": "Invoice"}
    assert text(table, 1).startswith("Page 2, Invoice: 3 shreds")
    assert opened.pages.label.toolTip() == "Invoice"
    assert opened.session.document.history[-1].text == "Named page 2 “Invoice”; before –"
    qtbot.keyClick(table.view, Key.Key_F2)
    assert opened.findChild(QInputDialog).textValue() == "Invoice"
    answer(qtbot, opened, "")
    assert arrangement(opened).page_names == {}


def test_the_page_that_is_shown_by_itself_is_meant(qtbot, opened, table):
    click(qtbot, table, 2)
    click(qtbot, table, 1, CTRL)
    qtbot.keyClick(table.view, Key.Key_Return)
    assert opened.session.document.page == 1
    qtbot.keyClick(opened.pages.view.canvas, Key.Key_3, ALT)
    assert arrangement(opened).page_states.keys() == {"2-01"}


def test_pages_are_grouped_into_a_document_and_another_one_can_be_chosen(qtbot, opened, table):
    height = table.view.gridSize().height()
    qtbot.keyClick(table.view, Key.Key_A, CTRL)
    click(qtbot, table, 0)
    click(qtbot, table, 1, SHIFT)
    qtbot.keyClick(table.view, Key.Key_G, CTRL | SHIFT)
    answer(qtbot, opened, "Contract")
    assert arrangement(opened).page_documents == {"1-01": "Contract", "2-01": "Contract"}
    assert "Document: Contract" in text(table, 0)
    assert table.view.gridSize().height() > height, "there is a line for it"
    click(qtbot, table, 2)
    qtbot.keyClick(table.view, Key.Key_G, CTRL | SHIFT)
    box = opened.findChild(QInputDialog).findChild(QComboBox)
    assert [box.itemText(row) for row in range(box.count())] == ["", "Contract"]
    answer(qtbot, opened, "")
    for _ in range(2):
        opened.commands.undo.trigger()
    assert table.view.gridSize().height() == height


def test_pages_move_by_keys_and_stay_chosen(qtbot, opened, table):
    click(qtbot, table, 0)
    qtbot.keyClick(table.view, Key.Key_PageDown, CTRL | SHIFT)
    assert firsts(opened) == ["2-01", "1-01", "3-01"]
    assert table.view.chosen() == [1]
    qtbot.keyClick(table.view, Key.Key_PageDown, CTRL | SHIFT)
    qtbot.keyClick(table.view, Key.Key_PageDown, CTRL | SHIFT)
    assert firsts(opened) == ["2-01", "3-01", "1-01"]
    click(qtbot, table, 1)
    click(qtbot, table, 2, SHIFT)
    qtbot.keyClick(table.view, Key.Key_PageUp, CTRL | SHIFT)
    assert firsts(opened) == ["3-01", "1-01", "2-01"]
    assert list(table.view.chosen()) == [0, 1]
    assert opened.session.document.page == 0
    assert opened.session.document.history[-1].text == "Moved pages 2, 3, so that they begin with page 1"
    for _ in range(3):
        qtbot.keyClick(table.view, Key.Key_Z, CTRL)
    assert firsts(opened) == ["1-01", "2-01", "3-01"]


def test_the_context_menu_is_of_the_page_under_the_pointer(qtbot, opened, table):
    click(qtbot, table, 1)
    place = at(table, 1)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, table.view.viewport().mapToGlobal(place))
    QApplication.sendEvent(table.view.viewport(), event)
    assert table.menu.isVisible()
    opened.commands.page_done.trigger()
    assert arrangement(opened).page_states.keys() == {"2-01"}
    table.menu.close()
    corner = table.view.viewport().rect().bottomRight() - QPoint(3, 3)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, corner, table.view.viewport().mapToGlobal(corner))
    QApplication.sendEvent(table.view.viewport(), event)
    assert not table.menu.isVisible()


@pytest.mark.parametrize("name", ["name_page", "group_pages", "page_new", "page_reviewed", "page_done", "page_later"])
def test_nothing_can_be_said_of_pages_where_there_are_none(window, name):
    assert not getattr(window.commands, name).isEnabled()
