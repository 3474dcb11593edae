"""Labels and buttons in the roles that the style sheet knows."""

from collections.abc import Callable
from typing import Any, Literal

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QLabel, QPushButton


def label(text: str = "", role: Literal["title", "heading", "section", "quiet"] = "quiet", **properties: Any) -> QLabel:
    """Build a label; its other properties are named as Qt names them, ``wordWrap=True``."""
    built = QLabel(text, **properties)
    built.setProperty("role", role)
    return built


def button(
    text: str,
    tip: str,
    clicked: Callable[..., object] | SignalInstance,
    role: Literal["", "main", "link", "narrow"] = "",
) -> QPushButton:
    """Build a button with a tooltip and what is done when it is clicked."""
    built = QPushButton(text)
    built.setToolTip(tip)
    if role:
        built.setProperty(role, True)
    built.clicked.connect(clicked)
    return built
