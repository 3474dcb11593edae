"""Candidates: the few joins of every border that are worth pricing exactly, among all heights and both ways up.

Every shred takes part in both poses (`core.matching.poses`). All joins are priced roughly first: from pairs of rows,
shifted by pairs of rows, in the few dimensions in which embeddings spread most; contours and lines of print count with
them, since many borders bear hardly any ink. On real shreds laid anyhow the true neighbour is among the 32 cheapest for
99.7 % of borders (by ink alone for 97.9 %).
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Indices
from core.matching.candidates.pooled import Rough, rule_out
from core.matching.candidates.tiles import Tile, best_of_tiles
from core.matching.costs import N_STRANGERS
from core.matching.laying import Laying, laying_of
from core.matching.poses import twin
from core.parallel import HERE, Workers
from core.progress import Progress, no_progress
from core.system.interim import NOWHERE, Interim
from core.system.keras_import import on_a_card

PER_BORDER = 48
"""So many candidates are kept of every border."""

TILE_POSES = 512

TILE_ON_A_CARD = 4096
"""There what tiles are compared by, and all that is computed of one, takes some 1.5 GB."""

POSES_WORTH_A_CARD = 3000
"""Below, a card takes longer to be made ready than it saves."""

SURE_GAP = 4.0
"""Joins that stand out so many times more than strangers do tell how shreds were laid."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """m joins of poses, each with the shift at which it looked best; a join and its half-turned twin count as one.

    Attributes
    ----------
    left, right : ndarray of shape (m,), intp
        Poses.
    shift_rows : ndarray of shape (m,), int16
        By how many rows the right one is to be moved down.
    """

    left: Indices
    right: Indices
    shift_rows: NDArray[np.int16]

    def with_twins(self, n: int) -> tuple[NDArray[np.int32], NDArray[np.int32], Indices]:
        """List these joins and their twins.

        Parameters
        ----------
        n : int
            How many shreds there are.

        Returns
        -------
        left, right : ndarray of shape (2 m,), int32
            In ascending order, as in `core.matching.costs.Costs`.
        which : ndarray of shape (2 m,), intp
            Which of these joins each is, or is the twin of.
        """
        left = np.concatenate([self.left, twin(self.right, n)])
        right = np.concatenate([self.right, twin(self.left, n)])
        order = np.lexsort((right, left))
        return left[order].astype(np.int32), right[order].astype(np.int32), order % max(1, len(self.left))


def learn_laying(
    rough: Rough,
    least_rows: int,
    most_rows: int,
    progress: Progress = no_progress,
    heights: NDArray[np.int16] | None = None,
) -> Laying:
    """Learn from some of the shreds, where their neighbours are sure, how far off shreds lie.

    Parameters
    ----------
    rough : Rough
        Of shreds as they lie, or of both ways up.
    least_rows, most_rows : int
        Neighbours are looked for at least, and at most, so far off, in rows of embeddings.
    progress : Progress
        Fraction and text.
    heights : ndarray of shape (k,), int16, optional
        So many rows each pose is to be moved down for all to lie at the same heights, if it were paper that tells them.

    Returns
    -------
    Laying
        Of the set: with these heights if neighbours lie nearer at them than in the frame.
    """
    cost, shift_rows = rough.compare(rough.sampled, most_rows, progress=progress)
    rule_out(cost, rough.sampled, rough.n)
    n_borders = len(cost)
    if cost.shape[1] < N_STRANGERS + (4 if rough.n else 3):
        return laying_of(np.zeros(0, np.int16), n_borders, least_rows, most_rows)
    best = cost.argmin(axis=1)
    # By how much strangers are cheaper by chance is told by strangers, see `core.matching.costs.Costs.of_all_cues`.
    cheapest = np.sort(np.partition(cost, N_STRANGERS + 1, axis=1)[:, : N_STRANGERS + 2], axis=1)
    by_chance = float(np.median(cheapest[:, -1] - cheapest[:, 1:-1].mean(axis=1)))
    gap = cheapest[:, 1] - cheapest[:, 0]
    # Of all that claim one neighbour only the surest is believed.
    surest = np.zeros(cost.shape[1], gap.dtype)
    np.maximum.at(surest, best, gap)
    sure = (gap > SURE_GAP * by_chance) & (gap == surest[best])
    left, right = rough.sampled[sure], best[sure]
    in_frame = shift_rows[sure, right]
    layings = [laying_of(in_frame, n_borders, least_rows, most_rows)]
    if heights is not None:
        shift_rows = replace(layings[0], heights=heights).from_heights(in_frame, left, right)
        layings.append(replace(laying_of(shift_rows, n_borders, least_rows, most_rows), heights=heights))
    return min(layings, key=lambda laying: (laying.max_shift_rows, laying.spread_rows))


def find_candidates(
    rough: Rough,
    upright: Floats,
    laying: Laying,
    progress: Progress = no_progress,
    workers: Workers = HERE,
    interim: Interim = NOWHERE,
) -> Candidates:
    """Price all joins of poses roughly, and keep the cheapest of every border.

    Parameters
    ----------
    rough : Rough
        Of 2 n poses; it is moved to the heights of the laying.
    upright : ndarray of shape (n,), float32
        Logarithm of the odds that a shred is the right way up as it lies.
    laying : Laying
        How far off neighbours are looked for.
    progress : Progress
        Fraction and text.
    workers : Workers
        Price the tiles of joins.
    interim : Interim
        Keeps how far that is.

    Returns
    -------
    Candidates
        Of every edge at least `PER_BORDER`, as far as there are so many; none of a shred with itself.
    """
    n, of_poses = len(upright), np.concatenate([upright, -upright])

    def tile(i: slice, j: slice) -> Tile:
        left, right = np.arange(i.start, i.stop), np.arange(j.start, j.stop)
        # Of a join and its twin the one that comes first stands for both; a shred is not beside itself.
        ruled_out = (left[:, None] >= twin(right, n)) | (left[:, None] == right)
        # The left edge of a pose is the right one of its twin.
        odds = of_poses[i], of_poses[j]
        return Tile(rough.tile(i, j), left, twin(right, n), ruled_out, laying.max_shift_rows, laying, odds)

    if laying.heights is not None:
        rough.move(laying.heights)
    tiles, there = _tiles(n, TILE_POSES), None
    if worth_a_card(2 * n):
        from core.matching.candidates.card import best_of_tile_on_a_card

        tiles, there = _tiles(n, TILE_ON_A_CARD), best_of_tile_on_a_card
    found = best_of_tiles(tile, tiles, 2 * n, PER_BORDER, progress, workers, interim, there)
    left, right, _, shift_rows = found
    right = twin(right, n)
    return Candidates(left, right, laying.in_frame(shift_rows, left, right))


def worth_a_card(n_poses: int) -> bool:
    """Return whether a graphics card is there, and so many poses are worth it."""
    return n_poses >= POSES_WORTH_A_CARD and on_a_card()


def _tiles(n: int, size: int) -> list[tuple[slice, slice]]:
    """Divide the joins of 2 n poses into tiles, of which, together with those of the twins, every join is in one."""
    return [
        (slice(i, min(i + size, end)), slice(j, min(j + size, stop)))
        for start, end, begin, stop in ((0, n, 0, n), (0, n, n, 2 * n), (n, 2 * n, 0, n))
        for i in range(start, end, size)
        for j in range(begin, stop, size)
        # Joins of unlike poses have their twins in the same quarter: half of it is enough.
        if begin == start or i - start <= j - begin
    ]
