"""Tesseract, a program of its own that reads print, where it is installed: its version, its languages, its words."""

import csv
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Collection

from core.errors import UsageError
from core.text.page_text import Word

TESSERACT = "tesseract"
NOT_INSTALLED = "Tesseract is not installed on this machine, so the pages have no searchable text."
DEFAULT_LANGUAGE = "eng"

_PLACES = ("/opt/homebrew/bin", "/usr/local/bin", r"C:\Program Files\Tesseract-OCR")
"""Where installers put it that do not tell a window started from a menu."""

_WORD_LEVEL = "5"
_POLL_S = 0.1


def installed() -> bool:
    """Check whether Tesseract is there."""
    return _program() is not None


def _program() -> str | None:
    return shutil.which(TESSERACT) or shutil.which(TESSERACT, path=os.pathsep.join(_PLACES))


def version() -> str:
    """Return which Tesseract it is: "tesseract 5.3.0"."""
    return _answer("--version").partition("\n")[0].strip()


def languages() -> tuple[str, ...]:
    """Find the languages that Tesseract knows here, by its names for them; none where it is not installed."""
    lines = _answer("--list-langs").splitlines()[1:] if installed() else []
    return tuple(line.strip() for line in lines if line.strip() not in ("", "osd"))


def _answer(question: str) -> str:
    """Return what Tesseract says of itself; older ones say it on standard error."""
    told = subprocess.run([_program() or TESSERACT, question], capture_output=True, text=True, check=False)
    return told.stdout or told.stderr


def usable(wanted: str, available: Collection[str]) -> str:
    """Return the languages to read in: those wanted that are there, else English, else the first.

    Parameters
    ----------
    wanted : str
        As Tesseract takes them: "eng", or "deu+eng".
    available : collection of str
        Those that it knows here.

    Returns
    -------
    str
        As it takes them; "" if none is available.

    Examples
    --------
    >>> usable("deu+eng", ("eng", "fra")), usable("", ("deu", "eng")), usable("eng", ("deu",))
    ('eng', 'eng', 'deu')
    """
    there = [language for language in wanted.split("+") if language in available]
    fallback = DEFAULT_LANGUAGE if DEFAULT_LANGUAGE in available else next(iter(available), "")
    return "+".join(there) or fallback


def check_languages(wanted: str) -> None:
    """Check that Tesseract knows the languages wanted.

    Parameters
    ----------
    wanted : str
        As it takes them: "eng", or "deu+eng".

    Raises
    ------
    UsageError
        If it lacks one.
    """
    available = languages()
    for language in wanted.split("+"):
        if language not in available:
            raise UsageError(
                f'Tesseract has no data for the language "{language}" here; it has {", ".join(available) or "none"}. '
                f"Install it (on Debian: tesseract-ocr-{language}), or choose another."
            )


def read_words(image: bytes, wanted: str, go_on: Callable[[], object] = lambda: None) -> tuple[Word, ...]:
    """Read a page.

    Parameters
    ----------
    image : bytes
        PNG, JPEG or PPM.
    wanted : str
        The languages to expect, as `check_languages` takes them.
    go_on : callable
        Called ten times a second; raising from it ends Tesseract.

    Returns
    -------
    tuple of Word
        In reading order; empty where nothing was read.

    Raises
    ------
    UsageError
        If Tesseract fails.
    """
    command = [_program() or TESSERACT, "stdin", "stdout", "-l", wanted, "--dpi", "300", "tsv"]
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}  # pages are read side by side already
    with tempfile.TemporaryFile() as file:  # a pipe that is full would make waiting in turns impossible
        file.write(image)
        file.seek(0)
        with subprocess.Popen(
            command, stdin=file, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        ) as process:
            try:
                table, complaints = _said_by(process, go_on)
            except BaseException:
                process.kill()
                raise
    if process.returncode:
        last = complaints.decode(errors="replace").strip().splitlines()[-1:] or ["no reason given"]
        raise UsageError(f"Tesseract could not read a page: {last[0]}. Try another language, or go on without text.")
    return _words(table.decode("utf-8", errors="replace"))


def _said_by(process: "subprocess.Popen[bytes]", go_on: Callable[[], object]) -> tuple[bytes, bytes]:
    """Wait for all that a process says."""
    while True:
        go_on()
        try:
            return process.communicate(timeout=_POLL_S)
        except subprocess.TimeoutExpired:
            continue


def _words(table: str) -> tuple[Word, ...]:
    """Read the words of Tesseract's table."""
    rows = csv.DictReader(table.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return tuple(
        Word(
            row["text"].strip(),
            (int(row["left"]), int(row["top"]), int(row["width"]), int(row["height"])),
            float(row["conf"]) / 100,
            (int(row["block_num"]), int(row["par_num"]), int(row["line_num"])),
        )
        for row in rows
        if row["level"] == _WORD_LEVEL and (row["text"] or "").strip()
    )
