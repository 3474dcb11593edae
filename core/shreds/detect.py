"""From files to shreds: sheets are read and segmented side by side, and their pixels dropped."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Container, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from core.errors import Duplicate, Likeness, NothingFoundError, Remark, UnreadableInputError
from core.options import Options
from core.parallel import HERE, Workers, n_cores, wait_for
from core.progress import Progress, no_progress
from core.sheets.input_file import InputFile, Inputs
from core.sheets.inputs import find_skipped
from core.sheets.likeness import Album
from core.sheets.mends import MendsOfSheets
from core.sheets.sheet import SheetInfo, file_names
from core.sheets.survey import survey
from core.shreds.cross_cut.kind import CROSS_CUT_MM
from core.shreds.cross_cut.whole_set import Cut, Lying, cut_of_set, cut_otherwise, unparted
from core.shreds.on_sheet import (
    Outcome,
    Page,
    find_on_file,
    place_of,
    read_pages,
    segment_again,
    segment_page,
    single_content,
)
from core.shreds.segmentation import Segmentation, none_large_enough
from core.shreds.shred import Crumb, Shred
from core.shreds.storage.packed import Keeper
from core.shreds.storage.sheets import ReadSheet, SheetStore, numbered
from core.system.disk_cache import DiskCache
from core.system.spool import Shelf
from core.units import mm_to_px
from core.wording import QT_TRANSLATE_NOOP, Message, alike_once

logger = logging.getLogger(__name__)

_BY_EDGES = (
    "is a photograph on which the corners of what the shreds lie on are not seen: it was laid flat by the shreds' long "
    "edges, which is less exact, and was read all the same."
)

_SMALLER = 0.8
"""A picture with fewer pixels than so many of another's along its sides is a smaller copy of it."""

OnSheet: TypeAlias = Callable[[SheetInfo, tuple[Shred, ...]], None]

_Lying: TypeAlias = tuple[SheetInfo, Segmentation | NothingFoundError]


@dataclass(frozen=True, eq=False)
class Found:
    """What lies on the sheets; the attributes are those of a `Case`, but for `damaged`: of `unreadable` what failed."""

    sheets: tuple[SheetInfo, ...]
    shreds: tuple[Shred, ...]
    crumbs: tuple[Crumb, ...]
    unreadable: tuple[str, ...]
    seconds: dict[str, float] = field(default_factory=dict)
    damaged: tuple[str, ...] = ()


