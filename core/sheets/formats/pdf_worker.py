"""The process in which PDFium draws the pages of a PDF file; `core.sheets.formats.pdf_client` starts, asks and ends it.

PDFium can be made to draw without end, to fill the memory, or to break down; alone in a process it takes nothing along.
The process opens no file, but asks its parent for the bytes it wants. It imports nothing but PDFium, so that it starts
quickly.

From the parent come blocks, each after its length in eight bytes: bytes that were asked for, or the number of a page.
To the parent go lines of JSON: ``{"read": [place, n]}`` asks for bytes; ``{"pages": n}`` says that the file is open;
``{"drawing": n}`` that a page of n pixels, or with a picture of n pixels on it, is begun; ``{"size": [width, height],
"dpi": dpi, "hid": what}`` has the page after it, rows of RGB; without ``dpi`` it is too large to be drawn, or a picture
on it is; ``what`` is "crop box" or "page" if that would have hidden a part, "far" if a picture is out of reach;
``{"damaged_page": why}`` that it cannot be drawn. The last words are ``{"locked": true}``, ``{"memory": true}`` or
``{"damaged": why}``.
"""

import io
import json
import math
import os
import re
import signal
import struct
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO

COMMAND = "--draw-pdf"
"""By which the bundle's executable knows that it is to be this process."""

LENGTH = struct.Struct("<q")

MEMORY_BYTES = 1 << 30
MEMORY_BYTES_PER_PIXEL = 40
"""What a page may take: so much, and so much for each pixel of the page or of the largest picture on it. The greediest
way of packing pixels, JPEG 2000, takes half of that."""

_POINTS_PER_INCH = 72
_DPI_WITHOUT_SCAN = 300.0
_DPI_BOUNDS = (30.0, 4800.0)
_PASSWORD_ERROR, _NO_ERROR = 4, 0  # FPDF_ERR_PASSWORD; FPDF_ERR_SUCCESS, which is told of a file without pages
_BUFFER_BYTES = 1 << 18
_MARGIN_PX = 0.02
_HAIR_POINTS = 2.0
_MOST_EMPTY = 3.0


class _Refused(Exception):
    """A page or a picture on it is too large; the arguments are width and height."""


class Parent:
    """Whoever started this process: sends the numbers of pages, takes lines and pixels."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source, self._sink = source, sink
        self._blocks: SimpleQueue[bytes] = SimpleQueue()
        threading.Thread(target=self._listen, name="parent", daemon=True).start()

    def tell(self, pixels: Any = b"", /, **line: Any) -> None:
        """Send a line, and pixels after it."""
        self._sink.write(json.dumps(line).encode() + b"\n")
        self._sink.write(pixels)
        self._sink.flush()

    def block(self) -> bytes:
        """Wait for the next block."""
        return self._blocks.get()

    def _listen(self) -> None:
        """Take blocks while PDFium works; when the parent has gone, for whatever reason, end in the midst of it."""
        while len(head := self._source.read(LENGTH.size)) == LENGTH.size:
            self._blocks.put(self._source.read(LENGTH.unpack(head)[0]))
        os._exit(0)


class _File(io.RawIOBase):
    """The PDF file, as the parent reads it."""

    def __init__(self, parent: Parent, file_bytes: int) -> None:
        self._parent, self._bytes, self._place = parent, file_bytes, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        self._place = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._place, os.SEEK_END: self._bytes}[whence]
        return self._place

    def readinto(self, buffer: Any, /) -> int:
        self._parent.tell(read=[self._place, len(buffer)])
        block = self._parent.block()
        buffer[: len(block)] = block
        self._place += len(block)
        return len(block)


def main() -> None:
    """Run as a process of its own; the last two arguments are the length of the file and the largest page."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the parent's affair
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints shall not get among the pixels
    draw_pages(Parent(os.fdopen(0, "rb"), sink), int(sys.argv[-2]), float(sys.argv[-1]))


