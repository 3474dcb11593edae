"""Intact pages to train on, as margins, and the file that holds them.

What training needs of a page is where its ink is, at any threshold near the usual one. So a page is kept as its
*margin*: by how much each pixel is brighter than Sauvola's threshold. Ink is where the margin is not positive. Margins
are clipped and coarsely rounded, so that they pack into a file of few megabytes for fifty pages that travels easily.
"""

import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import UnreadableInputError
from core.parallel import map_in_order
from core.system.files import replacing

PAPER_MARGIN = 32
"""Margin of plain paper; larger ones are clipped to it."""

DARKEST_MARGIN = -64
"""Margins of what is darker are clipped to it."""

MARGIN_STEP = 4
"""Margins are rounded to multiples of this."""

Margin = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Pages:
    """Pages of one size.

    Attributes
    ----------
    names : list of str
        Where each comes from.
    margins : ndarray of shape (n, h, w), int8
        Brightness above the ink threshold, `DARKEST_MARGIN` to `PAPER_MARGIN`; beyond a smaller page it is the latter.
    """

    names: list[str]
    margins: Margin

    def select(self, indices: Sequence[int]) -> "Pages":
        """Return some of the pages."""
        return Pages([self.names[index] for index in indices], self.margins[list(indices)])


def copy_pages(margins: Sequence[NDArray[np.int8]], size: tuple[int, int]) -> NDArray[np.int8]:
    """Copy pages into one array of shape (n, height, width), paper right of and below the smaller ones."""
    copied = np.full((len(margins), *size), PAPER_MARGIN, dtype=np.int8)
    for target, page in zip(copied, margins, strict=True):
        target[: page.shape[0], : page.shape[1]] = page
    return copied


def margin(grey: NDArray[np.uint8]) -> Margin:
    """Compute by how much every pixel of a page is brighter than its threshold.

    Parameters
    ----------
    grey : ndarray of shape (h, w), uint8
        A page at 300 dpi.

    Returns
    -------
    ndarray of shape (h, w), int8
        `DARKEST_MARGIN` to `PAPER_MARGIN`, multiples of `MARGIN_STEP`; ink where it is not positive.
    """
    from core.shreds.binarization import sauvola_threshold

    above = grey.astype(np.float32) - sauvola_threshold(grey)
    steps = np.ceil(np.clip(above, DARKEST_MARGIN, PAPER_MARGIN) / MARGIN_STEP)
    return (steps * MARGIN_STEP).astype(np.int8)


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
            headers = [_read_header(archive, member) for member in members]
    except FileNotFoundError as error:
        raise UnreadableInputError(
            f"{path} does not exist. Make it: python -m training.corpus FOLDER -o {path}"
        ) from error
    except (KeyError, ValueError, zipfile.BadZipFile) as error:
        raise UnreadableInputError(
            f"{path} is no file of prepared pages. Make it anew: python -m training.corpus FOLDER -o {path}"
        ) from error
    height, width = np.max([shape for shape, _ in headers], axis=0)
    margins = np.full((len(names), height, width), PAPER_MARGIN, dtype=np.int8)

    def read(number: int) -> None:
        with zipfile.ZipFile(path) as archive, archive.open(members[number]) as file:
            shape, n_header_bytes = headers[number]
            page = np.frombuffer(file.read()[n_header_bytes:], np.int8).reshape(shape)
        margins[number, : page.shape[0], : page.shape[1]] = page

    for _ in map_in_order(read, range(len(names))):
        pass
    return Pages(names, margins)


def _read_header(archive: zipfile.ZipFile, member: str) -> tuple[tuple[int, ...], int]:
    """Read the shape of an array, and after how many bytes its values begin.

    Not for several threads at once: numpy parses the header as Python, and Python 3.11 counts the depth of that for all
    threads together (SystemError; https://github.com/python/cpython/issues/106905).
    """
    with archive.open(member) as file:
        np.lib.format.read_magic(file)
        return np.lib.format.read_array_header_1_0(file)[0], file.tell()
