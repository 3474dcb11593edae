"""The bar above the light table: which pages are shown, and how large."""

from collections.abc import Iterable
from math import log

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QSlider, QToolButton, QWidget

from app import wording
from app.table.table_view import LEAST_PX, MOST_PX
from app.widgets.controls import build
from app.widgets.layouts import Flow, in_column

_STEPS = 100


class TableBar(QWidget):
    """Says what is shown, and lets that and the size of the pictures be chosen.

    Parameters
    ----------
    filters : iterable of QAction
        Each shows only some of the pages.
    """

    size_wanted = Signal(int)

    def __init__(self, filters: Iterable[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("table_bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.count = QLabel()
        name = self.tr("Size of the pages")
        self.slider = build(
            QSlider, Qt.Orientation.Horizontal, accessibleName=name, toolTip=name, valueChanged=self._ask
        )
        self.slider.setRange(0, _STEPS)
        self.slider.setFixedWidth(160)
        self.filters = [_filter_button(action) for action in filters]
        row = Flow(self.count, *self.filters, self.slider, spacing=8, last_at_end=True)
        in_column(row, on=self, margins=(14, 4, 14, 4), spacing=0)

    def show_count(self, shown: int, n_pages: int, in_rows: bool) -> None:
        """Say how many pages are shown, or rows of pieces, and of how many."""
        pages, rows = (self.tr("page"), self.tr("pages")), (self.tr("row"), self.tr("rows"))
        text = wording.counted(n_pages, *(rows if in_rows else pages))
        self.count.setText(text if shown == n_pages else self.tr("{n} of {pages}").format(n=shown, pages=text))

    def show_size(self, side_px: int) -> None:
        """Show how high the pictures are."""
        self.slider.blockSignals(True)
        self.slider.setValue(round(_STEPS * log(side_px / LEAST_PX) / log(MOST_PX / LEAST_PX)))
        self.slider.blockSignals(False)

    def _ask(self, step: int) -> None:
        self.size_wanted.emit(round(LEAST_PX * (MOST_PX / LEAST_PX) ** (step / _STEPS)))


def _filter_button(action: QAction) -> QToolButton:
    built = build(QToolButton, accessibleName=action.text().replace("&", ""), focusPolicy=Qt.FocusPolicy.TabFocus)
    built.setDefaultAction(action)
    built.setProperty("filter", True)
    return built