def draw_pages(parent: Parent, file_bytes: int, max_megapixels: float) -> None:
    """Draw the pages that the parent names, until it goes away or more than a page is wrong.

    Parameters
    ----------
    parent : Parent
        Names the pages and takes them.
    file_bytes : int
        Length of the file.
    max_megapixels : float
        Larger pages are refused, and pages that hold a larger picture.
    """
    memory = Memory()
    from pypdfium2 import PdfDocument, PdfiumError

    def begins(n_largest: int, n_all: int) -> None:
        parent.tell(drawing=n_largest)
        memory.allow(n_largest, min(n_all, int(max_megapixels * 1e6)))

    try:
        pdf = PdfDocument(io.BufferedReader(_File(parent, file_bytes), _BUFFER_BYTES))
        parent.tell(pages=len(pdf))
        while True:
            index = int(parent.block())
            try:
                bitmap, dpi, hid = draw(pdf, index, max_megapixels, begins)
            except _Refused as refused:
                parent.tell(size=refused.args)
            except MemoryError:
                raise
            except Exception as error:  # ctypes and PDFium each raise their own kind
                parent.tell(damaged_page=str(error) or type(error).__name__)
            else:
                memory.check()
                parent.tell(bitmap.buffer, size=[bitmap.width, bitmap.height], dpi=dpi, hid=hid)
                del bitmap  # not held while the next one is drawn
    except MemoryError:
        parent.tell(memory=True)
    except PdfiumError as error:
        if error.err_code == _PASSWORD_ERROR:
            parent.tell(locked=True)
        elif error.err_code == _NO_ERROR:
            parent.tell(pages=0)
        else:
            parent.tell(damaged=str(error))


class Memory:
    """How much memory this process may take; on Linux alone the system can hold it to that.

    Where memory is refused to it, PDFium now and then leaves out a picture and says nothing. Hence the system allows
    twice as much as a page may take, more than PDFium ever asks for at once; and a page that took more is refused.
    """

    def __init__(self) -> None:
        self._most_bytes = 0
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")  # where the memory is full, take this process first
        self.allow(0, 0)

    def allow(self, n_pixels: int, n_cached: int) -> None:
        """Allow what a page needs.

        Parameters
        ----------
        n_pixels : int
            Of the page, or of the largest picture on it.
        n_cached : int
            Of all pictures, which PDFium keeps unpacked.
        """
        if sys.platform == "linux":
            import resource

            wanted = MEMORY_BYTES + MEMORY_BYTES_PER_PIXEL * n_pixels + 4 * n_cached
            _, hard = resource.getrlimit(resource.RLIMIT_AS)
            limit = 2 * max(wanted, self._most_bytes)  # the peak of an earlier page is not forgotten
            limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
            self._most_bytes = limit // 2

    def check(self) -> None:
        """Raise `MemoryError` if more was taken than is allowed, whether or not it was refused."""
        if sys.platform == "linux":
            peak = re.search(r"^VmPeak:\s*(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
            if peak is None or int(peak[1]) * 1024 > self._most_bytes:
                raise MemoryError


def draw(pdf: Any, index: int, max_megapixels: float, begins: Callable[[int, int], None]) -> tuple[Any, float, str]:
    """Draw a page, with what its crop box hides and what of its pictures lies beyond it.

    Parameters
    ----------
    pdf : pypdfium2.PdfDocument
        The file.
    index : int
        Number of the page, from 0.
    max_megapixels : float
        What is larger, page or picture, is refused before any of it is unpacked.
    begins : callable
        Called before anything is unpacked, with the number of pixels of the page or of the largest picture on it, and
        with that of all pictures.

    Returns
    -------
    bitmap : pypdfium2.PdfBitmap
        RGB, without bytes between the rows.
    dpi : float
        Its resolution: that of the scan on the page.
    hid : {"", "crop box", "page", "far"}
        What would have hidden a part of it; "far" if a picture lies so far out that it was left out.
    """
    from pypdfium2 import PdfBitmap, raw

    with closing(pdf[index]) as page:
        images = list(page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE]))
        sizes = [image.get_px_size() for image in images]
        hid = _uncover(page, images, max_megapixels)
        dpi = _scan_dpi(images, math.prod(page.get_size())) or _DPI_WITHOUT_SCAN
        # Rounded, not rounded up as pypdfium2 does, so that the scan's pixels fall on those of the page.
        width, height = (max(1, round(points * dpi / _POINTS_PER_INCH)) for points in page.get_size())
        for size in (*sizes, (width, height)):
            if min(size) < 1 or math.prod(size) / 1e6 > max_megapixels:
                raise _Refused(*size)
        n_pixels = [math.prod(size) for size in sizes]
        begins(max([*n_pixels, width * height]), sum(n_pixels))
        for image in images:
            _shrink(image, _MARGIN_PX * _POINTS_PER_INCH / dpi)
        bitmap = PdfBitmap.new_native(width, height, raw.FPDFBitmap_BGR, rev_byteorder=True)
        with closing(bitmap):  # which leaves the pixels
            bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
            flags = raw.FPDF_ANNOT | raw.FPDF_REVERSE_BYTE_ORDER
            raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
        return bitmap, dpi, hid


