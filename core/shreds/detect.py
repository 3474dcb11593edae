"""From files to shreds: sheets are read and segmented side by side, and their pixels dropped."""

import hashlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

from core.errors import Duplicate, Likeness, NothingFoundError, Remark, UnreadableInputError
from core.options import Options
from core.parallel import n_cores, wait_for
from core.progress import Cancelled, Progress, no_progress
from core.sheets.input_file import InputFile, Inputs
from core.sheets.inputs import find_skipped
from core.sheets.kind import is_elongated
from core.sheets.likeness import Album
from core.sheets.mends import MendsOfSheets
from core.sheets.perspective import corners_by_tilt
from core.sheets.reader import read_inputs, reread
from core.sheets.sheet import Sheet, SheetInfo, file_names
from core.sheets.survey import survey
from core.shreds.deskew import camera_tilt
from core.shreds.regions.long_picture import segment_sheet
from core.shreds.segmentation import Segmentation, none_large_enough, segment
from core.shreds.shred import Crumb, Shred
from core.shreds.storage.packed import Keeper
from core.shreds.storage.sheets import ReadSheet, SheetStore, numbered
from core.system.disk_cache import DiskCache
from core.system.spool import Shelf
from core.units import DPI
from core.wording import QT_TRANSLATE_NOOP, Message, alike_once

logger = logging.getLogger(__name__)

_STRAIGHT_DEG, _UNCERTAIN_DEG, _AT_EDGE_PX = 2.5, 3.5, 3
_BY_EDGES = (
    "is a photograph on which the corners of what the shreds lie on are not seen: it was laid flat by the shreds' long "
    "edges, which is less exact, and was read all the same."
)

_Outcome: TypeAlias = tuple[SheetInfo, Segmentation | NothingFoundError, bool]

