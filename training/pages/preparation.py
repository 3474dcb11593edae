"""Where intact pages come from: scans of real ones, and invented ones that are printed and scanned in software.

Needed for that are numpy, SciPy, OpenCV and Pillow, and pypdfium2 for PDF files. A machine that trains
from a prepared file has none of them, so they are imported where they are used.
"""

import zlib
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import UnreadableInputError, UsageError
from core.units import DPI
from training.pages.intact import PAPER_MARGIN, Margin, Pages, copy_pages, load_pages, margin
from training.rendering import CREATOR

PATTERNS = ("**/intact.*", "**/*.pdf")
"""Which files below a folder are pages, unless told otherwise: in data sets of shreds only some of the images are."""


def find_pages(folder: Path, patterns: Sequence[str] = ()) -> list[Path]:
    """List the files of pages below a folder.

    Parameters
    ----------
    folder : Path
        Of scans or PDF files.
    patterns : sequence of str
        Which files; if none are given, those that match `PATTERNS`, or all images where none does.

    Returns
    -------
    list of Path
        Pattern by pattern, sorted by path.

    Raises
    ------
    UsageError
        If there are none.
    """
    from core.sheets.inputs import SUFFIXES  # not needed, nor its libraries, to train from a prepared file

    found = [path for pattern in patterns or PATTERNS for path in _matching(folder, pattern)]
    if not found and not patterns:
        found = [path for path in _matching(folder, "**/*") if path.suffix.lower() in SUFFIXES]
    if not found:
        wanted = " or ".join(patterns or ("an image", "a PDF file"))
        raise UsageError(f"There are no pages: no file below {folder} is {wanted}. Give a folder of scans.")
    return found


def _matching(folder: Path, pattern: str) -> list[Path]:
    return sorted(path for path in folder.glob(pattern) if path.is_file())


def pages_of(path: Path) -> Pages:
    """Read a file that `write_pages` made, or the pages below a folder."""
    return load_pages(path) if path.is_file() else read_pages(find_pages(path))


def prepare(
    path: Path, *, edge_px: int = 20, seed: int = 1, print_scan: bool = False, as_they_lie: bool = False
) -> list[tuple[str, Margin]]:
    """Read the pages of a file, and print and scan them in software where that is due.

    Parameters
    ----------
    path : Path
        A scan at 300 dpi, or a PDF file. What `training.rendering` made is known by its creator.
    edge_px : int
        This much of each side is replaced by paper: the scanner's lid shows there.
    seed : int
        With the file's name and the page's number, it decides how the page is printed and scanned.
    print_scan : bool
        Whether to print and scan in software whatever the file is, not only what `training.rendering` made.
    as_they_lie : bool
        Whether pages that are wider than high stay so; otherwise they are set on their narrow side.

    Returns
    -------
    list of (str, ndarray of shape (h, w), int8)
        Name and margin of each page.

    Raises
    ------
    UnreadableInputError
        If the file cannot be read.
    """
    prepared = []
    greys = page_images(path, seed=seed, print_scan=print_scan, as_they_lie=as_they_lie)
    for number, grey in enumerate(greys):
        framed = np.full(grey.shape, PAPER_MARGIN, dtype=np.int8)
        inner = slice(edge_px, len(grey) - edge_px), slice(edge_px, grey.shape[1] - edge_px)
        framed[inner] = margin(grey)[inner]
        name = page_name(path)
        prepared.append((name if len(greys) == 1 else f"{name}, page {number + 1}", framed))
    return prepared


def page_name(path: Path) -> str:
    """Return what a page is called after its file: the file and its folder."""
    return f"{path.parent.name}/{path.name}"


