"""Edits of an arrangement: plain data. Applied, an edit yields the new arrangement and the edit that undoes it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isfinite

from core.arrangement.arrangement import Arrangement, JoinState, Pair, margin
from core.arrangement.edit import Edit as Edit
from core.arrangement.edit import InvalidEditError as InvalidEditError
from core.arrangement.edit import ShiftOf, check_confirmed
from core.arrangement.half_turns import said_upside_down
from core.arrangement.noted import subject_of
from core.arrangement.placing import carried_marks, placed
from core.shreds.shred import Side

MAX_TURN_DEG = 10.0
"""Segmentation finds how a shred lies within a tenth of a degree; more than this by hand is a slip."""


@dataclass(frozen=True)
class MoveShreds(Edit):
    """Puts shreds, from pages or set aside, between two others; what confirmed joins hold together comes along.

    Attributes
    ----------
    shreds : tuple of str
        They stand in this order afterwards.
    page, position : int
        Before which shred of which page, counted before the move; behind the last page is a page of its own.
    new_page : bool
        Put them on a page of their own in front of `page` instead.
    break_joins : bool
        Move exactly these shreds, and take back confirmations that stand in the way.
    """

    shreds: tuple[str, ...]
    page: int
    position: int = 0
    new_page: bool = False
    break_joins: bool = False

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        pages = list(arrangement.pages)
        if not 0 <= self.page <= len(pages):
            raise InvalidEditError(f"There is no page {self.page + 1}.")
        if self.new_page or self.page == len(pages):
            pages.insert(self.page, ())
        if not 0 <= self.position <= len(pages[self.page]):
            raise InvalidEditError(f"Page {self.page + 1} has {len(pages[self.page])} shreds only.")
        moving = _named(arrangement, self.shreds) if self.break_joins else _groups(arrangement, self.shreds)
        gone = set(moving)
        target = pages[self.page]
        before, behind = _without(target[: self.position], gone), _without(target[self.position :], gone)
        pages = [_without(page, gone) for page in pages]
        pages[self.page] = (*before, *moving, *behind)
        confirmed = arrangement.confirmed
        if self.break_joins:
            confirmed = _without_parted(confirmed, moving)
        if before and behind and (before[-1], behind[0]) in confirmed:
            if not self.break_joins:
                raise _confirmed_neighbours(before[-1], behind[0], "nothing can stand")
            confirmed -= {(before[-1], behind[0])}
        aside = _without(arrangement.set_aside, gone)
        if confirmed != arrangement.confirmed:
            arrangement = replace(arrangement, confirmed=confirmed)
        return placed(arrangement, pages, aside, shift_of)


@dataclass(frozen=True)
class SetAside(Edit):
    """Takes shreds off their pages; what confirmed joins hold together goes along, unless they are broken.

    `MoveShreds` brings them back.
    """

    shreds: tuple[str, ...]
    break_joins: bool = False

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        going = _named(arrangement, self.shreds) if self.break_joins else _groups(arrangement, self.shreds)
        new = _without(going, set(arrangement.set_aside))
        pages = [_without(page, set(new)) for page in arrangement.pages]
        if self.break_joins:
            arrangement = replace(arrangement, confirmed=_without_parted(arrangement.confirmed, going))
        return placed(arrangement, pages, (*arrangement.set_aside, *new), shift_of)


@dataclass(frozen=True)
class SplitPage(Edit):
    """Lets a page begin with a shred; what stands left of it stays on the page before."""

    shred: str

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        number = arrangement.page_of(self.shred)
        if number is None:
            raise InvalidEditError(f"{self.shred} stands on no page.")
        page = arrangement.pages[number]
        at = page.index(self.shred)
        if at and (page[at - 1], self.shred) in arrangement.confirmed:
            raise _confirmed_neighbours(page[at - 1], self.shred, "no page can begin")
        pages = [*arrangement.pages[:number], page[:at], page[at:], *arrangement.pages[number + 1 :]]
        return placed(arrangement, pages, arrangement.set_aside, shift_of)


@dataclass(frozen=True)
class MergePages(Edit):
    """Appends to a page the one after it."""

    page: int

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        pages = arrangement.pages
        if not 0 <= self.page < len(pages) - 1:
            raise InvalidEditError(f"There is no page after page {self.page + 1} to merge it with.")
        pages = (*pages[: self.page], pages[self.page] + pages[self.page + 1], *pages[self.page + 2 :])
        return placed(arrangement, pages, arrangement.set_aside, shift_of)


@dataclass(frozen=True)
class ShiftShreds(Edit):
    """Moves shreds down by some pixels, up if negative; all others stay where they are."""

    shreds: tuple[str, ...]
    by_px: int
    _continued_if_same = ("shreds",)

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        moved = set(_named(arrangement, self.shreds))
        if moved & set(arrangement.set_aside):
            raise InvalidEditError("A shred that is set aside has no height to be moved to.")
        shift_px = dict(arrangement.shift_px)
        for left, right in arrangement.joins():
            difference = (right in moved) - (left in moved)
            if difference:
                shift_px[right] = shift_px.get(right, 0) + difference * self.by_px
        return replace(arrangement, shift_px=shift_px)


@dataclass(frozen=True)
class ShiftJoin(Edit):
    """Sets by how much a shred lies lower than its left neighbour; what stands right of it comes along."""

    left: str
    right: str
    shift_px: int
    _continued_if_same = ("left", "right")

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        if not arrangement.has_join(self.left, self.right):
            raise InvalidEditError(f"{self.left} and {self.right} are no neighbours.")
        return replace(arrangement, shift_px=arrangement.shift_px | {self.right: self.shift_px})


@dataclass(frozen=True)
class HalfTurn(Edit):
    """Turns shreds upside down where they stand; what confirmed joins hold together turns as one, about its middle."""

    shreds: tuple[str, ...]

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        moving = _groups(arrangement, self.shreds)
        groups = dict.fromkeys(arrangement.group(shred) for shred in moving)
        opposite = {shred: mirror for group in groups for shred, mirror in zip(group, group[::-1], strict=True)}
        turn = {pair for group in groups for pair in pairwise(group)}
        shift_px = dict(arrangement.shift_px)
        for group in groups:
            # Seen from the group's left end every shred keeps its distance in height to its neighbours in the group.
            first, *others = (arrangement.shift_px.get(shred, 0) for shred in group)
            if others:
                shift_px |= zip(reversed(group), (first, *reversed(others)), strict=True)
        pages = tuple(tuple(opposite.get(shred, shred) for shred in page) for page in arrangement.pages)
        return replace(
            arrangement,
            **carried_marks(arrangement, pages),
            **said_upside_down(arrangement, moving),
            pages=pages,
            set_aside=tuple(opposite.get(shred, shred) for shred in arrangement.set_aside),
            shift_px=shift_px,
            confirmed=arrangement.confirmed - turn | {(right, left) for left, right in turn},
            half_turned=arrangement.half_turned ^ set(moving),
            turned_by_hand=arrangement.turned_by_hand | set(moving),
        )


@dataclass(frozen=True)
class TurnShred(Edit):
    """Turns a shred so that it is turned by that many degrees against how it was found, counter-clockwise positive."""

    shred: str
    angle_deg: float
    _continued_if_same = ("shred",)

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        _named(arrangement, (self.shred,))
        if not isfinite(self.angle_deg) or abs(self.angle_deg) > MAX_TURN_DEG:
            raise InvalidEditError(f"A shred can be turned by at most {MAX_TURN_DEG:g}° by hand.")
        turned_deg = {shred: angle for shred, angle in arrangement.turned_deg.items() if shred != self.shred}
        return replace(arrangement, turned_deg=turned_deg | ({self.shred: self.angle_deg} if self.angle_deg else {}))


@dataclass(frozen=True)
class TurnPage(Edit):
    """Turns a page to be read, by quarter turns counter-clockwise against how its shreds stand in it."""

    page: int
    quarter_turns: int

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        if not 0 <= self.page < len(arrangement.pages):
            raise InvalidEditError(f"There is no page {self.page + 1}.")
        shreds = arrangement.pages[self.page]
        others = {shred: turns for shred, turns in arrangement.page_turns.items() if shred not in shreds}
        return replace(arrangement, page_turns=others | {shreds[0]: self.quarter_turns % 4})


@dataclass(frozen=True)
class SetJoin(Edit):
    """Makes a join confirmed, forbidden, or, neither of both, merely suggested.

    The two need not be neighbours; the order stays as it is.
    """

    left: str
    right: str
    state: JoinState

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        pair = self.left, self.right
        _named(arrangement, pair)
        if self.left == self.right:
            raise InvalidEditError(f"{self.left} cannot be its own neighbour.")
        if self.state == "confirmed":
            check_confirmed(
                arrangement.confirmed - {pair},
                pair,
                after="{one} has a confirmed right neighbour, {there}. Take that back first.",
                before="{other} has a confirmed left neighbour, {there}. Take that back first.",
                ring="Confirmed joins lead from {other} to {one} already; {other} cannot follow it.",
            )
        return replace(
            arrangement,
            confirmed=arrangement.confirmed - {pair} | ({pair} if self.state == "confirmed" else set()),
            forbidden=arrangement.forbidden - {pair} | ({pair} if self.state == "forbidden" else set()),
        )


@dataclass(frozen=True)
class SetMargin(Edit):
    """Makes a page begin (left) or end (right) with a shred when the order is found again; now it stays as it is."""

    shred: str
    side: Side

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        _named(arrangement, (self.shred,))
        at = 1 if self.side == "left" else 0
        if any(pair[at] == self.shred for pair in arrangement.confirmed):
            raise InvalidEditError(
                f"{self.shred} has a confirmed {self.side} neighbour: no page has its margin there. "
                "Take the confirmation back first."
            )
        held = frozenset(pair for pair in arrangement.held if pair[at] != self.shred)
        return replace(arrangement, held=held | {margin(self.shred, self.side)})


@dataclass(frozen=True)
class FreeMargin(Edit):
    """Takes back that a page begins (left) or ends (right) with a shred, if it was set; the order stays as it is."""

    shred: str
    side: Side

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        _named(arrangement, (self.shred,))
        return replace(arrangement, held=arrangement.held - {margin(self.shred, self.side)})


@dataclass(frozen=True)
class FreeJoin(Edit):
    """Takes back that two shreds were put side by side by hand; the order stays as it is until it is found again."""

    left: str
    right: str

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        pair = self.left, self.right
        if pair in arrangement.held:
            return replace(arrangement, held=arrangement.held - {pair})
        if not arrangement.has_join(*pair):
            raise InvalidEditError(f"{self.left} and {self.right} are no neighbours.")
        return replace(arrangement, freed=arrangement.freed | {pair})


@dataclass(frozen=True)
class WriteNote(Edit):
    """Puts a note in the place of the one that is there; an empty text takes it away.

    Attributes
    ----------
    about : str
        "" for the case, a shred's identifier, "left|right" for a join, or a place as `place_key` writes it.
    text : str
        What the examiner wrote.
    """

    about: str
    text: str

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        if self.about:
            try:
                shreds, _ = subject_of(self.about)
            except ValueError as error:
                raise InvalidEditError("A note about a place names one shred and where on it.") from error
            _named(arrangement, shreds)
            if len(shreds) > 2:
                raise InvalidEditError("A note is about one shred, or about one join of two.")
        notes = {about: text for about, text in arrangement.notes.items() if about != self.about}
        return replace(arrangement, notes=notes | ({self.about: self.text} if self.text else {}))


@dataclass(frozen=True)
class WriteDetails(Edit):
    """Puts details of the case in the place of those that are there.

    Attributes
    ----------
    details : dict of str to str
        See `Arrangement.details`.
    """

    details: dict[str, str]

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        return replace(arrangement, details=dict(self.details))


@dataclass(frozen=True)
class Replace(Edit):
    """Puts another arrangement of the same shreds in place: what the solver found this time."""

    arrangement: Arrangement

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        if {*self.arrangement.order, *self.arrangement.behind} != {*arrangement.order, *arrangement.behind}:
            raise InvalidEditError("The new arrangement is one of other shreds.")
        return self.arrangement


@dataclass(frozen=True)
class Together(Edit):
    """Several edits, one after the other, as one step."""

    edits: tuple[Edit, ...]

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        for edit in self.edits:
            arrangement = edit._changed(arrangement, shift_of)
        return arrangement

    def goes_on_in(self, later: Edit) -> bool:
        """Check whether each edit goes on in its counterpart.

        Parameters
        ----------
        later : Edit
            The next one.

        Returns
        -------
        bool
            Whether it continues this one.
        """
        if not isinstance(later, Together) or len(later.edits) != len(self.edits):
            return False
        return all(edit.goes_on_in(other) for edit, other in zip(self.edits, later.edits, strict=True))


def _confirmed_neighbours(left: str, right: str, so: str) -> InvalidEditError:
    """Compose the refusal of an edit that would part two shreds."""
    return InvalidEditError(
        f"{left} and {right} are confirmed neighbours: {so} between them. Take the confirmation back first."
    )


def _named(arrangement: Arrangement, shreds: Sequence[str]) -> tuple[str, ...]:
    """Check that shreds are there, and list each once."""
    unknown = set(shreds) - arrangement.places.keys()
    if unknown or not shreds:
        raise InvalidEditError(f"There is no shred {', '.join(sorted(unknown))}." if unknown else "No shred is named.")
    return tuple(dict.fromkeys(shreds))


def _groups(arrangement: Arrangement, shreds: Sequence[str]) -> tuple[str, ...]:
    """List shreds, each together with those that confirmed joins hold to it."""
    return tuple(dict.fromkeys(other for shred in _named(arrangement, shreds) for other in arrangement.group(shred)))


def _without(row: tuple[str, ...], gone: set[str]) -> tuple[str, ...]:
    """Remove shreds from a row; one that has none of them stays the same object."""
    return row if gone.isdisjoint(row) else tuple(shred for shred in row if shred not in gone)


def _without_parted(confirmed: frozenset[Pair], moving: Iterable[str]) -> frozenset[Pair]:
    """Remove the confirmations between shreds that move and others."""
    together = set(moving)
    return frozenset(pair for pair in confirmed if (pair[0] in together) == (pair[1] in together))
