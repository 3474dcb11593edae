"""The ZIP that holds a case: every entry with its SHA-256, and nothing unpacked before its size is known to be sane.

Pixels are not read before they are looked at: as long as they may be, the file stays open. What takes its place when
the case is saved is another file, so that what was read from it is still there.
"""

import hashlib
import io
import logging
import os
import re
import shutil
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, lru_cache
from math import prod
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, BinaryIO, Self
from weakref import WeakValueDictionary

import cv2
import numpy as np
from numpy.typing import NDArray

from core.case.zip_layout import MANIFEST, PIECE_BYTES, LaidDown, what_is_odd
from core.shreds.storage.packed import PNG_HEAD_BYTES, png_size
from core.system.json_values import canonical, read_json
from core.system.places import cache_folder

logger = logging.getLogger(__name__)

MAX_JSON_BYTES = 256 << 20

COPIED_BYTES = 1 << 29
"""Up to so many bytes are copied, and checked, in less than a second."""

_HEAD = struct.Struct("<4s22x2H")
"""What stands before the name of an entry: four letters first, the lengths of the name and of what follows it last."""


_NAME = re.compile(r"[a-z]+(\.jsonl?|/[0-9A-Za-z_-]{1,80}(\.npy|\.png)?)")
_ENCRYPTED = 0x1
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PNG_END = b"\0\0\0\0IEND\xaeB`\x82"

DAMAGE = (
    zipfile.BadZipFile, zlib.error, cv2.error, EOFError, RuntimeError, ValueError, LookupError, TypeError,
    OverflowError,
)  # fmt: skip
"""What reading a file raises that holds something else than a case."""


class AlteredError(ValueError):
    """An entry is not what it was when the case was saved."""


