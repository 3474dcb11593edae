"""Packed sheets, written into a folder so that they can be read again."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

from core.case import Case
from core.originals import FoundOriginals, files_of, opened_original
from core.progress import Progress, no_progress
from core.writing import replacing


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


def _names(folder: Path, path: Path) -> Iterator[Path]:
    """Give names for a file in a folder, its own first: "scan.png", "scan 2.png"."""
    yield folder / path.name
    for number in count(2):
        yield folder / f"{path.stem} {number}{path.suffix}"
