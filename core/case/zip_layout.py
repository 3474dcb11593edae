"""How a case lies in its ZIP: its entries one behind the other, and not a byte besides."""

import hashlib
import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Self

import numpy as np
from numpy.typing import NDArray

from core.system.json_values import canonical

MANIFEST = "manifest.json"
"""Names every other entry and its SHA-256; written last, as canonical JSON."""

EARLIEST_DATE = (1980, 1, 1, 0, 0, 0)
"""Of every entry: the same case gives the same bytes."""

_UNIX, _VERSION, _VERSION_64 = 3, 20, 45
_OWNER_MAY_READ_AND_WRITE = 0o600 << 16
_HEAD = struct.calcsize("<4s5H3L2H")
_ROW, _LENGTHS = struct.calcsize("<4s4B4H3L5H2L"), struct.calcsize("<4s4B4H3L")
PIECE_BYTES = 1 << 20
_FIELDS = (
    "compress_type", "date_time", "comment", "create_system", "external_attr", "flag_bits", "reserved", "volume",
    "internal_attr",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class LaidDown:
    """An entry of a file, as it lies there.

    Attributes
    ----------
    entry : ZipInfo
        What the file's table says of it.
    sha256 : str
        Of what it unpacks to.
    read : callable
        Returns it piece by piece, as it is packed.
    """

    entry: zipfile.ZipInfo
    sha256: str
    read: Callable[[], Iterator[bytes]]


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

    def take_over(self, name: str, there: LaidDown) -> None:
        """Add an entry as it lies in another file: it is neither packed nor hashed again.

        Parameters
        ----------
        name : str
            Of the entry; it may have another name there.
        there : LaidDown
            What another archive says of it.
        """
        before, file = there.entry, self._zip.fp
        assert file is not None
        entry = new_entry(name, before.compress_type == zipfile.ZIP_DEFLATED)
        entry.CRC, entry.compress_size, entry.file_size = before.CRC, before.compress_size, before.file_size
        entry.header_offset = self._zip.start_dir
        file.seek(entry.header_offset)
        file.write(entry.FileHeader(zip64=entry.file_size * 1.05 > zipfile.ZIP64_LIMIT))  # as if it were packed now
        for piece in there.read():
            file.write(piece)
        self._zip.start_dir = file.tell()
        self._zip.filelist.append(entry)
        self._zip.NameToInfo[name] = entry
        self._sha256[name] = there.sha256

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
            while piece := source.read(PIECE_BYTES):
                digest.update(piece)
                target.write(piece)
        self._sha256[name] = digest.hexdigest()
        return self._sha256[name]


def new_entry(name: str, compress: bool) -> zipfile.ZipInfo:
    """Describe an entry; whatever the system, it is described alike.

    Parameters
    ----------
    name : str
        ASCII.
    compress : bool
        Deflated, or stored as it is.

    Returns
    -------
    ZipInfo
        Without sizes and checksum yet.
    """
    entry = zipfile.ZipInfo(name, EARLIEST_DATE)
    entry.create_system = _UNIX
    entry.external_attr = _OWNER_MAY_READ_AND_WRITE
    entry.compress_type = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    return entry


def what_is_odd(archive: zipfile.ZipFile) -> str:
    """Find what else a ZIP holds than entries as `new_entry` describes them.

    What stands before, between or behind the entries, in comments or in fields of which nothing depends, changes no
    case: but it was not there when the case was saved.

    Parameters
    ----------
    archive : ZipFile
        Open for reading.

    Returns
    -------
    str
        Ends a sentence, "it holds something that..."; empty if nothing is odd.
    """
    place = 0
    for entry in archive.infolist():
        name = repr(entry.filename[:80])
        if entry.header_offset != place:
            return f"it holds something before {name}"
        if not _is_plain(entry):
            return f"{name} is described in another way"
        head = _read(archive, place, _HEAD + len(entry.filename))
        n_extra = int.from_bytes(head[28:30], "little")
        head += _read(archive, place + len(head), n_extra)
        if head != _head(entry, in_64_bits=n_extra > 0):
            return f"{name} is described in two ways"
        if not _is_used_up(archive, entry, place + len(head)):
            return f"{name} holds something behind what it unpacks to"
        place += len(head) + entry.compress_size
    if archive.start_dir != place:
        return "it holds something behind its entries"
    size = 0
    for entry in archive.infolist():
        lengths = struct.pack("<3H", len(entry.filename), len(entry.extra), 0)
        if _read(archive, place + size + _LENGTHS, len(lengths)) != lengths:
            return f"{entry.filename[:80]!r} is described in another way"
        size += _ROW + len(entry.filename) + len(entry.extra)
    end = _end(len(archive.infolist()), size, place)
    if _read(archive, place + size, len(end) + 1) != end:
        return "it holds something at its end"
    return ""


def _is_plain(entry: zipfile.ZipInfo) -> bool:
    """Check whether an entry is described in the table as it is when it is written."""
    usual = new_entry(entry.filename, entry.compress_type == zipfile.ZIP_DEFLATED)
    return (
        all(getattr(entry, name) == getattr(usual, name, 0) for name in _FIELDS)
        and {entry.create_version, entry.extract_version} <= {_VERSION, _VERSION_64}
        and (not entry.extra or entry.extra.startswith(b"\1\0"))  # sizes of more than 32 bits
    )


def _head(entry: zipfile.ZipInfo, in_64_bits: bool) -> bytes:
    """Return what stands before the data of an entry."""
    usual = new_entry(entry.filename, entry.compress_type == zipfile.ZIP_DEFLATED)
    usual.CRC, usual.compress_size, usual.file_size = entry.CRC, entry.compress_size, entry.file_size
    large = max(entry.compress_size, entry.file_size) > zipfile.ZIP64_LIMIT
    return usual.FileHeader(zip64=in_64_bits or large)


def _is_used_up(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, place: int) -> bool:
    """Check whether what is deflated at this place ends where the entry does."""
    if entry.compress_type != zipfile.ZIP_DEFLATED:
        return True
    inflating, end = zlib.decompressobj(-zlib.MAX_WBITS), place + entry.compress_size
    while place < end and not inflating.eof:
        piece = _read(archive, place, min(PIECE_BYTES, end - place))
        if not piece:
            return False
        place += len(piece)
        while piece and not inflating.eof:
            inflating.decompress(piece, PIECE_BYTES)
            piece = inflating.unconsumed_tail
    inflating.flush()
    return inflating.eof and place == end and not inflating.unused_data


def _end(n: int, size: int, place: int) -> bytes:
    """Return what stands behind a table of n entries that has this size and stands at this place."""
    end = b""
    if n > zipfile.ZIP_FILECOUNT_LIMIT or max(size, place) > zipfile.ZIP64_LIMIT:
        end += struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, _VERSION_64, _VERSION_64, 0, 0, n, n, size, place)
        end += struct.pack("<4sLQL", b"PK\6\7", 0, place + size, 1)
    n, size, place = min(n, 0xFFFF), min(size, 0xFFFFFFFF), min(place, 0xFFFFFFFF)
    return end + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, n, n, size, place, 0)


def _read(archive: zipfile.ZipFile, place: int, n_bytes: int) -> bytes:
    """Read some bytes of the file."""
    assert archive.fp is not None
    archive.fp.seek(place)
    return archive.fp.read(n_bytes)
