"""Some of the pages, as people write them: "3-7, 12"."""

import re
from collections.abc import Sequence
from itertools import pairwise

from core.errors import UsageError

_PART = re.compile(r"(\d+)(?:\s*[-–]\s*(\d+))?")


def read_pages(text: str, n_pages: int) -> tuple[int, ...] | None:
    """Read which pages are meant.

    Parameters
    ----------
    text : str
        Numbers from 1 and ranges of them, with commas between; empty for all pages.
    n_pages : int
        How many there are.

    Returns
    -------
    tuple of int or None
        Their indices from 0, in their order, each once; None for all.

    Raises
    ------
    UsageError
        If it is no such text, or there is no such page.

    Examples
    --------
    >>> read_pages("7, 2-4,3", 9)
    (1, 2, 3, 6)
    >>> read_pages("", 9) is None
    True
    """
    if not text.strip():
        return None
    pages: set[int] = set()
    for each in text.split(","):
        found = _PART.fullmatch(each.strip())
        if found is None:
            raise UsageError(f'"{text}" names no pages. Write numbers and ranges, as in 3-7, 12.')
        first, last = int(found[1]), int(found[2] or found[1])
        if not 1 <= first <= last <= n_pages:
            raise UsageError(f"There is no page {each.strip()}: pages go from 1 to {n_pages}.")
        pages.update(range(first - 1, last))
    return tuple(sorted(pages))


def described_pages(pages: Sequence[int]) -> str:
    """Write some pages as people do.

    Parameters
    ----------
    pages : sequence of int
        Indices from 0, rising.

    Returns
    -------
    str
        Numbers from 1.

    Examples
    --------
    >>> described_pages([1, 2, 3, 6])
    '2–4, 7'
    >>> described_pages([])
    'none'
    """
    starts = [pages[0], *(now for before, now in pairwise(pages) if now > before + 1)] if pages else []
    ends = [*(before for before, now in pairwise(pages) if now > before + 1), *pages[-1:]]
    parts = (
        f"{first + 1}" if first == last else f"{first + 1}–{last + 1}" for first, last in zip(starts, ends, strict=True)
    )
    return ", ".join(parts) or "none"
