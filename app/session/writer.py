"""What is written of the case, to its own file and to others: on a worker, and recorded in the history."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, Signal

from app.session.document import Document
from app.session.editor import Editor
from app.session.journal import Journal
from app.session.tasks import Deliver, Jobs
from app.wording import short
from core.case.case import Case
from core.case.joins import with_joins
from core.progress import Progress, in_parts, part
from core.system.files import file_sha256

if TYPE_CHECKING:
    from core.composition.page_image import Rendition  # brings OpenCV along

Write: TypeAlias = Callable[[Case, Progress], tuple[Path, ...]]
"""Writes files of a case and returns their paths; on a worker."""


class Writer(QObject):
    """Writes the open case.

    Parameters
    ----------
    document : Document
        Whose case it is.
    jobs : Jobs
        Write it.
    journal : Journal
        Records what was written.
    editor : Editor
        Knows whether the joins tell everything yet.
    """

    exported = Signal(object, str)
    """The paths of the files written, and what they hold, if that is said."""

    def __init__(self, document: Document, jobs: Jobs, journal: Journal, editor: Editor) -> None:
        super().__init__(document)
        self._document, self._jobs, self._journal, self._editor = document, jobs, journal, editor

    def export(self, evidence: Path | None, reading: Path | None = None) -> None:
        """Write the evidence pages to a file, and the reading pages to another; either may be left out."""
        engine, name = self._jobs.engine, self._document.name
        asked: tuple[tuple[Rendition, Path | None, str], ...] = (
            ("evidence", evidence, self.tr("evidence pages")),
            ("reading", reading, self.tr("reading copies")),
        )
        wanted = [(rendition, path, kind) for rendition, path, kind in asked if path is not None]

        def write(case: Case, progress: Progress) -> tuple[Path, ...]:
            written: tuple[Path, ...] = ()
            for (rendition, path, _), of_these in in_parts(wanted, progress):
                written += engine.export(path, case, name, of_these, rendition)
            return written

        self.write(wanted[0][1].name, write, " · ".join(kind for _, _, kind in wanted))

    def write(self, what: str, function: Write, kind: str = "") -> None:
        """Write files of the case.

        Parameters
        ----------
        what : str
            Is shown meanwhile.
        function : callable
            Writes them and returns their paths.
        kind : str
            What the files hold, for the history; "" where their names say it.
        """
        case = self._document.case
        if case is None or self._jobs.busy:
            return
        of, completed = len(case.history), self._completion()

        def work(progress: Progress, deliver: Deliver) -> list[tuple[Path, str]]:
            paths = function(completed(case), part(progress, 0, 0.95))
            return [(path, file_sha256(path)) for path in paths]

        def settle(written: list[tuple[Path, str]]) -> None:
            if self._still_open(case):
                self._journal.exported(written, of, kind)
            self.exported.emit(tuple(file for file, _ in written), kind)

        task = self._jobs.start(work)
        task.succeeded.connect(settle)
        self._jobs.wait_for(task, "export", self.tr("Exporting {name}").format(name=short(what)))

    def save(self, path: Path, pack_sheets: bool = False) -> None:
        """Write the case to a file, which is open from then on; sheets that were packed in it before are so again."""
        document, jobs = self._document, self._jobs
        if document.case is None or jobs.busy:
            return
        pack_sheets |= any(sheet.packed_in for sheet in document.case.sheets)
        self._journal.saved(path, pack_sheets)
        case, step, completed = document.case, document.undo_stack.index(), self._completion()
        task = jobs.start(lambda progress, deliver: jobs.engine.save(path, completed(case), progress, pack_sheets))
        jobs.wait_for(task, "save", self.tr("Saving {name}").format(name=short(path.name)))

        def settle(_: object) -> None:
            if self._still_open(case):
                document.put(paths=(path,), files=(), as_copy=False)
                document.fresh = False
                if pack_sheets:
                    place = path.resolve()
                    document.put_sheets(sheet.changed(packed_in=place) for sheet in document.opened.sheets)
                if document.undo_stack.index() == step:
                    document.undo_stack.setClean()
            document.saved.emit(path)

        # Connected last, when nothing is waited for any more: whoever hears of it may begin something else.
        task.succeeded.connect(settle)
        task.failed.connect(lambda error: self._journal.not_saved(path, error))
        task.cancelled.connect(lambda: self._journal.not_saved(path))

    def _still_open(self, case: Case) -> bool:
        """Return whether the case has at most been edited since."""
        return self._document.case is not None and self._document.case.shreds is case.shreds

    def _completion(self) -> Callable[[Case], Case]:
        """Return what describes the joins of a case before it is written, on a worker, where that is under way."""
        return with_joins if self._editor.comparing else lambda case: case
