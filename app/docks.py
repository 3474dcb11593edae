"""The panels around the page: docks that can be moved, let float, closed, and brought back by key."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QCloseEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QDockWidget, QMainWindow, QScrollArea, QWidget

from app.reasons import allow
from app.settings import Settings
from app.wording import translate

_ACROSS = Qt.Orientation.Horizontal

ROOM_PX = "room_px"
"""The property of a panel that wants more room than it needs: how wide it is best shown."""

_LEAST = QSize(150, 90)
"""Of a panel that scrolls."""

_MOST_OF_WINDOW = 0.45
"""A panel at the right is made as wide as this by itself, where it needs it."""


LAYOUTS: Mapping[str, tuple[tuple[str, ...], float]] = {
    "read": ((), 0.0),
    "review": (("review",), 0.5),
    "correct": (("set_aside", "source", "order"), 0.3),
}
"""Which panels each layout shows, and how much of the window's width those at the right take."""


@dataclass(frozen=True, eq=False)
class Panel:
    """A dock, the action that shows it, and why there is nothing to show, if there is nothing."""

    action: QAction
    dock: "_Dock"
    missing: Callable[[], str]


class Docks:
    """All panels of a window by name; which are shown is remembered, and where they lie is in the window's state.

    Parameters
    ----------
    window : QMainWindow
        Where they are.
    settings : Settings
        Remembers which are shown.
    """

    def __init__(self, window: QMainWindow, settings: Settings) -> None:
        self._window = window
        self._settings = settings
        self._panels: dict[str, Panel] = {}
        self._fronts = set(settings.fronts())
        """Those that were in front of others when they were shown last, and are to be so again."""
        self._taking_focus: set[str] = set()

    def __iter__(self) -> Iterator[Panel]:
        return iter(self._panels.values())

    def __getitem__(self, name: str) -> Panel:
        return self._panels[name]

    def add(
        self,
        name: str,
        title: str,
        widget: QWidget,
        area: Qt.DockWidgetArea,
        key: str,
        missing: Callable[[], str],
        *,
        tip: str = "",
        shown: bool = True,
    ) -> None:
        """Add a panel.

        Parameters
        ----------
        name : str
            By which it and its place are remembered.
        title : str
            On the panel and in the menu.
        widget : QWidget
            What is in it.
        area : Qt.DockWidgetArea
            Where it lies at first.
        key : str
            Shortcut that shows and hides it.
        missing : callable
            Why there is nothing to show in it, "" if there is something; asked at each `refresh`.
        tip : str
            What it is for.
        shown : bool
            Whether it is shown before the examiner has said anything.
        """
        dock = _Dock(title, self._window)
        dock.setObjectName(name)
        dock.content = widget
        self._window.addDockWidget(area, dock)
        action = _PanelAction(title, self._window, checkable=True, checked=self._settings.panel(name, shown))
        action.bring_forward = lambda: self._bring_forward(name)
        action.setShortcut(key)
        tip = tip or translate("panels", "Show or hide this panel")
        action.setToolTip(f"{tip} ({key})")
        action.setStatusTip(tip)
        self._window.addAction(action)
        action.toggled.connect(lambda on: self._settings.set_panel(name, on))
        action.toggled.connect(self.refresh)
        # One that is asked for comes before those that share its place.
        action.toggled.connect(lambda on: self._raise(name) if on else None)
        dock.closed = lambda: action.setChecked(False)
        self._panels[name] = Panel(action, dock, missing)

    def refresh(self) -> None:
        """Show those that are to be shown and have something to show."""
        missing = {name: panel.missing() for name, panel in self._panels.items()}
        for name, panel in self._panels.items():
            allow(missing[name], panel.action)
        wanted = {name: panel.action.isChecked() and not missing[name] for name, panel in self._panels.items()}
        changed = [name for name, panel in self._panels.items() if wanted[name] != panel.dock.isVisibleTo(self._window)]
        if changed:
            fronts = self._in_front()
            self._fronts |= {name for name in changed if name in fronts and self._panels[name].action.isChecked()}
        for name, panel in self._panels.items():
            if wanted[name]:
                panel.dock.fill()
            if name in changed:
                panel.dock.setVisible(wanted[name])
        for name in self._fronts.intersection(name for name in changed if wanted[name]):
            self._fronts.discard(name)
            self._panels[name].dock.raise_()

    def _in_front(self) -> list[str]:
        return [name for name, panel in self._panels.items() if not panel.dock.visibleRegion().isEmpty()]

    def is_behind(self, widget: QWidget) -> bool:
        """Return whether a widget is in a panel that another one covers."""
        docks = (panel.dock for panel in self._panels.values() if panel.dock.isAncestorOf(widget))
        return any(dock.visibleRegion().isEmpty() for dock in docks)

    def remember(self) -> None:
        """Remember which are in front of those that share their place."""
        self._settings.set_fronts(self._in_front() or list(self._fronts))

    def arrange(self, layout: str) -> None:
        """Show the panels of a layout and no others, so that the page has all the rest of the window."""
        names, share = LAYOUTS[layout]
        for name, panel in self._panels.items():
            panel.action.setChecked(name in names)
        right = Qt.DockWidgetArea.RightDockWidgetArea
        docks = [self._panels[name].dock for name in names]
        at_right = [dock for dock in docks if self._window.dockWidgetArea(dock) == right and not dock.isFloating()]
        self._window.resizeDocks(at_right, [round(share * self._window.width())] * len(at_right), _ACROSS)

    def focus_when_asked_for(self, name: str) -> None:
        """Give the focus to what is first in a panel whenever it is asked for: it does not go with the page."""
        self._taking_focus.add(name)
        panel = self._panels[name]
        panel.action.triggered.connect(lambda on: _focus_first(panel.dock.widget()) if on else None)

    def _bring_forward(self, name: str) -> bool:
        """Bring a panel that is shown to where it is worked with; return whether it was not there yet."""
        dock, focus = self._panels[name].dock, QApplication.focusWidget()
        takes_focus = name in self._taking_focus
        if name in self._in_front() and not (takes_focus and (focus is None or not dock.isAncestorOf(focus))):
            return False
        self._raise(name)
        if takes_focus:
            _focus_first(dock.widget())
        return True

    def _raise(self, name: str) -> None:
        """Bring a panel before those that share its place, and soon widen it where it is cut and there is room."""
        dock = self._panels[name].dock
        dock.raise_()
        QTimer.singleShot(0, dock, lambda: self._widen(dock))  # it has its place only then

    def _widen(self, dock: QDockWidget) -> None:
        area, right = dock.widget(), Qt.DockWidgetArea.RightDockWidgetArea
        if isinstance(area, _Scrolling) and not dock.isFloating() and self._window.dockWidgetArea(dock) == right:
            bar = area.verticalScrollBar()
            around = dock.width() - area.viewport().width() + (0 if bar.isVisible() else bar.sizeHint().width())
            needed = min(area.content_px + around, round(_MOST_OF_WINDOW * self._window.width()))
            if dock.isVisible() and dock.width() < needed:
                self._window.resizeDocks([dock], [needed], _ACROSS)

    def show(self, name: str) -> None:
        """Show a panel, in front of those that share its place."""
        self._panels[name].action.setChecked(True)
        self._raise(name)


