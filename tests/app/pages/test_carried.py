import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from core.arrangement.edits import HalfTurn
from tests.app.pages.test_controller import click, on_canvas, pages, press_path, until_composed
from tests.app.solvable import SolvableEngine

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def engine():
    return SolvableEngine()


@pytest.fixture
def canvas(qtbot, opened):
    until_composed(qtbot, opened)
    qtbot.waitUntil(lambda: not opened.session.editor.comparing)
    qtbot.waitUntil(lambda: opened.commands.reading_page.iconText() == "Evidence page")  # no longer a draft
    return opened.pages.view.canvas


def start_drag(qtbot, window, shred, to):
    """Drag a shred to a place on the canvas, and keep it there."""
    canvas = window.pages.view.canvas
    click(qtbot, window, shred)
    start = on_canvas(window, shred)
    press_path(qtbot, canvas.viewport(), [start, start + QPoint(30, 0), to], release=False)


def beside(window, shred):
    """A point just right of the middle of a shred: behind it is where a drop goes."""
    return on_canvas(window, shred) + QPoint(3, 0)


def test_the_shred_itself_moves_and_neighbours_part(qtbot, opened, canvas):
    carried, before = opened.pages.carried, canvas.image_item.boundingRect().width()
    start_drag(qtbot, opened, "1-01", beside(opened, "2-02"))
    assert carried.group.isVisible()
    width = carried.group.childrenBoundingRect().width()
    assert canvas.image_item.boundingRect().width() == pytest.approx(before + width)
    gap_x = canvas.gap(opened.pages.drag.marked.position).center().x()
    assert carried.group.sceneBoundingRect().left() == pytest.approx(gap_x, abs=1)
    qtbot.mouseRelease(canvas.viewport(), LEFT, NONE, beside(opened, "2-02"))
    assert carried.group is None
    assert canvas.image_item.boundingRect().width() == before
    assert pages(opened)[0].index("1-01") == pages(opened)[0].index("2-02") + 1


def test_how_sure_the_new_joins_are_stands_beside_the_pointer(qtbot, opened, canvas):
    start_drag(qtbot, opened, "2-02", beside(opened, "1-03"))
    lines = opened.pages.drag._label.text().split("\n")
    assert lines[0] == "Shred 2-02"
    sure = {line.split("  ")[0]: line.split("  ")[1] for line in lines[1:]}
    assert sure.keys() == {"1-03 | 2-02", "2-02 | 2-01", "2-01 | 2-03"}
    assert all(text.endswith("%") for text in sure.values())
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert opened.pages.carried.group is None
    assert not opened.session.document.modified


def test_each_place_is_foreseen_once_until_the_arrangement_is_another(qtbot, opened, canvas, monkeypatch):
    operations, asked = opened.pages.operations, []
    foresee = operations.foresee
    monkeypatch.setattr(operations, "foresee", lambda shreds, place: asked.append(place) or foresee(shreds, place))
    here, there = beside(opened, "1-03"), beside(opened, "2-03")
    start_drag(qtbot, opened, "2-02", here)
    for to in (there, here, there, here):
        qtbot.mouseMove(canvas.viewport(), to)
    assert len(asked) == len(set(asked))
    before = opened.pages.drag.foreseen
    opened.session.editor.edit(HalfTurn(("1-01",)), "half-turn")
    assert opened.pages.drag.foreseen != before
    assert opened.pages.drag.foreseen.half_turned == {"1-01"}
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)


def test_the_gap_moves_as_if_all_had_been_drawn_anew(opened, canvas):
    canvas.image_item.part((100.0, 40.0))
    on_screen(canvas)
    canvas.image_item.part((200.0, 40.0))
    moved = on_screen(canvas)
    canvas.image_item.part(None)
    canvas.image_item.part((200.0, 40.0))
    np.testing.assert_allclose(on_screen(canvas), moved, atol=2)


def on_screen(canvas):
    """Return what the screen shows of the pages once what is to be drawn anew has been; array, in grey levels.

    Of the pages alone: what stands beside them is drawn when its pictures come.
    """
    QApplication.processEvents()
    corner, size = canvas.viewport().mapTo(canvas.window(), QPoint(0, 0)), canvas.viewport().size()
    grabbed = canvas.screen().grabWindow(canvas.window().winId(), corner.x(), corner.y(), size.width(), size.height())
    image = grabbed.toImage().convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint8).astype(int)


def test_it_snaps_to_the_best_shift(qtbot, opened, canvas):
    start_drag(qtbot, opened, "1-02", beside(opened, "2-02"))
    carried, after = opened.pages.carried, opened.pages.drag.foreseen
    shreds, found = opened.session.document.case.shred_by_id, after.shift_px["1-02"]
    lower = shreds["1-02"].frame_top_px - shreds["2-02"].frame_top_px + found
    assert found != 0, "or this tells nothing"
    top = carried.group.pos().y() + carried._tops["1-02"]
    assert top == canvas.places["2-02"].top() + lower


def test_several_move_together_and_where_they_were_is_veiled(qtbot, opened, canvas):
    click(qtbot, opened, "1-01")
    click(qtbot, opened, "1-02", Qt.KeyboardModifier.ControlModifier)
    start, end = on_canvas(opened, "1-02"), beside(opened, "2-03")
    press_path(qtbot, canvas.viewport(), [start, start + QPoint(30, 0), end], release=False)
    group = opened.pages.carried.group
    assert group.childrenBoundingRect().width() >= canvas.places["1-01"].width() + canvas.places["1-02"].width() - 2
    assert len(canvas.marks) == 2
    qtbot.mouseRelease(canvas.viewport(), LEFT, NONE, end)
    page = pages(opened)[0]
    at = page.index("2-03")
    assert page[at + 1 : at + 3] == ("1-01", "1-02")


def test_a_shred_from_the_strip_floats_over_the_page_too(qtbot, opened, canvas):
    opened.session.document.select_shred("1-03")
    strip = opened.pages.strip
    qtbot.waitUntil(lambda: strip.picture("1-03") is not None)
    start = strip.rect_of("1-03").center()
    over = strip.viewport().mapFromGlobal(canvas.viewport().mapToGlobal(on_canvas(opened, "2-03")))
    press_path(qtbot, strip.viewport(), [start, start + QPoint(20, 0), over], release=False)
    assert opened.pages.carried.group.isVisible()
    outside = start + QPoint(25, 0)
    qtbot.mouseMove(strip.viewport(), outside)
    assert not opened.pages.carried.group.isVisible()
    qtbot.mouseRelease(strip.viewport(), LEFT, NONE, start)
