"""The pages as PDF/A, TIFF or PNG, at true size."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import tifffile
from numpy.typing import NDArray

from core.arrangement.arrangement import Arrangement
from core.arrangement.details import CaseDetails
from core.case.case import Case
from core.composition.backs import with_backs
from core.composition.page_image import Rendition
from core.composition.pages import compose
from core.errors import NothingFoundError, UsageError
from core.options import OutputOptions
from core.output.page_names import described, file_stems, page_name
from core.output.report.archival import CREATOR, SUBJECTS, ArchivalDocument
from core.output.report.page_sheet import add_pages
from core.output.report.preparing import COMPOSING, encode
from core.output.result import title
from core.parallel import map_in_order
from core.progress import Progress, no_progress, part
from core.system.files import replacing
from core.units import DPI
from core.wording import QT_TRANSLATE_NOOP, Message

logger = logging.getLogger(__name__)

PAGE_SUFFIXES = (".pdf", ".tif", ".tiff", ".png")


def write_pages(
    path: Path,
    case: Case,
    *,
    name: str = "",
    date: datetime | None = None,
    rendition: Rendition = "evidence",
    progress: Progress = no_progress,
) -> tuple[Path, ...]:
    """Write the pages of a case at true size: what kind of file, its name says.

    Parameters
    ----------
    path : Path
        ``.pdf`` and ``.tif`` hold all pages; of ``.png`` there is one for each page, numbered ``name-01.png`` where
        there are several. A PDF is PDF/A-2b; strips beside the paper mark it as a reconstruction.
    case : Case
        Its options say whether images are lossless (PDF only: TIFF and PNG always are), and whether seams are drawn
        (in a PDF as a layer, in TIFF and PNG on the paper).
    name : str
        Of the case, for the mark; what the pages were made from, if not given.
    date : datetime, optional
        Written into the files; that of the last step in the case's history, if absent, and now if there is none. The
        same case and date give the same bytes.
    rendition : {"evidence", "reading"}
        Which of the two; a reading page says of itself what it is, beside the paper and in the file's metadata.
    progress : Progress
        Called for each page.

    Returns
    -------
    tuple of Path
        The files written.

    Raises
    ------
    UsageError
        If the name ends in something else, or is that of a sheet.
    NothingFoundError
        If the case has no page.
    OutputError
        If it cannot be written; whatever stood there before still stands there.
    """
    case = with_backs(case)
    paths = page_paths(path, case.arrangement)
    if not case.arrangement.pages:
        raise NothingFoundError("There is no page to write: all shreds are set aside. Put at least one on a page.")
    check_originals(case, paths)
    date = date or date_of(case)
    suffix = path.suffix.lower()
    with ExitStack() as stack:
        new = [stack.enter_context(replacing(each)) for each in paths]
        if suffix == ".pdf":
            _write_pdf(new[0], case, name or title(case), date, rendition, progress)
        elif suffix == ".png":
            for file, data in zip(new, _encoded_pages(case, rendition, progress), strict=True):
                file.write_bytes(data)
        else:
            _write_tiff(new[0], case, date, rendition, progress)
    logger.info("Pages are written: %d, as %s", len(case.arrangement.pages), suffix)
    return paths


def page_paths(path: Path, arrangement: Arrangement) -> tuple[Path, ...]:
    """Return the names of the files that `write_pages` writes.

    Parameters
    ----------
    path : Path
        As given to it.
    arrangement : Arrangement
        Its pages, as the examiner called them.

    Returns
    -------
    tuple of Path
        One file, or one for each page, with its number and name.

    Raises
    ------
    UsageError
        If the name does not end in one of `PAGE_SUFFIXES`.

    Examples
    --------
    >>> two = Arrangement((("a",), ("b",)), page_names={"b": "Invoice"})
    >>> [path.name for path in page_paths(Path("pages.png"), two)]
    ['pages-01.png', 'pages-02 Invoice.png']
    >>> [path.name for path in page_paths(Path("pages.pdf"), two)]
    ['pages.pdf']
    """
    suffix = path.suffix.lower()
    if suffix not in PAGE_SUFFIXES:
        raise UsageError(f"Pages cannot be written as {path.name}. End the name in {', '.join(PAGE_SUFFIXES)}.")
    if suffix != ".png" or len(arrangement.pages) == 1:
        return (path,)
    return tuple(path.with_name(stem + path.suffix) for stem in file_stems(arrangement, path.stem))


def check_originals(case: Case, paths: Iterable[Path]) -> None:
    """Check that nothing is written over a sheet.

    Parameters
    ----------
    case : Case
        Names its sheets.
    paths : iterable of Path
        What is to be written.

    Raises
    ------
    UsageError
        If a path is that of a sheet, or of the mask of one.
    """
    originals = [path for sheet in case.sheets for path in (sheet.path, sheet.mask_path) if path and path.exists()]
    for path in paths:
        if path.exists() and any(path.samefile(original) for original in originals):
            raise UsageError(f"{path} is one of the sheets; it would be overwritten. Give another name.")


def date_of(case: Case) -> datetime:
    """Return when a case was last changed, so that what is written from it does not depend on the clock.

    Parameters
    ----------
    case : Case
        With or without a history.

    Returns
    -------
    datetime
        Aware; now, if there is no history.
    """
    return datetime.fromisoformat(case.history[-1].when) if case.history else datetime.now(UTC)


def _encoded_pages(case: Case, rendition: Rendition, progress: Progress) -> Iterator[bytes]:
    """Compose the pages and compress them as PNG, on all cores."""

    def encoded(page: int) -> bytes:
        pixels = compose(case, page, rendition).pixels
        about = ", ".join(filter(None, (title(case), page_name(case.arrangement, page))))
        return encode(pixels, OutputOptions(), about, SUBJECTS[rendition])

    return map_in_order(encoded, range(len(case.arrangement.pages)), COMPOSING, progress)


def _write_pdf(file: Path, case: Case, name: str, date: datetime, rendition: Rendition, progress: Progress) -> None:
    """Write one PDF page for each page."""
    details = CaseDetails.of(case.arrangement)
    with ArchivalDocument(title(case), date, file.parent, SUBJECTS[rendition]) as document:
        document.describe(details)
        seams = case.options.composition.show_seams
        heading = details.heading(name)
        add_pages(document, case, heading, part(progress, 0, 0.9), seams=seams, rendition=rendition)
        document.save(file, part(progress, 0.9, 1.0))


def _write_tiff(file: Path, case: Case, date: datetime, rendition: Rendition, progress: Progress) -> None:
    """Write a TIFF of several pages, compressed without loss."""
    n = len(case.arrangement.pages)
    size = sum(3 * width * height for _, _, width, height in (shred.bbox for shred in case.shreds))
    with tifffile.TiffWriter(file, bigtiff=2 * size > 2**32) as tiff:
        for page in range(n):
            progress(page / n, Message(COMPOSING, number=page + 1, n=n))
            pixels = compose(case, page, rendition).pixels
            add_to_tiff(tiff, pixels, f"{title(case)}, {described(case.arrangement, page)}", date, rendition)
    progress(1.0, QT_TRANSLATE_NOOP("progress", "Composing pages"))


def add_to_tiff(
    tiff: tifffile.TiffWriter, pixels: NDArray[np.uint8], about: str, date: datetime, rendition: Rendition = "evidence"
) -> None:
    """Add a page to a TIFF, with what it is about; each page says that it is a reconstruction.

    Parameters
    ----------
    tiff : TiffWriter
        Open for writing.
    pixels : ndarray of shape (h, w, 3), uint8
        RGB at 300 dpi.
    about : str
        What the page is.
    date : datetime
        Aware.
    rendition : {"evidence", "reading"}
        Which of the two it is.
    """
    tiff.write(
        pixels,
        photometric="rgb",
        compression="zlib",
        predictor=True,
        resolution=(DPI, DPI),
        resolutionunit="INCH",
        description=f"{about}. {SUBJECTS[rendition]}".encode("utf-8", "backslashreplace"),
        software=CREATOR,
        datetime=date.replace(tzinfo=None),
        metadata=None,
    )