OnSheet: TypeAlias = Callable[[SheetInfo, tuple[Shred, ...]], None]


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
    on_sheet: OnSheet | None = None,
    progress: Progress = no_progress,
    cache: DiskCache | None = None,
) -> Found:
    """Read sheets and find the shreds on them; a sheet's pixels are dropped before the next but few are read.

    A file that cannot be read does not stop the others, nor does a sheet without shreds. A sheet that shows the same as
    one before it, under whatever name and in whatever format, is used once unless the options say otherwise; that is
    noted.

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
    on_sheet : callable, optional
        Called with each sheet and its shreds, in the order of the sheets.
    progress : Progress
        Fraction and text.
    cache : DiskCache, optional
        What it has of sheets is not read again.

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
    reader = _Reader(paths, store, notes, _SheetProgress(progress), known)
    sheets: list[SheetInfo] = []
    shreds: list[Shred] = []
    crumbs: list[Crumb] = []
    refusals: list[NothingFoundError] = []
    too_small: list[str] = []
    excluded: list[str] = []
    keeper = Keeper()
    for info, segmentation, by_edges in _segmented(reader, store, len(known)):
        if by_edges:
            notes.append(Remark(f"{_place(info)} {_BY_EDGES}"))
        if isinstance(segmentation, NothingFoundError):
            refusals.append(segmentation)
            found: tuple[Shred, ...] = ()
        else:
            found = keeper.keep((*segmentation.shreds, *segmentation.scraps))
            notes += [
                Remark(f"{_place(info)} was {Remark.MARK}, but not mended: {why}") for why in segmentation.refused
            ]
            if not found:
                excluded.append(f"{_place(info)} was excluded by the examiner.")
            elif not segmentation.shreds:
                too_small.append(str(none_large_enough(info.place, options.segmentation)))
            crumbs += segmentation.crumbs
        sheets.append(info)
        shreds += found
        if on_sheet is not None:
            on_sheet(info, found)
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
    ) -> None:
        self.seconds = 0.0
        self.progress, self._mends = progress, store.mends
        reading = store.options.reading
        self._notes, self._keep = notes, reading.keep_duplicates
        self._store, self._file, self._shelf = store, InputFile(Path()), Shelf()
        files = survey(paths, reading, progress.reading).files
        of_files = [file.path for file in files]
        self.file_names = dict(zip(of_files, file_names(of_files), strict=True))
        self._sheets = read_inputs(files, reading, progress.reading, self._known)
        self._first: dict[str, SheetInfo] = {}
        self._album = Album()
        for info in known:
            if info.single_shred:
                self._first[_single_content(info)] = info
            self._album.find(info)
        self.damaged: list[str] = []

    def _known(self, file: InputFile, info: SheetInfo) -> ReadSheet | None:
        """Return what was kept of a sheet, and note of which file the next one is."""
        self._file = file
        return self._store.find(file, info)

    def __iter__(self) -> Iterator["_Page"]:
        while True:
            start = time.perf_counter()
            sheet = next(self._sheets, None)
            self.seconds += time.perf_counter() - start
            if sheet is None:
                return
            if isinstance(sheet, UnreadableInputError):
                self._notes.append(str(sheet))
                self.damaged.append(str(sheet))
                continue
            read = sheet if isinstance(sheet, ReadSheet) else _read(sheet)
            read = replace(read, info=replace(read.info, preview=self._shelf.put(read.info.preview)))
            if self._is_welcome(read):
                self._notes += map(Remark, read.notes)
                self.progress.n_read += 1
                mends = self._mends.get((read.info.sha256, read.info.page), ())
                info = replace(read.info, mends=mends) if mends else read.info
                with_pixels = None if isinstance(sheet, ReadSheet) else replace(sheet, info=info)
                yield _Page(self._file, replace(read, info=info), with_pixels)

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
        here, there = _place(sheet.info), _place(first)
        self._notes.append(
            Remark(f"{here} {kept} {there}.") if self._keep else left_out(f"{here} {left_out.REASON} {there}.")
        )
        return self._keep


@dataclass(frozen=True, eq=False)
class _Page:
    """A sheet to be segmented; without pixels if what lies on it is known from before."""

    file: InputFile
    read: ReadSheet
    sheet: Sheet | None


def _read(sheet: Sheet) -> ReadSheet:
    """Collect what is to be known of a sheet without its pixels."""
    # Outlines of shreds are much alike, and where there is one alone there is little else to be seen.
    comparable = not is_elongated(sheet.info.size_px) if sheet.mask is None else bool(sheet.mask.all())
    return ReadSheet(sheet.info, _content(sheet), comparable, sheet.notes)


def _content(sheet: Sheet) -> str:
    """Hash what a sheet shows, whatever file it comes from: a scan saved once more in another format is the same.

    Of files that hold one shred each only the same files are the same: blank strips may look exactly alike.
    """
    if sheet.mask is not None:
        return _single_content(sheet.info)
    digest = hashlib.sha256(repr(sheet.pixels.shape).encode())
    digest.update(np.ascontiguousarray(sheet.pixels).data)
    return digest.hexdigest()


def _single_content(info: SheetInfo) -> str:
    return f"{info.sha256} {info.mask_sha256}"


def _place(info: SheetInfo) -> str:
    """Name a sheet by its path, and its page in a file of several."""
    return f"{info.path}" if info.page == 0 else f"{info.path}, page {info.page + 1},"


def _segmented(pages: _Reader, store: SheetStore, first_number: int) -> Iterator[_Outcome]:
    """Segment sheets on all cores while the next ones are read; no more are held than there are cores, and one."""
    workers = n_cores()
    waiting: deque[tuple[str, Future[_Outcome]]] = deque()
    stopped = threading.Event()

    def first() -> _Outcome:
        name, future = waiting.popleft()
        text = Message(QT_TRANSLATE_NOOP("progress", "Finding shreds on {name}"), name=name)
        outcome = wait_for(future, pages.progress.waiting, text)
        pages.progress.n_segmented += 1
        return outcome

    with ThreadPoolExecutor(workers, thread_name_prefix="segment") as pool:
        try:
            for index, page in enumerate(pages, start=first_number):
                name = page.read.info.named(pages.file_names[page.file.path])
                waiting.append((name, pool.submit(_segment, page, index, store, stopped)))
                del page  # its pixels are not held while the next one is read
                while waiting and (len(waiting) > workers or waiting[0][1].done()):
                    yield first()
            while waiting:
                yield first()
        finally:
            stopped.set()
            for _, future in waiting:
                future.cancel()


def _segment(page: _Page, index: int, store: SheetStore, stopped: threading.Event) -> _Outcome:
    """Segment a sheet, and keep what is found; that nothing lies on it is a result among several sheets."""
    sheet, options, read = page.sheet, store.options, page.read
    if sheet is None:
        assert read.found is not None
        return read.info, numbered(read.found, index), False
    flat = sheet

    def stop_if_asked(_fraction: float, _text: str) -> None:
        if stopped.is_set():
            raise Cancelled

    try:
        found = segment_sheet(sheet, index, options.segmentation, stop_if_asked)
        if sheet.focal_px is not None:
            flat = _by_edges(sheet, found, sheet.focal_px, options)
            found = found if flat is sheet else segment(flat, index, options.segmentation, stop_if_asked)
        else:
            found = store.keep(page.file, replace(read, found=found), index).found or found
        return flat.info, found, flat is not sheet
    except (NothingFoundError, UnreadableInputError) as error:
        return flat.info, error if isinstance(error, NothingFoundError) else NothingFoundError(str(error)), False


def _by_edges(sheet: Sheet, found: Segmentation, focal_px: float, options: Options) -> Sheet:
    """Lay a photograph flat by the edges of its shreds; as it is, it stays if the camera looked straight down."""
    size = np.array(sheet.info.size_px)
    boxes = np.array([shred.bbox for shred in found.shreds], float).reshape(-1, 4)
    starts, ends = boxes[:, :2], boxes[:, :2] + boxes[:, 2:]
    whole = (starts > _AT_EDGE_PX).all(axis=1) & (ends < size - _AT_EDGE_PX).all(axis=1)
    angles = np.array([shred.angle_deg for shred in found.shreds])
    masks = [shred.mask for shred in found.shreds]
    measured = camera_tilt(masks, (starts + ends - size) / 2, angles, whole, focal_px)
    if measured is None or np.degrees(measured[1]).max() > _UNCERTAIN_DEG:
        raise NothingFoundError(
            f"{sheet.info.place} is a photograph, and nothing tells how the camera was held: the four corners of what "
            "the shreds lie on are not seen, and there are too few long shreds. Scan the shreds, or photograph them "
            "straight from above with all four corners of a plain card in the picture."
        )
    tilt, _ = measured
    if np.degrees(np.arctan(np.abs(tilt))).max() <= _STRAIGHT_DEG:
        return sheet
    if not whole.all():  # beyond the picture its rim is continued, and so would be a shred
        raise NothingFoundError(
            f"{sheet.info.place} is a photograph that was not taken from straight above, and what looks like shreds "
            "reaches beyond the picture. Scan the shreds, or photograph them with all four corners of a card in it."
        )
    scale = sheet.info.dpi / DPI
    corners = corners_by_tilt((round(size[0] * scale), round(size[1] * scale)), focal_px * scale, tilt.tolist())
    return reread(replace(sheet.info, corners_px=corners), options.reading)
