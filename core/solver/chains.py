"""Chains: shreds that joins hold together, which the solver treats as one; free of SciPy, so that it loads at once."""

from core.arrays import Indices


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
