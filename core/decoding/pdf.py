"""PDF files of scans, rendered at the resolution of the scan inside."""

import math
import threading
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, BinaryIO

import numpy as np

from core.decoding.picture import Picture, check_size, damaged
from core.errors import UnreadableInputError

_PDFIUM = threading.Lock()  # PDFium is not made for threads: one call at a time in the whole process

_POINTS_PER_INCH = 72
_DPI_WITHOUT_SCAN = 300.0
_DPI_BOUNDS = (30.0, 4800.0)
_PASSWORD_ERROR = 4  # FPDF_ERR_PASSWORD
_TAIL_BYTES = 4096
_MARGIN_PX = 0.02


class PdfPages:
    """The pages of a PDF file.

    Parameters
    ----------
    handle : binary file
        At its beginning.
    name : str
        What messages call the file.
    max_megapixels : float
        Larger pages are refused, and pages that hold a larger picture.
    """

    def __init__(self, handle: BinaryIO, name: str, max_megapixels: float) -> None:
        import pypdfium2

        self._name, self._max_megapixels = name, max_megapixels
        file_bytes = handle.seek(0, 2)
        handle.seek(max(0, file_bytes - _TAIL_BYTES))
        if b"%%EOF" not in handle.read():  # PDFium would make do with what is left
            raise damaged(name, "its end is missing")
        handle.seek(0)
        try:
            with _PDFIUM:
                self._pdf = pypdfium2.PdfDocument(handle)
                self.n_pages = len(self._pdf)
        except pypdfium2.PdfiumError as error:
            if error.err_code == _PASSWORD_ERROR:
                raise UnreadableInputError(
                    f"{name} is protected by a password. Save a copy without password and open that."
                ) from error
            raise damaged(name, error) from error
        if not self.n_pages:
            raise UnreadableInputError(f"{name} is a PDF file without pages. Scan or export it again.")

    def picture(self, page: int) -> Picture:
        """Render a page; see `Document.picture`."""
        name = self._name if self.n_pages == 1 else f"{self._name}, page {page + 1},"
        try:
            with _PDFIUM:
                return self._render(page, name)
        except UnreadableInputError:
            raise
        except Exception as error:  # ctypes, numpy and PDFium each raise their own kind
            raise damaged(name, error) from error

    def close(self) -> None:
        """Release the document."""
        with _PDFIUM:
            self._pdf.close()

    def _render(self, index: int, name: str) -> Picture:
        from pypdfium2 import PdfBitmap, raw

        page = self._pdf[index]
        try:
            images = list(page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE]))
            for image in images:
                width, height = image.get_px_size()
                check_size(width, height, name, self._max_megapixels)
            dpi = _scan_dpi(images, math.prod(page.get_size())) or _DPI_WITHOUT_SCAN
            for image in images:
                _shrink(image, _MARGIN_PX * _POINTS_PER_INCH / dpi)
            # Rounded, not rounded up as pypdfium2 does, so that the scan's pixels fall on those of the page.
            width, height = (max(1, round(points * dpi / _POINTS_PER_INCH)) for points in page.get_size())
            check_size(width, height, name, self._max_megapixels)
            bitmap = PdfBitmap.new_native(width, height, raw.FPDFBitmap_BGR, rev_byteorder=True)
            try:
                bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
                flags = raw.FPDF_ANNOT | raw.FPDF_REVERSE_BYTE_ORDER
                raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
                return Picture(np.array(bitmap.to_numpy()), None, (dpi, dpi))
            finally:
                bitmap.close()
        finally:
            page.close()


def _scan_dpi(images: Iterable[Any], page_area: float) -> float | None:
    """Resolution of the pictures that cover most of a page, the finer where two layers cover it alike."""
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
