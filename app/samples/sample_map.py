"""The map of all samples at one height: near each other if their embeddings are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QPen, QPixmap
from PySide6.QtWidgets import QLabel, QWidget

from app import theme
from app.images import image_from
from app.widgets.controls import label
from app.widgets.layouts import in_column
from app.widgets.plots import build_plot, pyqtgraph

if TYPE_CHECKING:
    from core.inspection.sample_view import Inspection, SampleLook
    from core.inspection.samples import Sample

_SYMBOLS = {"right": "t2", "left": "t3"}
"""Triangles that point to where the other sample would stand."""
_NEAR_PX = 14
_PREVIEW_PX = 64


class SampleMap(QWidget):
    """A plot of the samples; the one asked about and the one it meets in the order are linked.

    Parameters
    ----------
    look : callable
        Gives the look of a sample, for the preview under the pointer; None if there is none.
    """

    clicked = Signal(object)
    """A Sample."""

    def __init__(self, look: Callable[[Sample], SampleLook | None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._inspection: Inspection | None = None
        self.plot: Any = None
        self.caption = label(wordWrap=True)
        self.preview = QLabel(self)
        self.preview.setObjectName("sample_preview")
        self.preview.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.preview.hide()
        self.hovered: Sample | None = None
        self._column = in_column(self.caption, on=self, margins=(0, 0, 0, 0), spacing=4)
        self.setMinimumSize(200, 140)
        self.setAccessibleName(self.tr("Map of the samples at this height"))

    def set_inspection(self, inspection: Inspection | None) -> None:
        """Draw the map around a sample; None clears it."""
        self._inspection = inspection
        self._set_hovered(None, QPoint())
        if self.plot is None:
            if inspection is None:
                return
            self._build()
        self._draw()

    def place(self, sample: Sample) -> QPointF:
        """Return the position of a sample of the map, in this widget."""
        assert self._inspection is not None
        number = self._inspection.height.samples.index(sample)
        x, y = map(float, self._inspection.height.points[number])
        at = self.plot.getPlotItem().vb.mapViewToScene(QPointF(x, y))
        return QPointF(self.plot.mapTo(self, self.plot.mapFromScene(at)))

    def sample_near(self, at: QPointF) -> Sample | None:
        """Find the sample drawn nearest to a place in the plot's scene, within a few pixels."""
        if self._inspection is None or not self._inspection.height.samples:
            return None
        box = self.plot.getPlotItem().vb
        best, sample = float(_NEAR_PX), None
        for one, (x, y) in zip(self._inspection.height.samples, self._inspection.height.points, strict=True):
            away = box.mapViewToScene(QPointF(float(x), float(y))) - at
            if (distance := (away.x() ** 2 + away.y() ** 2) ** 0.5) < best:
                best, sample = distance, one
        return sample

    def _build(self) -> None:
        self.plot = build_plot(self.accessibleName(), 180, 110)
        item = self.plot.getPlotItem()
        item.hideAxis("bottom")
        item.vb.setAspectLocked(True)
        self.plot.scene().sigMouseMoved.connect(self._point)
        self.plot.scene().sigMouseClicked.connect(self._click)
        self._column.addWidget(self.plot)

    def _draw(self) -> None:
        pg, item = pyqtgraph(), self.plot.getPlotItem()
        colours = theme.colours()
        self.plot.setBackground(QColor(colours.panel))
        item.clear()
        seen = self._inspection
        if seen is None or not seen.height.samples:
            self.caption.setText(self.tr("No ink at this height.") if seen else "")
            return
        places = dict(zip(seen.height.samples, seen.height.points.tolist(), strict=True))
        if (query := places.get(seen.look.sample)) is not None:
            for found in seen.found:
                if found.neighbour.sample != seen.partner:
                    dotted = theme.pen(colours.quiet, 1, Qt.PenStyle.DotLine)
                    self._link(query, places[found.neighbour.sample], dotted)
            if seen.partner in places:
                self._link(query, places[seen.partner], theme.pen(colours.sure, 2.5))
        for side in ("right", "left"):
            points = [place for sample, place in places.items() if sample.side == side]
            brush = theme.translucent(colours.of_side(side), 150)
            look = {"symbol": _SYMBOLS[side], "size": 10, "pen": None, "brush": brush}
            item.addItem(pg.ScatterPlotItem(pos=points or None, pxMode=True, **look))
        for sample, size, colour in ((seen.partner, 18, colours.sure), (seen.look.sample, 20, colours.text)):
            if sample in places:
                brush = QColor(colours.of_side(sample.side))
                look = {"symbol": _SYMBOLS[sample.side], "size": size, "pen": theme.pen(colour, 2), "brush": brush}
                item.addItem(pg.ScatterPlotItem(pos=[places[sample]], **look))
        item.vb.autoRange(padding=0.08)
        text = self.tr("{n} samples at this height, ▶ right and ◀ left; shown: {share:.0%} of their spread")
        n_at_height = sum(sample.row == seen.look.sample.row for sample in places)
        self.caption.setText(text.format(n=n_at_height, share=seen.height.share))

    def _link(self, one: list[float], other: list[float], pen: QPen) -> None:
        xs, ys = zip(one, other, strict=True)
        self.plot.getPlotItem().plot(list(xs), list(ys), pen=pen)

    def _point(self, at: QPointF) -> None:
        self._set_hovered(self.sample_near(at), self.plot.mapTo(self, self.plot.mapFromScene(at)))

    def _click(self, event: Any) -> None:
        sample = self.sample_near(event.scenePos())
        if sample is not None:
            self.clicked.emit(sample)

    def _set_hovered(self, sample: Sample | None, at: QPoint) -> None:
        """Show the sample under the pointer beside it."""
        if sample == self.hovered:
            return
        self.hovered = sample
        look = self._look(sample) if sample is not None else None
        self.preview.setVisible(look is not None)
        if look is None or sample is None:
            return
        from core.inspection.sample_view import draw

        size = round(_PREVIEW_PX * self.devicePixelRatioF())
        pixmap = QPixmap.fromImage(image_from(draw(look.grey)).scaled(size, size))
        pixmap.setDevicePixelRatio(self.devicePixelRatioF())
        self.preview.setPixmap(pixmap)
        side = self.tr("▶ right border") if sample.side == "right" else self.tr("◀ left border")
        text = f"{sample.shred}  {side}"
        self.preview.setAccessibleName(text)
        self.setToolTip(text)
        self.preview.adjustSize()
        x = at.x() + 14 if at.x() + 14 + self.preview.width() < self.width() else at.x() - 14 - self.preview.width()
        y = min(max(0, at.y() - self.preview.height() // 2), self.height() - self.preview.height())
        self.preview.move(max(0, x), max(0, y))
        self.preview.raise_()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.plot is not None:
            self._draw()
