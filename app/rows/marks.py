"""Rows on the canvas: where dragged pieces would drop, and what was said of pieces below each other."""

from collections.abc import Mapping

from PySide6.QtCore import QLineF, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QGraphicsEllipseItem, QGraphicsItem, QGraphicsLineItem, QGraphicsSimpleTextItem

from app import theme, wording
from app.pages.page_canvas import PageCanvas
from app.rows.operations import RowOperations
from app.session.document import Document, Place
from core.arrangement.grid import rows_beside
from core.matching.confidence import JoinBelow

_SURE_PX, _FAIR_PX = 1.6, 2.8
"""Radius of the points that tell how sure a join is, in pixels of the screen."""

_EDGE = 0.2
"""So much of a row's height, at either edge, is the place of a row of its own."""


class RowMarks(QObject):
    """Knows on a canvas where the rows of the page lie.

    Parameters
    ----------
    canvas : PageCanvas
        On which the page is shown.
    document : Document
        Whose page it is.
    operations : RowOperations
        Knows what stands below what.
    """

    def __init__(self, canvas: PageCanvas, document: Document, operations: RowOperations) -> None:
        super().__init__(canvas)
        self._canvas, self._document, self._operations = canvas, document, operations
        self.items: list[QGraphicsItem] = []
        """Points that tell how sure joins are, and lines along cuts of which something was said, each with its sign."""
        canvas.other_rows = self

    @property
    def _rows(self) -> dict[int, QRectF]:
        """Where each row of the page lies that is shown; nothing where it is none of rows, or is turned."""
        case, canvas = self._operations.case, self._canvas
        if case is None or canvas.picture is None or canvas.down != QPointF(0, 1):
            return {}
        places = canvas.picture.places | canvas.picture.around
        found: dict[int, QRectF] = {}
        for row in rows_beside(case.arrangement, self._document.page):
            rects = [places[shred] for shred in case.arrangement.pages[row] if shred in places]
            for rect in rects:
                found[row] = found.get(row, rect).united(rect)
        return found

    def place_at(self, point: QPointF) -> Place | None:
        """Return the place at a point of the page in or beside another row; None within the row that is worked on."""
        case, rows = self._operations.case, self._rows
        if case is None or not rows:
            return None
        row = min(rows, key=lambda one: _distance(rows[one], point))
        rect, shreds = rows[row], case.arrangement.pages[row]
        edge = _EDGE * rect.height()
        level = (point.y() > rect.bottom() - edge) - (point.y() < rect.top() + edge)
        places = self._places
        if level:
            nearest = min(range(len(shreds)), key=lambda at: abs(places[shreds[at]].center().x() - point.x()))
            return Place(row, nearest, level)
        if row == self._document.page:
            return None
        return Place(row, sum(places[shred].center().x() < point.x() for shred in shreds))

    @property
    def _places(self) -> Mapping[str, QRectF]:
        picture = self._canvas.picture
        return {} if picture is None else picture.places | picture.around

    def line(self, place: Place) -> QLineF | None:
        """Return the line along which shreds would drop; None for a place in the row that is worked on."""
        rect, case = self._rows.get(place.page), self._operations.case
        if rect is None or case is None or (place.page == self._document.page and not place.level):
            return None
        if place.level:
            y = rect.top() if place.level < 0 else rect.bottom()
            return QLineF(rect.left(), y, rect.right(), y)
        shreds, places = case.arrangement.pages[place.page], self._places
        x = places[shreds[place.position]].left() if place.position < len(shreds) else places[shreds[-1]].right()
        return QLineF(x, rect.top(), x, rect.bottom())

    def show_all(self, on: bool) -> None:
        """Show all rows alike, while shreds are dragged that can go to each, or one more clearly than others."""
        picture = self._canvas.picture
        self._canvas.spotlight = None if on or picture is None else picture.row
        self._canvas.viewport().update()

    def refresh(self) -> None:
        """Mark what was said of pieces of the page, how sure joins of the row are, and which two are chosen."""
        while self.items:
            self._canvas.scene().removeItem(self.items.pop())
        case, places = self._operations.case, self._places
        if case is None or self._canvas.down != QPointF(0, 1):
            return
        now, colours = case.arrangement, theme.LIGHT  # paper is light in either theme
        looks = {
            "": (now.held_below, colours.accent, wording.BY_HAND),
            "confirmed": (now.confirmed_below, colours.sure, "✓"),
            "forbidden": (now.forbidden_below, colours.doubtful, "✗"),
        }
        rows, lit = rows_beside(now, self._document.page), {*now.pages[self._document.page]}
        standing = {pair for row in rows for pair in self._operations.below(row).items()}
        for pairs, colour, sign in looks.values():
            for above, below in pairs & standing:
                if above in places and below in places:
                    self._mark(_cut(places[above], places[below]), QPen(QColor(colour), 3), sign)
        said = frozenset().union(*(pairs for pairs, _, _ in looks.values()))
        for join in case.joins_below:
            if join.pair not in said and {*join.pair} <= places.keys() and not lit.isdisjoint(join.pair):
                self._mark_sure(join, _cut(places[join.above], places[join.below]))
        chosen = self._operations.chosen_below()
        if chosen is not None and {*chosen} <= places.keys():
            self._mark(
                _cut(places[chosen[0]], places[chosen[1]]), QPen(QColor(colours.accent), 2, Qt.PenStyle.DashLine)
            )

    def _mark_sure(self, join: JoinBelow, cut: QLineF) -> None:
        """Mark how sure a join is by a point, small where it is sure, and with a query mark where it is doubtful."""
        colours, sure = theme.LIGHT, join.confidence
        if sure is None:
            return
        colour = QColor(colours.doubtful if join.doubtful else colours.fair if sure < wording.SURE else colours.sure)
        radius = _SURE_PX if sure >= wording.SURE else _FAIR_PX
        point = QGraphicsEllipseItem(-radius, -radius, 2 * radius, 2 * radius)
        point.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        point.setPen(QPen(Qt.PenStyle.NoPen))
        point.setBrush(colour)
        point.setPos(cut.center())
        point.setToolTip(wording.how_sure_below(join))
        point.setZValue(3)
        if join.doubtful:
            text = QGraphicsSimpleTextItem(wording.IN_DOUBT, point)
            text.setBrush(colour)
            text.setPos(radius + 1, -text.boundingRect().height() / 2)
        self._canvas.scene().addItem(point)
        self.items.append(point)

    def _mark(self, cut: QLineF, pen: QPen, sign: str = "") -> None:
        line = QGraphicsLineItem(cut)
        pen.setCosmetic(True)
        line.setPen(pen)
        line.setZValue(3)
        text = QGraphicsSimpleTextItem(sign, line)
        text.setBrush(pen.color())
        text.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        text.setPos(cut.center())
        self._canvas.scene().addItem(line)
        self.items.append(line)


def _cut(above: QRectF, below: QRectF) -> QLineF:
    """Return where two pieces meet: along the narrower one's width, between both."""
    left, right = max(above.left(), below.left()), min(above.right(), below.right())
    y = (above.bottom() + below.top()) / 2
    return QLineF(min(left, right), y, max(left, right), y)


def _distance(rect: QRectF, point: QPointF) -> float:
    """Return how far a point is from a rectangle; height counts most, as rows lie below each other."""
    dy = max(rect.top() - point.y(), 0.0, point.y() - rect.bottom())
    dx = max(rect.left() - point.x(), 0.0, point.x() - rect.right())
    return 1000 * dy + dx
