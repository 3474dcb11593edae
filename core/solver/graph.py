"""The graph of an order: which shred may follow which, at what price. What may not takes no memory.

The blank node is last. An arc from it is the price of beginning a page, an arc to it that of ending one; every shred
has both. An order of `n_pages` pages is a closed tour through every shred once and the blank node `n_pages` times.

From one shred to the next a tour goes directly, where there is an arc, or over the blank node, which costs the end of a
page, the beginning of one, and a `toll`. Where the number of pages is free there is none, or one below zero: pages are
given something back. Where it is given the toll is prohibitive: then there is always a tour, and one that pays the toll
is no order.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import Doubles, Indices, Mask

_LIKELY = 3
"""So many times as many arcs as are wanted of each node are looked at first: the cheapest of all."""


@dataclass(frozen=True, eq=False)
class Arcs:
    """Pairs of nodes, and where to find them.

    Attributes
    ----------
    size : int
        Number of nodes, the blank one among them.
    tail, head : ndarray of shape (k,), intp
        First and last node of each arc, ascending by the first, then by the last.
    """

    size: int
    tail: Indices
    head: Indices

    @cached_property
    def starts(self) -> Indices:
        """Places of each node's first leaving arc, (size + 1,)."""
        return np.searchsorted(self.tail, np.arange(self.size + 1))

    @cached_property
    def by_head(self) -> Indices:
        """Places of the arcs, ascending by their last nodes, then by their first, (k,)."""
        return np.argsort(self.head, kind="stable")

    @cached_property
    def head_starts(self) -> Indices:
        """Places in `by_head` of each node's first entering arc, (size + 1,)."""
        return np.concatenate([[0], np.cumsum(np.bincount(self.head, minlength=self.size))])

    @cached_property
    def _keys(self) -> Indices:
        return self.tail * self.size + self.head

    def find(self, tail: ArrayLike, head: ArrayLike) -> Indices:
        """Find the places of arcs; -1 where there is none."""
        key = np.asarray(tail) * self.size + np.asarray(head)
        at = np.minimum(np.searchsorted(self._keys, key), len(self._keys) - 1)
        return np.where(self._keys[at] == key, at, -1)

    def leaving(self, nodes: Indices) -> Indices:
        """Return the places of the arcs that leave some nodes, node by node."""
        return _ranges(self.starts[nodes], self.starts[nodes + 1])

    def entering(self, nodes: Indices) -> Indices:
        """Return the places of the arcs that enter some nodes, node by node."""
        return self.by_head[_ranges(self.head_starts[nodes], self.head_starts[nodes + 1])]

    def cheapest(self, cost: Doubles, k: int) -> Mask:
        """Mark the k cheapest arcs out of each node and into each node."""
        if len(cost) <= k * self.size:
            return np.ones(len(cost), dtype=np.bool_)
        least, most = float(cost.min()), float(cost.max())
        within = (cost - least) / (2 * (most - least) or 1.0)  # below 1: the nodes stay apart
        chosen = np.zeros(len(cost), dtype=np.bool_)
        n_likely = _LIKELY * k * self.size
        likely = cost <= np.partition(cost, n_likely)[n_likely] if n_likely < len(cost) else ~chosen
        for node in (self.tail, self.head):
            # Of a node that has k among the likely ones the others need not be sorted.
            some = np.flatnonzero(likely | (np.bincount(node[likely], minlength=self.size) < k)[node])
            order = some[np.argsort(node[some] + within[some])]
            sorted_by = node[order]
            chosen[order[np.arange(len(order)) - np.searchsorted(sorted_by, sorted_by) < k]] = True
        return chosen


