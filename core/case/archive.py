"""The ZIP that holds a case: every entry with its SHA-256, and nothing unpacked before its size is known to be sane."""

import hashlib
import io
import re
import tokenize
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from core.case.zip_layout import new_entry, what_is_odd
from core.system.json_values import canonical, read_json

MANIFEST = "manifest.json"
"""Names every other entry and its SHA-256; written last, as canonical JSON."""

MAX_JSON_BYTES = 256 << 20

_NAME = re.compile(r"[a-z]+(\.jsonl?|/[0-9A-Za-z_-]{1,80}(\.npy|\.png)?)")
_ENCRYPTED = 0x1
_PIECE_BYTES = 1 << 20
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PNG_END = b"\0\0\0\0IEND\xaeB`\x82"

DAMAGE = (
    zipfile.BadZipFile, zlib.error, cv2.error, EOFError, RuntimeError, ValueError, LookupError, TypeError,
    OverflowError,
)  # fmt: skip
"""What reading a file raises that holds something else than a case."""


class AlteredError(ValueError):
    """An entry is not what it was when the case was saved."""


class NewArchive:
    """Writes entries, and at last the manifest.

    Parameters
    ----------
    path : Path
        Of a file that does not exist yet.
    format : int
        Version of the case file, for the manifest.
    """

    def __init__(self, path: Path, format: int) -> None:
        self._file = path.open("wb")
        self._zip = zipfile.ZipFile(self._file, "w")
        self._format = format
        self._sha256: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self.add(MANIFEST, canonical({"format": self._format, "sha256": self._sha256}), compress=True)
                self._zip.close()
                self._file.close()
        finally:
            self._zip.fp = None  # what is dropped must not be written on when it is forgotten: the disk may be full
            with suppress(OSError):  # the first error is the one to be told
                self._file.close()

    def add(self, name: str, data: bytes, compress: bool = False) -> None:
        """Add an entry whose bytes depend on the data alone.

        Parameters
        ----------
        name : str
            Of the entry.
        data : bytes
            What it holds.
        compress : bool
            Deflate it.
        """
        self._sha256[name] = hashlib.sha256(data).hexdigest()
        self._zip.writestr(new_entry(name, compress), data)

    def add_array(self, name: str, array: NDArray[Any]) -> None:
        """Add an array in numpy's format.

        Parameters
        ----------
        name : str
            Of the entry, ends in ``.npy``.
        array : ndarray
            Any shape and dtype but object.
        """
        buffer = io.BytesIO()
        np.save(buffer, array, allow_pickle=False)
        self.add(name, buffer.getvalue(), compress=True)

    def copy(self, name: str, source: BinaryIO, size_bytes: int) -> str:
        """Add what a file holds, piece by piece, and give its SHA-256.

        Parameters
        ----------
        name : str
            Of the entry.
        source : BinaryIO
            At its beginning.
        size_bytes : int
            How much it holds.

        Returns
        -------
        str
            Its SHA-256.
        """
        entry = new_entry(name, compress=False)
        entry.file_size = size_bytes
        digest = hashlib.sha256()
        with self._zip.open(entry, "w") as target:
            while piece := source.read(_PIECE_BYTES):
                digest.update(piece)
                target.write(piece)
        self._sha256[name] = digest.hexdigest()
        return self._sha256[name]


class Archive:
    """Reads entries by name; none is ever written to the disk.

    Parameters
    ----------
    path : Path
        Of a case file.

    Raises
    ------
    OSError, zipfile.BadZipFile
        If it cannot be read.
    ValueError
        If it holds an entry twice.
    """

    def __init__(self, path: Path) -> None:
        self._zip = zipfile.ZipFile(path)
        entries = self._zip.infolist()
        self._entries = {entry.filename: entry for entry in entries}
        if len(self._entries) != len(entries):
            self._zip.close()
            raise ValueError("it holds an entry twice")
        self._sha256: Mapping[str, str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    @property
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

    def altered(self) -> Iterator[str]:
        """Find all entries whose SHA-256 is not the one that the manifest tells."""
        yield from (name for name, sha256 in (self._sha256 or {}).items() if self.digest(name) != sha256)

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
        with self._zip.open(entry) as file:
            data = file.read(entry.file_size + 1)  # not read(): that would unpack all, whatever size is declared
        if check and self._sha256 is not None and hashlib.sha256(data).hexdigest() != self._sha256.get(name):
            raise AlteredError(f"{name} was altered after the case was saved")
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
        n_values = int(np.prod([most if length < 0 else length for length in shape]))
        data = io.BytesIO(self.read(name, 1024 + n_values * np.dtype(dtype).itemsize))
        if np.lib.format.read_magic(data) != (1, 0):
            raise ValueError(f"{name} is no array of a case")
        try:
            found, _, kind = np.lib.format.read_array_header_1_0(data)
        except tokenize.TokenError as error:
            raise ValueError(f"{name} is no array of a case") from error
        fits = len(found) == len(shape) and all(want in (-1, got) for want, got in zip(shape, found, strict=True))
        if not fits or kind != np.dtype(dtype):
            raise ValueError(f"{name} is an array of {kind} and shape {found}")
        data.seek(0)
        return np.asarray(np.load(data, allow_pickle=False))

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
        size = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
        if not data.startswith(_PNG_SIGNATURE) or not (0 < size[0] <= width and 0 < size[1] <= height):
            raise ValueError(f"{name} is no PNG of at most {width} × {height} pixels")
        if not data.endswith(_PNG_END):  # OpenCV would make do with what is left
            raise ValueError(f"{name} breaks off")
        return data

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
        with self._zip.open(self._entry(name)) as file:
            while piece := file.read(_PIECE_BYTES):
                digest.update(piece)
        return digest.hexdigest()

    def _entry(self, name: str) -> zipfile.ZipInfo:
        entry = self._entries.get(name)
        if entry is None:
            raise ValueError(f"{name} is missing")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or entry.flag_bits & _ENCRYPTED:
            raise ValueError(f"{name} is packed in another way")
        return entry
