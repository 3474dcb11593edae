"""Reading sheets: files of any supported format to `Sheet`, RGB at 300 dpi, with their SHA-256.

Files are opened for reading only. The bytes that are hashed are those that are decoded: both come from one open
handle.
"""

import errno
import hashlib
import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeVar

import cv2
import numpy as np

from core.arrays import Mask, Pixels
from core.errors import UnreadableInputError
from core.options import ReadingOptions
from core.progress import Progress, in_parts, no_progress
from core.sheets.formats.decoding import Document
from core.sheets.formats.picture import Picture
from core.sheets.formats.refusal import Refusal, check_size, damaged, naming
from core.sheets.input_file import InputFile, as_read
from core.sheets.inputs import input_file, lies_among_shreds
from core.sheets.kind import cut_out, cut_out_on_a_colour, is_elongated, is_single_shred, on_support
from core.sheets.perspective import Flat, focal_px, lay_flat
from core.sheets.resolution import DpiSource, resolution
from core.sheets.sheet import Sheet, SheetInfo, file_names
from core.units import DPI
from core.wording import QT_TRANSLATE_NOOP, Message

PREVIEW_PX = 800
"""Longer side of a preview."""

Kept = TypeVar("Kept")
"""What is known of a sheet from before, in the place of the sheet."""

_DPI_TOLERANCE = 0.005
_NO_PIXELS = np.zeros((0, 0, 3), np.uint8)
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")  # of which one slash is left in a path; a drive has but one letter


def read_sheets(
    file: InputFile, options: ReadingOptions = ReadingOptions(), progress: Progress = no_progress
) -> Iterator[Sheet]:
    """Read the pages of a file one after the other; no more than one is held here.

    Parameters
    ----------
    file : InputFile
        What to read.
    options : ReadingOptions
        Resolution and size limit.
    progress : Progress
        Called before each page.

    Yields
    ------
    Sheet
        Pixels and mask are read-only.

    Raises
    ------
    UnreadableInputError
        If the file, its mask or one of its pages cannot be read.
    """
    for outcome in _read_pages(file, file.path.name, options, progress, _nothing):
        if isinstance(outcome, UnreadableInputError):
            raise outcome
        yield outcome


def _nothing(_file: InputFile, _info: SheetInfo) -> None:
    """Know nothing of any sheet."""


def read_inputs(
    files: Sequence[InputFile],
    options: ReadingOptions = ReadingOptions(),
    progress: Progress = no_progress,
    known: Callable[[InputFile, SheetInfo], Kept | None] = _nothing,
) -> Iterator[Sheet | UnreadableInputError | Kept]:
    """Read many files; what cannot be read, a file or a page of it, does not stop the others.

    Parameters
    ----------
    files : sequence of InputFile
        What to read, as from `find_inputs`.
    options : ReadingOptions
        Resolution and size limit.
    progress : Progress
        Called before each page.
    known : callable, optional
        Called with each file and what is known of a page before it is decoded; returns what is to stand in its place.

    Yields
    ------
    Sheet, UnreadableInputError, or what `known` returned
        In the order of the files and their pages; an error stands in the place of what it is about.
    """
    names = file_names([file.path for file in files])
    for (file, name), of_file in in_parts(list(zip(files, names, strict=True)), progress):
        yield from _read_pages(file, name, options, of_file, known)


def reread(info: SheetInfo, options: ReadingOptions = ReadingOptions()) -> Sheet:
    """Read a sheet again, to show it at full resolution.

    Parameters
    ----------
    info : SheetInfo
        As it was when the sheet was first read.
    options : ReadingOptions
        As then.

    Returns
    -------
    Sheet

    Raises
    ------
    UnreadableInputError
        If the file has gone, cannot be read, or is not the one that was read then.
    """
    file = replace(as_read([info]), mask_path=input_file(info.path).mask_path, corners_px=info.corners_px)
    with _document(file, options, info) as (document, describe, mask):
        return _sheet(document, info.page, file, describe, mask, options)


_Describe = Callable[..., SheetInfo]  # with the file's fields filled in
_Mask = tuple[Mask, str]  # with the SHA-256 of its file


