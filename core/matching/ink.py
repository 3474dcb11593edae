"""Costs of all joins from the embeddings of all borders.

Equations 3 to 6 of Paixão et al., CVPR 2020: the cost of a join is the sum over rows of the squared distances between
the embeddings of the two borders that would meet, at the vertical shift that makes it smallest.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import keras
import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Indices
from core.embedding.geometry import STRIDE_PX
from core.matching.costs import Costs
from core.matching.lowest import Nearest
from core.matching.poses import Edges, edges_as_they_lie
from core.matching.shifts import overlap, shifts_up_to, tiles
from core.options import CostOptions
from core.progress import Progress, no_progress
from core.system.keras_import import on_a_card
from core.wording import QT_TRANSLATE_NOOP

_COMPARING = QT_TRANSLATE_NOOP("progress", "Comparing borders")

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
        for i, j, of_tile in tiles(len(self.right), tile_size(), progress, _COMPARING):
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
        nearest = Nearest(2 * n, n_kept)
        for i, j, cost, shift_px in self._tiles_of_tensors(progress):
            rows, columns, score, px = _lowest_of_tile(cost, shift_px, n_kept)
            apart = i.start + rows != j.start + columns
            nearest.add_joins(i.start + rows[apart], n + j.start + columns[apart], score[apart], [px[apart]])
        left, right, cost, shift_px = nearest.kept()
        return {"left": left.astype(np.int32), "right": (right - n).astype(np.int32), "ink": cost, "shift_px": shift_px}


def _lowest_of_tile(cost: Any, shift_px: Any, n_kept: int) -> tuple[Indices, Indices, Floats, NDArray[np.int16]]:
    """Find the lowest costs of each row and column of a tensor; returns rows, columns, costs and shifts, once each."""
    ops, (n_rows, n_columns) = keras.ops, cost.shape
    _, columns = ops.top_k(-cost, min(n_kept + 1, n_columns))  # one may be the shred itself
    _, rows = ops.top_k(-ops.transpose(cost), min(n_kept + 1, n_rows))
    columns, rows = (np.asarray(ops.convert_to_numpy(places), np.intp) for places in (columns, rows))
    at = np.concatenate(
        [
            (np.arange(n_rows)[:, None] * n_columns + columns).ravel(),
            (rows * n_columns + np.arange(n_columns)[:, None]).ravel(),
        ]
    )
    at = np.unique(at)
    score, px = (ops.convert_to_numpy(ops.take(ops.reshape(each, (-1,)), at)) for each in (cost, shift_px))
    return at // n_columns, at % n_columns, score, px


def tile_size() -> int:
    """Return how many shreds to a side a tile has."""
    return TILE_ON_A_CARD if on_a_card() else TILE_SHREDS


def compute_costs(
    right: Floats,
    left: Floats,
    blank_right: Floats,
    blank_left: Floats,
    options: CostOptions = CostOptions(),
    progress: Progress = no_progress,
) -> Costs:
    """Compare every right border of a few shreds with every left border, and both with blank paper.

    Parameters
    ----------
    right, left, blank_right, blank_left
        See `Ink`.
    options : CostOptions
        Largest shift.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Costs
        Of all joins; shifts in pixels, 4 to a row.

    Raises
    ------
    ValueError
        If the shapes disagree.

    Examples
    --------
    Two shreds whose borders are 3 embeddings high, each of 1 number; the left border of shred 1 continues the right one
    of shred 0, one embedding higher up.

    >>> right = np.array([[[0], [5], [6]], [[0], [0], [0]]], dtype=np.float32)
    >>> left = np.array([[[0], [0], [0]], [[5], [6], [0]]], dtype=np.float32)
    >>> blank = np.zeros(1, dtype=np.float32)
    >>> costs = compute_costs(right, left, blank, blank, CostOptions(max_shift_rows=1))
    >>> costs.cost_of(0, 1), costs.shift_of(0, 1)
    (array(0., dtype=float32), array(4, dtype=int16))
    """
    ink = Ink(right, left, blank_right, blank_left, options.max_shift_rows)
    n = len(right)
    cost, shift_px = np.empty((n, n), dtype=np.float32), np.empty((n, n), dtype=np.int16)
    for i, j, of_tile, shift_of_tile_px in ink.tiles(progress):
        cost[i, j], shift_px[i, j] = of_tile, shift_of_tile_px
    return Costs.of_all(cost, shift_px, ink.to_blank, ink.from_blank)


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
        progress(step / len(shifts), _COMPARING)
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
