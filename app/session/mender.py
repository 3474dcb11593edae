"""Mends made on one sheet of the open case: that sheet alone is done again, as one step that can be undone."""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.session.document import Document
from app.session.editor import Editor, Shelf, stow
from app.session.originals import Originals
from app.session.tasks import Deliver, Jobs, Task
from app.wording import counted
from core.case.case import Case
from core.progress import Progress, part
from core.sheets.mends import (
    CropSheet,
    DrawOutline,
    ExcludeSheet,
    Mends,
    MergeShreds,
    NotPaper,
    PickBackground,
    SplitShred,
    ThisIsAShred,
    is_excluded,
    with_exclusion,
)
from core.sheets.sheet import sheet_names
from core.shreds.shred import Shred

logger = logging.getLogger(__name__)


class Mender(QObject):
    """Mends sheets.

    Parameters
    ----------
    document : Document
        Whose case is mended.
    jobs : Jobs
        Do the sheet again.
    editor : Editor
        Makes a step of the result.
    originals : Originals
        Know the folders in which files of sheets were found.
    """

    mended = Signal(int)
    """A sheet, by its number, has been done again."""
    lost = Signal(object)
    """Shreds, by their former names, that something was said of and that are there no more."""

    def __init__(self, document: Document, jobs: Jobs, editor: Editor, originals: Originals) -> None:
        super().__init__(document)
        self._document, self._jobs, self._editor, self._originals = document, jobs, editor, originals
        self._preparing: Task | None = None

    def prepare(self) -> None:
        """Have read, while the examiner draws, what a mend will need of the other sheets: a case file lacks it."""
        jobs, case = self._jobs, self._document.case
        if case is not None and case.costs is not None and not jobs.busy and self._preparing is None:
            self._preparing = jobs.start(lambda progress, deliver: jobs.engine.prepare_mending(case, progress))
            self._preparing.failed.connect(lambda error: logger.warning("Borders are not read ahead", exc_info=error))
            self._preparing.finished.connect(self._end_preparing)

    def stop_preparing(self) -> None:
        """Leave it, since nothing is mended."""
        if self._preparing is not None:
            self._preparing.cancel()

    def _end_preparing(self) -> None:
        self._preparing = None

    def mend(self, number: int, mends: Mends) -> None:
        """Do a sheet again so that it has these mends and no others; shreds that step back are packed."""
        jobs, case, shelves = self._jobs, self._document.case, self._editor.shelves
        if case is None or jobs.busy or mends == case.sheets[number].mends:
            return
        path, folders = self._document.read_from, self._originals.folders

        def work(progress: Progress, deliver: Deliver) -> tuple[Case, tuple[str, ...], list[tuple[Shred, ...]]]:
            done, lost = jobs.engine.mend(case, number, mends, path, folders, part(progress, 0, 0.95))
            done = replace(done, states=jobs.engine.states_on_the_way(case))
            return done, lost, jobs.engine.put_away([shelf.shreds for shelf in shelves], done.shreds)

        title = self.tr("Mending {sheet}").format(sheet=sheet_names(case.sheets)[number])
        task = jobs.wait_for(jobs.start(work), "mend", title)
        task.succeeded.connect(lambda done: self._adopt(case, number, shelves, *done))

    def withdraw(self, number: int, *, back: bool = False) -> None:
        """Use nothing of a sheet any more, or use it again."""
        case = self._document.case
        if case is not None:
            self.mend(number, with_exclusion(case.sheets[number].mends, not back))

    def _adopt(
        self,
        begun: Case,
        number: int,
        shelves: Sequence[Shelf],
        done: Case,
        lost: tuple[str, ...],
        packed: Sequence[tuple[Shred, ...]],
    ) -> None:
        case = self._document.case
        if case is None or case.shreds is not begun.shreds:
            return
        if case.arrangement != begun.arrangement:
            self.mend(number, done.sheets[number].mends)  # edited meanwhile: the edit must not be lost
            return
        self._editor.adopt(done, self._text(begun, done, number), number)
        stow(shelves, packed)
        self.mended.emit(number)
        if lost:
            self.lost.emit(lost)

    def _kinds(self, mends: Mends) -> str:
        """Say of which kinds mends are: "2 splits, background picked"."""
        names = {
            SplitShred: (self.tr("split"), self.tr("splits")),
            MergeShreds: (self.tr("merge"), self.tr("merges")),
            DrawOutline: (self.tr("outline redrawn"), self.tr("outlines redrawn")),
            NotPaper: (self.tr("piece no paper"), self.tr("pieces no paper")),
            ThisIsAShred: (self.tr("new shred"), self.tr("new shreds")),
        }
        whole = {
            PickBackground: self.tr("background picked"),
            CropSheet: self.tr("cropped"),
            ExcludeSheet: self.tr("excluded"),
        }
        n = Counter(map(type, mends))
        counts = [counted(n[kind], *both) for kind, both in names.items() if n[kind]]
        return ", ".join([*counts, *(text for kind, text in whole.items() if n[kind])])

    def _text(self, before: Case, case: Case, number: int) -> str:
        sheet, was = case.sheets[number], before.sheets[number].mends
        if sheet.mends == with_exclusion(was, True):
            text = self.tr("withdrawal of sheet {number}, {name}")
        elif is_excluded(was) and sheet.mends == with_exclusion(was, False):
            text = self.tr("taking back in of sheet {number}, {name}")
        elif sheet.mends:
            text = self.tr("mending of sheet {number}, {name}: {kinds}")
        else:
            text = self.tr("mends of {name} taken back")
        return text.format(number=number + 1, name=sheet_names(case.sheets)[number], kinds=self._kinds(sheet.mends))