def _read_pages(
    file: InputFile,
    name: str,
    options: ReadingOptions,
    progress: Progress,
    known: Callable[[InputFile, SheetInfo], Kept | None],
) -> Iterator[Sheet | UnreadableInputError | Kept]:
    """Read the pages of a file; an error takes the place of a page, or of all of them."""
    reading = Message(QT_TRANSLATE_NOOP("progress", "Reading {name}"), name=name)
    fraction, text = 0.0, reading

    def waiting(_fraction: float, _text: str) -> None:
        progress(fraction, text)

    progress(fraction, text)
    try:
        with _document(file, options, progress=waiting) as (document, describe, mask):
            n_pages = document.n_pages
            for page in range(n_pages):
                if n_pages > 1:
                    template = QT_TRANSLATE_NOOP("progress", "Reading {name}, page {page} of {n}")
                    fraction, text = page / n_pages, Message(template, name=name, page=page + 1, n=n_pages)
                    progress(fraction, text)
                unread = describe(page=page, size_px=(0, 0), dpi=0.0, dpi_source="file", preview=_NO_PIXELS)
                before = known(file, unread)
                if before is not None:
                    yield before
                    continue
                try:
                    outcome: Sheet | UnreadableInputError = _sheet(document, page, file, describe, mask, options)
                except UnreadableInputError as error:
                    outcome = error
                yield outcome
                del outcome  # not held while the next one is decoded
    except UnreadableInputError as error:
        yield error
    progress(1.0, reading)


@contextmanager
def _document(
    file: InputFile, options: ReadingOptions, expected: SheetInfo | None = None, progress: Progress = no_progress
) -> Iterator[tuple[Document, _Describe, _Mask | None]]:
    """Open a file with its mask, and see that they are the expected ones."""
    with _opened(file.path) as handle:
        sha256, size_bytes = _sha256(handle), os.fstat(handle.fileno()).st_size
        mask = None if file.mask_path is None else _read_mask(file.mask_path, options, progress)
        if expected is not None and (sha256, mask and mask[1]) != (expected.sha256, expected.mask_sha256):
            raise Refusal(
                "or its mask has changed since it was first read: its SHA-256 is another. Put the original "
                "file back, or add the changed one as a new sheet."
            )
        describe = partial(SheetInfo, file.path, sha256=sha256, size_bytes=size_bytes, mask_sha256=mask and mask[1])
        with closing(Document(handle, str(file.path), options.max_megapixels, progress)) as document:
            yield document, partial(describe, mask_path=file.mask_path), mask


def _sheet(
    document: Document, page: int, file: InputFile, describe: _Describe, mask: _Mask | None, options: ReadingOptions
) -> Sheet:
    """Decode a page and bring it to 300 dpi."""
    name = str(file.path) if page == 0 else f"{file.path}, page {page + 1},"
    picture = document.picture(page)
    flat = None if mask is not None or file.single_shred else lay_flat(picture, file.corners_px)
    if flat is not None:
        picture = Picture(flat.pixels, None, None, (*picture.notes, flat.note))
    height, width = picture.pixels.shape[:2]
    with naming(name):
        scan, paper = _scan_and_paper(picture, file, mask)
        dpi, source = _resolution(picture, file, flat, options)
        size = _size_at_300_dpi((width, height), dpi)
        with naming(f"{name} at 300 dpi"):
            check_size(*size, options.max_megapixels)
        try:
            pixels = _resample(scan, size)
            pixels = pixels if pixels.ndim == 3 else np.asarray(cv2.cvtColor(pixels, cv2.COLOR_GRAY2RGB), np.uint8)
            at_300_dpi = None if paper is None else _resample(paper.astype(np.uint8) * 255, size) > 127
            preview = _preview(pixels)
        except (MemoryError, cv2.error) as error:
            raise damaged(MemoryError()) from error
    for array in (pixels, preview, at_300_dpi):
        if array is not None:
            array.flags.writeable = False
    info = describe(
        page=page,
        size_px=size,
        dpi=dpi[0],
        dpi_source=source,
        preview=preview,
        single_shred=paper is not None,
        corners_px=None if flat is None else flat.corners_px,
    )
    notes = tuple(f"{name} {note}" for note in picture.notes)
    focal = None if paper is not None or picture.focal_35mm is None else focal_px(picture) * DPI / dpi[0]
    return Sheet(info, pixels, at_300_dpi, notes, focal)


def _resolution(
    picture: Picture, file: InputFile, flat: Flat | None, options: ReadingOptions
) -> tuple[tuple[float, float], DpiSource]:
    """Determine the resolution: what a camera states is none, what its support would be if it were paper is a guess."""
    size = picture.pixels.shape[1], picture.pixels.shape[0]
    otherwise: tuple[float, DpiSource] | None = None if file.dpi is None else (file.dpi, file.dpi_source)
    if otherwise is None and flat is not None and flat.dpi is not None:
        otherwise = flat.dpi, "estimated"
    if otherwise is None and options.dpi is None and (flat is not None or picture.focal_35mm is not None):
        raise Refusal(
            "is a photograph, and nothing tells how large things on it are: neither a card of the shape of A4 or "
            "Letter nor lines of print at one distance were made out. Say the resolution (“Resolution”, dpi): how many "
            "pixels of it an inch (25.4 mm) has."
        )
    return resolution(size, None if picture.focal_35mm is not None else picture.dpi, options, otherwise)


