"""What the examiner said of pieces, told of their poses, and of the rows in which they stand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.arrangement.arrangement import MARGIN, Arrangement, Pair
from core.faces.posed import Posed
from core.faces.ways import HALF_TURN, OVER, turned
from core.grid.standing import EMPTY, Run, Standing, turned_run
from core.matching.costs import Join
from core.solver.both_ways import impossible_joins
from core.solver.constraints import poses_by_hand, rows_of

WAYS = (0, HALF_TURN, HALF_TURN + OVER, OVER)
"""How a row is turned in each way in which it takes part in the order from the top to the bottom. Upside down is to
these what left to right is to pieces side by side: half-turned rows change places, and so do half-turned ones that are
turned over; those that are only turned over do not."""


@dataclass(frozen=True, eq=False)
class ByHand:
    """What the examiner said of n pieces, in all their poses.

    Attributes
    ----------
    said : Arrangement
        Of pieces as they stand in it.
    turned : frozenset of int
        Pieces that were half-turned by hand: they keep their way up.
    kept, avoided : list of (int, int)
        Joins of poses.
    confirmed_below, held_below, avoided_below : list of (int, int)
        Poses of which the second stands directly below the first, as the examiner said or put them, or does not.
    """

    said: Arrangement
    turned: frozenset[int]
    kept: list[Join]
    avoided: list[Join]
    confirmed_below: list[Join] = field(default_factory=list)
    held_below: list[Join] = field(default_factory=list)
    avoided_below: list[Join] = field(default_factory=list)

    @classmethod
    def of(cls, arrangement: Arrangement, posed: Posed) -> "ByHand":
        """Read from an arrangement what holds of pieces."""
        said, stands = replace(arrangement, pinned=frozenset()), posed.standing(arrangement)
        poses = [stands[shred] for shred in sorted(arrangement.turned_by_hand & stands.keys())]
        kept, avoided = poses_by_hand(said, posed)
        apart = impossible_joins(posed.costs, posed.n, poses)
        confirmed, forbidden = arrangement.confirmed_below, arrangement.forbidden_below
        above, under = {one for one, _ in confirmed}, {one for _, one in confirmed}
        held = {pair for pair in arrangement.held_below - forbidden if pair[0] not in above and pair[1] not in under}
        below = (_below_in_all_ways(rows_of(pairs, stands), posed) for pairs in (confirmed, held, forbidden))
        return cls(said, frozenset(pose % posed.n for pose in poses), kept, [*avoided, *apart], *below)


def _below_in_all_ways(joins: Iterable[Join], posed: Posed) -> list[Join]:
    """Add to poses below each other what they are when all paper is turned."""
    found = set()
    for (above, below), by in ((join, by) for join in joins for by in range(posed.n_ways)):
        pair = turned(above, posed.n, by), turned(below, posed.n, by)
        found.add(pair[::-1] if by & HALF_TURN else pair)
    return sorted(found)


@dataclass(frozen=True, eq=False)
class RowsByHand:
    """What the examiner said of R rows, in all `WAYS`.

    Attributes
    ----------
    names : tuple of (str, str)
        Of each row as it stands, and from behind.
    said : Arrangement
        Of rows by these names: to them "right of" is "below".
    kept : dict of (int, int) to int
        Of rows in all ways, numbered row + R · way, that are to stand below each other: by how many pixels the lower
        one begins right of the upper one.
    avoided : list of (int, int, int)
        Rows, and where the lower one is not to begin below the upper one.
    least_px : float
        What begins less than so far from another place begins there: half a piece.
    """

    names: tuple[Pair, ...]
    said: Arrangement
    kept: dict[Join, int]
    avoided: list[tuple[int, int, int]]
    least_px: float

    @classmethod
    def of(cls, runs: Sequence[Run], by_hand: ByHand, pieces: Standing, whole: bool = False) -> "RowsByHand":
        """Tell of rows what was said of the pieces in them; what contradicts what was told before is left out.

        Whole rows all begin at one place, unless it is said otherwise: how they were put is of no account then.
        """
        posed, n_rows = pieces.posed, len(runs)
        standing = in_all_ways(runs, posed)
        where = {pose: (row, at) for row, run in enumerate(standing) for at, pose in enumerate(run) if pose != EMPTY}
        shown = [pieces.paper(next(pose for pose in run if pose != EMPTY)).id for run in runs]
        names = tuple((f"the row of {one}", f"the row of {one} from behind") for one in shown)
        stands = {row: row for row, run in enumerate(runs) if any(pose % posed.n in by_hand.turned for pose in run)}
        fixed = [*stands]

        def placed(joins: Iterable[Join]) -> list[tuple[int, int, int]]:
            found = []
            for pair in joins:
                if where.keys() >= {*pair}:
                    (above, first), (below, second) = (where[pose] for pose in pair)
                    if above % n_rows != below % n_rows:
                        right_px = _left_px(standing[above], first, pieces) - _left_px(standing[below], second, pieces)
                        found.append((above, below, right_px))
            return found

        least_px = float(np.median([piece.width_px for piece in pieces.faces])) / 2
        kept: dict[Join, int] = {}
        for above, below, right_px in placed(by_hand.confirmed_below):
            kept.setdefault((above, below), right_px)
        for above, below, right_px in placed(by_hand.held_below):
            if not whole or abs(right_px) < least_px:
                kept.setdefault((above, below), right_px)

        def named(pairs: Iterable[Pair]) -> set[Pair]:
            """Name rows as they stand, as far as all that is said lets each stand in one way."""
            told, poses = set(), posed.standing(by_hand.said)
            for pair in sorted(pairs):
                rows = [where[poses[one]][0] for one in pair if one in poses and poses[one] in where]
                known = len(rows) == sum(one != MARGIN for one in pair)
                holds = MARGIN in pair or tuple(rows) in kept
                if known and holds and all(stands.get(row % n_rows, row) == row for row in rows):
                    stands.update({row % n_rows: row for row in rows})
                    of = iter(rows)
                    left, right = (MARGIN if one == MARGIN else _name(next(of), names) for one in pair)
                    told.add((left, right))
            return {pair for pair in told if pair[0] != pair[1]}

        confirmed, held = named(by_hand.said.confirmed_below), named(by_hand.said.held_below)
        upside_down = {_name(row, names) for row in stands.values() if row // n_rows & HALF_TURN}
        said = Arrangement(
            half_turned=frozenset(upside_down),
            turned_by_hand=frozenset(_name(stands[row], names) for row in fixed),
            confirmed=frozenset(confirmed),
            held=frozenset(held - confirmed),
        )
        return cls(names, said, kept, placed(by_hand.avoided_below), least_px)


def in_all_ways(runs: Sequence[Run], posed: Posed) -> list[Run]:
    """List rows as they are, then in each other of the `WAYS` that there are."""
    return [turned_run(run, posed.n, way) for way in WAYS[: posed.n_ways] for run in runs]


def _name(row: int, names: Sequence[Pair]) -> str:
    """Return the name of the face of a row that is seen in one of the ways."""
    return names[row % len(names)][row // len(names) // OVER]


def _left_px(run: Run, at: int, pieces: Standing) -> int:
    """Measure how far right of its row's beginning a piece stands; empty places are as wide as others."""
    usual = int(np.median([pieces.paper(pose).width_px for pose in run if pose != EMPTY]))
    return sum(usual if pose == EMPTY else pieces.paper(pose).width_px for pose in run[:at])
