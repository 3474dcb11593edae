"""How what is open comes to be: sheets are read and reconstructed on a worker, or a case is read as it was saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from app.images import glimpse, small_pictures
from app.session.document import Document, Opened, Source, case_file
from app.session.editor import Editor, Shelf, stow
from app.session.journal import Journal
from app.session.originals import Originals
from app.session.tasks import Deliver, Jobs, Work
from app.wording import counted
from core.case.case import Case
from core.progress import Progress, part
from core.sheets.mends import MendsOfSheets, mends_of
from core.sheets.sheet import SheetInfo, sheet_names
from core.shreds.shred import Shred

if TYPE_CHECKING:  # brings the decoders of all formats
    from core.sheets.input_file import InputFile
    from core.sheets.survey import Survey
    from core.shreds.detect import Found


@dataclass(frozen=True, eq=False)
class Undecided:
    """What has to be asked before files are read.

    Attributes
    ----------
    survey : Survey
        What was seen of them, and how they are read if the examiner has nothing against it.
    pictures : dict of Path to QImage
        Some of them, small.
    resume : callable
        Goes on with the files as they are to be read; with None what was open before comes back.
    """

    survey: Survey
    pictures: dict[Path, QImage]
    resume: Callable[[tuple[InputFile, ...] | None], object]


@dataclass(frozen=True, eq=False)
class Added:
    """What came of files that were to be added to a case.

    Attributes
    ----------
    paths : tuple of Path
        What was asked for.
    known : sequence of Path
        Of which the case has the sheets already.
    found : Found or None
        What lies on the others.
    case : Case or None
        With them.
    packed : sequence of tuple of Shred
        Shreds that step back, in the form in which they take less room.
    """

    paths: tuple[Path, ...]
    known: Sequence[Path] = ()
    found: Found | None = None
    case: Case | None = None
    packed: Sequence[tuple[Shred, ...]] = ()


class Reader(QObject):
    """Opens files; when that fails or is cancelled, what was open before comes back.

    Parameters
    ----------
    document : Document
        Holds what is open.
    jobs : Jobs
        Read it.
    journal : Journal
        Records how the case came to be.
    editor : Editor
        Begins with each case.
    originals : Originals
        Find the files that are to be read again.
    """

    asked = Signal(object)
    """`Undecided`: the examiner is to say what the files are."""
    known = Signal(object)
    """Paths that were to be added, and of which the case has the sheets already."""

    def __init__(self, document: Document, jobs: Jobs, journal: Journal, editor: Editor, originals: Originals) -> None:
        super().__init__(document)
        self._document, self._jobs, self._journal = document, jobs, journal
        self._editor, self._originals = editor, originals
        self._before = Opened()

    def open(self, paths: Sequence[Path], as_copy: bool = False) -> None:
        """Reconstruct files and folders, in place of what is open; a case file is read, as a copy never saved to."""
        if paths and not self._jobs.exporting:
            self._begin(tuple(dict.fromkeys(paths)), as_copy=as_copy)

    def add(self, paths: Sequence[Path]) -> None:
        """Add files and folders to what is open: to a case as one step, for which they alone are read."""
        if self._document.case is None and paths and not self._jobs.exporting:
            self._originals.with_sources(lambda sources: self._read((*sources, *paths)))
        elif paths and not self._jobs.busy:
            self._add(tuple(dict.fromkeys(paths)))

    def reconstruct_again(self) -> None:
        """Reconstruct the same files and folders anew, with the options in force."""
        self._document.options = self._document.options_in_force
        if not self._jobs.exporting:
            self._originals.with_sources(self._read)

    def reopen(self, paths: tuple[Path, ...], base: Path | None, then: Callable[[], object]) -> None:
        """Open what was open before a crash, from a copy of its case if there is one; `then` changes it back."""
        self._begin(paths, None if base is None else (base,), then)

    def reconstruct_mended(self, mends: MendsOfSheets) -> None:
        """Reconstruct the same files with these mends: without them nothing was found."""
        if not self._jobs.busy:
            self._originals.with_sources(lambda sources: self._read(sources, mends))

    def _read(self, sources: tuple[Source, ...], mends: MendsOfSheets | None = None) -> None:
        """Reconstruct files that are known, in place of what is open."""
        paths = dict.fromkeys(source if isinstance(source, Path) else source.path for source in sources)
        self._begin(tuple(paths), tuple(dict.fromkeys(sources)), mends=mends)

    def _begin(
        self,
        paths: tuple[Path, ...],
        read: Sequence[Source] | None = None,
        then: Callable[[], object] | None = None,
        as_copy: bool = False,
        answered: bool = False,
        mends: MendsOfSheets | None = None,
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
        answered : bool
            The examiner has said how the files are to be read.
        mends : mapping, optional
            Of sheets that may be among the files; those of the sheets that are open, if absent.
        """
        document, jobs = self._document, self._jobs
        mended = mends_of((*self._before.sheets, *document.opened.sheets)) if mends is None else mends
        jobs.cancel()
        if document.case:
            self._before = document.opened
        engine, options, sources = jobs.engine, document.options, tuple(paths if read is None else read)
        known = tuple(source for source in sources if not isinstance(source, Path))
        document.show(Opened(paths, as_copy=as_copy, answered=known if len(known) == len(sources) else ()))
        before, from_file = self._before.case, case_file(sources) is not None

        def work(progress: Progress, deliver: Deliver) -> Case | Undecided:
            survey = None if answered or from_file else engine.survey(sources, options.reading, progress)
            if survey is not None and not survey.is_certain:
                files = [file.path for file in survey.files]
                return Undecided(
                    survey, small_pictures(files, progress), lambda read: self._resume(paths, read, then, mended)
                )
            return engine.reconstruct(sources, lambda info, shreds: deliver((info, shreds)), progress, options, mended)

        task = jobs.start(work)
        task.delivered.connect(self._add_sheet)
        task.succeeded.connect(lambda outcome: self._go_on(outcome, before, from_file, then))
        task.failed.connect(self._go_back)
        task.cancelled.connect(self._go_back)
        jobs.wait_for(task, "reconstruct", self.tr("Reconstructing"))
        glimpses = jobs.start(lambda progress, deliver: glimpse(paths, progress, deliver))
        glimpses.delivered.connect(self._add_glimpse)
        task.at_outcome(glimpses.cancel)

    def _go_on(
        self, outcome: Case | Undecided, before: Case | None, from_file: bool, then: Callable[[], object] | None
    ) -> None:
        """Show the case that was made, or ask what the files are."""
        if isinstance(outcome, Undecided):
            self.asked.emit(outcome)
            return
        self._show_case(self._journal.begun(outcome, before, from_file))
        if from_file:
            self._check_rest(outcome)
        if then is not None:
            then()

    def _check_rest(self, case: Case) -> None:
        """Check on a worker what the case was not checked for when it was opened; one that was altered is closed."""
        document, engine = self._document, self._jobs.engine
        task = self._jobs.start(lambda progress, deliver: engine.check_rest(case, progress))
        document.replaced.connect(task.cancel)

        def refuse(error: BaseException) -> None:
            document.discard_changes()
            document.show(Opened())
            self._jobs.failed.emit(error)

        task.failed.connect(refuse)

    def _resume(
        self,
        paths: tuple[Path, ...],
        read: tuple[InputFile, ...] | None,
        then: Callable[[], object] | None,
        mends: MendsOfSheets,
    ) -> None:
        """Read files as the examiner said, or go back."""
        if read is None:
            self._go_back()
        else:
            self._begin(paths, read, then, answered=True, mends=mends)

    # Adding to a case

    def _add(self, paths: tuple[Path, ...], answered: tuple[InputFile, ...] | None = None) -> None:
        """Read files that the case lacks, and price their shreds; where it is not certain what they are, ask first."""
        engine, case, shelves = self._jobs.engine, self._document.case, self._editor.shelves
        assert case is not None

        def work(progress: Progress, deliver: Deliver) -> Undecided | Added:
            new, known = (answered, ()) if answered is not None else engine.new_inputs(case, paths)
            if not new:
                return Added(paths, known)
            if answered is None:
                survey = engine.survey(new, case.options.reading, progress, case.sheets)
                if not survey.is_certain:
                    pictures = small_pictures([file.path for file in survey.files], progress)
                    return Undecided(survey, pictures, lambda read: None if read is None else self._add(paths, read))
                new = survey.files
            found = engine.read_added(case, new, part(progress, 0, 0.5))
            return self._priced(Added(paths, known, found), case, shelves, part(progress, 0.5, 1))

        self._wait_for(work, case, shelves)

    def _wait_for(self, work: Work, case: Case, shelves: Sequence[Shelf]) -> None:
        """Have sheets added on a worker, and show what comes of it."""
        task = self._jobs.wait_for(self._jobs.start(work), "add", self.tr("Adding sheets"))
        task.succeeded.connect(lambda outcome: self._adopt(case, shelves, outcome))

    def _priced(self, added: Added, case: Case, shelves: Sequence[Shelf], progress: Progress) -> Added:
        """Price what was read against all the rest; shreds that step back are packed. Runs on a worker."""
        assert added.found is not None
        done = self._jobs.engine.add(case, added.found, part(progress, 0, 0.95))
        packed = self._jobs.engine.put_away([shelf.shreds for shelf in shelves], done.shreds)
        return replace(added, case=done, packed=packed)

    def _adopt(self, before: Case, shelves: Sequence[Shelf], added: Undecided | Added) -> None:
        """Show the case with the new sheets, as one step that can be undone."""
        document, case = self._document, self._document.case
        if isinstance(added, Undecided):
            self.asked.emit(added)
            return
        if added.known:
            self.known.emit(added.known)
        found = added.found
        if found is None or added.case is None or case is None or case.shreds is not before.shreds:
            return
        if case.arrangement != before.arrangement:
            self._price_again(case, replace(added, known=()))  # edited meanwhile: the edit must not be lost
            return
        names = ", ".join(sheet_names(found.sheets))
        count = counted(len(found.sheets), self.tr("sheet"), self.tr("sheets"))
        self._editor.adopt(added.case, self.tr("adding of {n}: {names}").format(n=count, names=names), added=True)
        stow(shelves, added.packed)
        if document.read_from is None:  # what is open is told by its files
            document.put(paths=tuple(dict.fromkeys((*document.opened.paths, *added.paths))), answered=())

    def _price_again(self, case: Case, added: Added) -> None:
        """Price what was read once more, after what was edited."""
        shelves = self._editor.shelves
        self._wait_for(lambda progress, deliver: self._priced(added, case, shelves, progress), case, shelves)

    def _add_glimpse(self, arrived: tuple[Path, ...] | tuple[Path, QImage]) -> None:
        if len(arrived) == 2 and isinstance(arrived[1], QImage):
            self._document.glimpses[arrived[0]] = arrived[1]
        else:
            self._document.put(files=arrived)
        self._document.sheets_changed.emit()

    def _add_sheet(self, arrived: tuple[SheetInfo, tuple[Shred, ...]]) -> None:
        info, shreds = arrived
        opened = self._document.opened
        self._document.put(sheets=(*opened.sheets, info), shreds=(*opened.shreds, shreds))
        self._document.sheets_changed.emit()

    def _show_case(self, case: Case) -> None:
        self._before = Opened()
        self._document.show(self._document.opened.holding(case))
        self._editor.begin()

    def _go_back(self, *_: object) -> None:
        """Show again what was open before; if that was nothing, what has been read stays in sight."""
        if self._before.case or not self._document.opened.sheets:
            before, self._before = self._before, Opened()
            self._document.show(before)
