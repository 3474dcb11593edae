"""What comparing all borders gives, and how sure a join is."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DOUBTFUL = 0.25
"""A join less sure than this (`confidence`) is pointed out to the examiner."""


TEMPERATURE_PER_GAP = 0.15
"""See `confidence`."""


@dataclass(frozen=True, eq=False)
class Costs:
    """Costs of all joins between n shreds.

    Attributes
    ----------
    cost : ndarray of shape (n, n), float32
        ``cost[i, j]`` is the price of placing shred ``j`` directly to the right of shred ``i``, at the best vertical
        shift; the diagonal is ``inf``.
    shift_px : ndarray of shape (n, n), int16
        The shift at which that price holds: by how many pixels ``j`` must be moved down in the common frame.
    to_blank, from_blank : ndarray of shape (n,), float32
        Price of blank paper to the right of ``i`` (a page ends there), and to the left of ``j`` (a page begins there).
    """

    cost: NDArray[np.float32]
    shift_px: NDArray[np.int16]
    to_blank: NDArray[np.float32]
    from_blank: NDArray[np.float32]


def confidence(costs: Costs) -> NDArray[np.float32]:
    """Say how sure each possible join is, against everything else that either border could meet.

    The softmax of ``-cost / temperature`` over all joins that share the right border of ``i`` or the left border of
    ``j``, blank paper included. The temperature is 0.15 times the median gap between the best and the second-best cost
    of a right border: near the temperature that the encoder learns in training, and where the log loss over the joins
    of real shreds is smallest.

    Parameters
    ----------
    costs : Costs
        Of n shreds.

    Returns
    -------
    ndarray of shape (n, n), float32
        Between 0 and 1; the diagonal is 0.
    """
    rows = np.concatenate([costs.cost, costs.to_blank[:, None]], axis=1).astype(np.float64)
    columns = np.concatenate([costs.cost, costs.from_blank[None, :]], axis=0).astype(np.float64)
    two_best = np.partition(rows, 1, axis=1)[:, :2] if rows.shape[1] > 1 else np.zeros((len(rows), 2))
    gaps = two_best[:, 1] - two_best[:, 0]
    gaps = gaps[np.isfinite(gaps) & (gaps > 0)]
    temperature = TEMPERATURE_PER_GAP * float(np.median(gaps)) if len(gaps) else 1.0
    best_of_row, best_of_column = rows.min(axis=1), columns.min(axis=0)
    best = np.minimum(best_of_row[:, None], best_of_column[None, :])
    row_sum = np.exp(-(rows - best_of_row[:, None]) / temperature).sum(axis=1)
    column_sum = np.exp(-(columns - best_of_column[None, :]) / temperature).sum(axis=0)
    own = np.exp(-(costs.cost.astype(np.float64) - best) / temperature)
    others_of_row = row_sum[:, None] * np.exp(-(best_of_row[:, None] - best) / temperature)
    others_of_column = column_sum[None, :] * np.exp(-(best_of_column[None, :] - best) / temperature)
    result = own / (others_of_row + others_of_column - own)
    return result.astype(np.float32)
