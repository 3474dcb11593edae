"""Both faces of a page looked at together: at one scale, and where the one is looked at, the other is from behind."""

from collections.abc import Iterable
from statistics import median

from PySide6.QtCore import QObject, QPointF
from PySide6.QtGui import QTransform

from app.session.pictures import Picture
from app.widgets.image_view import ImageView
from core.arrangement.arrangement import OtherFace


class LinkedViews(QObject):
    """Moves and scales each of two views as the other, once it is known what lies behind what.

    Parameters
    ----------
    page, back : ImageView
        A page, and its other face.
    """

    def __init__(self, page: ImageView, back: ImageView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._page, self._back = page, back
        self._over: QTransform | None = None
        self._following = False
        page.view_changed.connect(lambda: self._follow(page, back))
        back.view_changed.connect(lambda: self._follow(back, page))

    def part(self) -> None:
        """Let each be looked at by itself: another page is about to be shown."""
        self._over = None

    def tie(self, over: QTransform) -> None:
        """Look at the back where the page is looked at; `over` maps places of the page to those behind them."""
        self._over = over
        self._follow(self._page, self._back)

    def _follow(self, moved: ImageView, other: ImageView) -> None:
        if self._over is None or self._following or not (moved.isVisible() and other.isVisible()):
            return
        self._following = True
        looked_at = moved.looked_at
        if looked_at is None:
            other.fit()
        else:
            zoom, x, y = looked_at
            over = self._over if moved is self._page else self._over.inverted()[0]
            there = over.map(QPointF(x, y))
            other.look_at(zoom, there.x(), there.y())
        self._following = False


def over(page: Picture, back: Picture, faces: Iterable[tuple[str, OtherFace]]) -> QTransform | None:
    """Find what lies behind each place of a page, however its back is turned to be read; None where nothing tells."""
    both = [
        (page.outlines[shred].boundingRect().center(), back.outlines[other[0]].boundingRect().center())
        for shred, other in faces
        if shred in page.outlines and other[0] in back.outlines
    ]
    if not both:
        return None
    found = []
    for quarter_turns in range(4):
        turn = QTransform().rotate(90 * quarter_turns).scale(-1, 1)
        apart = [there - turn.map(here) for here, there in both]
        middle = QPointF(median(one.x() for one in apart), median(one.y() for one in apart))
        spread = max((one - middle).manhattanLength() for one in apart)
        found.append((spread, quarter_turns, turn * QTransform.fromTranslate(middle.x(), middle.y())))
    return min(found, key=lambda one: one[:2])[2]
