"""Intact pages to train on: scans of real ones, and invented ones that are printed and scanned in software.

What training needs of a page is where its ink is, at any threshold near the usual one. So a page is kept as its
*margin*: by how much each pixel is brighter than Sauvola's threshold. Ink is where the margin is not positive. Margins
are clipped and coarsely rounded, so that they pack into a file of few megabytes for fifty pages that travels easily.

Run ``python -m training.corpus FOLDER... -o pages.npz`` to prepare a file. Needed for that are numpy, SciPy, OpenCV,
scikit-image and Pillow, and pypdfium2 for PDF files.
"""

import argparse
import sys
import zipfile
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import RejoinError, UnreadableInputError, UsageError
from core.parallel import map_in_order, n_cores
from core.system.files import replacing
from core.units import DPI
from training.rendering import CREATOR

PAPER_MARGIN = 32
"""Margin of plain paper; larger ones are clipped to it."""

MARGIN_STEP = 4
"""Margins are rounded to multiples of this."""

PATTERNS = ("**/intact.*", "**/*.pdf")
"""Which files below a folder are pages, unless told otherwise: in data sets of shreds only some of the images are."""

Margin = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Pages:
    """Pages of one size.

    Attributes
    ----------
    names : list of str
        Where each comes from.
    margins : ndarray of shape (n, h, w), int8
        Brightness above the ink threshold, -64 to `PAPER_MARGIN`; beyond a smaller page it is `PAPER_MARGIN`.
    """

    names: list[str]
    margins: Margin

    def select(self, indices: Sequence[int]) -> "Pages":
        """Give some of the pages."""
        return Pages([self.names[index] for index in indices], self.margins[list(indices)])


def margin(grey: NDArray[np.uint8]) -> Margin:
    """Tell by how much every pixel of a page is brighter than its threshold.

    Parameters
    ----------
    grey : ndarray of shape (h, w), uint8
        A page at 300 dpi.

    Returns
    -------
    ndarray of shape (h, w), int8
        -64 to `PAPER_MARGIN`, multiples of `MARGIN_STEP`; ink where it is not positive.
    """
    from core.shreds.binarization import sauvola_threshold

    above = grey.astype(np.float32) - sauvola_threshold(grey)
    steps = np.ceil(np.clip(above, -64, PAPER_MARGIN) / MARGIN_STEP)
    return (steps * MARGIN_STEP).astype(np.int8)


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


