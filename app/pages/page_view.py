"""A reconstructed page: click a shred to choose it; above it a ruler that says how sure each join is."""

from collections.abc import Collection, Mapping, Sequence
from math import isfinite

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QToolTip, QWidget

from app import theme, wording
from app.pages.find_bar import FindBar
from app.pages.page_canvas import PageCanvas
from app.session.pictures import Picture
from app.widgets.layouts import in_column
from core.arrangement.arrangement import Pair
from core.case.case import JoinInfo


class SeamRuler(QWidget):
    """A marker above each join, low and quiet where it is sure, tall and with a query mark where it is doubtful."""

    hovered = Signal(object)
    """The join under the pointer, or None."""
    clicked = Signal(object)

    def __init__(self, canvas: PageCanvas) -> None:
        super().__init__()
        self._canvas = canvas
        self._joins: list[JoinInfo] = []
        self._hovered: JoinInfo | None = None
        self._states: dict[Pair, wording.JoinMark] = {}
        self._new: frozenset[Pair] = frozenset()
        self._chosen: Pair | None = None
        self._pinned: frozenset[str] = frozenset()
        self.setMouseTracking(True)
        self.setFixedHeight(30)
        self.setAccessibleName(self.tr("Confidence of the joins"))
        canvas.view_changed.connect(self.update)

    def set_joins(self, joins: Sequence[JoinInfo]) -> None:
        """Show the joins of the page on the canvas."""
        self._joins = [join for join in joins if join.left in self._canvas.places and join.right in self._canvas.places]
        doubtful = sum(join.doubtful for join in self._joins)
        counted = wording.counted(len(self._joins), self.tr("join"), self.tr("joins"))
        self.setAccessibleDescription(self.tr("{joins}, {n} doubtful").format(joins=counted, n=doubtful))
        self._hovered = None
        self.update()

    def set_states(self, states: Mapping[Pair, wording.JoinMark], new: Collection[Pair], chosen: Pair | None) -> None:
        """Show what the examiner said of joins, which are new since solving again, and which one is chosen."""
        self._states, self._new, self._chosen = dict(states), frozenset(new), chosen
        self.update()

    def set_pinned(self, shreds: frozenset[str]) -> None:
        """Show which shreds are pinned to their page."""
        self._pinned = shreds
        self.update()

    def join_at(self, x_px: float) -> JoinInfo | None:
        """Find the join whose marker is nearest, within a few pixels."""
        near = min(self._joins, key=lambda join: abs(self._marker_x(join) - x_px), default=None)
        return near if near is not None and abs(self._marker_x(near) - x_px) < 8 else None

    def describe(self, join: JoinInfo) -> str:
        """Describe all that is known of a join."""
        pair = join.left, join.right
        state = wording.join_state(self._states.get(pair, "suggested"))
        lines = [f"<b>{join.left} | {join.right}</b>", state, wording.how_sure(join).replace("<", "&lt;")]
        if pair in self._new:
            lines.append(self.tr("New since the order was found again"))
        if isfinite(join.cost):
            cost = f"{join.cost:,.0f}" if join.cost >= 100 else f"{join.cost:.3g}"
            lines.append(self.tr("Cost {cost}").format(cost=cost))
        if join.shift_px:
            direction = self.tr("lower") if join.shift_px > 0 else self.tr("higher")
            lines.append(self.tr("Right shred {n} px {direction}").format(n=abs(join.shift_px), direction=direction))
        return "<br>".join(lines)

    def _marker_x(self, join: JoinInfo) -> float:
        return self._canvas.mapFromScene(QPointF(self._canvas.seam_x(join.left, join.right), 0)).x()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme.colours()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(colours.window))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(colours.border))
        font = painter.font()
        font.setPixelSize(11)
        font.setBold(True)
        painter.setFont(font)
        for join in self._joins:
            x = self._marker_x(join)
            if -10 < x < self.width() + 10:
                self._paint_marker(painter, join, x, colours)
        painter.setPen(QColor(colours.accent))
        for shred in self._pinned & self._canvas.places.keys():
            x = self._canvas.mapFromScene(self._canvas.places[shred].center()).x()
            painter.drawText(QRectF(x - 8, 12, 16, 16), Qt.AlignmentFlag.AlignCenter, wording.PINNED)

    def _paint_marker(self, painter: QPainter, join: JoinInfo, x: float, colours: theme.Colours) -> None:
        pair = join.left, join.right
        colour, height, width, sign = _look(join, self._states.get(pair, "suggested"), colours)
        if pair == self._chosen:
            painter.setPen(QPen(QColor(colours.accent), 1.5))
            painter.setBrush(QColor(colours.tint))
            painter.drawRoundedRect(QRectF(x - 8, 1, 16, self.height() - 3), 4, 4)
        painter.setPen(QColor(colour))
        painter.drawText(QRectF(x - 8, 2, 16, 13), Qt.AlignmentFlag.AlignCenter, sign)
        painter.setPen(Qt.PenStyle.NoPen)
        if pair in self._new:
            painter.setBrush(QColor(colours.accent))
            painter.drawPolygon(QPolygonF([QPointF(x + 3, 2), QPointF(x + 11, 2), QPointF(x + 7, 8)]))
        width += 2 if join is self._hovered else 0
        painter.setBrush(QColor(colour))
        painter.drawRoundedRect(QRectF(x - width / 2, self.height() - 4 - height, width, height), 1.5, 1.5)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._set_hovered(self.join_at(event.position().x()))

    def leaveEvent(self, event: QEvent) -> None:
        self._set_hovered(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        join = self.join_at(event.position().x())
        if join is not None and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(join)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            join = self.join_at(event.pos().x())
            text = "" if join is None else self.describe(join)
            QToolTip.showText(event.globalPos() + QPoint(0, 6), text, self)
            return True
        return super().event(event)

    def _set_hovered(self, join: JoinInfo | None) -> None:
        if join is not self._hovered:
            self._hovered = join
            self.setCursor(Qt.CursorShape.PointingHandCursor if join else Qt.CursorShape.ArrowCursor)
            self.hovered.emit(join)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, 30)


