"""Constraints of an order: what the examiner set by hand becomes joins to keep and joins to avoid.

Confirmed and forbidden joins hold always. A join that was made by moving shreds or merging pages is held, one that was
undone stays parted, until a confirmed or forbidden join contradicts it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from core.arrangement.arrangement import MARGIN, Arrangement, Pair
from core.arrays import Floats, Indices, Mask
from core.faces.posed import Posed
from core.faces.ways import reverses, turned, with_turned
from core.matching.costs import CUES, Costs, Join
from core.shreds.shred import Shred
from core.solver.chains import chains

MOST_BLANK = 64
"""Beside so many blank shreds any other fits, where there are more."""


def rows_of(pairs: Iterable[Pair], index: Mapping[str, int]) -> list[Join]:
    """Translate pairs of identifiers to pairs of rows.

    Parameters
    ----------
    pairs : iterable of Pair
        Joins.
    index : mapping of str to int
        Row of each shred.

    Returns
    -------
    list of (int, int)
        In the order of the rows; pairs of shreds that have none are left out.
    """
    return sorted((index[left], index[right]) for left, right in pairs if left in index and right in index)


def poses(ids: Sequence[str], half_turned: Collection[str]) -> list[int]:
    """Return the pose in which each shred stands, see `core.solver.both_ways`.

    Parameters
    ----------
    ids : sequence of str
        Of n shreds.
    half_turned : collection of str
        Those that stand upside down.

    Returns
    -------
    list of int
        Below 2 n.
    """
    return [row + len(ids) * (shred in half_turned) for row, shred in enumerate(ids)]


def placed_shreds(shreds: Sequence[Shred], arrangement: Arrangement) -> frozenset[str]:
    """Find the shreds that are to stand on pages.

    Parameters
    ----------
    shreds : sequence of Shred
        Of the case.
    arrangement : Arrangement
        What the examiner set aside, and which blank shreds and scraps stand on pages.

    Returns
    -------
    frozenset of str
        All that are compared and not set aside, the others on pages, and those that confirmed joins tie to these.
    """
    on_pages = {shred for page in arrangement.pages for shred in page}
    faces = arrangement.other_faces
    aside = {face for shred in arrangement.set_aside for face in (shred, *faces.get(shred, ())[:1])}
    placed = {shred.id for shred in shreds if shred.id in on_pages or (shred.compared and shred.id not in aside)}
    while called := {shred for pair in arrangement.confirmed if placed & set(pair) for shred in pair} - placed:
        placed |= called
    return frozenset(placed)


def margin_joins(arrangement: Arrangement, ids: Sequence[str], costs: Costs) -> list[Join]:
    """List the joins that the margins rule out: a shred that begins or ends a page has no neighbour on that side.

    Parameters
    ----------
    arrangement : Arrangement
        What is held; margins where a join is confirmed are passed over.
    ids : sequence of str
        The shreds that are to be placed.
    costs : Costs
        Of these: what is not possible by them is not listed.

    Returns
    -------
    list of (int, int)
        Indices into `ids`, ascending.
    """
    return _joins_beside(costs, *_margins_by_hand(arrangement, _index(ids)))


def margin_joins_of_poses(arrangement: Arrangement, posed: Posed) -> list[Join]:
    """List the joins of poses that the margins rule out, whichever way all paper is turned.

    Parameters
    ----------
    arrangement : Arrangement
        As in `margin_joins`. At the margin a shred is as it stands, whatever the other's way up.
    posed : Posed
        The poses, and their costs.

    Returns
    -------
    list of (int, int)
        Of poses, ascending.
    """
    margins = _margins_by_hand(arrangement, posed.standing(arrangement))
    begins, ends = [], []
    for by in range(posed.n_ways):
        one, other = ([turned(pose, posed.n, by) for pose in of_margin] for of_margin in margins)
        begins += other if reverses(by) else one
        ends += one if reverses(by) else other
    return _joins_beside(posed.costs, begins, ends)


def _index(ids: Sequence[str]) -> dict[str, int]:
    return {shred: row for row, shred in enumerate(ids)}


def _margins_by_hand(arrangement: Arrangement, index: Mapping[str, int]) -> tuple[list[int], list[int]]:
    """List the shreds that begin a page, and those that end one, but where a join is confirmed."""
    rights, lefts = {right for _, right in arrangement.confirmed}, {left for left, _ in arrangement.confirmed}
    held = sorted(arrangement.held)
    begins = [index[right] for left, right in held if left == MARGIN and right in index and right not in rights]
    ends = [index[left] for left, right in held if right == MARGIN and left in index and left not in lefts]
    return begins, ends


def _joins_beside(costs: Costs, begins: Sequence[int], ends: Sequence[int]) -> list[Join]:
    """List the possible joins to the left of what begins a page, and to the right of what ends one."""
    if not len(begins) and not len(ends):
        return []
    left, right, _ = costs.listed()
    return joins_where(np.isin(right, begins) | np.isin(left, ends), left, right)


def joins_where(chosen: Mask, left: Indices, right: Indices) -> list[Join]:
    """Return some of the joins that are listed."""
    return list(zip(left[chosen].tolist(), right[chosen].tolist(), strict=True))


def joins_by_hand(arrangement: Arrangement, ids: Sequence[str], costs: Costs) -> tuple[list[Join], list[Join]]:
    """List the joins to keep and those to avoid.

    Parameters
    ----------
    arrangement : Arrangement
        Its confirmed, forbidden, held and parted joins count, and its margins.
    ids : sequence of str
        The shreds that are to be placed; joins of others are left out.
    costs : Costs
        Of these: what margins rule out is listed as far as it is possible at all.

    Returns
    -------
    kept, avoided : list of (int, int)
        Indices into `ids`. Every confirmed and every forbidden join is among them, even if they contradict each other.
    """
    kept, undone = _joins_by_hand(arrangement, _index(ids), len(ids))
    margins = set(margin_joins(arrangement, ids, costs)) - set(kept)
    return kept, sorted(margins.union(undone))


def poses_by_hand(arrangement: Arrangement, posed: Posed) -> tuple[list[Join], list[Join]]:
    """List the joins of poses to keep and those to avoid, whichever way all paper is turned.

    Parameters
    ----------
    arrangement : Arrangement
        As in `joins_by_hand`. At the margin a shred is as it stands, whatever the other's way up.
    posed : Posed
        The poses, and their costs.

    Returns
    -------
    kept, avoided : list of (int, int)
        Of poses.
    """
    found = _joins_by_hand(arrangement, posed.standing(arrangement), posed.costs.n)
    kept, undone = (with_turned(joins, posed.n, posed.n_ways) for joins in found)
    margins = set(margin_joins_of_poses(arrangement, posed)) - set(kept)
    return kept, sorted(margins.union(undone))


def _joins_by_hand(arrangement: Arrangement, index: Mapping[str, int], n: int) -> tuple[list[Join], list[Join]]:
    """List the joins to keep, and those to avoid but for the margins', of n rows."""
    confirmed = rows_of(arrangement.confirmed, index)
    joins = [*confirmed, *rows_of(arrangement.held - arrangement.forbidden - arrangement.confirmed, index)]
    chained = chains(n, np.array(joins, dtype=np.intp).reshape(-1, 2))
    following = {left: right for chain in chained for left, right in pairwise(chain)}
    kept = sorted({*confirmed, *(join for join in joins if following.get(join[0]) == join[1])})
    undone = set(rows_of(arrangement.parted, index)) - set(kept)
    return kept, sorted(undone | set(rows_of(arrangement.forbidden, index)))