def prepare(path: Path, *, edge_px: int = 20, seed: int = 1, print_scan: bool = False) -> list[tuple[str, Margin]]:
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

    Returns
    -------
    list of (str, ndarray of shape (h, w), int8)
        Name and margin of each page. Pages that are wider than high are turned upright.

    Raises
    ------
    UnreadableInputError
        If the file cannot be read.
    """
    # Imported here, as OpenCV is elsewhere: a machine that trains from a prepared file may not have it.
    from training.print_scan import draw_treatment, print_and_scan

    is_pdf = path.suffix.lower() == ".pdf"
    print_scan = print_scan or (is_pdf and _is_rendered(path))
    greys = list(_rasterize(path) if is_pdf and print_scan else _read_scans(path))
    greys = [grey if grey.shape[0] >= grey.shape[1] else np.ascontiguousarray(np.rot90(grey)) for grey in greys]
    prepared = []
    for number, grey in enumerate(greys):
        if print_scan:
            rng = np.random.default_rng([seed, zlib.crc32(path.name.encode()), number])
            grey = print_and_scan(grey, draw_treatment(rng), rng, behind=greys[(number + 1) % len(greys)])
        framed = np.full(grey.shape, PAPER_MARGIN, dtype=np.int8)
        inner = slice(edge_px, len(grey) - edge_px), slice(edge_px, grey.shape[1] - edge_px)
        framed[inner] = margin(grey)[inner]
        name = f"{path.parent.name}/{path.name}"
        prepared.append((name if len(greys) == 1 else f"{name}, page {number + 1}", framed))
    return prepared


def _is_rendered(path: Path) -> bool:
    """Tell whether a PDF file was made by `training.rendering`."""
    with _opened_pdf(path) as document:
        return bool(document.get_metadata_value("Creator") == CREATOR)


def _rasterize(path: Path) -> Iterator[NDArray[np.uint8]]:
    """Draw the pages of a PDF file at 300 dpi, whatever the resolution of the pictures on them."""
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

    from core.sheets.reader import input_file, read_sheets

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
    margins = np.full((len(prepared), height, width), PAPER_MARGIN, dtype=np.int8)
    for target, (_, page) in zip(margins, prepared, strict=True):
        target[: page.shape[0], : page.shape[1]] = page
    return Pages([name for name, _ in prepared], margins)


def write_pages(pages: Iterable[tuple[str, Margin]], path: Path) -> int:
    """Write prepared pages, compressed, one after the other: only one is held.

    The file is one of numpy's archives: ``names``, and ``margins/00000``, … of shape (h, w), int8.

    Parameters
    ----------
    pages : iterable of (str, ndarray of shape (h, w), int8)
        Names and margins.
    path : Path
        File to write.

    Returns
    -------
    int
        How many pages there were.
    """
    names = []
    with replacing(path) as new, zipfile.ZipFile(new, "w", compresslevel=1) as archive:
        for number, (name, page) in enumerate(pages):
            names.append(name)
            _write_array(archive, f"margins/{number:05}", page)
        _write_array(archive, "names", np.array(names))
    return len(names)


def _write_array(archive: zipfile.ZipFile, name: str, array: NDArray[np.generic]) -> None:
    """Write a member of the archive; it bears no date, so that equal pages make equal files."""
    member = zipfile.ZipInfo(f"{name}.npy")
    member.compress_type = zipfile.ZIP_DEFLATED
    with archive.open(member, "w", force_zip64=True) as file:
        np.lib.format.write_array(file, array, allow_pickle=False)


def save_pages(pages: Pages, path: Path) -> None:
    """Write pages, compressed."""
    write_pages(zip(pages.names, pages.margins, strict=True), path)


def load_pages(path: Path) -> Pages:
    """Read prepared pages, on all cores; they are held once.

    Parameters
    ----------
    path : Path
        As `write_pages` or `save_pages` made it.

    Returns
    -------
    Pages

    Raises
    ------
    UnreadableInputError
        If the file is not one of prepared pages.
    """
    try:
        with np.load(path, allow_pickle=False) as content:
            names = [str(name) for name in content["names"]]
            if "margins" in content:  # all in one array
                return Pages(names, content["margins"])
        members = [f"margins/{number:05}.npy" for number in range(len(names))]
        with zipfile.ZipFile(path) as archive:
            shapes = [_read_shape(archive, member) for member in members]
    except FileNotFoundError as error:
        raise UnreadableInputError(
            f"{path} does not exist. Make it: python -m training.corpus FOLDER -o {path}"
        ) from error
    except (KeyError, ValueError, zipfile.BadZipFile) as error:
        raise UnreadableInputError(
            f"{path} is no file of prepared pages. Make it anew: python -m training.corpus FOLDER -o {path}"
        ) from error
    height, width = np.max(shapes, axis=0)
    margins = np.full((len(names), height, width), PAPER_MARGIN, dtype=np.int8)

    def read(number: int) -> None:
        with zipfile.ZipFile(path) as archive, archive.open(members[number]) as file:
            page = np.lib.format.read_array(file, allow_pickle=False)
        margins[number, : page.shape[0], : page.shape[1]] = page

    for _ in map_in_order(read, range(len(names))):
        pass
    return Pages(names, margins)


def _read_shape(archive: zipfile.ZipFile, member: str) -> tuple[int, ...]:
    """Read the shape of an array without the array."""
    with archive.open(member) as file:
        np.lib.format.read_magic(file)
        return np.lib.format.read_array_header_1_0(file)[0]


def prepare_all(
    paths: Sequence[Path], *, processes: int = 1, seed: int = 1, print_scan: bool = False
) -> Iterator[tuple[str, Margin]]:
    """Read the pages of many files, in several processes and in order; only a few files are ahead of the consumer.

    Parameters
    ----------
    paths : sequence of Path
        Images and PDF files.
    processes : int
        How many work at a time.
    seed, print_scan
        As for `prepare`.

    Yields
    ------
    (str, ndarray of shape (h, w), int8)
        Name and margin of each page.
    """
    work = partial(prepare, seed=seed, print_scan=print_scan)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_work_alone) as pool:
        ahead = deque(pool.submit(work, path) for path in paths[: 2 * processes])
        for path in [*paths[2 * processes :], *([None] * len(ahead))]:
            yield from ahead.popleft().result()
            if path is not None:
                ahead.append(pool.submit(work, path))


def _work_alone() -> None:
    """Keep OpenCV from using all cores in every process."""
    import cv2

    cv2.setNumThreads(1)


def _count(pages: Iterator[tuple[str, Margin]], every: int = 100) -> Iterator[tuple[str, Margin]]:
    """Pass pages on, and say now and then how many there were."""
    for number, page in enumerate(pages, start=1):
        yield page
        if number % every == 0:
            print(f"{number} pages", file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prepare a file of pages to train on from scans and PDF files."""
    parser = argparse.ArgumentParser(prog="python -m training.corpus", description=main.__doc__)
    parser.add_argument("folders", nargs="+", type=Path, help="folders of scans at 300 dpi, or of PDF files")
    parser.add_argument("-o", "--output", type=Path, required=True, help="file to write, .npz")
    parser.add_argument(
        "--pattern",
        action="append",
        default=[],
        help=f"which files below the folders; repeatable (default: {' '.join(PATTERNS)}, or all images without these)",
    )
    parser.add_argument(
        "--print-scan",
        action="store_true",
        help="print and scan everything in software (default: only the PDF files of training.rendering)",
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="of how pages are printed and scanned (default: %(default)s)"
    )
    parser.add_argument("--processes", type=int, default=n_cores(), help="how many at a time (default: %(default)s)")
    options = parser.parse_args(arguments)
    try:
        paths = [path for folder in options.folders for path in find_pages(folder, options.pattern)]
        pages = prepare_all(paths, processes=options.processes, seed=options.seed, print_scan=options.print_scan)
        n_pages = write_pages(_count(pages), options.output)
    except RejoinError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    print(f"{n_pages} pages of {len(paths)} files written to {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
