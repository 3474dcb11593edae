"""Costs of all joins from the embeddings of all borders.

Equations 3 to 6 of Paixão et al., CVPR 2020: the cost of a join is the sum over rows of the squared distances between
the embeddings of the two borders that would meet, at the vertical shift that makes it smallest.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import keras
import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats
from core.embedding.geometry import STRIDE_PX
from core.matching.candidates.tiles import COMPARING
from core.matching.poses import Edges, edges_as_they_lie
from core.matching.shifts import overlap, shifts_up_to, tiles
from core.progress import Progress, no_progress
from core.system.keras_import import on_a_card

TILE_SHREDS = 1024
"""Shreds to a side of a tile: two tiles of embeddings (1,024 × 900 rows × 32 × 4 bytes) take some 240 MB."""

TILE_ON_A_CARD = 5120
"""There they take some 1.2 GB; the larger tiles are, the less often embeddings go to the card."""


class Ink:
    """What embeddings of borders cost, tile by tile, so that memory stays bounded.

    With ``rows = h' - max_shift``, shift δ and ``a = max(0, δ)``, ``b = max(0, -δ)``::

        cost(i, j) = min over δ of Σ_{k < rows} ‖right[i, a + k] - left[j, b + k]‖²

    which for all pairs is one matrix product per shift, since ‖r - l‖² = ‖r‖² + ‖l‖² - 2 r·l.

    Parameters
    ----------
    right, left : ndarray of shape (n, h', d), float32
        Embeddings of the right and left borders, in one common vertical frame.
    blank_right, blank_left : ndarray of shape (d,), float32
        Embeddings of blank paper.
    max_shift_rows : int
        Largest shift; it is reduced where the borders are shorter.

    Attributes
    ----------
    to_blank, from_blank : ndarray of shape (n,), float32
        Costs of blank paper to the right and to the left of each shred.

    Raises
    ------
    ValueError
        If the shapes disagree.

    Examples
    --------
    Two shreds whose borders are 3 embeddings high, each of 1 number; the left border of shred 1 continues the right one
    of shred 0, one embedding higher up: 4 px.

    >>> right = np.array([[[0], [5], [6]], [[0], [0], [0]]], dtype=np.float32)
    >>> left = np.array([[[0], [0], [0]], [[5], [6], [0]]], dtype=np.float32)
    >>> blank = np.zeros(1, dtype=np.float32)
    >>> [(_, _, cost, shift_px)] = Ink(right, left, blank, blank, max_shift_rows=1).tiles()
    >>> cost[0, 1], shift_px[0, 1]
    (np.float32(0.0), np.int16(4))
    """

    def __init__(
        self, right: Floats, left: Floats, blank_right: Floats, blank_left: Floats, max_shift_rows: int
    ) -> None:
        if right.shape != left.shape or right.ndim != 3:
            raise ValueError(
                f"right and left must have the same shape (n, h', d); given {right.shape} and {left.shape}."
            )
        n_rows = right.shape[1]
        self.right, self.left = right, left
        self._blank = blank_right, blank_left
        self.shifts = shifts_up_to(max_shift_rows, n_rows)
        self.rows_by_shift = [overlap(shift, n_rows - max(self.shifts)) for shift in self.shifts]
        # Distances do not change when both spaces move together; around the blank embedding most values are near zero,
        # which keeps the difference of large squares exact in single precision.
        self.origin = np.asarray((blank_right + blank_left) / 2, dtype=np.float32)
        of_right, of_left = zip(*self.rows_by_shift, strict=True)
        self.to_blank = self._to_constant(right, blank_left, of_right)
        self.from_blank = self._to_constant(left, blank_right, of_left)

    @property
    def edges(self) -> Edges:
        """The same embeddings, for what compares them roughly."""
        return edges_as_they_lie(self.right, self.left, self._blank)

    def _to_constant(self, embeddings: Floats, constant: Floats, rows_by_shift: Sequence[slice]) -> Floats:
        """Compare embeddings (n, h', d) with that of blank paper (d,) at the best shift; returns (n,)."""
        parts = [
            _cost_to_constant(
                keras.ops.subtract(embeddings[start : start + TILE_SHREDS], self.origin),
                constant - self.origin,
                rows_by_shift,
            )
            for start in range(0, len(embeddings), TILE_SHREDS)
        ]
        return np.concatenate([np.zeros(0, np.float32), *parts])

    def tiles(self, progress: Progress = no_progress) -> Iterator[tuple[slice, slice, Floats, NDArray[np.int16]]]:
        """Compare every right border with every left border.

        Parameters
        ----------
        progress : Progress
            Fraction and text.

        Yields
        ------
        i, j : slice
            Of the p right and the q left borders of a tile.
        cost : ndarray of shape (p, q), float32
            A shred's own among them.
        shift_px : ndarray of shape (p, q), int16
            At which that holds.
        """
        for i, j, cost, shift_px in self._tiles_of_tensors(progress):
            yield i, j, keras.ops.convert_to_numpy(cost), keras.ops.convert_to_numpy(shift_px)

    def _tiles_of_tensors(self, progress: Progress) -> Iterator[tuple[slice, slice, Any, Any]]:
        of_i: Any = None
        for i, j, of_tile in tiles(len(self.right), tile_size(), progress, COMPARING):
            if j.start == 0:
                of_i = keras.ops.subtract(self.right[i], self.origin)
            of_j = keras.ops.subtract(self.left[j], self.origin)
            yield i, j, *_cheapest(of_i, of_j, self.shifts, self.rows_by_shift, of_tile)

    def nearest(self, n_kept: int, progress: Progress = no_progress) -> dict[str, NDArray[Any]]:
        """Find the cheapest joins of every border, where Keras computes: only these come back from a graphics card.

        Parameters
        ----------
        n_kept : int
            How many are kept of a border.
        progress : Progress
            Fraction and text.

        Returns
        -------
        dict of str to ndarray of shape (m,)
            "left" and "right", int32, ascending by the left shred, then by the right one; "ink", their costs, and
            "shift_px".
        """
        n = len(self.right)
        of_right, of_left = _Lowest(n, n_kept), _Lowest(n, n_kept)
        for i, j, cost, shift_px in self._tiles_of_tensors(progress):
            own = (i.start + np.arange(cost.shape[0]))[:, None] == j.start + np.arange(cost.shape[1])
            cost = keras.ops.where(own, np.float32(np.inf), cost)
            of_right.add(i, j, cost, shift_px)
            of_left.add(j, i, keras.ops.transpose(cost), keras.ops.transpose(shift_px))
        rights, lefts = of_right.joins(), of_left.joins()
        # A join that is among the best of both its borders was found twice.
        keys = np.concatenate([rights[0] * n + rights[1], lefts[1] * n + lefts[0]])
        keys, once = np.unique(keys, return_index=True)
        joins = {"left": (keys // n).astype(np.int32), "right": (keys % n).astype(np.int32)}
        cost, px = (np.concatenate([rights[at], lefts[at]])[once] for at in (2, 3))
        return joins | {"ink": cost, "shift_px": px}


class _Lowest:
    """The lowest costs of each of n borders among those that were seen, with the other borders and the shifts."""

    def __init__(self, n: int, n_kept: int) -> None:
        cost = np.full((n, n_kept), np.inf, dtype=np.float32)
        self._known: list[NDArray[Any]] = [cost, np.zeros((n, n_kept), np.int64), np.zeros((n, n_kept), np.int16)]
        self._n_kept = n_kept

    def add(self, borders: slice, others: slice, cost: Any, shift_px: Any) -> None:
        """Look at tensors of the shape (borders, others): what is lowest is found where Keras computes."""
        ops = keras.ops
        lowest, at = ops.top_k(-cost, min(self._n_kept, cost.shape[1]))
        of_tile = -lowest, at + others.start, ops.take_along_axis(shift_px, at, axis=1)
        both = [
            np.concatenate([known[borders], np.asarray(ops.convert_to_numpy(new), known.dtype)], axis=1)
            for known, new in zip(self._known, of_tile, strict=True)
        ]
        best = np.argpartition(both[0], self._n_kept - 1, axis=1)[:, : self._n_kept]
        for known, values in zip(self._known, both, strict=True):
            known[borders] = np.take_along_axis(values, best, axis=1)

    def joins(self) -> list[NDArray[Any]]:
        """List borders, what is beside each, costs and shifts."""
        border, place = np.nonzero(self._known[0] != np.inf)
        cost, other, shift_px = (each[border, place] for each in self._known)
        return [border, other, cost, shift_px]


def tile_size() -> int:
    """Return how many shreds to a side a tile has."""
    return TILE_ON_A_CARD if on_a_card() else TILE_SHREDS


def _cheapest(
    right: Any, left: Any, shifts: Sequence[int], rows_by_shift: Sequence[tuple[slice, slice]], progress: Progress
) -> tuple[Any, Any]:
    """Compare tensors of embeddings, (p, h', d) and (q, h', d), all with all; returns cost and shift, (p, q) each.

    All of it stays where Keras computes, on a graphics card if there is one.
    """
    ops = keras.ops
    r_squares, l_squares = (ops.sum(ops.square(values), axis=2) for values in (right, left))
    best: Any = ops.full((len(right), len(left)), np.inf, dtype="float32")
    best_shift_px: Any = ops.zeros((len(right), len(left)), dtype="int16")
    for step, (shift, (of_right, of_left)) in enumerate(zip(shifts, rows_by_shift, strict=True)):
        progress(step / len(shifts), COMPARING)
        products = ops.einsum("prd,qrd->pq", right[:, of_right], left[:, of_left])
        alone = ops.sum(r_squares[:, of_right], axis=1)[:, None] + ops.sum(l_squares[:, of_left], axis=1)[None, :]
        distance = ops.maximum(alone - 2 * products, 0)
        better = distance < best
        best = ops.where(better, distance, best)
        best_shift_px = ops.where(better, ops.cast(shift * STRIDE_PX, "int16"), best_shift_px)
    return best, best_shift_px


def _cost_to_constant(embeddings: Any, constant: Floats, rows_by_shift: Sequence[slice]) -> Floats:
    """Compare a tensor of embeddings (n, h', d) with that of blank paper (d,) at the best shift; returns (n,)."""
    squares = keras.ops.square(embeddings - constant)
    by_row = keras.ops.convert_to_numpy(keras.ops.sum(squares, axis=2)).astype(np.float64)
    running = np.concatenate([np.zeros((len(by_row), 1)), np.cumsum(by_row, axis=1)], axis=1)
    sums = [running[:, rows.stop] - running[:, rows.start] for rows in rows_by_shift]
    return np.min(sums, axis=0).astype(np.float32)
