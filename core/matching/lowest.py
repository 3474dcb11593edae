"""The lowest values of each group, where values lie group by group."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import Indices


def lowest(values: NDArray[np.floating[Any]], starts: Indices, n_best: int) -> Indices:
    """Find the lowest values of each group.

    Parameters
    ----------
    values : ndarray of shape (m,)
        Group by group; what is not finite counts for nothing.
    starts : ndarray of shape (n + 1,), intp
        Where each group begins, and at last m.
    n_best : int
        How many are wanted: a few.

    Returns
    -------
    ndarray of shape (n, n_best), intp
        Their places, ascending by value, of equal ones the first; -1 where a group has not so many.

    Examples
    --------
    >>> lowest(np.array([5.0, 3.0, 4.0, 9.0]), np.array([0, 3, 3, 4]), 2)
    array([[ 1,  2],
           [-1, -1],
           [ 3, -1]])
    """
    sizes = np.diff(starts)
    found = np.full((len(sizes), n_best), -1, dtype=np.intp)
    groups, group_of = np.flatnonzero(sizes), np.repeat(np.arange(len(sizes)), sizes)
    rest = np.where(np.isfinite(values), values, np.inf)
    for place in range(n_best if len(groups) else 0):
        least = np.full(len(sizes), np.inf)
        least[groups] = np.minimum.reduceat(rest, starts[groups])
        hits = np.flatnonzero((rest == least[group_of]) & np.isfinite(rest))
        first = hits[np.diff(group_of[hits], prepend=-1) > 0]
        found[group_of[first], place] = first
        rest[first] = np.inf
    return found
