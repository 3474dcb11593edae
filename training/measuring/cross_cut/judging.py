"""Which pieces of cross-cut paper stand right: beside each other, below each other, and on their page."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import TypeAlias

import numpy as np

from core.arrangement.arrangement import Arrangement, GridPlace
from core.arrangement.faces import showing
from core.arrangement.grid import place_of_row
from core.embedding.piece_geometry import STRIDE_PX
from training.pages.cross_cut import Pieces, TruePlace

SAME_COLUMN = 0.5
"""Two places less than so many columns apart are one."""


@dataclass(frozen=True)
class Judged:
    """How much of a page, or of several, came out right.

    Attributes
    ----------
    across, down : int
        Joins between pieces side by side, and one below the other, that are right: of those in truth between pieces
        that both bear ink. Both pieces are the same way up, so a page may be upside down as a whole. Where rows are
        offset, a piece has that one below it with which it shares more of its width.
    n_across, n_down : int
        How many there are in truth.
    in_place : int
        Pieces with ink that stand in their places on the page: the largest part of the page that stands together.
    n_inked : int
        How many pieces bear ink.
    blank_in_place : int
        Blank pieces that stand in their places on the same page.
    n_blank : int
        How many pieces are blank.
    """

    across: int = 0
    n_across: int = 0
    down: int = 0
    n_down: int = 0
    in_place: int = 0
    n_inked: int = 0
    blank_in_place: int = 0
    n_blank: int = 0

    @classmethod
    def of_all(cls, several: Iterable["Judged"]) -> "Judged":
        """Add up what was judged of several pages."""
        several = list(several)
        return cls(**{one.name: sum(getattr(judged, one.name) for judged in several) for one in fields(cls)})

    def shares(self) -> dict[str, float | None]:
        """Compute the shares "across", "down" and "in_place", 0 to 1; None where there is nothing to be right."""
        of = {
            "across": (self.across, self.n_across),
            "down": (self.down, self.n_down),
            "in_place": (self.in_place, self.n_inked),
        }
        return {name: right / n if n else None for name, (right, n) in of.items()}


@dataclass(frozen=True)
class _Standing:
    """Where a piece stands in an arrangement: page, row from the top, place along it, and the wrong way up or not."""

    page: int
    row: int
    column: float
    upside_down: bool


_Offset: TypeAlias = tuple[int, bool, int, float]
"""Page, whether that is upside down, and by how many rows and columns a piece stands off its true place there."""


def judge(arrangement: Arrangement, pieces: Pieces) -> tuple[Judged, ...]:
    """Judge an arrangement of pieces, page by page of the truth.

    Parameters
    ----------
    arrangement : Arrangement
        Each of its `pages` is a row of pieces.
    pieces : Pieces
        The truth; pieces that are not in it do not count.

    Returns
    -------
    tuple of Judged
        One for each true page of which there are pieces, in their order.
    """
    standing = _standing(arrangement, pieces)
    joined = frozenset(arrangement.joins())
    on_page: dict[int, dict[str, TruePlace]] = defaultdict(dict)
    for name, place in pieces.places.items():
        on_page[place.page][name] = place
    blank = frozenset(shred.id for shred in pieces.shreds if shred.blank)

    def is_joined(left: str, right: str) -> bool:
        if left not in standing or right not in standing:
            return False
        upside_down = standing[left].upside_down
        return (
            upside_down == standing[right].upside_down and ((right, left) if upside_down else (left, right)) in joined
        )

    def is_below(upper: str, lower: str, right_by: float) -> bool:
        if upper not in standing or lower not in standing:
            return False
        above, below = standing[upper], standing[lower]
        sign = -1 if above.upside_down else 1
        return (
            (above.page, above.upside_down) == (below.page, below.upside_down)
            and below.row - above.row == sign
            and abs(below.column - above.column - sign * right_by) < SAME_COLUMN
        )

    judged = []
    for _, places in sorted(on_page.items()):
        inked = {name: place for name, place in places.items() if name not in blank}
        across = [is_joined(*pair) for pair in _side_by_side(inked)]
        down = [is_below(*pair) for pair in _one_below_the_other(inked, pieces.pitch_px)]
        offsets = {
            name: _offset(standing[name], place, pieces.pitch_px) for name, place in places.items() if name in standing
        }
        in_place = _largest_together(offsets, inked)
        judged.append(
            Judged(
                across=sum(across),
                n_across=len(across),
                down=sum(down),
                n_down=len(down),
                in_place=sum(name in inked for name in in_place),
                n_inked=len(inked),
                blank_in_place=sum(name not in inked for name in in_place),
                n_blank=len(places) - len(inked),
            )
        )
    return tuple(judged)


def stands_right_below(arrangement: Arrangement, pieces: Pieces, above: str, below: str) -> bool:
    """Judge two pieces of which one stands directly below the other.

    Parameters
    ----------
    arrangement : Arrangement
        In which they stand, one way up or the other.
    pieces : Pieces
        The truth.
    above, below : str
        Identifiers; both are in it.

    Returns
    -------
    bool
        Whether they were cut apart there. Where rows are offset, that is so of two that share half of their width.
    """
    one, other = pieces.places[above], pieces.places[below]
    upside_down, other_one = (
        pieces.places[name].half_turn != (name in arrangement.half_turned) for name in (above, below)
    )
    down_by, right_by = other.row - one.row, (other.left_px - one.left_px) / pieces.pitch_px
    is_near = one.page == other.page and abs(right_by) <= SAME_COLUMN
    return is_near and upside_down == other_one and down_by == (-1 if upside_down else 1)


def with_rows_behind(arrangement: Arrangement) -> Arrangement:
    """Add what is seen when all pages are turned over, as pages of their own.

    Parameters
    ----------
    arrangement : Arrangement
        Each of its `pages` is a row.

    Returns
    -------
    Arrangement
        To be judged; the same object where no paper has two faces.
    """
    faces = arrangement.other_faces
    behind = showing(arrangement, {faces[shred][0] for shred in arrangement.order if shred in faces})
    if behind is arrangement:
        return arrangement
    both, places = (arrangement, behind), dict[str, GridPlace]()
    n_pages = 1 + max((place_of_row(arrangement, row)[0] for row in range(len(arrangement.pages))), default=0)
    for number, one in enumerate(both):
        for row, shreds in enumerate(one.pages):
            page, below, right_px = place_of_row(one, row)
            places[shreds[0]] = page + number * n_pages, below, right_px
    return replace(
        arrangement,
        pages=tuple(row for one in both for row in one.pages),
        half_turned=frozenset().union(*(one.half_turned for one in both)),
        grid_places=places,
    )


def _standing(arrangement: Arrangement, pieces: Pieces) -> dict[str, _Standing]:
    """Find where all pieces stand."""
    width_px = int(np.median([shred.width_px for shred in pieces.shreds if not shred.blank] or [STRIDE_PX]))
    pitch_px = -(-width_px // STRIDE_PX) * STRIDE_PX  # at which `core.grid.stacking` lays pieces in rows
    standing = {}
    for number, row in enumerate(arrangement.pages):
        page, at, right_px = place_of_row(arrangement, number)
        for column, name in enumerate(row):
            if name in pieces.places:
                upside_down = pieces.places[name].half_turn != (name in arrangement.half_turned)
                standing[name] = _Standing(page, at, right_px / pitch_px + column, upside_down)
    return standing


def _side_by_side(places: Mapping[str, TruePlace]) -> list[tuple[str, str]]:
    """List the true neighbours in rows, from left to right."""
    at = {(place.row, place.column): name for name, place in places.items()}
    beside = ((name, at.get((place.row, place.column + 1))) for name, place in places.items())
    return [(left, right) for left, right in beside if right is not None]


def _one_below_the_other(places: Mapping[str, TruePlace], pitch_px: float) -> list[tuple[str, str, float]]:
    """List the true neighbours in columns, and by how many columns the lower one lies farther right, -0.5 to 0.5."""
    rows: dict[int, list[tuple[str, float]]] = defaultdict(list)
    for name, place in places.items():
        rows[place.row].append((name, place.left_px))
    return [
        (upper, lower, (lower_px - place.left_px) / pitch_px)
        for upper, place in places.items()
        for lower, lower_px in rows.get(place.row + 1, ())
        if -SAME_COLUMN <= (lower_px - place.left_px) / pitch_px < SAME_COLUMN
    ]


def _offset(found: _Standing, true: TruePlace, pitch_px: float) -> _Offset:
    """Compute how a piece stands off its true place."""
    sign = -1 if found.upside_down else 1
    right_by = found.column - sign * true.left_px / pitch_px
    return found.page, found.upside_down, found.row - sign * true.row, right_by


def _largest_together(offsets: Mapping[str, _Offset], inked: Iterable[str]) -> list[str]:
    """List the pieces that stand off alike, where most of those with ink do: on one page, one way up."""
    alike: dict[tuple[int, bool, int], list[tuple[float, str]]] = defaultdict(list)
    for name, (page, upside_down, down_by, right_by) in offsets.items():
        alike[page, upside_down, down_by].append((right_by, name))
    counted, most, together = frozenset(inked), 0, []
    for several in alike.values():
        for first, _ in sorted(several):
            chosen = [name for right_by, name in several if 0 <= right_by - first < SAME_COLUMN]
            n = sum(name in counted for name in chosen)
            if n > most:
                most, together = n, chosen
    return together
