"""How what was found on a sheet, and what is to be mended, looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPolygonF

from app import theme
from core.sheets.mends import Point

if TYPE_CHECKING:
    from core.sheets.bent_outline import BentOutline  # brings OpenCV along

_CROSS_PX = 14
_DOT_PX = 3.5
_LABEL_PX = 11
_RING_PX = 7.0


@dataclass(frozen=True, eq=False)
class Outline:
    """Something on the sheet: a shred by its name, a crumb, or what is new and has no name yet."""

    name: str
    path: QPainterPath
    kind: str = "shred"


@dataclass(frozen=True, eq=False)
class Shown:
    """What is shown of a sheet: what there will be, what there will be no more, and what holds for all of it."""

    outlines: tuple[Outline, ...] = ()
    gone: tuple[Outline, ...] = ()
    crop: QRectF | None = None
    background: QPointF | None = None
    excluded: bool = False

    def name_at(self, point: QPointF) -> Outline | None:
        """Return what lies at a place."""
        return next((one for one in self.outlines if one.path.contains(point)), None)

    def middles(self) -> list[QPointF]:
        """List a place within each thing but crumbs."""
        return [within(one.path) for one in self.outlines if one.kind != "crumb"]


def within(path: QPainterPath) -> QPointF:
    """Find a place within an outline: its middle, or the middle of the widest part at that height."""
    middle = path.boundingRect().center()
    if path.contains(middle):
        return middle
    rect = path.boundingRect()
    across = (QPointF(rect.left() + rect.width() * k / 40, middle.y()) for k in range(1, 40))
    return next((point for point in across if path.contains(point)), path.pointAtPercent(0))


def paint_found(painter: QPainter, shown: Shown, chosen: Sequence[Point], sheet: QRectF) -> None:
    """Draw outlines with their names, the crop, the place where the background was picked."""
    colours = theme.colours()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    at = [shown.name_at(QPointF(*point)) for point in chosen]
    for one in shown.gone:
        painter.setBrush(theme.translucent(colours.doubtful, 40))
        painter.setPen(theme.pen(colours.doubtful, 1.4, Qt.PenStyle.DashLine))
        painter.drawPath(one.path)
    for one in shown.outlines:
        picked = any(one is other for other in at)
        colour = {"crumb": colours.quiet, "new": colours.sure}.get(one.kind, colours.accent)
        painter.setBrush(theme.translucent(colour, 70) if picked else Qt.BrushStyle.NoBrush)
        style = Qt.PenStyle.DotLine if one.kind == "crumb" else Qt.PenStyle.SolidLine
        painter.setPen(theme.pen(colour, 2.6 if picked or one.kind == "new" else 1.4, style))
        painter.drawPath(one.path)
    shade = QPainterPath()
    if shown.crop is not None or shown.excluded:
        shade.addRect(sheet)
        if shown.crop is not None and not shown.excluded:
            shade.addRect(shown.crop)
        painter.fillPath(shade, theme.translucent(colours.canvas, 190))
    if shown.crop is not None:
        _frame(painter, shown.crop)
    if shown.background is not None:
        _ring(painter, shown.background)
    if not shown.excluded:
        _names(painter, shown.outlines)


def paint_draft(painter: QPainter, tool: str, points: Sequence[QPointF], at: QPointF) -> None:
    """Draw what is being drawn, on to where the pointer is."""
    if not points:
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if tool == "crop":
        _frame(painter, QRectF(points[0], at).normalized())
        return
    for colour, width in ((QColor(255, 255, 255, 190), 4.0), (QColor(theme.colours().doubtful), 2.0)):
        painter.setPen(theme.pen(colour, width))
        painter.drawPolyline(QPolygonF([*points, at]))
    for point in points:
        _dot(painter, point)


def paint_bent(painter: QPainter, outline: BentOutline, corner: int) -> None:
    """Draw an outline that is bent, with its corners; one of them may be under the pointer."""
    path = QPolygonF([QPointF(*point) for point in outline.points])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in ((QColor(255, 255, 255, 190), 4.0), (QColor(theme.colours().doubtful), 2.0)):
        painter.setPen(theme.pen(colour, width))
        painter.drawPolygon(path)
    for point in outline.corners:
        _dot(painter, QPointF(*point))
    if corner >= 0:
        _ring(painter, QPointF(*outline.corners[corner]))


def paint_cross(painter: QPainter, at: QPointF) -> None:
    """Draw the cross that the arrow keys move, as large at every scale; on paper, which is white in every theme."""
    arm = _CROSS_PX / painter.worldTransform().m11()
    for colour, width in ((QColor(255, 255, 255, 220), 4.0), (QColor(theme.LIGHT.text), 1.6)):
        painter.setPen(theme.pen(colour, width))
        painter.drawLine(at - QPointF(arm, 0), at + QPointF(arm, 0))
        painter.drawLine(at - QPointF(0, arm), at + QPointF(0, arm))


def _frame(painter: QPainter, rect: QRectF) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in ((QColor(255, 255, 255, 200), 4.0), (QColor(theme.LIGHT.text), 1.6)):
        painter.setPen(theme.pen(colour, width))
        painter.drawRect(rect)
    for corner in (rect.topLeft(), rect.topRight(), rect.bottomLeft(), rect.bottomRight()):
        _dot(painter, corner)


def _dot(painter: QPainter, at: QPointF) -> None:
    radius = _DOT_PX / painter.worldTransform().m11()
    painter.setPen(theme.pen(theme.LIGHT.text, 1.2))
    painter.setBrush(QColor(255, 255, 255))
    painter.drawEllipse(at, radius, radius)


def _ring(painter: QPainter, at: QPointF) -> None:
    scale = painter.worldTransform().m11()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in ((QColor(255, 255, 255), 4.5), (QColor(theme.LIGHT.text), 2.0)):
        painter.setPen(theme.pen(colour, width))
        painter.drawEllipse(at, _RING_PX / scale, _RING_PX / scale)


def _names(painter: QPainter, outlines: Sequence[Outline]) -> None:
    """Write names at the upper ends of shreds, as large at every scale; where any is narrow, without the sheet's."""
    colours, to_screen = theme.colours(), painter.worldTransform()
    painter.save()
    painter.resetTransform()
    font = QFont(painter.font())
    font.setPixelSize(_LABEL_PX)
    painter.setFont(font)
    taken: list[QRectF] = []
    metrics, places = painter.fontMetrics(), [to_screen.mapRect(one.path.boundingRect()) for one in outlines]
    in_full = all(
        metrics.horizontalAdvance(one.name) + 4.0 <= place.width()
        for one, place in zip(outlines, places, strict=True)
        if one.name
    )
    for one, place in zip(outlines, places, strict=True):
        name = one.name if in_full else one.name.rpartition("-")[2]
        size = metrics.horizontalAdvance(name) + 4.0, metrics.height()
        box = QRectF(place.center().x() - size[0] / 2, place.top() + 3, *size)
        if not name or any(box.intersects(other) for other in taken):
            continue
        taken.append(box)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.translucent(colours.panel, 225))
        painter.drawRoundedRect(box, 3, 3)
        painter.setPen(QColor(colours.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)
    painter.restore()
