"""Where the cost of a join lies among the costs of all joins of one border."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from app import theme
from app.widgets.controls import label
from app.widgets.layouts import in_column
from app.widgets.plots import build_plot, pyqtgraph

_BINS = 48


class CostPlot(QWidget):
    """A histogram of costs, with a line at one of them; the plot is made when there is something to plot."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plot: Any = None
        self._costs: NDArray[np.float32] | None = None
        self._cost = 0.0
        self.caption = label(wordWrap=True)
        self._column = in_column(self.caption, on=self, margins=(0, 0, 0, 0), spacing=2)

    def set_costs(self, costs: NDArray[np.float32] | None, cost: float, caption: str) -> None:
        """Show finite costs, and one of them; None shows nothing."""
        self._costs, self._cost = costs, cost
        self.caption.setText(caption)
        self._draw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()

    def _draw(self) -> None:
        if self._plot is None:
            if self._costs is None:
                return
            self._build()
        self._plot.setVisible(self._costs is not None)
        item = self._plot.getPlotItem()
        item.clear()
        if self._costs is None:
            return
        pg, colours = pyqtgraph(), theme.colours()
        self._plot.setBackground(QColor(colours.panel))
        axis = item.getAxis("bottom")
        axis.setPen(QColor(colours.border))
        axis.setTextPen(QColor(colours.quiet))
        counts, edges = np.histogram(self._costs, bins=_BINS)
        bar = {"brush": QColor(colours.faint), "pen": QColor(colours.panel)}
        item.addItem(pg.BarGraphItem(x0=edges[:-1], x1=edges[1:], height=counts, **bar))
        if np.isfinite(self._cost):
            item.addItem(pg.InfiniteLine(pos=self._cost, angle=90, pen=theme.pen(colours.accent, 2.5)))
            # The best costs are few: what stands beside the line would be too low to be seen on a long scale.
            item.vb.setLimits(yMin=0)
        item.vb.autoRange(padding=0.04)

    def _build(self) -> None:
        self._plot = build_plot(self.caption.text(), 120, 70)
        self._plot.setMaximumHeight(100)
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plot.getPlotItem().vb.setMouseEnabled(False, False)
        self._column.addWidget(self._plot)
