"""A file to read, with what is known of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from core.sheets.resolution import DpiSource
from core.sheets.sheet import SheetInfo


@dataclass(frozen=True)
class InputFile:
    """A file to read.

    Attributes
    ----------
    path : Path
        The file: sheets, or one shred.
    mask_path : Path or None
        A picture beside it that is white where the shred's paper is.
    single_shred : bool or None
        Whether the file holds one shred: a mask lies beside it, or the examiner said so. None leaves that to what is
        seen on it.
    dpi : float or None
        The resolution at which it is taken if it states none.
    dpi_source : {"estimated", "given"}
        Where `dpi` comes from.
    corners_px : tuple of four (x, y), or None
        Where the support lies on a photograph, if that is known from before, see `SheetInfo`.
    """

    path: Path
    mask_path: Path | None = None
    single_shred: bool | None = None
    dpi: float | None = None
    dpi_source: DpiSource = "estimated"
    corners_px: tuple[tuple[float, float], ...] | None = None


Inputs: TypeAlias = Sequence[Path | InputFile]
"""Files and folders, or files with what is known of them."""


def as_read(pages: Sequence[SheetInfo]) -> InputFile:
    """Return a file to be read once more as it was read.

    Parameters
    ----------
    pages : sequence of SheetInfo
        Those of the file, at least one.

    Returns
    -------
    InputFile
        Without a resolution where the file states it; what its pages do not agree in is left to what is seen on them.
    """
    single_shred = {page.single_shred for page in pages}
    not_stated = {(page.dpi, page.dpi_source) for page in pages if page.dpi_source != "file"}
    file = InputFile(pages[0].path, pages[0].mask_path, single_shred.pop() if len(single_shred) == 1 else None)
    for dpi, source in not_stated if len(not_stated) == 1 else ():
        file = replace(file, dpi=dpi, dpi_source=source)
    return file
