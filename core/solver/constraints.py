"""Constraints of an order: what the examiner set by hand becomes joins to keep and joins to avoid.

Confirmed and forbidden joins hold always. A join that was made by moving shreds or merging pages is held, one that was
undone stays parted, until a confirmed or forbidden join contradicts it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrangement.arrangement import MARGIN, Arrangement, Pair
from core.arrays import Floats
from core.matching.costs import CUES, Costs, Join
from core.matching.poses import twin
from core.shreds.shred import Shred
from core.solver.chains import chains


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


def margin_joins(arrangement: Arrangement, ids: Sequence[str]) -> list[Join]:
    """List the joins that the margins rule out: a shred that begins or ends a page has no neighbour on that side.

    Parameters
    ----------
    arrangement : Arrangement
        What is held; margins where a join is confirmed are passed over.
    ids : sequence of str
        The shreds that are to be placed.

    Returns
    -------
    list of (int, int)
        Indices into `ids`.
    """
    index = {shred_id: number for number, shred_id in enumerate(ids)}
    rights, lefts = {right for _, right in arrangement.confirmed}, {left for left, _ in arrangement.confirmed}
    others = range(len(ids))
    ruled_out: list[Join] = []
    for left, right in sorted(arrangement.held):
        if left == MARGIN and right in index and right not in rights:
            ruled_out += [(other, index[right]) for other in others if other != index[right]]
        elif right == MARGIN and left in index and left not in lefts:
            ruled_out += [(index[left], other) for other in others if other != index[left]]
    return ruled_out


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


def with_twins(joins: Iterable[Join], n: int) -> list[Join]:
    """Add to joins of poses what they are upside down.

    Parameters
    ----------
    joins : iterable of (int, int)
        Of poses.
    n : int
        How many shreds there are.

    Returns
    -------
    list of (int, int)
        Sorted, each once.

    Examples
    --------
    Shred 0 of 3 as it lies is followed by shred 1 half-turned.

    >>> with_twins([(0, 4)], 3)
    [(0, 4), (1, 3)]
    """
    joins = list(joins)
    return sorted({*joins, *((twin(right, n), twin(left, n)) for left, right in joins)})


def poses_of(joins: Collection[Join], pose: Sequence[int]) -> list[Join]:
    """Translate joins of shreds to joins of the poses in which they stand.

    Parameters
    ----------
    joins : collection of (int, int)
        Of shreds.
    pose : sequence of int
        Of every shred.

    Returns
    -------
    list of (int, int)
        Of poses.
    """
    return [(pose[left], pose[right]) for left, right in joins]


def margin_joins_of_poses(
    joins: Sequence[Join], arrangement: Arrangement, ids: Sequence[str], pose: Sequence[int]
) -> list[Join]:
    """Translate the joins that margins rule out: at the margin a shred is as it stands, whatever the other's way up.

    Parameters
    ----------
    joins : sequence of (int, int)
        From `margin_joins`.
    arrangement : Arrangement
        What is held.
    ids : sequence of str
        Of n shreds.
    pose : sequence of int
        In which each of them stands.

    Returns
    -------
    list of (int, int)
        Of poses.
    """
    begins = {right for left, right in arrangement.held if left == MARGIN}
    ruled_out: list[Join] = []
    for left, right in joins:
        if ids[right] in begins:
            ruled_out += [(left, pose[right]), (left + len(ids), pose[right])]
        else:
            ruled_out += [(pose[left], right), (pose[left], right + len(ids))]
    return ruled_out


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
    aside = set(arrangement.set_aside)
    placed = {shred.id for shred in shreds if shred.id in on_pages or (shred.compared and shred.id not in aside)}
    while called := {shred for pair in arrangement.confirmed if placed & set(pair) for shred in pair} - placed:
        placed |= called
    return frozenset(placed)


def joins_by_hand(arrangement: Arrangement, ids: Sequence[str]) -> tuple[list[Join], list[Join]]:
    """List the joins to keep and those to avoid.

    Parameters
    ----------
    arrangement : Arrangement
        Its confirmed, forbidden, held and parted joins count, and its margins.
    ids : sequence of str
        The shreds that are to be placed; joins of others are left out.

    Returns
    -------
    kept, avoided : list of (int, int)
        Indices into `ids`. Every confirmed and every forbidden join is among them, even if they contradict each other.
    """
    index = {shred_id: number for number, shred_id in enumerate(ids)}
    confirmed = rows_of(arrangement.confirmed, index)
    joins = [*confirmed, *rows_of(arrangement.held - arrangement.forbidden - arrangement.confirmed, index)]
    chained = chains(len(ids), np.array(joins, dtype=np.intp).reshape(-1, 2))
    following = {left: right for chain in chained for left, right in pairwise(chain)}
    kept = sorted({*confirmed, *(join for join in joins if following.get(join[0]) == join[1])})
    undone = (set(rows_of(arrangement.parted, index)) | set(margin_joins(arrangement, ids))) - set(kept)
    return kept, sorted(undone | set(rows_of(arrangement.forbidden, index)))


def with_blank_shreds(costs: Costs, n_blank: int) -> Costs:
    """Add shreds without evidence behind the others: their borders count as blank paper.

    Parameters
    ----------
    costs : Costs
        Of n shreds.
    n_blank : int
        How many to add.

    Returns
    -------
    Costs
        Of n + n_blank shreds. Beside a blank shred stands what could as well stand at the margin, and blank shreds fit
        together and the margin no worse than any border does.
    """
    if not n_blank:
        return costs
    n = costs.n
    least = min(float(costs.to_blank.min(initial=0)), float(costs.from_blank.min(initial=0)))
    cost = np.pad(dense(costs), (0, n_blank))
    cost[:n, n:], cost[n:, :n] = costs.to_blank[:, None], costs.from_blank[None, :]
    cost[n:, n:] = least
    rest: dict[str, Any] = {cue: np.pad(dense(costs, getattr(costs, cue), 0), (0, n_blank)) for cue in CUES}
    rest |= {name: np.pad(getattr(costs, name), (0, n_blank)) for name in ("upright", "along")}
    to_blank, from_blank = (
        np.append(ends, np.full(n_blank, least, np.float32)) for ends in (costs.to_blank, costs.from_blank)
    )
    shift_px = np.pad(dense(costs, costs.shift_px, 0).astype(np.int16), (0, n_blank))
    return Costs.of_all(cost, shift_px, to_blank, from_blank, costs.temperature, **rest)


def dense(costs: Costs, values: NDArray[Any] | None = None, otherwise: float = np.inf) -> Floats:
    """Spread values of joins over a matrix."""
    spread: Floats = np.full((costs.n, costs.n), otherwise, np.float32)
    spread[costs.left, costs.right] = costs.cost if values is None else values
    return spread
