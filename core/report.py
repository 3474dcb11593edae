"""What goes out: the pages as PDF, TIFF or PNG, and the result for other programs."""

import io
import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Any

import img2pdf
import numpy as np
import tifffile
from numpy.typing import NDArray
from PIL import Image

from core import __version__
from core.case import Case
from core.composition import compose_page
from core.errors import UsageError
from core.options import OutputOptions
from core.parallel import map_in_order
from core.progress import Progress, no_progress
from core.shred import DPI
from core.writing import replacing

CREATOR = f"Rejoin {__version__}"
PAGE_SUFFIXES = (".pdf", ".tif", ".tiff", ".png")

Image.MAX_IMAGE_PIXELS = None  # no guard against our own pages, however wide; what is read has one in ReadingOptions

_PNG_COMPRESSION = 2
"""On scanned paper as small as the highest level, at a third of its time."""


def write_pages(
    path: Path,
    case: Case,
    *,
    date: datetime | None = None,
    progress: Progress = no_progress,
) -> tuple[Path, ...]:
    """Write the pages of a case at true size: what kind of file, its name says.

    Parameters
    ----------
    path : Path
        ``.pdf`` and ``.tif`` hold all pages; of ``.png`` there is one for each page, numbered ``name-01.png`` where
        there are several.
    case : Case
        Its options say whether images are lossless (PDF only: TIFF and PNG always are), and whether seams are drawn.
    date : datetime, optional
        Written into the files; now, if absent. The same case and date give the same bytes.
    progress : Progress
        Called for each page.

    Returns
    -------
    tuple of Path
        The files written.

    Raises
    ------
    UsageError
        If the name ends in something else.
    OutputError
        If it cannot be written; whatever stood there before still stands there.
    """
    paths = page_paths(path, len(case.arrangement.pages))
    date = (date or datetime.now(UTC)).astimezone(UTC)
    suffix = path.suffix.lower()
    with ExitStack() as stack:
        new = [stack.enter_context(replacing(each)) for each in paths]
        if suffix == ".pdf":
            _write_pdf(new[0], case, date, progress)
        elif suffix == ".png":
            for file, data in zip(new, _encoded_pages(case, OutputOptions(lossless=True), progress), strict=True):
                file.write_bytes(data)
        else:
            _write_tiff(new[0], case, date, progress)
    return paths


def page_paths(path: Path, n_pages: int) -> tuple[Path, ...]:
    """Name the files that `write_pages` writes.

    Parameters
    ----------
    path : Path
        As given to it.
    n_pages : int
        Number of pages.

    Raises
    ------
    UsageError
        If the name does not end in one of `PAGE_SUFFIXES`.
    """
    suffix = path.suffix.lower()
    if suffix not in PAGE_SUFFIXES:
        raise UsageError(f"Pages cannot be written as {path.name}. End the name in {', '.join(PAGE_SUFFIXES)}.")
    if suffix != ".png" or n_pages == 1:
        return (path,)
    digits = max(2, len(str(n_pages)))
    return tuple(path.with_name(f"{path.stem}-{number:0{digits}}{path.suffix}") for number in range(1, n_pages + 1))


def result(case: Case) -> dict[str, Any]:
    """Give the result of a reconstruction in plain lists and dictionaries; other programs read them as JSON.

    Returns
    -------
    dict
        ``shreds``, ``pages``, ``set_aside``, ``joins``, ``seconds``, ``optimal``, ``gap``, ``versions``,
        ``weights_sha256``, and ``sheets`` and ``notes`` beside them. A shred's ``sheet`` counts from 1, as in its
        identifier.
    """
    return {
        "sheets": [
            {"path": str(sheet.path), "page": sheet.page + 1, "sha256": sheet.sha256, "dpi": sheet.dpi}
            for sheet in case.sheets
        ],
        "shreds": [
            {
                "id": shred.id,
                "sheet": shred.sheet + 1,
                "bbox": [int(value) for value in shred.bbox],
                "angle_deg": round(float(shred.angle_deg), 4),
                "half_turn": case.arrangement.pose(shred).half_turn,
                "blank": shred.blank,
                "scrap": shred.scrap,
            }
            for shred in case.shreds
        ],
        "pages": [list(page) for page in case.arrangement.pages],
        "set_aside": list(case.arrangement.set_aside),
        "joins": [
            {
                "left": join.left,
                "right": join.right,
                "cost": _finite(join.cost),
                "shift_px": int(join.shift_px),
                "confidence": float(join.confidence),
                "ink": _finite(join.ink),
                "contour": float(join.contour),
                "tone": float(join.tone),
            }
            for join in case.joins
        ],
        "seconds": {stage: round(seconds, 3) for stage, seconds in case.seconds.items()},
        "optimal": case.optimal and not case.by_hand,
        "gap": _finite(case.gap),
        "versions": case.versions,
        "weights_sha256": case.weights_sha256,
        "notes": list(case.unreadable),
    }