def _look(join: JoinInfo, state: wording.JoinMark, colours: theme.Colours) -> tuple[str, float, float, str]:
    """Return colour, height and width of a marker, and the sign above it; colour is never the only sign."""
    if state == "confirmed":
        return colours.sure, 6.0, 5.0, "✓"
    if state == "forbidden":
        return colours.doubtful, 11.0, 4.0, "✗"
    if state == "placed":
        return colours.accent, 6.0, 5.0, wording.BY_HAND
    if not join.compared:
        return colours.quiet, 6.0, 3.0, ""
    if join.confidence >= wording.SURE:
        return colours.sure, 6.0, 3.0, ""
    if not join.doubtful:
        return colours.fair, 11.0, 4.0, ""
    return colours.doubtful, 11.0, 4.0, "?"


class PageView(QWidget):
    """The canvas with its ruler above, and below it the bar in which words are looked for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = PageCanvas()
        self.ruler = SeamRuler(self.canvas)
        self.find_bar = FindBar()
        self.ruler.hovered.connect(self._hover)
        self.ruler.clicked.connect(self._show_join)
        in_column(self.ruler, (self.canvas, 1), self.find_bar, on=self, margins=(0, 0, 0, 0), spacing=0)
        self.setFocusProxy(self.canvas)

    def set_page(self, picture: Picture, joins: Sequence[JoinInfo], *, edited: bool = False) -> None:
        """Show a page with its joins; if it is the same one, composed anew, the view stays where it is."""
        self.canvas.image_item.setOpacity(1)
        self.canvas.set_page(picture, edited=edited)
        self.ruler.set_joins(joins)

    def mark_joins(self, states: Mapping[Pair, wording.JoinMark], new: Collection[Pair], chosen: Pair | None) -> None:
        """Show what the examiner answered of joins, which are new since solving again, and which one is chosen."""
        self.ruler.set_states(states, new, chosen)
        self.canvas.mark_new(new)

    def clear(self) -> None:
        """Show no page."""
        self.canvas.set_images((), 0, 0)
        self.wait()

    def wait(self) -> None:
        """Let the page shown so far fade until the next one has been composed."""
        self.canvas.image_item.setOpacity(0.25)
        self.canvas.forget_page()
        self.canvas.choose("")
        self.canvas.lift(())
        self.canvas.show_seam(None)
        self.canvas.mark_found((), ())
        self.canvas.mark_noted({}, ())
        self.ruler.set_joins(())

    def bring_in_sight(self, left: str, right: str) -> None:
        """Move a page that is enlarged so that the cut between two of its shreds is in sight."""
        canvas = self.canvas
        if not {left, right} <= canvas.places.keys():
            return
        view = canvas.mapToScene(canvas.viewport().rect()).boundingRect()
        cut = canvas.places[left].united(canvas.places[right])
        if not view.left() <= cut.left() <= cut.right() <= view.right():
            canvas.centerOn(cut.center().x(), view.center().y())

    def _hover(self, join: JoinInfo | None) -> None:
        self.canvas.show_seam(None if join is None else self.canvas.seam(join.left, join.right))

    def _show_join(self, join: JoinInfo) -> None:
        """Bring the two shreds of a join to the middle, at actual size where they fit."""
        places = self.canvas.places
        both = places[join.left].united(places[join.right])
        view = self.canvas.viewport().size()
        height = min(both.height(), both.width() * 1.6 * view.height() / max(1, view.width()))
        self.canvas.show_region(QRectF(both.left(), both.top(), both.width(), height), fill=0.7)
        self.canvas.shred_chosen.emit(join.right)
