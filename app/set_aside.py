"""The tray: what has no place on a page. Blank shreds, slivers and crumbs are never silently lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPainter, QTransform
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app import theme, wording
from app.filmstrip import Index
from app.image_view import image_from

if TYPE_CHECKING:
    from core.case import Case, Crumb
    from core.shred import Shred

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


class SetAside(QListWidget):
    """Lists what was set aside, each shred as the strip it is."""

    shred_chosen = Signal(str)
    crumb_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setItemDelegate(_ThingDelegate(self))
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumHeight(60)
        self.setAccessibleName(self.tr("Set aside"))
        self.itemClicked.connect(self._choose)
        self.itemActivated.connect(self._choose)

    def set_case(self, case: Case | None) -> None:
        """Fill the tray."""
        self.clear()
        if case is None:
            return
        shreds = {shred.id: shred for shred in case.shreds}
        things = [
            self._of_shred(shreds[each], case.sheets[shreds[each].sheet].name) for each in case.arrangement.set_aside
        ]
        things += [self._of_crumb(crumb, case.sheets[crumb.sheet].name) for crumb in case.crumbs]
        for thing in things:
            item = QListWidgetItem()
            item.setData(_THING_ROLE, thing)
            item.setToolTip(f"{thing.title}, {thing.reason}\n{thing.place}")
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{thing.title}, {thing.reason}")
            self.addItem(item)

    def _of_shred(self, shred: Shred, sheet: str) -> Thing:
        reason = self.tr("blank") if shred.blank else self.tr("set aside")
        # Laid on its side; every fourth pixel is plenty for a strip that is drawn nine pixels high.
        strip = image_from(shred.pixels[::4, ::4]).transformed(QTransform().rotate(-90))
        return Thing(self.tr("Shred {id}").format(id=shred.id), reason, place=sheet, shred=shred.id, strip=strip)

    def _of_crumb(self, crumb: Crumb, sheet: str) -> Thing:
        reasons = {"sliver": self.tr("Sliver"), "crumb": self.tr("Crumb"), "frame": self.tr("Scan edge")}
        width, height = (max(1, round(25.4 * side / 300)) for side in crumb.bbox[2:])
        size = self.tr("{w} × {h} mm").format(w=width, h=height)
        return Thing(reasons.get(crumb.reason, crumb.reason), size, place=sheet, crumb=crumb)

    def _choose(self, item: QListWidgetItem) -> None:
        thing: Thing = item.data(_THING_ROLE)
        if thing.crumb is not None:
            self.crumb_chosen.emit(thing.crumb)
        else:
            self.shred_chosen.emit(thing.shred)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentItem()
        super().keyPressEvent(event)
        if self.currentItem() is not None and self.currentItem() is not before:
            self._choose(self.currentItem())

    def summary(self, case: Case) -> str:
        """Count what is in the tray: "2 shreds and 5 other pieces set aside"."""
        n_shreds, n_crumbs = len(case.arrangement.set_aside), len(case.crumbs)
        parts = []
        if n_shreds:
            parts.append(wording.counted(n_shreds, self.tr("shred"), self.tr("shreds")))
        if n_crumbs:
            parts.append(wording.counted(n_crumbs, self.tr("other piece"), self.tr("other pieces")))
        return self.tr("{things} set aside").format(things=self.tr(" and ").join(parts)) if parts else ""

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
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.tint if selected else colours.hover))
            painter.drawRoundedRect(frame, 5, 5)
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
            place = QRect(line.left(), line.bottom() + 4, line.width(), _STRIP_HEIGHT)
            painter.drawImage(place, thing.strip)
            painter.setPen(QColor(colours.border))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(place)
        painter.restore()
