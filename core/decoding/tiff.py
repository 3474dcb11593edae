"""TIFF files: tifffile knows their pages, Pillow decodes the common ones, tifffile the others."""

import logging
import struct
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from core.decoding.picture import (
    Picture,
    check_size,
    damaged,
    eight_bit,
    on_white,
    quietly,
    upright,
    upright_dpi,
)
from core.decoding.single import to_arrays
from core.errors import UnreadableInputError

# What tifffile logs it also raises or is checked here; its log would only end up on the terminal.
logging.getLogger("tifffile").setLevel(logging.CRITICAL + 1)

_PILLOW_COMPRESSIONS = {1, 2, 3, 4, 5, 6, 7, 8, 32773, 32946}  # none, CCITT, LZW, JPEG, Deflate, PackBits
_MIN_IS_WHITE, _MIN_IS_BLACK, _RGB, _PALETTE, _CMYK = 0, 1, 2, 3, 5
_ALPHA_SAMPLES = (1, 2)  # premultiplied or not; taken alike, since only the edge differs
_X_RESOLUTION, _Y_RESOLUTION, _RESOLUTION_UNIT, _ORIENTATION = 282, 283, 296, 274


class TiffPages:
    """The pages of a TIFF file, without the thumbnails that some scanners put between them.

    Parameters
    ----------
    handle : binary file
        At its beginning.
    name : str
        What messages call the file.
    max_megapixels : float
        Larger pages are refused.
    """

    def __init__(self, handle: BinaryIO, name: str, max_megapixels: float) -> None:
        import tifffile

        self._name, self._max_megapixels = name, max_megapixels
        self._file_bytes = handle.seek(0, 2)
        handle.seek(0)
        try:
            n_directories = _count_directories(handle, self._file_bytes)
            handle.seek(0)
            self._tiff = tifffile.TiffFile(handle)
            if len(self._tiff.pages) != n_directories:
                raise ValueError("its list of pages is broken")
            pages = [page.aspage() for page in self._tiff.pages]
        except Exception as error:  # decoders raise almost anything on broken input
            raise damaged(name, error) from error
        full = [index for index, page in enumerate(pages) if not page.subfiletype & 1]
        self._directories = full or list(range(len(pages)))
        self._pages = pages
        self._pillow = self._open_with_pillow(handle)
        self.n_pages = len(self._directories)

    def picture(self, page: int) -> Picture:
        """Decode a page; see `Document.picture`."""
        directory = self._directories[page]
        tiff_page = self._pages[directory]
        name = self._name if self.n_pages == 1 else f"{self._name}, page {page + 1},"
        check_size(tiff_page.imagewidth, tiff_page.imagelength, name, self._max_megapixels)
        check_size(max(1, tiff_page.tilewidth), max(1, tiff_page.tilelength), name, self._max_megapixels)
        try:
            self._check_extent(tiff_page)
            orientation = _tag(tiff_page, _ORIENTATION, 1)
            if self._seek_with_pillow(directory):
                assert self._pillow is not None
                self._pillow.load()  # turns the picture upright, too
                pixels, alpha = to_arrays(self._pillow)
            else:
                pixels, alpha = _decode(tiff_page)
                pixels = upright(pixels, orientation)
                alpha = None if alpha is None else upright(alpha, orientation)
            return Picture(pixels, alpha, upright_dpi(_dpi(tiff_page), orientation))
        except UnreadableInputError:
            raise
        except Exception as error:  # decoders raise almost anything on broken input
            raise damaged(name, error) from error

    def close(self) -> None:
        """Release the pages."""
        self._tiff.close()
        if self._pillow is not None:
            self._pillow.close()

    def _open_with_pillow(self, handle: BinaryIO) -> Image.Image | None:
        """Let Pillow look at the file; None if it refuses the first page, and with it the file."""
        handle.seek(0)
        try:
            with quietly():
                return Image.open(handle, formats=("TIFF",))
        except UnidentifiedImageError:
            return None

    def _seek_with_pillow(self, directory: int) -> bool:
        """Have Pillow ready to decode a page; False if it would refuse it or reduce it to its upper 8 bits."""
        page = self._pages[directory]
        if self._pillow is None or page.bitspersample > 8 or int(page.compression) not in _PILLOW_COMPRESSIONS:
            return False
        try:
            with quietly():
                self._pillow.seek(directory)
                self._pillow.getexif()
        except Exception:  # a kind of pixels that it does not know: raised as several types
            return False
        return True

    def _check_extent(self, page: Any) -> None:
        """Refuse a page part of whose pixels lies beyond the end of the file."""
        ends = [offset + count for offset, count in zip(page.dataoffsets, page.databytecounts, strict=False)]
        if not ends or max(ends) > self._file_bytes:
            raise ValueError("the file ends before its pixels do")


