"""PDF files of scans, drawn at the resolution of the scan inside by a process of their own, `pdf_worker`.

A page that would be drawn without end, or over which PDFium breaks down, is a sentence; the pages after it are read.
"""

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import BinaryIO, TypeVar

from core.parallel import wait_for
from core.progress import Progress, no_progress
from core.sheets.formats.pdf_client import INSTEAD, BrokenDown, Drawing
from core.sheets.formats.picture import Picture
from core.sheets.formats.refusal import Refusal, damaged

SECONDS, SECONDS_PER_MEGAPIXEL = 60.0, 1.0
"""How long a page may take to be drawn: five times as long as the slowest way of packing pixels, JPEG 2000, takes."""

MOST_GIVEN_UP = 3
"""Once so many pages of a file took their process along, the others are not tried."""

_TAIL_BYTES = 4096

Result = TypeVar("Result")


class PdfPages:
    """The pages of a PDF file.

    Parameters
    ----------
    handle : binary file
        At its beginning. The process is told what stands in it; it opens no file itself.
    max_megapixels : float
        Larger pages are refused, and pages that hold a larger picture.
    progress : Progress
        Called ten times a second while a page is drawn; raising from it stops that.
    """

    def __init__(self, handle: BinaryIO, max_megapixels: float, progress: Progress = no_progress) -> None:
        self._handle, self._max_megapixels, self._progress = handle, max_megapixels, progress
        self._file_bytes = handle.seek(0, os.SEEK_END)
        handle.seek(max(0, self._file_bytes - _TAIL_BYTES))
        if b"%%EOF" not in handle.read():  # PDFium would make do with what is left
            raise damaged("its end is missing")
        self._drawing: Drawing | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pdf")
        self._n_given_up = 0
        try:
            self.n_pages = self._wait_for(Drawing.n_pages)
            if not self.n_pages:
                raise Refusal("is a PDF file without pages. Scan or export it again.")
        except BaseException:
            self.close()
            raise

    def picture(self, page: int) -> Picture:
        """Draw a page; see `Pages.picture`."""
        if self._n_given_up >= MOST_GIVEN_UP:
            raise Refusal(f"was not tried, since {self._n_given_up} pages of the file could not be drawn. {INSTEAD}")
        outcome = self._wait_for(lambda drawing: drawing.draw(page))
        if isinstance(outcome, Refusal):
            raise outcome
        return outcome

    def close(self) -> None:
        """Release the document."""
        self._end()
        self._thread.shutdown()

    def _wait_for(self, work: Callable[[Drawing], Result]) -> Result:
        """Let a process work, but not for ever; after any failure it is ended, and the next page gets a new one."""
        if self._drawing is None:
            self._drawing = Drawing(self._read, self._file_bytes, self._max_megapixels)
        start, drawing = time.monotonic(), self._drawing

        def watch(fraction: float, text: str) -> None:
            limit_s = SECONDS + SECONDS_PER_MEGAPIXEL * drawing.megapixels
            if time.monotonic() - start > limit_s:
                raise Refusal(f"takes longer than {limit_s:.0f} s to draw, so it was stopped; no scan does. {INSTEAD}")
            self._progress(fraction, text)

        try:
            return wait_for(self._thread.submit(work, drawing), watch)
        except BaseException as error:
            self._n_given_up += 1
            ended = self._end()
            if isinstance(error, BrokenDown):
                raise Refusal(
                    f"cannot be drawn: PDFium, which draws PDF files, broke down over it ({ended}), or took more "
                    f"memory than a scan needs. {INSTEAD}"
                ) from error
            if isinstance(error, MemoryError):
                raise damaged(error) from error
            raise

    def _end(self) -> str:
        """End the process, if one runs; return how it ended."""
        drawing, self._drawing = self._drawing, None
        return "" if drawing is None else drawing.end()

    def _read(self, place: int, n: int) -> bytes:
        """Read from the file for the process."""
        try:
            self._handle.seek(place)
            return self._handle.read(n)
        except OSError as error:
            raise damaged(error.strerror or error, of_file=True) from error
