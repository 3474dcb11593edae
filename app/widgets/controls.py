"""Labels and buttons in the roles that the style sheet knows, and any other part of a window."""

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from PySide6.QtCore import QObject, SignalInstance
from PySide6.QtWidgets import QLabel, QPushButton

Built = TypeVar("Built", bound=QObject)


def build(kind: type[Built], *arguments: Any, **properties: Any) -> Built:
    """Build a part of a window; properties and signals are named as Qt names them, inherited ones too.

    PySide takes all of them by name, in their order; its stubs know only those that a class has not inherited.
    """
    return kind(*arguments, **properties)


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
    **properties: Any,
) -> QPushButton:
    """Build a button with a tooltip and what is done when it is clicked."""
    built = build(QPushButton, text, toolTip=tip, clicked=clicked, **properties)
    if role:
        built.setProperty(role, True)
    return built
