"""What is large of a task and of its result, laid into files without a name where processes of one machine map it."""

import logging
import os
import pickle
import secrets
import sys
from dataclasses import dataclass
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from core.system.spool import ALIGNED_BYTES, file_without_name, path_for_others

logger = logging.getLogger(__name__)

LARGE_BYTES = 1 << 18
"""Arrays of less, all together, are as soon sent through a connection."""

_SENT = "What does not fit on the disk is sent through a connection: %s"


class Place(NamedTuple):
    """By what other processes find a tray.

    Attributes
    ----------
    path : str
        Of the file, among those that its process has open. Once it is closed, another file may have its number.
    token : bytes
        What the file begins with: what does not is another file, and is left alone.
    """

    path: str
    token: bytes

    def check(self, file: BinaryIO) -> None:
        """Raise FileNotFoundError if a file that was opened by the path is not the tray."""
        if file.read(len(self.token)) != self.token:
            raise FileNotFoundError(f"{self.path} is not what it was any more")


class Tray:
    """A file without a name on which this process and others of this machine lay what is large for each other.

    Parameters
    ----------
    shared : bool
        Whether the others are of this machine.

    Attributes
    ----------
    place : Place or None
        Where all of them find it, as long as this one holds the tray; None where they cannot (elsewhere, and not on
        Linux), or the disk has no room for a file.
    """

    def __init__(self, *, shared: bool) -> None:
        self.place: Place | None = None
        if shared and sys.platform == "linux":
            try:
                self._file = file_without_name()
                token = secrets.token_bytes(ALIGNED_BYTES)
                self._file.write(token)
                self.place = Place(path_for_others(self._file), token)
            except OSError as error:
                logger.warning(_SENT, error)

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()


@dataclass(frozen=True)
class Laid:
    """What lies on a tray: an object without its arrays, and where each of these begins and how long it is, bytes."""

    place: Place
    pickled: bytes
    arrays: list[tuple[int, int]]


def lay(made: Any, place: Place | None) -> Any:
    """Lay arrays of what was made on a tray, if they are large, behind what lies there.

    Parameters
    ----------
    made : object
        That can be pickled.
    place : Place or None
        Of the tray; one process at a time lays something there.

    Returns
    -------
    object
        What `take` is to be given: `made` itself if its arrays are small, the tray is not there, or the disk is full.
    """
    if place is None:
        return made
    buffers: list[pickle.PickleBuffer] = []
    pickled = pickle.dumps(made, protocol=pickle.HIGHEST_PROTOCOL, buffer_callback=buffers.append)
    arrays = [buffer.raw() for buffer in buffers]
    if sum(array.nbytes for array in arrays) < LARGE_BYTES:
        return made
    where: list[tuple[int, int]] = []
    try:
        with open(place.path, "r+b") as file:
            place.check(file)
            end = file.seek(0, os.SEEK_END)
            for array in arrays:
                start = file.seek(-(-end // ALIGNED_BYTES) * ALIGNED_BYTES)
                end = start + file.write(array)
                where.append((start, array.nbytes))
    except OSError as error:
        logger.warning(_SENT, error)
        return made
    return Laid(place, pickled, where)


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

    Raises
    ------
    FileNotFoundError
        If the tray is not there any more.
    """
    if not isinstance(laid, Laid):
        return laid
    first, end = laid.arrays[0][0], max(start + length for start, length in laid.arrays if length)
    with open(laid.place.path, "rb") as file:
        laid.place.check(file)
        there = np.memmap(file, np.uint8, "r", first, (end - first,))
    arrays = [there[start - first :][:length] for start, length in laid.arrays]
    return pickle.loads(laid.pickled, buffers=arrays)
