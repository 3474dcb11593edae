"""The files of a case's sheets, known by their SHA-256: found wherever they lie now, unpacked where they are packed."""

import os
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import BinaryIO

from core.case.archive import DAMAGE, Archive
from core.case.case import Case
from core.errors import MissingOriginalError, OutputError, UnreadableInputError
from core.progress import Progress, no_progress
from core.sheets.sheet import SheetInfo, file_names
from core.system.files import file_sha256, replacing
from core.system.places import weights_path
from core.wording import QT_TRANSLATE_NOOP, Message

_ORIGINALS = "originals/"


@dataclass(frozen=True)
class Original:
    """A file that was read: a sheet, or the mask of one.

    Attributes
    ----------
    path : Path
        Where it lay.
    sha256 : str
        Of the file.
    size_bytes : int
        0 where that was not noted.
    packed_in : Path or None
        The case file that holds a copy.
    """

    path: Path
    sha256: str
    size_bytes: int = 0
    packed_in: Path | None = None


@dataclass(frozen=True)
class FoundOriginals:
    """Where the files of a case lie now.

    Attributes
    ----------
    paths : mapping of str to Path
        By SHA-256; of those that lie on the disk.
    packed : mapping of str to Path
        By SHA-256, the case file that holds a copy; of the others.
    problems : tuple of str
        A sentence for each file that is missing or was changed.
    packed_weights : Path or None
        The case file that holds a copy of the encoder's weights.
    """

    paths: Mapping[str, Path] = field(default_factory=dict)
    packed: Mapping[str, Path] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    packed_weights: Path | None = None


def weights_of(case: Case) -> Original:
    """Return the file of the encoder's weights: those that ship with the program, or a copy in the case.

    Parameters
    ----------
    case : Case
        Names the weights by their SHA-256.

    Returns
    -------
    Original
        Whether it is there is another question.
    """
    packed_in = next((sheet.packed_in for sheet in case.sheets if sheet.packed_in), None)
    return Original(weights_path(), case.weights_sha256, packed_in=packed_in)


def files_of(case: Case) -> list[Original]:
    """List the files of a case, sheets and masks, each once.

    Parameters
    ----------
    case : Case
        Its sheets are used.

    Returns
    -------
    list of Original
        In the order of the sheets.
    """
    files: dict[str, Original] = {}
    for sheet in case.sheets:
        files.setdefault(sheet.sha256, Original(sheet.path, sheet.sha256, sheet.size_bytes, sheet.packed_in))
        if sheet.mask_sha256 is not None:
            mask = Original(sheet.mask_path or sheet.path, sheet.mask_sha256, packed_in=sheet.packed_in)
            files.setdefault(sheet.mask_sha256, mask)
    return list(files.values())


def find_originals(
    case: Case, case_path: Path | None = None, folders: Sequence[Path] = (), progress: Progress = no_progress
) -> FoundOriginals:
    """Find the files of a case: where they lay, beside the case file, in other folders, or packed in the case.

    Parameters
    ----------
    case : Case
        Names the files, their sizes and their SHA-256.
    case_path : Path, optional
        Its file; the folder it lies in is looked through.
    folders : sequence of Path
        Looked through with all that is in them.
    progress : Progress
        Called for each file.

    Returns
    -------
    FoundOriginals
        For every file of the case a place or a sentence. A file of another name is found by its size and SHA-256.
    """
    near = [] if case_path is None else _files_in(case_path.resolve().parent, deep=False)
    near += [path for folder in folders for path in _files_in(folder, deep=True)]
    hashes: dict[Path, str | None] = {}
    held = {place: _packed_in(place) for place in {sheet.packed_in for sheet in case.sheets} if place is not None}
    paths: dict[str, Path] = {}
    packed: dict[str, Path] = {}
    problems = []
    files = files_of(case)
    for index, (file, name) in enumerate(zip(files, file_names([file.path for file in files]), strict=True)):
        progress(index / len(files), Message(QT_TRANSLATE_NOOP("progress", "Looking for {name}"), name=name))
        place = next((path for path in _candidates(file, near) if _hash_of(path, hashes) == file.sha256), None)
        if place is not None:
            paths[file.sha256] = place
        elif file.packed_in is not None and file.sha256 in held[file.packed_in]:
            packed[file.sha256] = file.packed_in
        else:
            problems.append(_problem(file, [file.path, *near]))
    packed_weights = next((place for place, names in held.items() if case.weights_sha256 in names), None)
    return FoundOriginals(paths, packed, tuple(problems), packed_weights)


