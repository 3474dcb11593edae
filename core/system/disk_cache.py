"""What can be computed again, kept on disk from one run to the next: whatever is wrong with it, it is made anew.

An entry is a file of arrays. It appears when it is whole, under a name that is the hash of all that it depends on, and
is believed only if it is what was written there. So runs share a folder without knowing of each other, a run may be
killed at any time, and files may be damaged or taken away.
"""

import json
import logging
import os
import shutil
import zlib
from collections.abc import Mapping
from contextlib import suppress
from io import BufferedReader
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.system.files import values_sha256
from core.system.places import CACHE_GB, stages_folder
from core.system.versions import fingerprint

logger = logging.getLogger(__name__)

GB = 10**9

SHARE_OF_FREE = 0.5
"""But no more than this part of what is free on the disk, or held by what is kept."""

_MAGIC = b"Rejoin cache 1\n"
_SUFFIX = ".kept"
_LEFT_SHARE = 0.9
_STALE_S = 3600
_KINDS = "biuf"


class DiskCache:
    """Arrays by what they depend on; those not asked for longest go first.

    Parameters
    ----------
    folder : Path, optional
        Where entries lie; by default a folder of its own in that of all caches.
    limit_gb : float
        So much is kept at most.
    """

    def __init__(self, folder: Path | None = None, limit_gb: float = CACHE_GB) -> None:
        self.folder = folder or stages_folder()
        self._limit_bytes = int(limit_gb * GB)
        self._lock = Lock()
        self._n_bytes: int | None = None
        self._ill = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process has the same folder open for itself."""
        return DiskCache, (self.folder, self._limit_bytes / GB)

    def get(self, **depends_on: Any) -> dict[str, NDArray[Any]] | None:
        """Return what was kept.

        Parameters
        ----------
        **depends_on
            All that it depends on besides the program: values that JSON can hold.

        Returns
        -------
        dict of str to ndarray, or None
            None if there is nothing, or nothing that can be believed.
        """
        key = _key(depends_on)
        path = self._path(key)
        try:
            with path.open("rb") as file:
                found = _read(file, key)
            os.utime(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            logger.warning("%s is damaged, what it held is made anew: %s", path, error)
            with suppress(OSError):
                path.unlink()
            return None
        return found

    def has(self, **depends_on: Any) -> bool:
        """Check whether something was kept; whether it can be believed, only `get` tells.

        Parameters
        ----------
        **depends_on
            See `get`.

        Returns
        -------
        bool
        """
        return self._path(_key(depends_on)).is_file()

    def put(self, arrays: Mapping[str, NDArray[Any]], **depends_on: Any) -> None:
        """Keep arrays, as far as there is room: without any, nothing is kept.

        Parameters
        ----------
        arrays : mapping of str to ndarray
            Of numbers or truth values.
        **depends_on
            See `get`.
        """
        if self._ill:
            return
        key = _key(depends_on)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=self.folder, suffix=".part", delete=False) as file:
                try:
                    _write(file, key, arrays)
                    size = file.tell()
                    file.close()
                    os.replace(file.name, self._path(key))
                except BaseException:
                    file.close()
                    Path(file.name).unlink(missing_ok=True)
                    raise
            self._make_room(size)
        except OSError as error:
            self._ill = True
            logger.warning("Nothing more is kept in %s: %s", self.folder, error)

    def size_bytes(self) -> int:
        """Return how much is kept, by whichever run.

        Returns
        -------
        int
            0 where there is no folder.
        """
        return sum(size for size, _ in self._entries())

    def empty(self) -> int:
        """Remove all that is kept; who computes just now goes on and keeps the next.

        Returns
        -------
        int
            How many bytes were freed.
        """
        freed = 0
        for size, path in self._entries():
            with suppress(OSError):  # somebody else was faster, or holds it
                path.unlink()
                freed += size
        with self._lock:
            self._n_bytes = None
        return freed

    def _entries(self) -> list[tuple[int, Path]]:
        found = []
        for path in self.folder.iterdir() if self.folder.is_dir() else ():
            if path.suffix == _SUFFIX:
                with suppress(FileNotFoundError):
                    found.append((path.stat().st_size, path))
        return found

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}{_SUFFIX}"

    def _make_room(self, n_new: int) -> None:
        """Remove what was not asked for longest if there is more than there may be."""
        with self._lock:
            if self._n_bytes is not None:
                self._n_bytes += n_new
            if self._n_bytes is None or self._n_bytes > self._limit():
                self._n_bytes = self._sweep()

    def _limit(self) -> int:
        free = shutil.disk_usage(self.folder).free + (self._n_bytes or 0)
        return min(self._limit_bytes, int(SHARE_OF_FREE * free))

    def _sweep(self) -> int:
        """Look through the folder, which others fill, too; returns what it holds at last."""
        entries, newest = [], 0.0
        for path in self.folder.iterdir():
            with suppress(FileNotFoundError):
                status = path.stat()
                newest = max(newest, status.st_mtime)
                if path.suffix in (_SUFFIX, ".part"):
                    entries.append((status.st_mtime, status.st_size, path))
        self._n_bytes = sum(size for _, size, _ in entries)
        left, limit = self._n_bytes, self._limit()
        goal = limit if left <= limit else int(_LEFT_SHARE * limit)
        for used, size, path in sorted(entries):
            is_left_over = path.suffix == ".part" and used < newest - _STALE_S
            if is_left_over or (left > goal and path.suffix == _SUFFIX):
                with suppress(FileNotFoundError):
                    path.unlink()
                left -= size
        return left


def _key(depends_on: Mapping[str, Any]) -> str:
    return values_sha256({"program": fingerprint(), **depends_on})


def _write(file: Any, key: str, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write an entry: what it is, and the arrays one behind the other, all with sums to check them by."""
    ready = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    table = [(name, array.dtype.str, array.shape, zlib.crc32(_bytes(array))) for name, array in ready.items()]
    head = json.dumps({"key": key, "arrays": table}).encode()
    file.write(_MAGIC + len(head).to_bytes(8, "little") + zlib.crc32(head).to_bytes(4, "little") + head)
    for array in ready.values():
        file.write(_bytes(array))


def _read(file: BufferedReader, key: str) -> dict[str, NDArray[Any]]:
    """Read an entry that `_write` wrote; ValueError for anything else."""
    start = file.read(len(_MAGIC) + 12)
    n_head = int.from_bytes(start[len(_MAGIC) : -4], "little")
    n_bytes = os.fstat(file.fileno()).st_size
    if not start.startswith(_MAGIC) or n_head > n_bytes:
        raise ValueError("it is no entry")
    head = file.read(n_head)
    if zlib.crc32(head) != int.from_bytes(start[-4:], "little"):
        raise ValueError("its head has changed")
    described = json.loads(head)
    if described["key"] != key:
        raise ValueError("it is another entry")
    arrays = {}
    for name, kind, shape, checksum in described["arrays"]:
        dtype = np.dtype(kind)
        if dtype.kind not in _KINDS:
            raise ValueError("it holds no numbers")
        array = np.empty(shape, dtype)
        if file.readinto(_bytes(array)) != array.nbytes or zlib.crc32(_bytes(array)) != checksum:
            raise ValueError(f"{name} has changed")
        arrays[name] = array
    if file.read(1):
        raise ValueError("there is more in it")
    return arrays


def _bytes(array: NDArray[Any]) -> memoryview:
    return array.reshape(-1).view(np.uint8).data