def _scan_and_paper(picture: Picture, file: InputFile, mask: _Mask | None) -> tuple[Pixels, Mask | None]:
    """Find what a picture shows, and where there is paper if it is a single shred: by its mask, its opacity, or all."""
    shape = picture.pixels.shape[:2]
    if mask is not None and mask[0].shape != shape:
        raise Refusal(
            f"has {shape[1]} × {shape[0]} pixels, its mask {file.mask_path} has "
            f"{mask[0].shape[1]} × {mask[0].shape[0]}. Make them alike, or take the mask away."
        )
    if mask is not None:
        return picture.pixels, mask[0]
    if picture.alpha is not None:
        is_cut_out = cut_out(picture.alpha) == "shred" if file.single_shred is None else file.single_shred
        if is_cut_out:
            return picture.pixels, picture.alpha > 127
        return on_support(picture.pixels, picture.alpha), None
    is_shred = file.single_shred
    if is_shred is None:  # a sheet, whatever its folder is called, if it is not long
        is_shred = is_elongated(shape) and (lies_among_shreds(file.path) or is_single_shred(picture.pixels))
    if not is_shred:
        return picture.pixels, None
    paper = cut_out_on_a_colour(picture.pixels) if is_elongated(shape) else None
    return picture.pixels, np.ones(shape, bool) if paper is None else paper


def _read_mask(path: Path, options: ReadingOptions, progress: Progress) -> _Mask:
    """Read the picture that is white where there is paper."""
    with _opened(path) as handle:
        sha256 = _sha256(handle)
        with closing(Document(handle, str(path), options.max_megapixels, progress)) as document:
            pixels = document.picture(0).pixels
    return (pixels if pixels.ndim == 2 else pixels.max(axis=2)) > 127, sha256


def _size_at_300_dpi(size_px: tuple[int, int], dpi: tuple[float, float]) -> tuple[int, int]:
    """Compute width and height at 300 dpi; unchanged if the resolution is 300 dpi within half a percent."""
    if all(abs(value / DPI - 1) <= _DPI_TOLERANCE for value in dpi):
        return size_px
    return max(1, round(size_px[0] * DPI / dpi[0])), max(1, round(size_px[1] * DPI / dpi[1]))


def _resample(image: Pixels, size_px: tuple[int, int]) -> Pixels:
    """Bring an image to a width and height: averaged when it shrinks, cubic when it grows."""
    height, width = image.shape[:2]
    if (width, height) == size_px:
        return image
    shrinks = size_px[0] <= width and size_px[1] <= height
    method = cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, size_px, interpolation=method), np.uint8)


def _preview(pixels: Pixels) -> Pixels:
    """Reduce to at most `PREVIEW_PX` on the longer side."""
    height, width = pixels.shape[:2]
    scale = min(1.0, PREVIEW_PX / max(width, height))
    return _resample(pixels, (max(1, round(width * scale)), max(1, round(height * scale)))).copy()


def _sha256(handle: BinaryIO) -> str:
    """Hash an open file in pieces, and go back to its beginning."""
    try:
        digest = hashlib.file_digest(handle, "sha256").hexdigest()  # type: ignore[arg-type]
        handle.seek(0)
    except OSError as error:
        raise damaged(error.strerror or error) from error
    return digest


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading; what is refused meanwhile begins with its path."""
    with naming(str(path)):
        try:
            status = os.stat(path)
            if stat.S_ISDIR(status.st_mode):
                os.listdir(path)
                raise Refusal(
                    "is a folder in which no readable file lies. Name the files, or the folder directly above them."
                )
            if not stat.S_ISREG(status.st_mode):  # opening a pipe would wait for ever
                raise Refusal("is no regular file. Name a file with a scan.")
            if status.st_size == 0:
                raise Refusal("is empty (0 bytes). Copy it again from where it came, or scan it again.")
            handle = open(path, "rb")  # noqa: SIM115 - closed below
        except (OSError, ValueError) as error:
            raise Refusal(_why_not_opened(error, path)) from error
        with handle:
            yield handle


def _why_not_opened(error: Exception, path: Path) -> str:
    """Compose the sentence for an error of the file system, without the file's name."""
    match getattr(error, "errno", None):
        case errno.ENOENT if _ADDRESS.match(str(path)):
            return (
                "is no file on this computer, and Rejoin never uses the network. "
                "Copy it here, or connect its folder as a drive."
            )
        case errno.ENOENT | errno.ENOTDIR:
            return "does not exist. Check the name, and that its drive is connected."
        case errno.EACCES | errno.EPERM:
            return "may not be read: permission denied. Ask its owner, or copy it to a folder of your own."
        case errno.ELOOP:
            return "is a link that leads in a circle. Name the file itself."
        case _:
            reason = getattr(error, "strerror", None) or error
            return f"could not be opened ({reason}). Check the name and the drive, or copy the file elsewhere."
