"""Words are looked for on several pages, however they are written: large, small, accented, or carried over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.shreds.shred import Box
from core.text.page_text import PageText, Word, fold

if TYPE_CHECKING:
    from core.composition.page_image import Rendition  # brings OpenCV along


@dataclass(frozen=True)
class Hit:
    """A place where the words that were looked for stand.

    Attributes
    ----------
    page : int
        Index of the page.
    words : tuple of Word
        Those in which what was looked for stands, as a whole or in part.
    behind : bool
        Whether it stands on the back of the page.
    """

    page: int
    words: tuple[Word, ...]
    behind: bool = False

    def boxes_px(self, rendition: Rendition) -> tuple[Box, ...]:
        """List where the words stand: x, y, width, height in pixels of a rendition of the page."""
        return tuple(word.on(rendition) for word in self.words)


def find(pages: Sequence[PageText | None], wanted: str) -> tuple[Hit, ...]:
    """Find words or parts of words on pages.

    Parameters
    ----------
    pages : sequence of PageText or None
        What was read on each page; None where nothing has been read yet.
    wanted : str
        One or more words that stand one behind the other in one paragraph.

    Returns
    -------
    tuple of Hit
        Page by page in reading order, what is on a back behind its front; empty if nothing is wanted.
    """
    phrase = " ".join(fold(wanted).split())
    if not phrase:
        return ()
    return tuple(
        Hit(page, words, behind)
        for page, text in enumerate(pages)
        for behind, face in ((False, text), (True, text and text.behind))
        if face is not None
        for words in _found_on(face, phrase)
    )


def _found_on(text: PageText, phrase: str) -> list[tuple[Word, ...]]:
    searchable, owners = text.searchable
    found, start = [], searchable.find(phrase)
    while start >= 0:
        stop = start + len(phrase)
        found.append(text.words[owners[start] : owners[stop - 1] + 1])
        start = searchable.find(phrase, stop)
    return found