def relocated(case: Case, found: FoundOriginals) -> Case:
    """Return the case with the paths at which its files were found.

    Parameters
    ----------
    case : Case
        Before.
    found : FoundOriginals
        Where its files lie now.

    Returns
    -------
    Case
        Files that were not found keep their paths.
    """
    sheets = []
    for sheet in case.sheets:
        mask_path = found.paths.get(sheet.mask_sha256 or "", sheet.mask_path)
        sheets.append(sheet.changed(path=found.paths.get(sheet.sha256, sheet.path), mask_path=mask_path))
    return replace(case, sheets=tuple(sheets))


@contextmanager
def opened_original(file: Original) -> Iterator[tuple[BinaryIO, int]]:
    """Open a file of a case for reading, where it lay or from the case in which it is packed.

    Parameters
    ----------
    file : Original
        What to open.

    Yields
    ------
    handle : BinaryIO
        At its beginning; what it holds has the SHA-256 of the file.
    size_bytes : int
        How much it holds.

    Raises
    ------
    UnreadableInputError
        If it is neither here nor there, or no longer what it was.
    """
    if _hash_of(file.path, {}) == file.sha256:
        with file.path.open("rb") as handle:
            yield handle, os.fstat(handle.fileno()).st_size
    elif file.packed_in is not None and file.sha256 in _packed_in(file.packed_in, file.sha256):
        with Archive(file.packed_in) as archive, archive.opened(f"{_ORIGINALS}{file.sha256}") as (entry, size):
            yield entry, size
    else:
        raise UnreadableInputError(_problem(file, [file.path]))


@contextmanager
def on_disk(found: FoundOriginals) -> Iterator[Mapping[str, Path]]:
    """Return a path for every file that was found, by SHA-256; what is packed lies in a temporary folder meanwhile.

    Parameters
    ----------
    found : FoundOriginals
        Of a case.

    Yields
    ------
    paths : mapping of str to Path
        By SHA-256.

    Raises
    ------
    OutputError
        If there is no room for what is packed.
    """
    with ExitStack() as stack:
        try:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="rejoin-")))
            packed = _copied(found, folder)
        except OSError as error:
            raise OutputError(
                f"The files packed in the case could not be laid into {gettempdir()} to be read: "
                f"{error.strerror or error}. Make room there, or name another folder as TMPDIR."
            ) from error
        yield {**found.paths, **packed}


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
    for index, (file, name) in enumerate(zip(packed, file_names([file.path for file in packed]), strict=True)):
        progress(index / len(packed), Message(QT_TRANSLATE_NOOP("progress", "Unpacking {name}"), name=name))
        place = _free_place(folder, file.path)
        with opened_original(file) as (handle, _), replacing(place) as new, new.open("wb") as copy:
            shutil.copyfileobj(handle, copy)
        paths[file.sha256] = place
    return replace(found, paths=paths, packed={})


