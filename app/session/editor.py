"""The steps of the open case: edits are carried out, undone, redone, and the joins described anew each time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isfinite
from weakref import WeakSet

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand

from app.sentences.steps import sentence
from app.session.document import Document
from app.session.journal import Journal
from app.session.tasks import Jobs, Task
from core.arrangement.arrangement import Arrangement
from core.arrangement.changes import changed_pages
from core.arrangement.edit import Edit, InvalidEditError, Restore
from core.arrangement.edits import Replace
from core.case.arrangement_json import describe_arrangement, describe_edit, describe_options
from core.case.case import Case, JoinInfo
from core.case.history import History
from core.case.joins import JoinTable, known_shifts, rearranged, told
from core.case.record import adding_parameters, mending_parameters, reconstruction_parameters
from core.shreds.shred import Shred


class Editor(QObject):
    """Changes the open case, one undoable step at a time.

    Parameters
    ----------
    document : Document
        Whose case is changed.
    jobs : Jobs
        Compute how sure each join is.
    journal : Journal
        Records each step.
    """

    refused = Signal(str)
    """A sentence that says why an edit is not possible."""
    rearranged = Signal(object, object)
    """Another order of the same shreds, or of more, was found and is shown: the case before, and as it is now."""

    compared = Signal()
    """From now on it is known how sure any join is, also those that the order has not."""

    def __init__(self, document: Document, jobs: Jobs, journal: Journal) -> None:
        super().__init__(document)
        self._document, self._jobs, self._journal = document, jobs, journal
        self._compared: JoinTable | None = None
        self._comparing: Task | None = None
        self._joins: tuple[JoinInfo, ...] = ()
        self._shelf = Shelf(())
        self._shelves: WeakSet[Shelf] = WeakSet()

    @property
    def comparing(self) -> bool:
        """Whether the joins do not tell yet all that the costs tell of them."""
        return self._comparing is not None and not self._comparing.settled

    def begin(self) -> None:
        """Begin with a case that has just been made or read: there is nothing to undo."""
        case = self._document.case
        self._document.undo_stack.clear()
        self._journal.begin()
        self._shelf = self._new_shelf(case.shreds if case else ())
        self._compared = None
        self._joins = case.joins if case else ()
        self._compare()

    def edit(self, edit: Edit, text: str) -> bool:
        """Change the arrangement by one step that can be undone.

        Parameters
        ----------
        edit : Edit
            See `core.arrangement.edits`.
        text : str
            What follows "Undo" in the menu: "move of 3 shreds".

        Returns
        -------
        bool
            False if there is nothing to change, or if the edit is not possible; then `refused` says why.
        """
        case = self._document.case
        if case is None:
            return False
        try:
            after, back = edit.apply(case.arrangement, known_shifts(case))
        except InvalidEditError as error:
            self.refused.emit(str(error))
            return False
        if after == case.arrangement:
            return False
        forth = back.inverse(after)
        self._document.undo_stack.push(EditCommand(self, edit, after, forth, back, text))
        done = sentence(edit, case.arrangement, after) or text
        self._journal.did("edited", done, {"edit": describe_edit(edit)})
        return True

    def foresee(self, edit: Edit) -> Arrangement | None:
        """Return the arrangement as an edit would leave it; None if it is impossible."""
        case = self._document.case
        if case is None:
            return None
        try:
            return edit.foreseen(case.arrangement, known_shifts(case))
        except InvalidEditError:
            return None

    def confidence(self, left: str, right: str, arrangement: Arrangement) -> float | None:
        """Return how sure a join would be of shreds as they stand in an arrangement, as far as that is known."""
        return None if self._compared is None else self._compared.confidence_of(left, right, arrangement)

    def adopt(self, case: Case, text: str, mended: int | None = None, *, added: bool = False) -> None:
        """Adopt another result as one step of the history, be it of the same shreds or of the sheets read anew.

        Where one sheet alone was done again, its number is given; where sheets were added, the others stayed.
        """
        before = self._document.case
        assert before is not None
        read_anew = case.shreds is not before.shreds
        shelf = self._new_shelf(case.shreds) if read_anew else self._shelf
        self._document.undo_stack.push(CaseCommand(self, before, case, (self._shelf, shelf), text))
        if mended is not None:
            self._journal.did("mended", text, mending_parameters([case.sheets[mended]]))
        elif added:
            self._journal.did("sheets added", text, adding_parameters(case, len(before.sheets)))
        elif read_anew:
            self._journal.did("read again", text, {**reconstruction_parameters(case), "keep": True})
        elif case.options != before.options:
            self._journal.did("options changed", text, {"options": describe_options(case.options)})
        else:
            self._journal.did("solved again", text, {"solve": True})
        if added or not read_anew:
            self.rearranged.emit(before, case)

    def _new_shelf(self, shreds: tuple[Shred, ...]) -> Shelf:
        shelf = Shelf(shreds)
        self._shelves.add(shelf)
        return shelf

    @property
    def shelves(self) -> list[Shelf]:
        """Where the shreds lie of all states that undo and redo can bring back, and those of the case itself."""
        return list(self._shelves)

    def put_back(self, history: History, begun: int, arranged: Arrangement, solved: Arrangement | None) -> None:
        """Go on with what was done before a crash, by one step that can be undone.

        Parameters
        ----------
        history : History
            Up to the last change; empty if it is not known.
        begun : int
            Number of the entry after which the case was as it is now.
        arranged, solved : Arrangement
            As the case had them.
        """
        before = self._document.case
        assert before is not None
        try:
            Replace(arranged).apply(before.arrangement)
        except InvalidEditError as error:
            self.refused.emit(str(error))
            return
        if history:
            self._journal.go_on(history, begun)
        text, shelves = self.tr("restoring of unsaved changes"), (self._shelf, self._shelf)
        after = replace(rearranged(before, arranged, None), solved=solved, below=before.below_of(solved or arranged))
        self._document.undo_stack.push(CaseCommand(self, before, after, shelves, text))
        self._journal.did("restored", text, {} if history else {"arrangement": describe_arrangement(arranged)})

    def undo(self) -> None:
        """Undo the last step, and show where that changed something."""
        self._step(self._document.undo_stack.undo)

    def redo(self) -> None:
        """Do again the step taken back last, and show where that changed something."""
        self._step(self._document.undo_stack.redo)

    def undo_all(self) -> None:
        """Undo all steps, down to where the case was opened."""
        self._step(lambda: self._document.undo_stack.setIndex(0))

    def _step(self, go: Callable[[], None]) -> None:
        document, before = self._document, self._document.case
        if before is None:
            return
        index = document.undo_stack.index()
        go()
        self._journal.went(index)
        assert document.case is not None
        changed = _changed_pages(before, document.case)
        if changed and document.page not in changed:
            document.show_page(changed[0])

    def carry_out(self, edit: Restore, after: Arrangement | None = None) -> None:
        """Change the arrangement, to one that is known or not; only commands call this."""
        case = self._document.case
        assert case is not None
        arrangement = after or edit.foreseen(case.arrangement)
        edited = rearranged(case, arrangement, self._compared, self._joins)
        self._show(edited)
        # An answer that is withdrawn makes no join surer any more, and other paper has other joins.
        if told(edited) != told(case) or arrangement.other_faces != case.arrangement.other_faces:
            self._compare(anew=True)

    def put(self, case: Case, shelf: Shelf) -> None:
        """Show another state of the case, the shreds of which lie on a shelf; only commands call this."""
        before = self._document.case
        if shelf is not self._shelf:
            self._joins = case.joins
        self._shelf = shelf
        self._show(case)
        if before is None or before.costs is not case.costs:
            self._compared = None
        self._compare()

    def _show(self, case: Case) -> None:
        chosen = self._document.selection
        self._document.put_state(case)
        self._document.arrangement_changed.emit()
        if self._document.selection != chosen:  # of paper that was turned over
            self._document.selection_changed.emit()

    def _compare(self, *, anew: bool = False) -> None:
        """Compute on a worker what the costs tell of all joins, after all that was said when the order was found.

        Until then what was known before still holds; where nothing was, new joins have no confidence. Anew, what was
        told of the joins of the case is told again.
        """
        if self._comparing is not None:
            self._comparing.cancel()
        case, engine = self._document.case, self._jobs.engine
        if case is None or case.costs is None:
            return
        task = self._jobs.start(lambda progress, deliver: engine.compare(case))
        task.succeeded.connect(lambda compared: self._learn(case, compared, anew))
        task.failed.connect(self._jobs.failed)
        self._comparing = task

    def _learn(self, of: Case, compared: JoinTable, anew: bool) -> None:
        case = self._document.case
        if case is None or case.costs is not of.costs:
            return
        self._compared = compared
        untold = any(not isfinite(join.cost) for join in case.joins)
        if anew or untold or case.arrangement != of.arrangement:
            self._show(rearranged(case, case.arrangement, compared))
        self.compared.emit()


def _changed_pages(before: Case, after: Case) -> list[int]:
    """List the pages that look otherwise than any did before."""
    if before.options.composition != after.options.composition:
        return list(range(len(after.arrangement.pages)))
    return changed_pages(before.arrangement, after.arrangement)


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


def stow(shelves: Sequence[Shelf], packed: Sequence[tuple[Shred, ...]]) -> None:
    """Put the same shreds on shelves in the form in which they take less room."""
    for shelf, shreds in zip(shelves, packed, strict=True):
        shelf.shreds = shreds


class EditCommand(QUndoCommand):
    """What an edit changes; that stands fast, whatever the costs say of shifts when it is done again.

    Parameters
    ----------
    editor : Editor
        Holds the case.
    edit : Edit
        What the examiner does.
    after : Arrangement
        What it makes of the arrangement; held until the command has been pushed.
    forth, back : Restore
        What it changes: carried out when the command is pushed and by redo, and by undo.
    text : str
        What follows "Undo" in the menu: "move of 3 shreds".
    """

    def __init__(
        self, editor: Editor, edit: Edit, after: Arrangement, forth: Restore, back: Restore, text: str
    ) -> None:
        super().__init__(text)
        self._editor, self._edit, self._forth, self._back = editor, edit, forth, back
        self._after: Arrangement | None = after

    def redo(self) -> None:
        after, self._after = self._after, None
        self._editor.carry_out(self._forth, after)

    def undo(self) -> None:
        self._editor.carry_out(self._back)

    def id(self) -> int:
        return _MERGEABLE

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Merge a later nudge of the same shreds, so that a drag is one step; none is left if it leads back."""
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
    editor : Editor
        Holds the case.
    before, after : Case
        What it is, and what it becomes.
    shelves : tuple of Shelf
        Where the shreds of either lie.
    text : str
        What follows "Undo" in the menu.
    """

    def __init__(self, editor: Editor, before: Case, after: Case, shelves: tuple[Shelf, Shelf], text: str) -> None:
        super().__init__(text)
        self._editor, self._shelves = editor, shelves
        self._cases = [replace(case, shreds=()) for case in (before, after)]

    def redo(self) -> None:
        self._put(1)

    def undo(self) -> None:
        self._put(0)

    def _put(self, which: int) -> None:
        shelf = self._shelves[which]
        self._editor.put(replace(self._cases[which], shreds=shelf.shreds), shelf)