def find_shreds(
    paths: Inputs,
    options: Options,
    *,
    mends: MendsOfSheets | None = None,
    known: Sequence[SheetInfo] = (),
    cut_before: Cut | None = None,
    on_sheet: OnSheet | None = None,
    progress: Progress = no_progress,
    cache: DiskCache | None = None,
    workers: Workers = HERE,
) -> Found:
    """Read sheets and find the shreds on them; a sheet's pixels are dropped before the next but few are read.

    A file that cannot be read does not stop the others, nor does a sheet without shreds. A sheet that shows the same as
    one before it, under whatever name and in whatever format, is used once unless the options say otherwise; that is
    noted. Of a picture and a smaller copy of it the larger one is used, whichever comes first.

    Parameters
    ----------
    paths : sequence of Path or InputFile
        Files and folders.
    options : Options
        Those of reading and segmentation are used.
    mends : mapping, optional
        What the examiner mended on sheets before; what cannot be mended any more is noted.
    known : sequence of SheetInfo
        Sheets read earlier: those read now are numbered after them, and left out if they show the same.
    cut_before : {"strip", "cross"}, optional
        How the paper on these was cut; otherwise the sheets decide.
    on_sheet : callable, optional
        Called with each sheet and its shreds, in the order of the sheets.
    progress : Progress
        Fraction and text.
    cache : DiskCache, optional
        What it has of sheets is not read again.
    workers : Workers
        Read the files.

    Returns
    -------
    Found
        At least one shred, to be compared if no other sheets are known; sheet by sheet, scraps after the shreds.

    Raises
    ------
    UnreadableInputError
        If not one of the files can be read.
    NothingFoundError
        If there is no shred on the sheets, or, where no other sheets are known, only blank ones.
    """
    start = time.perf_counter()
    notes = [f"{path} was left out: it is no picture." for path in find_skipped(paths)]
    unread = len(notes)
    store = SheetStore(cache, options, mends or {})
    reader = _Reader(paths, store, notes, _SheetProgress(progress), known, workers)
    outcomes: list[_Lying] = []
    # What comes packed from elsewhere goes packed to where its borders are read.
    keeper = Keeper(0) if workers.elsewhere else Keeper()
    for info, segmentation, by_edges in _segmented(reader, store, len(known)):
        if by_edges:
            notes.append(Remark(f"{place_of(info)} {_BY_EDGES}"))
        found: tuple[Shred, ...] = ()
        if isinstance(segmentation, Segmentation):
            found, n = keeper.keep((*segmentation.shreds, *segmentation.scraps)), len(segmentation.shreds)
            segmentation = replace(segmentation, shreds=found[:n], scraps=found[n:])
            notes += [
                Remark(f"{place_of(info)} was {Remark.MARK}, but not mended: {why}") for why in segmentation.refused
            ]
        outcomes.append((info, segmentation))
        if on_sheet is not None:
            on_sheet(info, found)
    outcomes = _without(reader.smaller, outcomes, len(known))
    sheets = [info for info, _ in outcomes]
    outcomes = _cut_alike(outcomes, options, len(known), cut_before, keeper)
    shreds: list[Shred] = []
    crumbs: list[Crumb] = []
    refusals: list[NothingFoundError] = []
    too_small: list[str] = []
    excluded: list[str] = []
    for info, segmentation in outcomes:
        if isinstance(segmentation, NothingFoundError):
            refusals.append(segmentation)
            continue
        if not segmentation.shreds and not segmentation.scraps:
            excluded.append(f"{place_of(info)} was excluded by the examiner.")
        elif not segmentation.shreds:
            too_small.append(str(none_large_enough(info.place, options.segmentation)))
        elif (remark := unparted(place_of(info), segmentation.shreds)) is not None:
            notes.append(Remark(remark))
        shreds += (*segmentation.shreds, *segmentation.scraps)
        crumbs += segmentation.crumbs
    empty = [str(refusal) for refusal in refusals]
    if not sheets:
        raise UnreadableInputError("\n".join(alike_once(notes[unread:] or notes)) or "No files were given.")
    n_shreds = sum(not shred.scrap for shred in shreds)
    if not n_shreds:
        kinds = {type(refusal) for refusal in refusals} | ({NothingFoundError} if too_small else set())
        kind = kinds.pop() if len(kinds) == 1 else NothingFoundError
        raise kind("\n".join(alike_once(notes + empty + too_small + excluded)))
    if not known and not any(shred.compared for shred in shreds):
        raise NothingFoundError(
            f"All {n_shreds} shreds found are blank: there is no ink to order them by. "
            "Scan the shreds with their printed side down."
        )
    progress(1.0, QT_TRANSLATE_NOOP("progress", "Finding shreds"))
    seconds = {"load": reader.seconds, "segment": time.perf_counter() - start - reader.seconds}
    found_on = f"{len(sheets)} sheets, {len(notes)} inputs left out"
    logger.info("%d shreds, %d crumbs on %s: %.1f s", n_shreds, len(crumbs), found_on, sum(seconds.values()))
    return Found(tuple(sheets), tuple(shreds), tuple(crumbs), tuple(notes + empty), seconds, tuple(reader.damaged))


def _without(smaller: Container[tuple[Path, int]], outcomes: list[_Lying], first_number: int) -> list[_Lying]:
    """Leave out sheets of which a larger picture came after them; the others move up."""
    if not any((info.path, info.page) in smaller for info, _ in outcomes):
        return outcomes
    left = [one for one in outcomes if (one[0].path, one[0].page) not in smaller]
    return [
        (info, numbered(found, number) if isinstance(found, Segmentation) else found)
        for number, (info, found) in enumerate(left, start=first_number)
    ]


