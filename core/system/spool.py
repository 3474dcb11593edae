"""What memory has no room for: put into files without a name, which vanish with who holds them, even if killed."""

import logging
from tempfile import TemporaryFile
from threading import Lock

from core.system.places import cache_folder

logger = logging.getLogger(__name__)


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


class Spooled:
    """Bytes that lie in the file of a `Spool`."""

    __slots__ = ("_file", "_length", "_start")

    def __init__(self, file: "_File", start: int, length: int) -> None:
        self._file, self._start, self._length = file, start, length

    def read(self) -> bytes:
        """Read them.

        Returns
        -------
        bytes
            As they were put there.
        """
        return self._file.read(self._start, self._length)


class _File:
    """A file without a name, read and written by several threads."""

    def __init__(self) -> None:
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        self._turn, self._end = Lock(), 0
        self._file = TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115 - closed when nobody holds it any more

    def append(self, data: bytes) -> int:
        """Write behind what is there; returns the place."""
        with self._turn:
            self._file.seek(self._end)
            start, rest = self._end, memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
            self._end += len(data)
            return start

    def read(self, start: int, length: int) -> bytes:
        """Read what was written at a place."""
        with self._turn:
            self._file.seek(start)
            return self._file.read(length)

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()
