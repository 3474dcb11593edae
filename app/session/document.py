"""What is open, and what is shown and chosen of it; one signal for each kind of change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage, QUndoStack

from app.settings import CaseKey
from app.wording import named
from core.arrangement.arrangement import Pair
from core.arrangement.details import CaseDetails
from core.case.case import CASE_SUFFIX, Case
from core.case.history import History
from core.options import Options
from core.sheets.sheet import SheetInfo, file_names, sheet_names
from core.shreds.shred import Shred

if TYPE_CHECKING:
    from core.composition.page_image import Rendition  # brings OpenCV along
    from core.sheets.input_file import InputFile

Source: TypeAlias = "Path | InputFile"
"""What can be read: a file or folder, or a file of which it is known how it was read."""


def case_file(paths: Sequence[Source]) -> Path | None:
    """Return the case file that is meant, if it is one and nothing else."""
    first = paths[0] if len(paths) == 1 else None
    return first if isinstance(first, Path) and first.suffix.lower() == CASE_SUFFIX else None


@dataclass(frozen=True, eq=False)
class Opened:
    """What was asked for and what has come of it so far; `files` are those in the folders too, once they are known.

    A case file may be open `as_copy`: it is read, and never saved to. `answered` are the files with what the examiner
    said of them, if anything had to be asked.
    """

    paths: tuple[Path, ...] = ()
    files: tuple[Path, ...] = ()
    sheets: tuple[SheetInfo, ...] = ()
    shreds: tuple[tuple[Shred, ...], ...] = ()
    case: Case | None = None
    as_copy: bool = False
    answered: tuple[InputFile, ...] = ()

    def holding(self, case: Case) -> Opened:
        """Return the same files with the case that was made of them."""
        of_sheet: list[list[Shred]] = [[] for _ in case.sheets]
        for shred in case.shreds:
            of_sheet[shred.sheet].append(shred)
        return replace(self, sheets=case.sheets, shreds=tuple(map(tuple, of_sheet)), case=case)

    @cached_property
    def sheet_names(self) -> tuple[str, ...]:
        """What each sheet is called: as its file, and where several are called so, with its folder."""
        if self.case is None:  # still being read: no name changes with what follows
            return tuple(map(SheetInfo.named, self.sheets, self._file_names))
        return _names_of(self.sheets)

    @cached_property
    def pending_names(self) -> tuple[str, ...]:
        """What those are called of which no sheet has been read yet."""
        return self._file_names[len(self.sheets) :]

    @cached_property
    def _file_names(self) -> tuple[str, ...]:
        """Names of the sheets' files, then of what is pending."""
        return file_names((*(sheet.path for sheet in self.sheets), *self.pending()))

    @property
    def inputs(self) -> tuple[InputFile, ...]:
        """The files of the sheets, each once, to be read as they were read before."""
        from core.sheets.input_file import as_read

        pages: dict[object, list[SheetInfo]] = {}
        for sheet in self.sheets:
            pages.setdefault((sheet.path, sheet.mask_path), []).append(sheet)
        return tuple(as_read(of_file) for of_file in pages.values())

    def pending(self) -> tuple[Path, ...]:
        """List the files, or folders while their files are not known, of which no sheet has been read yet.

        Once there is a case, all has been read: its file is no sheet, and what could not be read is none.
        """
        if self.case is not None:
            return ()
        read = {sheet.path.absolute() for sheet in self.sheets}
        read |= {parent for path in read for parent in path.parents}
        return tuple(path for path in self.files or self.paths if path.absolute() not in read)


@lru_cache(maxsize=4)  # of hundreds of sheets they are the same after each edit
def _names_of(sheets: tuple[SheetInfo, ...]) -> tuple[str, ...]:
    return sheet_names(sheets)


class Place(NamedTuple):
    """Between two shreds of a page: in front of the one at `position`; the page -1 is the tray.

    Where `level` is not 0, in a row of its own: directly above the shred there (-1), or directly below it (1).
    """

    page: int
    position: int = 0
    level: int = 0


@dataclass(frozen=True)
class Selection:
    """A sheet, the current shred on it, and all shreds that are chosen; -1 and "" for none.

    The chosen ones stand in reading order; the current one, the last that was clicked, is among them.
    """

    sheet: int = -1
    shred: str = ""
    shreds: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.shred and not self.shreds:
            object.__setattr__(self, "shreds", (self.shred,))


