"""The text of a page: words with their places, lines, and what a search looks through."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from core.arrangement.arrangement import Pair
from core.shreds.shred import Box

if TYPE_CHECKING:
    from core.composition.page_image import Rendition  # brings OpenCV along

HYPHENS = ("-", "\u00ad", "\u2010", "\u2011")


@dataclass(frozen=True)
class Word:
    """A word and where it stands.

    Attributes
    ----------
    text : str
        As it was read.
    box_px : tuple of int
        x, y, width, height in pixels of the evidence page.
    confidence : float
        How sure Tesseract is of it, 0 to 1.
    line : tuple of int
        Numbers of its block, its paragraph there, and its line there.
    reading_box_px : tuple of int or None
        Its place on the reading page; None where that is not known.
    """

    text: str
    box_px: Box
    confidence: float = 1.0
    line: tuple[int, int, int] = (1, 1, 1)
    reading_box_px: Box | None = None

    def on(self, rendition: Rendition) -> Box:
        """Return its place on a rendition of its page."""
        return self.box_px if rendition == "evidence" or self.reading_box_px is None else self.reading_box_px


@dataclass(frozen=True, eq=False)
class PageText:
    """What was read on a page.

    Attributes
    ----------
    words : tuple of Word
        In reading order.
    across : mapping of (str, str) to tuple of Word
        For each join of the page, by its left and its right shred, the words that cross its cut and are a sign that it
        is right; joins without any are left out.
    behind : PageText or None
        What was read on its back, where there is one.
    """

    words: tuple[Word, ...] = ()
    across: Mapping[Pair, tuple[Word, ...]] = field(default_factory=dict)
    behind: PageText | None = None

    @cached_property
    def lines(self) -> tuple[tuple[Word, ...], ...]:
        """The words line by line."""
        return tuple(tuple(words) for _, words in groupby(self.words, lambda word: word.line))

    @property
    def text(self) -> str:
        """The text as lines, with an empty one between paragraphs; "" where nothing was read."""
        paragraphs = groupby(self.lines, lambda line: line[0].line[:2])
        return "\n\n".join("\n".join(map(_written, lines)) for _, lines in paragraphs)

    def line_of(self, word: Word) -> str:
        """Return the text of the line in which a word stands."""
        return next(_written(line) for line in self.lines if word in line)

    @cached_property
    def searchable(self) -> tuple[str, tuple[int, ...]]:
        """The words folded to one text, and for each of its letters to which word it belongs.

        Words stand a space apart, but for those that a hyphen carries over to the next line; a paragraph ends with a
        line break, so that no phrase goes on beyond it.
        """
        pieces, owners = [], []
        for number, word in enumerate(self.words):
            after = self.words[number + 1] if number + 1 < len(self.words) else None
            folded = fold(word.text)
            if after is None or after.line[:2] != word.line[:2]:
                folded += "\n"
            elif after.line == word.line or not word.text.endswith(HYPHENS):
                folded += " "
            pieces.append(folded)
            owners += [number] * len(folded)
        return "".join(pieces), tuple(owners)


def _written(line: tuple[Word, ...]) -> str:
    return " ".join(word.text for word in line)


def fold(text: str) -> str:
    """Return a text as it is compared: without accents, hyphens, ligatures, and the difference of large and small.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str

    Examples
    --------
    >>> fold("Œuvre ﬁnal, Zürich-STRASSE, Straße")
    'œuvre final, zurichstrasse, strasse'
    """
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(letter for letter in plain if letter not in HYPHENS and not unicodedata.combining(letter))
