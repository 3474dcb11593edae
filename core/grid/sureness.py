"""How sure it is that a piece of cross-cut paper stands directly below another one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp

import numpy as np
from scipy.special import expit

from core.arrangement.arrangement import Arrangement, Pair
from core.arrangement.grid import joins_below
from core.arrays import Doubles, Floats, Indices
from core.faces.posed import Posed
from core.faces.ways import turned_join
from core.grid.by_hand import ByHand, in_all_ways
from core.grid.margins import Margins, margin_costs
from core.grid.stacking import lines_of_rows, on_all_faces
from core.grid.standing import EMPTY, Run, Standing, inked
from core.matching.confidence import JoinBelow
from core.matching.costs import Join

KNOWN_BEFORE = 3.7
"""So much speaks for a join, in nats, before its borders are asked and all its rivals: pages were found as a whole."""

PER_NAT = 0.66
"""So much counts what borders tell: several side by side tell much of the same."""

PER_SIDE = 0.19
"""So much counts the logarithm of how sure each join beside the two pieces is. These three numbers fit joins of pages
cut in software; what comes of them on others, `training.evaluate --cross-cut` tells."""

LEAST_SURE = exp(-4.0)
"""What is less sure is as good as wrong."""

MOST_LINES = 3.0
"""Lines of print that do not go on at their distance speak so much against two rows at most, in nats."""

MOST = 20.0
"""More than this, in nats, makes nothing surer."""

LEAST = 0.01
"""What is less likely to stand somewhere is not listed, unless it stands there."""


@dataclass(frozen=True, eq=False)
class Downwards:
    """What borders tell of n pieces below each other.

    Attributes
    ----------
    pieces : Standing
        The n pieces.
    prices : ndarray of shape (ways · n, ways · n), float32
        Of each pose below each other, against one drawn by lot, see `core.grid.costs.price_down`.
    """

    pieces: Standing
    prices: Floats


def how_sure_below(told: Downwards, arrangement: Arrangement, beside: Mapping[Pair, float]) -> tuple[JoinBelow, ...]:
    """Estimate how sure each join downwards is, and what could stand there instead.

    For a join speak its own borders and those of the pieces beside it, these as far as it is sure that they stand
    beside it; so do lines of print, and margins of whole rows. Against it speaks what could stand below the one piece
    instead, or above the other: many that tell little are as bad as one that tells much. Joins beside the two that are
    not sure make it less sure. What could stand there instead shares what that leaves.

    Parameters
    ----------
    told : Downwards
        Of the pieces that were compared.
    arrangement : Arrangement
        Each of its pages is a row. What the examiner said of joins downwards holds.
    beside : mapping of Pair to float
        How sure joins side by side are that stand, but for those of which nothing is known.

    Returns
    -------
    tuple of JoinBelow
        Sorted; of pieces as they stand: all that stand below each other, and of others those that are not unlikely.
    """
    posed, stands = told.pieces.posed, told.pieces.posed.standing(arrangement)
    names = [shred for page in arrangement.pages for shred in page if shred in stands]
    if not names:
        return ()
    poses, number = np.array([stands[name] for name in names], np.intp), {name: at for at, name in enumerate(names)}
    doubts, sides = np.zeros(len(names)), {}
    for (left, right), sure in beside.items():
        if {left, right} <= stands.keys():
            doubts[[number[left], number[right]]] += np.log(max(sure, LEAST_SURE))
            sides[stands[left], stands[right]] = sure
    rows = [tuple(stands.get(shred, EMPTY) for shred in page) for page in arrangement.pages]
    whole = len({*map(len, rows)}) == 1 and not any(right_px for _, _, right_px in arrangement.grid_places.values())
    by_hand = ByHand.of(arrangement, posed)
    evidence = _evidence(told, rows, sides, whole, by_hand)
    _hold(evidence, by_hand)
    below, above = evidence[poses], evidence[:, poses].T
    there = joins_below(arrangement, lambda shred: told.pieces.shreds[shred].width_px)
    standing = [(number[one], number[other]) for one, other in there if number.keys() >= {one, other}]
    found = np.zeros((len(names), len(names)))
    for one, other in standing:
        own = below[one, poses[other]]
        below[one, poses[other]] = above[other, poses[one]] = -np.inf
        rivals = np.logaddexp.reduce(np.concatenate([below[one], above[other]]))
        more = np.clip(own - rivals, -MOST, MOST) if np.isfinite(own) else -MOST
        found[one, other] = expit(KNOWN_BEFORE + PER_NAT * more + PER_SIDE * (doubts[one] + doubts[other]))
    of_above, of_below = _shares(below, poses, 1 - found.sum(axis=1)), _shares(above, poses, 1 - found.sum(axis=0)).T
    instead = np.minimum(of_above, of_below)
    listed = {*standing, *zip(*(at.tolist() for at in np.nonzero(instead >= LEAST)), strict=True)}
    return tuple(
        JoinBelow(names[one], names[other], float(found[one, other] or instead[one, other]))
        for one, other in sorted(listed, key=lambda join: (names[join[0]], names[join[1]]))
    )


def _shares(evidence: Doubles, poses: Indices, left: Doubles) -> Doubles:
    """Share what is left of each piece's certainty among all that could stand there, and that nothing does."""
    weights = np.exp(PER_NAT * np.minimum(evidence, MOST))
    return np.asarray(weights[:, poses] * (left / (1 + weights.sum(axis=1)))[:, None])


