"""Candidates: the few joins of every border that are worth pricing exactly, among all heights and both ways up.

Every shred takes part twice: as it lies, a *pose* with the shred's own number, and half-turned about the middle of the
common frame, with that number plus n. The right edge of the one pose is the left edge of the other, upside down; so the
join of i with j is the join of j's other pose with i's, seen upside down, and is reckoned once.

Both networks look at every edge, one at it as it lies, the other at it half-turned. Their embeddings side by side make
one of 2 d numbers, and the distance of two such is that of the two views together.

All joins are priced roughly first: from pairs of rows, shifted by pairs of rows, in the few dimensions in which
embeddings spread most. On real shreds the true neighbour is nearly always among the 32 cheapest of either border.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.arrays import Doubles, Floats, Indices
from core.matching.costs import temperature_of
from core.matching.shifts import overlap, shifts_up_to
from core.progress import Progress, no_progress
from core.wording import QT_TRANSLATE_NOOP

Value = TypeVar("Value", np.float32, np.int16, np.bool_)

Pose = TypeVar("Pose", int, Indices)

_LOOKING = QT_TRANSLATE_NOOP("progress", "Looking for candidates")

POOLED_ROWS = 2
"""Rows of embeddings that are taken together."""

N_DIMENSIONS = 16

PER_BORDER = 64
"""So many candidates are kept of every border."""

SUREST_WAY_UP = 6.0
"""Nothing is surer than this logarithm of odds about which way up a shred is: one in 400 is not as it looks."""

SAMPLED_ROWS = 200_000
"""From so many rows at most the directions are found in which embeddings spread."""

TILE_POSES = 512


@dataclass(frozen=True, eq=False)
class Edges:
    """What is compared of 2 n poses: embeddings of both edges, without those of blank paper.

    Attributes
    ----------
    right, left : ndarray of shape (2 n, h', 2 d), float32
        0 where there is no ink.
    blank : ndarray of shape (2 d,), float32
        How the embeddings of blank paper differ, right from left.
    """

    right: Floats
    left: Floats
    blank: Floats

    @property
    def n_rows(self) -> int:
        """How many rows an edge has."""
        return self.right.shape[1]

    @property
    def of_blank(self) -> float:
        """Distance of a row of blank paper from another."""
        return float(np.square(self.blank, dtype=np.float64).sum())

    @cached_property
    def above_blank(self) -> tuple[Doubles, Doubles]:
        """By how much the first 0 … h' rows are dearer beside blank paper than blank paper is: (2 n, h' + 1) twice."""
        right, left = self.right, self.left
        of_right = np.einsum("nhd,nhd->nh", right, right) + 2 * right @ self.blank
        of_left = np.einsum("nhd,nhd->nh", left, left) - 2 * left @ self.blank
        up_to = [np.cumsum(rows, axis=1, dtype=np.float64) for rows in (of_right, of_left)]
        return np.pad(up_to[0], ((0, 0), (1, 0))), np.pad(up_to[1], ((0, 0), (1, 0)))


def twin(pose: Pose, n: int) -> Pose:
    """Return the other pose of the same shred.

    Parameters
    ----------
    pose : int or ndarray of intp
        Below 2 n.
    n : int
        How many shreds there are.

    Returns
    -------
    int or ndarray of intp
        Below 2 n.
    """
    return (pose + n) % (2 * n)


def edges_of_poses(
    as_they_lie: tuple[Floats, Floats], half_turned: tuple[Floats, Floats], blank: tuple[Floats, Floats]
) -> Edges:
    """Put the embeddings of all edges side by side, in both views and both poses.

    Parameters
    ----------
    as_they_lie : tuple of two ndarray of shape (n, h', d), float32
        Embeddings of the right and the left borders.
    half_turned : tuple of two ndarray of shape (n, h', d), float32
        Those of the same shreds, half-turned as a whole sheet is: the first row is the last.
    blank : tuple of two ndarray of shape (d,), float32
        Of blank paper, right and left.

    Returns
    -------
    Edges
        Scaled so that distances are means over both views.
    """
    scale = np.float32(np.sqrt(0.5))
    of_right, of_left = blank
    right, left = (as_they_lie[0] - of_right) * scale, (as_they_lie[1] - of_left) * scale
    turned_right, turned_left = (half_turned[0] - of_right) * scale, (half_turned[1] - of_left) * scale
    rights = np.concatenate([_side_by_side(right, turned_left), _side_by_side(turned_right, left)])
    lefts = np.concatenate([_side_by_side(left, turned_right), _side_by_side(turned_left, right)])
    difference = (of_right - of_left) * scale
    return Edges(rights, lefts, np.concatenate([difference, -difference]))


def _side_by_side(view: Floats, upside_down: Floats) -> Floats:
    return np.concatenate([view, upside_down[:, ::-1]], axis=2)


def in_both_poses(right: NDArray[Value], left: NDArray[Value]) -> tuple[NDArray[Value], NDArray[Value]]:
    """Return values along the edges of n shreds for both poses of each.

    Parameters
    ----------
    right, left : ndarray of shape (n, rows, …)
        Along the right and the left edges, as the shreds lie.

    Returns
    -------
    right, left : ndarray of shape (2 n, rows, …)
        Those of the half-turned poses are the other edge's, in reversed order.
    """
    return np.concatenate([right, left[:, ::-1]]), np.concatenate([left, right[:, ::-1]])


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

    def everywhere(self, values: NDArray[Value], n: int, otherwise: float) -> NDArray[Value]:
        """Put values of joins into a matrix, once more for their twins.

        Parameters
        ----------
        values : ndarray of shape (m,)
            Of these joins.
        n : int
            How many shreds there are.
        otherwise : float
            Value of joins that are no candidates.

        Returns
        -------
        ndarray of shape (2 n, 2 n)
            Of the values' type.
        """
        matrix = np.full((2 * n, 2 * n), otherwise, dtype=values.dtype)
        matrix[self.left, self.right] = values
        matrix[twin(self.right, n), twin(self.left, n)] = values
        return matrix


def find_candidates(edges: Edges, upright: Floats, max_shift_rows: int, progress: Progress = no_progress) -> Candidates:
    """Price all joins of poses roughly, and keep the cheapest of every border.

    Parameters
    ----------
    edges : Edges
        Of 2 n poses.
    upright : ndarray of shape (n,), float32
        Logarithm of the odds that a shred is the right way up as it lies.
    max_shift_rows : int
        Largest shift, in rows of embeddings.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Candidates
        Of every edge at least `PER_BORDER`, as far as there are so many; none of a shred with itself.
    """
    cost, shift_rows = _rough(_pooled(edges), max_shift_rows // POOLED_ROWS, progress)
    n = len(cost) // 2
    if len(cost) > PER_BORDER:
        of_poses = np.concatenate([upright, -upright])
        same_way = unlike_ways_up(of_poses[:, None], of_poses)
        cost += np.float32(temperature_of(cost, np.full(len(cost), np.inf, np.float32))) * same_way
        near = np.zeros(cost.shape, np.bool_)
        nearest = np.argpartition(cost, PER_BORDER - 1, axis=1)[:, :PER_BORDER]
        np.put_along_axis(near, nearest, True, axis=1)
        # The cheapest of every column are those of the twin's row.
        near |= _twins(near)
    else:
        near = np.ones(cost.shape, np.bool_)
    near &= np.isfinite(cost)
    left, right = np.nonzero(near)
    # Of a join and its twin the one that comes first stays.
    first = left * 2 * n + right <= twin(right, n) * 2 * n + twin(left, n)
    left, right = left[first], right[first]
    return Candidates(left, right, shift_rows[left, right] * np.int16(POOLED_ROWS))


def unlike_ways_up(one: Floats, other: Floats) -> Floats:
    """Compute minus the logarithm of how much likelier two poses are both upright, or both not, than by chance.

    Parameters
    ----------
    one, other : ndarray of float32
        Logarithms of the odds that either is upright, of shapes that fit together.

    Returns
    -------
    ndarray of float32
        Between -log 2, where both are surely alike, and some 5.
    """
    likely = [1 / (1 + np.exp(-np.clip(odds, -SUREST_WAY_UP, SUREST_WAY_UP))) for odds in (one, other)]
    return np.asarray(-np.log(2 * (likely[0] * likely[1] + (1 - likely[0]) * (1 - likely[1]))), dtype=np.float32)


def _twins(matrix: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return what the half-turned twin of every join has in a matrix."""
    n = len(matrix) // 2
    return np.roll(matrix.T, (n, n), axis=(0, 1))


def _pooled(edges: Edges) -> Edges:
    """Take rows together, in the directions in which embeddings spread most."""
    n_rows = edges.n_rows // POOLED_ROWS
    # An edge's rows are the other pose's in reversed order: what is left over is left out at both ends.
    start = (edges.n_rows - n_rows * POOLED_ROWS) // 2

    def means(values: Floats) -> Floats:
        within = values[:, start : start + n_rows * POOLED_ROWS]
        return within.reshape(len(values), n_rows, POOLED_ROWS, -1).mean(axis=2)

    right, left = means(edges.right), means(edges.left)
    rows = np.concatenate([right.reshape(-1, right.shape[2]), left.reshape(-1, left.shape[2])])
    rows = rows[np.abs(rows).max(axis=1) > 0]
    rows = rows[:: max(1, len(rows) // SAMPLED_ROWS)].astype(np.float64)
    _, directions = np.linalg.eigh(rows.T @ rows + 1e-9 * np.eye(rows.shape[1]))
    chosen = directions[:, -N_DIMENSIONS:].astype(np.float32)
    return Edges(right @ chosen, left @ chosen, edges.blank @ chosen)


def _rough(edges: Edges, max_shift: int, progress: Progress) -> tuple[Floats, NDArray[np.int16]]:
    """Compare all edges at all shifts, tile by tile; a tile and that of the twins are one."""
    n_poses, n_rows = len(edges.right), edges.n_rows
    n = n_poses // 2
    right, left = edges.right, edges.left
    sums, shifts = edges.above_blank, shifts_up_to(max_shift, n_rows)
    cost = np.full((n_poses, n_poses), np.inf, dtype=np.float32)
    shift_rows = np.zeros((n_poses, n_poses), dtype=np.int16)
    tiles = [
        (slice(i, min(i + TILE_POSES, end)), slice(j, min(j + TILE_POSES, stop)))
        for start, end, begin, stop, twice in ((0, n, 0, n, False), (0, n, n, n_poses, True), (n, n_poses, 0, n, True))
        for i in range(start, end, TILE_POSES)
        for j in range(begin, stop, TILE_POSES)
        # Joins of unlike poses have their twins in the same quarter: half of it is enough.
        if not twice or i - start <= j - begin
    ]
    for number, (i, j) in enumerate(tiles):
        best, best_shift = cost[i, j], shift_rows[i, j]
        for step, shift in enumerate(shifts):
            progress((number + step / len(shifts)) / len(tiles), _LOOKING)
            of_right, of_left = overlap(shift, n_rows - abs(shift))
            r, l_ = right[i, of_right], left[j, of_left]
            distance = -2 * (r.reshape(len(r), -1) @ l_.reshape(len(l_), -1).T)
            distance += (sums[0][i, of_right.stop] - sums[0][i, of_right.start])[:, None].astype(np.float32)
            distance += (sums[1][j, of_left.stop] - sums[1][j, of_left.start])[None, :].astype(np.float32)
            better = distance < best
            best[better] = distance[better]
            best_shift[better] = shift
        twin_i, twin_j = (slice(twin(one.start, n), twin(one.start, n) + one.stop - one.start) for one in (i, j))
        cost[twin_j, twin_i], shift_rows[twin_j, twin_i] = best.T.copy(), best_shift.T.copy()
    own = np.arange(n_poses)
    cost[own, own] = cost[own, twin(own, n)] = np.inf
    progress(1.0, _LOOKING)
    return cost, shift_rows
