"""What could stand in the place of a shred beside another: the cheapest other joins of two borders."""

import numpy as np

from core.arrangement.arrangement import Pair
from core.arrays import Floats
from core.case.case import Case
from core.case.joins import rows_in_costs


def alternatives(case: Case, pair: Pair, n_best: int = 6) -> tuple[Pair, ...]:
    """Find the joins that a join competes with most.

    Parameters
    ----------
    case : Case
        Its costs tell.
    pair : Pair
        Two shreds, neighbours or not.
    n_best : int
        How many on each side at most.

    Returns
    -------
    tuple of Pair
        Of the right border of the left shred, the cheapest first, then of the left border of the right one; none where
        the two were not compared.
    """
    rows = rows_in_costs(case)
    if case.costs is None or not rows.keys() >= set(pair):
        return ()
    names = {row: shred for shred, row in rows.items()}
    left, right = pair
    beside = case.costs.cost[rows[left]].copy(), case.costs.cost[:, rows[right]].copy()
    for costs in beside:
        costs[[rows[left], rows[right]]] = np.inf
        costs[[row for row in range(len(costs)) if row not in names]] = np.inf
    of_left, of_right = (_cheapest(costs)[:n_best] for costs in beside)
    return (*((left, names[row]) for row in of_left), *((names[row], right) for row in of_right))


def _cheapest(costs: Floats) -> list[int]:
    """List the rows of finite costs, the lowest first."""
    return [int(row) for row in np.argsort(costs, kind="stable") if np.isfinite(costs[row])]
