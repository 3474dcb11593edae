"""Two shreds side by side as they would join, to zoom and pan; over them what is known of the cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QImage, QMouseEvent, QPainter, QPolygonF, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from app import theme
from app.images import Pyramid, pyramid_from
from app.widgets.image_view import ImageView
from core.shreds.shred import BORDER_WIDTH_PX

if TYPE_CHECKING:
    from core.inspection.pair import CloseUp, Meeting, Seam

_ROWS_SHOWN = 420
"""So many rows, where the cut goes through most ink, are shown at first."""

_MARK_PX = 9
"""Width of the marks of ink at the cut, in pixels of the scan."""

_LANE_PX = 26
"""Width of the lane beside the shreds in which local distances are drawn, in pixels of the scan."""


@dataclass(frozen=True, eq=False)
class PairPicture:
    """A close-up with its picture; made on a worker."""

    seen: CloseUp
    levels: Pyramid
    runs: Sequence[tuple[int, int, Meeting]]
    outlines: Sequence[QPolygonF]

    @classmethod
    def of(cls, seen: CloseUp) -> PairPicture:
        """Prepare what Qt draws fast."""
        return cls(seen, pyramid_from(seen.pixels), seen.runs(), _sample_outlines(seen))

    def glimpse(self, n_rows: int, size: QSize) -> QImage:
        """Cut out the place where the cut goes through most ink, and scale it; may be called on a worker."""
        full = self.levels[0]
        rows = min(n_rows, full.height())
        width = min(full.width(), rows * size.width() // size.height())
        cut = int(self.seen.right_edge_px.max())
        top = max(0, min(full.height() - rows, self.seen.telling_row(rows) - rows // 2))
        part = full.copy(max(0, min(full.width() - width, cut - width // 2)), top, width, rows)
        return part.scaled(size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)


@dataclass(frozen=True, eq=False)
class Lane:
    """Local distances as bars: the row in the picture of each, and how long it is, 0 to 1; of inked samples alone."""

    rows: Sequence[float] = ()
    lengths: Sequence[float] = ()

    @classmethod
    def of(cls, seam: Seam, picture: PairPicture, left: str) -> Lane:
        """Place the samples of a seam beside the picture; the longest bar is the largest distance that is usual."""
        middle = picture.seen.placements[left][1] + BORDER_WIDTH_PX / 2
        inked = seam.inked
        usual = max(1e-6, float(seam.distance[inked].max())) if inked.any() else 1.0
        return cls((seam.top_px[inked] + middle).tolist(), (seam.distance[inked] / usual).tolist())


class SeamItem(QGraphicsItem):
    """What is drawn over a pair: ink at the cut, the two rows of samples, local distances."""

    def __init__(self) -> None:
        super().__init__()
        self.picture: PairPicture | None = None
        self.lane = Lane()
        self.shows_ink = False
        self.shows_samples = False
        self.setZValue(5)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)

    def set_picture(self, picture: PairPicture | None) -> None:
        """Show what belongs to a picture."""
        self.prepareGeometryChange()
        self.picture = picture
        self.lane = Lane()
        self.update()

    def boundingRect(self) -> QRectF:
        if self.picture is None:
            return QRectF()
        height, width, _ = self.picture.seen.pixels.shape
        return QRectF(-4, -_LANE_PX, width + _LANE_PX + 12, height + 2 * _LANE_PX)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        if self.picture is None:
            return
        colours, exposed = theme.colours(), option.exposedRect
        if self.shows_ink:
            self._paint_ink(painter, exposed, colours)
        if self.shows_samples:
            painter.setPen(theme.pen(colours.accent, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for outline in self.picture.outlines:
                painter.drawPolyline(outline)
        if self.picture.seen.below:
            painter.setPen(theme.pen(theme.LIGHT.accent, 2.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for place in self.picture.seen.placements.values():
                painter.drawRect(QRectF(*place))
        self._paint_lane(painter, exposed, colours)

    def _paint_ink(self, painter: QPainter, exposed: QRectF, colours: theme.Colours) -> None:
        """Mark what meets in full colour, and what ends at the cut with hatching on the side that has the ink."""
        assert self.picture is not None
        seen = self.picture.seen
        # Hatching keeps its density on the screen at every scale.
        plain = QTransform.fromScale(1 / painter.worldTransform().m11(), 1 / painter.worldTransform().m22())
        width = _MARK_PX
        for start, stop, who in self.picture.runs:
            if stop < exposed.top() or start > exposed.bottom():
                continue
            middle = (start + stop) // 2
            left, right = int(seen.left_edge_px[middle]), int(seen.right_edge_px[middle])
            meets = who == "both"
            painter.setPen(Qt.PenStyle.NoPen if meets else theme.pen(colours.doubtful, 1.5))
            brush = QBrush(theme.translucent(colours.sure, 150)) if meets else QBrush(QColor(colours.doubtful))
            brush.setStyle(Qt.BrushStyle.SolidPattern if meets else Qt.BrushStyle.BDiagPattern)
            brush.setTransform(plain)
            painter.setBrush(brush)
            if who in ("both", "left"):
                painter.drawRect(QRectF(left + 1 - width, start, width, stop - start))
            if who in ("both", "right"):
                painter.drawRect(QRectF(right, start, width, stop - start))

    def _paint_lane(self, painter: QPainter, exposed: QRectF, colours: theme.Colours) -> None:
        """Draw bars: the longer and redder, the less the samples agree."""
        assert self.picture is not None
        x = self.picture.seen.pixels.shape[1] + 4
        painter.setPen(Qt.PenStyle.NoPen)
        for middle, length in zip(self.lane.rows, self.lane.lengths, strict=True):
            if exposed.top() - 4 <= middle <= exposed.bottom() + 4:
                colour = colours.sure if length < 0.25 else colours.fair if length < 0.6 else colours.doubtful
                painter.setBrush(QColor(colour))
                painter.drawRect(QRectF(x, middle - 2, max(1.0, length * _LANE_PX), 3.2))


def _sample_outlines(seen: CloseUp) -> list[QPolygonF]:
    """Draw around the 32 pixels along each side of the cut that are compared."""
    outlines = []
    for edge, inwards in ((seen.left_edge_px, -1), (seen.right_edge_px, 1)):
        rows = [row for row in range(0, len(edge), 4) if edge[row] >= 0]
        at_cut = [QPointF(edge[row] + (0 if inwards > 0 else 1), row) for row in rows]
        inner = [QPointF(point.x() + inwards * BORDER_WIDTH_PX, point.y()) for point in at_cut]
        if at_cut:
            outlines.append(QPolygonF([*at_cut, *reversed(inner), at_cut[0]]))
    return outlines


class PairCanvas(ImageView):
    """Shows a pair; the right shred can be dragged up and down with Ctrl held."""

    dragged = Signal(int)
    """By how many pixels of the scan the right shred was dragged down, once it is let go."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.seam_item = SeamItem()
        self.scene().addItem(self.seam_item)
        self._shown: tuple[str, ...] = ()
        self._drag_from: QPoint | None = None
        self.setAccessibleName(self.tr("The two shreds side by side"))

    def set_pair(self, picture: PairPicture | None) -> None:
        """Show a pair; the same two shreds stay at the scale and place at which they are."""
        self.seam_item.set_picture(picture)
        if picture is None:
            self.set_images((), 0, 0)
            self._shown = ()
            return
        height, width, _ = picture.seen.pixels.shape
        shown = tuple(picture.seen.placements)
        before, at = self.transform(), self.mapToScene(self.viewport().rect().center())
        self.set_images(picture.levels, width, height)
        if shown == self._shown:
            self.setTransform(before)
            self.centerOn(at)
        else:
            self._shown = shown
            self.show_telling(picture)

    @property
    def places(self) -> dict[str, QRectF]:
        """Where each of the two shreds lies, in scene coordinates."""
        picture = self.seam_item.picture
        return {shred: QRectF(*place) for shred, place in picture.seen.placements.items()} if picture else {}

    def shred_at(self, point: QPointF) -> str:
        """Find the shred at a place; where their frames overlap, the one whose middle is nearer."""
        hits = [
            (abs(place.center().x() - point.x()), key) for key, place in self.places.items() if place.contains(point)
        ]
        return min(hits)[1] if hits else ""

    def show_telling(self, picture: PairPicture) -> None:
        """Bring the place into sight where the cut goes through most ink."""
        height, width, _ = picture.seen.pixels.shape
        rows = min(_ROWS_SHOWN, height)
        top = picture.seen.telling_row(rows) - rows / 2
        self.show_region(QRectF(0, top, width, rows), fill=0.98)

    def show_ink(self, on: bool) -> None:
        """Show or hide what meets at the cut and what does not."""
        self.seam_item.shows_ink = on
        self.seam_item.update()

    def show_samples(self, on: bool) -> None:
        """Show or hide which pixels are compared."""
        self.seam_item.shows_samples = on
        self.seam_item.update()

    def set_lane(self, lane: Lane) -> None:
        """Draw local distances beside the shreds."""
        self.seam_item.lane = lane
        self.seam_item.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._drag_from = event.position().toPoint()
            self.viewport().setCursor(Qt.CursorShape.SizeVerCursor)
            event.accept()
        else:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._drag_from is not None and event.button() == Qt.MouseButton.LeftButton:
            way = self.mapToScene(event.position().toPoint()).y() - self.mapToScene(self._drag_from).y()
            self._drag_from = None
            self.viewport().setCursor(Qt.CursorShape.ArrowCursor)
            if round(way):
                self.dragged.emit(round(way))
            event.accept()
        else:
            super().mouseReleaseEvent(event)
