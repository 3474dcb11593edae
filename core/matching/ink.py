"""Costs of all joins from the embeddings of all borders.

Equations 3 to 6 of Paixão et al., CVPR 2020: the cost of a join is the sum over rows of the squared distances between
the embeddings of the two borders that would meet, at the vertical shift that makes it smallest.
"""

from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats
from core.embedding.geometry import STRIDE_PX
from core.matching.costs import Costs
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


def compute_costs(
    right: Floats,
    left: Floats,
    blank_right: Floats,
    blank_left: Floats,
    options: CostOptions = CostOptions(),
    progress: Progress = no_progress,
) -> Costs:
    """Compare every right border with every left border, and both with blank paper.

    With ``rows = h' - max_shift``, shift δ and ``a = max(0, δ)``, ``b = max(0, -δ)``::

        cost(i, j) = min over δ of Σ_{k < rows} ‖right[i, a + k] - left[j, b + k]‖²

    which for all pairs is one matrix product per shift, since ‖r - l‖² = ‖r‖² + ‖l‖² - 2 r·l.

    Parameters
    ----------
    right, left : ndarray of shape (n, h', d), float32
        Embeddings of the right and left borders, in one common vertical frame.
    blank_right, blank_left : ndarray of shape (d,), float32
        Embeddings of blank paper.
    options : CostOptions
        Largest shift; it is reduced where the borders are shorter.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Costs
        Shifts in pixels, 4 to a row.

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
    >>> costs.cost
    array([[inf,  0.],
           [ 0., inf]], dtype=float32)
    >>> costs.shift_px
    array([[0, 4],
           [0, 0]], dtype=int16)
    """
    if right.shape != left.shape or right.ndim != 3:
        raise ValueError(f"right and left must have the same shape (n, h', d); given {right.shape} and {left.shape}.")
    n, n_rows, _ = right.shape
    shifts = shifts_up_to(options.max_shift_rows, n_rows)
    rows_by_shift = [overlap(shift, n_rows - max(shifts)) for shift in shifts]
    # Distances do not change when both spaces move together; around the blank embedding most values are near zero,
    # which keeps the difference of large squares exact in single precision.
    origin = np.asarray((blank_right + blank_left) / 2, dtype=np.float32)
    rows_of_right, rows_of_left = zip(*rows_by_shift, strict=True)
    cost, shift_px = np.empty((n, n), dtype=np.float32), np.empty((n, n), dtype=np.int16)
    to_blank, from_blank = np.empty(n, dtype=np.float32), np.empty(n, dtype=np.float32)
    for i, j, of_tile in tiles(n, TILE_ON_A_CARD if on_a_card() else TILE_SHREDS, progress, _COMPARING):
        if j.start == 0:
            of_i = keras.ops.subtract(right[i], origin)
            to_blank[i] = _cost_to_constant(of_i, blank_left - origin, rows_of_right)
        of_j = keras.ops.subtract(left[j], origin)
        if i.start == 0:
            from_blank[j] = _cost_to_constant(of_j, blank_right - origin, rows_of_left)
        cost[i, j], shift_px[i, j] = _cheapest(of_i, of_j, shifts, rows_by_shift, of_tile)
    np.fill_diagonal(cost, np.inf)
    np.fill_diagonal(shift_px, 0)
    return Costs(cost, shift_px, to_blank, from_blank)


def _cheapest(
    right: Any, left: Any, shifts: Sequence[int], rows_by_shift: Sequence[tuple[slice, slice]], progress: Progress
) -> tuple[Floats, NDArray[np.int16]]:
    """Compare tensors of embeddings, (p, h', d) and (q, h', d), all with all; returns cost and shift, (p, q) each.

    All of it stays where Keras computes, on a graphics card if there is one; only what is cheapest comes back.
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
    return ops.convert_to_numpy(best), ops.convert_to_numpy(best_shift_px)


def _cost_to_constant(embeddings: Any, constant: Floats, rows_by_shift: Sequence[slice]) -> Floats:
    """Compare a tensor of embeddings (n, h', d) with that of blank paper (d,) at the best shift; returns (n,)."""
    squares = keras.ops.square(embeddings - constant)
    by_row = keras.ops.convert_to_numpy(keras.ops.sum(squares, axis=2)).astype(np.float64)
    running = np.concatenate([np.zeros((len(by_row), 1)), np.cumsum(by_row, axis=1)], axis=1)
    sums = [running[:, rows.stop] - running[:, rows.start] for rows in rows_by_shift]
    return np.min(sums, axis=0).astype(np.float32)
