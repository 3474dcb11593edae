"""Shreds dragged from one view of the window to another, with a mark where they would drop."""

from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import QLineF, QObject, QPoint, QPointF, Qt, QTimer, Signal
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


class OtherRows(Protocol):
    """The rows of a page of cross-cut paper beside the one that is worked on."""

    def place_at(self, point: QPointF) -> Place | None:
        """Return the place at a point of the page in or beside another row; None within the row that is worked on."""

    def line(self, place: Place) -> QLineF | None:
        """Return the line along which shreds would drop there; None for a place in the row that is worked on."""


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
        self.marked: Place | None = None
        """Where the shreds would drop."""
        self._foreseen: dict[Place | None, tuple[Arrangement | None, str]] = {}
        """What came of the places where they have been: the arrangement, and what is said of it."""
        # A pointer that rests near the end of a strip goes on scrolling it.
        self._repeat = build(QTimer, self, interval=60, timeout=lambda: self.move(self._at))
        self._tag = QWidget(window)  # around the label: other text on it does not lay out the window anew
        self._tag.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._tag.hide()
        self._label = build(QLabel, self._tag, objectName="drag_label")

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
        self._shreds = tuple(shreds)
        self._mark(None)
        self._tag.show()
        self._tag.raise_()
        self._repeat.start()
        self.begun.emit(self._shreds)

    def move(self, at: QPoint) -> None:
        """Follow the pointer, which is at a point of the screen."""
        self._at = at
        self._tag.move(self._window.mapFromGlobal(at) + QPoint(14, 10))
        marked: Place | None = None
        for target in self._targets:
            place = None if marked is not None else self._place(target, at)
            target.mark_drop(place)
            marked = place if marked is None else marked
        self._label.setEnabled(marked is not None)
        if marked != self.marked:
            self._mark(marked)
        self.moved.emit(at, self.foreseen)

    @property
    def foreseen(self) -> Arrangement | None:
        """The arrangement if they were dropped where they are; None if nothing changed."""
        return self._foreseen[self.marked][0]

    def _mark(self, place: Place | None) -> None:
        """Say beside the pointer what is dragged, and how sure the joins are that a drop at a place would make."""
        self.marked = place
        if place not in self._foreseen:
            after = None if place is None else self._operations.foresee(self._shreds, place)
            self._foreseen[place] = after, self._described(after)
        self._label.setText(self._foreseen[place][1])
        self._label.adjustSize()
        self._tag.resize(self._label.size())

    def forget(self) -> None:
        """Foresee anew what would come of a drop: the arrangement is another one."""
        self._foreseen.clear()
        if self.active:
            self._mark(self.marked)

    def _described(self, after: Arrangement | None) -> str:
        named = self._operations.named(self._shreds)
        lines = [named[0].upper() + named[1:]]
        if after is not None:
            made = self._operations.joins_made(after)
            lines += [f"{left} | {right}  {percentage(sure)}" for left, right, sure in made]
        return "\n".join(lines)

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
        self._foreseen.clear()
        self._repeat.stop()
        self._tag.hide()
        for target in self._targets:
            target.mark_drop(None)
        if was_active:
            self.ended.emit()