def write_result(path: Path, case: Case) -> None:
    """Write `result` as JSON.

    Raises
    ------
    OutputError
        If it cannot be written; whatever stood there before still stands there.
    """
    text = json.dumps(result(case), indent=1, allow_nan=False)
    with replacing(path) as new:
        new.write_text(text + "\n", encoding="utf-8")


def _finite(value: float) -> float | None:
    """Give a number as JSON can hold it: infinity becomes null."""
    return float(value) if isfinite(value) else None


def _page_images(case: Case, progress: Progress) -> Iterator[NDArray[np.uint8]]:
    """Compose one page after the other."""
    shreds = {shred.id: shred for shred in case.shreds}
    n = len(case.arrangement.pages)
    for page in range(n):
        progress(page / n, f"Composing page {page + 1} of {n}")
        yield compose_page(shreds, case.arrangement, page, case.options.composition).pixels
    progress(1.0, "Composing pages")


def _encoded_pages(case: Case, options: OutputOptions, progress: Progress) -> Iterator[bytes]:
    """Compose and compress the pages on all cores."""
    shreds = {shred.id: shred for shred in case.shreds}

    def encoded(page: int) -> bytes:
        return _encode(compose_page(shreds, case.arrangement, page, case.options.composition).pixels, options)

    return map_in_order(encoded, range(len(case.arrangement.pages)), "Composing page", progress)


def _encode(pixels: NDArray[np.uint8], options: OutputOptions) -> bytes:
    """Compress a page as PNG or JPEG."""
    image, buffer = Image.fromarray(pixels), io.BytesIO()
    if options.lossless:
        image.save(buffer, "png", dpi=(DPI, DPI), compress_level=_PNG_COMPRESSION)
    else:
        image.save(buffer, "jpeg", dpi=(DPI, DPI), quality=options.jpeg_quality, subsampling=0)
    return buffer.getvalue()


@dataclass
class _NextPage:
    """A page that is composed when img2pdf asks for it, so that few are held at once."""

    pages: Iterator[bytes]

    def read(self) -> bytes:
        return next(self.pages)


def _write_pdf(file: Path, case: Case, date: datetime, progress: Progress) -> None:
    """Write one PDF page for each page; images go in as they are compressed."""
    pages = _encoded_pages(case, case.options.output, progress)
    with file.open("wb") as stream:
        img2pdf.convert(
            [_NextPage(pages) for _ in case.arrangement.pages],
            outputstream=stream,
            engine=img2pdf.Engine.internal,
            layout_fun=img2pdf.get_fixed_dpi_layout_fun((DPI, DPI)),
            title=title(case),
            creator=CREATOR,
            producer=CREATOR,
            creationdate=date,
            moddate=date,
        )


def _write_tiff(file: Path, case: Case, date: datetime, progress: Progress) -> None:
    """Write a TIFF of several pages, compressed without loss."""
    size = sum(shred.pixels.nbytes for shred in case.shreds)
    with tifffile.TiffWriter(file, bigtiff=2 * size > 2**32) as tiff:
        for index, pixels in enumerate(_page_images(case, progress)):
            tiff.write(
                pixels,
                photometric="rgb",
                compression="zlib",
                predictor=True,
                resolution=(DPI, DPI),
                resolutionunit="INCH",
                description=title(case) if index == 0 else None,
                software=CREATOR,
                datetime=date.replace(tzinfo=None),
                metadata=None,
            )


def title(case: Case) -> str:
    """Say what the pages were made from: "Reconstructed from scan01.jpg and 3 other sheets"."""
    names = [sheet.name for sheet in case.sheets]
    if len(names) <= 3:
        return f"Reconstructed from {_listed(names)}"
    return f"Reconstructed from {names[0]} and {len(names) - 1} other sheets"


def _listed(names: Iterable[str]) -> str:
    """Join names to "a, b and c"."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
