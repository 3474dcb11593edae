"""JPEG files: whole ones, those that only lack their end marker, and a few kinds that Pillow does not know."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

import imagecodecs
import numpy as np
from PIL import Image
from PIL.ExifTags import Base as Tag

from core.sheets.formats.picture import Picture, exif_dpi, exif_of, focal_35mm, quietly, upright_picture
from core.sheets.formats.pixels import Arrays, eight_bit, to_arrays
from core.sheets.formats.refusal import Refusal, check_size, damaged, errors_as_damage
from core.sheets.resolution import choose_stated

SIGNATURE = b"\xff\xd8\xff"

WITHOUT_END = "breaks off without an end marker; every block of it is there, and it was read all the same."
"""What is said of a file that lacks its last two bytes."""

_END_MARKER = b"\xff\xd9"
_FILLER = bytes(range(200))  # begins with 0: after a stray 0xFF anything else would read as a marker
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_LAST_BYTES = 3
_USUAL_FRAMES = (0xC0, 0xC1, 0xC2)
_LOSSLESS = 0xC3
_PROGRESSIVE, _SCAN, _LINES = 0xC2, 0xDA, 0xDC
_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")  # within codes 0xFF stands before 0, or a restart marker


class JpegPicture:
    """A JPEG file; of several pictures in it (MPO) the first.

    Parameters
    ----------
    handle : binary file
        At its beginning.
    max_megapixels : float
        Larger pictures are refused.
    """

    n_pages = 1

    def __init__(self, handle: BinaryIO, max_megapixels: float) -> None:
        with errors_as_damage():
            data = handle.read()
            frame = _frame(data)
            if frame is None:
                raise damaged("its header makes no sense")
            if not frame.height:
                data, frame = _with_height(data, frame)
        check_size(frame.width, frame.height, max_megapixels)
        self._data, self._frame = data, frame

    def picture(self, page: int) -> Picture:
        """Decode the picture; see `Pages.picture`."""
        with errors_as_damage():
            usual = self._frame.marker in _USUAL_FRAMES and self._frame.bits == 8
            with quietly():
                data = self._data if usual else _seemingly_usual(self._data, self._frame)
                image = Image.open(io.BytesIO(data), formats=("JPEG",))
            arrays, notes = decode_jpeg(data, image) if usual else (_decode_unusual(self._data, self._frame), ())
            exif = exif_of(image)
            dpi = choose_stated(image.size, (image.info.get("dpi"), exif_dpi(exif)))
            picture = upright_picture(arrays, dpi, exif.get(Tag.Orientation, 1))
            return replace(picture, notes=notes, focal_35mm=focal_35mm(exif))

    def close(self) -> None:
        """Release the content."""
        self._data = b""


def decode_jpeg(data: bytes, image: Image.Image) -> tuple[Arrays, tuple[str, ...]]:
    """Decode a JPEG of 8 bits.

    Parameters
    ----------
    data : bytes
        All of it.
    image : PIL.Image.Image
        The same, opened by Pillow and not loaded.

    Returns
    -------
    arrays : Arrays
        Pixels as they are stored, not turned.
    notes : tuple of str
        As in `Picture`.

    Raises
    ------
    Refusal
        If blocks of it are missing.
    """
    data, notes = _whole(data)
    if image.mode in ("L", "RGB"):  # in one call that lets other threads run, unlike Pillow's
        return (imagecodecs.jpeg8_decode(data), None), notes
    with quietly():
        image = Image.open(io.BytesIO(data), formats=("JPEG",))
    image.load()
    return to_arrays(image, inverted=image.mode == "CMYK" and "adobe" not in image.info), notes


@dataclass(frozen=True)
class _Frame:
    """What the header of a frame declares; `place` is where its length stands."""

    place: int
    marker: int
    bits: int
    height: int
    width: int
    components: tuple[int, ...]


def _segments(data: bytes) -> Iterator[tuple[int, int]]:
    """List the segments by marker and by the place of their length, with those behind the codes of each scan."""
    position = 2
    while match := _MARKER.search(data, position):
        marker, place = data[match.start() + 1], match.end()
        if marker == 0xD9:
            return
        yield marker, place
        length = int.from_bytes(data[place : place + 2])
        position = place if marker in (0x01, 0xD8) else place + max(2, length)


def _frame(data: bytes) -> _Frame | None:
    """Read the header of the frame, which stands before the first scan."""
    for marker, place in _segments(data):
        if marker == _SCAN:
            return None
        if marker in _FRAMES and len(data) > place + 8 + 3 * data[place + 7]:
            bits, n_components = data[place + 2], data[place + 7]
            height, width = (int.from_bytes(data[at : at + 2]) for at in (place + 3, place + 5))
            return _Frame(place, marker, bits, height, width, tuple(data[place + 8 : place + 8 + 3 * n_components : 3]))
    return None


def _with_height(data: bytes, frame: _Frame) -> tuple[bytes, _Frame]:
    """Put the number of rows, which some scanners write behind the first scan (DNL), where decoders look for it."""
    rows = next((data[place + 2 : place + 4] for marker, place in _segments(data) if marker == _LINES), b"")
    if len(rows) < 2:
        return data, frame
    at = frame.place + 3
    return data[:at] + rows + data[at + 2 :], replace(frame, height=int.from_bytes(rows))


def _whole(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Refuse a JPEG that lacks blocks, which decoders fill with grey; return it with its end marker, and what to note.

    A whole picture does not change when bytes are put in before its end marker, where many scanners leave some;
    one that was cut short takes them for the blocks it lacks.
    """
    end = data.find(_END_MARKER, _start_of_scan(data))
    frame = _frame(data)
    if end < 0:
        whole = next((codes for codes in _without_padding(data) if _ends_with_its_last_block(codes)), None)
        if whole is None or not _has_all_scans(data, frame):
            raise damaged("it breaks off without an end marker")
        return whole + _END_MARKER, (WITHOUT_END,)
    if not _has_all_scans(data, frame):
        raise damaged("it breaks off before its last scan")
    reduction = 1 if frame is None or frame.marker == _PROGRESSIVE else 8
    if _glance(data, reduction) != _glance(data[:end] + _FILLER + data[end:], reduction):
        raise damaged("it breaks off before its last row")
    return data, ()