@contextmanager
def at_hand(
    case: Case, sheet: SheetInfo, case_path: Path | None = None, folders: Sequence[Path] = ()
) -> Iterator[SheetInfo]:
    """Return a sheet of a case with the place where its file can be read now; see `core.case.originals.find_originals`.

    A file that is packed in the case alone lies in a temporary folder meanwhile.

    Parameters
    ----------
    case : Case
        To which the sheet belongs.
    sheet : SheetInfo
        One of its sheets.
    case_path : Path, optional
        Its file; the folder it lies in is looked through.
    folders : sequence of Path
        Looked through with all that is in them.

    Yields
    ------
    sheet : SheetInfo
        With the place where its file lies now.

    Raises
    ------
    MissingOriginalError
        If it is not found.
    """
    if sheet.path.exists():
        yield sheet
        return
    alone = replace(case, sheets=(sheet,))
    found = find_originals(alone, case_path, folders)
    with TemporaryDirectory(prefix="rejoin-") as folder:
        if found.packed:
            found = unpack(alone, found, Path(folder))
        if sheet.sha256 not in found.paths:
            raise MissingOriginalError(found.problems[0])
        path = found.paths[sheet.sha256]
        mask = found.paths.get(sheet.mask_sha256 or "")
        if mask is not None and path.parent == Path(folder):
            mask.rename(path.with_name(f"{path.stem}_mask{mask.suffix}"))  # where it is looked for
        yield sheet.changed(path=path)


def _copied(found: FoundOriginals, folder: Path) -> dict[str, Path]:
    """Copy what is packed into a folder; gives the paths by SHA-256."""
    paths = {sha256: folder / str(number) for number, sha256 in enumerate(found.packed)}
    for sha256, path in paths.items():
        name, held_in = f"{_ORIGINALS}{sha256}", found.packed[sha256]
        with Archive(held_in) as archive, archive.opened(name) as (entry, _), path.open("wb") as copy:
            shutil.copyfileobj(entry, copy)
    return paths


def _free_place(folder: Path, path: Path) -> Path:
    """Find a name for a file that is not taken in a folder, its own first: "scan.png", "scan 2.png"."""
    numbered = (folder / f"{path.stem} {number}{path.suffix}" for number in count(2))
    return next(place for place in chain([folder / path.name], numbered) if not place.exists())


def _packed_in(case: Path, only: str = "") -> frozenset[str]:
    """List the files of which a case holds an unchanged copy, by SHA-256: all, or only the one."""
    if _size_of(case) is None:
        return frozenset()
    try:
        with Archive(case) as archive:
            names = [name for name in archive.names if name.startswith(f"{_ORIGINALS}{only}")]
            return frozenset(name.removeprefix(_ORIGINALS) for name in names if _is_unchanged(archive, name))
    except (OSError, *DAMAGE):
        return frozenset()  # no case any more


def _is_unchanged(archive: Archive, name: str) -> bool:
    """Check whether a copy has the SHA-256 by which it is named."""
    try:
        return archive.digest(name) == name.removeprefix(_ORIGINALS)
    except (OSError, *DAMAGE):
        return False


def _candidates(file: Original, near: Sequence[Path]) -> Iterator[Path]:
    """Return the places in which a file may lie, the likely ones first; only those are read."""
    yield file.path
    yield from (path for path in near if path.name == file.path.name)
    if file.size_bytes:
        yield from (path for path in near if path.name != file.path.name and _size_of(path) == file.size_bytes)


def _files_in(folder: Path, deep: bool) -> list[Path]:
    """List the files of a folder in the order of their names; links to folders are not followed."""
    found = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        found += [Path(place, name) for name in sorted(names)]
        if not deep:
            break
    return found


def _size_of(path: Path) -> int | None:
    """Return the size of a regular file; of anything else none, for to open a pipe would wait for ever."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def _hash_of(path: Path, hashes: dict[Path, str | None]) -> str | None:
    """Hash a file, each once; None where there is none to be read."""
    if path not in hashes:
        hashes[path] = None
        if _size_of(path) is not None:
            with suppress(OSError):
                hashes[path] = file_sha256(path)
    return hashes[path]


def _problem(file: Original, places: Sequence[Path]) -> str:
    """Return a sentence on a file that was not found."""
    changed = next((path for path in places if path.name == file.path.name and _size_of(path) is not None), None)
    if changed is not None:
        return (
            f"{changed} is not the file that was read: its SHA-256 is another. Put the original back, or name the "
            "folder in which it lies."
        )
    return f"{file.path} is not there, nor does it lie beside the case. Name the folder in which it lies now."
