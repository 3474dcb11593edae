"""The sheets, one below the other: those read with what was found on them, those still to be read by name."""

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QImage, QKeyEvent, QPainter, QPixmap, QWheelEvent
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app import theme, wording
from app.images import image_from
from app.session.document import Opened
from app.widgets.rows import Index, paint_tile, set_up_list
from core.sheets.mends import is_excluded

_WIDTHS_PX = (64, 96, 128, 176, 240, 320)
_WIDTH_PX = 128
_LEAST_WIDTH_PX = 110
_TEXT_HEIGHT = 38
_PADDING = 10
_THUMBNAIL_ROLE = Qt.ItemDataRole.UserRole
_COUNT_ROLE = Qt.ItemDataRole.UserRole + 1
_SIZE_ROLE = Qt.ItemDataRole.UserRole + 2
_FAINT_ROLE = Qt.ItemDataRole.UserRole + 3


class SheetModel(QAbstractListModel):
    """Sheets read, then files and folders still to be read."""

    thumbnail_wanted = Signal(int)
    """The row of a sheet whose preview is not at hand; see `show_thumbnail`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._opened = Opened()
        self._pending: tuple[Path, ...] = ()
        self._glimpses: Mapping[Path, QImage] = {}
        self.pixmaps: dict[Path | int, QPixmap] = {}
        """The thumbnails made so far."""
        self._scale = 1.0
        self.width_px = _WIDTH_PX

    def set_width(self, width_px: int) -> None:
        """Make all thumbnails that wide at most."""
        self.beginResetModel()
        self.width_px = width_px
        self.pixmaps.clear()
        self.endResetModel()

    def set_opened(self, opened: Opened, glimpses: Mapping[Path, QImage], working: bool, scale: float) -> None:
        """Show what is open; thumbnails of sheets that were there before are kept."""
        if opened.sheets[: len(self._opened.sheets)] != self._opened.sheets or scale != self._scale:
            self.pixmaps.clear()
        self._glimpses, self._scale = dict(glimpses), scale
        self.beginResetModel()
        self._opened = opened
        # What is left when the work is over could not be read; the notice says so, not the filmstrip.
        self._pending = opened.pending() if working else ()
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._opened.sheets) + len(self._pending)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row, n_read = index.row(), len(self._opened.sheets)
        if row >= n_read:
            return self._data_of_pending(row - n_read, role)
        sheet = self._opened.sheets[row]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{row + 1}  {self._opened.sheet_names[row]}"  # shreds are named after the sheet's number
        if role == _THUMBNAIL_ROLE and row not in self.pixmaps and not sheet.has_preview_at_hand:
            self.thumbnail_wanted.emit(row)
            return None
        if role == _THUMBNAIL_ROLE:
            return self._pixmap(row, lambda: image_from(sheet.preview))
        if role == _SIZE_ROLE:
            return self._fitting(QSize(*sheet.size_px))
        if role == _FAINT_ROLE:
            return is_excluded(sheet.mends)
        if role == _COUNT_ROLE:
            return self._found(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            size, (width, height) = self.tr("{w} × {h} px at 300 dpi, scanned at {dpi:g} dpi"), sheet.size_px
            return f"{sheet.path}\n{size.format(w=width, h=height, dpi=sheet.dpi)}\n{self._found(row)}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._opened.sheet_names[row]}, {self._found(row)}"
        return None

    def _data_of_pending(self, number: int, role: int) -> object:
        path = self._pending[number]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._opened.pending_names[number]
        if role == _FAINT_ROLE:
            return True
        if role == _COUNT_ROLE:
            return self.tr("waiting")
        if role == _THUMBNAIL_ROLE:
            return self._pixmap(path, lambda: self._glimpses[path]) if path in self._glimpses else None
        if role == _SIZE_ROLE:
            return self._fitting(self._glimpses[path].size()) if path in self._glimpses else None
        return str(path) if role == Qt.ItemDataRole.ToolTipRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        read = index.row() < len(self._opened.sheets)
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable if read else Qt.ItemFlag.NoItemFlags

    def _pixmap(self, key: Path | int, image: Callable[[], QImage]) -> QPixmap:
        """Scale a picture when it is drawn for the first time: of many sheets few are in sight."""
        if key not in self.pixmaps:
            full, keep = image(), Qt.AspectRatioMode.KeepAspectRatio
            size = self._fitting(full.size()) * self._scale
            pixmap = QPixmap.fromImage(full.scaled(size, keep, Qt.TransformationMode.SmoothTransformation))
            pixmap.setDevicePixelRatio(self._scale)
            self.pixmaps[key] = pixmap
        return self.pixmaps[key]

    def show_thumbnail(self, row: int, preview: QImage) -> None:
        """Show the preview of a sheet that was asked for."""
        self._pixmap(row, lambda: preview)
        self.dataChanged.emit(self.index(row), self.index(row), [_THUMBNAIL_ROLE])

    @property
    def room_px(self) -> QSize:
        """The room that a thumbnail has, in pixels of the screen."""
        return QSize(self.width_px, round(1.17 * self.width_px)) * self._scale

    def _fitting(self, size: QSize) -> QSize:
        room = QSize(self.width_px, round(1.17 * self.width_px))
        return size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)

    def _found(self, row: int) -> str:
        shreds = self._opened.shreds[row]
        if is_excluded(self._opened.sheets[row].mends):
            return self.tr("withdrawn")
        return wording.counted_shreds(shreds) if shreds else self.tr("no shreds")


class _SheetDelegate(QStyledItemDelegate):
    """Paints a thumbnail with the sheet's name and number of shreds below."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size: QSize | None = index.data(_SIZE_ROLE)
        height = size.height() if size else 56
        return QSize(_LEAST_WIDTH_PX, height + _TEXT_HEIGHT + 2 * _PADDING)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colours = theme.colours()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = option.rect.adjusted(6, 3, -6, -3)
        paint_tile(painter, option, frame, radius=7)
        text_top = option.rect.bottom() - _TEXT_HEIGHT - _PADDING + 5
        top = option.rect.top() + _PADDING
        picture = QRect(frame.left(), top, frame.width(), text_top - top - 4)
        self._paint_picture(painter, picture, index, colours)
        line = painter.fontMetrics().height()
        for row, (role, colour) in enumerate(
            ((Qt.ItemDataRole.DisplayRole, colours.text), (_COUNT_ROLE, colours.quiet))
        ):
            painter.setPen(QColor(colour))
            room = QRect(frame.left() + 6, text_top + row * line, frame.width() - 12, line)
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, _elided(index.data(role), painter, room.width()))
        painter.restore()

    def _paint_picture(self, painter: QPainter, room: QRect, index: Index, colours: theme.Colours) -> None:
        pixmap: QPixmap | None = index.data(_THUMBNAIL_ROLE)
        if pixmap is None:
            pixmap = theme.picture("sheet", 30, colours.faint, painter.device().devicePixelRatio())
        size = pixmap.deviceIndependentSize().toSize()
        place = QRect(room.center() - QPoint(size.width() // 2, size.height() // 2), size)
        painter.setOpacity(0.55 if index.data(_FAINT_ROLE) else 1.0)
        painter.drawPixmap(place, pixmap)
        painter.setOpacity(1.0)
        if index.data(_THUMBNAIL_ROLE) is not None:
            painter.setPen(QColor(0, 0, 0, 60))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(place.adjusted(0, 0, -1, -1))


def _elided(text: str, painter: QPainter, width: int) -> str:
    """Shorten a text to a width: the number in front stays, and of a file with its folder the end."""
    number, gap, name = text.partition("  ")
    if "/" not in name:
        return painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, width)
    left = width - painter.fontMetrics().horizontalAdvance(number + gap)
    return number + gap + painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideLeft, left)


