"""What lies on one sheet: it is read, or known from before, and segmented."""

import hashlib
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

from core.errors import NothingFoundError, UnreadableInputError
from core.options import Options
from core.progress import Cancelled, Progress, no_progress
from core.sheets.input_file import InputFile
from core.sheets.kind import is_elongated
from core.sheets.perspective import corners_by_tilt
from core.sheets.reader import read_inputs, reread
from core.sheets.sheet import Sheet, SheetInfo
from core.shreds.deskew import camera_tilt
from core.shreds.regions.long_picture import segment_sheet
from core.shreds.segmentation import Segmentation, segment
from core.shreds.storage.packed import packed
from core.shreds.storage.sheets import ReadSheet, SheetStore, numbered
from core.system.spool import Shelf
from core.units import DPI

_STRAIGHT_DEG, _UNCERTAIN_DEG, _AT_EDGE_PX = 2.5, 3.5, 3

Outcome: TypeAlias = tuple[SheetInfo, Segmentation | NothingFoundError, bool]
"""What is known of a sheet at last, what lies on it, and whether its shreds' edges told how to lay it flat."""


@dataclass(frozen=True, eq=False)
class Page:
    """A sheet to be segmented; without pixels if what lies on it is known: from before, or from who looked at it."""

    file: InputFile
    read: ReadSheet
    sheet: Sheet | None
    outcome: Outcome | None = None

    def shelved(self, shelf: Shelf) -> "Page":
        """Put its small picture on a shelf.

        Parameters
        ----------
        shelf : Shelf
            Of all sheets.

        Returns
        -------
        Page
            The same.
        """
        info = replace(self.read.info, preview=shelf.put(self.read.info.preview))
        outcome = self.outcome
        if outcome is not None:
            flat, found, by_edges = outcome
            flat = info if flat is self.read.info else replace(flat, preview=shelf.put(flat.preview))
            outcome = flat, found, by_edges
        sheet = None if self.sheet is None else replace(self.sheet, info=info)
        return replace(self, read=replace(self.read, info=info), sheet=sheet, outcome=outcome)


def read_pages(
    files: Sequence[InputFile], store: SheetStore, progress: Progress
) -> Iterator[Page | UnreadableInputError]:
    """Read sheets that are not known from before, one after the other.

    Parameters
    ----------
    files : sequence of InputFile
        What to read.
    store : SheetStore
        How to read it, and what is known.
    progress : Progress
        Fraction and text.

    Yields
    ------
    Page or UnreadableInputError
        In the order of the files and their pages.
    """
    file = InputFile(Path())

    def known(of_file: InputFile, info: SheetInfo) -> ReadSheet | None:
        nonlocal file
        file = of_file
        return store.find(file, info)

    for sheet in read_inputs(files, store.options.reading, progress, known):
        if isinstance(sheet, UnreadableInputError):
            yield sheet
            continue
        read = sheet if isinstance(sheet, ReadSheet) else _read(sheet)
        mends = store.mends.get((read.info.sha256, read.info.page), ())
        info = replace(read.info, mends=mends) if mends else read.info
        with_pixels = None if isinstance(sheet, ReadSheet) else replace(sheet, info=info)
        del sheet
        yield Page(file, replace(read, info=info), with_pixels)
        del with_pixels  # not held while the next one is read


def find_on_file(
    task: tuple[InputFile, SheetStore], progress: Progress = no_progress
) -> list[Page | UnreadableInputError]:
    """Read a file and find what lies on its sheets, each as if it were the first of a case.

    Parameters
    ----------
    task : tuple of InputFile and SheetStore
        What is to be read, and how.
    progress : Progress
        Fraction and text.

    Returns
    -------
    list of Page or UnreadableInputError
        Pages without pixels; shreds are packed.
    """
    file, store = task
    found: list[Page | UnreadableInputError] = []
    for page in read_pages([file], store, progress):
        if isinstance(page, UnreadableInputError):
            found.append(page)
            continue
        info, segmentation, by_edges = segment_page(page, 0, store, threading.Event())
        if isinstance(segmentation, Segmentation):
            shreds, scraps = (tuple(map(packed, pieces)) for pieces in (segmentation.shreds, segmentation.scraps))
            segmentation = replace(segmentation, shreds=shreds, scraps=scraps)
        found.append(Page(file, replace(page.read, found=None), None, (info, segmentation, by_edges)))
    return found


def segment_page(page: Page, index: int, store: SheetStore, stopped: threading.Event) -> Outcome:
    """Segment a sheet, and keep what is found; that nothing lies on it is a result among several sheets.

    Parameters
    ----------
    page : Page
        Of which the outcome may be known.
    index : int
        Of the sheet among those of the case.
    store : SheetStore
        How to segment it.
    stopped : Event
        Set when nobody wants the outcome any more.

    Returns
    -------
    Outcome
        Named after the index.
    """
    sheet, options, read = page.sheet, store.options, page.read
    if page.outcome is not None:
        info, segmentation, by_edges = page.outcome
        placed = numbered(segmentation, index) if isinstance(segmentation, Segmentation) else segmentation
        return info, placed, by_edges
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


def segment_again(
    info: SheetInfo, index: int, options: Options, cut: str, progress: Progress = no_progress
) -> Segmentation:
    """Read a sheet once more and find what lies on it.

    Parameters
    ----------
    info : SheetInfo
        As it was read before, with the mends that hold now.
    index : int
        Of the sheet among those of the case.
    options : Options
        Those of reading and segmentation are used.
    cut : {"auto", "strip", "cross"}
        How the paper was cut, instead of what the options say.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Segmentation

    Raises
    ------
    NothingFoundError
        As `core.shreds.segmentation.segment` does.
    UnreadableInputError
        If the file is not there any more, or is another one.
    """
    sheet = replace(reread(info, options.reading), focal_px=None)
    sheet = replace(sheet, info=replace(sheet.info, mends=info.mends))
    return segment_sheet(sheet, index, replace(options.segmentation, cut=cut), progress)


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
        return single_content(sheet.info)
    digest = hashlib.sha256(repr(sheet.pixels.shape).encode())
    digest.update(np.ascontiguousarray(sheet.pixels).data)
    return digest.hexdigest()


def single_content(info: SheetInfo) -> str:
    """Tell a file that holds one shred from others, by its own hash and its mask's.

    Parameters
    ----------
    info : SheetInfo
        Of the sheet.

    Returns
    -------
    str
    """
    return f"{info.sha256} {info.mask_sha256}"


def place_of(info: SheetInfo) -> str:
    """Name a sheet by its path, and its page in a file of several.

    Parameters
    ----------
    info : SheetInfo
        Of the sheet.

    Returns
    -------
    str
        To begin a sentence with.
    """
    return f"{info.path}" if info.page == 0 else f"{info.path}, page {info.page + 1},"
