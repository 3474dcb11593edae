"""Writing a file so that it is either whole or not there."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import OutputError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give the name of a new file beside `path`; when the block ends well, that file takes the place of `path`.

    If the block fails or is cancelled, the new file is removed and whatever stood at `path` still stands there.

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
    new = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        yield new
        with new.open("rb+") as file:
            os.fsync(file.fileno())
        new.replace(target)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(
            f"{path} could not be written: {reason}. What stood there before is unchanged. "
            "Choose another folder, or make room in this one."
        ) from error
    finally:
        new.unlink(missing_ok=True)
