import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from app.main_window import MainWindow
from app.session.session import Session
from app.widgets.shortcuts import ShortcutsDialog

ALL_VIEWS = ("page_view.canvas", "source_view.view")


def part(window, path):
    for name in path.split("."):
        window = getattr(window, name)
    return window


def wheel(view, at, steps=1, modifiers=Qt.KeyboardModifier.NoModifier):
    where = QPointF(at)
    event = QWheelEvent(
        where, view.viewport().mapToGlobal(where), QPoint(), QPoint(0, 120 * steps), Qt.MouseButton.NoButton,
        modifiers, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.viewport(), event)


def middle(view):
    return view.viewport().rect().center()


# Moving and scaling pictures


@pytest.mark.parametrize("path", ALL_VIEWS)
@pytest.mark.parametrize("how", ["middle button", "space"])
def test_middle_button_and_space_move_every_picture(qtbot, opened, path, how):
    opened.session.document.select_shred("1-02")
    view = part(opened, path)
    view.set_zoom(3.0)
    before, chosen, arrangement = (
        view.mapToScene(middle(view)),
        opened.session.document.selection,
        opened.session.document.case,
    )
    button = Qt.MouseButton.MiddleButton if how == "middle button" else Qt.MouseButton.LeftButton
    if how == "space":
        view.setFocus()
        qtbot.keyPress(view, Qt.Key.Key_Space)
        assert view.viewport().cursor().shape() == Qt.CursorShape.OpenHandCursor
    qtbot.mousePress(view.viewport(), button, pos=middle(view))
    assert view.panning
    for step in (10, 25, 40):
        qtbot.mouseMove(view.viewport(), middle(view) + QPoint(step, -step))
    qtbot.mouseRelease(view.viewport(), button, pos=middle(view) + QPoint(40, -40))
    qtbot.keyRelease(view, Qt.Key.Key_Space)
    moved = view.mapToScene(middle(view)) - before
    assert (moved.x(), moved.y()) == pytest.approx((-40 / 3, 40 / 3), abs=0.5)
    assert not view.panning
    assert view.viewport().cursor().shape() == Qt.CursorShape.ArrowCursor
    assert opened.session.document.selection == chosen, "moving the picture is no click"
    assert opened.session.document.case is arrangement


@pytest.mark.parametrize("path", ALL_VIEWS)
def test_wheel_keeps_the_place_under_the_pointer(opened, path):
    opened.session.document.select_shred("1-02")
    view = part(opened, path)
    at = middle(view) + QPoint(17, 9)
    before, zoom = view.mapToScene(at), view.zoom
    wheel(view, at, 3)
    assert view.zoom > 1.5 * zoom
    away = view.mapToScene(at) - before
    assert abs(away.x()) < 1.5
    assert abs(away.y()) < 1.5


def test_home_and_end_of_a_sheet(qtbot, opened):
    opened.session.document.select_shred("1-02")
    view = opened.sheets.source.view
    view.set_zoom(4.0)
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert view.mapToScene(view.viewport().rect().bottomLeft()).y() == pytest.approx(560, abs=2)
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view.mapToScene(QPoint(0, 0)).y() == pytest.approx(0, abs=2)


# Loupe


def test_loupe_shows_what_is_under_the_pointer(qtbot, opened):
    canvas, loupe = opened.pages.view.canvas, opened.loupes[0]
    qtbot.keyClick(opened, Qt.Key.Key_L)
    assert loupe.isVisible()
    place = canvas.places["1-02"].center()
    qtbot.mouseMove(canvas.viewport(), canvas.mapFromScene(place) + QPoint(2, 2))
    qtbot.mouseMove(canvas.viewport(), canvas.mapFromScene(place))
    assert loupe.region.center().x() == pytest.approx(place.x(), abs=2)
    assert loupe.zoom >= 3
    expected = canvas.image_item.finest.pixelColor(place.toPoint())
    seen = loupe.grab().toImage().pixelColor(loupe.rect().center())
    assert abs(seen.red() - expected.red()) < 60
    qtbot.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=canvas.mapFromScene(place))
    assert opened.session.document.selection.shred == "1-02", "the mouse goes through the loupe"
    qtbot.keyClick(opened, Qt.Key.Key_L)
    assert not loupe.isVisible()