def _without_padding(data: bytes) -> tuple[bytes, bytes]:
    """Take off what a system or half an end marker left behind the codes; they may end with a byte of 0 themselves."""
    codes = data.rstrip(b"\0").removesuffix(b"\xff")
    return codes, codes + b"\0"


def _ends_with_its_last_block(codes: bytes) -> bool:
    """Check that no block is missing, and that nothing follows: a decoder would take anything for missing blocks."""
    as_it_is, with_more, with_less = (
        _glance(some + _END_MARKER, 1) for some in (codes, codes + _FILLER, codes[:-_LAST_BYTES] + _FILLER)
    )
    return as_it_is == with_more != with_less


def _has_all_scans(data: bytes, frame: _Frame | None) -> bool:
    """Check that the scans hold every component, and of a progressive picture every coefficient to its last bit."""
    if frame is None:
        return False
    missing = {(component, k) for component in frame.components for k in range(64)}
    for marker, place in _segments(data):
        if marker != _SCAN or len(data) <= place + 2:
            continue
        n = data[place + 2]
        first, last, bits = data[place + 3 + 2 * n : place + 6 + 2 * n].ljust(3, b"\0")
        if frame.marker != _PROGRESSIVE:
            first, last, bits = 0, 63, 0
        if bits & 15 == 0:
            missing -= {(c, k) for c in data[place + 3 : place + 3 + 2 * n : 2] for k in range(first, last + 1)}
    return not missing


def _start_of_scan(data: bytes) -> int:
    """Find where a JPEG's first scan begins, past the segments before it, which may hold a thumbnail."""
    return next((place - 2 for marker, place in _segments(data) if marker == _SCAN), len(data))


def _glance(data: bytes, reduction: int) -> bytes:
    """Decode a JPEG at a fraction of its size, which takes little more than reading its codes."""
    with quietly():
        image = Image.open(io.BytesIO(data), formats=("JPEG",))
    if reduction > 1:
        image.draft(None, (max(1, image.width // reduction), max(1, image.height // reduction)))
    return image.tobytes()


def _seemingly_usual(data: bytes, frame: _Frame) -> bytes:
    """Declare the usual kind, so that Pillow reads what else the header says; the pixels are not to be decoded so."""
    return b"".join(
        (data[: frame.place - 1], b"\xc0", data[frame.place : frame.place + 2], b"\x08", data[frame.place + 3 :])
    )


def _decode_unusual(data: bytes, frame: _Frame) -> Arrays:
    """Decode a JPEG without loss, or of more than 8 bits."""
    if frame.marker not in (*_USUAL_FRAMES, _LOSSLESS):
        raise Refusal(
            f"is a JPEG of a kind that cannot be read (process {frame.marker - 0xC0}). "
            "Open it in the program it came from and save it as TIFF or PNG."
        )
    end = data.rfind(_END_MARKER)
    values = imagecodecs.jpeg_decode(data)
    if end < 0 or not np.array_equal(values, imagecodecs.jpeg_decode(data[:end] + _FILLER + data[end:])):
        raise damaged("it breaks off before its last row")
    return eight_bit(values, max(8, frame.bits)), None
