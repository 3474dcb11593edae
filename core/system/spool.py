"""What memory has no room for: put into files without a name, which vanish with who holds them, even if killed."""

import logging
import math
import mmap
import os
import sys
from tempfile import TemporaryFile
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from core.system.places import cache_folder

logger = logging.getLogger(__name__)

LARGE_BYTES = 1 << 23
"""Smaller arrays stay in memory."""

SHELF_BYTES, ALIGNED_BYTES = 1 << 25, 64
"""So much room small arrays have in one file, and where they may begin."""


def file_without_name() -> Any:
    """Open a file without a name where caches are; who holds it closes it, and then it is gone."""
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return TemporaryFile(dir=folder, buffering=0)


def path_for_others(file: Any) -> str:
    """Return by what path other processes of a Linux machine open a file that this one has open."""
    return f"/proc/{os.getpid()}/fd/{file.fileno()}"


class Spool:
    """Takes bytes out of memory; the file is gone as soon as nothing that was put there is held any more."""

    def __init__(self) -> None:
        self._file: _File | None = None
        self._full = False

    def put(self, data: bytes) -> "Spooled | bytes":
        """Put bytes into the file.

        Parameters
        ----------
        data : bytes
            Any.

        Returns
        -------
        Spooled or bytes
            The bytes themselves if the disk has no room for them.
        """
        try:
            if not self._full:
                self._file = self._file or _File()
                return Spooled(self._file, self._file.append(data), len(data))
        except OSError as error:
            self._full = True
            logger.warning("What does not fit on the disk stays in memory: %s", error)
        return data


class Growing:
    """An array made block by block: what is large lies in a file without a name, and is mapped, not loaded."""

    def __init__(self) -> None:
        self._blocks: list[NDArray[Any]] = []
        self._like: NDArray[Any] = np.zeros(0)
        self._file: _File | None = None
        self._n_filed, self._full = 0, False

    def append(self, block: NDArray[Any]) -> None:
        """Put rows behind those that are there.

        Parameters
        ----------
        block : ndarray of shape (k, …)
            Of the same type and shape as the others, but for k.
        """
        self._blocks.append(block)
        self._like = block[:0]
        if sum(one.nbytes for one in self._blocks) >= LARGE_BYTES:
            self._put_away()

    def whole(self) -> NDArray[Any]:
        """Return the array; at least one block must have been put there.

        Returns
        -------
        ndarray of shape (n, …)
            Read-only where it is mapped; see `let_go`.
        """
        if self._file is not None:
            self._put_away()
        if self._file is None or not self._n_filed:
            return np.concatenate(self._blocks)
        mapped = self._file.mapped(self._like.dtype, (self._n_filed, *self._like.shape[1:]))
        return np.concatenate([mapped, *self._blocks]) if self._blocks else mapped

    def _put_away(self) -> None:
        """Write what is in memory to the disk, as far as that has room."""
        try:
            while self._blocks and not self._full:
                self._file = self._file or _File()
                self._file.append_array(self._blocks[0])
                self._n_filed += len(self._blocks.pop(0))
        except OSError as error:
            self._full = True
            logger.warning("What does not fit on the disk stays in memory: %s", error)