class Filmstrip(QListView):
    """Shows the sheets; choosing one tells its number, and so does opening it: a double click, or Enter."""

    sheet_chosen = Signal(int)
    sheet_opened = Signal(int)
    thumbnail_changed = Signal(int)
    thumbnail_wanted = Signal(int)
    menu_wanted = Signal(QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = SheetModel(self)
        self.setModel(self._model)
        self._model.thumbnail_wanted.connect(self.thumbnail_wanted)
        set_up_list(self, _SheetDelegate(self), self.tr("Sheets"))
        self.setMinimumWidth(_LEAST_WIDTH_PX)
        self.clicked.connect(lambda index: self.sheet_chosen.emit(index.row()))
        self.activated.connect(lambda index: self.sheet_chosen.emit(index.row()))
        self.doubleClicked.connect(lambda index: self.sheet_opened.emit(index.row()))

    def set_opened(self, opened: Opened, glimpses: Mapping[Path, QImage], working: bool) -> None:
        """Show what is open, with first glimpses of the files that are still to be read."""
        at_end = self.verticalScrollBar().value() >= self.verticalScrollBar().maximum() - 4
        # Of sheets from one scanner one is measured: else all hundreds are, whenever one thumbnail has come.
        self.setUniformItemSizes(opened.case is not None and len({sheet.size_px for sheet in opened.sheets}) == 1)
        self._model.set_opened(opened, glimpses, working, self.devicePixelRatioF())
        if opened.case is None and working and at_end and opened.sheets:  # they come one after the other
            self.scrollTo(self._model.index(len(opened.sheets) - 1))

    @property
    def room_px(self) -> QSize:
        """The room that a thumbnail has, in pixels of the screen."""
        return self._model.room_px

    def show_thumbnail(self, row: int, preview: QImage) -> None:
        """Show the preview of a sheet that was asked for."""
        self._model.show_thumbnail(row, preview)

    @property
    def thumbnail_px(self) -> int:
        """Width of the thumbnails."""
        return self._model.width_px

    def set_thumbnail_px(self, width_px: int) -> None:
        """Make the thumbnails that wide."""
        width_px = min(max(width_px, _WIDTHS_PX[0]), _WIDTHS_PX[-1])
        if width_px != self._model.width_px:
            chosen = self.currentIndex().row()
            self._model.set_width(width_px)
            self.choose(chosen)
            self.thumbnail_changed.emit(width_px)

    def step_thumbnails(self, steps: int) -> None:
        """Make the thumbnails larger or smaller by some steps."""
        at = min(range(len(_WIDTHS_PX)), key=lambda number: abs(_WIDTHS_PX[number] - self.thumbnail_px))
        self.set_thumbnail_px(_WIDTHS_PX[min(max(at + steps, 0), len(_WIDTHS_PX) - 1)])

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(event.pos())
        at = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            index = self.currentIndex()
            at = self.viewport().mapToGlobal(self.visualRect(index).center())
        if index.flags() & Qt.ItemFlag.ItemIsEnabled:
            self.setCurrentIndex(index)
            self.sheet_chosen.emit(index.row())
            self.menu_wanted.emit(at)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.step_thumbnails(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)

    def choose(self, sheet: int) -> None:
        """Mark a sheet; -1 for none."""
        index = self._model.index(sheet) if sheet >= 0 else QModelIndex()
        if index != self.currentIndex():
            self.setCurrentIndex(index)
            if not index.isValid():
                self.clearSelection()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentIndex().row()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and before >= 0:
            self.sheet_opened.emit(before)
            return
        super().keyPressEvent(event)
        if self.currentIndex().row() != before:
            self.sheet_chosen.emit(self.currentIndex().row())

    def sizeHint(self) -> QSize:
        return QSize(_WIDTH_PX + 2 * _PADDING + 24, 400)
