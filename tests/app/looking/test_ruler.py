from math import hypot

from PySide6.QtCore import QPoint, Qt

from core.units import MM_PER_PX
from tests.app.looking.looked_at import SHIFT, drag

Key = Qt.Key


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
    canvas.zoom_out()
    assert canvas.transform().m11() < 1
    qtbot.keyClick(canvas, Key.Key_M)
    qtbot.keyClick(canvas, Key.Key_Return)
    for _ in range(3):
        qtbot.keyClick(canvas, Key.Key_Right, SHIFT)
    qtbot.keyClick(canvas, Key.Key_Down)
    ruler = opened.looking.rulers[0]
    zoom = canvas.transform().m11()
    seen_px = [round(length * zoom) for length in (ruler.line.dx(), ruler.line.dy())]
    assert seen_px == [60, 1], "steps are seen on however small a page"
    qtbot.keyClick(canvas, Key.Key_Return)
    assert ruler.text.startswith(f"{MM_PER_PX * hypot(60, 1) / zoom:.1f} mm")


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
