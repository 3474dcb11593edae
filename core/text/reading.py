"""Pages of a case are read: which words stand on them, and which go across a cut."""

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from PIL import Image

from core.arrangement.arrangement import Pair
from core.arrangement.faces import numbered
from core.case.case import Case
from core.composition.backs import with_backs
from core.composition.page_image import carried
from core.composition.pages import compose, poses_of, without_seams
from core.parallel import map_in_order
from core.progress import Progress, no_progress
from core.shreds.shred import Box
from core.text import tesseract
from core.text.page_text import PageText, Word
from core.wording import QT_TRANSLATE_NOOP

READING = QT_TRANSLATE_NOOP("progress", "Reading the text of page {number} of {n}")

LEAST_CONFIDENCE = 0.9
"""At 0.8, real pages had 151 such words across 75 right joins and 12 across 72 wrong ones; at 0.9, 99 and 1."""

LEAST_LETTERS = 3
BEYOND_CUT_PX = 8
"""So far a word reaches beyond a cut on both sides: less is a serif, or a neighbour that touches its box."""


def read_page(
    case: Case,
    page: int,
    languages: str,
    go_on: Callable[[], object] = lambda: None,
    *,
    behind: PageText | None = None,
) -> PageText:
    """Read a page.

    Parameters
    ----------
    case : Case
        Whose page.
    page : int
        Its index.
    languages : str
        Those to expect, as Tesseract takes them: "deu+eng".
    go_on : callable
        Called ten times a second; raising from it ends the reading.
    behind : PageText, optional
        What was read on its back.

    Returns
    -------
    PageText
        As it is read on the reading page; boxes fit both renditions.

    Raises
    ------
    UsageError
        If Tesseract fails.
    """
    plain, poses, buffer = without_seams(case), poses_of(case, page), io.BytesIO()
    reading, evidence = (compose(plain, page, rendition, poses) for rendition in ("reading", "evidence"))
    Image.fromarray(reading.pixels).save(buffer, "ppm")
    words = tuple(
        replace(word, box_px=carried(word.box_px, reading, evidence), reading_box_px=word.box_px)
        for word in tesseract.read_words(buffer.getvalue(), languages, go_on)
    )
    text = PageText(words, words_across(words, case.arrangement.pages[page], reading.placements), behind)
    _ = text.searchable  # made here: for many pages at once it would make who types a word wait
    return text


def read_pages(
    case: Case, pages: Sequence[int], languages: str, progress: Progress = no_progress
) -> Iterator[tuple[int, PageText]]:
    """Read pages on all cores, each with its back.

    Parameters
    ----------
    case : Case
        Whose pages; where backs are pages of their own (`core.composition.backs.with_backs`), each is read by itself.
    pages : sequence of int
        Their indices.
    languages : str
        As `read_page` takes them.
    progress : Progress
        Called for each page, and ten times a second, also by other threads; raising from it ends all reading.

    Yields
    ------
    tuple of int and PageText
        In the order of `pages`.
    """
    told = 0.0, ""

    def report(fraction: float, text: str) -> None:
        nonlocal told
        told = fraction, text
        progress(fraction, text)

    both = with_backs(case)
    backs = {} if both is case else _backs(both)

    def go_on() -> None:
        progress(*told)

    def read(page: int) -> PageText:
        behind = read_page(both, backs[page], languages, go_on) if page in backs else None
        return read_page(case, page, languages, go_on, behind=behind)

    yield from zip(pages, map_in_order(read, pages, READING, report), strict=True)


def _backs(case: Case) -> dict[int, int]:
    """Return of each page that has a back its number among the fronts, and the index of its back."""
    numbers = numbered(case.arrangement)
    return {number - 1: page for page, (number, is_back) in enumerate(numbers) if is_back}


def words_across(
    words: Sequence[Word], shreds: Sequence[str], placements: Mapping[str, Box]
) -> dict[Pair, tuple[Word, ...]]:
    """Find the words that cross a cut and are a sign that the join is right: read surely, and no mere syllables.

    Parameters
    ----------
    words : sequence of Word
        Of a page.
    shreds : sequence of str
        Those of the page, from left to right.
    placements : mapping of str to tuple of int
        Where on the reading page each lies: x, y, width, height.

    Returns
    -------
    dict of (str, str) to tuple of Word
        By the left and the right shred; joins that no word crosses are left out.
    """
    telling = [word for word in words if _tells(word)]
    found = {}
    for pair in pairwise(shreds):
        crossing = tuple(
            word for word in telling if _crosses(word.on("reading"), *(placements[shred] for shred in pair))
        )
        if crossing:
            found[pair] = crossing
    return found


def _tells(word: Word) -> bool:
    return word.confidence >= LEAST_CONFIDENCE and sum(map(str.isalpha, word.text)) >= LEAST_LETTERS


def _crosses(word: Box, *neighbours: Box) -> bool:
    """Check whether a word begins on one of two neighbours and ends on the other."""
    x, y, width, height = word
    left, right = sorted(neighbours)  # on a page that stood on its head they have changed places
    ends_px, begins_px = left[0] + left[2], right[0]  # a wavy cut lies between the two
    first, last = min(ends_px, begins_px) - BEYOND_CUT_PX, max(ends_px, begins_px) + BEYOND_CUT_PX
    beside = all(top < y + height and y < top + tall for _, top, _, tall in (left, right))
    return beside and x <= first and x + width >= last
