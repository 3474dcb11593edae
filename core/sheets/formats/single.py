"""Files of one picture that Pillow opens: PNG, BMP, WebP, JPEG 2000."""

from dataclasses import replace
from typing import BinaryIO

import imagecodecs
import numpy as np
from PIL import Image, ImageFile, UnidentifiedImageError
from PIL.ExifTags import Base as Tag

from core.sheets.formats.picture import Picture, exif_dpi, exif_of, focal_35mm, quietly, upright_picture
from core.sheets.formats.pixels import Arrays, bits_in_use, eight_bit, on_white, to_arrays
from core.sheets.formats.refusal import Refusal, check_size, damaged, errors_as_damage
from core.sheets.resolution import choose_stated

# The limit of ReadingOptions, checked for every picture, takes the place of Pillow's, which belongs to the process.
Image.MAX_IMAGE_PIXELS = None

_FORMATS = ("PNG", "BMP", "WEBP", "JPEG2000")
_PNG_HEADER_BYTES = 26
_END_MARKER = b"\xff\xd9"
_START_OF_CODES = b"\xff\x4f\xff\x51"


def refuse_truncated() -> None:
    """Have Pillow refuse files that are cut short; its setting belongs to the process, and WeasyPrint changes it."""
    ImageFile.LOAD_TRUNCATED_IMAGES = False


class SinglePicture:
    """A file that holds one picture; of several frames (animations) the first.

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
            exif = exif_of(self._image)
            dpi = choose_stated(self._image.size, (self._image.info.get("dpi"), exif_dpi(exif)))
            picture = upright_picture(arrays, dpi, exif.get(Tag.Orientation, 1))
            return replace(picture, focal_35mm=focal_35mm(exif))

    def close(self) -> None:
        """Release the picture."""
        self._image.close()

    def _decode(self) -> Arrays:
        """Decode pixels and opacity."""
        kind = self._image.format
        if kind == "JPEG2000":
            # One that was cut short between two tiles: its decoder would leave the missing ones black.
            data = self._content()
            if data.find(_END_MARKER, data.find(_START_OF_CODES)) < 0:  # the marker never occurs among the codes
                raise damaged("it breaks off without an end marker")
        elif kind == "PNG":
            depth, colour_type = self._content(_PNG_HEADER_BYTES)[24:]
            if depth == 16 and colour_type in (2, 4, 6):  # colours of 16 bits, of which Pillow would drop the lower 8
                values = imagecodecs.png_decode(self._content())
                colours = values[..., 0] if colour_type == 4 else np.ascontiguousarray(values[..., :3])
                pixels = eight_bit(colours, bits_in_use(colours, 16))
                return (pixels, None) if colour_type == 2 else on_white(pixels, eight_bit(values[..., -1], 16))
        self._image.load()
        return to_arrays(self._image)

    def _content(self, n_bytes: int = -1) -> bytes:
        """Read the file from its beginning, and leave it as if nothing had been read."""
        position = self._handle.tell()
        self._handle.seek(0)
        data = self._handle.read(n_bytes)
        self._handle.seek(position)
        return data
