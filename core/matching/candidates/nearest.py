"""The joins that are worth keeping of all: of each edge the cheapest."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Indices, blocks
from core.parallel import map_in_order

KEPT_AT_ONCE = 4_000_000
"""When more joins than this wait, the worse ones are left out."""

SORTED_AT_ONCE = 200_000
"""Joins that are sorted at a time by a core."""


class Nearest:
    """Of all joins, given tile by tile, keeps the few with the lowest scores of each edge.

    Parameters
    ----------
    n_edges : int
        Each join has two.
    n_kept : int
        How many are kept of an edge.
    """

    def __init__(self, n_edges: int, n_kept: int) -> None:
        self._n_edges, self._n_kept = n_edges, n_kept
        self._limit = np.full(n_edges, np.inf, dtype=np.float32)
        self._waiting: list[list[NDArray[Any]]] = []
        self._n_waiting = 0

    def add(self, one: Indices, other: Indices, score: Floats, values: Sequence[NDArray[Any]] = ()) -> None:
        """Take the joins of a tile into account.

        Parameters
        ----------
        one : ndarray of shape (p,), intp
            The edge of each row.
        other : ndarray of shape (q,), intp
            The edge of each column.
        score : ndarray of shape (p, q), float32
            Of the joins; ``inf`` leaves one out.
        values : sequence of ndarray of shape (p, q)
            What else is told of them; as many each time.
        """
        for edges, rows in ((one, score), (other, score.T)):
            if rows.shape[1] >= self._n_kept:
                worst = np.partition(rows, self._n_kept - 1, axis=1)[:, self._n_kept - 1]
                self._limit[edges] = np.minimum(self._limit[edges], worst)
        near = (score <= self._limit[one][:, None]) | (score <= self._limit[other][None, :])
        row, column = np.nonzero(near & (score != np.inf))
        self.add_joins([one[row], other[column], *(array[row, column] for array in (score, *values))])

    def add_joins(self, joins: list[NDArray[Any]]) -> None:
        """Take some joins into account, as another one kept them.

        Parameters
        ----------
        joins : list of ndarray of shape (k,)
            Both edges, the scores, and the values.
        """
        one, other, score = joins[:3]
        near = score <= np.maximum(self._limit[one], self._limit[other])
        self._waiting.append([array[near] for array in joins])
        self._n_waiting += int(near.sum())
        if self._n_waiting > KEPT_AT_ONCE:
            self._prune()
            # What is left is all needed so far: it is looked at again only when it has doubled.
            self._n_waiting = min(self._n_waiting, KEPT_AT_ONCE // 2)

    def _prune(self) -> None:
        """Leave out what is among the best of neither edge, and remember what the worst of the best scores."""
        parts = [np.concatenate(arrays) for arrays in zip(*self._waiting, strict=True)]
        edge, score = np.concatenate(parts[:2]), np.concatenate([parts[2], parts[2]])
        order = self._sorted(edge, score)
        starts = np.searchsorted(edge[order], np.arange(self._n_edges))
        rank = np.arange(len(order)) - starts[edge[order]]
        last = order[rank == self._n_kept - 1]
        self._limit[edge[last]] = score[last]
        among = np.zeros(len(edge), dtype=np.bool_)
        among[order[rank < self._n_kept]] = True
        kept = among[: len(parts[0])] | among[len(parts[0]) :]
        self._waiting = [[array[kept] for array in parts]]
        self._n_waiting = int(kept.sum())

    def _sorted(self, edge: Indices, score: Floats) -> Indices:
        """Sort joins by edges, and those of an edge by scores: many on all cores, those of some edges at a time."""
        size = max(1, self._n_edges * SORTED_AT_ONCE // max(1, len(edge)))
        if size >= self._n_edges:
            return np.lexsort((score, edge))

        def of_some(edges: slice) -> Indices:
            some = np.flatnonzero((edge >= edges.start) & (edge < edges.stop))
            return some[np.lexsort((score[some], edge[some]))]

        return np.concatenate(list(map_in_order(of_some, blocks(self._n_edges, size))))

    def state(self) -> list[NDArray[Any]]:
        """Return what is needed of the joins so far: given to `add_joins` of another one, that goes on from here.

        Returns
        -------
        list of ndarray of shape (m,)
            As `add_joins` takes them; of equal scores the first ones first.
        """
        self._prune()
        return self._waiting[0]

    def kept(self) -> list[NDArray[Any]]:
        """Return the joins that are kept.

        Returns
        -------
        list of ndarray of shape (m,)
            Both edges, the scores, and the values, ascending by the edges.
        """
        if not self._waiting:
            return []
        self._prune()
        parts = [np.concatenate(arrays) for arrays in zip(*self._waiting, strict=True)]
        order = np.argsort(parts[0] * self._n_edges + parts[1], kind="stable")
        return [array[order] for array in parts]
