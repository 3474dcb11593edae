"""Intact pages to train on, from folders of scans.

What training needs of a page is where its ink is, at any threshold near the usual one. So a page is kept as its
*margin*: by how much each pixel is brighter than Sauvola's threshold. Ink is where the margin is not positive. Margins
are clipped and coarsely rounded, so that some fifty pages pack into a file of few megabytes that travels easily.

Run ``python -m training.corpus FOLDER -o pages.npz`` to prepare a file.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

PAPER_MARGIN = 32
"""Margin of plain paper; larger ones are clipped to it."""

MARGIN_STEP = 4
"""Margins are rounded to multiples of this."""


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
    margins: NDArray[np.int8]

    def select(self, indices: Sequence[int]) -> "Pages":
        """Give some of the pages."""
        return Pages([self.names[index] for index in indices], self.margins[list(indices)])


def margin(grey: NDArray[np.uint8]) -> NDArray[np.int8]:
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
    from core.binarization import sauvola_threshold

    above = grey.astype(np.float32) - sauvola_threshold(grey)
    steps = np.ceil(np.clip(above, -64, PAPER_MARGIN) / MARGIN_STEP)
    return (steps * MARGIN_STEP).astype(np.int8)


def find_pages(folder: Path, pattern: str = "**/intact.*") -> list[Path]:
    """List the page images below a folder, sorted by path."""
    return sorted(path for path in folder.glob(pattern) if path.is_file())


def read_pages(paths: Sequence[Path], *, edge_px: int = 20) -> Pages:
    """Read scans of intact pages.

    Parameters
    ----------
    paths : sequence of Path
        Images at 300 dpi.
    edge_px : int
        This much of each side is replaced by paper: the scanner's lid shows there.

    Returns
    -------
    Pages
        In the order of the paths.
    """
    # Imported here: a machine that trains from a prepared file has neither OpenCV nor scikit-image.
    import cv2

    from core.images import input_file, read_sheets

    sheets = [sheet for path in paths for sheet in read_sheets(input_file(path))]
    greys = [np.asarray(cv2.cvtColor(sheet.pixels, cv2.COLOR_RGB2GRAY), dtype=np.uint8) for sheet in sheets]
    height, width = max(len(grey) for grey in greys), max(grey.shape[1] for grey in greys)
    margins = np.full((len(greys), height, width), PAPER_MARGIN, dtype=np.int8)
    for target, grey in zip(margins, greys, strict=True):
        inner = slice(edge_px, len(grey) - edge_px), slice(edge_px, grey.shape[1] - edge_px)
        target[inner] = margin(grey)[inner]
    return Pages([f"{sheet.info.path.parent.name}/{sheet.info.name}" for sheet in sheets], margins)


def save_pages(pages: Pages, path: Path) -> None:
    """Write prepared pages, compressed."""
    np.savez_compressed(path, names=np.array(pages.names), margins=pages.margins)


def load_pages(path: Path) -> Pages:
    """Read prepared pages."""
    with np.load(path, allow_pickle=False) as content:
        return Pages([str(name) for name in content["names"]], content["margins"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Prepare a file of pages."""
    parser = argparse.ArgumentParser(prog="python -m training.corpus", description=main.__doc__)
    parser.add_argument("folder", type=Path, help="folder of intact pages, scanned at 300 dpi")
    parser.add_argument("-o", "--output", type=Path, required=True, help="file to write, .npz")
    parser.add_argument("--pattern", default="**/intact.*", help="which files below the folder (default: %(default)s)")
    options = parser.parse_args(arguments)
    paths = find_pages(options.folder, options.pattern)
    if not paths:
        parser.error(f"no file below {options.folder} matches {options.pattern}")
    save_pages(read_pages(paths), options.output)
    print(f"{len(paths)} pages written to {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
