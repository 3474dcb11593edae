"""Files of one picture: JPEG, PNG, BMP, WebP, JPEG 2000."""

import io
from numbers import Real
from typing import BinaryIO

import imagecodecs
import numpy as np
from PIL import Image, ImageFile, UnidentifiedImageError
from PIL.ExifTags import Base as Tag

from core.sheets.formats.picture import UNITS_PER_INCH, Picture, quietly, upright_picture
from core.sheets.formats.pixels import Arrays, eight_bit, on_white, to_arrays
from core.sheets.formats.refusal import Refusal, check_size, damaged, errors_as_damage

# The limit of ReadingOptions, checked for every picture, takes the place of Pillow's, which belongs to the process.
Image.MAX_IMAGE_PIXELS = None

_FORMATS = ("JPEG", "PNG", "BMP", "WEBP", "JPEG2000")
_PNG_HEADER_BYTES = 26
_END_MARKER = b"\xff\xd9"
_START_OF_CODES = b"\xff\x4f\xff\x51"
_FILLER = bytes(range(200))  # begins with 0: after a stray 0xFF anything else would read as a marker


def refuse_truncated() -> None:
    """Have Pillow refuse files that are cut short; its setting belongs to the process, and WeasyPrint changes it."""
    ImageFile.LOAD_TRUNCATED_IMAGES = False


class SinglePicture:
    """A file that holds one picture; of several frames (MPO, animations) the first.

    Parameters
    ----------
    handle : binary file
        At its beginning.
    max_megapixels : float
        Larger pictures are refused.
    known_format : bool
        Whether the content begins like a supported format: tells a damaged file from one of another kind.
    """

    n_pages = 1

    def __init__(self, handle: BinaryIO, max_megapixels: float, *, known_format: bool) -> None:
        self._handle = handle
        try:
            with quietly():
                self._image = Image.open(handle, formats=_FORMATS)
        except Exception as error:  # decoders raise almost anything on broken input
            if known_format:
                is_vague = isinstance(error, UnidentifiedImageError)
                raise damaged("its header makes no sense" if is_vague else error) from error
            raise Refusal(
                "is in none of the formats that can be read: JPEG, PNG, TIFF, BMP, WebP, JPEG 2000 and PDF. "
                "Open it in the program it came from and save it as TIFF or PNG."
            ) from error
        check_size(*self._image.size, max_megapixels)

    def picture(self, page: int) -> Picture:
        """Decode the picture; see `Pages.picture`."""
        refuse_truncated()
        with errors_as_damage():
            arrays = self._decode()
            exif = _exif(self._image)
            dpi = self._image.info.get("dpi") or _exif_dpi(exif)
            return upright_picture(arrays, dpi, exif.get(Tag.Orientation, 1))

    def close(self) -> None:
        """Release the picture."""
        self._image.close()

    def _decode(self) -> Arrays:
        """Decode pixels and opacity."""
        kind = self._image.format
        if kind in ("JPEG", "MPO"):
            data = self._content()
            self._check_whole(data)
            if self._image.mode in ("L", "RGB"):  # in one call that lets other threads run, unlike Pillow's
                return imagecodecs.jpeg8_decode(data), None
        elif kind == "JPEG2000":
            # One that was cut short between two tiles: its decoder would leave the missing ones black.
            data = self._content()
            if data.find(_END_MARKER, data.find(_START_OF_CODES)) < 0:  # the marker never occurs among the codes
                raise damaged("it breaks off without an end marker")
        elif kind == "PNG":
            depth, colour_type = self._content(_PNG_HEADER_BYTES)[24:]
            if depth == 16 and colour_type in (2, 4, 6):  # colours of 16 bits, of which Pillow would drop the lower 8
                values = eight_bit(imagecodecs.png_decode(self._content()), 16)
                if colour_type == 2:
                    return np.ascontiguousarray(values[..., :3]), None
                return on_white(values[..., 0] if colour_type == 4 else values[..., :3], values[..., -1])
        self._image.load()
        return to_arrays(self._image)

    def _check_whole(self, data: bytes) -> None:
        """Refuse a JPEG whose end marker comes before its last block; decoders fill the rest with grey.

        A whole picture does not change when bytes are put in before its end marker, where many scanners leave some;
        one that was cut short takes them for the blocks it lacks.
        """
        end = data.find(_END_MARKER, _start_of_scan(data))
        if end < 0:
            raise damaged("it breaks off without an end marker")
        reduction = 1 if self._image.info.get("progressive") else 8
        if _glance(data, reduction) != _glance(data[:end] + _FILLER + data[end:], reduction):
            raise damaged("it breaks off before its last row")

    def _content(self, n_bytes: int = -1) -> bytes:
        """Read the file from its beginning, and leave it as if nothing had been read."""
        position = self._handle.tell()
        self._handle.seek(0)
        data = self._handle.read(n_bytes)
        self._handle.seek(position)
        return data


def _exif(image: Image.Image) -> Image.Exif:
    """Read the EXIF data of a loaded picture; data that make no sense are as good as none, the pixels are whole."""
    try:
        with quietly():
            return image.getexif()
    except Exception:  # raised as several types
        return Image.Exif()


def _exif_dpi(exif: Image.Exif) -> tuple[float, float] | None:
    """Read the resolution from EXIF, for formats in which Pillow does not look for it."""
    per_inch = UNITS_PER_INCH.get(exif.get(Tag.ResolutionUnit, 2))
    x, y = exif.get(Tag.XResolution), exif.get(Tag.YResolution)
    if per_inch is None or not isinstance(x, Real) or not isinstance(y, Real):
        return None
    return float(x) * per_inch, float(y) * per_inch


def _start_of_scan(data: bytes) -> int:
    """Find where a JPEG's first scan begins, past the segments before it, which may hold a thumbnail."""
    position = 2
    while data[position : position + 1] == b"\xff":
        marker, length = data[position + 1], int.from_bytes(data[position + 2 : position + 4])
        if marker == 0xDA:
            return position
        position += 1 if marker == 0xFF else 2 + length  # 0xFF: padding before a marker
    return position


def _glance(data: bytes, reduction: int) -> bytes:
    """Decode a JPEG at a fraction of its size, which takes little more than reading its codes."""
    with quietly():
        image = Image.open(io.BytesIO(data), formats=("JPEG",))
    if reduction > 1:
        image.draft(None, (max(1, image.width // reduction), max(1, image.height // reduction)))
    return image.tobytes()
