"""Candidates: the few joins of every border that are worth pricing exactly, among all heights and both ways up.

Every shred takes part in both poses (`core.matching.poses`). All joins are priced roughly first: from pairs of rows,
shifted by pairs of rows, in the few dimensions in which embeddings spread most; contours and lines of print count with
them, since many borders bear hardly any ink. On real shreds laid anyhow the true neighbour is among the 32 cheapest for
99.7 % of borders (by ink alone for 97.9 %).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.arrays import Doubles, Floats, Indices, Mask, blocks
from core.matching.costs import N_STRANGERS, temperature_of
from core.matching.laying import Laying, laying_of, unlike_ways_up
from core.matching.lowest import Nearest
from core.matching.poses import PREPARING, BothViews, Edges, twin
from core.matching.shifts import overlap, shifts_up_to
from core.parallel import HERE, Workers
from core.progress import Progress, no_progress, part
from core.system.interim import NOWHERE, Interim
from core.wording import QT_TRANSLATE_NOOP

_LOOKING = QT_TRANSLATE_NOOP("progress", "Looking for candidates")

_TILES = "tiles of rough prices"

POOLED_ROWS = 2
"""Rows of embeddings that are taken together."""

N_DIMENSIONS = 16

PER_BORDER = 48
"""So many candidates are kept of every border."""

SAMPLED_ROWS = 200_000
"""From so many rows at most the directions are found in which embeddings spread."""

TILE_POSES = 512

COMPARED_AT_ONCE = 4096
"""Left edges of which copies are held."""

N_SAMPLED = 128
"""So many shreds are enough to learn how all were laid."""

INK_SHIFT_ROWS = 12
"""Largest shift at which the temperature of ink is measured."""

SURE_GAP = 4.0
"""Joins that stand out so many times more than strangers do tell how shreds were laid."""

Profile: TypeAlias = tuple[Floats, Floats, Callable[[Floats], Floats]]
"""What is scaled to correlate along right and left edges, (2 n, rows) each, and the logarithm of its ratio."""


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


class Rough:
    """Compares all edges roughly: by ink, contour and lines of print together, at every other shift.

    Parameters
    ----------
    edges : Edges
        Of shreds as they lie, or of 2 n poses.
    profiles : sequence of Profile
        What is compared beside the ink.
    n : int, optional
        How many shreds there are in both poses.
    progress : Progress
        Fraction and text.
    """

    def __init__(
        self, edges: Edges, profiles: Sequence[Profile], n: int | None = None, progress: Progress = no_progress
    ) -> None:
        self.n = n
        self._edges, self._profiles = _pooled(edges, part(progress, 0.0, 0.8)), profiles
        self.n_lying = n or len(edges.right)
        n_sampled = min(self.n_lying, N_SAMPLED)
        self.sampled = np.unique(np.linspace(0, self.n_lying - 1, n_sampled, dtype=np.intp))
        self.temperature = 0.0
        ink, _ = self.compare(self.sampled, INK_SHIFT_ROWS, progress=part(progress, 0.8, 1.0))
        _rule_out(ink, self.sampled, n)
        self.temperature = _temperature(ink)

    def compare(
        self, i: Indices, max_shift_rows: int, progress: Progress = no_progress
    ) -> tuple[Floats, NDArray[np.int16]]:
        """Find the cheapest shift of some right and all left edges; until there is a temperature, ink alone counts."""
        lefts = blocks(len(self._edges.left), COMPARED_AT_ONCE)
        tiles = (self.tile(i, some) for some in lefts)

        def compared(tile: "RoughTile", of_tile: Progress) -> tuple[Floats, NDArray[np.int16]]:
            return tile.compare(max_shift_rows, progress=of_tile)

        found = HERE.map(compared, tiles, len(lefts), _LOOKING, progress, same="all")
        cost, shift_rows = (np.concatenate(parts, axis=1) for parts in zip(*found, strict=True))
        return cost, shift_rows

    def tile(self, i: slice | Indices, j: slice) -> "RoughTile":
        """Take of some right and some left edges what they are compared by."""
        edges, (of_right, of_left) = self._edges, self._edges.above_blank
        profiles = [(right[i], left[j], log_ratio) for right, left, log_ratio in self._profiles if self.temperature]
        return RoughTile(edges.right[i], edges.left[j], of_right[i], of_left[j], profiles, self.temperature)


@dataclass(frozen=True, eq=False)
class RoughTile:
    """Some right and some left edges, to be compared all with all: alone, so that another process can.

    Attributes
    ----------
    right, left : ndarray of shape (p, h', d) and (q, h', d), float32
        Pooled edges.
    of_right, of_left : ndarray of shape (p, h' + 1) and (q, h' + 1), float64
        As of `core.matching.poses.Edges.above_blank`.
    profiles : sequence of Profile
        What is compared beside the ink.
    temperature : float
        Of ink; 0 while it is not known.
    """

    right: Floats
    left: Floats
    of_right: Doubles
    of_left: Doubles
    profiles: Sequence[Profile]
    temperature: float

    def compare(
        self, max_shift_rows: int, laying: Laying | None = None, progress: Progress = no_progress
    ) -> tuple[Floats, NDArray[np.int16]]:
        """Find the cheapest shift of each right edge and each left edge, (p, q) twice."""
        right, left, temperature = self.right, self.left, np.float32(self.temperature)
        n_rows = right.shape[1]
        best = np.full((len(right), len(left)), np.inf, dtype=np.float32)
        best_shift = np.zeros(best.shape, dtype=np.int16)
        shifts = shifts_up_to(-(-max_shift_rows // POOLED_ROWS), n_rows)
        for step, shift in enumerate(shifts):
            progress(step / len(shifts), _LOOKING)
            of_right, of_left = overlap(shift, n_rows - abs(shift))
            r, l_ = right[:, of_right], left[:, of_left]
            cost = -2 * (r.reshape(len(r), -1) @ l_.reshape(len(l_), -1).T)
            cost += (self.of_right[:, of_right.stop] - self.of_right[:, of_right.start])[:, None].astype(np.float32)
            cost += (self.of_left[:, of_left.stop] - self.of_left[:, of_left.start])[None, :].astype(np.float32)
            # What has no counterpart is taken to differ as much as the rest.
            cost *= np.float32(n_rows / (n_rows - abs(shift)))
            shift_rows = shift * POOLED_ROWS
            for of_rights, of_lefts, log_ratio in self.profiles:
                rows, others = overlap(shift_rows, max(0, of_rights.shape[1] - abs(shift_rows)))
                cost += temperature * log_ratio(of_rights[:, rows] @ of_lefts[:, others].T)
            if laying is not None:
                cost += temperature * laying.log_ratio(np.array(shift_rows))
            better = cost < best
            best[better] = cost[better]
            best_shift[better] = shift_rows
        return best, best_shift


@dataclass(frozen=True, eq=False)
class Tile:
    """Joins of p right and q left edges, of which the best are to be found.

    Attributes
    ----------
    rough : RoughTile
        What they are compared by.
    one, other : ndarray of shape (p,) and (q,), intp
        The edges, as `core.matching.lowest.Nearest` counts them.
    ruled_out : ndarray of shape (p, q), bool
        Joins that are none, or are found as their twins.
    max_shift_rows : int
        Largest shift.
    laying : Laying, optional
        How far off neighbours lie.
    upright : tuple of ndarray of shape (p,) and (q,), float32, or None
        Logarithms of the odds that they are upright, where that counts.
    """

    rough: RoughTile
    one: Indices
    other: Indices
    ruled_out: Mask
    max_shift_rows: int
    laying: Laying | None = None
    upright: tuple[Floats, Floats] | None = None


def best_of_tiles(
    tile_of: Callable[[slice, slice], Tile],
    tiles: Sequence[tuple[slice, slice]],
    n_edges: int,
    n_kept: int,
    progress: Progress = no_progress,
    workers: Workers = HERE,
    interim: Interim = NOWHERE,
) -> list[NDArray[Any]]:
    """Find the roughly cheapest joins of every edge.

    Parameters
    ----------
    tile_of : callable
        Makes a tile of some right and some left edges.
    tiles : sequence of (slice, slice)
        Which edges; all joins together.
    n_edges, n_kept : int
        How many edges there are, and how many joins are kept of an edge.
    progress : Progress
        Fraction and text.
    workers : Workers
        Compare the tiles.
    interim : Interim
        Keeps the best of the tiles so far.

    Returns
    -------
    list of ndarray of shape (m,)
        Both edges, the costs, and the shifts in rows, ascending by the edges.
    """
    nearest, n_done = Nearest(n_edges, n_kept), 0
    if known := interim.latest(_TILES):
        n_done = int(known.pop("n_done"))
        nearest.add_joins([known[name] for name in sorted(known)])
    rest = tiles[n_done:]
    tasks, of_rest = ((tile_of(*tile), n_kept) for tile in rest), part(progress, n_done / len(tiles), 1.0)
    for joins in workers.map(_best_of_tile, tasks, len(rest), _LOOKING, of_rest, same="all"):
        nearest.add_joins(joins)
        n_done += 1
        if interim.due:
            state = {f"column {number}": array for number, array in enumerate(nearest.state())}
            interim.keep(_TILES, {"n_done": np.array(n_done), **state})
    return nearest.kept()


def _best_of_tile(task: tuple[Tile, int], progress: Progress) -> list[NDArray[Any]]:
    """Find the cheapest joins of every edge of a tile: what is among the best of all is among these."""
    tile, n_kept = task
    cost, shift_rows = tile.rough.compare(tile.max_shift_rows, tile.laying, progress)
    if tile.upright is not None:
        cost += np.float32(tile.rough.temperature) * unlike_ways_up(tile.upright[0][:, None], tile.upright[1])
    cost[tile.ruled_out] = np.inf
    edges = np.unique(np.concatenate([tile.one, tile.other]))
    nearest = Nearest(len(edges), n_kept)
    nearest.add(np.searchsorted(edges, tile.one), np.searchsorted(edges, tile.other), cost, [shift_rows])
    joins = nearest.kept()
    return [*(edges[side] for side in joins[:2]), *joins[2:]]


def learn_laying(rough: Rough, least_rows: int, most_rows: int, progress: Progress = no_progress) -> Laying:
    """Learn from some of the shreds, where their neighbours are sure, how far off shreds lie.

    Parameters
    ----------
    rough : Rough
        Of shreds as they lie, or of both ways up.
    least_rows, most_rows : int
        Neighbours are looked for at least, and at most, so far off, in rows of embeddings.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Laying
        Of the set.
    """
    cost, shift_rows = rough.compare(rough.sampled, most_rows, progress=progress)
    _rule_out(cost, rough.sampled, rough.n)
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
    return laying_of(shift_rows[sure, best[sure]], n_borders, least_rows, most_rows)


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
        Of 2 n poses.
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
        key, of_twin = left[:, None] * 2 * n + right, twin(right, n) * 2 * n + twin(left, n)[:, None]
        ruled_out = (key > of_twin) | (left[:, None] % n == right % n)
        # The left edge of a pose is the right one of its twin.
        odds = of_poses[i], of_poses[j]
        return Tile(rough.tile(i, j), left, twin(right, n), ruled_out, laying.max_shift_rows, laying, odds)

    left, right, _, shift_rows = best_of_tiles(tile, _tiles(n), 2 * n, PER_BORDER, progress, workers, interim)
    return Candidates(left, twin(right, n), shift_rows)


def _rule_out(cost: Floats, rows: Indices, n: int | None = None) -> None:
    """Rule out that a shred stands beside itself, in either pose if there are n shreds in both."""
    cost[np.arange(len(rows)), rows] = np.inf
    if n:
        cost[np.arange(len(rows)), twin(rows, n)] = np.inf


def _temperature(cost: Floats) -> float:
    if cost.shape[1] < 2:
        return 1.0
    return temperature_of(np.sort(np.partition(cost, 1, axis=1)[:, :2].astype(np.float64), axis=1))


def _tiles(n: int) -> list[tuple[slice, slice]]:
    """Divide the joins of 2 n poses into tiles, of which, together with those of the twins, every join is in one."""
    return [
        (slice(i, min(i + TILE_POSES, end)), slice(j, min(j + TILE_POSES, stop)))
        for start, end, begin, stop in ((0, n, 0, n), (0, n, n, 2 * n), (n, 2 * n, 0, n))
        for i in range(start, end, TILE_POSES)
        for j in range(begin, stop, TILE_POSES)
        # Joins of unlike poses have their twins in the same quarter: half of it is enough.
        if begin == start or i - start <= j - begin
    ]


def _pooled(edges: Edges, progress: Progress) -> Edges:
    """Take rows together, in the directions in which embeddings spread most."""
    n_rows = edges.n_rows // POOLED_ROWS
    # An edge's rows are the other pose's in reversed order: what is left over is left out at both ends.
    start = (edges.n_rows - n_rows * POOLED_ROWS) // 2

    def means(values: Floats | BothViews, poses: slice) -> Floats:
        within = values[poses][:, start : start + n_rows * POOLED_ROWS]
        edges.let_go()
        return within.reshape(len(within), n_rows, POOLED_ROWS, -1).mean(axis=2)

    def projected(values: Floats | BothViews, progress: Progress) -> Floats:
        found = []
        for block in blocks(len(values)):
            progress(block.start / len(values), PREPARING)
            found.append(means(values, block) @ chosen)
        return np.concatenate(found)

    step = max(1, len(edges.right) * n_rows // SAMPLED_ROWS)
    poses = range(0, len(edges.right), step)
    sampled = [means(values, slice(pose, pose + 1)) for values in (edges.right, edges.left) for pose in poses]
    rows = np.concatenate(sampled).reshape(-1, sampled[0].shape[2]).astype(np.float64)
    _, directions = np.linalg.eigh(rows.T @ rows + 1e-9 * np.eye(rows.shape[1]))
    chosen = directions[:, -N_DIMENSIONS:].astype(np.float32)
    right, left = projected(edges.right, part(progress, 0.0, 0.5)), projected(edges.left, part(progress, 0.5, 1.0))
    return Edges(right, left, edges.blank @ chosen)