def _focus_first(widget: QWidget) -> None:
    widget.setFocus(Qt.FocusReason.ShortcutFocusReason)
    widget.focusNextChild()


class _Scrolling(QScrollArea):
    """Lets a panel scroll where there is no room for it: no panel makes the window larger than a small screen."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidget(widget)
        self.setMinimumSize(_LEAST)
        self.setFocusProxy(widget)
        self._content = widget

    @property
    def content_px(self) -> int:
        """How wide what is in it is at least, or is best shown."""
        needed = self._content.minimumSizeHint().expandedTo(self._content.minimumSize()).width()
        return max(needed, self._content.property(ROOM_PX) or 0)


class _PanelAction(QAction):
    """Its key brings a panel forward that is shown already, and puts away only what is there."""

    bring_forward: Callable[[], bool]

    def event(self, event: QEvent) -> bool:
        by_key = event.type() == QEvent.Type.Shortcut and self.isEnabled() and self.isChecked()
        return (by_key and self.bring_forward()) or super().event(event)


class _Dock(QDockWidget):
    """Closing it unchecks its action, so that it does not come back by itself."""

    content: QWidget
    closed: Callable[[], None]

    def fill(self) -> None:
        """Put in what is in it, if it is not there yet: it takes on its style then, which at the start takes long."""
        if self.widget() is None:
            self.setWidget(self.content if isinstance(self.content, QAbstractScrollArea) else _Scrolling(self.content))

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed()
