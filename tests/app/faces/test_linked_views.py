"""A page and its back are looked at together."""

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPolygonF, QTransform

from app.faces.linked_views import over
from app.session.pictures import Picture

SIZE = 300, 400
FRONT = {"a": QRectF(0, 10, 100, 380), "b": QRectF(100, 0, 120, 400), "c": QRectF(220, 20, 80, 370)}
BEHIND = {"a": "A", "b": "B", "c": "C"}
FACES = [(shred, (other, False, 0, 1.0)) for shred, other in BEHIND.items()]


def picture(outlines):
    return Picture((), SIZE, outlines={name: QPolygonF(rect) for name, rect in outlines.items()})


@pytest.mark.parametrize("quarter_turns", range(4))
def test_what_lies_behind_a_place_is_found_however_the_back_is_turned_to_be_read(quarter_turns):
    behind = QTransform().translate(40, -7).rotate(90 * quarter_turns).scale(-1, 1)
    back = {BEHIND[shred]: behind.mapRect(rect) for shred, rect in FRONT.items()}
    found = over(picture(FRONT), picture(back), FACES)
    assert found.map(QPointF(30, 50)) == behind.map(QPointF(30, 50))


def test_nothing_is_behind_a_page_of_which_one_face_is_known():
    assert over(picture(FRONT), picture({}), FACES) is None


def test_page_and_back_keep_one_scale_and_place(qtbot, opened):
    opened.docks["back"].action.trigger()
    page, back = opened.pages.view.canvas, opened.faces.back.canvas
    qtbot.waitUntil(lambda: back.picture is not None)
    opened.faces.back._tie()
    page.look_at(2.0, *page.places["1-01"].center().toTuple())
    zoom, x, _ = back.looked_at
    assert zoom == pytest.approx(2.0)
    at = back.picture.outlines["3-01"].boundingRect()
    assert abs(x - at.center().x()) < 3
    back.look_at(1.0, *back.picture.outlines["3-03"].boundingRect().center().toTuple())
    zoom, x, _ = page.looked_at
    assert zoom == pytest.approx(1.0)
    assert abs(x - page.places["1-03"].center().x()) < 3
    page.fit()
    assert back.looked_at is None
    back.look_at(1.0, 10, 10)
    opened.session.document.show_page(1)
    qtbot.waitUntil(lambda: not back.isVisible())
    kept = back.looked_at
    page.look_at(3.0, 0, 0)
    assert back.looked_at == kept, "nothing is known of the back of this page"
