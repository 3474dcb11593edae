"""The arrangement: which shred stands where, and what the examiner decided about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import accumulate, chain, pairwise
from typing import Any, Literal, TypeAlias

from core.shreds.shred import Shred, Side, turned
from core.system.json_values import canonical

Pair: TypeAlias = tuple[str, str]
"""Identifiers of a shred and of the one directly to its right."""

MARGIN = ""
"""Stands for a page's margin in place of a shred, see `Arrangement.held`."""

JoinState: TypeAlias = Literal["suggested", "confirmed", "forbidden"]

PageState: TypeAlias = Literal["new", "reviewed", "done"]
"""How far the examiner is with a page."""

PAGE_STATES: tuple[PageState, ...] = ("new", "reviewed", "done")

PAGE_MARKS = ("page_names", "page_documents", "page_states", "page_slopes", "grid_places")
"""The fields of an `Arrangement` that hold what the examiner said of pages."""

SAID_BELOW = ("confirmed_below", "forbidden_below", "held_below")
"""The fields that hold what the examiner said of pieces below each other."""

OtherFace: TypeAlias = tuple[str, bool, int, float]
"""Another shred, whether it is to be half-turned when paper is turned over, by how many pixels it is lower then, and
how sure it is that it is the other face: see `core.arrangement.faces.FacePair`."""


GridPlace: TypeAlias = tuple[int, int, int]
"""Where a row of cross-cut paper stands: on which page, in which row from the top, both counted from 0, and by how many
pixels it begins right of that page's left edge."""


def margin(shred: str, side: Side) -> Pair:
    """Return what `Arrangement.held` holds of the margin of a page.

    Parameters
    ----------
    shred : str
        The last one of the page, or the first one.
    side : {"right", "left"}
        Where its margin is.

    Returns
    -------
    Pair
        With `MARGIN` in place of a shred.
    """
    return (MARGIN, shred) if side == "left" else (shred, MARGIN)


