"""pyqtgraph, imported when the first plot is drawn: it takes half a second that the start need not wait for."""

from types import ModuleType
from typing import Any


def pyqtgraph() -> ModuleType:
    """Import the library, with images laid out as numpy has them; may be called on a worker first."""
    import pyqtgraph as library

    library.setConfigOptions(imageAxisOrder="row-major", antialias=True)
    module: ModuleType = library
    return module


def build_plot(name: str, least_width_px: int, least_height_px: int) -> Any:
    """Build a plot without vertical axis, buttons and menu; its name is for those who hear it read out."""
    plot = pyqtgraph().PlotWidget()
    plot.setAccessibleName(name)
    plot.setMinimumSize(least_width_px, least_height_px)
    item = plot.getPlotItem()
    item.hideAxis("left")
    item.hideButtons()
    item.setMenuEnabled(False)
    return plot
