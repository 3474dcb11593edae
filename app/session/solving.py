"""What the examiner says of joins and of options, and solving again: on a worker, while the examiner goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.session.tasks import Deliver
from core.errors import UsageError
from core.options import Options, first_stage
from core.progress import Progress, part

if TYPE_CHECKING:
    from app.session.session import Workspace
    from app.session.tasks import Task
    from core.arrangement.arrangement import Arrangement, JoinState, Pair
    from core.arrangement.edits import Edit
    from core.case.case import Case
    from core.shreds.shred import Side
if TYPE_CHECKING:
    from app.session.document import Source
    from app.session.editor import Shelf
    from app.session.session import Workspace
    from core.case.case import Case
    from core.shreds.shred import Shred


class Joining(QObject):
    """Says of joins what the examiner says, and finds the order again.

    Answers are steps of the history of their own, taken at once; a solution that was begun before an answer is never
    shown, but begun anew with it.

    Parameters
    ----------
    workspace : Workspace
        Whose case it is.
    """

    solving_changed = Signal(bool)
    """Whether an order is being looked for."""
    solved = Signal(object)
    """What has changed: `core.arrangement.changes.Changes`."""
    unsolvable = Signal()
    """There is no order that keeps to all that was said."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._task: Task | None = None
        workspace.case_changed.connect(self.stop)

    @property
    def solving(self) -> bool:
        """Whether an order is being looked for."""
        return self._task is not None

    def say(self, pair: Pair, state: JoinState) -> bool:
        """Say what a join is, in place of earlier answers that contradict it; tell whether that changed anything."""
        from core.arrangement.edits import SetJoin, Together

        case = self._workspace.case
        if case is None:
            return False
        texts = {
            "confirmed": self.tr("confirmation of {left} | {right}"),
            "forbidden": self.tr("ban of {left} | {right}"),
            "suggested": self.tr("withdrawal of the answer to {left} | {right}"),
        }
        edits: list[Edit] = []
        if state == "confirmed":
            edits += [SetJoin(*other, "suggested") for other in rivals(case.arrangement, pair)]
        edits.append(SetJoin(*pair, state))
        return self._workspace.edit(Together(tuple(edits)), texts[state].format(left=pair[0], right=pair[1]))

    def toggle(self, pair: Pair, state: JoinState) -> bool:
        """Say what a join is, or take it back if it has been said already."""
        case = self._workspace.case
        said = case is not None and case.arrangement.state(*pair) == state
        return self.say(pair, "suggested" if said else state)

    def say_instead(self, wrong: Pair, right: Pair) -> bool:
        """Say that one join is wrong and another is right, as one step."""
        from core.arrangement.edits import SetJoin, Together

        case = self._workspace.case
        if case is None:
            return False
        withdrawn = [SetJoin(*other, "suggested") for other in rivals(case.arrangement, right)]
        edit = Together((*withdrawn, SetJoin(*wrong, "forbidden"), SetJoin(*right, "confirmed")))
        return self._workspace.edit(edit, self.tr("choice of {left} | {right}").format(left=right[0], right=right[1]))

    def say_margin(self, wrong: Pair, side: Side) -> bool:
        """Say that a join is wrong because a page ends there (right), or begins there (left), as one step."""
        from core.arrangement.edits import SetJoin, SetMargin, Together

        shred = wrong[0] if side == "right" else wrong[1]
        text = self.tr("end of a page with {shred}") if side == "right" else self.tr("start of a page with {shred}")
        edit = Together((SetJoin(*wrong, "forbidden"), SetMargin(shred, side)))
        return self._workspace.edit(edit, text.format(shred=shred))

    def solve_again(self) -> None:
        """Find the order that keeps to all that was said and done; whatever is under way begins anew."""
        workspace, case = self._workspace, self._workspace.case
        self.stop()
        # Comparing all borders anew takes long enough to be waited for, and cancelled.
        waits = case is not None and bool(case.turned_since)
        if case is None or case.costs is None or (waits and workspace.busy):
            return
        engine = workspace.engine
        task = workspace.tasks.start(lambda progress, deliver: engine.solve_again(case, progress))
        if waits:
            workspace.wait_for(task, "solve", self.tr("Solving again"))
        else:
            task.failed.connect(workspace.failed)
        task.failed.connect(self._end)
        task.failed.connect(lambda error: self.unsolvable.emit() if isinstance(error, UsageError) else None)
        task.cancelled.connect(self._end)
        task.succeeded.connect(lambda found: self._adopt(case, found))
        self._task = task
        self.solving_changed.emit(True)

    def stop(self) -> None:
        """Look for no order any more."""
        if self._task is not None:
            self._task.cancel()

    def _end(self, *_: object) -> None:
        self._task = None
        self.solving_changed.emit(False)

    def _adopt(self, begun: Case, found: Case) -> None:
        from core.arrangement.changes import changes

        self._end()
        case = self._workspace.case
        if case is None or case.shreds is not begun.shreds:
            return
        if case.arrangement != begun.arrangement or case.costs is not begun.costs:
            self.solve_again()
            return
        changed = changes(case.arrangement, found.arrangement)
        if changed or found.costs is not case.costs:
            self._workspace.adopt(found, self.tr("solving again"))
        self.solved.emit(changed)