@dataclass(frozen=True, eq=False)
class Graph:
    """Arcs and their costs.

    Attributes
    ----------
    arcs : Arcs
        Between m shreds and the blank node, m.
    cost : ndarray of shape (k,), float64
        Of each arc.
    n_pages : int
        How often the blank node is visited at least.
    toll : float
        Price of each visit beyond.
    """

    arcs: Arcs
    cost: Doubles
    n_pages: int
    toll: float

    @property
    def blank(self) -> int:
        """The blank node, which is also the number of shreds."""
        return self.arcs.size - 1

    @cached_property
    def to_blank(self) -> Doubles:
        """Price of ending a page at each node, (m + 1,); inf for the blank node."""
        enters = self.arcs.by_head[self.arcs.head_starts[self.blank] :]
        return np.append(self.cost[enters], np.inf)

    @cached_property
    def from_blank(self) -> Doubles:
        """Price of beginning a page at each node, (m + 1,); inf for the blank node."""
        return np.append(self.cost[self.arcs.starts[self.blank] :], np.inf)

    @cached_property
    def begins(self) -> Indices:
        """The shreds, those at which a page begins at the least price first, (m,)."""
        return np.argsort(self.from_blank[:-1], kind="stable")

    def direct(self, tail: ArrayLike, head: ArrayLike) -> Doubles:
        """Look up what arcs cost; inf where there is none."""
        at = self.arcs.find(tail, head)
        return np.where(at >= 0, self.cost[at], np.inf)

    def over_blank(self, tail: ArrayLike, head: ArrayLike) -> Doubles:
        """Compute what it costs to go from shred to shred over the blank node; inf from and to that itself."""
        return np.asarray(self.to_blank[np.asarray(tail)] + self.toll + self.from_blank[np.asarray(head)])

    def price(self, tail: ArrayLike, head: ArrayLike) -> Doubles:
        """Compute what it costs to go from node to node, directly or over the blank node."""
        return np.minimum(self.direct(tail, head), self.over_blank(tail, head))

    def price_to(self, node: int, tail: Indices) -> Doubles:
        """Compute what it costs to come to one node from many: `price` looks each up among all the arcs."""
        arcs, enters = self.arcs, self.arcs.entering(np.array([node]))
        at = Arcs(arcs.size, arcs.tail[enters], arcs.head[enters]).find(tail, node)
        return np.minimum(np.where(at >= 0, self.cost[enters[at]], np.inf), self.over_blank(tail, node))

    def length(self, tour: Indices) -> float:
        """Sum up what a tour costs."""
        return float(self.price(tour, np.roll(tour, -1)).sum())

    def passed(self, tail: Indices, head: Indices) -> tuple[Indices, int]:
        """Find the arcs that lead from nodes to nodes.

        Parameters
        ----------
        tail, head : ndarray of shape (k,), intp
            From each of these to its like.

        Returns
        -------
        places : ndarray of shape (n,), intp
            Of all the arcs, ascending.
        n_tolls : int
            How many pass over the blank node between two shreds.
        """
        over = self.over_blank(tail, head) < self.direct(tail, head)
        blank = np.full(int(np.count_nonzero(over)), self.blank)
        tails, heads = (
            np.concatenate([tail[~over], tail[over], blank]),
            np.concatenate([head[~over], blank, head[over]]),
        )
        return np.unique(self.arcs.find(tails, heads)), len(blank)

    def with_costs(self, cost: Doubles, toll: float) -> "Graph":
        """Return the same arcs at other costs."""
        return replace(self, cost=cost, toll=toll)


def graph_of(
    left: Indices, right: Indices, cost: ArrayLike, to_blank: ArrayLike, from_blank: ArrayLike, n_pages: int | None
) -> Graph:
    """Make a graph of joins and margins.

    Parameters
    ----------
    left, right : ndarray of shape (k,), intp
        Shreds of each join that is possible, ascending by the left one, then by the right one.
    cost : ndarray of shape (k,)
        Of these joins.
    to_blank, from_blank : ndarray of shape (m,)
        Of ending and of beginning a page at each shred.
    n_pages : int or None
        ``None`` if it is free.

    Returns
    -------
    Graph
        Its toll is inf where the number of pages is given.
    """
    to_blank, from_blank = np.asarray(to_blank, dtype=np.float64), np.asarray(from_blank, dtype=np.float64)
    m = len(to_blank)
    shreds, margin = np.arange(m), np.full(m, m)
    tail, head = np.concatenate([left, shreds, margin]), np.concatenate([right, margin, shreds])
    price = np.concatenate([np.asarray(cost, dtype=np.float64), to_blank, from_blank])
    order = np.argsort(tail, kind="stable")  # the end of a page, behind all joins of its shred, is last of them
    return Graph(Arcs(m + 1, tail[order], head[order]), price[order], n_pages or 1, 0.0 if n_pages is None else np.inf)


def contract(graph: Graph, chained: Sequence[Sequence[int]]) -> Graph:
    """Contract each chain to one node, entered at its first shred and left at its last.

    Parameters
    ----------
    graph : Graph
        Of m shreds.
    chained : sequence of sequence of int
        All of them in k chains, ascending by their first shreds.

    Returns
    -------
    Graph
        Of the chains.
    """
    size, chain = len(chained) + 1, np.arange(len(chained))
    if size == graph.arcs.size:
        return graph
    node_left, node_entered = np.full((2, graph.arcs.size), -1)
    node_left[graph.blank] = node_entered[graph.blank] = size - 1
    node_left[[shreds[-1] for shreds in chained]] = chain
    node_entered[[shreds[0] for shreds in chained]] = chain
    tail, head = node_left[graph.arcs.tail], node_entered[graph.arcs.head]
    kept = np.flatnonzero((tail >= 0) & (head >= 0) & (tail != head))
    tail, head = tail[kept], head[kept]
    order = np.argsort(tail * size + head)
    return replace(graph, arcs=Arcs(size, tail[order], head[order]), cost=graph.cost[kept[order]])


def _ranges(starts: Indices, stops: Indices) -> Indices:
    """Count from each start to its stop, one range behind the other."""
    lengths = stops - starts
    ends = np.cumsum(lengths)
    return np.arange(int(lengths.sum())) + np.repeat(starts - (ends - lengths), lengths)
