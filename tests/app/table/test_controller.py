"""The light table in the real window, by mouse and keys."""

import threading

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from app.table import page_delegate
from app.table.page_model import PICTURE_ROLE
from core.arrangement.edits import MoveShreds, WriteNote
from tests.app.fakes import STRIP_HEIGHT, STRIP_WIDTH

Key, LEFT = Qt.Key, Qt.MouseButton.LeftButton
NONE, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def engine(engine):
    """Three strips on a page: three pages."""
    engine.strips_on_page = 3
    return engine


@pytest.fixture
def table(qtbot, opened):
    """The table, shown by its key, with all its pictures."""
    qtbot.keyClick(opened.pages.view.canvas, Key.Key_G)
    until_drawn(qtbot, opened)
    return opened.table


def until_drawn(qtbot, window):
    model = window.table.model
    qtbot.waitUntil(lambda: None not in [model.index(row).data(PICTURE_ROLE) for row in range(model.rowCount())])


def at(table, page):
    view = table.view
    return view.visualRect(table.model.index(table.model.row_of(page))).center()


def text(table, page):
    return table.model.index(table.model.row_of(page)).data(Qt.ItemDataRole.ToolTipRole)


def test_a_key_shows_all_pages_and_again_the_one_that_was_shown(qtbot, opened, table):
    assert opened.centre.currentWidget() is table.widget
    assert table.view.hasFocus()
    assert opened.commands.table.isChecked()
    assert table.model.rowCount() == 3
    assert table.bar.count.text() == "3 pages"
    table.bar.show_count(1, 3, True)
    assert table.bar.count.text() == "1 of 3 rows", "of pieces"
    qtbot.keyClick(table.view, Key.Key_G)
    assert opened.centre.currentWidget() is opened.pages.view
    assert opened.pages.view.canvas.hasFocus()


def test_pictures_show_the_pages_small(table):
    picture = table.model.index(1).data(PICTURE_ROLE)
    assert picture.height() == table.view.side_px
    assert picture.width() == pytest.approx(3 * STRIP_WIDTH * table.view.side_px / STRIP_HEIGHT, abs=2)
    image = picture.toImage()
    across, down = range(2, image.width() - 2), range(2, image.height() - 2)  # within its outline
    dark = [x for x in across if any(image.pixelColor(x, y).lightness() < 200 for y in down)]
    assert dark, "the print on the strips"


def test_what_a_frame_has_no_time_for_is_painted_in_the_next_ones(qtbot, table, monkeypatch):
    monkeypatch.setattr(page_delegate, "_FRAME_S", -1.0)
    table.view.viewport().repaint()
    assert table.view.delegate.left_over == {0, 1, 2}
    monkeypatch.undo()
    qtbot.waitUntil(lambda: not table.view.delegate.left_over)


def test_a_cell_tells_how_sure_and_how_wide_a_page_is(qtbot, table):
    qtbot.waitUntil(lambda: "mm" in text(table, 0))
    assert text(table, 0) == "Page 1: 3 shreds\nLeast sure join: 1-02 | 1-03. 70 % sure\n17 mm of 210 mm wide"


def test_pages_are_opened_by_return_and_double_click_and_left_by_escape(qtbot, opened, table):
    view = table.view
    qtbot.keyClick(view, Key.Key_Right)
    qtbot.keyClick(view, Key.Key_Right)
    assert opened.session.document.page == 2
    qtbot.keyClick(view, Key.Key_Return)
    assert opened.centre.currentWidget() is opened.pages.view
    qtbot.waitUntil(lambda: tuple(opened.pages.view.canvas.places) == ("3-01", "3-02", "3-03"))
    qtbot.keyClick(opened.pages.view.canvas, Key.Key_G)
    assert view.currentIndex().row() == 2
    qtbot.mouseDClick(view.viewport(), LEFT, NONE, at(table, 1))
    assert opened.centre.currentWidget() is opened.pages.view
    qtbot.waitUntil(lambda: tuple(opened.pages.view.canvas.places) == ("2-01", "2-02", "2-03"))
    opened.commands.table.trigger()
    qtbot.keyClick(view, Key.Key_Escape)
    assert opened.centre.currentWidget() is opened.pages.view


def test_the_page_that_is_turned_to_is_marked_and_no_page_is_composed_meanwhile(qtbot, opened, table):
    asked = []
    opened.session.pictures.page = lambda number: asked.append(number)
    qtbot.keyClick(table.view, Key.Key_PageDown)
    assert opened.session.document.page == 1
    assert table.view.chosen() == [1]
    assert asked == []
    del opened.session.pictures.page
    qtbot.mouseClick(table.view.viewport(), LEFT, NONE, at(table, 2))
    assert opened.session.document.page == 2


