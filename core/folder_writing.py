"""Writing a folder so that it is either whole or not there."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import OutputError
from core.writing import name_beside


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
