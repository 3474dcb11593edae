"""Other options: what depends on them is done again on a worker, and taken over as a step that can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.tasks import Deliver
from core.options import Options
from core.progress import Progress, part
from core.stages import first_stage

if TYPE_CHECKING:
    from app.engine import OnSheet
    from app.workspace import Workspace
    from core.case import Case


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
        self._lost: tuple[str, ...] = ()
        workspace.case_changed.connect(self._tell_lost)

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
            self._read_again(case, options)
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

    def _read_again(self, before: Case, options: Options) -> None:
        engine = self._workspace.engine

        def make(paths: Sequence[Path], on_sheet: OnSheet, progress: Progress) -> Case:
            read = engine.reconstruct(paths, on_sheet, part(progress, 0, 0.9), options)
            case, self._lost = engine.keep_said(before, read, part(progress, 0.9, 1))
            return case

        self._workspace.read_again(options, make)

    def _tell_lost(self) -> None:
        if self._lost and self._workspace.case is not None:
            lost, self._lost = self._lost, ()
            self.lost.emit(lost)
