"""Files and folders written so that they are either whole or not there, and their SHA-256."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from core.errors import OutputError
from core.system.host import host_name, is_running
from core.system.json_values import canonical


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give the name of a new file beside `path`; when the block ends well, that file takes the place of `path`.

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
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        raise OutputError(f"{path} could not be written: a file is needed there, and it is something else.")
    if not target.parent.is_dir():
        raise OutputError(f"{path} could not be written: there is no folder {target.parent}. Create it first.")
    new = name_beside(target)
    try:
        yield new
        with new.open("rb+") as file:
            os.fsync(file.fileno())
        new.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(
            f"{path} could not be written: {reason}. What stood there before is unchanged. "
            "Choose another folder, or make room in this one."
        ) from error
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)


def name_beside(target: Path) -> Path:
    """Name what is to take the place of a file or folder; what killed processes left of the same is removed.

    Parameters
    ----------
    target : Path
        Absolute; its folder exists.

    Returns
    -------
    Path
        In the same folder; hidden, and of this process alone.
    """
    prefix = f".{_short_hash(target.name)}-{_short_hash(host_name())}-"
    _remove_left_over(target.parent, prefix)
    return target.with_name(f"{prefix}{os.getpid()}.part")


def write_json(path: Path, told: Any) -> None:
    """Write values as JSON that a person can read too; names that are no text are escaped.

    Raises
    ------
    OutputError
        If it cannot be written; whatever stood there before still stands there.
    """
    text = json.dumps(told, indent=1, allow_nan=False)
    with replacing(path) as new:
        new.write_text(text + "\n", encoding="utf-8")


def _short_hash(name: str) -> str:
    """Stand for a name, which may be too long to be made longer."""
    return hashlib.sha256(os.fsencode(name)).hexdigest()[:12]


def _remove_left_over(folder: Path, prefix: str) -> None:
    """Remove what killed processes of this computer wrote of the same file or folder."""
    with suppress(OSError):
        for part in folder.glob(f"{prefix}*.part"):
            pid = part.name.removeprefix(prefix).removesuffix(".part")
            if pid.isdecimal() and not is_running(int(pid)):
                shutil.rmtree(part) if part.is_dir() else part.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Have the new name written to the disk, where the system can do that; the file is in place in any case."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Give a folder beside `path` to fill; when the block ends well, it becomes `path`, and not before.

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
    if not target.parent.is_dir():
        raise OutputError(f"{path} could not be written: there is no folder {target.parent}. Create it first.")
    new = name_beside(target)
    try:
        new.mkdir()
        yield new
        if target.exists():
            target.rmdir()
        new.replace(target)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(
            f"{path} could not be written: {reason}. Nothing was left there. "
            "Choose another folder, or make room in this one."
        ) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def file_sha256(path: Path) -> str:
    """Hash a file, piece by piece.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def values_sha256(told: Any) -> str:
    """Hash values that JSON can hold, equal ones alike; see `core.system.json_values.canonical`."""
    return hashlib.sha256(canonical(told)).hexdigest()
