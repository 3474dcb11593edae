import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtWidgets import QApplication

from app import theme
from app.widgets.image_view import ImageView

ALL_VIEWS = ("pages.view.canvas", "sheets.source.view")


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


def test_what_is_shown_close_cuts_nothing_off_for_room_beside_the_picture(qtbot):
    view = ImageView()
    qtbot.addWidget(view)
    view.resize(400, 200)
    view.show()
    for width_px, x in ((100, 0), (100, 80), (3000, 0), (3000, 1490), (3000, 2980)):
        view.set_images([QImage(width_px, 400, QImage.Format.Format_RGB32)], width_px, 400)
        view.show_region(QRectF(x, 0, 20, 400))
        left, right = (view.mapFromScene(point, 0).x() for point in (0, width_px))
        beside = left, view.viewport().width() - right
        if width_px < 300:
            assert beside[0] == pytest.approx(beside[1], abs=2)
        else:
            assert max(beside) <= 1
            shred = [view.mapFromScene(point, 0).x() for point in (x, x + 20)]
            assert shred[0] >= -1
            assert shred[1] <= view.viewport().width() + 1


def test_home_and_end_of_a_sheet(qtbot, opened):
    opened.session.document.select_shred("1-02")
    view = opened.sheets.source.view
    view.set_zoom(4.0)
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert view.mapToScene(view.viewport().rect().bottomLeft()).y() == pytest.approx(560, abs=2)
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view.mapToScene(QPoint(0, 0)).y() == pytest.approx(0, abs=2)


def test_a_picture_that_moves_is_drawn_only_where_it_comes_into_sight(qtbot, opened):
    theme.apply(QApplication.instance(), "light")  # with the style sheet: it gives the views their borders
    view, drawn_px = opened.pages.view.canvas, []

    class Watch(QObject):
        def eventFilter(self, watched, event):
            if event.type() == QEvent.Type.Paint:
                drawn_px.append(sum(part.width() * part.height() for part in event.region()))
            return False

    view.set_zoom(3.0)
    watch = Watch()
    view.viewport().installEventFilter(watch)
    qtbot.mousePress(view.viewport(), Qt.MouseButton.MiddleButton, pos=middle(view))
    for step in range(5, 50, 5):
        qtbot.mouseMove(view.viewport(), middle(view) + QPoint(step, step))
        QApplication.processEvents()
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.MiddleButton, pos=middle(view))
    assert len(drawn_px) > 5
    assert sorted(drawn_px)[len(drawn_px) // 2] < 0.2 * view.viewport().width() * view.viewport().height()
