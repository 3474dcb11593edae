"""Costs of all joins from the embeddings of all borders.

Equations 3 to 6 of Paixão et al., CVPR 2020: the cost of a join is the sum over rows of the squared distances between
the embeddings of the two borders that would meet, at the vertical shift that makes it smallest.
"""

import keras
import numpy as np
from numpy.typing import NDArray

from core.matching.costs import Costs
from core.matching.geometry import STRIDE_PX
from core.matching.shifts import first_rows, tiles
from core.options import CostOptions
from core.progress import Progress, no_progress
from core.wording import QT_TRANSLATE_NOOP

_COMPARING = QT_TRANSLATE_NOOP("progress", "Comparing borders")

# Shreds to a side of a tile: two tiles of embeddings (1,024 × 900 rows × 32 × 4 bytes) take some 240 MB.
TILE_SHREDS = 1024


def compute_costs(
    right: NDArray[np.float32],
    left: NDArray[np.float32],
    blank_right: NDArray[np.float32],
    blank_left: NDArray[np.float32],
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
    """
    if right.shape != left.shape or right.ndim != 3:
        raise ValueError(f"right and left must have the same shape (n, h', d); given {right.shape} and {left.shape}.")
    n, n_rows, _ = right.shape
    max_shift = min(options.max_shift_rows, n_rows - 1)
    compared = n_rows - max_shift
    # Smallest shifts first, so that among equal costs the smaller shift wins.
    shifts = sorted(range(-max_shift, max_shift + 1), key=abs)
    # Distances do not change when both spaces move together; around the blank embedding most values are near zero,
    # which keeps the difference of large squares exact in single precision.
    origin = np.asarray((blank_right + blank_left) / 2, dtype=np.float32)
    right, left = right - origin, left - origin

    cost = np.empty((n, n), dtype=np.float32)
    shift_px = np.empty((n, n), dtype=np.int16)
    pieces = tiles(n, TILE_SHREDS)
    for number, (i, j) in enumerate(pieces):
        best = np.full((len(right[i]), len(left[j])), np.inf, dtype=np.float32)
        best_shift = np.zeros(best.shape, dtype=np.int16)
        for step, shift in enumerate(shifts):
            progress((number + step / len(shifts)) / len(pieces), _COMPARING)
            a, b = first_rows(shift)
            distance = _squared_distances(right[i, a : a + compared], left[j, b : b + compared])
            better = distance < best
            best[better] = distance[better]
            best_shift[better] = shift * STRIDE_PX
        cost[i, j], shift_px[i, j] = best, best_shift
    np.fill_diagonal(cost, np.inf)
    np.fill_diagonal(shift_px, 0)

    to_blank = _cost_to_constant(right, blank_left - origin, [first_rows(shift)[0] for shift in shifts], compared)
    from_blank = _cost_to_constant(left, blank_right - origin, [first_rows(shift)[1] for shift in shifts], compared)
    progress(1.0, _COMPARING)
    return Costs(cost, shift_px, to_blank, from_blank)


def _squared_distances(right: NDArray[np.float32], left: NDArray[np.float32]) -> NDArray[np.float32]:
    """Compare flattened embeddings, shapes (p, rows, d) and (q, rows, d), all with all; gives (p, q)."""
    r = right.reshape(len(right), -1)
    l_transposed = left.reshape(len(left), -1).T
    products = keras.ops.convert_to_numpy(keras.ops.matmul(r, l_transposed))
    r_squares = np.einsum("ij,ij->i", r, r)
    l_squares = np.einsum("ji,ji->i", l_transposed, l_transposed)
    return np.maximum(r_squares[:, None] + l_squares[None, :] - 2 * products, 0).astype(np.float32)


def _cost_to_constant(
    embeddings: NDArray[np.float32], constant: NDArray[np.float32], starts: list[int], n_rows: int
) -> NDArray[np.float32]:
    """Cost of every border against blank paper at the best shift; embeddings (n, h', d), constant (d,); gives (n,)."""
    by_row = np.square(embeddings - constant).sum(axis=2, dtype=np.float64)
    running = np.concatenate([np.zeros((len(by_row), 1)), np.cumsum(by_row, axis=1)], axis=1)
    sums = [running[:, first + n_rows] - running[:, first] for first in starts]
    return np.min(sums, axis=0).astype(np.float32)