def with_blank_shreds(costs: Costs, n_blank: int, n_ways: int = 1) -> Costs:
    """Add shreds without evidence behind the others: their borders count as blank paper.

    Parameters
    ----------
    costs : Costs
        Of n shreds.
    n_blank : int
        How many to add.
    n_ways : int
        2 if the shreds on either side are poses, the half-turned ones behind those as they lie.

    Returns
    -------
    Costs
        Of n + n_blank shreds. Beside a blank shred stands what could as well stand at the margin, and blank shreds fit
        together and the margin no worse than any border does. Where blank shreds are many, any other fits beside
        `MOST_BLANK` of them in each way up: they are all alike.
    """
    if not n_blank:
        return costs
    n = costs.n
    least = min(float(costs.to_blank.min(initial=0)), float(costs.from_blank.min(initial=0)))
    shred, beside = _beside_blank(n // n_ways, n_blank // n_ways, n_ways)
    blank, other = _beside_blank(n_blank // n_ways, n_blank // n_ways, n_ways)
    both = np.unique(np.concatenate([blank * n_blank + other, other * n_blank + blank]))
    blank, other = np.divmod(both, n_blank)
    blank, other = blank[blank != other], other[blank != other]
    left, right = np.concatenate([shred, n + beside, n + blank]), np.concatenate([n + beside, shred, n + other])
    cost = [costs.to_blank[shred], costs.from_blank[shred], np.full(len(blank), least, dtype=np.float32)]
    return _larger(costs, n_blank, least, left, right, np.concatenate(cost))


def _beside_blank(n: int, n_blank: int, n_ways: int) -> tuple[Indices, Indices]:
    """Pair shreds with blank ones, in turn and in all ways up."""
    some = min(n_blank, MOST_BLANK)
    shred, step = np.divmod(np.arange(n * some), some)
    blank = (shred + step) % n_blank
    ways = [(one, other) for one in range(n_ways) for other in range(n_ways)]
    return (
        np.concatenate([shred + n * one for one, _ in ways]),
        np.concatenate([blank + n_blank * other for _, other in ways]),
    )


def _larger(costs: Costs, n_more: int, margin: float, left: Indices, right: Indices, cost: Floats) -> Costs:
    """Add shreds without evidence, and joins of theirs, behind the others."""
    left, right = np.concatenate([costs.left, left]), np.concatenate([costs.right, right])
    order = np.lexsort((right, left))
    nothing = dict.fromkeys(("shift_px", *CUES), np.zeros(len(cost), dtype=np.float32))
    margins = dict.fromkeys(("to_blank", "from_blank"), np.full(n_more, margin, dtype=np.float32))
    margins |= dict.fromkeys(("upright", "along"), np.zeros(n_more, dtype=np.float32))
    values: dict[str, Any] = {}
    for name, more in {"cost": cost, **nothing, **margins}.items():
        own = getattr(costs, name)
        values[name] = np.concatenate([own, more.astype(own.dtype)])
        if name not in margins:
            values[name] = values[name][order]
    return replace(costs, left=left[order].astype(np.int32), right=right[order].astype(np.int32), **values)