def room_for(shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Make room for an array that several threads fill in: what is large lies in a file without a name, and is mapped.

    Parameters
    ----------
    shape : tuple of int
        Of the array.

    Returns
    -------
    ndarray of that shape, float32
        Of any values; in memory where it is small, or the disk has no room.
    """
    n_bytes = math.prod(shape) * np.dtype(np.float32).itemsize
    if n_bytes >= LARGE_BYTES:
        try:
            file = _File()
            room = file.room(n_bytes)
        except OSError as error:
            logger.warning("What does not fit on the disk stays in memory: %s", error)
        else:
            _MAPPED[room] = file
            return np.frombuffer(room, np.float32).reshape(shape)
    return np.empty(shape, dtype=np.float32)


class Shelf:
    """Takes small arrays out of memory, many into one file without a name, and maps them."""

    def __init__(self) -> None:
        self._room: mmap.mmap | None = None
        self._end, self._full = 0, False

    def put(self, array: NDArray[Any]) -> NDArray[Any]:
        """Put an array there.

        Parameters
        ----------
        array : ndarray
            Of numbers.

        Returns
        -------
        ndarray
            The same, read-only and mapped; as it is if the disk has no room for it.
        """
        if self._full or not array.size:
            return array
        try:
            if self._room is None or self._end + array.nbytes > len(self._room):
                self._room, self._end = _File().room(max(SHELF_BYTES, array.nbytes)), 0
        except OSError as error:
            self._full = True
            logger.warning("What does not fit on the disk stays in memory: %s", error)
            return array
        placed = np.frombuffer(self._room, array.dtype, array.size, self._end).reshape(array.shape)
        placed[...] = array
        placed.flags.writeable = False
        self._end += -(-array.nbytes // ALIGNED_BYTES) * ALIGNED_BYTES
        let_go(placed)
        return placed


def let_go(*arrays: NDArray[Any]) -> None:
    """Let the system take back the memory of arrays that are mapped from files; they are read again when need be.

    Parameters
    ----------
    *arrays : ndarray
        Nothing is done about those that are not mapped.
    """
    for array in arrays:
        owner = _owner(array)
        if isinstance(owner, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            owner.madvise(mmap.MADV_DONTNEED)


def _owner(array: NDArray[Any]) -> Any:
    """Return what holds the memory of an array."""
    owner: Any = array
    while isinstance(owner, np.ndarray | memoryview):
        owner = owner.base if isinstance(owner, np.ndarray) else owner.obj
    return owner


class Lent:
    """An array that other processes of this machine map from the file of this one: pickled, it is such an array there.

    Attributes
    ----------
    array : ndarray
        Here; as long as it is held, others can map it.
    """

    def __init__(self, array: NDArray[Any], file: "_File") -> None:
        self.array = array
        self._path = file.path

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process maps it."""
        return np.memmap, (self._path, self.array.dtype, "r", 0, self.array.shape)


def lend(array: NDArray[Any]) -> Lent | None:
    """Let other processes of this machine map an array.

    Parameters
    ----------
    array : ndarray
        One that is mapped as a whole, as `Growing` does, lies in a file already; another is put into one.

    Returns
    -------
    Lent or None
        None where files without a name cannot be reached by others (not on Linux), or the disk has no room.
    """
    if sys.platform != "linux":
        return None
    owner, file = _owner(array), None
    if isinstance(owner, mmap.mmap) and array.flags.c_contiguous and array.nbytes == len(owner):
        file = _MAPPED.get(owner)
    try:
        if file is None:
            file = _File()
            file.append_array(array)
            array = file.mapped(array.dtype, array.shape)
    except OSError as error:
        logger.warning("What does not fit on the disk is not lent to other processes: %s", error)
        return None
    return Lent(array, file)


class Spooled:
    """Bytes that lie in the file of a `Spool`."""

    __slots__ = ("_file", "_length", "_start")

    def __init__(self, file: "_File", start: int, length: int) -> None:
        self._file, self._start, self._length = file, start, length

    def read(self, at_most_bytes: int | None = None) -> bytes:
        """Read them.

        Parameters
        ----------
        at_most_bytes : int, optional
            No more than so many, from the beginning.

        Returns
        -------
        bytes
            As they were put there.
        """
        length = self._length if at_most_bytes is None else min(self._length, at_most_bytes)
        return self._file.read(self._start, length)


class _File:
    """A file without a name, read and written by several threads."""

    def __init__(self) -> None:
        self._turn, self._end = Lock(), 0
        self._file = file_without_name()

    def append(self, data: bytes | memoryview) -> int:
        """Write behind what is there; returns the place."""
        with self._turn:
            self._file.seek(self._end)
            start, rest = self._end, memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
            self._end += len(data)
            return start

    def append_array(self, array: NDArray[Any]) -> None:
        """Write the values of an array, row by row, behind what is there."""
        self.append(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)

    def read(self, start: int, length: int) -> bytes:
        """Read what was written at a place."""
        with self._turn:
            self._file.seek(start)
            return self._file.read(length)

    def room(self, n_bytes: int) -> mmap.mmap:
        """Map so many bytes, for which the disk surely has room; they outlast this object."""
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(self._file.fileno(), 0, n_bytes)
        else:
            for _ in range(n_bytes // LARGE_BYTES):
                self.append(bytes(LARGE_BYTES))
            self.append(bytes(n_bytes % LARGE_BYTES))
        return mmap.mmap(self._file.fileno(), n_bytes)

    def mapped(self, dtype: Any, shape: tuple[int, ...]) -> NDArray[Any]:
        """Map an array that fills the file."""
        array = np.memmap(self._file, dtype, "r", shape=shape)
        _MAPPED[_owner(array)] = self
        return array

    @property
    def path(self) -> str:
        """By which other processes find it."""
        return path_for_others(self._file)

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()


_MAPPED: WeakKeyDictionary[mmap.mmap, _File] = WeakKeyDictionary()
"""Files of arrays that are mapped as a whole, by what maps them: open as long as that is held."""
