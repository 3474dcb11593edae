"""Labels and buttons in the roles that the style sheet knows, and any other part of a window."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar

from PySide6.QtCore import QObject, Signal, SignalInstance
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QToolButton

from app.wording import translate

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


def turning_buttons(turn: Callable[[int], object]) -> tuple[QPushButton, QPushButton]:
    """Build the buttons that turn to the page before (-1) and after (1)."""
    tips = {-1: translate("controls", "Show the page before"), 1: translate("controls", "Show the page after")}
    before, after = (
        button(sign, tips[by], lambda _=False, by=by: turn(by), "narrow", autoDefault=False, minimumWidth=34)
        for by, sign in ((-1, "‹"), (1, "›"))
    )
    for each in (before, after):
        each.setAccessibleName(each.toolTip())
    return before, after


class TicksButton(QToolButton):
    """A button with a menu of things to be ticked, at least one of them; it says which are."""

    changed = Signal(tuple)
    """The names of what is ticked, in the order in which it was ticked."""

    def __init__(self, tip: str) -> None:
        super().__init__()
        self.setToolTip(tip)
        self.setAccessibleName(tip)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setProperty("field", True)
        self.setMenu(QMenu(self))
        self.ticked: tuple[str, ...] = ()

    def offer(self, texts: Mapping[str, str], ticked: Iterable[str]) -> None:
        """Offer things by name, each with what the menu says of it."""
        self.menu().clear()
        self.ticked = tuple(name for name in ticked if name in texts)
        for name, text in texts.items():
            action = QAction(text, self.menu(), checkable=True, checked=name in self.ticked)
            action.toggled.connect(lambda on, name=name, action=action: self._tick(name, on, action))
            self.menu().addAction(action)
        self.setText("+".join(self.ticked))

    def _tick(self, name: str, on: bool, action: QAction) -> None:
        others = tuple(other for other in self.ticked if other != name)
        if not on and not others:
            action.setChecked(True)
        elif (name in self.ticked) != on:
            self.ticked = (*others, name) if on else others
            self.setText("+".join(self.ticked))
            self.changed.emit(self.ticked)
