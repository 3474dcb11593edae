import pytest
from PySide6.QtCore import QPoint, Qt


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
