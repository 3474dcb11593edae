"""How what is open comes to be: sheets are read and reconstructed on a worker, or a case is read as it was saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage

from app.images import glimpse
from app.session.document import Opened, Source, case_file
from app.session.tasks import Deliver
from core.progress import Progress

if TYPE_CHECKING:
    from app.session.session import Workspace
    from core.case.case import Case
    from core.sheets.sheet import SheetInfo
    from core.shreds.shred import Shred


class Reading(QObject):
    """Opens files in a workspace; when that fails or is cancelled, what was open before comes back.

    Parameters
    ----------
    workspace : Workspace
        Holds what is open.
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._before = Opened()

    def begin(
        self,
        paths: tuple[Path, ...],
        read: Sequence[Source] | None = None,
        then: Callable[[], object] | None = None,
        as_copy: bool = False,
    ) -> None:
        """Read files in place of what is open.

        Parameters
        ----------
        paths : tuple of Path
            What is open from now on.
        read : sequence of Path or InputFile, optional
            To be read in their place: a case file, or the same sheets as they were read before.
        then : callable, optional
            Called when the case is there.
        as_copy : bool
            A case file is not to be saved to.
        """
        workspace = self._workspace
        workspace.cancel()
        if workspace.case:
            self._before = workspace.opened
        workspace.put_opened(Opened(paths, as_copy=as_copy))
        known = self._before.case
        engine, options, sources = workspace.engine, workspace.options, tuple(paths if read is None else read)

        def work(progress: Progress, deliver: Deliver) -> Case:
            return engine.reconstruct(sources, lambda info, shreds: deliver((info, shreds)), progress, options)

        task = workspace.tasks.start(work)
        task.delivered.connect(self._add_sheet)
        from_file = case_file(sources) is not None
        task.succeeded.connect(lambda case: self._show_case(workspace.recording.begun(case, known, from_file)))
        if then is not None:
            task.succeeded.connect(lambda _: then())
        task.failed.connect(self._go_back)
        task.cancelled.connect(self._go_back)
        workspace.wait_for(task, "reconstruct", self.tr("Reconstructing"))
        glimpses = workspace.tasks.start(lambda progress, deliver: glimpse(paths, progress, deliver))
        glimpses.delivered.connect(self._add_glimpse)
        task.succeeded.connect(glimpses.cancel)
        task.failed.connect(glimpses.cancel)
        task.cancelled.connect(glimpses.cancel)

    def _add_glimpse(self, arrived: tuple[Path, ...] | tuple[Path, QImage]) -> None:
        workspace = self._workspace
        if len(arrived) == 2 and isinstance(arrived[1], QImage):
            workspace.glimpses[arrived[0]] = arrived[1]
        else:
            workspace.opened = replace(workspace.opened, files=arrived)
        workspace.sheets_changed.emit()

    def _add_sheet(self, arrived: tuple[SheetInfo, tuple[Shred, ...]]) -> None:
        info, shreds = arrived
        now = self._workspace.opened
        self._workspace.opened = replace(now, sheets=(*now.sheets, info), shreds=(*now.shreds, shreds))
        self._workspace.sheets_changed.emit()

    def _show_case(self, case: Case) -> None:
        self._before = Opened()
        self._workspace.show_case(self._workspace.opened.holding(case))

    def _go_back(self, *_: object) -> None:
        """Show again what was open before; if that was nothing, what has been read stays in sight."""
        if self._before.case or not self._workspace.opened.sheets:
            before, self._before = self._before, Opened()
            self._workspace.put_opened(before)
