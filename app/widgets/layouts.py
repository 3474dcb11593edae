"""Rows and columns of widgets."""

from typing import TypeAlias, TypeVar

from PySide6.QtWidgets import QBoxLayout, QLayout, QWidget

Box = TypeVar("Box", bound=QBoxLayout)
Item: TypeAlias = QWidget | QLayout | int | None


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
