"""The tray: what has no place on a page. Blank shreds, slivers and crumbs are never silently lost."""

from collections.abc import Collection
from dataclasses import dataclass

from PySide6 import QtGui
from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QTransform
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyledItemDelegate, QStyleOptionViewItem

from app import theme
from app.images import image_from
from app.pages.dragging import ShredDrag
from app.pages.pointer import ShredPointer
from app.pages.shred_operations import TRAY, Place
from app.session.document import Document
from app.widgets.rows import Index, paint_tile, set_up_list
from core.case.case import Case
from core.sheets.sheet import sheet_names
from core.shreds.shred import Crumb, Shred
from core.units import px_to_mm

_THING_ROLE = Qt.ItemDataRole.UserRole
_STRIP_HEIGHT = 9


@dataclass(frozen=True, eq=False)
class Thing:
    """A shred or crumb in the tray."""

    title: str
    reason: str
    place: str
    shred: str = ""
    crumb: Crumb | None = None
    strip: QImage | None = None
    length: float = 1.0
    """Of the strip, against the longest shred of the case."""


class Tray(QListWidget):
    """Lists what was set aside, each shred as the strip it is."""

    shred_chosen = Signal(str)
    crumb_chosen = Signal(object)
    wanted_back = Signal()
    """The chosen shreds are to return to the page."""
    menu_wanted = Signal(QPoint)

    def __init__(self, document: Document, drag: ShredDrag) -> None:
        super().__init__()
        set_up_list(self, _ThingDelegate(self), self.tr("Set aside"))
        self.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.setMinimumSize(150, 60)
        self._pointer = ShredPointer(self.viewport(), document, drag, self.shred_at, self.shreds_in)
        drag.add_target(self)
        self._listed: tuple[tuple[Shred, ...], tuple[str, ...]] | None = None
        self._marked = False
        self._chosen: frozenset[str] = frozenset()
        self._strips: dict[str, QImage] = {}
        self.itemClicked.connect(self._choose)
        self.itemActivated.connect(self._bring_back)

    def set_case(self, case: Case | None) -> None:
        """Fill the tray, unless the same things are in it already."""
        before, self._listed = self._listed, (case.shreds, case.arrangement.set_aside) if case else None
        if before == self._listed:
            return
        self.clear()
        if before is None or case is None or before[0] is not case.shreds:
            self._strips.clear()  # others may have the same names
        if case is None:
            return
        shreds = {shred.id: shred for shred in case.shreds}
        longest_px = max(shred.bbox[3] for shred in case.shreds)
        names = sheet_names(case.sheets)
        things = [
            self._of_shred(shreds[each], names[shreds[each].sheet], longest_px) for each in case.arrangement.set_aside
        ]
        things += [self._of_crumb(crumb, names[crumb.sheet]) for crumb in case.crumbs]
        for thing in things:
            item, text = QListWidgetItem(self), f"{thing.title}, {thing.reason}"
            item.setData(_THING_ROLE, thing)
            item.setToolTip(f"{text}\n{thing.place}")
            item.setData(Qt.ItemDataRole.AccessibleTextRole, text)

    def _of_shred(self, shred: Shred, sheet: str, longest_px: int) -> Thing:
        titles = {"": self.tr("Shred {id}"), "sliver": self.tr("Sliver {id}"), "crumb": self.tr("Crumb {id}")}
        reason = self._size(shred.bbox) if shred.scrap else self.tr("blank") if shred.blank else self.tr("set aside")
        if shred.id not in self._strips:
            # Laid on its side; every fourth pixel is plenty for a strip that is drawn nine pixels high.
            self._strips[shred.id] = image_from(shred.pixels[::4, ::4]).transformed(QTransform().rotate(-90))
        title, strip = titles[shred.scrap].format(id=shred.id), self._strips[shred.id]
        length = min(1.0, shred.bbox[3] / longest_px)
        return Thing(title, reason, place=sheet, shred=shred.id, strip=strip, length=length)

    def _of_crumb(self, crumb: Crumb, sheet: str) -> Thing:
        reasons = {"sliver": self.tr("Sliver"), "crumb": self.tr("Crumb"), "frame": self.tr("Scan edge")}
        return Thing(reasons.get(crumb.reason, crumb.reason), self._size(crumb.bbox), place=sheet, crumb=crumb)

    def _size(self, bbox: tuple[int, int, int, int]) -> str:
        width, height = (max(1, round(px_to_mm(side))) for side in bbox[2:])
        return self.tr("{w} × {h} mm").format(w=width, h=height)

    def _choose(self, item: QListWidgetItem) -> None:
        thing: Thing = item.data(_THING_ROLE)
        if thing.crumb is not None:
            self.crumb_chosen.emit(thing.crumb)
        else:
            self.shred_chosen.emit(thing.shred)

    def _bring_back(self, item: QListWidgetItem) -> None:
        thing: Thing = item.data(_THING_ROLE)
        if thing.crumb is not None or thing.shred not in self._chosen:
            self._choose(item)
        if thing.crumb is None:
            self.wanted_back.emit()

    def choose(self, shreds: Collection[str]) -> None:
        """Mark the chosen shreds."""
        self._chosen = frozenset(shreds)
        for item in self._items():
            shred = item.data(_THING_ROLE).shred
            if shred:
                item.setSelected(shred in self._chosen)
            if shred in self._chosen:
                self.scrollToItem(item)

    def _items(self) -> list[QListWidgetItem]:
        return [self.item(row) for row in range(self.count())]

    def shred_at(self, at: QPoint) -> str:
        """Find the shred at a place in the viewport, "" for none."""
        item = self.itemAt(at)
        return item.data(_THING_ROLE).shred if item is not None else ""

    def shreds_in(self, area: QRect) -> list[str]:
        """Find the shreds that an area of the viewport touches."""
        touched = [item for item in self._items() if self.visualItemRect(item).intersects(area)]
        return [shred for item in touched if (shred := item.data(_THING_ROLE).shred)]

    def place_at(self, at: QPoint) -> Place | None:
        """Return the tray itself if a point of the screen is over it."""
        over = self.isVisible() and self.viewport().rect().contains(self.viewport().mapFromGlobal(at))
        return TRAY if over else None

    def mark_drop(self, place: Place | None) -> None:
        """Show that shreds would drop here."""
        if self._marked != (place is not None):
            self._marked = place is not None
            self.viewport().update()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        super().paintEvent(event)
        if self._marked:
            painter = QPainter(self.viewport())
            painter.setPen(QPen(QColor(theme.colours().accent), 3))
            painter.drawRect(self.viewport().rect().adjusted(1, 1, -2, -2))

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            item = self.itemAt(event.position().toPoint())
            if item is not None:
                self.setCurrentItem(item)
            self._pointer.press(event)
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._pointer.move(event)
        else:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        item = self.itemAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton:
            self._pointer.release(event)
            if item is not None and item.data(_THING_ROLE).crumb is not None:
                self._choose(item)
        else:
            super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        item = self.itemAt(event.position().toPoint())
        if item is not None and event.button() == Qt.MouseButton.LeftButton:
            self._bring_back(item)

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        shred = self.shred_at(event.pos())
        if not shred:
            return
        if shred not in self._chosen:
            self.shred_chosen.emit(shred)
        self.menu_wanted.emit(event.globalPos())

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        before = self.currentItem()
        super().keyPressEvent(event)
        if self.currentItem() is not None and self.currentItem() is not before:
            self._choose(self.currentItem())

    def sizeHint(self) -> QSize:
        return QSize(170, 180)


