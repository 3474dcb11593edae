"""Labels and buttons in the roles that the style sheet knows, and any other part of a window."""

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from PySide6.QtCore import QObject, Signal, SignalInstance
from PySide6.QtWidgets import QLabel, QPushButton

Built = TypeVar("Built", bound=QObject)


def build(kind: type[Built], *arguments: Any, **properties: Any) -> Built:
    """Build a part of a window; properties and signals are named as Qt names them, inherited ones too.

    PySide takes them by name itself, but its stubs do not know the inherited ones, and it does not connect as
    `connect` does: it refuses signals, and hands functions arguments that they can do without.
    """
    signals = {name for name in properties if isinstance(getattr(kind, name, None), Signal)}
    built = kind(*arguments, **{name: value for name, value in properties.items() if name not in signals})
    for name in signals:
        getattr(built, name).connect(properties[name])
    return built


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