def test_the_size_is_chosen_by_wheel_keys_and_slider(qtbot, opened, table):
    view, before = table.view, table.view.side_px
    middle = QPointF(view.viewport().rect().center())
    event = QWheelEvent(
        middle, view.viewport().mapToGlobal(middle), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, CTRL,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.viewport(), event)
    assert view.side_px > before
    qtbot.keyClick(view, Key.Key_Minus)
    assert view.side_px == before
    slider = table.bar.slider
    QTest.keyClick(slider, Key.Key_End)
    assert view.side_px == 900
    assert not view.viewport().rect().contains(view.visualRect(table.model.index(2)))
    qtbot.keyClick(view, Key.Key_0)
    assert 40 < view.side_px < 900
    assert all(view.viewport().rect().contains(view.visualRect(table.model.index(row))) for row in range(3))
    until_drawn(qtbot, opened)
    qtbot.waitUntil(lambda: table.model.index(0).data(PICTURE_ROLE).height() == view.side_px)


def test_an_edit_is_shown_at_once_and_a_page_that_is_gone_vanishes(qtbot, opened, table):
    key = table.model.index(0).data(PICTURE_ROLE).cacheKey()
    opened.session.editor.edit(MoveShreds(("1-01", "1-02", "1-03"), 1), "move of 3 shreds")
    assert table.model.rowCount() == 2
    assert text(table, 0).startswith("Page 1: 6 shreds")
    assert "Changed by hand" in text(table, 0)
    assert "Changed by hand" not in text(table, 1)
    until_drawn(qtbot, opened)
    opened.commands.undo.trigger()
    assert table.model.index(0).data(PICTURE_ROLE).cacheKey() == key, "it was kept"


def test_notes_are_told(opened, table):
    opened.session.editor.edit(WriteNote("2-02", "coffee"), "note")
    assert text(table, 1).endswith("\n\nShred 2-02: coffee")


def test_nothing_is_left_of_a_case_that_was_closed(qtbot, opened, table, draw_sheet):
    opened.opener.open([draw_sheet("other.png")])
    qtbot.waitUntil(lambda: opened.session.document.n_pages == 1)
    assert opened.centre.currentWidget() is table.widget
    until_drawn(qtbot, opened)
    assert table.model.rowCount() == 1


def test_views_have_accessible_names(table):
    assert table.view.accessibleName()
    assert table.bar.slider.accessibleName()
    assert table.model.index(0).data(Qt.ItemDataRole.AccessibleTextRole).startswith("Page 1: 3 shreds")


def test_a_page_that_cannot_be_drawn_is_told_of_once(qtbot, opened, engine):
    def fail(*_):
        raise MemoryError

    engine.thumbnail = fail
    failures = []
    opened.session.jobs.failed.connect(failures.append)
    opened.commands.table.trigger()
    qtbot.waitUntil(lambda: len(failures) == 1)
    opened.table.view.viewport().update()
    qtbot.waitUntil(lambda: not len(opened.session.jobs))
    opened.table.view.grab()
    assert len(failures) == 1
    for dialog in opened.findChildren(QDialog):
        dialog.reject()


def test_pages_are_drawn_smaller_without_being_composed_again(qtbot, opened, table, engine):
    table.view.set_side(60)
    qtbot.waitUntil(lambda: table.model.index(2).data(PICTURE_ROLE).height() == 60)
    engine.thumbnail = None
    table.view.set_side(45)
    qtbot.waitUntil(lambda: table.model.index(2).data(PICTURE_ROLE).height() == 45)


def test_pages_that_are_waiting_when_another_case_is_opened_are_not_drawn(qtbot, opened, engine, draw_sheet):
    may_go, compose = threading.Event(), engine.thumbnail

    def wait(*arguments):
        may_go.wait(60)
        return compose(*arguments)

    engine.thumbnail = wait
    opened.commands.table.trigger()
    opened.table.thumbnails.want([2, 1, 0] * 8, 50)
    qtbot.waitUntil(lambda: len(opened.session.jobs) >= 2)
    opened.opener.open([draw_sheet("other.png")])
    qtbot.waitUntil(lambda: opened.session.document.n_pages == 1)
    may_go.set()
    until_drawn(qtbot, opened)
    assert opened.table.model.rowCount() == 1
