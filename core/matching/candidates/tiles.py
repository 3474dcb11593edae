"""Tiles of joins: some right and some left edges compared roughly, all with all, of which the best are kept."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.arrays import Doubles, Floats, Indices, Mask
from core.matching.candidates.nearest import Nearest
from core.matching.laying import Laying, unlike_ways_up
from core.matching.shifts import overlap, shifts_up_to
from core.parallel import HERE, Workers, n_threads
from core.progress import Progress, no_progress, part
from core.system.interim import NOWHERE, Interim
from core.wording import QT_TRANSLATE_NOOP

LOOKING = QT_TRANSLATE_NOOP("progress", "Looking for candidates")
"""Shown while edges are compared roughly."""

COMPARING = QT_TRANSLATE_NOOP("progress", "Comparing borders")
PRICING = QT_TRANSLATE_NOOP("progress", "Comparing borders of shred {number} of {n}")
"""Shown while they are compared exactly: all at once, or those of one shred after the other."""

_TILES = "tiles of rough prices"

POOLED_ROWS = 2
"""Rows of embeddings that are taken together."""

Profile: TypeAlias = tuple[Floats, Floats, Callable[[Floats], Floats]]
"""What is scaled to correlate along right and left edges, (2 n, rows) each, and the logarithm of its ratio."""


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
            progress(step / len(shifts), LOOKING)
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
        The edges, as `core.matching.candidates.nearest.Nearest` counts them.
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


BestOfTile: TypeAlias = Callable[[tuple[Tile, int], Progress], list[NDArray[Any]]]
"""What finds the cheapest joins of every edge of a tile."""


def best_of_tiles(
    tile_of: Callable[[slice, slice], Tile],
    tiles: Sequence[tuple[slice, slice]],
    n_edges: int,
    n_kept: int,
    progress: Progress = no_progress,
    workers: Workers = HERE,
    interim: Interim = NOWHERE,
    on_a_card: BestOfTile | None = None,
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
    on_a_card : callable, optional
        Does what `best_of_tile` does, one tile after the other; then `workers` are not asked.

    Returns
    -------
    list of ndarray of shape (m,)
        Both edges, the costs, and the shifts in rows, ascending by the edges.
    """
    nearest, n_done, stage = Nearest(n_edges, n_kept), 0, _TILES if on_a_card is None else f"{_TILES} on a card"
    if known := interim.latest(stage):
        n_done = int(known.pop("n_done"))
        nearest.add_joins([known[name] for name in sorted(known)])
    rest = tiles[n_done:]
    tasks, of_rest = ((tile_of(*tile), n_kept) for tile in rest), part(progress, n_done / len(tiles), 1.0)
    if on_a_card is None:
        side_by_side = workers.near and n_threads()[0] == 1
        who = HERE if side_by_side else workers
        found = who.map(best_of_tile, tasks, len(rest), LOOKING, of_rest, same="all")
    else:
        found = HERE.map(on_a_card, tasks, len(rest), LOOKING, of_rest)
    for joins in found:
        nearest.add_joins(joins)
        n_done += 1
        if interim.due:
            state = {f"column {number}": array for number, array in enumerate(nearest.state())}
            interim.keep(stage, {"n_done": np.array(n_done), **state})
    return nearest.kept()


def best_of_tile(task: tuple[Tile, int], progress: Progress) -> list[NDArray[Any]]:
    """Find the cheapest joins of every edge of a tile: what is among the best of all is among these.

    Parameters
    ----------
    task : (Tile, int)
        The tile, and how many joins are kept of an edge.
    progress : Progress
        Fraction and text.

    Returns
    -------
    list of ndarray of shape (k,)
        Both edges, the costs, and the shifts in rows.
    """
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
