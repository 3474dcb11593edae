"""The order edited in the real window, by mouse and keys; what counts is the arrangement that comes of it."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication

from app.pages.shred_operations import Place
from core.arrangement.edits import MoveShreds, SetAside, SetJoin, WriteNote

LEFT = Qt.MouseButton.LeftButton
NONE, CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
Key = Qt.Key


def pages(window):
    return window.session.document.case.arrangement.pages


def chosen(window):
    return window.session.document.selection.shreds


def on_canvas(window, shred):
    canvas = window.pages.view.canvas
    return canvas.mapFromScene(canvas.places[shred].center())


def press_path(qtbot, viewport, points, modifiers=NONE, release=True):
    """Press at the first point, move through the others, release at the last."""
    qtbot.mousePress(viewport, LEFT, modifiers, points[0])
    for point in points[1:]:
        qtbot.mouseMove(viewport, point)
    if release:
        qtbot.mouseRelease(viewport, LEFT, modifiers, points[-1])


def until_composed(qtbot, window):
    qtbot.waitUntil(lambda: tuple(window.pages.view.canvas.places) == pages(window)[window.session.document.page])


def click(qtbot, window, shred, modifiers=NONE):
    qtbot.mouseClick(window.pages.view.canvas.viewport(), LEFT, modifiers, on_canvas(window, shred))


@pytest.fixture
def strip(qtbot, opened):
    qtbot.waitUntil(lambda: not opened.pages.strip.rect_of("3-03").isEmpty())
    return opened.pages.strip


# Choosing


def test_clicks_choose_one_or_many(qtbot, opened):
    click(qtbot, opened, "1-02")
    click(qtbot, opened, "2-01", SHIFT)
    assert chosen(opened) == ("1-02", "1-03", "2-01")
    assert opened.session.document.selection.shred == "1-02", "the fixed end of the range"
    click(qtbot, opened, "2-03", CTRL)
    click(qtbot, opened, "1-03", CTRL)
    assert chosen(opened) == ("1-02", "2-01", "2-03")
    assert len(opened.pages.view.canvas.marks) == 3
    click(qtbot, opened, "2-01")
    assert chosen(opened) == ("2-01",)


def test_a_rubber_band_chooses_what_it_touches(qtbot, opened):
    canvas = opened.pages.view.canvas
    first, third = canvas.places["1-01"], canvas.places["1-03"]
    corner = canvas.mapFromScene(first.topLeft()) - QPoint(9, 9)
    press_path(
        qtbot, canvas.viewport(), [corner, canvas.mapFromScene(third.center()), canvas.mapFromScene(third.center())]
    )
    assert chosen(opened) == ("1-01", "1-02", "1-03")
    qtbot.mouseClick(canvas.viewport(), LEFT, NONE, corner)
    assert chosen(opened) == ()


def test_keys_choose_and_extend(qtbot, opened):
    canvas = opened.pages.view.canvas
    for key, modifiers in ((Key.Key_Home, NONE), (Key.Key_Right, NONE), (Key.Key_Right, SHIFT), (Key.Key_Right, SHIFT)):
        qtbot.keyClick(canvas, key, modifiers)
    assert chosen(opened) == ("1-02", "1-03", "2-01")
    qtbot.keyClick(canvas, Key.Key_Left, SHIFT)
    assert chosen(opened) == ("1-02", "1-03")
    for _ in range(2):
        qtbot.keyClick(canvas, Key.Key_Left, SHIFT)
    assert chosen(opened) == ("1-01", "1-02")
    qtbot.keyClick(canvas, Key.Key_A, CTRL)
    assert chosen(opened) == pages(opened)[0]


# Dragging


def test_chosen_shreds_are_dragged_to_a_marked_place(qtbot, opened):
    canvas = opened.pages.view.canvas
    click(qtbot, opened, "1-01")
    click(qtbot, opened, "1-03", CTRL)
    start, end = on_canvas(opened, "1-03"), on_canvas(opened, "2-03") + QPoint(3, 0)
    press_path(qtbot, canvas.viewport(), [start, start + QPoint(30, 0), end], release=False)
    assert canvas.drop.isVisible()
    assert canvas.drop.line() == canvas.gap(6)
    assert opened.pages.drag.active
    qtbot.mouseRelease(canvas.viewport(), LEFT, NONE, end)
    assert pages(opened)[0] == ("1-02", "2-01", "2-02", "2-03", "1-01", "1-03")
    assert not canvas.drop.isVisible()
    assert opened.commands.undo.text() == "&Undo move of 2 shreds"
    until_composed(qtbot, opened)
    assert chosen(opened) == ("1-01", "1-03")


def test_a_drag_is_given_up_by_escape(qtbot, opened):
    canvas, before = opened.pages.view.canvas, pages(opened)
    start, end = on_canvas(opened, "1-03"), on_canvas(opened, "2-03")
    press_path(qtbot, canvas.viewport(), [start, start + QPoint(30, 0), end], release=False)
    qtbot.keyClick(canvas, Key.Key_Escape)
    assert not canvas.drop.isVisible()
    qtbot.mouseRelease(canvas.viewport(), LEFT, NONE, end)
    assert pages(opened) == before
    assert opened.session.document.undo_stack.count() == 0


def test_a_drop_never_parts_what_is_confirmed(qtbot, opened):
    canvas = opened.pages.view.canvas
    opened.session.editor.edit(SetJoin("2-01", "2-02", "confirmed"), "confirmation")
    start, seam = on_canvas(opened, "1-01"), canvas.mapFromScene(canvas.places["2-01"].center()) + QPoint(4, 0)
    press_path(qtbot, canvas.viewport(), [start, start + QPoint(30, 0), seam], release=False)
    assert canvas.drop.isVisible()
    assert canvas.drop.line() == canvas.gap(5), "not between the two"
    qtbot.mouseRelease(canvas.viewport(), LEFT, NONE, seam)
    assert pages(opened)[0] == ("1-02", "1-03", "2-01", "2-02", "1-01", "2-03")
    qtbot.waitUntil(lambda: tuple(canvas.places) == pages(opened)[0])
    start = on_canvas(opened, "2-02")
    press_path(qtbot, canvas.viewport(), [start, start - QPoint(30, 0), on_canvas(opened, "1-02") - QPoint(3, 0)])
    assert pages(opened)[0] == ("2-01", "2-02", "1-02", "1-03", "1-01", "2-03"), "they move as one"


def test_a_shred_is_dragged_along_the_strip_to_another_page(qtbot, opened, strip):
    start, end = strip.rect_of("1-02").center(), strip.rect_of("3-02").center() + QPoint(3, 0)
    press_path(qtbot, strip.viewport(), [start, start + QPoint(20, 0), end], release=False)
    assert strip.marked == Place(1, 2)
    qtbot.mouseRelease(strip.viewport(), LEFT, NONE, end)
    assert pages(opened) == (("1-01", "1-03", "2-01", "2-02", "2-03"), ("3-01", "3-02", "1-02", "3-03"))
    assert strip.marked is None
    assert opened.session.document.page == 1, "the page it moved to is shown"
    until_composed(qtbot, opened)


def test_a_shred_is_dragged_from_the_page_to_the_strip(qtbot, opened, strip):
    canvas = opened.pages.view.canvas
    end = canvas.viewport().mapFromGlobal(strip.viewport().mapToGlobal(strip.rect_of("3-01").center() - QPoint(4, 0)))
    start = on_canvas(opened, "2-03")
    press_path(qtbot, canvas.viewport(), [start, start + QPoint(20, 0), end])
    assert pages(opened)[1] == ("2-03", "3-01", "3-02", "3-03")


def test_shreds_are_dragged_to_the_tray_and_back(qtbot, opened):
    canvas, tray = opened.pages.view.canvas, opened.pages.tray
    start = on_canvas(opened, "1-02")
    end = canvas.viewport().mapFromGlobal(tray.viewport().mapToGlobal(tray.viewport().rect().center()))
    press_path(qtbot, canvas.viewport(), [start, start + QPoint(20, 0), end])
    assert opened.session.document.case.arrangement.set_aside == ("1-04", "2-04", "3-04", "1-02")
    assert opened.commands.undo.text() == "&Undo setting aside of shred 1-02"
    until_composed(qtbot, opened)
    blank = tray.visualItemRect(tray.item(0)).center()
    end = tray.viewport().mapFromGlobal(canvas.viewport().mapToGlobal(on_canvas(opened, "2-01") - QPoint(4, 0)))
    press_path(qtbot, tray.viewport(), [blank, blank + QPoint(20, 0), end])
    assert pages(opened)[0] == ("1-01", "1-03", "1-04", "2-01", "2-02", "2-03")
    assert opened.commands.undo.text() == "&Undo bringing back of shred 1-04"


# Moving by key


def test_shreds_move_by_keys(qtbot, opened):
    canvas = opened.pages.view.canvas
    click(qtbot, opened, "1-02")
    click(qtbot, opened, "1-03", SHIFT)
    qtbot.keyClick(canvas, Key.Key_Right, CTRL)
    assert pages(opened)[0][:4] == ("1-01", "2-01", "1-02", "1-03")
    for _ in range(3):
        qtbot.keyClick(canvas, Key.Key_Left, CTRL)
    assert pages(opened)[0][:4] == ("1-02", "1-03", "1-01", "2-01"), "and at the edge they stay"
    qtbot.keyClick(canvas, Key.Key_PageDown, CTRL)
    assert pages(opened) == (("1-01", "2-01", "2-02", "2-03"), ("1-02", "1-03", "3-01", "3-02", "3-03"))
    assert opened.session.document.page == 1
    qtbot.keyClick(canvas, Key.Key_Left, CTRL)
    assert pages(opened)[0][-2:] == ("1-02", "1-03")
    qtbot.keyClick(canvas, Key.Key_N, CTRL | SHIFT)
    assert pages(opened) == (("1-01", "2-01", "2-02", "2-03"), ("1-02", "1-03"), ("3-01", "3-02", "3-03"))
    for _ in range(6):
        qtbot.keyClick(canvas, Key.Key_Z, CTRL)
    assert not opened.session.document.undo_stack.canUndo()
    assert pages(opened)[0] == ("1-01", "1-02", "1-03", "2-01", "2-02", "2-03")


def test_cut_and_paste(qtbot, opened):
    canvas = opened.pages.view.canvas
    click(qtbot, opened, "1-01")
    click(qtbot, opened, "1-02", SHIFT)
    qtbot.keyClick(canvas, Key.Key_X, CTRL)
    assert opened.session.document.undo_stack.count() == 0, "what was cut stays until it is pasted"
    qtbot.keyClick(canvas, Key.Key_PageDown)
    until_composed(qtbot, opened)
    click(qtbot, opened, "3-02")
    qtbot.keyClick(canvas, Key.Key_V, CTRL)
    assert pages(opened)[1] == ("3-01", "3-02", "1-01", "1-02", "3-03")
    assert not opened.commands.paste.isEnabled()
    until_composed(qtbot, opened)
    click(qtbot, opened, "3-03")
    qtbot.keyClick(canvas, Key.Key_X, CTRL)
    click(qtbot, opened, "3-01")
    qtbot.keyClick(canvas, Key.Key_V, CTRL | SHIFT)
    assert pages(opened)[1] == ("3-03", "3-01", "3-02", "1-01", "1-02")
    qtbot.keyClick(canvas, Key.Key_X, CTRL)
    qtbot.keyClick(canvas, Key.Key_Escape)
    assert not opened.commands.paste.isEnabled()


def test_pages_begin_and_merge(qtbot, opened):
    canvas = opened.pages.view.canvas
    click(qtbot, opened, "2-01")
    qtbot.keyClick(canvas, Key.Key_Return, CTRL)
    assert pages(opened) == (("1-01", "1-02", "1-03"), ("2-01", "2-02", "2-03"), ("3-01", "3-02", "3-03"))
    assert opened.session.document.page == 1
    assert opened.pages.label.text() == "Page 2 of 3"
    qtbot.keyClick(canvas, Key.Key_M, CTRL)
    assert pages(opened)[1] == ("2-01", "2-02", "2-03", "3-01", "3-02", "3-03")
    assert opened.commands.undo.text() == "&Undo merging of pages 2 and 3"
    assert not opened.commands.merge_pages.isEnabled()


def test_shreds_are_set_aside_and_brought_back_by_keys(qtbot, opened):
    canvas, tray = opened.pages.view.canvas, opened.pages.tray
    click(qtbot, opened, "1-02")
    qtbot.keyClick(canvas, Key.Key_Delete)
    assert "1-02" not in pages(opened)[0]
    texts = [tray.item(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(tray.count())]
    assert texts[3] == "Shred 1-02, set aside"
    assert chosen(opened) == ("1-02",)
    qtbot.keyClick(canvas, Key.Key_Insert)
    assert pages(opened)[0][-1] == "1-02"
    qtbot.mouseDClick(tray.viewport(), LEFT, NONE, tray.visualItemRect(tray.item(1)).center())
    assert pages(opened)[0][-1] == "2-04"
    assert opened.session.document.case.arrangement.set_aside == ("1-04", "3-04")


def test_everything_can_be_set_aside(qtbot, opened):
    opened.session.document.select_shreds([shred for page in pages(opened) for shred in page])
    qtbot.keyClick(opened.pages.view.canvas, Key.Key_Delete)
    assert pages(opened) == ()
    assert len(opened.session.document.case.arrangement.set_aside) == 12
    assert not opened.pages.view.canvas.places
    qtbot.keyClick(opened.pages.view.canvas, Key.Key_Insert)
    assert len(pages(opened)[0]) == 9
    until_composed(qtbot, opened)


# Turning and nudging


def test_nudges_by_key_and_by_dragging(qtbot, opened):
    canvas = opened.pages.view.canvas
    before = opened.session.document.case.arrangement.offsets_px(0)
    click(qtbot, opened, "1-02")
    for key in (Key.Key_Down, Key.Key_Down, Key.Key_Down, Key.Key_Up):
        qtbot.keyClick(canvas, key, ALT)
    assert opened.session.document.case.arrangement.offsets_px(0) == before | {"1-02": before["1-02"] + 2}
    assert len(canvas.floats) == 1, "it is seen where it will lie"
    assert opened.commands.undo.text() == "&Undo nudge of shred 1-02"
    qtbot.waitUntil(lambda: not canvas.floats)
    canvas.set_zoom(2)
    start = on_canvas(opened, "2-01")
    press_path(qtbot, canvas.viewport(), [start, start + QPoint(0, 10), start + QPoint(0, 20)], ALT)
    assert opened.session.document.case.arrangement.offsets_px(0)["2-01"] == before["2-01"] + 10
    assert opened.session.document.undo_stack.count() == 2
    qtbot.keyClick(canvas, Key.Key_Z, CTRL)
    qtbot.keyClick(canvas, Key.Key_Z, CTRL)
    assert opened.session.document.case.arrangement.offsets_px(0) == before


def test_the_view_stays_where_it_is_while_shreds_are_edited(qtbot, opened):
    canvas = opened.pages.view.canvas
    canvas.set_zoom(3)
    canvas.centerOn(canvas.places["1-03"].center())
    click(qtbot, opened, "1-03")
    before = canvas.mapFromScene(canvas.places["1-02"].topLeft())
    for _ in range(90):  # the page grows by as much
        qtbot.keyClick(canvas, Key.Key_Up, ALT)
    qtbot.waitUntil(lambda: not canvas.floats and canvas.places["1-02"].top() > 60)
    assert canvas.zoom == pytest.approx(3)
    assert (canvas.mapFromScene(canvas.places["1-02"].topLeft()) - before).manhattanLength() <= 2


def test_half_turn_by_key(qtbot, opened):
    canvas = opened.pages.view.canvas
    click(qtbot, opened, "1-02")
    click(qtbot, opened, "2-02", CTRL)
    qtbot.keyClick(canvas, Key.Key_H)
    assert opened.session.document.case.arrangement.half_turned == {"1-02", "2-02"}
    assert opened.commands.undo.text() == "&Undo half-turn of 2 shreds"
    qtbot.waitUntil(lambda: not canvas.floats)


def test_fine_turns_by_key(qtbot, opened):
    canvas = opened.pages.view.canvas
    click(qtbot, opened, "1-02")
    for key in (Key.Key_Left, Key.Key_Left, Key.Key_Left, Key.Key_Right):
        qtbot.keyClick(canvas, key, ALT)
    assert opened.session.document.case.arrangement.turned_deg == {"1-02": pytest.approx(0.2)}
    assert opened.session.document.undo_stack.count() == 1
    qtbot.waitUntil(lambda: not canvas.floats)
    assert canvas.places["1-02"].width() > canvas.places["1-01"].width()


def test_the_turn_popup_shows_what_it_does_and_takes_it_back(qtbot, opened):
    canvas, popup = opened.pages.view.canvas, opened.pages.turn_popup
    click(qtbot, opened, "1-02")
    qtbot.keyClick(canvas, Key.Key_T, CTRL)
    assert popup.isVisible()
    popup.slider.setValue(40)
    assert opened.session.document.case.arrangement.turned_deg == {"1-02": 2.0}
    assert len(canvas.floats) == 1
    popup.angle.setValue(-1.5)
    assert opened.session.document.case.arrangement.turned_deg == {"1-02": -1.5}
    qtbot.keyClick(popup, Key.Key_Escape)
    assert not popup.isVisible()
    assert opened.session.document.case.arrangement.turned_deg == {}
    assert opened.session.document.undo_stack.count() == 0


def test_a_page_is_turned_by_a_quarter_and_worked_on_as_it_lies(qtbot, opened):
    canvas, document = opened.pages.view.canvas, opened.session.document
    upright, offsets = dict(canvas.places), document.case.arrangement.offsets_px(0)
    qtbot.keyClick(canvas, Key.Key_T, CTRL | SHIFT)
    assert opened.commands.undo.text() == "&Undo quarter turn of page 1"
    qtbot.waitUntil(lambda: canvas.down == QPointF(1, 0))
    first, second = (canvas.places[shred] for shred in ("1-01", "1-02"))
    assert (first.width(), first.height()) == (upright["1-01"].height(), upright["1-01"].width())
    assert first.top() > second.bottom() - 10, "the left shred has become the lowest"
    seam = canvas.seam("1-01", "1-02")
    assert (seam.x1(), seam.x2()) == (0, canvas.image_item.boundingRect().width())
    assert seam.y1() == pytest.approx(first.top(), abs=6)
    markers = [canvas.seam_x(left, right) for left, right in pairwise(canvas.places)]
    assert markers == sorted(set(markers))
    above = canvas.viewport().mapToGlobal(canvas.mapFromScene(second.center() - QPointF(0, 4)))
    assert canvas.place_at(above).position == 2
    start = on_canvas(opened, "1-02")
    canvas.set_zoom(2)
    start = on_canvas(opened, "1-02")
    press_path(qtbot, canvas.viewport(), [start, start + QPoint(10, 0), start + QPoint(20, 0)], ALT)
    assert document.case.arrangement.offsets_px(0)["1-02"] == offsets["1-02"] + 10
    qtbot.keyClick(canvas, Key.Key_Z, CTRL)
    qtbot.keyClick(canvas, Key.Key_Z, CTRL)
    assert not document.case.arrangement.page_turns
    qtbot.waitUntil(lambda: canvas.places == upright)


# Menus and the strip


def test_the_context_menu_is_about_the_shred_under_the_pointer(qtbot, opened):
    canvas, menu = opened.pages.view.canvas, opened.pages.menu
    at = on_canvas(opened, "2-02")
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, canvas.viewport().mapToGlobal(at))
    QApplication.sendEvent(canvas.viewport(), event)
    assert menu.isVisible()
    assert chosen(opened) == ("2-02",)
    assert opened.commands.set_aside in menu.actions()
    menu.close()


def test_actions_are_enabled_where_they_make_sense(opened):
    commands = opened.commands
    assert not commands.set_aside.isEnabled()
    opened.session.document.select_shred("1-02")
    assert commands.set_aside.isEnabled()
    assert not commands.bring_back.isEnabled()
    opened.session.document.select_shred("1-04")
    assert commands.bring_back.isEnabled()
    assert not commands.set_aside.isEnabled()


def test_the_strip_is_walked_through_over_all_pages(qtbot, opened, strip):
    strip.setFocus()
    qtbot.keyClick(strip, Key.Key_Home)
    assert chosen(opened) == ("1-01",)
    for _ in range(6):
        qtbot.keyClick(strip, Key.Key_Right)
    assert chosen(opened) == ("3-01",)
    assert opened.session.document.page == 1
    qtbot.keyClick(strip, Key.Key_End, SHIFT)
    assert chosen(opened) == ("3-01", "3-02", "3-03")
    qtbot.keyClick(strip, Key.Key_Left, CTRL)
    assert pages(opened) == (("1-01", "1-02", "1-03", "2-01", "2-02", "2-03", "3-01", "3-02", "3-03"),)


def test_the_strip_follows_the_page_that_is_shown(qtbot, opened, strip):
    strip.set_cell_width(60)
    strip.setMaximumWidth(200)
    qtbot.waitUntil(lambda: strip.horizontalScrollBar().maximum() > 100)
    for key, first in ((Key.Key_PageDown, 1), (Key.Key_PageUp, 0)):
        qtbot.keyClick(opened.pages.view.canvas, key)
        shown = pages(opened)[first]
        assert strip.viewport().rect().contains(strip.rect_of(shown[0]).center())


def test_the_strip_shows_the_order_at_once(qtbot, opened, strip):
    qtbot.waitUntil(lambda: len(strip._thumbnails) == 12)
    qtbot.mouseClick(strip.viewport(), LEFT, NONE, strip.rect_of("1-03").center())
    qtbot.keyClick(strip, Key.Key_Left, CTRL)
    assert strip.rect_of("1-03").x() < strip.rect_of("1-02").x()
    assert opened.session.document.undo_stack.count() == 1
    QApplication.sendEvent(strip, QEvent(QEvent.Type.PaletteChange))
    assert not strip.grab().isNull()


def test_the_strip_scrolls_while_a_drag_rests_at_its_end(qtbot, opened, strip):
    strip.set_cell_width(60)
    strip.setMaximumWidth(320)
    bar = strip.horizontalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 100)
    bar.setValue(0)
    start, end = strip.rect_of("1-01").center(), strip.viewport().rect().center()
    end.setX(strip.viewport().width() - 5)
    press_path(qtbot, strip.viewport(), [start, start + QPoint(20, 0), end], release=False)
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())
    qtbot.mouseRelease(strip.viewport(), LEFT, NONE, end)
    assert pages(opened)[1][-1] == "1-01"


def test_what_was_cut_in_the_tray_is_pasted_on_the_page(qtbot, opened):
    tray = opened.pages.tray
    qtbot.mouseClick(tray.viewport(), LEFT, NONE, tray.visualItemRect(tray.item(0)).center())
    qtbot.keyClick(tray, Key.Key_X, CTRL)
    click(qtbot, opened, "1-02")
    qtbot.keyClick(opened.pages.view.canvas, Key.Key_V, CTRL | SHIFT)
    assert pages(opened)[0][:3] == ("1-01", "1-04", "1-02")
    assert opened.commands.undo.text() == "&Undo bringing back of shred 1-04"


def test_choosing_and_editing_draw_only_what_has_changed(qtbot, opened, strip, monkeypatch):
    opened.session.document.select_shred("1-02")
    # A thumbnail that comes late would draw its cell, too.
    qtbot.waitUntil(lambda: len(strip._thumbnails) == 12 and len(opened.session.jobs) == 0)
    QApplication.processEvents()
    painted, paint = [], strip._paint_cell
    monkeypatch.setattr(
        strip, "_paint_cell", lambda painter, cell, *how: (painted.append(cell.shred), paint(painter, cell, *how))
    )
    opened.session.document.select_shred("2-02")
    QApplication.processEvents()
    assert {"1-02", "2-02"} <= set(painted)
    assert not {"3-01", "3-02", "3-03"} & set(painted)
    for edit in (SetJoin("2-01", "2-02", "confirmed"), WriteNote("2-02", "stained"), MoveShreds(("2-03",), 0, 3)):
        painted.clear()
        opened.session.editor.edit(edit, "edit")
        QApplication.processEvents()
        assert "2-02" in painted
        assert not {"1-01", "3-01", "3-02", "3-03"} & set(painted)
    painted.clear()
    opened.session.editor.edit(SetAside(("1-01",)), "setting aside")
    QApplication.processEvents()
    assert {"1-02", "3-01", "3-03"} <= set(painted), "all that moves is drawn anew"