def rivals(arrangement: Arrangement, pair: Pair) -> list[Pair]:
    """List the confirmed joins that share a border with a join."""
    left, right = pair
    return sorted(other for other in arrangement.confirmed - {pair} if other[0] == left or other[1] == right)


def shift_between(case: Case, pair: Pair) -> int:
    """Give the shift at which two shreds would join: as they stand, or else as the costs say."""
    from core.case.joins import known_shifts

    if case.arrangement.has_join(*pair):
        return case.arrangement.shift_px.get(pair[1], 0)
    return known_shifts(case)(*pair) or 0


def chosen_join(workspace: Workspace) -> Pair | None:
    """Give the join that is chosen: between two chosen neighbours, or left of the current shred (right of a first)."""
    case, selection = workspace.case, workspace.selection
    page = case.arrangement.page_of(selection.shred) if case and selection.shred else None
    if case is None or page is None:
        return None
    shreds = case.arrangement.pages[page]
    at = shreds.index(selection.shred)
    if len(selection.shreds) == 2 and case.arrangement.has_join(*selection.shreds):
        return selection.shreds[0], selection.shreds[1]
    if len(selection.shreds) > 1 or len(shreds) < 2:
        return None
    return (shreds[at - 1], shreds[at]) if at else (shreds[0], shreds[1])


class Adjusting(QObject):
    """Puts options in force.

    Parameters
    ----------
    workspace : Workspace
        Whose case is brought up to date.
    """

    lost = Signal(object)
    """Shreds, by their former names, that were found no more when the sheets were read with other options."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace

    def apply(self, options: Options) -> None:
        """Put options in force: for the case, as far as they concern it, and for whatever is opened next."""
        workspace, case = self._workspace, self._workspace.case
        stage = first_stage(workspace.options_in_force, options)
        if stage is None or workspace.busy:
            return
        if case is None:
            workspace.options = options
            workspace.options_changed.emit()
        elif stage == "read":
            workspace.with_sources(lambda sources: self._read_again(options, sources))
        else:
            self._redo(case, options)

    def _redo(self, case: Case, options: Options) -> None:
        workspace = self._workspace
        engine = workspace.engine

        def work(progress: Progress, deliver: Deliver) -> Case:
            return engine.redo(case, options, progress)

        task = workspace.tasks.start(work)
        workspace.wait_for(task, "redo", self.tr("Putting the options in force"))
        task.succeeded.connect(lambda done: self._adopt(case, options, done))

    def _adopt(self, begun: Case, options: Options, done: Case) -> None:
        workspace, case = self._workspace, self._workspace.case
        if case is None or case.shreds is not begun.shreds:
            return
        if case is not begun and case.arrangement != begun.arrangement:
            self._redo(case, options)  # edited meanwhile: the edit must not be lost
            return
        workspace.options = options
        workspace.adopt(done, self.tr("change of options"))

    def _read_again(self, options: Options, sources: Sequence[Source]) -> None:
        """Read the sheets with other options, while the case stays in sight as it is."""
        workspace = self._workspace
        engine = workspace.engine

        def work(progress: Progress, deliver: Deliver) -> Case:
            return engine.reconstruct(sources, lambda info, shreds: None, progress, options)

        task = workspace.tasks.start(work)
        workspace.wait_for(task, "redo", self.tr("Reading the sheets again"))
        task.succeeded.connect(self._carry_over)

    def _carry_over(self, read: Case) -> None:
        """Take what was said over to the sheets read anew; shreds that step back are packed."""
        workspace, before = self._workspace, self._workspace.case
        if before is None:
            return
        engine, shelves = workspace.engine, workspace.shelves

        def work(progress: Progress, deliver: Deliver) -> tuple[Case, tuple[str, ...], list[tuple[Shred, ...]]]:
            case, lost = engine.keep_said(before, read, part(progress, 0, 0.5))
            return case, lost, engine.put_away([shelf.shreds for shelf in shelves], case.shreds)

        task = workspace.tasks.start(work)
        workspace.wait_for(task, "redo", self.tr("Taking over what you said"))
        task.succeeded.connect(lambda done: self._take(before, read, shelves, *done))

    def _take(
        self,
        before: Case,
        read: Case,
        shelves: Sequence[Shelf],
        done: Case,
        lost: tuple[str, ...],
        packed: Sequence[tuple[Shred, ...]],
    ) -> None:
        workspace, case = self._workspace, self._workspace.case
        if case is None or case.shreds is not before.shreds:
            return
        if case.arrangement != before.arrangement:
            self._carry_over(read)  # edited meanwhile: the edit must not be lost
            return
        workspace.options = done.options
        workspace.adopt(done, self.tr("change of options"))
        for shelf, shreds in zip(shelves, packed, strict=True):
            shelf.shreds = shreds
        if lost:
            self.lost.emit(lost)
