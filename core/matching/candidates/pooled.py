"""All edges as they are compared roughly: pairs of rows, in the few dimensions in which embeddings spread most."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.arrays import Doubles, Floats, Indices, blocks
from core.matching.candidates.tiles import LOOKING, POOLED_ROWS, Profile, RoughTile
from core.matching.costs import temperature_of
from core.matching.poses import PREPARING, BothViews, Edges, twin
from core.parallel import BLOCK_ROWS, HERE, in_blocks, map_in_order
from core.progress import Progress, no_progress, part

N_DIMENSIONS = 16

SAMPLED_ROWS = 200_000
"""From so many rows at most the directions are found in which embeddings spread."""

COMPARED_AT_ONCE = 512
"""Left edges that are compared at a time, and of which copies are held: several at once on several cores."""

N_SAMPLED = 128
"""So many shreds are enough to learn how all were laid."""

INK_SHIFT_ROWS = 12
"""Largest shift at which the temperature of ink is measured."""


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
        rule_out(ink, self.sampled, n)
        self.temperature = _temperature(ink)

    def compare(
        self, i: Indices, max_shift_rows: int, progress: Progress = no_progress
    ) -> tuple[Floats, NDArray[np.int16]]:
        """Find the cheapest shift of some right and all left edges; until there is a temperature, ink alone counts."""
        lefts = blocks(len(self._edges.left), COMPARED_AT_ONCE)
        tiles = (self.tile(i, some) for some in lefts)

        def compared(tile: "RoughTile", of_tile: Progress) -> tuple[Floats, NDArray[np.int16]]:
            return tile.compare(max_shift_rows, progress=of_tile)

        found = HERE.map(compared, tiles, len(lefts), LOOKING, progress, same="all")
        cost, shift_rows = (np.concatenate(parts, axis=1) for parts in zip(*found, strict=True))
        return cost, shift_rows

    def move(self, heights: NDArray[np.int16]) -> None:
        """Move every pose down by so many rows of embeddings, even numbers of them: what it was at first is gone."""
        edges = self._edges
        for values in (edges.right, edges.left):
            assert not isinstance(values, BothViews), "pooled edges are put together"
            _move(values, heights // POOLED_ROWS)
        self._edges = Edges(edges.right, edges.left, edges.blank)
        moved = [(right.copy(), left.copy(), log_ratio) for right, left, log_ratio in self._profiles]
        for right, left, _ in moved:
            _move(right, heights)
            _move(left, heights)
        self._profiles = moved

    def tile(self, i: slice | Indices, j: slice) -> "RoughTile":
        """Take of some right and some left edges what they are compared by."""
        edges, (of_right, of_left) = self._edges, self._edges.above_blank
        profiles = [(right[i], left[j], log_ratio) for right, left, log_ratio in self._profiles if self.temperature]
        return RoughTile(edges.right[i], edges.left[j], of_right[i], of_left[j], profiles, self.temperature)


def rule_out(cost: Floats, rows: Indices, n: int | None = None) -> None:
    """Rule out that a shred stands beside itself, in either pose if there are n shreds in both."""
    cost[np.arange(len(rows)), rows] = np.inf
    if n:
        cost[np.arange(len(rows)), twin(rows, n)] = np.inf


def _move(values: Floats, down: NDArray[np.int16]) -> None:
    """Move the rows of each pose down, in place; where nothing comes from, there is blank paper."""
    for rows, by in zip(values, down.tolist(), strict=True):
        if by:
            kept = rows[max(0, -by) : len(rows) - max(0, by)].copy()
            rows[:] = 0
            rows[max(0, by) : len(rows) - max(0, -by)] = kept


def _temperature(cost: Floats) -> float:
    if cost.shape[1] < 2:
        return 1.0
    return temperature_of(np.sort(np.partition(cost, 1, axis=1)[:, :2].astype(np.float64), axis=1))


def _pooled(edges: Edges, progress: Progress) -> Edges:
    """Take rows together, in the directions in which embeddings spread most."""
    n_rows = edges.n_rows // POOLED_ROWS
    # An edge's rows are the other pose's in reversed order: what is left over is left out at both ends.
    start = (edges.n_rows - n_rows * POOLED_ROWS) // 2

    def means(values: Floats | BothViews, poses: slice | Indices) -> Floats:
        within = values[poses][:, start : start + n_rows * POOLED_ROWS]
        return within.reshape(len(within), n_rows, POOLED_ROWS, -1).mean(axis=2)

    def projected(values: Floats | BothViews, progress: Progress) -> Floats:
        found = np.empty((len(values), n_rows, chosen.shape[1]), dtype=np.float32)

        def project(block: slice) -> None:
            found[block] = means(values, block) @ chosen

        in_blocks(project, len(values), PREPARING, progress, edges.let_go)
        return found

    def products(task: tuple[Floats | BothViews, Indices]) -> Doubles:
        values, poses = task
        rows = means(values, poses).reshape(-1, len(edges.blank)).astype(np.float64)
        edges.let_go()  # with each, the system maps much of what lies beside it
        return rows.T @ rows

    sampled = np.arange(0, len(edges.right), max(1, len(edges.right) * n_rows // SAMPLED_ROWS))
    parts = [sampled[some] for some in blocks(len(sampled), BLOCK_ROWS)]
    tasks = [(values, some) for values in (edges.right, edges.left) for some in parts]
    spread: Doubles = sum(map_in_order(products, tasks), 1e-9 * np.eye(len(edges.blank)))
    _, directions = np.linalg.eigh(spread)
    chosen = directions[:, -N_DIMENSIONS:].astype(np.float32)
    right, left = projected(edges.right, part(progress, 0.0, 0.5)), projected(edges.left, part(progress, 0.5, 1.0))
    return Edges(right, left, edges.blank @ chosen)
