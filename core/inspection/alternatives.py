"""What could stand in the place of a shred beside another: the cheapest other joins of two borders."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.arrangement.arrangement import Pair
from core.arrays import Floats
from core.case.case import Case
from core.case.joins import posed_of, rows_in_costs


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
    posed, rows = posed_of(case), rows_in_costs(case)
    if posed is None or not rows.keys() >= set(pair):
        return ()
    names = {row: shred for shred, row in rows.items() if shred not in pair}
    costs, (left, right) = posed.costs, pair
    of_left, of_right = (
        _cheapest(costs.cost[at], shreds[at].tolist(), names)[:n_best]
        for at, shreds in ((costs.after(rows[left]), costs.right), (costs.before(rows[right]), costs.left))
    )
    return (*((left, other) for other in of_left), *((other, right) for other in of_right))


def _cheapest(cost: Floats, beside: Sequence[int], names: Mapping[int, str]) -> list[str]:
    """List what stands beside a border at finite costs, the lowest first."""
    order = [at for at in np.argsort(cost, kind="stable").tolist() if np.isfinite(cost[at])]
    return [names[beside[at]] for at in order if beside[at] in names]
