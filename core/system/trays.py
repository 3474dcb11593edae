"""What is large of a task and of its result, laid into files without a name where processes of one machine map it."""

import logging
import os
import pickle
import sys
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import Any

import numpy as np

from core.system.places import cache_folder

logger = logging.getLogger(__name__)

LARGE_BYTES = 1 << 18
"""Arrays of less, all together, are as soon sent through a connection."""

ALIGNED_BYTES = 64
"""Arrays begin at multiples of so much."""

_SENT = "What does not fit on the disk is sent through a connection: %s"


class Tray:
    """A file without a name on which this process and others of this machine lay what is large for each other.

    Parameters
    ----------
    shared : bool
        Whether the others are of this machine.

    Attributes
    ----------
    path : str or None
        By which all of them find it, as long as this one holds the tray; None where they cannot (elsewhere, and not on
        Linux), or the disk has no room for a file.
    """

    def __init__(self, *, shared: bool) -> None:
        self.path: str | None = None
        if shared and sys.platform == "linux":
            try:
                cache_folder().mkdir(parents=True, exist_ok=True)
                self._file = TemporaryFile(dir=cache_folder())  # noqa: SIM115 - closed when nobody holds it any more
                self.path = f"/proc/{os.getpid()}/fd/{self._file.fileno()}"
            except OSError as error:
                logger.warning(_SENT, error)

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()


@dataclass(frozen=True)
class Laid:
    """What lies on a tray: an object without its arrays, and where each of these begins and how long it is, bytes."""

    path: str
    pickled: bytes
    places: list[tuple[int, int]]


def lay(made: Any, path: str | None) -> Any:
    """Lay arrays of what was made on a tray, if they are large, behind what lies there.

    Parameters
    ----------
    made : object
        That can be pickled.
    path : str or None
        Of the tray.

    Returns
    -------
    object
        What `take` is to be given: `made` itself if its arrays are small, there is no tray, or no room on the disk.
    """
    if path is None:
        return made
    buffers: list[pickle.PickleBuffer] = []
    pickled = pickle.dumps(made, protocol=pickle.HIGHEST_PROTOCOL, buffer_callback=buffers.append)
    arrays = [buffer.raw() for buffer in buffers]
    if sum(array.nbytes for array in arrays) < LARGE_BYTES:
        return made
    places: list[tuple[int, int]] = []
    try:
        with open(path, "r+b") as file:
            end = file.seek(0, os.SEEK_END)
            for array in arrays:
                start = file.seek(-(-end // ALIGNED_BYTES) * ALIGNED_BYTES)
                end = start + file.write(array)
                places.append((start, array.nbytes))
    except OSError as error:
        logger.warning(_SENT, error)
        return made
    return Laid(path, pickled, places)


def take(laid: Any) -> Any:
    """Take what `lay` returned.

    Parameters
    ----------
    laid : object
        In any process of this machine, as long as the tray is held.

    Returns
    -------
    object
        What was made; arrays that lie on the tray are read-only, and mapped: they outlast it.
    """
    if not isinstance(laid, Laid):
        return laid
    first, end = laid.places[0][0], max(start + length for start, length in laid.places if length)
    there = np.memmap(laid.path, np.uint8, "r", first, (end - first,))
    arrays = [there[start - first :][:length] for start, length in laid.places]
    return pickle.loads(laid.pickled, buffers=arrays)
