"""The arrangement: which shred stands where, and what the examiner said of it."""

from dataclasses import dataclass, field
from itertools import pairwise

Pair = tuple[str, str]
"""Identifiers of a shred and of the one directly to its right."""


@dataclass(frozen=True)
class Arrangement:
    """Order, page breaks, shifts, confirmed and forbidden joins.

    Attributes
    ----------
    pages : tuple of tuple of str
        Shred identifiers from left to right, page by page.
    set_aside : tuple of str
        Shreds without a place: blank ones, and those the examiner put there.
    shift_px : dict of str to int
        By how much a shred lies lower than its left neighbour does, both taken in the common frame; 0 where absent.
        Belongs to the pair: a shred that is first on its page has none.
    confirmed, forbidden : frozenset of Pair
        What the examiner said of joins.
    """

    pages: tuple[tuple[str, ...], ...] = ()
    set_aside: tuple[str, ...] = ()
    shift_px: dict[str, int] = field(default_factory=dict)
    confirmed: frozenset[Pair] = frozenset()
    forbidden: frozenset[Pair] = frozenset()

    def __post_init__(self) -> None:
        placed = [shred for page in self.pages for shred in page] + list(self.set_aside)
        if len(placed) != len(set(placed)):
            twice = sorted({shred for shred in placed if placed.count(shred) > 1})
            raise ValueError(f"A shred can stand in one place only; twice: {', '.join(twice)}.")

    def joins(self) -> list[Pair]:
        """List adjacent pairs, page by page, from left to right."""
        return [pair for page in self.pages for pair in pairwise(page)]

    def offsets_px(self, page: int) -> dict[str, int]:
        """Give the vertical offset of every shred of a page against the page's first shred, in pixels, downwards.

        It is the running sum of the shifts; positions in the common frame (`Shred.frame_top_px`) come on top.
        """
        offsets: dict[str, int] = {}
        total = 0
        for index, shred in enumerate(self.pages[page]):
            total += self.shift_px.get(shred, 0) if index else 0
            offsets[shred] = total
        return offsets
