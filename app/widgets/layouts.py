"""Rows and columns of widgets, and dialogs that fit a small screen."""

from typing import Any, TypeAlias, TypeVar

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

Box = TypeVar("Box", bound=QBoxLayout)
Item: TypeAlias = QWidget | QLayout | int | None

_FRAME = QSize(8, 40)
"""What the system draws around a window, at most."""


def fill(
    box: Box, *items: Item | tuple[Item, int], margins: tuple[int, int, int, int] | None = None, spacing: int = -1
) -> Box:
    """Add items to a row or column, each with how far it stretches, if it does.

    None is empty room that stretches, a number is room of so many pixels.
    """
    if margins is not None:
        box.setContentsMargins(*margins)
    if spacing >= 0:
        box.setSpacing(spacing)
    for entry in items:
        item, stretch = entry if isinstance(entry, tuple) else (entry, 0)
        if item is None:
            box.addStretch(stretch)
        elif isinstance(item, int):
            box.addSpacing(item)
        elif isinstance(item, QWidget):
            box.addWidget(item, stretch)
        else:
            box.addLayout(item, stretch)
    return box


def in_row(*items: Item | tuple[Item, int], on: QWidget | None = None, **room: Any) -> QHBoxLayout:
    """Lay out items from left to right, on a widget if there is one; `fill` says how and with what room."""
    return fill(QHBoxLayout() if on is None else QHBoxLayout(on), *items, **room)


def in_column(*items: Item | tuple[Item, int], on: QWidget | None = None, **room: Any) -> QVBoxLayout:
    """Lay out items from top to bottom, as `in_row` does from left to right."""
    return fill(QVBoxLayout() if on is None else QVBoxLayout(on), *items, **room)


def scrolling(content: QLayout) -> QScrollArea:
    """Let a form scroll up and down where there is no room for it."""
    holder, area = QWidget(), QScrollArea(widgetResizable=True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    holder.setLayout(content)
    content.setContentsMargins(2, 2, 2, 2)
    area.setWidget(holder)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what is in it has the focus, and is brought into sight
    area.setMinimumWidth(holder.minimumSizeHint().width() + area.verticalScrollBar().sizeHint().width() + 4)
    return area


class Flow(QLayout):
    """Lays out widgets from left to right, in as many rows as it takes; the last one may stand at the right end."""

    def __init__(self, *widgets: QWidget, spacing: int, last_at_end: bool = False) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._last_at_end = last_at_end
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)
        for widget in widgets:
            self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max((rect.bottom() + 1 for _, rect in self._rows(width)), default=0)

    def sizeHint(self) -> QSize:
        sizes = [item.sizeHint() for item in self._shown()]
        width = sum(size.width() for size in sizes) + self.spacing() * max(0, len(sizes) - 1)
        return QSize(width, max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        return QSize(max((item.sizeHint().width() for item in self._shown()), default=0), self.sizeHint().height())

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        for item, place in self._rows(rect.width()):
            item.setGeometry(place.translated(rect.topLeft()))

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _rows(self, width: int) -> list[tuple[QLayoutItem, QRect]]:
        """Return what is shown with its place, all in one row or more of the same height."""
        height, x, y, places = self.sizeHint().height(), 0, 0, []
        for item in self._shown():
            hint = item.sizeHint()
            if x and x + hint.width() > width:
                x, y = 0, y + height + self.spacing()
            places.append((item, QRect(x, y + (height - hint.height()) // 2, hint.width(), hint.height())))
            x += hint.width() + self.spacing()
        for _, last in places[-1:] if self._last_at_end else ():
            last.moveRight(max(last.right(), width - 1))
        return places


class Pile(QStackedWidget):
    """Shows one widget of several, and asks for no more room than that one."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(self.updateGeometry)

    def minimumSizeHint(self) -> QSize:
        current = self.currentWidget()
        return QSize() if current is None else current.minimumSizeHint().expandedTo(current.minimumSize())


def give_size(window: QWidget, width: int, height: int) -> None:
    """Make a window so large, or as large as the screen has room for."""
    window.resize(QSize(width, height).boundedTo(window.screen().availableGeometry().size() - _FRAME))
