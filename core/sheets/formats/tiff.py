"""TIFF files, by tifffile; a few old kinds, which it does not know, by Pillow."""

import io
import logging
import struct
from dataclasses import replace
from typing import Any, BinaryIO

import numpy as np
from PIL import Image
from PIL.ExifTags import Base as Tag

from core.arrays import Pixels
from core.sheets.formats.jpeg import decode_jpeg
from core.sheets.formats.old_jpeg import as_jpeg
from core.sheets.formats.picture import UNITS_PER_INCH, Picture, quietly, upright_dpi, upright_picture
from core.sheets.formats.pixels import Arrays, bits_in_use, eight_bit, inks_to_rgb, on_white, to_arrays
from core.sheets.formats.refusal import Refusal, check_size, errors_as_damage
from core.sheets.formats.single import refuse_truncated
from core.sheets.likeness import Likeness

# What tifffile logs it also raises or is checked here; its log would only end up on the terminal.
logging.getLogger("tifffile").setLevel(logging.CRITICAL + 1)

_MIN_IS_WHITE, _MIN_IS_BLACK, _RGB, _PALETTE, _CMYK, _YCBCR = 0, 1, 2, 3, 5, 6
_OLD_JPEG, _JPEG = 6, 7
_N_COLOURS = {_MIN_IS_WHITE: 1, _MIN_IS_BLACK: 1, _RGB: 3, _CMYK: 4, _YCBCR: 3}
_ALPHA_SAMPLES = (1, 2)  # premultiplied or not; taken alike, since only the paper's very edge differs
_MAX_SAMPLES = 8
_SMALLER = 0.8


class TiffPages:
    """The pages of a TIFF file, without the thumbnails that some scanners put between them.

    Parameters
    ----------
    handle : binary file
        At its beginning.
    max_megapixels : float
        Larger pages are refused.
    """

    def __init__(self, handle: BinaryIO, max_megapixels: float) -> None:
        import tifffile

        self._handle, self._max_megapixels = handle, max_megapixels
        self._file_bytes = handle.seek(0, 2)
        handle.seek(0)
        with errors_as_damage():
            n_directories = _count_directories(handle, self._file_bytes)
            handle.seek(0)
            self._tiff = tifffile.TiffFile(handle)
            if len(self._tiff.pages) != n_directories:
                raise ValueError("its list of pages is broken")
            self._pages = [page.aspage() for page in self._tiff.pages]
        full = [index for index, page in enumerate(self._pages) if not page.subfiletype & 1]
        self._directories = full or list(range(len(self._pages)))
        self._notes: dict[int, tuple[str, ...]] = {}
        self._leave_out_smaller_copies()
        self.n_pages = len(self._directories)

    def picture(self, page: int) -> Picture:
        """Decode a page; see `Pages.picture`."""
        directory = self._directories[page]
        picture = self._decoded(directory)
        return replace(picture, notes=(*picture.notes, *self._notes.get(directory, ())))

    def _decoded(self, directory: int) -> Picture:
        """Decode the page of a directory."""
        tiff_page = self._pages[directory]
        notes: tuple[str, ...] = ()
        with errors_as_damage():
            self._check(tiff_page)
            orientation = _tag(tiff_page, Tag.Orientation, 1)
            if int(tiff_page.compression) == _OLD_JPEG:
                arrays, notes = _decode_old_jpeg(tiff_page, self._handle)
            elif int(tiff_page.photometric) == _YCBCR and int(tiff_page.compression) != _JPEG:
                arrays, orientation = self._decode_with_pillow(directory), 1
            else:
                arrays = _decode(tiff_page)
            dpi = upright_dpi(_dpi(tiff_page), _tag(tiff_page, Tag.Orientation, 1))
            return replace(upright_picture(arrays, None, orientation), dpi=dpi, notes=notes)

    def close(self) -> None:
        """Release the pages."""
        self._tiff.close()

    def _leave_out_smaller_copies(self) -> None:
        """Leave out pages that show the same as a larger one: previews that the file does not mark as such."""
        sizes = {index: (self._pages[index].imagewidth, self._pages[index].imagelength) for index in self._directories}
        for small, (width, height) in sizes.items():
            larger = (
                index
                for index, (w, h) in sizes.items()
                if width <= _SMALLER * w and h and w and abs(width * h - height * w) <= height * w * 0.02 + max(w, h)
            )
            copied = next((index for index in larger if self._shows_the_same(index, small)), None)
            if copied is not None:
                self._directories.remove(small)
                note = f"holds a smaller copy of itself as page {small + 1}; the larger one was read all the same."
                self._notes[copied] = (*self._notes.get(copied, ()), note)

    def _shows_the_same(self, *directories: int) -> bool:
        """Compare two pages by what they show; one that cannot be decoded is like none."""
        try:
            one, other = (Likeness.of(self._decoded(index).pixels) for index in directories)
        except Refusal:
            return False
        return one.is_like(other, scanned_again=False)

    def _check(self, page: Any) -> None:
        """Refuse a page that is too large, or part of which lies beyond the end of the file."""
        check_size(page.imagewidth, page.imagelength, self._max_megapixels)
        check_size(max(1, page.tilewidth), max(1, page.tilelength), self._max_megapixels)
        if page.samplesperpixel > _MAX_SAMPLES or page.imagedepth != 1:
            raise ValueError(f"it declares {page.samplesperpixel} channels in {page.imagedepth} layers")
        page.databytecounts = self._counts(page)
        offsets, counts = page.dataoffsets, page.databytecounts
        if len(offsets) != len(counts) or not offsets or not all(counts):  # tifffile would fill in black
            raise ValueError("a part of its pixels is missing")
        if max(map(sum, zip(offsets, counts, strict=True))) > self._file_bytes:
            raise ValueError("the file ends before its pixels do")

    def _counts(self, page: Any) -> tuple[int, ...]:
        """Return how many bytes each strip has; where the file says 0, as some writers do, they reach to what follows.

        A strip without a place is really missing.
        """
        offsets, counts = page.dataoffsets, page.databytecounts or (0,) * len(page.dataoffsets)
        if len(offsets) != len(counts) or all(counts) or not all(offsets):
            return counts
        starts = {offset for other in self._pages for offset in (*other.dataoffsets, other.offset)}
        follows = [min((at for at in starts if at > offset), default=self._file_bytes) for offset in offsets]
        return tuple(count or end - offset for count, end, offset in zip(counts, follows, offsets, strict=True))

    def _decode_with_pillow(self, directory: int) -> Arrays:
        """Decode a page, upright."""
        refuse_truncated()
        self._handle.seek(0)
        with quietly():
            image = Image.open(self._handle, formats=("TIFF",))
            image.seek(directory)
            image.load()  # turns the picture upright, too
        return to_arrays(image)


