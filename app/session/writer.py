"""What is written of the case, to its own file and to others: on a worker, and told in the history."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject

from app.session.journal import with_sha256
from app.session.tasks import Deliver
from app.wording import short
from core.progress import Progress, part

if TYPE_CHECKING:
    from app.session.editor import Editing
    from app.session.session import Workspace
    from core.case.case import Case

Write: TypeAlias = "Callable[[Case, Progress], tuple[Path, ...]]"
"""Writes files of a case and gives their paths; on a worker."""


class Writing(QObject):
    """Writes the case of a workspace.

    Parameters
    ----------
    workspace : Workspace
        Whose case it is.
    editing : Editing
        Knows whether the joins tell everything yet.
    """

    def __init__(self, workspace: Workspace, editing: Editing) -> None:
        super().__init__(workspace)
        self._workspace, self._editing = workspace, editing

    def write(self, what: str, function: Write) -> None:
        """Write files of the case.

        Parameters
        ----------
        what : str
            Is shown meanwhile.
        function : callable
            Writes them and gives their paths.
        """
        workspace, case = self._workspace, self._workspace.case
        if case is None or workspace.busy:
            return
        of, told = len(case.history), self._told()

        def work(progress: Progress, deliver: Deliver) -> list[tuple[Path, str]]:
            return with_sha256(function(told(case), part(progress, 0, 0.95)))

        def settle(written: list[tuple[Path, str]]) -> None:
            if workspace.case is not None and workspace.case.shreds is case.shreds:
                workspace.recording.exported(written, of)
            workspace.exported.emit(tuple(file for file, _ in written))

        task = workspace.tasks.start(work)
        task.succeeded.connect(settle)
        workspace.wait_for(task, "export", self.tr("Exporting {name}").format(name=short(what)))

    def save(self, path: Path, pack_sheets: bool) -> None:
        """Write the case to a file; see `Workspace.save`."""
        workspace, recording = self._workspace, self._workspace.recording
        if workspace.case is None or workspace.busy:
            return
        pack_sheets |= any(sheet.packed_in for sheet in workspace.case.sheets)
        recording.saved(path, pack_sheets)
        case, step, told = workspace.case, workspace.undo_stack.index(), self._told()
        task = workspace.tasks.start(
            lambda progress, deliver: workspace.engine.save(path, told(case), progress, pack_sheets)
        )
        workspace.wait_for(task, "save", self.tr("Saving {name}").format(name=short(path.name)))

        def settle(_: object) -> None:
            if workspace.case is not None and workspace.case.shreds is case.shreds:
                workspace.opened = replace(workspace.opened, paths=(path,), files=(), as_copy=False)
                if pack_sheets:
                    place = path.resolve()
                    workspace.hold_sheets(replace(sheet, packed_in=place) for sheet in workspace.opened.sheets)
                if workspace.undo_stack.index() == step:
                    workspace.undo_stack.setClean()
            workspace.saved.emit(path)

        # Connected last, when nothing is waited for any more: whoever hears of it may begin something else.
        task.succeeded.connect(settle)
        task.failed.connect(lambda error: recording.not_saved(path, error))
        task.cancelled.connect(lambda: recording.not_saved(path))

    def _told(self) -> Callable[[Case], Case]:
        """Give what describes the joins of a case before it is written, on a worker, where that is still under way."""
        if not self._editing.comparing:
            return lambda case: case
        from core.case.joins import told_anew

        return told_anew
