"""Edits of pages as wholes: their order, their names, the documents they belong to, and how far the examiner is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from core.arrangement.arrangement import PAGE_STATES, Arrangement, PageState
from core.arrangement.edit import Edit, InvalidEditError, ShiftOf

MAX_SLOPE_DEG = 15.0
"""Paper on a scanner does not lie so far from straight; more is a slip."""


@dataclass(frozen=True)
class MovePages(Edit):
    """Puts pages, in the order in which they stand, before another one; what is on them stays as it is.

    Attributes
    ----------
    pages : tuple of int
        Which.
    before : int
        Counted before the move; the number of pages for behind the last one.
    """

    pages: tuple[int, ...]
    before: int

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        rows = arrangement.pages
        moving = _there(arrangement, self.pages)
        if not 0 <= self.before <= len(rows):
            raise InvalidEditError(f"There is no place for a page before page {self.before + 1}.")
        before = [page for page in range(self.before) if page not in moving]
        behind = [page for page in range(self.before, len(rows)) if page not in moving]
        order = [*before, *moving, *behind]
        ordered = arrangement.pages_ordered or order != list(range(len(rows)))
        return replace(arrangement, pages=tuple(rows[page] for page in order), pages_ordered=ordered)


@dataclass(frozen=True)
class NamePage(Edit):
    """Gives a page a name; an empty one takes it away."""

    page: int
    name: str

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        return _marked(arrangement, (self.page,), "page_names", lambda _: self.name)


@dataclass(frozen=True)
class GroupPages(Edit):
    """Says to which document pages belong, by its name; an empty one for none."""

    pages: tuple[int, ...]
    document: str

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        return _marked(arrangement, self.pages, "page_documents", lambda _: self.document)


@dataclass(frozen=True)
class SetPageState(Edit):
    """Says how far the examiner is with pages, as they are now."""

    pages: tuple[int, ...]
    state: PageState

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        if self.state not in PAGE_STATES:
            raise InvalidEditError(f"A page cannot be {self.state}.")
        new = self.state == "new"
        return _marked(
            arrangement,
            self.pages,
            "page_states",
            lambda page: None if new else (self.state, arrangement.content(page)),
        )


@dataclass(frozen=True)
class PinShreds(Edit):
    """Pins shreds to the page on which they stand, or releases them; now all stays as it is."""

    shreds: tuple[str, ...]
    pinned: bool = True

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        away = [shred for shred in self.shreds if arrangement.page_of(shred) is None]
        if away or not self.shreds:
            raise InvalidEditError(f"{away[0]} stands on no page." if away else "No shred is named.")
        others = arrangement.pinned.difference(self.shreds)
        return replace(arrangement, pinned=others.union(self.shreds) if self.pinned else others)


@dataclass(frozen=True)
class LevelPage(Edit):
    """Turns a page as a whole, by degrees counter-clockwise, besides what levels it by its print; 0 takes that back."""

    page: int
    angle_deg: float

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        if not isfinite(self.angle_deg) or abs(self.angle_deg) > MAX_SLOPE_DEG:
            raise InvalidEditError(
                f"A page can be levelled by at most {MAX_SLOPE_DEG:g}°; Turn Page turns it by quarters."
            )
        return _marked(arrangement, (self.page,), "page_slopes", lambda _: self.angle_deg)


def _marked(arrangement: Arrangement, pages: Sequence[int], name: str, mark: Callable[[int], Any]) -> Arrangement:
    """Put marks in the place of those that pages have; empty ones take them away."""
    moving = _there(arrangement, pages)
    shreds = {shred for page in moving for shred in arrangement.pages[page]}
    others = {shred: other for shred, other in getattr(arrangement, name).items() if shred not in shreds}
    marks = {arrangement.pages[page][0]: mark(page) for page in moving}
    changed: dict[str, Any] = {name: others | {shred: one for shred, one in marks.items() if one}}
    return replace(arrangement, **changed)


def _there(arrangement: Arrangement, pages: Sequence[int]) -> list[int]:
    """Check that pages are there, and sort them, each once."""
    missing = [page for page in pages if not 0 <= page < len(arrangement.pages)]
    if missing or not pages:
        raise InvalidEditError(f"There is no page {missing[0] + 1}." if missing else "No page is named.")
    return sorted(set(pages))
