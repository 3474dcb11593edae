"""The pointer over shreds: clicks choose, with Ctrl and Shift several; a drag moves them or stretches a rubber band."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QRubberBand, QWidget

from app.pages.dragging import ShredDrag
from app.session.document import Document

_MORE = Qt.KeyboardModifier.ControlModifier
_RANGE = Qt.KeyboardModifier.ShiftModifier


def extended(order: Sequence[str], current: str, target: str) -> tuple[str, ...]:
    """Choose everything from the current shred, which stays the fixed end, to another."""
    if current not in order or target not in order:
        return (target,)
    first, last = sorted((order.index(current), order.index(target)))
    return tuple(order[first : last + 1])


class ShredPointer(QObject):
    """Follows the left button over a widget that shows shreds.

    Parameters
    ----------
    widget : QWidget
        Where the mouse is; positions are in its coordinates.
    document : Document
        In which shreds are chosen.
    drag : ShredDrag
        Carries shreds from one widget to another.
    shred_at : callable
        Gives the shred at a position, "" for none.
    shreds_in : callable
        Gives the shreds that a rectangle touches.
    """

    def __init__(
        self,
        widget: QWidget,
        document: Document,
        drag: ShredDrag,
        shred_at: Callable[[QPoint], str],
        shreds_in: Callable[[QRect], Sequence[str]],
    ) -> None:
        super().__init__(widget)
        self._widget, self._document, self._drag = widget, document, drag
        self._shred_at, self._shreds_in = shred_at, shreds_in
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, widget)
        self._pressed_at: QPoint | None = None
        self._shred = ""
        self._before: tuple[str, ...] = ()

    def press(self, event: QMouseEvent) -> None:
        """Choose what is under the pointer, unless the press may become a drag of what is chosen already."""
        self._pressed_at = event.position().toPoint()
        self._shred = self._shred_at(self._pressed_at)
        selection = self._document.selection
        self._before = selection.shreds if event.modifiers() & _MORE else ()
        if self._shred and event.modifiers() & (_MORE | _RANGE):
            self._choose_more(event)
        elif self._shred and self._shred not in selection.shreds:
            self._document.select_shred(self._shred)

    def move(self, event: QMouseEvent) -> None:
        """Drag what is chosen, or stretch the rubber band."""
        if self._pressed_at is None:
            return
        at = event.position().toPoint()
        if self._drag.active:
            self._drag.move(event.globalPosition().toPoint())
        elif self._band.isVisible():
            self._stretch(at)
        elif (at - self._pressed_at).manhattanLength() >= QApplication.startDragDistance():
            if not self._shred:
                self._band.setGeometry(QRect(self._pressed_at, QSize()))
                self._band.show()
                self._stretch(at)
            elif self._shred in self._document.selection.shreds:
                self._drag.start(self._document.selection.shreds)
                self._drag.move(event.globalPosition().toPoint())

    def release(self, event: QMouseEvent) -> None:
        """Drop what is dragged; a click that was no drag chooses one shred, or none."""
        if self._pressed_at is None:
            return
        plain = not event.modifiers() & (_MORE | _RANGE)
        if self._drag.active:
            self._drag.drop(event.globalPosition().toPoint())
        elif self._band.isVisible():
            self._band.hide()
        elif plain and self._document.selection.shreds != ((self._shred,) if self._shred else ()):
            self._document.select_shred(self._shred)
        self._pressed_at = None

    def cancel(self) -> bool:
        """Cancel a drag or rubber band; return whether there was one."""
        busy = self._drag.active or self._band.isVisible()
        self._drag.cancel()
        self._band.hide()
        self._pressed_at = None
        return busy

    def _choose_more(self, event: QMouseEvent) -> None:
        selection, order = self._document.selection, self._document.order()
        if event.modifiers() & _RANGE:
            self._document.select_shreds(extended(order, selection.shred, self._shred), selection.shred or self._shred)
        elif self._shred in selection.shreds:
            self._document.select_shreds([shred for shred in selection.shreds if shred != self._shred])
        else:
            self._document.select_shreds([*selection.shreds, self._shred], self._shred)

    def _stretch(self, to: QPoint) -> None:
        assert self._pressed_at is not None
        area = QRect(self._pressed_at, to).normalized()
        self._band.setGeometry(area)
        self._document.select_shreds([*self._before, *self._shreds_in(area)])