def _cut_alike(
    outcomes: Sequence[_Lying], options: Options, first_number: int, cut_before: Cut | None, keeper: Keeper
) -> list[_Lying]:
    """Let the sheets of a set agree in how paper was cut.

    What is too little to tell goes by the others, and what was cut otherwise is left out.
    """
    lying = [
        Lying(found.cut, (*found.shreds, *found.scraps), info.single_shred)
        for info, found in outcomes
        if isinstance(found, Segmentation)
    ]
    cut = cut_before or cut_of_set(lying)
    agreed: list[_Lying] = []
    for number, (info, found) in enumerate(outcomes, start=first_number):
        if isinstance(found, Segmentation) and found.cut != cut and options.segmentation.cut == "auto":
            agreed.append((info, _as_cut(info, found, number, cut, options, keeper)))
        else:
            agreed.append((info, found))
    return agreed


def _as_cut(
    info: SheetInfo, found: Segmentation, number: int, cut: Cut, options: Options, keeper: Keeper
) -> Segmentation | NothingFoundError:
    """Return what lies on a sheet if its paper was cut as that of the others."""
    if not found.shreds and not found.scraps:
        return found
    if found.cut != "either":
        return cut_otherwise(info.place, Lying(found.cut, (*found.shreds, *found.scraps), info.single_shred))
    if cut == "strip":
        return found
    if info.single_shred and not info.mends:
        return replace(found, shreds=tuple(shred.changed(cross_cut=True) for shred in found.shreds), cut=cut)
    try:
        again = segment_again(info, number, options, cut)
    except (NothingFoundError, UnreadableInputError) as error:
        return error if isinstance(error, NothingFoundError) else NothingFoundError(str(error))
    return replace(again, shreds=keeper.keep(again.shreds), scraps=keeper.keep(again.scraps))