def _decode_old_jpeg(page: Any, handle: BinaryIO) -> tuple[Arrays, tuple[str, ...]]:
    """Decode a page of compression 6, not yet upright, and what to note."""
    data = as_jpeg(page, handle)
    with quietly():
        image = Image.open(io.BytesIO(data), formats=("JPEG",))
    if image.size != (page.imagewidth, page.imagelength):
        raise ValueError(f"its JPEG part has {image.width} × {image.height} pixels")
    return decode_jpeg(data, image)


def _decode(page: Any) -> Arrays:
    """Decode with tifffile: grey or RGB pixels and opacity as in `Picture`, not yet upright."""
    photometric, bits = int(page.photometric), page.bitspersample
    if page.dtype is None or page.dtype.kind not in "bu" or bits > 16:
        raise ValueError(f"its pixels are {page.dtype} numbers; save it with 8 or 16 bits a channel")
    values = page.asarray(maxworkers=1)
    if values.ndim == 3 and int(page.planarconfig) == 2:
        values = np.moveaxis(values, 0, -1)
    if photometric == _PALETTE and values.ndim == 2:
        palette = (page.colormap >> 8).astype(np.uint8)  # written as v * 256 or as v * 257: both give v
        return np.ascontiguousarray(np.moveaxis(palette[:, values.astype(np.uint16)], 0, -1)), None
    values = values[..., np.newaxis] if values.ndim == 2 else values
    n_colours = _N_COLOURS.get(photometric)
    if n_colours is None or values.ndim != 3 or values.shape[2] < n_colours:
        raise ValueError(f"its colours are stored in an unusual way, {page.photometric!r}; save it as RGB")
    colours = values[..., :n_colours]
    pixels = _mixed(eight_bit(colours, bits_in_use(colours, bits)), photometric)
    extra = [int(kind) for kind in page.extrasamples]
    alpha = next((values[..., n_colours + i] for i, kind in enumerate(extra) if kind in _ALPHA_SAMPLES), None)
    return (pixels, None) if alpha is None else on_white(pixels, eight_bit(alpha, bits_in_use(alpha, bits)))


def _mixed(colours: Pixels, photometric: int) -> Pixels:
    """Turn channels of shape (h, w, n) into grey (h, w) or RGB (h, w, 3)."""
    if photometric == _MIN_IS_WHITE:
        colours = 255 - colours
    elif photometric == _CMYK:
        colours = inks_to_rgb(colours)
    return np.ascontiguousarray(colours[..., 0] if colours.shape[2] == 1 else colours)


def _tag(page: Any, code: int, default: Any) -> Any:
    """Read a tag, or take a default where it is missing."""
    tag = page.tags.get(code)
    return default if tag is None else tag.value


def _dpi(page: Any) -> tuple[float, float] | None:
    """Read the resolution that the tags state, per inch."""
    per_inch = UNITS_PER_INCH.get(int(_tag(page, Tag.ResolutionUnit, 2)))
    rationals = [_tag(page, code, (0, 1)) for code in (Tag.XResolution, Tag.YResolution)]
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
        handle.seek(_unpack(handle, order + count_format) * entry_bytes, 1)
    if not seen:
        raise ValueError("it holds no page")
    return len(seen)


def _unpack(handle: BinaryIO, layout: str) -> int:
    """Read one number."""
    data = handle.read(struct.calcsize(layout))
    if len(data) < struct.calcsize(layout):
        raise ValueError("the file ends within its list of pages")
    return int(struct.unpack(layout, data)[0])
