"""Files and folders written so that they are either whole or not there, and their SHA-256."""

import hashlib
import io
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO, TypeVar, cast

import numpy as np

from core.errors import OutputError
from core.system.host import host_name, is_running
from core.system.json_values import canonical
from core.system.places import cache_folder

Stored = TypeVar("Stored")

LARGE_BYTES = 1_000_000
"""Smaller arrays are not worth a file of their own."""


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Name a new file beside `path`; when the block ends well, that file takes the place of `path`.

    If the block fails or is cancelled, the new file is removed and whatever stood at `path` still stands there. If the
    process is killed, that stands there as well, and the new file is removed when `path` is written the next time.

    Parameters
    ----------
    path : Path
        What is to be written; a link is followed.

    Yields
    ------
    Path
        A name in the same folder, for the block to write to.

    Raises
    ------
    OutputError
        If the folder does not exist, is read-only or full, or if `path` is something other than a file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     letter = Path(folder) / "letter.txt"
    ...     with replacing(letter) as new:
    ...         _ = new.write_text("Dear Sir,")
    ...     letter.read_text()
    'Dear Sir,'
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        raise OutputError(f"{path} could not be written: a file is needed there, and it is something else.")
    with _beside(path, target, "What stood there before is unchanged.") as new:
        yield new
        with new.open("rb+") as file:
            os.fsync(file.fileno())
        new.replace(target)
        _sync_folder(target.parent)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Make a folder beside `path` to fill; when the block ends well, it becomes `path`, and not before.

    If the block fails or is cancelled, nothing of it is left; what a killed process left goes the next time.

    Parameters
    ----------
    path : Path
        A folder that is not there yet, or is empty.

    Yields
    ------
    Path
        A folder beside it.

    Raises
    ------
    OutputError
        If something is in `path` already, or its folder does not exist, is read-only or full.
    """
    target = path.resolve()
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise OutputError(f"{path} is there already and not empty. Give another name: nothing is written over.")
    with _beside(path, target, "Nothing was left there.") as new:
        new.mkdir()
        yield new
        if target.exists():
            target.rmdir()
        new.replace(target)


def write_json(path: Path, values: Any) -> None:
    """Write values as JSON that a person can read too; names that are no text are escaped.

    Parameters
    ----------
    path : Path
        The file to write or to replace.
    values : object
        What JSON can hold.

    Raises
    ------
    OutputError
        If it cannot be written; whatever stood there before still stands there.
    """
    text = json.dumps(values, indent=1, allow_nan=False)
    with replacing(path) as new:
        new.write_text(text + "\n", encoding="utf-8")


def file_sha256(path: Path) -> str:
    """Hash a file, piece by piece.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    str
        64 hexadecimal digits.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def values_sha256(values: Any) -> str:
    """Hash values that JSON can hold, equal ones alike; see `core.system.json_values.canonical`.

    Parameters
    ----------
    values : object
        What JSON can hold.

    Returns
    -------
    str
        64 hexadecimal digits.

    Examples
    --------
    >>> values_sha256({"pages": 2, "seed": 0})[:8]
    '0e18caa5'
    >>> values_sha256({"seed": 0, "pages": 2})[:8]
    '0e18caa5'
    """
    return hashlib.sha256(canonical(values)).hexdigest()


def on_disk(value: Stored) -> Stored:
    """Move the large arrays of a value into files without a name; they are gone when the arrays are.

    Parameters
    ----------
    value : ndarray, tuple or dataclass
        With arrays in it, however deep.

    Returns
    -------
    ndarray, tuple or dataclass
        The same, its arrays of a megabyte and more read-only and mapped from the disk.

    Raises
    ------
    OSError
        If there is no room.
    """
    moved: Any = value
    if isinstance(value, np.ndarray) and not isinstance(value, np.memmap) and value.nbytes >= LARGE_BYTES:
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder) as file:
            file.write(np.ascontiguousarray(value).data)
            file.flush()
            moved = np.memmap(file, value.dtype, "r", shape=value.shape)
    elif isinstance(value, tuple):
        moved = tuple(map(on_disk, value))
    elif is_dataclass(value) and not isinstance(value, type):
        moved = replace(value, **{field.name: on_disk(getattr(value, field.name)) for field in fields(value)})
    return cast(Stored, moved)


@contextmanager
def _beside(path: Path, target: Path, otherwise: str) -> Iterator[Path]:
    """Name what is to take the place of `target`, which messages call `path`; remove it if that comes to nothing.

    The name is hidden and of this process alone; what killed processes of this computer left of the same is removed.
    """
    if not target.parent.is_dir():
        raise OutputError(f"{path} could not be written: there is no folder {target.parent}. Create it first.")
    prefix = f".{_short_hash(target.name)}-{_short_hash(host_name())}-"
    with suppress(OSError):
        for part in target.parent.glob(f"{prefix}*.part"):
            pid = part.name.removeprefix(prefix).removesuffix(".part")
            if pid.isdecimal() and not is_running(int(pid)):
                _remove(part)
    new = target.with_name(f"{prefix}{os.getpid()}.part")
    try:
        yield new
    except OSError as error:
        raise OutputError(
            f"{path} could not be written: {error.strerror or error}. {otherwise} "
            "Choose another folder, or make room in this one."
        ) from error
    finally:
        with suppress(OSError):
            _remove(new)


def _short_hash(name: str) -> str:
    """Shorten a name, which may be too long to be made longer."""
    return hashlib.sha256(os.fsencode(name)).hexdigest()[:12]


def _remove(path: Path) -> None:
    """Remove a file, or a folder with all that is in it, if it is there."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Write the new name to the disk, where the system can do that; the file is in place in any case."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class PatientStream(io.RawIOBase):
    """Takes what a library writes that ends the process when it cannot write, and keeps the failure for afterwards.

    Parameters
    ----------
    stream : binary file
        Open for writing.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.error: OSError | None = None

    def writable(self) -> bool:
        """Return that it is."""
        return True

    def write(self, data: Any) -> int:
        """Write, or do nothing once that has failed.

        Parameters
        ----------
        data : bytes
            Whatever has a length and can be written.

        Returns
        -------
        int
            Its length.
        """
        try:
            if self.error is None:
                self._stream.write(data)
        except OSError as error:
            self.error = error
        return len(data)
