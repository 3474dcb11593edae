"""Other options: what depends on them is done again on a worker, and taken over as a step that can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.tasks import Deliver
from core.options import Options, first_stage
from core.progress import Progress, part

if TYPE_CHECKING:
    from app.commands import Shelf
    from app.opened import Source
    from app.workspace import Workspace
    from core.case.case import Case
    from core.shreds.shred import Shred


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
