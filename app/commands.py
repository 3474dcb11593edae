"""Steps of the history: one command wraps any edit of the arrangement, another a new result of the solver."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from PySide6.QtGui import QUndoCommand

if TYPE_CHECKING:
    from core.arrangement.edit import Edit, Restore
    from core.case.case import Case
    from core.shreds.shred import Shred

_MERGEABLE = 1


class Shelf:
    """Where the shreds lie that several states of a case share: they can be packed while others are shown.

    Parameters
    ----------
    shreds : tuple of Shred
        Of the case.
    """

    def __init__(self, shreds: tuple[Shred, ...]) -> None:
        self.shreds = shreds


class Holder(Protocol):
    """Holds the case that the commands change."""

    def carry_out(self, edit: Restore) -> None:
        """Change the arrangement."""

    def put(self, case: Case, shelf: Shelf) -> None:
        """Put another state of the case in place, the shreds of which lie on a shelf."""


class EditCommand(QUndoCommand):
    """What an edit changes; that stands fast, whatever the costs say of shifts when it is done again.

    Parameters
    ----------
    holder : Holder
        Of the case.
    edit : Edit
        What the examiner does.
    forth, back : Restore
        What it changes: carried out when the command is pushed and by redo, and by undo.
    text : str
        What follows "Undo" in the menu: "move of 3 shreds".
    """

    def __init__(self, holder: Holder, edit: Edit, forth: Restore, back: Restore, text: str) -> None:
        super().__init__(text)
        self._holder = holder
        self._edit = edit
        self._forth, self._back = forth, back

    def redo(self) -> None:
        self._holder.carry_out(self._forth)

    def undo(self) -> None:
        self._holder.carry_out(self._back)

    def id(self) -> int:
        return _MERGEABLE

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take a later nudge of the same shreds in, so that a drag is one step; none is left if it leads back."""
        assert isinstance(other, EditCommand)
        if not self._edit.goes_on_in(other._edit):
            return False
        self._forth, self._back = self._forth.then(other._forth), other._back.then(self._back)
        self.setObsolete(self._forth == self._back)
        return True


class CaseCommand(QUndoCommand):
    """Another result: costs and proof go with the arrangement, and shreds if the sheets were read anew.

    Parameters
    ----------
    holder : Holder
        Of the case.
    before, after : Case
        What it is, and what it becomes.
    shelves : tuple of Shelf
        Where the shreds of either lie.
    text : str
        What follows "Undo" in the menu.
    """

    def __init__(self, holder: Holder, before: Case, after: Case, shelves: tuple[Shelf, Shelf], text: str) -> None:
        super().__init__(text)
        self._holder = holder
        self._before, self._after = (replace(case, shreds=()) for case in (before, after))
        self._shelves = shelves

    def redo(self) -> None:
        self._put(self._after, self._shelves[1])

    def undo(self) -> None:
        self._put(self._before, self._shelves[0])

    def _put(self, case: Case, shelf: Shelf) -> None:
        self._holder.put(replace(case, shreds=shelf.shreds), shelf)