def page_images(
    path: Path, *, seed: int = 1, print_scan: bool = False, as_they_lie: bool = False
) -> list[NDArray[np.uint8]]:
    """Read the pages of a file as they are scanned, or as software prints and scans them where that is due.

    Parameters
    ----------
    path, seed, print_scan, as_they_lie
        As for `prepare`.

    Returns
    -------
    list of ndarray of shape (h, w), uint8
        Grey values at 300 dpi.

    Raises
    ------
    UnreadableInputError
        If the file cannot be read.
    """
    # Imported here, as OpenCV is elsewhere: a machine that trains from a prepared file may not have it.
    from training.pages.print_scan import draw_treatment, print_and_scan

    is_pdf = path.suffix.lower() == ".pdf"
    print_scan = print_scan or (is_pdf and _is_rendered(path))
    greys = list(rasterize(path) if is_pdf and print_scan else _read_scans(path))
    if not as_they_lie:
        greys = [grey if grey.shape[0] >= grey.shape[1] else np.ascontiguousarray(np.rot90(grey)) for grey in greys]
    if not print_scan:
        return greys
    scanned = []
    for number, grey in enumerate(greys):
        rng = np.random.default_rng([seed, zlib.crc32(path.name.encode()), number])
        behind = greys[(number + 1) % len(greys)]
        scanned.append(print_and_scan(grey, draw_treatment(rng), rng, behind=behind))
    return scanned


def _is_rendered(path: Path) -> bool:
    """Check whether a PDF file was made by `training.rendering`."""
    with _opened_pdf(path) as document:
        return bool(document.get_metadata_value("Creator") == CREATOR)


def rasterize(path: Path) -> Iterator[NDArray[np.uint8]]:
    """Draw the pages of a PDF file at 300 dpi, whatever the resolution of the pictures on them.

    Parameters
    ----------
    path : Path
        A PDF file.

    Yields
    ------
    ndarray of shape (h, w), uint8
        Grey values.
    """
    with _opened_pdf(path) as document:
        for page in document:
            yield np.array(page.render(scale=DPI / 72, grayscale=True).to_numpy(), dtype=np.uint8)


def _opened_pdf(path: Path) -> Any:
    """Open a PDF file with pypdfium2."""
    from pypdfium2 import PdfDocument, PdfiumError

    try:
        return PdfDocument(path)
    except PdfiumError as error:
        raise UnreadableInputError(
            f"{path} is damaged, or no PDF file ({error}). Make it anew, or leave it out."
        ) from error


def _read_scans(path: Path) -> Iterator[NDArray[np.uint8]]:
    """Read the pages of a file as grey values at 300 dpi."""
    import cv2

    from core.sheets.inputs import input_file
    from core.sheets.reader import read_sheets

    for sheet in read_sheets(input_file(path)):
        yield np.asarray(cv2.cvtColor(sheet.pixels, cv2.COLOR_RGB2GRAY), dtype=np.uint8)


def read_pages(paths: Sequence[Path], *, edge_px: int = 20, seed: int = 1) -> Pages:
    """Read intact pages into memory, as `prepare` does.

    Parameters
    ----------
    paths : sequence of Path
        Images at 300 dpi and PDF files.
    edge_px, seed : int
        As for `prepare`.

    Returns
    -------
    Pages
        In the order of the paths.
    """
    prepared = [page for path in paths for page in prepare(path, edge_px=edge_px, seed=seed)]
    height, width = np.max([page.shape for _, page in prepared], axis=0)
    return Pages([name for name, _ in prepared], copy_pages([page for _, page in prepared], (height, width)))


def prepare_all(
    paths: Sequence[Path],
    *,
    processes: int = 1,
    seed: int = 1,
    print_scan: bool = False,
    as_they_lie: bool = False,
) -> Iterator[tuple[str, Margin]]:
    """Read the pages of many files, in several processes and in order; only a few files are ahead of the consumer.

    Parameters
    ----------
    paths : sequence of Path
        Images and PDF files.
    processes : int
        How many work at a time.
    seed, print_scan, as_they_lie
        As for `prepare`.

    Yields
    ------
    (str, ndarray of shape (h, w), int8)
        Name and margin of each page.
    """
    work = partial(prepare, seed=seed, print_scan=print_scan, as_they_lie=as_they_lie)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=work_alone) as pool:
        ahead = deque(pool.submit(work, path) for path in paths[: 2 * processes])
        for path in [*paths[2 * processes :], *([None] * len(ahead))]:
            yield from ahead.popleft().result()
            if path is not None:
                ahead.append(pool.submit(work, path))


def work_alone() -> None:
    """Keep OpenCV from using all cores in every process."""
    import cv2

    cv2.setNumThreads(1)