@dataclass(frozen=True)
class Arrangement:
    """Order, page breaks, shifts, turns, confirmed and forbidden joins.

    It is never changed, only replaced; see `core.arrangement.edits`.

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
        Joins that the examiner decided about.
    held, parted : frozenset of Pair
        Joins that the examiner made, or undid, by moving shreds, splitting and merging pages before the order was found
        again: it keeps to them, unless a later decision contradicts them. In `held` a pair with `MARGIN` in place
        of a shred stands for the margin of a page: the page begins, or ends, with the other one.
    half_turned : frozenset of str
        Shreds that stand upside down, against how they were found.
    turned_by_hand : frozenset of str
        Shreds that the examiner half-turned, once or more: they keep their way up.
    turned_deg : dict of str to float
        By how much the examiner turned a shred against how it was found, in degrees, counter-clockwise positive as the
        eye sees it; 0 where absent.
    page_turns : dict of str to int
        By how many quarter turns counter-clockwise the examiner turned the page a shred stands on, 0 to 3: under the
        shred that was the first of the page then, and of two such on one page the left one counts. Where a page has
        none, its print tells.
    notes : dict of str to str
        What the examiner wrote: under "" of the case, under a shred's identifier of that shred, under "left|right" of a
        join, under "shred@left,top,width,height" of a place in the shred's own picture, in pixels.
    details : dict of str to str
        What the case is called where it is worked on, by the names of the fields of
        `core.arrangement.details.CaseDetails`.
    page_names, page_documents : dict of str to str
        What the examiner called a page, and the document it belongs to: under the first shred of the page. Edits carry
        them to the page on which most of its shreds stand then.
    page_states : dict of str to (str, str)
        How far the examiner is with a page that is no longer new, and its `content` when that was said: under its first
        shred, as its name.
    page_slopes : dict of str to float
        By how many degrees counter-clockwise the examiner turned a page, besides what levels it by its print, under
        its first shred.
    grid_places : dict of str to GridPlace
        Of cross-cut paper each of `pages` is a row: where it stands, under its first shred. Rows without one are pages
        by themselves, as those of strips are.
    pages_ordered : bool
        Whether the examiner put the pages in their order: solving again keeps to it.
    freed : frozenset of Pair
        Joins that the examiner made by moving shreds since the order was found, and released: finding it again need not
        keep to them, nor part what they displaced.
    pinned : frozenset of str
        Shreds that stay on the page on which they stand, whatever their neighbours, when the order is found again.
    confirmed_below, forbidden_below : frozenset of Pair
        Of cross-cut paper, pieces of which the examiner said that the second stands directly below the first, or not.
    held_below : frozenset of Pair
        The same of pieces of rows that the examiner put below each other, as `held`; with `MARGIN` in place of a piece
        its row is the first or the last one of its page.
    other_faces : dict of str to OtherFace
        What is on the other face of a shred, as far as it was scanned, under both of the two. The one that stands on a
        page or is set aside is seen; the other stands nowhere.
    paired_by_hand : frozenset of str
        Shreds of which the examiner said what their other face is, or that it is not what was found.
    """

    pages: tuple[tuple[str, ...], ...] = ()
    set_aside: tuple[str, ...] = ()
    shift_px: dict[str, int] = field(default_factory=dict)
    confirmed: frozenset[Pair] = frozenset()
    forbidden: frozenset[Pair] = frozenset()
    held: frozenset[Pair] = frozenset()
    parted: frozenset[Pair] = frozenset()
    half_turned: frozenset[str] = frozenset()
    turned_by_hand: frozenset[str] = frozenset()
    turned_deg: dict[str, float] = field(default_factory=dict)
    page_turns: dict[str, int] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    details: dict[str, str] = field(default_factory=dict)
    page_names: dict[str, str] = field(default_factory=dict)
    page_documents: dict[str, str] = field(default_factory=dict)
    page_states: dict[str, tuple[str, str]] = field(default_factory=dict)
    page_slopes: dict[str, float] = field(default_factory=dict)
    grid_places: dict[str, GridPlace] = field(default_factory=dict)
    pages_ordered: bool = False
    freed: frozenset[Pair] = frozenset()
    pinned: frozenset[str] = frozenset()
    confirmed_below: frozenset[Pair] = frozenset()
    forbidden_below: frozenset[Pair] = frozenset()
    held_below: frozenset[Pair] = frozenset()
    other_faces: dict[str, OtherFace] = field(default_factory=dict)
    paired_by_hand: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if len(self.order) != len(self.places):
            twice = sorted({shred for shred in self.order if self.order.count(shred) > 1})
            raise ValueError(f"A shred can stand in one place only; twice: {', '.join(twice)}.")

    @cached_property
    def order(self) -> tuple[str, ...]:
        """All shreds in reading order: page by page, then what is set aside."""
        return (*chain.from_iterable(self.pages), *self.set_aside)

    @cached_property
    def places(self) -> Mapping[str, tuple[int, int]]:
        """The page of every shred, and how many stand left of it there; set aside counts as a page behind the last."""
        rows = enumerate((*self.pages, self.set_aside))
        return dict(chain.from_iterable(_places_in(number, row) for number, row in rows))

    @property
    def behind(self) -> list[str]:
        """Faces that are not seen: the other ones of shreds that stand somewhere."""
        faces = self.other_faces
        return [faces[shred][0] for shred in self.order if shred in faces]

    def seen(self, shred: str) -> str:
        """Find what is seen of the paper that a shred is a face of.

        Parameters
        ----------
        shred : str
            Identifier.

        Returns
        -------
        str
            Its other face where that is seen; else the shred itself, be it there or not.
        """
        return self.other_faces[shred][0] if shred not in self.places and shred in self.other_faces else shred

    def joins(self) -> list[Pair]:
        """List adjacent pairs, page by page, from left to right."""
        return [pair for page in self.pages for pair in pairwise(page)]

    def has_join(self, left: str, right: str) -> bool:
        """Check whether a shred stands on a page directly to the right of another.

        Parameters
        ----------
        left, right : str
            Identifiers.

        Returns
        -------
        bool
            False also for shreds that are set aside or not there.
        """
        number, at = self.places.get(left, (len(self.pages), 0))
        return number < len(self.pages) and self.pages[number][at + 1 : at + 2] == (right,)

    def offsets_px(self, page: int) -> dict[str, int]:
        """Compute the vertical offset of every shred of a page against the page's first shred.

        It is the running sum of the shifts; positions in the common frame (`Shred.frame_top_px`) come on top.

        Parameters
        ----------
        page : int
            Index of the page.

        Returns
        -------
        dict of str to int
            In pixels, downwards.
        """
        row = self.pages[page]
        return dict(zip(row, accumulate((self.shift_px.get(shred, 0) for shred in row[1:]), initial=0), strict=False))

    def turned_by_hand_to(self, page: int) -> int | None:
        """Find how the examiner turned a page.

        Parameters
        ----------
        page : int
            Its index.

        Returns
        -------
        int or None
            Quarter turns counter-clockwise, 0 to 3; None for a page that was not turned by hand.
        """
        return next((self.page_turns[shred] for shred in self.pages[page] if shred in self.page_turns), None)

    def page_mark(self, name: str, page: int) -> Any:
        """Find what the examiner said of a page.

        Parameters
        ----------
        name : str
            One of `PAGE_MARKS`.
        page : int
            Its index.

        Returns
        -------
        str, (str, str) or None
            None if nothing was said; of two that became one page the left one counts.
        """
        marks: Mapping[str, Any] = getattr(self, name)
        return next((marks[shred] for shred in self.pages[page] if shred in marks), None) if marks else None

    def page_state(self, page: int) -> tuple[PageState, bool]:
        """Find how far the examiner is with a page.

        Parameters
        ----------
        page : int
            Its index.

        Returns
        -------
        state : {"new", "reviewed", "done"}
            As the examiner said.
        changed : bool
            Whether the page has been changed since that was said.
        """
        mark = self.page_mark("page_states", page)
        if mark is None:
            return "new", False
        return mark[0], mark[1] != self.content(page)

    def content(self, page: int) -> str:
        """Compute a name for how a page looks: for two that look the same it is the same.

        Parameters
        ----------
        page : int
            Its index.

        Returns
        -------
        str
            16 hexadecimal digits, of its shreds with their heights and turns.
        """
        offsets_px = tuple(self.offsets_px(page).values())
        turns = tuple(map(self.turn_of, self.pages[page]))
        slope_deg = self.page_mark("page_slopes", page) or 0.0
        return _content(self.pages[page], offsets_px, turns, self.turned_by_hand_to(page), slope_deg)

    def page_of(self, shred: str) -> int | None:
        """Find the page a shred stands on.

        Parameters
        ----------
        shred : str
            Identifier.

        Returns
        -------
        int or None
            Index of the page; None for a shred that stands on none.
        """
        number, _ = self.places.get(shred, (len(self.pages), 0))
        return number if number < len(self.pages) else None

    def state(self, left: str, right: str) -> JoinState:
        """Find whether the examiner confirmed or forbade a join, or it is merely suggested.

        Parameters
        ----------
        left, right : str
            Identifiers.

        Returns
        -------
        {"suggested", "confirmed", "forbidden"}
            Of shreds that are no neighbours, too.
        """
        return _state((left, right), self.confirmed, self.forbidden)

    def state_below(self, above: str, below: str) -> JoinState:
        """Find the same of two pieces of which one stands directly below the other."""
        return _state((above, below), self.confirmed_below, self.forbidden_below)

    def group(self, shred: str) -> tuple[str, ...]:
        """List the shreds that confirmed joins hold together with a shred.

        Parameters
        ----------
        shred : str
            Identifier.

        Returns
        -------
        tuple of str
            From left to right, the shred itself among them.

        Raises
        ------
        ValueError
            If there is no such shred.
        """
        if shred not in self.places:
            raise ValueError(f"There is no shred {shred}.")
        number, first = self.places[shred]
        row, last = (*self.pages, self.set_aside)[number], first
        while first > 0 and (row[first - 1], row[first]) in self.confirmed:
            first -= 1
        while last + 1 < len(row) and (row[last], row[last + 1]) in self.confirmed:
            last += 1
        return row[first : last + 1]

    def pose(self, shred: Shred, *, half_turn: bool = True) -> Shred:
        """Turn a shred as it is turned in this arrangement.

        Parameters
        ----------
        shred : Shred
            As it was found.
        half_turn : bool
            Whether half-turns count, or only turns by some degrees.

        Returns
        -------
        Shred
            As it lies in this arrangement.
        """
        upside_down = half_turn and shred.id in self.half_turned
        return turned(shred, half_turn=upside_down, by_deg=self.turned_deg.get(shred.id, 0.0))

    def turn_of(self, shred: str) -> tuple[bool, float]:
        """Find how the examiner turned a shred.

        Parameters
        ----------
        shred : str
            Identifier.

        Returns
        -------
        half_turned : bool
            Whether it is upside down.
        turned_deg : float
            By how many degrees it is turned besides, counter-clockwise positive.
        """
        return shred in self.half_turned, self.turned_deg.get(shred, 0.0)


def _state(pair: Pair, confirmed: frozenset[Pair], forbidden: frozenset[Pair]) -> JoinState:
    return "confirmed" if pair in confirmed else "forbidden" if pair in forbidden else "suggested"


@lru_cache(maxsize=4096)  # of hundreds of pages an edit changes few
def _places_in(number: int, row: tuple[str, ...]) -> list[tuple[str, tuple[int, int]]]:
    return [(shred, (number, at)) for at, shred in enumerate(row)]


@lru_cache(maxsize=4096)
def _content(
    shreds: tuple[str, ...],
    offsets_px: tuple[int, ...],
    turns: tuple[tuple[bool, float], ...],
    by_hand: int | None,
    slope_deg: float,
) -> str:
    looks = [[shred, px, *turn] for shred, px, turn in zip(shreds, offsets_px, turns, strict=True)]
    return sha256(canonical([looks, by_hand, *([slope_deg] if slope_deg else [])])).hexdigest()[:16]
