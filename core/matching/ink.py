"""Costs of all joins from the embeddings of all borders.

Equations 3 to 6 of Paixão et al., CVPR 2020: the cost of a join is the sum over rows of the squared distances between
the embeddings of the two borders that would meet, at the vertical shift that makes it smallest.
"""

from collections.abc import Sequence

import keras
import numpy as np

from core.arrays import Floats
from core.matching.costs import Costs
from core.matching.geometry import STRIDE_PX
from core.matching.shifts import overlap, shifts_up_to, tiles
from core.options import CostOptions
from core.progress import Progress, no_progress
from core.wording import QT_TRANSLATE_NOOP

_COMPARING = QT_TRANSLATE_NOOP("progress", "Comparing borders")

TILE_SHREDS = 1024
"""Shreds to a side of a tile: two tiles of embeddings (1,024 × 900 rows × 32 × 4 bytes) take some 240 MB."""


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
    right, left = right - origin, left - origin

    cost = np.full((n, n), np.inf, dtype=np.float32)
    shift_px = np.zeros((n, n), dtype=np.int16)
    for i, j, of_tile in tiles(n, TILE_SHREDS, progress, _COMPARING):
        best, best_shift_px = cost[i, j], shift_px[i, j]
        for step, (shift, (of_right, of_left)) in enumerate(zip(shifts, rows_by_shift, strict=True)):
            of_tile(step / len(shifts), _COMPARING)
            distance = _squared_distances(right[i, of_right], left[j, of_left])
            better = distance < best
            best[better] = distance[better]
            best_shift_px[better] = shift * STRIDE_PX
    np.fill_diagonal(cost, np.inf)
    np.fill_diagonal(shift_px, 0)
    rows_of_right, rows_of_left = zip(*rows_by_shift, strict=True)
    to_blank = _cost_to_constant(right, blank_left - origin, rows_of_right)
    from_blank = _cost_to_constant(left, blank_right - origin, rows_of_left)
    return Costs(cost, shift_px, to_blank, from_blank)


def _squared_distances(right: Floats, left: Floats) -> Floats:
    """Compare flattened embeddings, shapes (p, rows, d) and (q, rows, d), all with all; returns (p, q)."""
    r = right.reshape(len(right), -1)
    l_transposed = left.reshape(len(left), -1).T
    products = keras.ops.convert_to_numpy(keras.ops.matmul(r, l_transposed))
    r_squares = np.einsum("ij,ij->i", r, r)
    l_squares = np.einsum("ji,ji->i", l_transposed, l_transposed)
    return np.maximum(r_squares[:, None] + l_squares[None, :] - 2 * products, 0).astype(np.float32)


def _cost_to_constant(embeddings: Floats, constant: Floats, rows_by_shift: Sequence[slice]) -> Floats:
    """Compare embeddings (n, h', d) with that of blank paper (d,) at the best shift; returns (n,)."""
    by_row = np.square(embeddings - constant).sum(axis=2, dtype=np.float64)
    running = np.concatenate([np.zeros((len(by_row), 1)), np.cumsum(by_row, axis=1)], axis=1)
    sums = [running[:, rows.stop] - running[:, rows.start] for rows in rows_by_shift]
    return np.min(sums, axis=0).astype(np.float32)