# Thumbnails


def test_thumbnails_have_the_size_that_is_asked_for(qtbot, opened, settings, engine):
    strip = opened.sheets.filmstrip
    height = strip.sizeHintForRow(0)
    opened.commands.larger_thumbnails.trigger()
    assert strip.thumbnail_px == 176
    assert strip.sizeHintForRow(0) > height
    wheel(strip, QPoint(20, 20), 1, Qt.KeyboardModifier.ControlModifier)
    assert strip.thumbnail_px == 240
    for _ in range(9):
        opened.commands.smaller_thumbnails.trigger()
    assert strip.thumbnail_px == 64
    assert strip.sizeHintForRow(0) < height
    other = MainWindow(Session(engine), settings)
    qtbot.addWidget(other)
    assert other.sheets.filmstrip.thumbnail_px == 64


def test_only_thumbnails_in_sight_are_made(qtbot, window, draw_sheet):
    window.sheets.filmstrip.set_thumbnail_px(320)
    window.opener.open([draw_sheet(f"{number:02}.png") for number in range(12)])
    qtbot.waitUntil(lambda: window.session.document.case is not None, timeout=20_000)
    qtbot.waitUntil(lambda: bool(window.pages.view.canvas.places), timeout=20_000)
    assert 0 < window.sheets.filmstrip.model().n_made < 12


# Keys


def test_list_of_keys_is_complete_and_can_be_searched(qtbot, opened):
    qtbot.keyClick(opened, Qt.Key.Key_F1)
    dialog = opened.findChild(ShortcutsDialog)
    everything = dialog.shown()
    for action in vars(opened.commands).values():
        if hasattr(action, "shortcuts") and action.shortcuts():
            assert action.text().replace("&", "").rstrip("…") in everything
    for action in (panel.action for panel in opened.docks):
        assert action.text() in everything
    qtbot.keyClicks(dialog.search, "export pdf")
    assert dialog.shown() == ["Export Pages"]
    dialog.search.clear()
    qtbot.keyClicks(dialog.search, "wheel zoom")
    assert dialog.shown() == ["Zoom at the pointer"]
    qtbot.keyClicks(dialog.search, "xyzzy")
    assert dialog.nothing.isVisible()
    dialog.close()


# Status bar


def test_status_bar_tells_the_place_under_the_pointer(qtbot, opened):
    canvas, status = opened.pages.view.canvas, opened.status
    canvas.set_zoom(1.0)
    at = canvas.mapFromScene(QPointF(100, 200))
    qtbot.mouseMove(canvas.viewport(), at + QPoint(3, 0))
    qtbot.mouseMove(canvas.viewport(), at)
    assert status.position.text() == "Page 1: 100, 200 px  ·  8.5, 16.9 mm"
    canvas.pointed.emit(None)
    assert status.position.text() == ""
    opened.session.document.select_shred("2-01")
    opened.sheets.source.view.pointed.emit(QPointF(10, 20))
    assert status.position.text().startswith("Sheet 2: 10, 20 px")


def test_status_bar_tells_what_is_running(qtbot, opened, engine, draw_sheet):
    import threading

    engine.hold = threading.Event()
    opened.opener.open([draw_sheet("b.png")])
    qtbot.waitUntil(lambda: opened.status.running.text() == "Reconstructing, 60%", timeout=10_000)
    engine.hold.set()
    qtbot.waitUntil(lambda: not opened.session.jobs.busy, timeout=10_000)
    assert opened.status.running.text() == ""