class _ThingDelegate(QStyledItemDelegate):
    """Paints a line of text, and the strip below it."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        thing: Thing = index.data(_THING_ROLE)
        strip = _STRIP_HEIGHT + 5 if thing.strip else 0
        return QSize(120, option.fontMetrics.height() + strip + 12)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colours, thing = theme.colours(), index.data(_THING_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = option.rect.adjusted(6, 1, -6, -1)
        paint_tile(painter, option, frame, radius=5, outlined=False)
        metrics = painter.fontMetrics()
        line = QRect(frame.left() + 6, frame.top() + 4, frame.width() - 12, metrics.height())
        room = line.width() - metrics.horizontalAdvance(thing.reason) - 8
        title = metrics.elidedText(thing.title, Qt.TextElideMode.ElideRight, room)
        painter.setPen(QColor(colours.text))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft, title)
        painter.setPen(QColor(colours.quiet))
        painter.drawText(line, Qt.AlignmentFlag.AlignRight, thing.reason)
        if thing.strip:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            length = max(_STRIP_HEIGHT, round(thing.length * line.width()))
            place = QRect(line.left(), line.bottom() + 4, length, _STRIP_HEIGHT)
            painter.drawImage(place, thing.strip)
            painter.setPen(QColor(colours.border))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(place)
        painter.restore()
