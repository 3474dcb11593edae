"""Shreds that are dragged over a page: they move with the pointer themselves, and neighbours part for them."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPixmap, QTransform
from PySide6.QtWidgets import QGraphicsItemGroup, QGraphicsPixmapItem, QGraphicsPolygonItem

from app import theme
from app.pages.dragging import ShredDrag
from app.pages.page_canvas import PageCanvas
from app.session.document import Document
from core.arrangement.arrangement import Arrangement

_ABOVE = 10


class Carried(QObject):
    """Shows on a canvas what is dragged.

    Parameters
    ----------
    canvas : PageCanvas
        Over which it is dragged.
    document : Document
        Whose shreds they are.
    drag : ShredDrag
        Drags them.
    thumbnail : callable
        Returns a small picture of a shred, for those that are not on the canvas, or None.
    """

    def __init__(
        self, canvas: PageCanvas, document: Document, drag: ShredDrag, thumbnail: Callable[[str], QImage | None]
    ) -> None:
        super().__init__(canvas)
        self._canvas, self._document, self._thumbnail = canvas, document, thumbnail
        self._shreds: tuple[str, ...] = ()
        self._tops: dict[str, float] = {}
        self._grabbed: QPointF | None = None
        self.group: QGraphicsItemGroup | None = None
        """The shreds that float; None while nothing is dragged."""
        drag.begun.connect(self._begin)
        drag.moved.connect(self._follow)
        drag.ended.connect(self._end)

    def _begin(self, shreds: Sequence[str]) -> None:
        self._shreds, self._grabbed = tuple(shreds), None
        self.group = QGraphicsItemGroup()
        self.group.setZValue(_ABOVE)
        self.group.setOpacity(0.92)
        x = 0.0
        for shred in self._shreds:
            on_canvas = shred in self._canvas.outlines
            pixmap, place = self._cut_out(shred) if on_canvas else self._small(shred, x)
            item = QGraphicsPixmapItem(pixmap)
            scaled = QTransform.fromScale(place.width() / pixmap.width(), place.height() / pixmap.height())
            item.setTransform(scaled * QTransform.fromTranslate(place.x(), place.y()))
            item.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
            self.group.addToGroup(item)
            frame = QGraphicsPolygonItem(self._canvas.outlines[shred] if on_canvas else place)
            frame.setPen(theme.pen(theme.LIGHT.accent, 2.0))
            self.group.addToGroup(frame)
            self._tops[shred] = place.top()
            x = place.right()
        self.group.hide()
        self._canvas.scene().addItem(self.group)
        self._canvas.show_carried(self._shreds)

    def _cut_out(self, shred: str) -> tuple[QPixmap, QRectF]:
        """Return a shred as it is shown on the page, no finer than it is seen, and its place."""
        outline, page = self._canvas.outlines[shred], self._canvas.image_item
        whole = page.boundingRect()
        place = outline.boundingRect().intersected(whole)
        image = page.level(whole.width() * self._canvas.zoom)
        scale = image.width() / whole.width()
        pixmap = QPixmap(max(1, round(scale * place.width())), max(1, round(scale * place.height())))
        pixmap.fill(Qt.GlobalColor.transparent)
        path = QPainterPath()
        path.addPolygon(QTransform.fromScale(scale, scale).map(outline.translated(-place.topLeft())))
        painter = QPainter(pixmap)
        painter.setClipPath(path)
        painter.drawImage(QRectF(pixmap.rect()), image, QRectF(place.topLeft() * scale, place.size() * scale))
        painter.end()
        return pixmap, place

    def _small(self, shred: str, x: float) -> tuple[QPixmap, QRectF]:
        """Return the small picture of a shred from elsewhere, and a place to the right of the one before."""
        found, image = self._document.shred(shred), self._thumbnail(shred)
        assert found is not None
        if image is None:
            image = QImage(1, 1, QImage.Format.Format_RGB32)
            image.fill(QColor(theme.LIGHT.panel))
        return QPixmap.fromImage(image), QRectF(x, 0, found.width_px, found.height_px)

    def _follow(self, at: QPoint, after: Arrangement | None) -> None:
        """Move with the pointer, and where a drop would change something into the gap, as the shreds would lie."""
        assert self.group is not None
        place = self._canvas.place_at(at)
        self.group.setVisible(place is not None)
        if place is None:
            self._canvas.image_item.part(None)
            return
        point = self._canvas.mapToScene(self._canvas.viewport().mapFromGlobal(at))
        own = self.group.childrenBoundingRect()
        if self._grabbed is None:
            self._grabbed = point if own.contains(point) else own.center()
        offset = point - self._grabbed
        if after is None or self._canvas.down != QPointF(0, 1) or place.level or place.page != self._canvas.page:
            self._canvas.image_item.part(None)
        else:
            gap_x = self._canvas.gap(place.position).center().x()
            self._canvas.image_item.part((gap_x, own.width()))
            offset = QPointF(gap_x - own.left(), self._snapped_y(after, offset.y()))
        self.group.setPos(offset)

    def _snapped_y(self, after: Arrangement, otherwise: float) -> float:
        """Return how far down the shreds move to lie at the best shift beside their new neighbour."""
        case, first = self._document.case, self._shreds[0]
        number = after.page_of(first)
        if case is None or number is None:
            return otherwise
        page, offsets = after.pages[number], after.offsets_px(number)
        at = page.index(first)
        others = [shred for shred in page if shred not in self._shreds and shred in self._canvas.places]
        beside = min(others, key=lambda shred: abs(page.index(shred) - at), default=None)
        if beside is None:
            return otherwise
        top = {shred: offsets[shred] + case.shred_by_id[shred].frame_top_px for shred in (first, beside)}
        return self._canvas.places[beside].top() + top[first] - top[beside] - self._tops[first]

    def _end(self) -> None:
        if self.group is not None:
            self._canvas.scene().removeItem(self.group)
        self.group, self._shreds, self._tops = None, (), {}
        self._canvas.image_item.part(None)
        self._canvas.show_carried(())
