"""A sheet: one scanned image, on which shreds lie."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.arrays import Mask, Pixels
from core.sheets.mends import Mends
from core.sheets.resolution import DpiSource

FACE_ENDINGS = (("a", "b"), ("r", "v"), ("front", "back"), ("recto", "verso"))
"""Of the names of pictures of the two faces of paper; what stands before them ends with a number or a mark."""

MOST_PAIRED = 0.9
"""So many pictures have a partner, or names are taken to mean something else."""


@dataclass(frozen=True, eq=False)
class SheetInfo:
    """What is known of a sheet without holding its pixels.

    Attributes
    ----------
    path : Path
        The file it was read from.
    page : int
        0-based page within a file of several.
    sha256 : str
        Of the file, hexadecimal.
    size_px : tuple of int
        Width and height at 300 dpi.
    dpi : float
        Resolution of the file.
    dpi_source : {"file", "given", "estimated"}
        Where `dpi` comes from.
    preview : ndarray of shape (h, w, 3), uint8
        The sheet, RGB, at most 800 pixels on its longer side, to show it.
    mask_sha256 : str, optional
        Of the file that holds the mask, where there is one beside the sheet.
    size_bytes : int
        Of the file; 0 where that was not noted.
    mask_path : Path or None
        The file that holds the mask.
    single_shred : bool
        The file was read as one shred.
    packed_in : Path or None
        The case file that holds a copy of the file, byte by byte.
    corners_px : tuple of four (x, y), or None
        Of a photograph that was laid flat: what became a rectangle, in pixels of the file, upright, from the top left
        one clockwise. What else is told of the sheet is about the flat one.
    mends : tuple of Mend
        What the examiner corrected of what is found on it.
    """

    path: Path
    page: int
    sha256: str
    size_px: tuple[int, int]
    dpi: float
    dpi_source: DpiSource
    preview: Pixels
    mask_sha256: str | None = None
    size_bytes: int = 0
    mask_path: Path | None = None
    single_shred: bool = False
    packed_in: Path | None = None
    corners_px: tuple[tuple[float, float], ...] | None = None
    mends: Mends = ()

    @property
    def has_preview_at_hand(self) -> bool:
        """Whether the preview is in memory; else it takes milliseconds to get it."""
        return True

    def changed(self, **values: Any) -> "SheetInfo":
        """Return the same sheet with other values of fields, but for the preview, which is not looked at.

        Parameters
        ----------
        **values
            By the fields' names.

        Returns
        -------
        SheetInfo
            Otherwise the same.
        """
        return replace(self, **values)

    @property
    def name(self) -> str:
        """What the examiner knows it by: the file's name, with the page in a file of several."""
        return self.named(self.path.name)

    @property
    def place(self) -> str:
        """The name with the folder's: in sentences about one of many files that may be called alike."""
        return f"{self.path.parent.name}/{self.name}".lstrip("/")

    def named(self, file_name: str) -> str:
        """Return what it is called where its file is called so."""
        return file_name if self.page == 0 else f"{file_name}, page {self.page + 1}"


def sheet_names(sheets: Sequence[SheetInfo], n_folders: int = 0) -> tuple[str, ...]:
    """Name sheets so that no two have the same name: where files are called alike, with the folders they lie in.

    Parameters
    ----------
    sheets : sequence of SheetInfo
        Of one case.
    n_folders : int
        So many folders stand before every name; more where that does not tell sheets apart.

    Returns
    -------
    tuple of str
        A name for each, "D029/sheet_1.jpg" or "scan.tif, page 2".
    """
    return _told_apart([(sheet.path, sheet.name) for sheet in sheets], n_folders)


def file_names(paths: Sequence[Path]) -> tuple[str, ...]:
    """Name files still to be read as their sheets will be named.

    Parameters
    ----------
    paths : sequence of Path
        Files, or folders.

    Returns
    -------
    tuple of str
        A name for each, "D029/sheet_1.jpg" or "scan.tif"; a file that stands there twice has one name.
    """
    files = list(dict.fromkeys(paths))
    names = dict(zip(files, _told_apart([(path, path.name) for path in files]), strict=True))
    return tuple(names[path] for path in paths)


def paired_by_name(paths: Sequence[Path]) -> list[tuple[int, int]]:
    """Find files that are named as the two faces of one piece of paper: 017a.png and 017b.png.

    Parameters
    ----------
    paths : sequence of Path
        Of pictures of one shred each.

    Returns
    -------
    list of (int, int)
        Indices of the one face and the other, see `FACE_ENDINGS`. Empty where most files have no partner: then names
        mean something else.

    Examples
    --------
    >>> paired_by_name([Path("1a.png"), Path("2a.png"), Path("2b.png"), Path("1b.png")])
    [(0, 3), (1, 2)]
    """
    for endings in FACE_ENDINGS:
        faces: dict[tuple[Path, str, str], dict[int, int]] = defaultdict(dict)
        for index, path in enumerate(paths):
            stem = path.stem.lower()
            for over, ending in enumerate(endings):
                before = stem.removesuffix(ending)
                if before != stem and before[-1:] in "0123456789 ._-":
                    faces[path.parent, before, path.suffix][over] = index
        pairs = [(both[0], both[1]) for both in faces.values() if len(both) == len(endings)]
        if pairs and 2 * len(pairs) >= MOST_PAIRED * len(paths):
            return pairs
    return []


def _told_apart(named: Sequence[tuple[Path, str]], n_folders: int = 0) -> tuple[str, ...]:
    depths = [n_folders] * len(named)
    while True:
        names = [_with_folders(path, name, depth) for (path, name), depth in zip(named, depths, strict=True)]
        counts = Counter(names)
        alike = [at for at, name in enumerate(names) if counts[name] > 1 and depths[at] < len(named[at][0].parts) - 1]
        if not alike:
            return tuple(names)
        for at in alike:
            depths[at] += 1


def _with_folders(path: Path, name: str, n_folders: int) -> str:
    folders = path.parent.parts[-n_folders:] if n_folders else ()
    return "/".join([*(folder.strip("/\\") for folder in folders), name]).lstrip("/") or str(path)


@dataclass(frozen=True, eq=False)
class Sheet:
    """A sheet with its pixels.

    Attributes
    ----------
    info : SheetInfo
        Where it comes from.
    pixels : ndarray of shape (h, w, 3), uint8
        RGB at 300 dpi, read-only.
    mask : ndarray of shape (h, w), bool, or None
        Where there is paper, for a file that holds one shred; else None.
    focal_px : float or None
        Of a photograph on which no support was found that could be laid flat: focal length of its camera, in pixels of
        the sheet. None for any other sheet.
    notes : tuple of str
        Sentences on what is remarkable about the file, though it was read.
    """

    info: SheetInfo
    pixels: Pixels
    mask: Mask | None = None
    notes: tuple[str, ...] = ()
    focal_px: float | None = None
