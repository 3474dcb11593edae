import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.app.test_main_window import until_page

LEFT, SHIFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
Key = Qt.Key


@pytest.fixture
def canvas(qtbot, opened):
    until_page(qtbot, opened)
    return opened.pages.view.canvas


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


def drag(view, start, end, modifiers=Qt.KeyboardModifier.NoModifier):
    port = view.viewport()
    QTest.mousePress(port, LEFT, modifiers, start)
    QTest.mouseMove(port, (start + end) / 2)
    QTest.mouseMove(port, end)
    QTest.mouseRelease(port, LEFT, modifiers, end)


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


def test_sliders_by_key_and_back_by_double_click(qtbot, opened, canvas):
    qtbot.keyClick(opened, Key.Key_B, CTRL | SHIFT)
    panel = opened.looking.panel
    panel.brightness.setFocus()
    qtbot.keyClick(panel.brightness, Key.Key_Left)
    assert panel.values == (-1, 0, None, "all")
    qtbot.mouseDClick(panel.brightness, LEFT)
    assert panel.as_it_is
    panel.threshold.setFocus()
    qtbot.keyClick(panel.threshold, Key.Key_Right)
    assert panel.values[2] == 161, "a threshold that is set is in force"
    panel.ink.setFocus()
    qtbot.keyClick(panel.ink, Key.Key_Down)
    assert panel.values[3] == "black"
    qtbot.mouseClick(panel.reset, LEFT)
    assert panel.as_it_is


def test_the_loupe_shows_the_same_tones(qtbot, opened, canvas):
    qtbot.keyClick(opened, Key.Key_B, CTRL | SHIFT)
    opened.looking.panel.two_tones.setChecked(True)
    qtbot.keyClick(canvas, Key.Key_L)
    loupe = opened.loupes[0]
    qtbot.waitUntil(loupe.isVisible)
    image = loupe.grab().toImage()
    middle = {image.pixelColor(x, y).name() for x in range(90, 130, 4) for y in range(90, 130, 4)}
    assert middle <= {"#000000", "#ffffff"}


def test_a_dragged_line_tells_its_length_and_esc_ends_it(qtbot, opened, canvas):
    canvas.actual_size()
    qtbot.keyClick(canvas, Key.Key_M)
    assert opened.commands.measure.isChecked()
    middle = canvas.viewport().rect().center()
    drag(canvas, middle, middle + QPoint(118, 0))
    ruler = opened.looking.rulers[0]
    expected_mm = 118 / canvas.transform().m11() * 25.4 / 300
    assert ruler.text == f"{expected_mm:.1f} mm  ·  0.0°"
    assert opened.session.document.selection.shreds == (), "measuring chooses no shred"
    qtbot.keyClick(canvas, Key.Key_Escape)
    assert not opened.commands.measure.isChecked()
    assert ruler.text == ""


def test_a_line_by_keys(qtbot, opened, canvas):
    qtbot.keyClick(canvas, Key.Key_M)
    qtbot.keyClick(canvas, Key.Key_Return)
    for _ in range(3):
        qtbot.keyClick(canvas, Key.Key_Right, SHIFT)
    qtbot.keyClick(canvas, Key.Key_Down)
    ruler = opened.looking.rulers[0]
    assert (ruler.line.dx(), ruler.line.dy()) == (60, 1)
    qtbot.keyClick(canvas, Key.Key_Return)
    assert ruler.text.startswith("5.1 mm")


def test_guide_lines_stay_until_they_are_clicked_or_the_page_is_turned(qtbot, opened, canvas):
    ruler = opened.looking.rulers[0]
    qtbot.keyClick(canvas, Key.Key_U)
    middle = canvas.viewport().rect().center()
    drag(canvas, middle, middle + QPoint(80, 4))
    drag(canvas, middle + QPoint(0, 40), middle + QPoint(80, 40))
    assert len(ruler.guides) == 2
    qtbot.keyClick(canvas, Key.Key_U)
    assert not opened.commands.guide.isChecked()
    assert len(ruler.guides) == 2
    qtbot.keyClick(canvas, Key.Key_U)
    drag(canvas, middle + QPoint(30, 40), middle + QPoint(30, 40))
    assert len(ruler.guides) == 1
    qtbot.keyClick(canvas, Key.Key_PageDown)
    assert opened.session.document.page == 1
    assert ruler.guides == []


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
