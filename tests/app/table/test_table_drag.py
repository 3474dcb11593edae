"""Pages and shreds dragged on the light table, with the real mouse."""

from PySide6.QtCore import QPoint, Qt

from app.session.document import Place
from core.arrangement.edits import SetJoin, TurnPage
from tests.app.table.test_controller import CTRL, LEFT, NONE, Key, at, engine, table
from tests.app.table.test_page_operations import click, firsts

__all__ = ["engine", "table"]


def drag(qtbot, viewport, points, release=True):
    qtbot.mousePress(viewport, LEFT, NONE, points[0])
    for point in points[1:]:
        qtbot.mouseMove(viewport, point)
    if release:
        qtbot.mouseRelease(viewport, LEFT, NONE, points[-1])


def beside(table, page, dx):
    return at(table, page) + QPoint(dx, 0)


def on_way(start):
    return [start, start + QPoint(12, 3), start + QPoint(24, 3)]


def pages(window):
    return window.session.document.case.arrangement.pages


def test_a_page_is_dragged_to_another_place(qtbot, opened, table):
    viewport = table.view.viewport()
    drag(qtbot, viewport, [*on_way(at(table, 0)), beside(table, 2, -20)], release=False)
    assert table.view.drag.active
    assert table.view.drag.row == 2
    assert viewport.cursor().shape() == Qt.CursorShape.ClosedHandCursor
    qtbot.mouseRelease(viewport, LEFT, NONE, beside(table, 2, -20))
    assert firsts(opened) == ["2-01", "1-01", "3-01"]
    assert table.view.drag.row is None
    assert list(table.view.chosen()) == [1]
    assert opened.session.document.page == 1
    drag(qtbot, viewport, [*on_way(at(table, 1)), beside(table, 2, 20)])
    assert firsts(opened) == ["2-01", "3-01", "1-01"]
    opened.commands.undo.trigger()
    opened.commands.undo.trigger()
    assert firsts(opened) == ["1-01", "2-01", "3-01"]


def test_chosen_pages_are_dragged_together_and_behind_the_last_one(qtbot, opened, table):
    click(qtbot, table, 0)
    click(qtbot, table, 1, CTRL)
    empty = table.view.viewport().rect().bottomRight() - QPoint(9, 60)
    drag(qtbot, table.view.viewport(), [*on_way(at(table, 0)), empty])
    assert firsts(opened) == ["3-01", "1-01", "2-01"]
    assert list(table.view.chosen()) == [1, 2]


def test_a_drag_is_given_up_by_escape(qtbot, opened, table):
    drag(qtbot, table.view.viewport(), [*on_way(at(table, 0)), beside(table, 2, 20)], release=False)
    qtbot.keyClick(table.view, Key.Key_Escape)
    assert not table.view.drag.active
    qtbot.mouseRelease(table.view.viewport(), LEFT, NONE, beside(table, 2, 20))
    assert firsts(opened) == ["1-01", "2-01", "3-01"]
    assert opened.centre.currentWidget() is table.widget


def test_shreds_are_dragged_from_the_order_to_a_place_on_a_page(qtbot, opened, table):
    strip, viewport = opened.pages.strip, table.view.viewport()
    start = strip.rect_of("1-02").center()
    cell = strip.viewport().mapFromGlobal(viewport.mapToGlobal(beside(table, 2, 3)))
    drag(qtbot, strip.viewport(), [start, start + QPoint(0, -20), cell], release=False)
    assert table.view.drag.place == Place(2, 2)
    qtbot.mouseRelease(strip.viewport(), LEFT, NONE, cell)
    assert pages(opened) == (("1-01", "1-03"), ("2-01", "2-02", "2-03"), ("3-01", "3-02", "1-02", "3-03"))
    assert table.view.drag.place is None
    assert opened.session.document.page == 2
    assert opened.centre.currentWidget() is table.widget
    assert opened.commands.undo.text() == "&Undo move of shred 1-02"


def test_what_was_set_aside_is_brought_back_by_dragging(qtbot, opened, table):
    tray = opened.pages.tray
    start = tray.visualItemRect(tray.item(0)).center()
    end = tray.viewport().mapFromGlobal(table.view.viewport().mapToGlobal(beside(table, 1, 60)))
    drag(qtbot, tray.viewport(), [start, start + QPoint(20, 0), end])
    assert pages(opened)[1] == ("2-01", "2-02", "2-03", "1-04")


def test_a_page_laid_on_its_side_has_its_places_one_above_the_other(qtbot, opened, table):
    opened.session.editor.edit(TurnPage(1, 1), "quarter turn")
    view = table.view
    qtbot.waitUntil(lambda: view.drag._picture(1).width() > view.drag._picture(1).height())
    picture = view.drag._picture(1)
    to_screen = view.viewport().mapToGlobal
    assert view.place_at(to_screen(QPoint(picture.center().x(), picture.bottom()))) == Place(1, 0)
    assert view.place_at(to_screen(QPoint(picture.left(), picture.top()))) == Place(1, 3)
    view.mark_drop(Place(1, 1))
    view.grab()
    view.mark_drop(None)


def test_nothing_is_dropped_beside_the_pages_or_between_what_is_confirmed(qtbot, opened, table):
    view, operations = table.view, opened.pages.operations
    to_screen = view.viewport().mapToGlobal
    assert view.place_at(to_screen(view.viewport().rect().bottomRight() - QPoint(5, 60))) is None
    assert view.place_at(to_screen(QPoint(-5, 10))) is None
    opened.session.editor.edit(SetJoin("2-01", "2-02", "confirmed"), "confirmation")
    place = view.place_at(to_screen(beside(table, 1, -8)))
    assert place == Place(1, 1)
    assert operations.open_gap(place) in (Place(1, 0), Place(1, 2))
