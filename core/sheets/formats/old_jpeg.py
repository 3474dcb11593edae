"""Old-style JPEG in TIFF (compression 6): a JPEG file is put together from parts that lie about in the file."""

from collections.abc import Sequence
from typing import Any, BinaryIO

_FORMAT, _FORMAT_LENGTH, _RESTART = 513, 514, 515
_Q_TABLES, _DC_TABLES, _AC_TABLES = 519, 520, 521
_SUBSAMPLING = 530
_START, _END = b"\xff\xd8", b"\xff\xd9"
_N_CODE_LENGTHS = 16


def as_jpeg(page: Any, handle: BinaryIO) -> bytes:
    """Put together the JPEG file that a page of a TIFF file holds.

    Either it lies there as a whole; or only its header does, and the codes in the strips; or even its tables are
    scattered, each of which a tag of its own points to.

    Parameters
    ----------
    page : tifffile.TiffPage
        Of compression 6.
    handle : binary file
        The TIFF file.

    Returns
    -------
    bytes
        With an end marker only where the file has one.

    Raises
    ------
    ValueError
        If parts of it are missing.
    """
    start, length = (int(_first(page, code)) for code in (_FORMAT, _FORMAT_LENGTH))
    strips = [_read(handle, offset, n) for offset, n in zip(page.dataoffsets, page.databytecounts, strict=True)]
    if strips and strips[0].startswith(_START):
        return strips[0]
    if not start:
        return _START + _tables(page, handle) + _scan_header(page) + _joined(strips)
    header = _read(handle, start, length or max(0, min(page.dataoffsets) - start) or -1)
    if not header.startswith(_START):
        raise ValueError("its JPEG header is missing")
    is_whole = any(start <= offset < start + len(header) for offset in page.dataoffsets)
    return header if is_whole else header.removesuffix(_END) + _joined(strips)


def _first(page: Any, code: int) -> Any:
    """Read the first value of a tag; 0 where it is missing."""
    tag = page.tags.get(code)
    value = 0 if tag is None else tag.value
    return value[0] if isinstance(value, tuple) else value


def _all(page: Any, code: int) -> Sequence[int]:
    """Read all values of a tag."""
    tag = page.tags.get(code)
    if tag is None:
        raise ValueError("its JPEG tables are missing")
    return tag.value if isinstance(tag.value, tuple) else (tag.value,)


def _read(handle: BinaryIO, offset: int, n: int) -> bytes:
    """Read a part of the file, all of it from there on if n is negative."""
    handle.seek(offset)
    return handle.read(n)


def _joined(strips: Sequence[bytes]) -> bytes:
    """Join strips, each of which was coded anew, by the markers that say so."""
    return b"".join(
        strip if index == 0 else bytes((0xFF, 0xD0 + (index - 1) % 8)) + strip for index, strip in enumerate(strips)
    )


def _tables(page: Any, handle: BinaryIO) -> bytes:
    """Read the tables of quantisation and of both kinds of codes."""
    tables = b"".join(
        _segment(0xDB, bytes((number,)) + _read(handle, offset, 64))
        for number, offset in enumerate(_all(page, _Q_TABLES))
    )
    for kind, code in enumerate((_DC_TABLES, _AC_TABLES)):
        for number, offset in enumerate(_all(page, code)):
            lengths = _read(handle, offset, _N_CODE_LENGTHS)
            values = _read(handle, offset + _N_CODE_LENGTHS, sum(lengths))
            tables += _segment(0xC4, bytes((kind << 4 | number,)) + lengths + values)
    return tables


def _scan_header(page: Any) -> bytes:
    """Build the headers of frame and scan: what the TIFF file says in its own tags."""
    n = int(page.samplesperpixel)
    across, down = (2, 2) if (tag := page.tags.get(_SUBSAMPLING)) is None else tag.value[:2]
    sampling = [across << 4 | down if n > 1 and component == 0 else 0x11 for component in range(n)]
    frame = b"".join(bytes((component + 1, sampling[component], component)) for component in range(n))
    size = page.imagelength.to_bytes(2) + page.imagewidth.to_bytes(2)
    scan = b"".join(bytes((component + 1, component << 4 | component)) for component in range(n))
    return (
        _segment(0xC0, b"\x08" + size + bytes((n,)) + frame)
        + _restarts(page, across if n > 1 else 1, down if n > 1 else 1)
        + _segment(0xDA, bytes((n,)) + scan + b"\x00\x3f\x00")
    )


def _restarts(page: Any, across: int, down: int) -> bytes:
    """Say after how many blocks the coding begins anew: at the end of a strip, if there are several."""
    every = int(_first(page, _RESTART))
    if not every and len(page.dataoffsets) > 1:
        every = -(-page.imagewidth // (8 * across)) * -(-page.rowsperstrip // (8 * down))
    return _segment(0xDD, every.to_bytes(2)) if every else b""


def _segment(marker: int, content: bytes) -> bytes:
    """Build a segment of a JPEG file."""
    return bytes((0xFF, marker)) + (len(content) + 2).to_bytes(2) + content
