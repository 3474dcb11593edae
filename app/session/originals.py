"""The files of the sheets, wherever they lie now: looked for before something reads them again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.session.document import Document, Source
from app.session.tasks import Jobs
from app.wording import translate
from core.case.case import Case

if TYPE_CHECKING:
    from core.case.originals import FoundOriginals  # brings OpenCV along

Then = Callable[[], object]


@dataclass(frozen=True)
class Missing:
    """What cannot go on before the examiner has named a folder.

    Attributes
    ----------
    problems : tuple of str
        A sentence for each file that is missing or was changed; none if all are packed in the case.
    resume : callable
        Goes on with a folder, in which the files lie, or into which packed ones are to be written.
    """

    problems: tuple[str, ...]
    resume: Callable[[Path], object]


class Originals(QObject):
    """Finds the files of the open sheets: where they lay, beside the case, in folders that were named, or packed.

    Parameters
    ----------
    document : Document
        Whose sheets they are.
    jobs : Jobs
        Look for them.
    """

    asked = Signal(object)
    """`Missing`: the examiner is to name a folder."""

    def __init__(self, document: Document, jobs: Jobs) -> None:
        super().__init__(document)
        self._document, self._jobs = document, jobs
        self.folders: tuple[Path, ...] = ()
        """Those that were named; they are looked through again."""

    def with_sources(self, then: Callable[[tuple[Source, ...]], object]) -> None:
        """Go on with what is to be read for what is open; sheets of a saved case are looked for first."""
        document, paths = self._document, self._document.opened.paths
        if document.case is None or (document.read_from is None and all(path.exists() for path in paths)):
            then(self._document.opened.answered or paths)
        else:
            self.find(lambda: then(document.opened.inputs))

    def find(self, then: Then, on_disk: bool = True) -> None:
        """Go on once every file has been found unchanged.

        Parameters
        ----------
        then : callable
            Called when they have been found; the case tells their places by then.
        on_disk : bool
            Whether copies that are packed in the case do not suffice.
        """
        jobs, case = self._jobs, self._document.case
        if case is None:
            then()
            return
        if jobs.busy:
            return
        path, folders = self._document.read_from, self.folders
        task = jobs.start(lambda progress, deliver: jobs.engine.find_originals(case, path, folders, progress))
        jobs.wait_for(task, "find", self.tr("Looking for the sheets"))
        task.succeeded.connect(lambda found: self._settle(case, found, then, on_disk))

    def _settle(self, case: Case, found: FoundOriginals, then: Then, on_disk: bool) -> None:
        if found.problems:
            self.asked.emit(Missing(found.problems, lambda folder: self._look_in(folder, then, on_disk)))
        elif found.packed and on_disk:
            self.asked.emit(Missing((), lambda folder: self._unpack(case, found, folder, then)))
        else:
            self._adopt(case, found)
            then()

    def _adopt(self, case: Case, found: FoundOriginals) -> None:
        """Note where the files were found."""
        from core.case.originals import relocated

        document = self._document
        if document.case is not None and document.case.shreds is case.shreds:
            document.put_sheets(relocated(document.case, found).sheets)
            document.sheets_changed.emit()

    def add(self, folder: Path) -> None:
        """Look in another folder too, from now on."""
        self.folders = (folder, *(other for other in self.folders if other != folder))

    def _look_in(self, folder: Path, then: Then, on_disk: bool) -> None:
        self.add(folder)
        self.find(then, on_disk)

    def _unpack(self, case: Case, found: FoundOriginals, folder: Path, then: Then) -> None:
        jobs = self._jobs
        task = jobs.start(lambda progress, deliver: jobs.engine.unpack(case, found, folder, progress))
        jobs.wait_for(task, "find", self.tr("Unpacking the sheets"))
        task.succeeded.connect(lambda unpacked: self._settle(case, unpacked, then, True))


def question(problems: Sequence[str]) -> tuple[str, str]:
    """Describe what is the matter, and what to do."""
    if not problems:
        return (
            translate("missing", "The sheets are packed in the case, and no longer where they lay."),
            translate("missing", "To be read again they are unpacked. Choose a folder for them."),
        )
    how = translate("missing", "The folder is looked through with all that is in it; files are known by their SHA-256.")
    if len(problems) > 1:
        how = translate("missing", "So it is with {n} files.").format(n=len(problems)) + " " + how
    return problems[0], how
