"""The samples nearest to one, each drawn together with it as the two would join."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app import theme
from app.images import image_from
from app.widgets.rows import Index, paint_tile, set_up_list

if TYPE_CHECKING:
    from core.inspection.sample_view import Inspection, NeighbourLook

_CARD_ROLE = Qt.ItemDataRole.UserRole
_PAIR = QSize(128, 64)
"""A pair of samples, each pixel drawn as four."""
_GAP = 8


@dataclass(frozen=True, eq=False)
class Card:
    """What is drawn of a neighbour."""

    found: NeighbourLook
    title: str
    detail: str
    by_order: str
    grey: QImage
    ink: QImage
    side: str
    """The border that was asked about: of "right" the sample lies left of the seam."""


class SampleCards(QListWidget):
    """A row of cards; a click tells which neighbour is meant."""

    chosen = Signal(object)
    """A NeighbourLook: the current card is another one."""
    opened = Signal(object)
    """A NeighbourLook that was clicked, or for which Enter was pressed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_up_list(self, _CardDelegate(self), self.tr("Nearest samples"))
        self.setFlow(QListWidget.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setMinimumWidth(2 * _PAIR.width() + 50)
        self.currentItemChanged.connect(lambda item, _: self.chosen.emit(_found(item)) if item else None)
        self.itemClicked.connect(lambda item: self.opened.emit(_found(item)))
        self.itemActivated.connect(lambda item: self.opened.emit(_found(item)))

    def set_inspection(self, inspection: Inspection | None) -> None:
        """Show the neighbours of a sample."""
        self.clear()
        if inspection is None:
            return
        from core.inspection.sample_view import joined

        for rank, found in enumerate(inspection.found, start=1):
            grey, ink = joined(inspection.look, found.look)
            shred = found.look.sample.shred
            title = f"{rank}  {shred}"
            if found.behind:
                shred = self.tr("{id}, behind {seen}").format(id=shred, seen=found.behind)
            detail = self.tr("{d:.2f} away, at {mm:.0f} mm").format(d=found.neighbour.distance, mm=found.look.height_mm)
            by_order = self.tr("✓ in the order") if found.by_order else ""
            asked = inspection.look.sample.side
            card = Card(found, title, detail, by_order, image_from(grey), image_from(ink), asked)
            item = QListWidgetItem()
            item.setData(_CARD_ROLE, card)
            side = self.tr("left border") if found.look.sample.side == "left" else self.tr("right border")
            item.setData(
                Qt.ItemDataRole.AccessibleTextRole, f"{rank}  {shred}, {side}, {detail}, {by_order}".rstrip(", ")
            )
            tip = self.tr("{side} of shred {id}, {detail}\nClick to go to it; Ctrl+J tries the join.")
            item.setToolTip(tip.format(side=side, id=shred, detail=detail))
            self.addItem(item)

    @property
    def current(self) -> NeighbourLook | None:
        """The neighbour of the current card."""
        item = self.currentItem()
        return _found(item) if item is not None else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current is not None:
            self.opened.emit(self.current)
        else:
            super().keyPressEvent(event)


def _found(item: QListWidgetItem) -> NeighbourLook:
    card: Card = item.data(_CARD_ROLE)
    return card.found


class _CardDelegate(QStyledItemDelegate):
    """Paints the pair in grey and beside it in ink, with shred and distance above."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(2 * _PAIR.width() + 3 * _GAP + 6, _PAIR.height() + option.fontMetrics.height() + 2 * _GAP + 6)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        card: Card = index.data(_CARD_ROLE)
        colours, line = theme.colours(), option.fontMetrics.height()
        painter.save()
        frame = option.rect.adjusted(3, 3, -3, -3)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_tile(painter, option, frame, radius=6)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        room = QRect(frame.left() + _GAP, frame.top() + 4, 2 * _PAIR.width() + _GAP, line)
        bold = painter.font()
        bold.setBold(True)
        for text, colour, font in (
            (card.title, colours.text, bold),
            (card.by_order, colours.sure, bold),
            (card.detail, colours.quiet, option.font),
        ):
            painter.setFont(font)
            painter.setPen(QColor(colour))
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
            room.setLeft(room.left() + (painter.fontMetrics().horizontalAdvance(text) + 8 if text else 0))
        place = QRect(frame.left() + _GAP, room.bottom() + 5, _PAIR.width(), _PAIR.height())
        for image in (card.grey, card.ink):
            painter.drawImage(place, image)
            _paint_seam(painter, place, card, colours)
            place.translate(_PAIR.width() + _GAP, 0)
        painter.restore()


def _paint_seam(painter: QPainter, place: QRect, card: Card, colours: theme.Colours) -> None:
    """Frame the pair, and the sample asked about in its colour; a dashed line is where the two meet."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QColor(colours.border))
    painter.drawRect(place.adjusted(-1, -1, 0, 0))
    middle = place.left() + place.width() // 2
    painter.setPen(QPen(QColor(colours.quiet), 1, Qt.PenStyle.DashLine))
    painter.drawLine(middle, place.top() - 3, middle, place.bottom() + 3)
    left = place.left() if card.side == "right" else middle
    painter.setPen(QPen(QColor(colours.of_side(card.side)), 2))
    painter.drawRect(QRect(left, place.top(), place.width() // 2 - 1, place.height() - 1))
