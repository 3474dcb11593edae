"""The desk in the real window, by mouse and keys; what counts is how shreds lie, and what comes of it."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QTransform
from PySide6.QtTest import QTest

from core.arrangement.edits import SetJoin
from core.case.joins import join_table
from tests.app.pages.test_controller import (
    ALT,
    CTRL,
    LEFT,
    NONE,
    SHIFT,
    Key,
    chosen,
    click,
    on_canvas,
    pages,
    until_composed,
)
from tests.app.solvable import SolvableEngine


@pytest.fixture
def engine():
    return SolvableEngine()


@pytest.fixture
def desk(qtbot, opened):
    """The desk, shown beside the page."""
    until_composed(qtbot, opened)
    qtbot.waitUntil(lambda: not opened.session.editor.comparing)
    qtbot.keyClick(opened, Key.Key_D, CTRL | SHIFT)
    qtbot.waitUntil(lambda: not opened.desk.view.viewport().visibleRegion().isEmpty())
    return opened.desk


def lying(desk):
    return [group.shreds for group in desk.groups]


def drag(source, start, target, end, *, modifiers=NONE, drop=True):
    """Drag from a point in one viewport to a point in another."""
    end = source.mapFromGlobal(target.mapToGlobal(end))
    QTest.mousePress(source, LEFT, modifiers, start)
    for point in (start + QPoint(15, 0), end):
        QTest.mouseMove(source, point)
    if drop:
        QTest.mouseRelease(source, LEFT, modifiers, end)


def from_page(qtbot, window, shred, to):
    """Drag a shred from the page to a place on the desk."""
    click(qtbot, window, shred)
    drag(window.pages.view.canvas.viewport(), on_canvas(window, shred), window.desk.view.viewport(), to)


def on_desk(desk, shred):
    """Where the middle of a shred is seen."""
    return desk.view.mapFromScene(desk.view.group_of(shred).places[shred].center())


def side_by_side(qtbot, window, desk, left="1-01", right="2-03"):
    """Lay two shreds on the desk, and the right one beside the left one."""
    from_page(qtbot, window, left, QPoint(80, 200))
    from_page(qtbot, window, right, QPoint(280, 200))
    viewport, group = desk.view.viewport(), desk.view.group_of(left)
    width = round(group.rect.width() * desk.view.transform().m11())
    drag(viewport, on_desk(desk, right), viewport, on_desk(desk, left) + QPoint(width + 6, 40))


def test_a_shred_lies_where_it_was_put_and_the_case_is_as_it_was(qtbot, opened, desk):
    before = opened.session.document.case
    from_page(qtbot, opened, "1-03", QPoint(120, 200))
    assert lying(desk) == [("1-03",)]
    assert abs(on_desk(desk, "1-03").x() - 120) <= 2
    assert opened.session.document.case is before
    assert not opened.session.document.modified


def test_it_is_as_large_as_on_the_page(qtbot, opened, desk):
    from_page(qtbot, opened, "1-03", QPoint(120, 200))
    for _ in range(2):
        assert desk.view.zoom == pytest.approx(opened.pages.view.canvas.zoom)
        opened.pages.view.canvas.setFocus()
        qtbot.keyClick(opened, Key.Key_Plus)


def test_two_side_by_side_snap_at_their_best_shift_and_tell_how_sure_they_are(qtbot, opened, desk):
    side_by_side(qtbot, opened, desk)
    assert lying(desk) == [("1-01", "2-03")]
    group, case = desk.groups[0], opened.session.document.case
    left, right = group.places["1-01"], group.places["2-03"]
    shift_px = int(case.costs.shift_of(0, 5))
    assert shift_px != 0, "or this tells nothing"
    assert right.left() == left.right()
    assert right.top() - left.top() == shift_px
    assert group.joins == {("1-01", "2-03"): join_table(case).confidence.of(0, 5)}
    assert "1-01 | 2-03" in desk.detail.text()
    assert not opened.session.document.modified


def test_a_group_is_dragged_to_a_page_as_one_step_and_undo_lays_it_back(qtbot, opened, desk):
    side_by_side(qtbot, opened, desk)
    laid, before, canvas = desk.groups, pages(opened), opened.pages.view.canvas
    behind = on_canvas(opened, "1-03") + QPoint(3, 0)
    drag(desk.view.viewport(), on_desk(desk, "2-03"), canvas.viewport(), behind)
    page = pages(opened)[0]
    assert page[page.index("1-03") + 1 :][:2] == ("1-01", "2-03")
    lower_px = laid[0].places["2-03"].top() - laid[0].places["1-01"].top()
    assert opened.session.document.case.arrangement.shift_px["2-03"] == lower_px
    assert lying(desk) == []
    assert opened.session.document.undo_stack.count() == 1
    assert opened.session.document.undo_stack.undoText() == "move of 2 shreds"
    qtbot.keyClick(opened, Key.Key_Z, CTRL)
    assert pages(opened) == before
    assert desk.groups == laid


def test_keys_lay_move_join_and_place(qtbot, opened, desk):
    canvas = opened.pages.view.canvas
    for shred in ("1-01", "2-03"):
        click(qtbot, opened, shred)
        qtbot.keyClick(canvas, Key.Key_L, CTRL)
    assert lying(desk) == [("1-01",), ("2-03",)]
    click(qtbot, opened, "1-02")
    desk.view.setFocus()
    qtbot.keyClick(desk.view, Key.Key_Tab)
    assert opened.session.document.selection.shred == "1-01"
    qtbot.keyClick(desk.view, Key.Key_Tab)
    assert opened.session.document.selection.shred == "2-03"
    for _ in range(20):
        if len(desk.groups) == 2:
            qtbot.keyClick(desk.view, Key.Key_Left)
    assert lying(desk) == [("1-01", "2-03")]
    qtbot.keyClick(desk.view, Key.Key_Return)
    assert pages(opened)[0][:3] == ("1-02", "1-01", "2-03")
    assert lying(desk) == []


def test_a_group_is_taken_apart_and_off(qtbot, opened, desk):
    side_by_side(qtbot, opened, desk)
    before = pages(opened)
    qtbot.keyClick(desk.view, Key.Key_Backspace)
    assert lying(desk) == [("1-01",), ("2-03",)]
    assert not desk.groups[0].rect.intersects(desk.groups[1].rect)
    qtbot.keyClick(desk.view, Key.Key_Delete)
    assert len(desk.groups) == 1
    assert pages(opened) == before


def test_keys_draw_a_single_shred_out_of_its_group(qtbot, opened, desk):
    click(qtbot, opened, "1-01")
    click(qtbot, opened, "1-03", SHIFT)
    qtbot.keyClick(opened.pages.view.canvas, Key.Key_L, CTRL)
    assert lying(desk) == [("1-01", "1-02", "1-03")]
    qtbot.keyClick(desk.view, Key.Key_Period)
    assert opened.session.document.selection.shred == "1-02"
    qtbot.keyClick(desk.view, Key.Key_Backspace, SHIFT)
    assert sorted(lying(desk)) == [("1-01",), ("1-02",), ("1-03",)]
    assert chosen(opened) == ("1-02",)


def test_with_alt_a_single_shred_is_drawn_out_of_its_group(qtbot, opened, desk):
    side_by_side(qtbot, opened, desk)
    viewport = desk.view.viewport()
    drag(viewport, on_desk(desk, "2-03"), viewport, on_desk(desk, "2-03") + QPoint(120, 0), modifiers=ALT)
    assert sorted(lying(desk)) == [("1-01",), ("2-03",)]


def test_a_group_parts_for_a_shred_that_is_dropped_into_it(qtbot, opened, desk):
    side_by_side(qtbot, opened, desk)
    canvas = opened.pages.view.canvas
    click(qtbot, opened, "1-03")
    seam = desk.view.mapFromScene(desk.groups[0].places["2-03"].topLeft()) + QPoint(2, 150)
    drag(canvas.viewport(), on_canvas(opened, "1-03"), desk.view.viewport(), seam)
    assert lying(desk) == [("1-01", "1-03", "2-03")]
    assert list(desk.groups[0].joins) == [("1-01", "1-03"), ("1-03", "2-03")]


def test_of_several_from_the_page_neighbours_stay_together(qtbot, opened, desk):
    canvas = opened.pages.view.canvas
    click(qtbot, opened, "1-01")
    for shred in ("1-02", "2-03"):
        click(qtbot, opened, shred, CTRL)
    drag(canvas.viewport(), on_canvas(opened, "2-03"), desk.view.viewport(), QPoint(90, 200))
    assert lying(desk) == [("1-01", "1-02"), ("2-03",)]
    assert chosen(opened) == ("1-01", "1-02")


def test_a_group_dragged_to_the_tray_is_set_aside(qtbot, opened, desk):
    side_by_side(qtbot, opened, desk)
    tray = opened.pages.tray.viewport()
    drag(desk.view.viewport(), on_desk(desk, "1-01"), tray, tray.rect().center())
    assert opened.session.document.case.arrangement.set_aside[-2:] == ("1-01", "2-03")
    assert lying(desk) == []


def test_what_is_half_turned_lies_half_turned(qtbot, opened, desk):
    from_page(qtbot, opened, "1-03", QPoint(120, 200))
    height = opened.session.document.case.shred_by_id["1-03"].height_px
    qtbot.waitUntil(lambda: any(desk.pictures.of("1-03")) and desk.pictures.of("1-03")[0].height() == height)
    before = desk.pictures.of("1-03")[0]
    desk.view.setFocus()
    qtbot.keyClick(desk.view, Key.Key_H)
    assert opened.session.document.case.arrangement.half_turned == {"1-03"}
    qtbot.waitUntil(lambda: desk.pictures.of("1-03")[0].height() == height)
    assert desk.pictures.of("1-03")[0] == before.transformed(QTransform().rotate(180))


def test_a_drag_can_be_cancelled(qtbot, opened, desk):
    side_by_side(qtbot, opened, desk)
    before, viewport = desk.groups, desk.view.viewport()
    drag(viewport, on_desk(desk, "2-03"), viewport, on_desk(desk, "2-03") + QPoint(90, 30), drop=False)
    assert desk.view.groups != before, "it moves with the pointer"
    qtbot.keyClick(desk.view, Key.Key_Escape)
    assert desk.groups == desk.view.groups == before


def test_what_is_set_aside_comes_from_the_tray_and_goes_into_the_order(qtbot, opened, desk):
    tray, strip = opened.pages.tray, opened.pages.strip
    shred = opened.session.document.case.arrangement.set_aside[0]
    row = next(row for row in range(tray.count()) if shred in tray.item(row).toolTip())
    opened.session.document.select_shred(shred)
    drag(tray.viewport(), tray.visualItemRect(tray.item(row)).center(), desk.view.viewport(), QPoint(150, 200))
    assert lying(desk) == [(shred,)]
    assert "set aside" in desk.detail.text()
    qtbot.waitUntil(lambda: not strip.rect_of("1-02").isEmpty())
    place = strip.rect_of("1-02").center() + QPoint(strip.rect_of("1-02").width() // 2, 0)
    drag(desk.view.viewport(), on_desk(desk, shred), strip.viewport(), place)
    page = pages(opened)[0]
    assert page[page.index("1-02") + 1] == shred
    assert opened.session.document.undo_stack.undoText() == f"bringing back of shred {shred}"


def test_what_is_confirmed_lies_together_and_what_is_forbidden_does_not_snap(qtbot, opened, desk):
    editor = opened.session.editor
    editor.edit(SetJoin("1-01", "1-02", "confirmed"), "confirmed")
    editor.edit(SetJoin("1-02", "2-03", "forbidden"), "forbidden")
    until_composed(qtbot, opened)
    from_page(qtbot, opened, "1-02", QPoint(100, 200))
    assert lying(desk) == [("1-01", "1-02")]
    from_page(qtbot, opened, "2-03", QPoint(300, 200))
    viewport, group = desk.view.viewport(), desk.view.group_of("1-02")
    width = round(group.places["1-02"].width() * desk.view.transform().m11())
    drag(viewport, on_desk(desk, "2-03"), viewport, on_desk(desk, "1-02") + QPoint(width + 6, 0))
    assert sorted(lying(desk)) == [("1-01", "1-02"), ("2-03",)]
    qtbot.keyClick(desk.view, Key.Key_Backspace)
    assert ("1-01", "1-02") in lying(desk)


def test_another_case_finds_the_desk_empty(qtbot, opened, desk, draw_sheet):
    from_page(qtbot, opened, "1-03", QPoint(120, 200))
    opened.session.document.discard_changes()
    opened.opener.open([draw_sheet(f"other{number}.png") for number in (1, 2, 3)])
    qtbot.waitUntil(lambda: lying(desk) == [])


def test_shreds_are_drawn_on_a_worker(qtbot, opened, desk):
    from_page(qtbot, opened, "1-03", QPoint(120, 200))
    qtbot.waitUntil(lambda: any(desk.pictures.of("1-03")))
    shred = opened.session.document.case.shred_by_id["1-03"]
    size = shred.width_px, shred.height_px
    qtbot.waitUntil(lambda: desk.pictures.of("1-03")[0].size().toTuple() == size)


def test_once_drawn_they_lie_as_near_to_each_other_as_on_the_page(qtbot, opened, desk, monkeypatch):
    monkeypatch.setattr("core.composition.evidence.touching_px", lambda left, right, lower_px: 47)
    side_by_side(qtbot, opened, desk)
    (group,) = desk.groups
    qtbot.waitUntil(lambda: desk.groups[0].places["2-03"].left() - desk.groups[0].places["1-01"].left() == 47)
    assert desk.groups[0].places["1-01"] == group.places["1-01"]
