"""What is open: the files, their sheets, the case made of them, what is shown and chosen of it, what runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, Signal
from PySide6.QtGui import QImage

from app.engine import CASE_SUFFIX, Engine
from app.image_view import pyramid_from
from app.pictures import Key, Picture, Pictures
from app.tasks import Deliver, Task, Tasks
from app.thumbnails import glimpse
from core.options import Options
from core.progress import Progress

if TYPE_CHECKING:
    from core.case import Case
    from core.composition import PageImage
    from core.sheet import Sheet, SheetInfo
    from core.shred import Shred


@dataclass(frozen=True, eq=False)
class Opened:
    """What was asked for and what has come of it so far; `files` are those in the folders too, once they are known."""

    paths: tuple[Path, ...] = ()
    files: tuple[Path, ...] = ()
    sheets: tuple[SheetInfo, ...] = ()
    shreds: tuple[tuple[Shred, ...], ...] = ()
    case: Case | None = None

    def pending(self) -> tuple[Path, ...]:
        """List the files, or folders while their files are not known, of which no sheet has been read yet."""
        read = {sheet.path.absolute() for sheet in self.sheets}
        read |= {parent for path in read for parent in path.parents}
        return tuple(path for path in self.files or self.paths if path.absolute() not in read)


@dataclass(frozen=True)
class Selection:
    """A sheet, and on it a shred; -1 and "" for none."""

    sheet: int = -1
    shred: str = ""


@dataclass(frozen=True, eq=False)
class Running:
    """The work the user waits for."""

    task: Task
    kind: str
    title: str


class Workspace(QObject):
    """Holds what is open and changes it; one signal for each kind of change."""

    sheets_changed = Signal()
    case_changed = Signal()
    page_changed = Signal()
    selection_changed = Signal()
    running_changed = Signal()
    exported = Signal(object)
    """The paths of the files written."""
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
        self._engine = engine or Engine()
        self._before = Opened()

    @property
    def case(self) -> Case | None:
        """The reconstructed case, if there is one."""
        return self.opened.case

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

    def open(self, paths: Sequence[Path]) -> None:
        """Reconstruct files and folders, in place of what is open."""
        if paths and not self.exporting:
            self._reconstruct(tuple(dict.fromkeys(paths)))

    def add(self, paths: Sequence[Path]) -> None:
        """Reconstruct what is open together with more files and folders."""
        self.open((*self._sources(), *paths) if paths else ())

    def reconstruct_again(self) -> None:
        """Reconstruct the same files and folders anew."""
        self.open(self._sources())

    def _sources(self) -> tuple[Path, ...]:
        """List what to read for what is open; of a saved case that is the sheets it was made of."""
        if any(path.suffix.lower() == CASE_SUFFIX for path in self.opened.paths):
            return tuple(sheet.path for sheet in self.opened.sheets)
        return self.opened.paths

    def export(self, path: Path) -> None:
        """Write the pages to a file."""
        case = self.case
        if case is None or self.busy:
            return
        task = self.tasks.start(lambda progress, deliver: self._engine.export(path, case, progress))
        task.succeeded.connect(self.exported)
        self._wait_for(task, "export", self.tr("Exporting {name}").format(name=path.name))

    def cancel(self) -> None:
        """Stop what the user waits for."""
        if self.running:
            self.running.task.cancel()

    def close(self) -> None:
        """Stop everything."""
        self.cancel()
        self.tasks.cancel_all()

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

    def select_sheet(self, sheet: int) -> None:
        """Choose a sheet as a whole."""
        self._select(Selection(sheet))

    def _select(self, selection: Selection) -> None:
        if selection != self.selection:
            self.selection = selection
            self.selection_changed.emit()

    def _reconstruct(self, paths: tuple[Path, ...]) -> None:
        self.cancel()
        if self.case:
            self._before = self.opened
        self._replace(Opened(paths))
        engine = self._engine

        def work(progress: Progress, deliver: Deliver) -> Case:
            return engine.reconstruct(paths, lambda info, shreds: deliver((info, shreds)), progress)

        task = self.tasks.start(work)
        task.delivered.connect(self._add_sheet)
        task.succeeded.connect(self._show_case)
        task.failed.connect(self._go_back)
        task.cancelled.connect(self._go_back)
        self._wait_for(task, "reconstruct", self.tr("Reconstructing"))
        glimpses = self.tasks.start(lambda progress, deliver: glimpse(paths, progress, deliver))
        glimpses.delivered.connect(self._add_glimpse)
        task.succeeded.connect(glimpses.cancel)
        task.failed.connect(glimpses.cancel)
        task.cancelled.connect(glimpses.cancel)

    def _wait_for(self, task: Task, kind: str, title: str) -> None:
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

    def _add_glimpse(self, arrived: tuple[Path, ...] | tuple[Path, QImage]) -> None:
        if len(arrived) == 2 and isinstance(arrived[1], QImage):
            self.glimpses[arrived[0]] = arrived[1]
        else:
            self.opened = replace(self.opened, files=arrived)
        self.sheets_changed.emit()

    def _add_sheet(self, arrived: tuple[SheetInfo, tuple[Shred, ...]]) -> None:
        info, shreds = arrived
        now = self.opened
        self.opened = replace(now, sheets=(*now.sheets, info), shreds=(*now.shreds, shreds))
        self.sheets_changed.emit()

    def _show_case(self, case: Case) -> None:
        of_sheet = [tuple(shred for shred in case.shreds if shred.sheet == index) for index in range(len(case.sheets))]
        self._before = Opened()
        self._replace(Opened(self.opened.paths, self.opened.files, case.sheets, tuple(of_sheet), case))

    def _go_back(self, *_: object) -> None:
        """Show again what was open before; if that was nothing, what has been read stays in sight."""
        if self._before.case or not self.opened.sheets:
            before, self._before = self._before, Opened()
            self._replace(before)

    def _replace(self, opened: Opened) -> None:
        self.pictures.clear()
        self.glimpses.clear()
        self.opened = opened
        self.page = 0
        self.selection = Selection()
        self.sheets_changed.emit()
        self.case_changed.emit()
        self.selection_changed.emit()

    def _prepare_picture(self, key: Key) -> Callable[[], Picture]:
        """Give what composes a page or reads a sheet again; it runs on a worker and sees only what is open now."""
        kind, index = key
        opened, engine = self.opened, self._engine
        if kind == "page":
            case = opened.case
            assert case is not None
            return lambda: _page_picture(engine.compose(case, index))
        options = (opened.case.options if opened.case else Options()).reading
        return lambda: _sheet_picture(engine.reread(opened.sheets[index], options))


def _page_picture(page: PageImage) -> Picture:
    height, width, _ = page.pixels.shape
    places = {shred_id: QRectF(*place) for shred_id, place in page.placements.items()}
    return Picture(pyramid_from(page.pixels), (width, height), places)


def _sheet_picture(sheet: Sheet) -> Picture:
    return Picture(pyramid_from(sheet.pixels), sheet.info.size_px)
