"""Draws the rows of lists: what marks a chosen one in any list; an entry of the history; a note with its subject."""

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QKeySequence, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
)

from app import theme

Index = QModelIndex | QPersistentModelIndex

TITLE_ROLE = Qt.ItemDataRole.UserRole + 1
"""Under which the row of a note holds what it is about."""

_MARGIN, _GAP, _LINE_GAP = 8, 8, 1
_WRAPPED = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def set_up_list(view: QAbstractItemView, delegate: QStyledItemDelegate, name: str) -> None:
    """Let a delegate paint a list that scrolls up and down by pixels; its name is for those who hear it read out."""
    view.setItemDelegate(delegate)
    view.setMouseTracking(True)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setAccessibleName(name)


def wrap_cells(table: QTreeWidget, *stretches: int) -> None:
    """Let the cells of a table go on in further lines; the columns that are named take what room there is."""
    table.setRootIsDecorated(False)
    table.setWordWrap(True)
    table.setItemDelegate(_WrappedDelegate(table))
    for column in range(table.columnCount()):
        mode = QHeaderView.ResizeMode.Stretch if column in stretches else QHeaderView.ResizeMode.ResizeToContents
        table.header().setSectionResizeMode(column, mode)
    table.header().sectionResized.connect(lambda *_: table.scheduleDelayedItemsLayout())


class _WrappedDelegate(QStyledItemDelegate):
    """Asks for as many lines as a text has in its column; with a style sheet Qt would ask for one."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        table, hint = self.parent(), super().sizeHint(option, index)
        assert isinstance(table, QTreeWidget)
        if table.header().sectionResizeMode(index.column()) != QHeaderView.ResizeMode.Stretch:
            return hint
        room = QRect(0, 0, table.columnWidth(index.column()) - 2 * _MARGIN, 10_000)
        text = QFontMetrics(option.font).boundingRect(room, _WRAPPED, str(index.data()))
        return QSize(hint.width(), text.height() + _MARGIN + 3)


def is_selected(option: QStyleOptionViewItem) -> bool:
    """Return whether a row is chosen."""
    return bool(option.state & QStyle.StateFlag.State_Selected)


def ground(option: QStyleOptionViewItem) -> QColor | None:
    """Return the colour behind a row that is chosen or under the pointer."""
    if is_selected(option):
        return QColor(theme.colours().tint)
    return QColor(theme.colours().hover) if option.state & QStyle.StateFlag.State_MouseOver else None


def paint_tile(
    painter: QPainter, option: QStyleOptionViewItem, frame: QRect, radius: int, *, outlined: bool = True
) -> None:
    """Paint a rounded ground behind a row that is chosen or under the pointer; a chosen one may have an outline."""
    colour = ground(option)
    if colour is not None:
        accent = QPen(QColor(theme.colours().accent), 1.4)
        painter.setPen(accent if outlined and is_selected(option) else Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(frame, radius, radius)


class DeleteKey(QObject):
    """Lets Delete mean what stands in a list while that has the focus, and not the shreds chosen on the page.

    Parameters
    ----------
    view : QAbstractItemView
        The list.
    """

    pressed = Signal()

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or not event.matches(QKeySequence.StandardKey.Delete):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
        elif event.type() == QEvent.Type.KeyPress:
            self.pressed.emit()
        return True


class EntryDelegate(QStyledItemDelegate):
    """Two lines for each entry, the number in front of them; the model's columns are number, when, who and what."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, QFontMetrics(option.font).height() + _small(option)[1].height() + _LINE_GAP + _MARGIN)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colours = theme.colours()
        number, when, who, what = (str(index.sibling(index.row(), column).data()) for column in range(4))
        painter.save()
        rect = _paint_ground(painter, option)
        large, (font, small) = QFontMetrics(option.font), _small(option)
        width = small.horizontalAdvance("0000")
        top = rect.top() + _MARGIN // 2
        left, room = rect.left() + _MARGIN + width + _GAP, rect.width() - width - _GAP - 2 * _MARGIN
        lines = QRect(left, top, room, large.height())
        painter.setFont(option.font)
        painter.setPen(QColor(colours.text))
        painter.drawText(lines, _LEFT, large.elidedText(what, Qt.TextElideMode.ElideRight, room))
        base = top + large.ascent()
        painter.setFont(font)
        painter.setPen(QColor(colours.quiet))
        painter.drawText(QPoint(rect.left() + _MARGIN + width - small.horizontalAdvance(number), base), number)
        lines = QRect(left, lines.bottom() + 1 + _LINE_GAP, room, small.height())
        painter.drawText(lines, _LEFT, small.elidedText(f"{when}  ·  {who}", Qt.TextElideMode.ElideRight, room))
        painter.restore()


class NoteDelegate(QStyledItemDelegate):
    """A small line with what a note is about, and under it all of its text."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        view = self.parent()
        width = view.viewport().width() if isinstance(view, QAbstractItemView) else 120
        text = QFontMetrics(option.font).boundingRect(QRect(0, 0, width - 2 * _MARGIN, 10_000), _WRAPPED, index.data())
        return QSize(80, _small(option)[1].height() + text.height() + 2 * _MARGIN)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colours, (font, small) = theme.colours(), _small(option)
        painter.save()
        rect = _paint_ground(painter, option).adjusted(_MARGIN, _MARGIN - 2, -_MARGIN, 0)
        painter.setFont(font)
        painter.setPen(QColor(colours.quiet))
        painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, index.data(TITLE_ROLE))
        painter.setFont(option.font)
        painter.setPen(QColor(colours.text))
        painter.drawText(rect.adjusted(0, small.height() + _LINE_GAP, 0, 0), _WRAPPED, index.data())
        painter.restore()


def _paint_ground(painter: QPainter, option: QStyleOptionViewItem) -> QRect:
    """Paint what marks a whole row as chosen or under the pointer; return its place."""
    colour = ground(option)
    if colour is not None:
        painter.fillRect(option.rect, colour)
    return QRect(option.rect)


def _small(option: QStyleOptionViewItem) -> tuple[QFont, QFontMetrics]:
    """Return the smaller font of what matters less."""
    font = QFont(option.font)
    font.setPixelSize(11)
    return font, QFontMetrics(font)