class Archive:
    """Reads entries by name; none is ever written to the disk.

    Parameters
    ----------
    path : Path
        Of a case file.
    to_stay : bool
        It stays open while others may write to it.

    Raises
    ------
    OSError, zipfile.BadZipFile
        If it cannot be read.
    ValueError
        If it holds an entry twice.
    """

    def __init__(self, path: Path, to_stay: bool = False) -> None:
        self.path = path
        self._file = _opened(path, to_stay)
        try:
            self._zip = zipfile.ZipFile(self._file)
        except BaseException:
            self._file.close()
            raise
        entries = self._zip.infolist()
        self._entries = {entry.filename: entry for entry in entries}
        if len(self._entries) != len(entries):
            self.close()
            raise ValueError("it holds an entry twice")
        self._sha256: Mapping[str, str] | None = None
        self._as_opened = self._state()
        self._arrays: WeakValueDictionary[str, NDArray[Any]] = WeakValueDictionary()
        self.to_check: frozenset[str] = frozenset()
        """Entries that nobody has compared with the manifest yet; what is read of them is compared."""

    def close(self) -> None:
        """Close the file; else it is closed when nothing can be read from it any more."""
        self._zip.close()
        self._file.close()

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @cached_property
    def names(self) -> frozenset[str]:
        """Names of all entries."""
        return frozenset(self._entries)

    def check(self) -> None:
        """Check that what is there is what the manifest names; from then on `read` refuses what has another SHA-256.

        Raises
        ------
        AlteredError
            If an entry was put in or taken out, or the manifest was altered.
        ValueError
            If an entry has a name that none has in a case.
        """
        data = self.read(MANIFEST)
        manifest = read_json(data)
        hashes = manifest.get("sha256") if isinstance(manifest, dict) else None
        if not isinstance(hashes, dict) or canonical(manifest) != data:
            raise AlteredError(f"{MANIFEST} was altered after the case was saved")
        names = self._entries.keys() - {MANIFEST}
        if odd := sorted(names ^ hashes.keys()):
            raise AlteredError(f"{odd[0][:80]!r} was {'put in' if odd[0] in names else 'taken out'} after it was saved")
        if odd := [name for name in sorted(names) if not _NAME.fullmatch(name)]:
            raise ValueError(f"it holds something else, {odd[0][:80]!r}")
        self._sha256 = hashes

    def check_packaging(self) -> None:
        """Check that the file holds its entries and nothing else: nothing that is hidden from who unpacks it.

        Raises
        ------
        AlteredError
            If it does.
        """
        if odd := what_is_odd(self._zip):
            raise AlteredError(odd)

    def altered(self, among: Iterable[str] | None = None) -> Iterator[str]:
        """Find entries whose SHA-256 is not the one that the manifest tells.

        Parameters
        ----------
        among : iterable of str, optional
            Look at these alone.

        Yields
        ------
        str
            The name of each.
        """
        told = self._sha256 or {}
        yield from (name for name in (told if among is None else among) if self.digest(name) != told.get(name))

    def sizes(self, names: Iterable[str]) -> int:
        """Add up how many bytes entries have."""
        return sum(self._entries[name].file_size for name in names)

    def laid_down(self, name: str, value: NDArray[Any] | None = None) -> LaidDown | None:
        """Return an entry as it lies in the file, so that another file can have it as it is.

        Parameters
        ----------
        name : str
            Of the entry.
        value : ndarray, optional
            Only if the entry is what this array was read from.

        Returns
        -------
        LaidDown or None
            None if it is another array, if its SHA-256 is not known, or if the file has been written to since it was
            opened, so that nothing is known of it.
        """
        entry, told = self._entries.get(name), self._sha256
        if entry is None or told is None or name not in told or self._state() != self._as_opened:
            return None
        if value is not None and self._arrays.get(name) is not value:
            return None
        return LaidDown(entry, told[name], lambda: self._packed(entry))

    def _state(self) -> tuple[int, int]:
        state = os.fstat(self._file.fileno())
        return state.st_size, state.st_mtime_ns

    def _packed(self, entry: zipfile.ZipInfo) -> Iterator[bytes]:
        """Read an entry as it is packed, piece by piece."""
        place, end = -1, 0
        while place < end:
            with self._zip._lock:  # type: ignore[attr-defined]  # ZipFile's own, for what several read at once
                if place < 0:
                    place = self._begin(entry)
                    end = place + entry.compress_size
                self._file.seek(place)
                piece = self._file.read(min(PIECE_BYTES, end - place))
            if place < end and not piece:
                raise EOFError(f"{entry.filename} breaks off")
            place += len(piece)
            yield piece

    def _begin(self, entry: zipfile.ZipInfo) -> int:
        """Find where an entry begins behind its head."""
        self._file.seek(entry.header_offset)
        head = self._file.read(_HEAD.size)
        if len(head) < _HEAD.size:
            raise zipfile.BadZipFile(f"{entry.filename} begins behind the end of the file")
        letters, n_name, n_more = _HEAD.unpack(head)
        if letters != b"PK\3\4" or self._file.read(n_name) != entry.filename.encode():
            raise zipfile.BadZipFile(f"{entry.filename} is described in two ways")
        return entry.header_offset + _HEAD.size + n_name + n_more

    def read(self, name: str, at_most_bytes: int = MAX_JSON_BYTES, check: bool = True) -> bytes:
        """Unpack an entry.

        Parameters
        ----------
        name : str
            Of the entry.
        at_most_bytes : int
            Largest size to unpack.
        check : bool
            Compare its SHA-256 with the manifest, once that was checked.

        Returns
        -------
        bytes
            All of it.

        Raises
        ------
        ValueError
            If it is not there, packed in a way that no case uses, or larger than what is reasonable.
        AlteredError
            If its SHA-256 is not the one that the manifest tells.
        """
        entry = self._entry(name)
        if entry.file_size > at_most_bytes:
            raise ValueError(f"{name} would unpack to {entry.file_size} bytes, more than a case needs")
        data = b"".join(self._packed(entry))
        if entry.compress_type == zipfile.ZIP_DEFLATED:  # not more than is declared, whatever there is
            data = zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, entry.file_size + 1)
        if check and self._sha256 is not None:
            if hashlib.sha256(data).hexdigest() != self._sha256.get(name):
                raise AlteredError(f"{name} was altered after the case was saved")
        elif len(data) != entry.file_size or zlib.crc32(data) != entry.CRC:
            raise zipfile.BadZipFile(f"{name} is damaged")
        return data

    def read_array(
        self, name: str, dtype: type[np.generic], shape: tuple[int, ...], most: int = 1_000_000
    ) -> NDArray[Any]:
        """Unpack an array; its kind and shape are known beforehand.

        Parameters
        ----------
        name : str
            Of the entry.
        dtype : type
            Of its values.
        shape : tuple of int
            −1 stands for any length up to `most`.
        most : int
            Largest length of an axis whose length is not known beforehand.

        Returns
        -------
        ndarray
            Of that shape and dtype.

        Raises
        ------
        ValueError
            If it is another array, or none.
        """
        n_values = prod(most if length < 0 else length for length in shape)
        data = self.read(name, 1024 + n_values * np.dtype(dtype).itemsize)
        begin = 10 + int.from_bytes(data[8:10], "little")
        try:
            found, columns_first, kind = _described(data[:begin])
        except (tokenize.TokenError, ValueError) as error:
            raise ValueError(f"{name} is no array of a case") from error
        fits = len(found) == len(shape) and all(want in (-1, got) for want, got in zip(shape, found, strict=True))
        if not fits or kind != np.dtype(dtype) or kind.itemsize * prod(found) != len(data) - begin:
            raise ValueError(f"{name} is an array of {kind} and shape {found}")
        array = np.frombuffer(data, kind, offset=begin).reshape(found, order="F" if columns_first else "C")
        self._arrays[name] = array
        return array

    def read_png(self, name: str, at_most_px: tuple[int, int]) -> bytes:
        """Read a PNG of at most that width and height; it stays packed.

        Parameters
        ----------
        name : str
            Of the entry.
        at_most_px : tuple of int
            Largest width and height.

        Returns
        -------
        bytes
            The PNG itself.

        Raises
        ------
        ValueError
            If it is larger, or no whole PNG.
        """
        width, height = at_most_px
        data = self.read(name, 4096 + 5 * width * height)
        self._check_png(name, data, at_most_px)
        if not data.endswith(_PNG_END):  # OpenCV would make do with what is left
            raise ValueError(f"{name} breaks off")
        return data

    def read_png_head(self, name: str, at_most_px: tuple[int, int]) -> bytes:
        """Read what tells the size of a PNG of at most that width and height; nothing is compared with the manifest."""
        with self._zip._lock:  # type: ignore[attr-defined]  # as in `_packed`
            self._file.seek(self._begin(self._entry(name)))
            head = self._file.read(PNG_HEAD_BYTES)
        self._check_png(name, head, at_most_px)
        return head

    @staticmethod
    def _check_png(name: str, head: bytes, at_most_px: tuple[int, int]) -> None:
        width, height = at_most_px
        size = png_size(head)
        if not head.startswith(PNG_SIGNATURE) or not (0 < size[0] <= width and 0 < size[1] <= height):
            raise ValueError(f"{name} is no PNG of at most {width} × {height} pixels")

    @contextmanager
    def opened(self, name: str) -> Iterator[tuple[BinaryIO, int]]:
        """Open an entry for reading, and tell its size.

        Parameters
        ----------
        name : str
            Of the entry.

        Yields
        ------
        file : BinaryIO
            At its beginning.
        size_bytes : int
            How much it unpacks to.
        """
        entry = self._entry(name)
        with self._zip.open(entry) as file:
            yield file, entry.file_size  # type: ignore[misc]

    def digest(self, name: str) -> str:
        """Compute the SHA-256 of an entry, piece by piece.

        Parameters
        ----------
        name : str
            Of the entry.

        Returns
        -------
        str
            In hexadecimal.
        """
        digest = hashlib.sha256()
        entry = self._entry(name)
        if entry.compress_type == zipfile.ZIP_STORED:
            for piece in self._packed(entry):
                digest.update(piece)
            return digest.hexdigest()
        with self._zip.open(entry) as file:
            while piece := file.read(PIECE_BYTES):
                digest.update(piece)
        return digest.hexdigest()

    def _entry(self, name: str) -> zipfile.ZipInfo:
        entry = self._entries.get(name)
        if entry is None:
            raise ValueError(f"{name} is missing")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or entry.flag_bits & _ENCRYPTED:
            raise ValueError(f"{name} is packed in another way")
        return entry


def _opened(path: Path, to_stay: bool) -> IO[bytes]:
    """Open a file; one that is to stay open is copied, unless it is large: then nobody else can do anything to it."""
    file = path.open("rb")
    if not to_stay or (os.fstat(file.fileno()).st_size > COPIED_BYTES and os.name != "nt"):  # where none is replaced
        return file
    try:
        cache_folder().mkdir(parents=True, exist_ok=True)
        copy = TemporaryFile(dir=cache_folder())  # noqa: SIM115 - closed when nobody holds it any more
        shutil.copyfileobj(file, copy, PIECE_BYTES)
    except OSError as error:
        logger.warning("A case is read from its own file, as there is no room for a copy: %s", error)
        return file
    file.close()
    return copy


@lru_cache(maxsize=4096)  # of thousands of outlines many are as long
def _described(head: bytes) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Read what stands before an array: its shape, whether column by column, and of which values."""
    stream = io.BytesIO(head)
    if np.lib.format.read_magic(stream) != (1, 0):
        raise ValueError("another version")
    return np.lib.format.read_array_header_1_0(stream)
