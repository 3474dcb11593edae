"""What is open: the files, their sheets, the case made of them, what is shown and chosen of it, what runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage, QUndoStack

from app.session.document import Opened, Running, Selection, Source, case_file
from app.session.editor import Editing
from app.session.engine import Engine
from app.session.journal import Recording
from app.session.originals import MissingSheets
from app.session.ownership import Holding
from app.session.pictures import Key, PageLook, Picture, Pictures, page_picture, sheet_picture
from app.session.reader import Reading
from app.session.tasks import Task, Tasks
from app.session.writer import Write, Writing
from core.options import Options

if TYPE_CHECKING:
    from app.session.editor import Shelf
    from core.arrangement.arrangement import Arrangement
    from core.arrangement.edits import Edit
    from core.case.case import Case
    from core.case.history import History
    from core.case.originals import FoundOriginals
    from core.sheets.sheet import SheetInfo
    from core.shreds.shred import Shred


class Workspace(QObject):
    """Holds what is open and changes it; one signal for each kind of change."""

    sheets_changed = Signal()
    case_changed = Signal()
    """Another case is open, or none."""
    arrangement_changed = Signal()
    """The same case has been edited: order, shifts, turns, joins."""
    history_changed = Signal()
    """There is something else to undo, to redo or to save."""
    options_changed = Signal()
    """Other options are in force."""
    edit_refused = Signal(str)
    """A sentence that says why an edit is not possible."""
    page_changed = Signal()
    selection_changed = Signal()
    running_changed = Signal()
    exported = Signal(object)
    """The paths of the files written."""
    saved = Signal(object)
    """The path of the case file."""
    failed = Signal(object)
    """The exception that ended the work."""
    cancelled = Signal()

    def __init__(self, engine: Engine | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tasks = Tasks(self)
        self.pictures = Pictures(self.tasks, self._prepare_picture, self)
        self.opened = Opened()
        self.page = 0
        self.selection = Selection()
        self.running: Running | None = None
        self.glimpses: dict[Path, QImage] = {}
        self.options = Options()
        self.engine = engine or Engine()
        self.stepping = False
        """Whether other shreds come in sight by a step of the history: the case is the same for all that."""
        self.recording = Recording(self)
        self.recording.recorded.connect(self.history_changed)
        self.holding = Holding(self)
        self.missing = MissingSheets(self)
        self._reading = Reading(self)
        self._editing = Editing(self)
        self._writing = Writing(self, self._editing)
        self._editing.changed.connect(self.arrangement_changed)
        self._editing.stepped.connect(self.history_changed)
        self._editing.refused.connect(self.edit_refused)

    @property
    def case(self) -> Case | None:
        """The reconstructed case, if there is one."""
        return self.opened.case

    @property
    def options_in_force(self) -> Options:
        """Those of the case; without one, those of what is opened next."""
        return self.case.options if self.case else self.options

    @property
    def undo_stack(self) -> QUndoStack:
        """The history of the case; the file is as it was saved where the stack is clean."""
        return self._editing.stack

    @property
    def case_path(self) -> Path | None:
        """The case file that is open, if the case is one that was saved, and may be saved to it."""
        return None if self.opened.as_copy else self.read_from

    @property
    def name(self) -> str:
        """What the case is called: as its file, or as the first sheet."""
        return (self.case_path or self.opened.sheets[0].path).stem

    @property
    def read_from(self) -> Path | None:
        """The case file that was read, be it as a copy."""
        return case_file(self.opened.paths)

    @property
    def modified(self) -> bool:
        """Whether there is something that the case file does not have."""
        return self.case is not None and (self.recording.unsaved or not self.undo_stack.isClean())

    @property
    def busy(self) -> bool:
        """Whether something runs that the user waits for."""
        return self.running is not None

    @property
    def exporting(self) -> bool:
        """Whether pages are being written; nothing else is opened meanwhile."""
        return self.running is not None and self.running.kind == "export"

    @property
    def n_pages(self) -> int:
        """Number of pages of the case."""
        return len(self.case.arrangement.pages) if self.case else 0

    def shred(self, shred_id: str) -> Shred | None:
        """Find a shred by its identifier."""
        shreds = (shred for of_sheet in self.opened.shreds for shred in of_sheet)
        return next((shred for shred in shreds if shred.id == shred_id), None)

    def open(self, paths: Sequence[Path], as_copy: bool = False) -> None:
        """Reconstruct files and folders, in place of what is open; a case file is read, as a copy never saved to."""
        if paths and not self.exporting:
            self._reading.begin(tuple(dict.fromkeys(paths)), as_copy=as_copy)

    def make_copy(self) -> None:
        """Never save to the case file that is open."""
        self.opened = replace(self.opened, as_copy=True)
        self.history_changed.emit()

    def add(self, paths: Sequence[Path]) -> None:
        """Reconstruct what is open together with more files and folders."""
        if paths and not self.exporting:
            self.with_sources(lambda sources: self._read((*sources, *paths)))

    def reconstruct_again(self) -> None:
        """Reconstruct the same files and folders anew, with the options in force."""
        self.options = self.options_in_force
        if not self.exporting:
            self.with_sources(self._read)

    def with_sources(self, then: Callable[[tuple[Source, ...]], object]) -> None:
        """Go on with what is to be read for what is open; sheets of a saved case are looked for first."""
        opened = self.opened
        if self.case is None or (self.read_from is None and all(path.exists() for path in opened.paths)):
            then(opened.paths)
        else:
            self.missing.find(lambda: then(self.opened.inputs))

    def _read(self, sources: tuple[Source, ...]) -> None:
        """Reconstruct files that are known, in place of what is open."""
        paths = dict.fromkeys(source if isinstance(source, Path) else source.path for source in sources)
        self._reading.begin(tuple(paths), tuple(dict.fromkeys(sources)))

    @property
    def shelves(self) -> list[Shelf]:
        """Where the shreds lie of all states that undo and redo can bring back."""
        return self._editing.shelves

    def export(self, path: Path) -> None:
        """Write the pages to a file."""
        self.write(path.name, lambda case, progress: self.engine.export(path, case, self.name, progress))

    def write(self, what: str, function: Write) -> None:
        """Write files of the case on a worker; see `app.session.writer`."""
        self._writing.write(what, function)

    def save(self, path: Path, pack_sheets: bool = False) -> None:
        """Write the case to a file, which is open from then on; sheets that were packed in it before are so again."""
        self._writing.save(path, pack_sheets)

    def discard_changes(self) -> None:
        """Forget that there are changes that have not been saved."""
        self.undo_stack.setClean()
        self.recording.unsaved = False

    def edit(self, edit: Edit, text: str) -> bool:
        """Change the arrangement by one step that can be undone.

        Parameters
        ----------
        edit : Edit
            See `core.arrangement.edits`.
        text : str
            What follows "Undo" in the menu: "move of 3 shreds".

        Returns
        -------
        bool
            False if there is nothing to change, or if the edit is not possible; then `edit_refused` says why.
        """
        return self._editing.edit(edit, text)

    def adopt(self, case: Case, text: str) -> None:
        """Take over another result for the same shreds, costs and proof included, by one step that can be undone."""
        self._editing.adopt(case, text)

    def put_case(self, case: Case) -> None:
        """Hold another state of the same case; only the history calls this."""
        before = self.case
        assert before is not None
        case = replace(case, history=self.recording.history)
        if case.shreds is not before.shreds:
            self.stepping = True
            self.put_opened(self.opened.holding(case))
            self.stepping = False
            return
        self.opened = replace(self.opened, case=replace(case, sheets=before.sheets))  # they lie where they lie now
        if case.options != before.options:
            self.options_changed.emit()
        self.page = max(0, min(self.page, self.n_pages - 1))
        self.pictures.forget_waiting()

    def put_sheets(self, case: Case, found: FoundOriginals) -> None:
        """Take note of where the files of the sheets were found."""
        from core.case.originals import relocated

        if self.case is not None and self.case.shreds is case.shreds:
            self.hold_sheets(relocated(self.case, found).sheets)
            self.sheets_changed.emit()

    def hold_sheets(self, sheets: Iterable[SheetInfo]) -> None:
        """Hold the same sheets as they are known now: where their files lie, and whether they are packed."""
        assert self.case is not None
        case = replace(self.case, sheets=tuple(sheets))
        self.opened = replace(self.opened, sheets=case.sheets, case=case)

    def page_picture(self, page: int) -> Picture | None:
        """Give the picture of a page as it is now, if it has been composed; otherwise `pictures` tells when it is."""
        if self.case is None or not 0 <= page < self.n_pages:
            return None
        return self.pictures.get(("page", PageLook.of(self.case, page)))

    def undo(self) -> None:
        """Take the last step back, and show where that changed something."""
        self._editing.step(self.undo_stack.undo)

    def redo(self) -> None:
        """Do again the step taken back last, and show where that changed something."""
        self._editing.step(self.undo_stack.redo)

    def undo_all(self) -> None:
        """Take all steps back, down to where the case was opened."""
        self._editing.step(lambda: self.undo_stack.setIndex(0))

    def cancel(self) -> None:
        """Stop what the user waits for."""
        if self.running:
            self.running.task.cancel()

    def close(self) -> None:
        """Stop everything."""
        self.cancel()
        self.tasks.cancel_all()
        self.holding.release()

    def show_page(self, page: int) -> None:
        """Show a page of the case; beyond the ends the first or the last."""
        page = max(0, min(page, self.n_pages - 1))
        if self.case and page != self.page:
            self.page = page
            self.page_changed.emit()

    def select_shred(self, shred_id: str) -> None:
        """Choose a shred, and with it its sheet."""
        shred = self.shred(shred_id)
        self._select(Selection(shred.sheet, shred.id) if shred else Selection(self.selection.sheet))

    def select_shreds(self, shreds: Sequence[str], current: str = "") -> None:
        """Choose several shreds; the current one is the one given, or the last."""
        chosen = self.in_reading_order(shreds)
        current = current if current in chosen else next(reversed(chosen), "")
        shred = self.shred(current)
        self._select(Selection(shred.sheet, current, chosen) if shred else Selection(self.selection.sheet))

    def order(self) -> tuple[str, ...]:
        """List all shreds of the case in reading order: page by page, then what is set aside."""
        return self.case.arrangement.order if self.case else ()

    def in_reading_order(self, shreds: Sequence[str]) -> tuple[str, ...]:
        """Put shreds in reading order, each once; those that are not there are left out."""
        places = self.case.arrangement.places if self.case else {}
        return tuple(sorted((shred for shred in set(shreds) if shred in places), key=places.__getitem__))

    def show_shred(self, shred_id: str) -> None:
        """Show the page on which a shred stands."""
        page = self.case.arrangement.page_of(shred_id) if self.case else None
        if page is not None:
            self.show_page(page)

    def select_sheet(self, sheet: int) -> None:
        """Choose a sheet as a whole."""
        self._select(Selection(sheet))

    def _select(self, selection: Selection) -> None:
        if selection != self.selection:
            self.selection = selection
            self.selection_changed.emit()

    def reopen(self, paths: tuple[Path, ...], base: Path | None, then: Callable[[], object]) -> None:
        """Open what was open before a crash, from a copy of its case if there is one; `then` changes it back."""
        self._reading.begin(paths, None if base is None else (base,), then)

    def put_back(self, history: History, begun: int, arranged: Arrangement, solved: Arrangement | None) -> None:
        """Go on with what was done before a crash, by one step that can be undone.

        Parameters
        ----------
        history : History
            Up to the last change; empty if it is not known.
        begun : int
            Number of the entry after which the case was as it is now.
        arranged, solved : Arrangement
            As the case had them.
        """
        self._editing.put_back(history, begun, arranged, solved)

    def wait_for(self, task: Task, kind: str, title: str) -> None:
        """Make a task the one the user waits for, until its outcome."""
        task.succeeded.connect(self._settle)
        task.failed.connect(self._settle)
        task.failed.connect(self.failed)
        task.cancelled.connect(self._settle)
        task.cancelled.connect(self.cancelled)
        self.running = Running(task, kind, title)
        self.running_changed.emit()

    def _settle(self, *_: object) -> None:
        self.running = None
        self.running_changed.emit()

    def show_case(self, opened: Opened) -> None:
        """Hold a case that has just been made or read, with nothing to undo; only what reads calls this."""
        self.put_opened(opened)
        self._editing.begin()

    def put_opened(self, opened: Opened) -> None:
        """Hold something else, or nothing; only what reads calls this."""
        self.pictures.clear()
        self.glimpses.clear()
        self.opened = opened
        self.page = 0
        self.selection = Selection()
        self.sheets_changed.emit()
        self.case_changed.emit()
        self.options_changed.emit()
        self.selection_changed.emit()

    def _prepare_picture(self, key: Key) -> Callable[[], Picture]:
        """Give what composes a page or reads a sheet again; it runs on a worker and sees only what is open now."""
        opened, engine = self.opened, self.engine
        if key[0] == "page":
            case, page = opened.case, key[1].page
            assert case is not None
            return lambda: page_picture(engine.compose(case, page))
        index = key[1]
        options = (opened.case.options if opened.case else Options()).reading
        known, path, folders = opened.case, self.read_from, self.missing.folders

        def reread() -> Picture:
            if known is None:
                return sheet_picture(engine.reread(opened.sheets[index], options))
            from core.case.originals import at_hand

            with at_hand(known, known.sheets[index], path, folders) as sheet:
                return sheet_picture(engine.reread(sheet, options))

        return reread
