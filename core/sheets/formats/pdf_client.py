"""The process that draws PDF files, `core.sheets.formats.pdf_worker`, seen from its parent."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from io import BufferedReader
from typing import Any

import numpy as np

from core.sheets.formats import pdf_worker
from core.sheets.formats.pdf_worker import LENGTH
from core.sheets.formats.picture import Picture
from core.sheets.formats.refusal import Refusal, check_size, damaged
from core.system.host import own_environment

INSTEAD = "Export its pages as pictures (TIFF or PNG) from a PDF viewer and open those, or scan the sheet again."
"""What to do about a file that cannot be drawn."""

_NOTES = {
    "crop box": ("hides a part behind its crop box; the whole page was read all the same.",),
    "page": ("has a picture that reaches beyond the page; the whole picture was read all the same.",),
    "far": ("has a picture far beyond the page, which was not read; the page itself was read all the same.",),
}

_LINE_BYTES = 10_000

_BLOCK_BYTES = 1 << 24


class BrokenDown(Exception):
    """The process has ended by itself, or says what it never should."""


class Drawing:
    """A process with a PDF file. One call at a time; `end` alone may be called meanwhile, and the call fails.

    Parameters
    ----------
    read : callable
        Returns bytes of the file, by place and number. What it raises, `n_pages` and `draw` raise.
    file_bytes : int
        Length of the file.
    max_megapixels : float
        Larger pages are refused, and pages that hold a larger picture.

    Attributes
    ----------
    megapixels : float
        Size of the page that is being drawn, or of the largest picture on it, as soon as it is known; 0 before.

    Raises
    ------
    Refusal
        If the process does not start.
    """

    def __init__(self, read: Callable[[int, int], bytes], file_bytes: int, max_megapixels: float) -> None:
        self._read, self._max_megapixels = read, max_megapixels
        self._n_pages: int | None = None
        self.megapixels = 0.0
        try:
            self._process = subprocess.Popen(
                [*drawing_command(), str(file_bytes), repr(max_megapixels)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=own_environment(),
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise Refusal(
                f"cannot be drawn: the process that draws PDF files does not start ({error.strerror or error}). "
                "Close other programs, and try again.",
                of_file=True,
            ) from error
        assert self._process.stdin is not None
        assert isinstance(self._process.stdout, BufferedReader)
        self._to, self._from = self._process.stdin, self._process.stdout

    def n_pages(self) -> int:
        """Count the pages, as soon as the file is open."""
        if self._n_pages is None:
            with _reliably():
                self._n_pages = int(self._answer(of_file=True)["pages"])
        return self._n_pages

    def draw(self, page: int) -> Picture | Refusal:
        """Draw a page.

        Parameters
        ----------
        page : int
            Counted from 0.

        Returns
        -------
        Picture or Refusal
            A refusal if the page is damaged or too large; others may be drawn all the same.

        Raises
        ------
        Refusal, BrokenDown
            If there is no going on. What is left of the process is to be ended.
        """
        self.n_pages()
        self.megapixels = 0.0
        with _reliably():
            self._give(b"%d" % page)
            answer = self._answer()
            if "damaged_page" in answer:
                return damaged(answer["damaged_page"])
            width, height = answer["size"]
            try:
                check_size(width, height, self._max_megapixels)
            except Refusal as refusal:
                return refusal
            pixels, dpi = np.empty((height, width, 3), np.uint8), float(answer["dpi"])
            if self._from.readinto(pixels.data.cast("B")) != pixels.nbytes:
                raise EOFError
            return Picture(pixels, None, (dpi, dpi), _NOTES.get(str(answer.get("hid")), ()))

    def end(self) -> str:
        """End the process, whatever it does; return how it ended, "SIGSEGV" or "code 1"."""
        self._process.kill()
        code = self._process.wait()
        for stream in (self._to, self._from):
            with suppress(OSError):  # what was still to be written is lost
                stream.close()
        with suppress(ValueError):
            return signal.Signals(-code).name
        return f"code {code}"

    def _answer(self, *, of_file: bool = False) -> dict[str, Any]:
        """Hand over what the process wants to read until it answers; raise what it says to be wrong."""
        refusal = partial(Refusal, of_file=of_file)
        while True:
            answer: dict[str, Any] = json.loads(self._from.readline(_LINE_BYTES))
            match answer:
                case {"read": [int(place), int(n)]}:
                    self._give(self._read(place, min(n, _BLOCK_BYTES)))
                case {"drawing": int(n)}:
                    self.megapixels = min(n / 1e6, self._max_megapixels)
                case {"locked": _}:
                    raise refusal("is protected by a password. Save a copy without password and open that.")
                case {"memory": _}:
                    raise refusal(f"takes more memory to draw than a scan needs, so it was stopped. {INSTEAD}")
                case {"damaged": why}:
                    raise damaged(why, of_file=of_file)
                case _:
                    return answer

    def _give(self, block: bytes) -> None:
        """Send a block."""
        self._to.write(LENGTH.pack(len(block)) + block)
        self._to.flush()


@contextmanager
def _reliably() -> Iterator[None]:
    """Take what goes wrong between two processes for a break-down of the other one."""
    try:
        yield
    except (EOFError, OSError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise BrokenDown from error


def drawing_command() -> list[str]:
    """Return the command that starts the process of `core.sheets.formats.pdf_worker`; its arguments follow."""
    if getattr(sys, "frozen", False):
        return [sys.executable, pdf_worker.COMMAND]
    return [sys.executable, "-P", pdf_worker.__file__]  # -P: the modules beside it are not Python's