def _decode(page: Any) -> tuple[NDArray[np.uint8], NDArray[np.uint8] | None]:
    """Decode with tifffile: grey or RGB pixels and opacity as in `Picture`, not yet upright."""
    values, photometric, bits = page.asarray(), int(page.photometric), page.bitspersample
    if values.ndim == 3 and int(page.planarconfig) == 2:
        values = np.moveaxis(values, 0, -1)
    if values.dtype.kind not in "bu" or bits > 16 or values.ndim not in (2, 3):
        raise ValueError(f"its pixels are {values.dtype} numbers; save it with 8 or 16 bits a channel")
    if photometric == _PALETTE and values.ndim == 2:
        return eight_bit(np.moveaxis(page.colormap[:, values], 0, -1), 16), None
    colours = eight_bit(values.astype(np.uint16), bits)
    n_colours = {_MIN_IS_WHITE: 1, _MIN_IS_BLACK: 1, _RGB: 3, _CMYK: 4}.get(photometric)
    if n_colours is None or (n_colours > 1 and (colours.ndim == 2 or colours.shape[2] < n_colours)):
        raise ValueError(f"its colours are stored in an unusual way, {page.photometric}; save it as RGB")
    colours = colours[..., np.newaxis] if colours.ndim == 2 else colours
    extra = [int(kind) for kind in page.extrasamples]
    alpha = next((colours[..., n_colours + i] for i, kind in enumerate(extra) if kind in _ALPHA_SAMPLES), None)
    inks = colours[..., :n_colours]
    if photometric == _MIN_IS_WHITE:
        inks = 255 - inks
    elif photometric == _CMYK:
        paper = 255 - inks.astype(np.uint16)
        inks = ((paper[..., :3] * paper[..., 3:] + 127) // 255).astype(np.uint8)
    pixels = np.ascontiguousarray(inks[..., 0] if n_colours == 1 else inks)
    return (pixels, None) if alpha is None else on_white(pixels, alpha)


def _tag(page: Any, code: int, default: Any) -> Any:
    """Value of a tag, or a default where it is missing."""
    tag = page.tags.get(code)
    return default if tag is None else tag.value


def _dpi(page: Any) -> tuple[float, float] | None:
    """Resolution that the tags state, per inch."""
    per_inch = {2: 1.0, 3: 2.54}.get(int(_tag(page, _RESOLUTION_UNIT, 2)))
    rationals = [_tag(page, code, (0, 1)) for code in (_X_RESOLUTION, _Y_RESOLUTION)]
    if per_inch is None or not all(numerator and denominator for numerator, denominator in rationals):
        return None
    x, y = (numerator / denominator * per_inch for numerator, denominator in rationals)
    return x, y


def _count_directories(handle: BinaryIO, file_bytes: int) -> int:
    """Follow the chain of page directories to its end.

    tifffile takes a broken chain for a shorter one, so that the last pages of a truncated file would vanish silently.
    """
    order = "<" if handle.read(2) == b"II" else ">"
    big = struct.unpack(order + "H", handle.read(2))[0] == 43
    count_format, entry_bytes, link_format = ("Q", 20, "Q") if big else ("H", 12, "I")
    handle.seek(8 if big else 4)
    seen: set[int] = set()
    while offset := _unpack(handle, order + link_format):
        if offset in seen or offset >= file_bytes:
            raise ValueError("its list of pages leads out of the file or in a circle")
        seen.add(offset)
        handle.seek(offset)
        n_entries = _unpack(handle, order + count_format)
        handle.seek(n_entries * entry_bytes, 1)
    if not seen:
        raise ValueError("it holds no page")
    return len(seen)


def _unpack(handle: BinaryIO, layout: str) -> int:
    """Read one number."""
    data = handle.read(struct.calcsize(layout))
    if len(data) < struct.calcsize(layout):
        raise ValueError("the file ends within its list of pages")
    return int(struct.unpack(layout, data)[0])
