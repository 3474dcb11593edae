"""Sheets that were moved or packed, brought to where they can be read again."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from core.case import Case
from core.originals import FoundOriginals, files_of, find_originals, opened_original
from core.progress import Progress, no_progress
from core.sheets.sheet import SheetInfo
from core.system.files import replacing


def unpack(case: Case, found: FoundOriginals, folder: Path, progress: Progress = no_progress) -> FoundOriginals:
    """Write the files that lie in the case alone into a folder, byte by byte, under their own names.

    Parameters
    ----------
    case : Case
        Its files.
    found : FoundOriginals
        Where they are.
    folder : Path
        What lies in it stays; a name that is taken gets a number.
    progress : Progress
        Called for each file.

    Returns
    -------
    FoundOriginals
        With all files on the disk.

    Raises
    ------
    OutputError
        If the folder cannot be written to.
    UnreadableInputError
        If a packed file is not what it was.
    """
    packed = [file for file in files_of(case) if file.sha256 in found.packed]
    paths = dict(found.paths)
    for index, file in enumerate(packed):
        progress(index / len(packed), f"Unpacking {file.path.name}")
        place = next(path for path in _names(folder, file.path) if not path.exists())
        with opened_original(file) as (handle, _), replacing(place) as new, new.open("wb") as copy:
            shutil.copyfileobj(handle, copy)
        paths[file.sha256] = place
    return replace(found, paths=paths, packed={})


@contextmanager
def at_hand(
    case: Case, sheet: SheetInfo, case_path: Path | None = None, folders: Sequence[Path] = ()
) -> Iterator[SheetInfo]:
    """Give a sheet of a case with the place where its file can be read now; see `core.originals.find_originals`.

    A file that is packed in the case alone lies in a temporary folder meanwhile. One that is not found keeps its place:
    reading it tells why that is impossible.
    """
    if sheet.path.exists():
        yield sheet
        return
    alone = replace(case, sheets=(sheet,))
    found = find_originals(alone, case_path, folders)
    with TemporaryDirectory(prefix="rejoin-") as folder:
        if found.packed:
            found = unpack(alone, found, Path(folder))
        path = found.paths.get(sheet.sha256, sheet.path)
        mask = found.paths.get(sheet.mask_sha256 or "")
        if mask is not None and path.parent == Path(folder):
            mask.rename(path.with_name(f"{path.stem}_mask{mask.suffix}"))  # where it is looked for
        yield replace(sheet, path=path)


def _names(folder: Path, path: Path) -> Iterator[Path]:
    """Give names for a file in a folder, its own first: "scan.png", "scan 2.png"."""
    yield folder / path.name
    for number in count(2):
        yield folder / f"{path.stem} {number}{path.suffix}"
