"""Chains: shreds that joins hold together, which the solver treats as one; free of SciPy, so that it loads at once."""

import numpy as np

from core.arrays import Doubles, Indices


def chains(n: int, joins: Indices) -> list[list[int]]:
    """Chain shreds by joins, the first joins first, leaving out what would branch or close a cycle.

    Parameters
    ----------
    n : int
        Number of shreds.
    joins : ndarray of shape (k, 2), intp
        Left and right shred of each join.

    Returns
    -------
    list of list of int
        All shreds, chain by chain, ordered by each chain's first shred.
    """
    chain_of = {shred: [shred] for shred in range(n)}
    for left, right in joins.tolist():
        head, tail = chain_of[left], chain_of[right]
        if head is not tail and head[-1] == left and tail[0] == right:
            head.extend(tail)
            chain_of.update(dict.fromkeys(tail, head))
    return [chain for shred, chain in chain_of.items() if chain[0] == shred]


def contract(cost: Doubles, chained: list[list[int]]) -> Doubles:
    """Contract each chain to one node, entered at its first shred and left at its last.

    Parameters
    ----------
    cost : ndarray of shape (m + 1, m + 1), float64
        The blank node last; ``cost[-1, -1]`` is prohibitive.
    chained : list of list of int
        All m shreds in k chains.

    Returns
    -------
    ndarray of shape (k + 1, k + 1), float64
        Costs between chains, the blank node last, prohibitive on the diagonal.
    """
    blank = len(cost) - 1
    contracted = cost[np.ix_([chain[-1] for chain in chained] + [blank], [chain[0] for chain in chained] + [blank])]
    np.fill_diagonal(contracted, cost[blank, blank])
    return contracted
