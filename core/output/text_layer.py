"""What is written on a page, as Tesseract reads it, so that a PDF can be searched. The page itself stays as it is."""

import csv
import os
import shutil
import subprocess
from dataclasses import dataclass

from core.errors import UsageError

TESSERACT = "tesseract"
NOT_INSTALLED = "Tesseract is not installed on this machine, so the pages have no searchable text."

_WORD_LEVEL = "5"


@dataclass(frozen=True)
class Word:
    """A word and where it stands: x, y, width, height in pixels of the page."""

    text: str
    box_px: tuple[int, int, int, int]


def installed() -> bool:
    """Check whether Tesseract is there."""
    return shutil.which(TESSERACT) is not None


def version() -> str:
    """Return which Tesseract it is: "tesseract 5.3.0"."""
    printed = subprocess.run([TESSERACT, "--version"], capture_output=True, text=True, check=False)
    return (printed.stdout or printed.stderr).partition("\n")[0].strip()


def languages() -> tuple[str, ...]:
    """List the languages that Tesseract knows here, by its names for them."""
    listed = subprocess.run([TESSERACT, "--list-langs"], capture_output=True, text=True, check=False)
    return tuple(line.strip() for line in listed.stdout.splitlines()[1:] if line.strip() not in ("", "osd"))


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


def read_words(image: bytes, wanted: str) -> tuple[Word, ...]:
    """Read a page.

    Parameters
    ----------
    image : bytes
        PNG or JPEG.
    wanted : str
        The languages to expect, as `check_languages` takes them.

    Returns
    -------
    tuple of Word
        In reading order; empty where nothing was read.

    Raises
    ------
    UsageError
        If Tesseract fails.
    """
    done = subprocess.run(
        [TESSERACT, "stdin", "stdout", "-l", wanted, "--dpi", "300", "tsv"],
        input=image,
        capture_output=True,
        check=False,
        env={**os.environ, "OMP_THREAD_LIMIT": "1"},  # pages are read side by side already
    )
    if done.returncode:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["no reason given"]
        raise UsageError(f"Tesseract could not read a page: {last[0]}. Write the report without searchable text.")
    return _words(done.stdout.decode("utf-8", errors="replace"))


def _words(table: str) -> tuple[Word, ...]:
    """Read the words of Tesseract's table."""
    rows = csv.DictReader(table.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return tuple(
        Word(row["text"].strip(), (int(row["left"]), int(row["top"]), int(row["width"]), int(row["height"])))
        for row in rows
        if row["level"] == _WORD_LEVEL and (row["text"] or "").strip()
    )
