"""Shreds dragged from one view of the window to another, with a mark where they would drop."""

from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QWidget

from app.pages.shred_operations import Place, ShredOperations
from app.widgets.controls import build
from core.arrangement.arrangement import Arrangement
from core.matching.confidence import percentage


class DropTarget(Protocol):
    """A view on which shreds can be dropped."""

    def place_at(self, at: QPoint) -> Place | None:
        """Return the place under a point of the screen; None if it is outside, or nothing can be dropped there."""

    def mark_drop(self, place: Place | None) -> None:
        """Show where the shreds would drop, or take the mark away."""


class ShredDrag(QObject):
    """Carries shreds with the pointer.

    Qt's own drag and drop is for other programs and runs an event loop of its own; inside the window the view that was
    pressed keeps getting the mouse's moves anyway, and hands them on to here.

    Parameters
    ----------
    window : QWidget
        Over which the label that follows the pointer is shown.
    operations : ShredOperations
        Carries out the drop.
    """

    begun = Signal(object)
    """The shreds that are dragged."""
    moved = Signal(QPoint, object)
    """The pointer, on the screen, and the arrangement if they were dropped there; None if nothing changed."""
    ended = Signal()
    moved_to = Signal(object)
    """Shreds that a drop has moved to another place of the arrangement."""

    def __init__(self, window: QWidget, operations: ShredOperations) -> None:
        super().__init__(window)
        self._window = window
        self._operations = operations
        self._targets: list[DropTarget] = []
        self._receivers: dict[DropTarget, Callable[[tuple[str, ...], QPoint], object]] = {}
        self._shreds: tuple[str, ...] = ()
        self._at = QPoint()
        self._foreseen: tuple[Place | None, Arrangement | None] = None, None
        # A pointer that rests near the end of a strip goes on scrolling it.
        self._repeat = build(QTimer, self, interval=60, timeout=lambda: self.move(self._at))
        self._label = build(QLabel, window, objectName="drag_label")
        self._label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._label.hide()

    def add_target(
        self, target: DropTarget, receive: Callable[[tuple[str, ...], QPoint], object] | None = None
    ) -> None:
        """Let shreds be dropped on a view.

        Parameters
        ----------
        target : DropTarget
            The view.
        receive : callable, optional
            Takes shreds that are dropped there, and the point of the screen; if absent, they move to the place there.
        """
        if receive is None:
            self._targets.append(target)
        else:
            self._targets.insert(0, target)  # it may float above the others
            self._receivers[target] = receive

    @property
    def active(self) -> bool:
        """Whether something is being dragged."""
        return bool(self._shreds)

    def start(self, shreds: Sequence[str]) -> None:
        """Begin to drag."""
        self._shreds, self._foreseen = tuple(shreds), (None, None)
        self._name(None)
        self._label.show()
        self._label.raise_()
        self._repeat.start()
        self.begun.emit(self._shreds)

    def move(self, at: QPoint) -> None:
        """Follow the pointer, which is at a point of the screen."""
        self._at = at
        self._label.move(self._window.mapFromGlobal(at) + QPoint(14, 10))
        marked: Place | None = None
        for target in self._targets:
            place = None if marked is not None else self._place(target, at)
            target.mark_drop(place)
            marked = place if marked is None else marked
        self._label.setEnabled(marked is not None)
        if marked != self._foreseen[0]:
            self._foreseen = marked, None if marked is None else self._operations.foresee(self._shreds, marked)
            self._name(self._foreseen[1])
        self.moved.emit(at, self._foreseen[1])

    def _name(self, after: Arrangement | None) -> None:
        """Say beside the pointer what is dragged, and how sure the joins are that a drop there would make."""
        named = self._operations.named(self._shreds)
        lines = [named[0].upper() + named[1:]]
        if after is not None:
            made = self._operations.joins_made(after)
            lines += [f"{left} | {right}  {percentage(sure)}" for left, right, sure in made]
        self._label.setText("\n".join(lines))
        self._label.adjustSize()

    def drop(self, at: QPoint) -> None:
        """Drop the shreds at a point of the screen."""
        found = ((target, self._place(target, at)) for target in self._targets)
        target, place = next(((target, place) for target, place in found if place is not None), (None, None))
        shreds = self._shreds
        self.cancel()
        receive = None if target is None else self._receivers.get(target)
        if receive is not None:
            receive(shreds, at)
        elif place is not None and self._operations.put(shreds, place):
            self.moved_to.emit(shreds)

    def _place(self, target: DropTarget, at: QPoint) -> Place | None:
        place = target.place_at(at)
        return None if place is None else self._operations.open_gap(place)

    def cancel(self) -> None:
        """Leave everything as it was."""
        was_active, self._shreds = self.active, ()
        self._repeat.stop()
        self._label.hide()
        for target in self._targets:
            target.mark_drop(None)
        if was_active:
            self.ended.emit()