def _uncover(page: Any, images: Iterable[Any], max_megapixels: float) -> str:
    """Widen a page so that nothing of a scan is hidden; return what hid it; see `draw`."""
    whole, shown = page.get_mediabox(), page.get_cropbox()
    hid = "crop box" if _reaches_beyond(whole, shown) else ""
    bounds = [image.get_bounds() for image in images if image.level == 0]
    outside = [box for box in bounds if _reaches_beyond(box, whole)]
    if outside:
        left, bottom, right, top = zip(whole, *outside, strict=True)
        wider = min(left), min(bottom), max(right), max(top)
        dpi = _scan_dpi(images, math.prod(page.get_size())) or _DPI_WITHOUT_SCAN
        fits = _area(wider) * (dpi / _POINTS_PER_INCH) ** 2 <= max_megapixels * 1e6
        if fits and _area(wider) <= _MOST_EMPTY * (_area(whole) + sum(map(_area, outside))):
            page.set_mediabox(*wider)
            whole, hid = wider, "page"
        else:
            hid = "far"
    if hid:
        page.set_cropbox(*whole)
    return hid


def _area(box: Sequence[float]) -> float:
    """Compute the area of a box: left, bottom, right, top."""
    return (box[2] - box[0]) * (box[3] - box[1])


def _reaches_beyond(box: Sequence[float], other: Sequence[float]) -> bool:
    """Check whether a box, left, bottom, right, top, reaches out of another by more than a hair."""
    beyond = other[0] - box[0], other[1] - box[1], box[2] - other[2], box[3] - other[3]
    return max(beyond) > _HAIR_POINTS


def _scan_dpi(images: Iterable[Any], page_area: float) -> float | None:
    """Find the resolution of the pictures that cover most of a page, the finer where two layers cover it alike."""
    share: dict[int, float] = defaultdict(float)
    exact: dict[int, float] = {}
    for image in images:
        width_px, height_px = image.get_px_size()
        a, b, c, d, _, _ = image.get_matrix().get()
        width, height = math.hypot(a, b), math.hypot(c, d)
        if not width or not height:
            continue
        dpi = max(width_px / width, height_px / height) * _POINTS_PER_INCH
        if _DPI_BOUNDS[0] <= dpi <= _DPI_BOUNDS[1]:
            share[round(dpi)] += width * height / page_area
            exact[round(dpi)] = dpi
    best = max(share, key=lambda dpi: (round(share[dpi], 1), dpi), default=None)
    return None if best is None else exact[best]


def _shrink(image: Any, margin: float) -> None:
    """Draw a picture inside its edges by a hair.

    PDFium stretches a picture over all pixels it touches. With its edges on the pixel grid, rounding decides whether
    that is one column too many, and every pixel is blurred; a hair inside, each pixel is copied.
    """
    from pypdfium2 import PdfMatrix

    left, bottom, right, top = image.get_bounds()
    if right - left > 2 * margin and top - bottom > 2 * margin:
        x, y = 1 - 2 * margin / (right - left), 1 - 2 * margin / (top - bottom)
        shift_x, shift_y = (1 - x) * (left + right) / 2, (1 - y) * (bottom + top) / 2
        image.transform(PdfMatrix(x, 0, 0, y, shift_x, shift_y))


if __name__ == "__main__":
    main()