class _SheetProgress:
    """One fraction for reading and segmenting, which go on side by side; it never falls."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._fraction = self._shown = 0.0
        self.n_read = self.n_segmented = 0

    def reading(self, fraction: float, text: str) -> None:
        """Report the fraction of the files that has been read."""
        self._fraction = fraction
        self.waiting(fraction, text)

    def waiting(self, _fraction: float, text: str) -> None:
        """Report while a segmentation is waited for."""
        share = self.n_segmented / self.n_read if self.n_read else 0.0
        self._shown = max(self._shown, self._fraction * (0.3 + 0.7 * share))
        self._progress(self._shown, text)


class _Reader:
    """Reads the sheets one after the other, leaves out what was given twice, and measures its own time."""

    def __init__(
        self,
        paths: Inputs,
        store: SheetStore,
        notes: list[str],
        progress: _SheetProgress,
        known: Sequence[SheetInfo],
        workers: Workers,
    ) -> None:
        self.seconds = 0.0
        self.progress = progress
        reading = store.options.reading
        self._notes, self._keep = notes, reading.keep_duplicates
        self._shelf = Shelf()
        files = survey(paths, reading, progress.reading, known).files
        of_files = [file.path for file in files]
        self.file_names = dict(zip(of_files, file_names(of_files), strict=True))
        self._pages = (
            _found_elsewhere(files, store, workers, progress.reading)
            if workers.elsewhere
            else read_pages(files, store, progress.reading)
        )
        self._first: dict[str, SheetInfo] = {}
        self._album, self._known = Album(), known
        self.smaller: set[tuple[Path, int]] = set()
        for info in known:
            if info.single_shred:
                self._first[single_content(info)] = info
            self._album.find(info)
        self.damaged: list[str] = []

    def __iter__(self) -> Iterator[Page]:
        while True:
            start = time.perf_counter()
            page = next(self._pages, None)
            self.seconds += time.perf_counter() - start
            if page is None:
                return
            if isinstance(page, UnreadableInputError):
                self._notes.append(str(page))
                self.damaged.append(str(page))
                continue
            page = page.shelved(self._shelf)
            if self._is_welcome(page.read):
                self._notes += map(Remark, page.read.notes)
                self.progress.n_read += 1
                yield page
            del page  # its pixels are not held while the next one is read

    def _is_welcome(self, sheet: ReadSheet) -> bool:
        """Check whether a sheet is to be used: not one that was read before, by its pixels or by what it shows."""
        first = self._first.setdefault(sheet.content, sheet.info)
        left_out, kept = Duplicate, Remark.KEPT
        if first is sheet.info:
            left_out, kept = Likeness, Remark.KEPT_LIKENESS
            like = self._album.find(sheet.info) if sheet.comparable else None
            if like is None:
                return True
            first = like
        here, there = place_of(sheet.info), place_of(first)
        # Of pieces that were cut in software many are alike to the pixel: those of white paper.
        keep = self._keep or (sheet.info.single_shred and max(sheet.info.size_px) <= mm_to_px(CROSS_CUT_MM))
        if not keep and left_out is Likeness and _is_finer(sheet.info, first) and first not in self._known:
            self.smaller.add((first.path, first.page))
            self._album.exchange(first, sheet.info)
            self._notes.append(left_out(f"{there} {left_out.REASON} {here}."))
            return True
        self._notes.append(
            Remark(f"{here} {kept} {there}.") if keep else left_out(f"{here} {left_out.REASON} {there}.")
        )
        return keep


def _is_finer(info: SheetInfo, other: SheetInfo) -> bool:
    """Check whether a picture of the same sheet has clearly more pixels."""
    return max(info.size_px) * info.dpi * _SMALLER > max(other.size_px) * other.dpi


def _found_elsewhere(
    files: Sequence[InputFile], store: SheetStore, workers: Workers, progress: Progress
) -> Iterator[Page | UnreadableInputError]:
    """Have files read by workers; what one of them cannot read, or has another file in its place, is read here."""
    text, tasks = QT_TRANSLATE_NOOP("progress", "Finding shreds"), ((file, store) for file in files)
    for file, found in zip(files, workers.map(find_on_file, tasks, len(files), text, progress), strict=True):
        yield from found if _read_the_same(file, found) else read_pages([file], store, no_progress)


def _read_the_same(file: InputFile, found: Sequence[Page | UnreadableInputError]) -> bool:
    """Check whether a worker could read the file that lies here, as far as its size tells."""
    try:
        n_bytes = file.path.stat().st_size
    except OSError:
        return False
    return all(isinstance(page, Page) and page.read.info.size_bytes == n_bytes for page in found)


def _segmented(pages: _Reader, store: SheetStore, first_number: int) -> Iterator[Outcome]:
    """Segment sheets on all cores while the next ones are read; no more are held than there are cores, and one."""
    workers = n_cores()
    waiting: deque[tuple[str, Future[Outcome]]] = deque()
    stopped = threading.Event()

    def first() -> Outcome:
        name, future = waiting.popleft()
        text = Message(QT_TRANSLATE_NOOP("progress", "Finding shreds on {name}"), name=name)
        outcome = wait_for(future, pages.progress.waiting, text)
        pages.progress.n_segmented += 1
        return outcome

    with ThreadPoolExecutor(workers, thread_name_prefix="segment") as pool:
        try:
            for index, page in enumerate(pages, start=first_number):
                name = page.read.info.named(pages.file_names[page.file.path])
                waiting.append((name, pool.submit(segment_page, page, index, store, stopped)))
                del page  # its pixels are not held while the next one is read
                while waiting and (len(waiting) > workers or waiting[0][1].done()):
                    yield first()
            while waiting:
                yield first()
        finally:
            stopped.set()
            for _, future in waiting:
                future.cancel()
