"""The grid of pages: as large as is wanted, or so small that all of them are in sight."""

from bisect import bisect_left
from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QListView, QWidget

from app import theme
from app.session.document import Document, Place
from app.table.page_delegate import PageDelegate, cell_size
from app.table.page_model import PageModel
from app.table.table_drag import TableDrag
from app.widgets.rows import Index, set_up_list

LEAST_PX, MOST_PX = 40, 900
"""Height of the pictures of pages, in pixels of the screen."""

_STEP = 1.2


class TableView(QListView):
    """Shows pages side by side.

    Parameters
    ----------
    model : PageModel
        The pages.
    document : Document
        Whose pages they are.
    """

    page_wanted = Signal(int)
    """A page is to be seen by itself."""
    page_chosen = Signal(int)
    """Another page is the current one."""
    left = Signal()
    menu_wanted = Signal(QPoint)
    size_changed = Signal(int)
    in_sight = Signal(object)
    """The pages that have just been painted, and behind them those next to them."""

    def __init__(self, model: PageModel, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages = model
        self._fits = False
        self.delegate = PageDelegate(self)
        self.setObjectName("table_view")
        self.setModel(model)
        set_up_list(self, self.delegate, self.tr("Light table"))
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.setUniformItemSizes(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # scrolled, it is moved, not painted again
        self.setDragEnabled(True)  # for `startDrag`: Qt's own drag and drop is for other programs
        self.drag = TableDrag(self, self.delegate, model, document)
        self.setAccessibleDescription(self.tr("Return shows a page by itself, Escape the one that was shown."))
        self._lay_out()

    # Size

    @property
    def side_px(self) -> int:
        """Height of the pictures."""
        return self.delegate.side_px

    def set_side(self, side_px: int) -> None:
        """Show the pictures so high; the current page stays in sight."""
        self._fits = False
        self._resize(side_px)

    def _resize(self, side_px: int) -> None:
        side_px = min(max(side_px, LEAST_PX), MOST_PX)
        if side_px != self.side_px:
            self.delegate.side_px = side_px
            self._lay_out()
            self.scrollTo(self.currentIndex())
            self.size_changed.emit(side_px)

    def _lay_out(self) -> None:
        cell = self._cell(self.side_px)
        self.setGridSize(QSize(max(cell.width(), self._breadth // self._columns(cell)), cell.height()))
        self.verticalScrollBar().setSingleStep(max(1, cell.height() // 3))

    def set_with_document(self, on: bool) -> None:
        """Leave room for the document that a page belongs to, or none."""
        if on != self.delegate.with_document:
            self.delegate.with_document = on
            self._lay_out()

    def zoom_in(self) -> None:
        """Show larger pictures."""
        self.set_side(round(self.side_px * _STEP))

    def zoom_out(self) -> None:
        """Show smaller pictures."""
        self.set_side(round(self.side_px / _STEP))

    def fit(self) -> None:
        """Show the pictures as large as they can be with all of them in sight; so it stays while the window grows."""
        self._fits = True
        breadth, height, n_pages = self._breadth, self.viewport().height(), self._pages.rowCount()
        line_px, with_document = self.fontMetrics().height(), self.delegate.with_document

        def holds_all(side_px: int) -> bool:
            cell = cell_size(side_px, line_px, with_document)
            return (breadth // cell.width()) * (height // cell.height()) >= n_pages

        self._resize(LEAST_PX - 1 + bisect_left(range(LEAST_PX, MOST_PX), True, key=lambda px: not holds_all(px)))

    def actual_size(self) -> None:
        """Show one page at a time, as large as there is room."""
        self.set_side(self.viewport().height() - self.gridSize().height() + self.side_px)

    @property
    def _breadth(self) -> int:
        """How much room there is for the pages of a row, be there a scroll bar or not."""
        style = self.style()
        return self.maximumViewportSize().width() - style.pixelMetric(style.PixelMetric.PM_ScrollBarExtent) - 1

    def _cell(self, side_px: int) -> QSize:
        return cell_size(side_px, self.fontMetrics().height(), self.delegate.with_document)

    def _columns(self, cell: QSize) -> int:
        return max(1, self._breadth // cell.width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._fits:
            self.fit()
        self._lay_out()
        super().resizeEvent(event)

    # Places

    def rows_in_sight(self) -> range:
        """List the rows in sight."""
        cell, top = self.gridSize(), self.verticalScrollBar().value()
        columns = self._columns(cell)
        first, last = top // cell.height(), (top + self.viewport().height()) // cell.height()
        return range(min(first * columns, self._pages.rowCount()), min((last + 1) * columns, self._pages.rowCount()))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), QColor(theme.colours().canvas))
        self.delegate.begin_frame(event.region(), self.font())
        super().paintEvent(event)
        if self.delegate.left_over:
            QTimer.singleShot(0, self._paint_left_over)
        painter = QPainter(self.viewport())
        self.drag.paint(painter)
        if not self._pages.rowCount():
            painter.setPen(QColor(theme.colours().quiet))
            painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, self.tr("No page is like that."))
        rows = self.rows_in_sight()
        ahead = range(rows.stop, min(rows.stop + len(rows), self._pages.rowCount()))
        self.in_sight.emit([self._pages.pages[row] for row in (*rows, *ahead)])

    def _paint_left_over(self) -> None:
        """Have the pages painted that the last frame had no time for, where they are now."""
        rows = list(self.delegate.left_over)
        self.delegate.left_over.clear()
        for row in rows:
            self.update(self._pages.index(row))

    # Choosing

    def show_current(self, page: int) -> None:
        """Make a page the current one, in sight, and the only one that is chosen unless it was chosen already."""
        index = self._pages.index(self._pages.row_of(page))
        if index != self.currentIndex():
            chosen = self.selectionModel().isSelected(index)
            flag = QItemSelectionModel.SelectionFlag
            self.selectionModel().setCurrentIndex(index, flag.NoUpdate if chosen else flag.ClearAndSelect)
            self.scrollTo(index)

    def chosen(self) -> Sequence[int]:
        """List the pages that are chosen, in their order."""
        return [self._pages.pages[row] for row in sorted(index.row() for index in self.selectedIndexes())]

    def show_row(self, row: int) -> None:
        """Make the page of a row the current one, or the last if there are not so many."""
        if self._pages.rowCount():
            self.setCurrentIndex(self._pages.index(min(row, self._pages.rowCount() - 1)))

    def choose(self, pages: Sequence[int]) -> None:
        """Choose these pages and no others; the current one stays."""
        self.selectionModel().clearSelection()
        for page in pages:
            index = self._pages.index(self._pages.row_of(page))
            self.selectionModel().select(index, QItemSelectionModel.SelectionFlag.Select)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid():
            self.page_chosen.emit(self._pages.pages[current.row()])

    # Mouse and keys

    def startDrag(self, actions: Qt.DropAction) -> None:
        self.drag.start(self.chosen())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.drag.active:
            self.drag.move(event.position().toPoint())
        else:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.drag.active:
            self.drag.drop()
        else:
            super().mouseReleaseEvent(event)

    def place_at(self, at: QPoint) -> Place | None:
        """Return the place on a page under a point of the screen, for shreds that are dragged here."""
        return self.drag.place_at(at)

    def mark_drop(self, place: Place | None) -> None:
        """Show a place on a page, or take the mark away."""
        self.drag.mark_drop(place)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid():
            self.page_wanted.emit(self._pages.pages[index.row()])

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.indexAt(event.pos()).isValid():
            self.menu_wanted.emit(event.globalPos())

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            (self.zoom_in if event.angleDelta().y() > 0 else self.zoom_out)()
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.page_wanted.emit(self._pages.pages[self.currentIndex().row()])
        elif event.key() == Qt.Key.Key_Escape and self.drag.active:
            self.drag.cancel()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)
