"""The history of the open case: edits are carried out, undone, redone, and the joins described anew each time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Protocol
from weakref import WeakSet

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

if TYPE_CHECKING:
    from app.session.session import Workspace
    from app.session.tasks import Task
    from core.arrangement.arrangement import Arrangement
    from core.arrangement.edit import Edit, Restore
    from core.case.case import Case, JoinInfo
    from core.case.history import History
    from core.case.joins import Compared
    from core.shreds.shred import Shred
if TYPE_CHECKING:
    from core.arrangement.edit import Edit, Restore
    from core.case.case import Case
    from core.shreds.shred import Shred


class Editing(QObject):
    """Changes the case that a workspace holds, one undoable step at a time.

    Parameters
    ----------
    workspace : Workspace
        Whose case is changed, and whose tasks compute how sure each join is.
    """

    changed = Signal()
    """The arrangement, or what is known of its joins, is another one."""
    refused = Signal(str)
    """A sentence that says why an edit is not possible."""
    stepped = Signal()
    """There is something else to undo, to redo or to save."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._known: Compared | None = None
        self._comparing: Task | None = None
        self._told: tuple[JoinInfo, ...] = ()
        self._shelf = Shelf(())
        self._shelves: WeakSet[Shelf] = WeakSet()
        self.stack = QUndoStack(self)
        self.stack.indexChanged.connect(self.stepped)
        self.stack.cleanChanged.connect(self.stepped)

    @property
    def comparing(self) -> bool:
        """Whether the joins do not tell yet all that the costs tell of them."""
        return self._comparing is not None and not self._comparing.settled

    def begin(self) -> None:
        """Forget the history: another case is open."""
        self.stack.clear()
        self._workspace.recording.begin()
        self._shelf = self._new_shelf(self._workspace.case.shreds if self._workspace.case else ())
        self._known = None
        self._told = self._workspace.case.joins if self._workspace.case else ()
        self._compare()

    def edit(self, edit: Edit, text: str) -> bool:
        """Carry out an edit as one step of the history; tell whether it was possible and changed anything."""
        from core.arrangement.edit import InvalidEditError, Restore
        from core.case.arrangement_json import describe_edit
        from core.case.joins import known_shifts

        case = self._workspace.case
        if case is None:
            return False
        try:
            after, back = edit.apply(case.arrangement, known_shifts(case))
        except InvalidEditError as error:
            self.refused.emit(str(error))
            return False
        if after == case.arrangement:
            return False
        forth = Restore.between(case.arrangement, after)
        self.stack.push(EditCommand(self, edit, forth, back, text))
        self._workspace.recording.did("edited", text, {"edit": describe_edit(edit)})
        return True

    def adopt(self, case: Case, text: str) -> None:
        """Take over another result as one step of the history, be it of the same shreds or of the sheets read anew."""
        from core.case.arrangement_json import describe_options
        from core.case.record import reconstruction_parameters

        before = self._workspace.case
        assert before is not None
        read_anew = case.shreds is not before.shreds
        shelf = self._new_shelf(case.shreds) if read_anew else self._shelf
        self.stack.push(CaseCommand(self, before, case, (self._shelf, shelf), text))
        if read_anew:
            told = {**reconstruction_parameters(case), "keep": True}
            self._workspace.recording.did("read again", text, told)
        elif case.options != before.options:
            self._workspace.recording.did("options changed", text, {"options": describe_options(case.options)})
        else:
            self._workspace.recording.did("solved again", text, {"solve": True})

    def _new_shelf(self, shreds: tuple[Shred, ...]) -> Shelf:
        shelf = Shelf(shreds)
        self._shelves.add(shelf)
        return shelf

    @property
    def shelves(self) -> list[Shelf]:
        """Where the shreds lie of all states that undo and redo can bring back, and those of the case itself."""
        return list(self._shelves)

    def put_back(self, history: History, begun: int, arranged: Arrangement, solved: Arrangement | None) -> None:
        """Arrange the case as it was before a crash, by one step of the history; see `Workspace.put_back`."""
        from core.arrangement.edits import InvalidEditError, Replace
        from core.case.arrangement_json import describe_arrangement
        from core.case.joins import rearranged

        before, recording = self._workspace.case, self._workspace.recording
        assert before is not None
        try:
            Replace(arranged).apply(before.arrangement)
        except InvalidEditError as error:
            self.refused.emit(str(error))
            return
        if history:
            recording.go_on(history, begun)
        text, shelves = self.tr("restoring of unsaved changes"), (self._shelf, self._shelf)
        self.stack.push(
            CaseCommand(self, before, replace(rearranged(before, arranged, None), solved=solved), shelves, text)
        )
        recording.did("restored", text, {} if history else {"arrangement": describe_arrangement(arranged)})

    def step(self, go: Callable[[], None]) -> None:
        """Undo or redo, and show a page that is changed by it."""
        before = self._workspace.case
        if before is None:
            return
        index = self.stack.index()
        go()
        self._workspace.recording.went(index)
        after = self._workspace.case
        assert after is not None
        changed = _changed_pages(before, after)
        if changed and self._workspace.page not in changed:
            self._workspace.show_page(changed[0])

    def carry_out(self, edit: Restore) -> None:
        """Change the arrangement; only commands call this."""
        from core.case.joins import rearranged

        case = self._workspace.case
        assert case is not None
        arrangement, _ = edit.apply(case.arrangement)
        self._show(rearranged(case, arrangement, self._known, self._told))

    def put(self, case: Case, shelf: Shelf) -> None:
        """Put another state of the case in place; only commands call this."""
        before = self._workspace.case
        if shelf is not self._shelf:
            self._told = case.joins
        self._shelf = shelf
        self._show(case)
        if before is None or before.costs is not case.costs:
            self._known = None
        self._compare()

    def _show(self, case: Case) -> None:
        self._workspace.put_case(case)
        self.changed.emit()

    def _compare(self) -> None:
        """Compute on a worker what the costs tell of all joins, after all that was said when the order was found.

        Until then what was known before still holds; where nothing was, new joins have no confidence.
        """
        if self._comparing is not None:
            self._comparing.cancel()
        case = self._workspace.case
        if case is None or case.costs is None:
            return
        engine = self._workspace.engine
        task = self._workspace.tasks.start(lambda progress, deliver: engine.compare(case))
        task.succeeded.connect(lambda known: self._learn(case, known))
        task.failed.connect(self._workspace.failed)
        self._comparing = task

    def _learn(self, of: Case, known: Compared) -> None:
        from core.case.joins import rearranged

        case = self._workspace.case
        if case is None or case.costs is not of.costs:
            return
        self._known = known
        untold = any(not isfinite(join.cost) for join in case.joins)
        if untold or case.arrangement != of.arrangement:
            self._show(rearranged(case, case.arrangement, known))


def _changed_pages(before: Case, after: Case) -> list[int]:
    """List the pages that look otherwise than any did before; of thousands of shreds that must not take long."""
    old, new = before.arrangement, after.arrangement
    if before.options.composition != after.options.composition:
        return list(range(len(new.pages)))
    moved = set(old.half_turned ^ new.half_turned)
    for was, now in ((old.shift_px, new.shift_px), (old.turned_deg, new.turned_deg)):
        changed = {shred for shred, _ in was.items() ^ now.items()}
        moved |= {shred for shred in changed if was.get(shred, 0) != now.get(shred, 0)}
    same = set(old.pages)
    return [page for page, shreds in enumerate(new.pages) if shreds not in same or not moved.isdisjoint(shreds)]


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
