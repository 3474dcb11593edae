"""Other options put in force: what depends on them is done again, from the sheets on if need be."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from app.session.document import Document, Source
from app.session.editor import Editor, Shelf, stow
from app.session.originals import Originals
from app.session.tasks import Deliver, Jobs
from core.case.case import Case
from core.options import Options, first_stage
from core.progress import Progress, part
from core.sheets.mends import mends_of
from core.shreds.shred import Shred


class Updater(QObject):
    """Puts options in force.

    Parameters
    ----------
    document : Document
        Whose case is brought up to date.
    jobs : Jobs
        Do again what depends on the options.
    editor : Editor
        Makes a step of the result.
    originals : Originals
        Find the sheets that are to be read again.
    """

    lost = Signal(object)
    """Shreds, by their former names, that were found no more when the sheets were read with other options."""

    def __init__(self, document: Document, jobs: Jobs, editor: Editor, originals: Originals) -> None:
        super().__init__(document)
        self._document, self._jobs, self._editor, self._originals = document, jobs, editor, originals

    def apply(self, options: Options) -> None:
        """Apply options: for the case, as far as they concern it, and for whatever is opened next."""
        document, case = self._document, self._document.case
        stage = first_stage(document.options_in_force, options)
        if stage is None or self._jobs.busy:
            return
        if case is None:
            document.options = options
            document.options_changed.emit()
        elif stage == "read":
            self._originals.with_sources(lambda sources: self._read_again(options, sources))
        else:
            self._redo(case, options)

    def _redo(self, case: Case, options: Options) -> None:
        jobs = self._jobs
        task = jobs.start(lambda progress, deliver: jobs.engine.redo(case, options, progress))
        jobs.wait_for(task, "redo", self.tr("Putting the options in force"))
        task.succeeded.connect(lambda done: self._adopt(case, options, done))

    def _adopt(self, begun: Case, options: Options, done: Case) -> None:
        case = self._document.case
        if case is None or case.shreds is not begun.shreds:
            return
        if case is not begun and case.arrangement != begun.arrangement:
            self._redo(case, options)  # edited meanwhile: the edit must not be lost
            return
        self._document.options = options
        self._editor.adopt(done, self.tr("change of options"))

    def _read_again(self, options: Options, sources: Sequence[Source]) -> None:
        """Read the sheets with other options, while the case stays in sight as it is."""
        jobs, mends = self._jobs, mends_of(self._document.opened.sheets)

        def work(progress: Progress, deliver: Deliver) -> Case:
            return jobs.engine.reconstruct(sources, lambda info, shreds: None, progress, options, mends)

        task = jobs.wait_for(jobs.start(work), "redo", self.tr("Reading the sheets again"))
        task.succeeded.connect(self._carry_over)

    def _carry_over(self, read: Case) -> None:
        """Carry over what was said to the sheets read anew; shreds that step back are packed."""
        jobs, before, shelves = self._jobs, self._document.case, self._editor.shelves
        if before is None:
            return

        def work(progress: Progress, deliver: Deliver) -> tuple[Case, tuple[str, ...], list[tuple[Shred, ...]]]:
            case, lost = jobs.engine.keep_said(before, read, part(progress, 0, 0.5))
            return case, lost, jobs.engine.put_away([shelf.shreds for shelf in shelves], case.shreds)

        task = jobs.wait_for(jobs.start(work), "redo", self.tr("Taking over what you said"))
        task.succeeded.connect(lambda done: self._take_over(before, read, shelves, *done))

    def _take_over(
        self,
        before: Case,
        read: Case,
        shelves: Sequence[Shelf],
        done: Case,
        lost: tuple[str, ...],
        packed: Sequence[tuple[Shred, ...]],
    ) -> None:
        case = self._document.case
        if case is None or case.shreds is not before.shreds:
            return
        if case.arrangement != before.arrangement:
            self._carry_over(read)  # edited meanwhile: the edit must not be lost
            return
        self._document.options = done.options
        self._editor.adopt(done, self.tr("change of options"))
        stow(shelves, packed)
        if lost:
            self.lost.emit(lost)
