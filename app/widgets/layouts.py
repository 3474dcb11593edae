"""Rows and columns of widgets, and dialogs that fit a small screen."""

from typing import Any, TypeAlias, TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLayout, QScrollArea, QVBoxLayout, QWidget

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


def give_size(window: QWidget, width: int, height: int) -> None:
    """Make a window so large, or as large as the screen has room for."""
    window.resize(QSize(width, height).boundedTo(window.screen().availableGeometry().size() - _FRAME))
