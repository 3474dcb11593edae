"""Costs without a blank shred: the published methods close the tour with a dummy that costs nothing."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.matching.costs import Costs


def without_blank(costs: Costs) -> Costs:
    """Let blank paper cost nothing, wherever a page begins or ends.

    The cheapest single path is then the cheapest tour less its dearest join, as where the paper closes the path with a
    dummy of cost 0.

    Parameters
    ----------
    costs : Costs
        Of n shreds.

    Returns
    -------
    Costs
        The same joins at the same temperature.
    """
    nothing = np.zeros(len(costs.to_blank), dtype=np.float32)
    return replace(costs, to_blank=nothing, from_blank=nothing)


def costs_of_joins(cost: NDArray[np.float32], shift_px: NDArray[np.int16]) -> Costs:
    """Build costs from the prices of joins alone.

    Parameters
    ----------
    cost : ndarray of shape (n, n), float32
        Prices; the diagonal is set to ``inf``.
    shift_px : ndarray of shape (n, n), int16
        The shifts at which they hold.

    Returns
    -------
    Costs
        Blank paper costs nothing, and the temperature follows from the joins.
    """
    cost = cost.copy()
    np.fill_diagonal(cost, np.inf)
    # While the temperature is found, a margin is as dear as the dearest join: a free one would be the best everywhere.
    dearest = np.max(cost, initial=0.0, where=np.isfinite(cost))
    margins = np.full(len(cost), dearest, dtype=np.float32)
    return without_blank(Costs.of_all(cost, shift_px, margins, margins))