def _evidence(
    told: Downwards, rows: Sequence[Run], sides: Mapping[Join, float], whole: bool, by_hand: ByHand
) -> Doubles:
    """Sum what speaks for each pose below each other, in nats; -inf where that cannot be.

    Of whole rows each begins where the others do. What the examiner said of two pieces tells of those beside them, too.
    """
    posed, pieces = told.pieces.posed, told.pieces
    standing = in_all_ways(rows, posed)
    row, column = np.full((2, posed.costs.n), EMPTY)
    for number, run in enumerate(standing):
        for at, pose in enumerate(run):
            if pose != EMPTY:
                row[pose], column[pose] = number, at
    of_rows = np.minimum(lines_of_rows(rows, pieces), MOST_LINES)
    if whole:
        of_rows += on_all_faces(margin_costs(standing, Margins(pieces)), len(rows))
    borders = -told.prices.astype(np.float64)
    for joins, tells in ((by_hand.confirmed_below, MOST), (by_hand.avoided_below, -MOST)):
        for join in joins:
            borders[join] = tells
    evidence = with_sides(borders, standing, _in_all_ways(sides, posed))
    evidence -= of_rows[np.ix_(row, row)]
    apart = (row[:, None] == EMPTY) | (row == EMPTY) | (row[:, None] % len(rows) == row % len(rows))
    evidence[apart | (whole & (column[:, None] != column))] = -np.inf
    return evidence


def with_sides(told: Doubles, rows: Sequence[Run], sides: Mapping[Join, float]) -> Doubles:
    """Add to what borders tell what those of the pieces beside tell, as far as it is sure that they stand beside.

    Parameters
    ----------
    told : ndarray of shape (m, m), float64
        Of each of m poses below each other.
    rows : sequence of Run
        In which poses stand side by side.
    sides : mapping of (int, int) to float
        How sure that is of poses, of which the second stands right of the first.

    Returns
    -------
    ndarray of shape (m, m), float64
        What is told of two poses, and of their neighbours, of the neighbours of these, and so on.

    Examples
    --------
    Poses 0 and 1 stand beside each other, 2 and 3 below them, all of it half sure.

    >>> told = np.zeros((4, 4))
    >>> told[0, 2], told[1, 3] = 1.0, 8.0
    >>> with_sides(told, [(0, 1), (2, 3)], {(0, 1): 0.5, (2, 3): 0.5})[0, 2]
    np.float64(3.0)
    """
    m = len(told)
    total = told.copy()
    for step in (1, -1):
        to, sure = np.full(m, m), np.zeros(m)
        for pair, one in sides.items():
            here, there = pair[::step]
            to[here], sure[here] = there, one
        summed = np.pad(told, ((0, 1), (0, 1)))
        for run in rows:
            for pose in inked(run)[::-step]:  # from the far end on
                summed[pose, :m] += sure[pose] * sure * summed[to[pose], to]
        total += summed[:m, :m] - told
    return total


def _in_all_ways(sides: Mapping[Join, float], posed: Posed) -> dict[Join, float]:
    """Tell of joins side by side how sure they are when all paper is turned."""
    ways = range(posed.n_ways)
    return {turned_join(*join, posed.n, by): sure for join, sure in sides.items() for by in ways}


def _hold(evidence: Doubles, by_hand: ByHand) -> None:
    """Rule out what contradicts the examiner: forbidden joins, and all rivals of confirmed ones."""
    for above, below in by_hand.avoided_below:
        evidence[above, below] = -np.inf
    for above, below in by_hand.confirmed_below:
        own = evidence[above, below]
        evidence[above] = evidence[:, below] = -np.inf
        evidence[above, below] = own