class Document(QObject):
    """Holds what is open; whoever changes it emits the signal of the change."""

    replaced = Signal()
    """Something else is open; emitted before everything is shown anew."""
    sheets_changed = Signal()
    case_changed = Signal()
    """Another case is open, or none."""
    arrangement_changed = Signal()
    """The same case has been edited: order, shifts, turns, joins."""
    history_changed = Signal()
    """There is something else to undo, to redo or to save."""
    options_changed = Signal()
    """Other options are in force."""
    page_changed = Signal()
    rendition_changed = Signal()
    """Pages are to be shown in the other rendition."""
    selection_changed = Signal()
    saved = Signal(object)
    """The path of the case file that has been written."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.opened, self.page, self.selection = Opened(), 0, Selection()
        self.rendition: Rendition = "evidence"
        """In which pages are shown; no part of the case."""
        self.glimpses: dict[Path, QImage] = {}
        self.options = Options()
        self.stepping = False
        """Whether other shreds come in sight by a step of the history: the case is the same for all that."""
        self.unsaved = False
        """Whether something was recorded that a saved case should have, and the undo stack knows nothing of."""
        self.fresh = False
        """Whether the case has been reconstructed and is in no file yet."""
        self.undo_stack = QUndoStack(self)
        """The steps of the case; the file is as it was saved where the stack is clean."""
        self.undo_stack.indexChanged.connect(self.history_changed)
        self.undo_stack.cleanChanged.connect(self.history_changed)

    # What is open

    @property
    def case(self) -> Case | None:
        """The reconstructed case, if there is one."""
        return self.opened.case

    @property
    def history(self) -> History:
        """All entries of the case."""
        return self.case.history if self.case else ()

    @property
    def options_in_force(self) -> Options:
        """Those of the case; without one, those of what is opened next."""
        return self.case.options if self.case else self.options

    @property
    def case_path(self) -> Path | None:
        """The case file that is open, if the case is one that was saved, and may be saved to it."""
        return None if self.opened.as_copy else self.read_from

    @property
    def read_from(self) -> Path | None:
        """The case file that was read, be it as a copy."""
        return case_file(self.opened.paths)

    @property
    def key(self) -> CaseKey:
        """By what is remembered how the case is looked at."""
        return CaseKey(self.history[0].sha256 if self.history else "", self.case_path)

    @property
    def name(self) -> str:
        """What the case is called: as its file, or as the first sheet."""
        return (self.case_path or self.opened.sheets[0].path).stem

    @property
    def heading(self) -> str:
        """What the window is called: number and exhibit of the case, as far as they were entered, and its files."""
        name = named(self.opened.paths)
        return name if self.case is None else CaseDetails.of(self.case.arrangement).heading(name)

    @property
    def modified(self) -> bool:
        """Whether there is something that the case file does not have."""
        return self.case is not None and (self.unsaved or not self.undo_stack.isClean())

    def discard_changes(self) -> None:
        """Forget that there are changes that have not been saved, or all of a case that never was."""
        self.undo_stack.setClean()
        self.unsaved = self.fresh = False

    @property
    def n_pages(self) -> int:
        """Number of pages of the case."""
        return len(self.case.arrangement.pages) if self.case else 0

    def shred(self, shred_id: str) -> Shred | None:
        """Find a shred by its identifier."""
        if self.case is not None:
            return self.case.shred_by_id.get(shred_id)
        shreds = (shred for of_sheet in self.opened.shreds for shred in of_sheet)
        return next((shred for shred in shreds if shred.id == shred_id), None)

    def order(self) -> tuple[str, ...]:
        """List all shreds of the case in reading order: page by page, then what is set aside."""
        return self.case.arrangement.order if self.case else ()

    def seen(self, shred_id: str) -> str:
        """Return what is seen of the paper that a shred is a face of."""
        return self.case.arrangement.seen(shred_id) if self.case else shred_id

    @property
    def chosen_face(self) -> str:
        """The current shred, or its other face where that was chosen on its sheet."""
        shred, sheet = self.shred(self.selection.shred), self.selection.sheet
        faces = self.case.arrangement.other_faces if self.case else {}
        if shred is None or shred.sheet == sheet or shred.id not in faces:
            return self.selection.shred
        return faces[shred.id][0]

    def in_reading_order(self, shreds: Sequence[str]) -> tuple[str, ...]:
        """Sort shreds in reading order, each paper once, as it is seen; those that are not there are left out."""
        places = self.case.arrangement.places if self.case else {}
        return tuple(sorted({*map(self.seen, shreds)} & places.keys(), key=places.__getitem__))

    # Changing it

    def put(self, **changes: Any) -> None:
        """Replace fields of what is open; the caller emits the signal of the change."""
        self.opened = replace(self.opened, **changes)

    def put_sheets(self, sheets: Iterable[SheetInfo]) -> None:
        """Hold the same sheets as they are known now: where their files lie, and whether they are packed."""
        assert self.case is not None
        case = replace(self.case, sheets=tuple(sheets))
        self.put(sheets=case.sheets, case=case)

    def put_state(self, case: Case) -> None:
        """Hold another state of the same case, which keeps its history; only the editor calls this."""
        before = self.case
        assert before is not None
        case = replace(case, history=before.history, states={**case.states, **before.states})
        if case.shreds is not before.shreds:
            self.stepping = True
            self.show(self.opened.holding(case), self._page_in(case))
            self.stepping = False
            return
        self.put(case=replace(case, sheets=before.sheets))  # they lie where they lie now
        if case.options != before.options:
            self.options_changed.emit()
        self.page = max(0, min(self.page, self.n_pages - 1))
        self.selection = self._turned_over(self.selection)

    def _turned_over(self, chosen: Selection) -> Selection:
        """Choose of paper what is seen of it now."""
        shred = self.shred(self.seen(chosen.shred))
        if shred is None or all(self.seen(one) == one for one in chosen.shreds):
            return chosen
        return Selection(shred.sheet, shred.id, self.in_reading_order(chosen.shreds))

    def _page_in(self, case: Case) -> int:
        """Return the number that the page shown has in another state: where most of its shreds stand."""
        shown = self.case.arrangement.pages[self.page : self.page + 1] if self.case else ()
        pages = [case.arrangement.page_of(shred) for page in shown for shred in page]
        found = Counter(page for page in pages if page is not None).most_common(1)
        return found[0][0] if found else max(0, min(self.page, len(case.arrangement.pages) - 1))

    def show(self, opened: Opened, page: int = 0) -> None:
        """Hold something else, or nothing, with one of its pages shown and nothing chosen."""
        self.glimpses.clear()
        self.opened, self.page, self.selection = opened, page, Selection()
        changes = self.replaced, self.sheets_changed, self.case_changed, self.options_changed, self.selection_changed
        for signal in changes:
            signal.emit()

    # What is shown and chosen

    def show_page(self, page: int) -> None:
        """Show a page of the case; beyond the ends the first or the last."""
        page = max(0, min(page, self.n_pages - 1))
        if self.case and page != self.page:
            self.page = page
            self.page_changed.emit()

    def show_rendition(self, rendition: Rendition) -> None:
        """Show pages as evidence or as they read best."""
        if rendition != self.rendition:
            self.rendition = rendition
            self.rendition_changed.emit()

    def show_shred(self, shred_id: str) -> None:
        """Show the page on which a shred stands."""
        page = self.case.arrangement.page_of(self.seen(shred_id)) if self.case else None
        if page is not None:
            self.show_page(page)

    def select_sheet(self, sheet: int) -> None:
        """Choose a sheet as a whole."""
        self._select(Selection(sheet))

    def select_shred(self, shred_id: str) -> None:
        """Choose a shred, and with it its sheet; of one that is not seen, the paper."""
        shred = self.shred(shred_id)
        self._select(Selection(shred.sheet, self.seen(shred.id)) if shred else Selection(self.selection.sheet))

    def select_shreds(self, shreds: Sequence[str], current: str = "") -> None:
        """Choose several shreds; the current one is the one given, or the last."""
        chosen, current = self.in_reading_order(shreds), self.seen(current)
        current = current if current in chosen else next(reversed(chosen), "")
        shred = self.shred(current)
        self._select(Selection(shred.sheet, current, chosen) if shred else Selection(self.selection.sheet))

    def _select(self, selection: Selection) -> None:
        if selection != self.selection:
            self.selection = selection
            self.selection_changed.emit()

    @property
    def chosen_join(self) -> Pair | None:
        """The join that is chosen: between two chosen neighbours, or left of the current shred (right of a first)."""
        case, selection = self.case, self.selection
        page = case.arrangement.page_of(selection.shred) if case and selection.shred else None
        if case is None or page is None:
            return None
        shreds = case.arrangement.pages[page]
        at = shreds.index(selection.shred)
        if len(selection.shreds) == 2 and case.arrangement.has_join(*selection.shreds):
            return selection.shreds[0], selection.shreds[1]
        if len(selection.shreds) > 1 or len(shreds) < 2:
            return None
        return (shreds[at - 1], shreds[at]) if at else (shreds[0], shreds[1])
