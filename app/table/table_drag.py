"""What is dragged over the light table: pages to another place in their order, shreds to a place on a page."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QListView

from app import theme
from app.session.document import Document, Place
from app.table.page_delegate import PageDelegate, picture_place
from app.table.page_model import PICTURE_ROLE, PageModel

_SCROLL_ZONE_PX = 28
"""So near to its ends the table scrolls while something is dragged over it."""


class TableDrag(QObject):
    """Finds where what is dragged would drop, and marks it.

    Parameters
    ----------
    view : QListView
        The table.
    delegate : PageDelegate
        Paints it.
    model : PageModel
        Its pages.
    document : Document
        Whose pages they are.
    """

    pages_dropped = Signal(object, int)
    """Pages, and the one before which they are to stand."""

    def __init__(self, view: QListView, delegate: PageDelegate, model: PageModel, document: Document) -> None:
        super().__init__(view)
        self._view, self._delegate, self._model, self._document = view, delegate, model, document
        self._pages: Sequence[int] = ()
        self.row: int | None = None
        """Before which row dragged pages would stand."""
        self.place: Place | None = None
        """Where dragged shreds would stand."""

    # Pages

    @property
    def active(self) -> bool:
        """Whether pages are being dragged."""
        return bool(self._pages)

    def start(self, pages: Sequence[int]) -> None:
        """Begin to drag pages."""
        self._pages = pages
        self._view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)

    def move(self, at: QPoint) -> None:
        """Follow the pointer, which is at a place in the viewport."""
        self._scroll(at)
        row = self._row_at(at)
        if row >= 0 and at.x() > self._rect(row).center().x():
            row += 1
        self.row = row if row >= 0 else self._model.rowCount()
        self._view.viewport().update()

    def drop(self) -> None:
        """Drop the pages where they would stand."""
        pages, row, shown = self._pages, self.row, self._model.pages
        self.cancel()
        if row is not None:
            self.pages_dropped.emit(pages, shown[row] if row < len(shown) else shown[-1] + 1)

    def cancel(self) -> None:
        """Leave everything as it was."""
        self._pages, self.row = (), None
        self._view.viewport().unsetCursor()
        self._view.viewport().update()

    # Shreds

    def place_at(self, at: QPoint) -> Place | None:
        """Return the place on a page under a point of the screen; near the ends of the table scroll on."""
        inside, case = self._view.viewport().mapFromGlobal(at), self._document.case
        if case is None or not self._view.isVisible() or not self._view.viewport().rect().contains(inside):
            return None
        self._scroll(inside)
        row = self._row_at(inside)
        if row < 0:
            return None
        page, picture = self._model.pages[row], self._picture(row)
        ways = (
            (inside.x() - picture.left()) / picture.width(),
            (picture.bottom() - inside.y()) / picture.height(),
            (picture.right() - inside.x()) / picture.width(),
            (inside.y() - picture.top()) / picture.height(),
        )
        n = len(case.arrangement.pages[page])
        return Place(page, round(max(0.0, min(ways[case.quarter_turns(page)], 1.0)) * n))

    def mark_drop(self, place: Place | None) -> None:
        """Show a place on a page, or take the mark away."""
        if place != self.place:
            self.place = place
            self._view.viewport().update()

    # Places

    def _row_at(self, at: QPoint) -> int:
        """Find the row of the page at a place in the viewport; -1 for none."""
        return self._view.indexAt(at).row()

    def _rect(self, row: int) -> QRect:
        return self._view.visualRect(self._model.index(row))

    def _picture(self, row: int) -> QRect:
        return picture_place(self._rect(row), self._delegate.side_px, self._model.index(row).data(PICTURE_ROLE))

    def _scroll(self, at: QPoint) -> None:
        bar, bottom = self._view.verticalScrollBar(), self._view.viewport().height() - _SCROLL_ZONE_PX
        step = -1 if at.y() < _SCROLL_ZONE_PX else int(at.y() > bottom)
        bar.setValue(bar.value() + step * bar.singleStep() // 2)

    # Painting

    def paint(self, painter: QPainter) -> None:
        """Mark where what is dragged would drop."""
        painter.setPen(QPen(QColor(theme.colours().accent), 3))
        if self.row is not None:
            last = self.row == self._model.rowCount()
            rect = self._rect(self.row - last)
            x = rect.right() + 1 if last else rect.left() - 1
            painter.drawLine(x, rect.top() + 4, x, rect.bottom() - 4)
        elif self.place is not None and self.place.page in self._model.pages:
            self._paint_place(painter, self.place)

    def _paint_place(self, painter: QPainter, place: Place) -> None:
        """Mark a place between two shreds of a page, and the page."""
        row, case = self._model.row_of(place.page), self._document.case
        assert case is not None
        painter.drawRoundedRect(self._rect(row).adjusted(2, 2, -2, -2), 6, 6)
        picture, turns = self._picture(row), case.quarter_turns(place.page)
        way = place.position / max(1, len(case.arrangement.pages[place.page]))
        way = way if turns in (0, 3) else 1 - way
        if turns % 2:
            y = picture.top() + round(way * picture.height())
            painter.drawLine(picture.left(), y, picture.right(), y)
        else:
            x = picture.left() + round(way * picture.width())
            painter.drawLine(x, picture.top(), x, picture.bottom())
