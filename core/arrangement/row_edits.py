"""Edits of rows of pieces: where a row stands on its page, and which pieces stand directly below each other."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from core.arrangement.arrangement import MARGIN, Arrangement, GridPlace, JoinState, Pair
from core.arrangement.edit import Edit, InvalidEditError, ShiftOf, check_confirmed
from core.arrangement.edits import HalfTurn, MoveShreds, Together
from core.arrangement.grid import pieces_below, place_of_row, rows_at, spans_px, stands_below


@dataclass(frozen=True)
class SetBelow(Edit):
    """Says that a piece stands directly below another, or does not, or takes back what was said; all stays in place.

    Taken back is also that their rows were put so by hand.
    """

    above: str
    below: str
    state: JoinState

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        pair = self.above, self.below
        unknown = {*pair} - arrangement.places.keys()
        if unknown:
            raise InvalidEditError(f"There is no shred {', '.join(sorted(unknown))}.")
        if self.above == self.below:
            raise InvalidEditError(f"{self.above} cannot be its own neighbour.")
        if self.state == "confirmed":
            check_confirmed(
                arrangement.confirmed_below - {pair},
                pair,
                after="{there} is confirmed to stand below {one}. Take that back first.",
                before="{there} is confirmed to stand above {other}. Take that back first.",
                ring="{one} is confirmed to stand below {other} already; it cannot be above it, too.",
            )
        confirmed, forbidden = arrangement.confirmed_below - {pair}, arrangement.forbidden_below - {pair}
        return replace(
            arrangement,
            confirmed_below=confirmed | {pair} if self.state == "confirmed" else confirmed,
            forbidden_below=forbidden | {pair} if self.state == "forbidden" else forbidden,
            held_below=arrangement.held_below - {pair},
        )


@dataclass(frozen=True)
class PlaceRow(Edit):
    """Puts a row of pieces directly above or below another row, or on a page of its own; its pieces stay in it.

    Attributes
    ----------
    row : int
        Which, as an index of `Arrangement.pages`.
    beside : int or None
        The other row; None for a page of its own.
    above : bool
        Whether it stands above the other one.
    right_px : int
        By how many pixels it begins right of the other one, left if negative.
    held : tuple of Pair
        Pieces that stand directly below each other then, and go on to when the order is found again, see
        `Arrangement.held_below`.
    """

    row: int
    beside: int | None
    above: bool = False
    right_px: int = 0
    held: tuple[Pair, ...] = ()
    _continued_if_same = ("row", "beside", "above")

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        rows = arrangement.pages
        missing = [row for row in (self.row, self.beside) if row is not None and not 0 <= row < len(rows)]
        if missing:
            raise InvalidEditError(f"There is no row {missing[0] + 1}.")
        if self.row == self.beside:
            raise InvalidEditError(f"Row {self.row + 1} cannot stand below itself.")
        places = {number: place_of_row(arrangement, number) for number in range(len(rows))}
        order = [number for number in places if number != self.row]
        if self.beside is None:
            of_page = [number for number in order if places[number][0] == places[self.row][0]]
            at = order.index(of_page[-1]) + 1 if of_page else self.row
            places[self.row] = (-1 - len(rows), 0, 0)
        else:
            at = self._insert(places, order, self.beside)
        order.insert(at, self.row)
        moved = replace(
            arrangement,
            pages=tuple(rows[number] for number in order),
            grid_places={rows[number][0]: place for number, place in _numbered(order, places).items()},
            held_below=_outside(arrangement.held_below, rows[self.row]) | {*self.held},
        )
        _check_kept(arrangement, moved)
        return replace(moved, held_below=frozenset(pair for pair in moved.held_below if _holds(moved, pair)))

    def _insert(self, places: dict[int, GridPlace], order: list[int], beside: int) -> int:
        """Give the row its place beside another one; return which place it has in the order of all rows."""
        page, below, right_px = places[beside]
        level = [number for number in order if places[number][:2] == (page, below)]
        new = below if self.above else below + 1
        for number in order:
            if places[number][0] == page and places[number][1] >= new:
                places[number] = (page, places[number][1] + 1, places[number][2])
        places[self.row] = (page, new, right_px + self.right_px)
        return order.index(level[0]) if self.above else order.index(level[-1]) + 1


def place_row(
    arrangement: Arrangement, row: int, beside: int | None, above: bool, right_px: int, width_of: Callable[[str], int]
) -> PlaceRow:
    """Compose the edit that puts a row beside another one, so that finding the order again keeps to it.

    Parameters
    ----------
    arrangement : Arrangement
        Before.
    row, beside, above, right_px
        See `PlaceRow`.
    width_of : callable
        Returns the width of a piece, in pixels: it tells which pieces stand below each other then.

    Returns
    -------
    PlaceRow
        A row that begins too far away to have a piece below another is not held.
    """
    shreds, edit = arrangement.pages[row], PlaceRow(row, beside, above, right_px)
    if beside is None:
        return replace(edit, held=((MARGIN, shreds[0]), (shreds[-1], MARGIN)))
    after = edit.foreseen(arrangement)
    here = after.places[shreds[0]][0]
    over = [
        pair
        for one in rows_at(after, here, -1)
        for pair in pieces_below(after, one, width_of).items()
        if pair[1] in shreds
    ]
    under = list(pieces_below(after, here, width_of).items())
    return replace(edit, held=(*over[:1], *under[:1]))


def turn_row(arrangement: Arrangement, row: int, width_of: Callable[[str], int]) -> Edit:
    """Compose the edit that turns a row upside down as a whole, where it stands: what was its end begins it then.

    Parameters
    ----------
    arrangement : Arrangement
        Before.
    row : int
        Which, as an index of `Arrangement.pages`.
    width_of : callable
        Returns the width of a piece, in pixels.

    Returns
    -------
    Edit
        Finding the order again keeps the row where it stands now.

    Raises
    ------
    InvalidEditError
        If a piece of it is confirmed to stand directly above or below another one.
    """
    shreds, own_px = arrangement.pages[row], place_of_row(arrangement, row)[2]
    for above, below in sorted(arrangement.confirmed_below):
        if (above in shreds) != (below in shreds):
            raise InvalidEditError(
                f"{below} is confirmed to stand directly below {above}: turned, the row would part them. "
                "Take the confirmation back first."
            )
    turning = Together((HalfTurn(shreds), MoveShreds(shreds[::-1], row)))
    over, under = rows_at(arrangement, row, -1), rows_at(arrangement, row, 1)
    if not (over or under):
        return turning
    beside = (over or under)[0]
    right_px = own_px - place_of_row(arrangement, beside)[2]
    placing = place_row(turning.foreseen(arrangement), row, beside, not over, right_px, width_of)
    return Together((*turning.edits, placing))


def as_row(
    arrangement: Arrangement,
    shreds: Sequence[str],
    beside: str,
    above: bool,
    grabbed: str,
    width_of: Callable[[str], int],
) -> Edit:
    """Compose the edit that puts pieces into a row of their own, directly above or below another row.

    Parameters
    ----------
    arrangement : Arrangement
        Before.
    shreds : sequence of str
        They stand in this order in the row; what confirmed joins hold together comes along.
    beside : str
        A piece of the other row, none of these.
    above : bool
        Whether the row stands above the other one.
    grabbed : str
        One of the pieces: it stands directly above or below `beside`.
    width_of : callable
        Returns the width of a piece, in pixels.

    Returns
    -------
    Edit
        `PlaceRow` where these are a whole row; else what moves them besides.

    Raises
    ------
    InvalidEditError
        If they cannot stand there.
    """
    moving = MoveShreds(tuple(shreds), len(arrangement.pages), new_page=True)
    row = arrangement.page_of(shreds[0])
    whole = row is not None and {*arrangement.pages[row]} == {*shreds}
    moved = arrangement if whole else moving.foreseen(arrangement)
    number, other = moved.page_of(shreds[0]), moved.page_of(beside)
    if number is None or other is None or number == other:
        raise InvalidEditError(f"{beside} stands in no other row.")
    left_px = {piece: left for one in (number, other) for piece, left, _ in spans_px(moved, one, width_of)}
    starts = place_of_row(moved, number)[2], place_of_row(moved, other)[2]
    right_px = (left_px[beside] - starts[1]) - (left_px[grabbed] - starts[0])
    placing = place_row(moved, number, other, above, right_px, width_of)
    return placing if whole else Together((moving, placing))


def _numbered(order: list[int], places: Mapping[int, GridPlace]) -> dict[int, GridPlace]:
    """Give pages numbers in the order of their first rows, and rows theirs; each page begins at its left edge.

    A row that is a page by itself, and was put nowhere, is left out.
    """
    numbers: dict[int, list[int]] = {}
    for number in order:
        numbers.setdefault(places[number][0], []).append(number)
    pages = [rows for page, rows in numbers.items() if page >= 0 or len(rows) > 1]
    found: dict[int, GridPlace] = {}
    for at, rows in enumerate(pages):
        levels = sorted({places[number][1] for number in rows})
        left = min(places[number][2] for number in rows)
        found |= {one: (at, levels.index(places[one][1]), places[one][2] - left) for one in rows}
    return found


def _holds(arrangement: Arrangement, pair: Pair) -> bool:
    """Check whether pieces stand below each other, or a row is the first or the last one of its page."""
    above, below = pair
    if MARGIN not in pair:
        return stands_below(arrangement, above, below)
    rows = (place_of_row(arrangement, page) for page in range(len(arrangement.pages)))
    page, row, _ = place_of_row(arrangement, arrangement.places[above or below][0])
    levels = [other for number, other, _ in rows if number == page]
    return row == (min(levels) if above == MARGIN else max(levels))


def _outside(pairs: Collection[Pair], row: Collection[str]) -> frozenset[Pair]:
    """Leave out what was said of pieces of a row."""
    return frozenset(pair for pair in pairs if {*pair}.isdisjoint(row))


def _check_kept(before: Arrangement, after: Arrangement) -> None:
    """Refuse to part what is confirmed to stand below each other, or to move one of both aside."""
    for above, below in sorted(before.confirmed_below):
        kept = stands_below(after, above, below) and _aside_px(before, above, below) == _aside_px(after, above, below)
        if stands_below(before, above, below) and not kept:
            raise InvalidEditError(
                f"{below} is confirmed to stand directly below {above}: no row can part them. "
                "Take the confirmation back first."
            )


def _aside_px(arrangement: Arrangement, above: str, below: str) -> int:
    """Measure by how much the row of one piece begins right of that of another."""
    starts = [place_of_row(arrangement, arrangement.places[shred][0])[2] for shred in (above, below)]
    return starts[1] - starts[0]
