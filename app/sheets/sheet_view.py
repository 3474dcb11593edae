"""A sheet with its shreds outlined; one of them can be singled out."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainterPath
from PySide6.QtWidgets import QGraphicsPathItem, QWidget

from app import theme
from app.images import Pyramid, polygon_from, pyramid_from
from app.widgets.image_view import ImageView
from core.sheets.sheet import SheetInfo
from core.shreds.shred import Crumb, Shred

_MAX_POINTS = 400
"""More would not be seen, and a sheet has 40 shreds with thousands of points each."""


class SheetView(ImageView):
    """Shows a sheet: its preview at once, sharper levels when they are there."""

    shred_clicked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._outlines: dict[str, QPainterPath] = {}
        self._all, self._shade, self.chosen = QGraphicsPathItem(), QGraphicsPathItem(), QGraphicsPathItem()
        for item in (self._all, self._shade, self.chosen):
            self.scene().addItem(item)
        self.clicked.connect(lambda point: self.shred_clicked.emit(self.shred_at(point)))
        self.setAccessibleName(self.tr("Sheet"))

    def set_sheet(self, info: SheetInfo, shreds: Sequence[Shred], levels: Pyramid | None = None) -> None:
        """Show a sheet with the outlines of the shreds found on it."""
        self.set_images(levels or pyramid_from(info.preview), *info.size_px)
        self._outlines = {shred.id: _outline(shred) for shred in shreds}
        together = QPainterPath()
        for outline in self._outlines.values():
            together.addPath(outline)
        self._all.setPath(together)
        self.choose("")
        self._set_colours()

    def choose(self, shred_id: str) -> None:
        """Single out a shred: the rest of the sheet steps back."""
        self._single_out(self._outlines.get(shred_id, QPainterPath()))

    def choose_crumb(self, crumb: Crumb) -> None:
        """Single out something that is no shred, and bring it to the middle."""
        outline = _outline(crumb)
        self._single_out(outline)
        side = max(outline.boundingRect().width(), outline.boundingRect().height())
        self.show_region(outline.boundingRect().adjusted(-side, -side, side, side))

    def _single_out(self, outline: QPainterPath) -> None:
        shade = QPainterPath()
        if not outline.isEmpty():
            shade.addRect(self.image_item.boundingRect())
            shade.addPath(outline)
        self._shade.setPath(shade)
        self.chosen.setPath(outline)

    def show_shred(self, shred_id: str) -> None:
        """Bring a shred to the middle of the view."""
        if shred_id in self._outlines:
            self.show_region(self._outlines[shred_id].boundingRect())

    def shred_at(self, point: QPointF) -> str:
        """Find the shred at a place on the sheet; empty if there is none."""
        return next((shred_id for shred_id, outline in self._outlines.items() if outline.contains(point)), "")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._set_colours()

    def _set_colours(self) -> None:
        colours = theme.colours()
        self._all.setPen(theme.pen(theme.translucent(colours.accent, 170), 1.2))
        self.chosen.setPen(theme.pen(colours.accent, 2.4))
        self._shade.setBrush(theme.translucent(colours.canvas, 150))
        self._shade.setPen(Qt.PenStyle.NoPen)


def _outline(shred: Shred | Crumb) -> QPainterPath:
    path = QPainterPath()
    points = shred.outline[:: max(1, len(shred.outline) // _MAX_POINTS)]
    if len(points) > 2:
        path.addPolygon(polygon_from(points))
    else:
        path.addRect(QRectF(*shred.bbox))
    path.closeSubpath()
    return path
