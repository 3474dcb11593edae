from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt

from tests.app.looking.looked_at import CTRL, LEFT, SHIFT, drag

Key = Qt.Key


def colours(view):
    """All colours in the middle of a view."""
    image = view.viewport().grab().toImage()
    place = view.mapFromScene(view.image_item.boundingRect()).boundingRect().adjusted(2, 2, -2, -2)
    return {
        image.pixelColor(x, y).name()
        for x in range(place.left(), place.right(), 3)
        for y in range(place.top(), place.bottom(), 3)
        if image.rect().contains(x, y)
    }


def test_two_tones_are_black_and_white_and_the_case_knows_nothing_of_it(qtbot, opened, canvas):
    case = opened.session.document.case
    before = colours(canvas)
    qtbot.keyClick(opened, Key.Key_B, CTRL | SHIFT)
    panel = opened.looking.panel
    assert panel.isVisible()
    assert opened.looking.hint.isHidden()
    qtbot.mouseClick(panel.two_tones, LEFT, pos=QPoint(8, panel.two_tones.height() // 2))
    assert panel.two_tones.isChecked()
    canvas.actual_size()
    assert colours(canvas) <= {"#000000", "#ffffff"}
    assert opened.session.document.case is case
    assert not opened.session.document.modified
    assert opened.looking.hint.isVisible()
    canvas.fit()
    qtbot.mouseClick(opened.looking.hint, LEFT)
    assert colours(canvas) == before
    assert opened.looking.hint.isHidden()


def test_the_loupe_shows_the_same_tones(qtbot, opened, canvas):
    qtbot.keyClick(opened, Key.Key_B, CTRL | SHIFT)
    opened.looking.panel.two_tones.setChecked(True)
    qtbot.keyClick(canvas, Key.Key_L)
    loupe = opened.loupes[0]
    qtbot.waitUntil(loupe.isVisible)
    image = loupe.grab().toImage()
    middle = {image.pixelColor(x, y).name() for x in range(90, 130, 4) for y in range(90, 130, 4)}
    assert middle <= {"#000000", "#ffffff"}


def test_one_tool_puts_the_other_down(qtbot, opened, canvas):
    qtbot.keyClick(canvas, Key.Key_M)
    qtbot.keyClick(canvas, Key.Key_U)
    assert [opened.commands.measure.isChecked(), opened.commands.guide.isChecked()] == [False, True]
    assert opened.looking.rulers[0].tool == "guide"


def test_the_whole_width_is_shown(qtbot, opened, canvas):
    qtbot.keyClick(canvas, Key.Key_2, CTRL)
    seen = canvas.mapToScene(canvas.viewport().rect()).boundingRect()
    page = canvas.image_item.boundingRect()
    assert seen.left() < page.left() < page.right() < seen.right()
    assert page.width() / seen.width() > 0.9
    assert abs(seen.top() - page.top()) < 0.05 * seen.height()


def test_a_page_is_levelled_by_a_guide_line_where_print_levels_none(qtbot, opened, canvas):
    document = opened.session.document
    options = document.case.options
    opened.session.updater.apply(replace(options, composition=replace(options.composition, level=False)))
    qtbot.waitUntil(lambda: not document.case.options.composition.level)
    qtbot.waitUntil(lambda: bool(canvas.places))
    qtbot.keyClick(canvas, Key.Key_U, CTRL)
    assert "Draw a guide line" in opened.notices._text.text()
    qtbot.keyClick(canvas, Key.Key_U)
    middle = canvas.viewport().rect().center()
    drag(canvas, middle - QPoint(60, 0), middle + QPoint(60, 4))
    canvas.setFocus()
    qtbot.keyClick(canvas, Key.Key_U, CTRL)
    slope_deg = document.case.arrangement.page_mark("page_slopes", 0)
    assert slope_deg == pytest.approx(1.91, abs=0.05)
    assert document.undo_stack.undoText() == "levelling of page 1"
    assert opened.looking.rulers[0].guides == []
    assert not opened.commands.guide.isChecked()
    assert document.history[-1].text.startswith("Levelled page 1 by hand: from +0.00° to +1.9")
    qtbot.waitUntil(lambda: opened.session.pictures.page(0) is not None)
    assert {pose.angle_deg for pose in opened.session.pictures.page(0).poses.values()} == {slope_deg}
    qtbot.keyClick(opened, Key.Key_Z, CTRL)
    assert document.case.arrangement.page_slopes == {}
