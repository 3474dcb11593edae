"""Draws the rows of narrow lists: an entry of the history, with when and by whom; a note, with what it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from app import theme

if TYPE_CHECKING:
    pass
if TYPE_CHECKING:
    pass


_MARGIN, _GAP, _LINE_GAP = 8, 8, 1


class EntryDelegate(QStyledItemDelegate):
    """Two lines for each entry, the number in front of them; the model's columns are number, when, who and what."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, _metrics(option).height() + _small(option)[1].height() + _LINE_GAP + _MARGIN)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        colours = theme.colours()
        number, when, who, what = (str(index.sibling(index.row(), column).data()) for column in range(4))
        painter.save()
        rect = _paint_ground(painter, option)
        large, (font, small) = _metrics(option), _small(option)
        width = small.horizontalAdvance("0000")
        top = rect.top() + _MARGIN // 2
        lines = QRect(
            rect.left() + _MARGIN + width + _GAP, top, rect.width() - width - _GAP - 2 * _MARGIN, large.height()
        )
        painter.setFont(getattr(option, "font", QFont()))
        painter.setPen(QColor(colours.text))
        painter.drawText(lines, _LEFT, large.elidedText(what, Qt.TextElideMode.ElideRight, lines.width()))
        base = top + large.ascent()
        painter.setFont(font)
        painter.setPen(QColor(colours.quiet))
        painter.drawText(QPoint(rect.left() + _MARGIN + width - small.horizontalAdvance(number), base), number)
        lines = QRect(lines.left(), lines.bottom() + 1 + _LINE_GAP, lines.width(), small.height())
        painter.drawText(
            lines, _LEFT, small.elidedText(f"{when}  ·  {who}", Qt.TextElideMode.ElideRight, lines.width())
        )
        painter.restore()


class NoteDelegate(QStyledItemDelegate):
    """A small line with what a note is about, and under it all of its text."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        view = self.parent()
        width = view.viewport().width() if isinstance(view, QAbstractItemView) else 120
        text = _metrics(option).boundingRect(QRect(0, 0, width - 2 * _MARGIN, 10_000), _WRAPPED, index.data())
        return QSize(80, _small(option)[1].height() + text.height() + 2 * _MARGIN)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        colours, (font, small) = theme.colours(), _small(option)
        painter.save()
        rect = _paint_ground(painter, option).adjusted(_MARGIN, _MARGIN - 2, -_MARGIN, 0)
        painter.setFont(font)
        painter.setPen(QColor(colours.quiet))
        painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, index.data(TITLE_ROLE))
        painter.setFont(getattr(option, "font", QFont()))
        painter.setPen(QColor(colours.text))
        painter.drawText(rect.adjusted(0, small.height() + _LINE_GAP, 0, 0), _WRAPPED, index.data())
        painter.restore()


def _paint_ground(painter: QPainter, option: QStyleOptionViewItem) -> QRect:
    """Paint what tells whether a row is chosen or under the pointer; give its place."""
    colours, rect = theme.colours(), QRect(getattr(option, "rect", QRect()))
    state = getattr(option, "state", QStyle.StateFlag.State_None)
    if state & QStyle.StateFlag.State_Selected:
        painter.fillRect(rect, QColor(colours.tint))
    elif state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(rect, QColor(colours.hover))
    return rect


TITLE_ROLE = Qt.ItemDataRole.UserRole + 1
"""Under which a note's row tells what it is about."""

_WRAPPED = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def _metrics(option: QStyleOptionViewItem) -> QFontMetrics:
    return QFontMetrics(getattr(option, "font", QFont()))


def _small(option: QStyleOptionViewItem) -> tuple[QFont, QFontMetrics]:
    """Give the smaller font of what matters less."""
    font = QFont(getattr(option, "font", QFont()))
    font.setPixelSize(11)
    return font, QFontMetrics(font)
