"""The assignment relaxation: for every node the cheapest choice of a successor, and the dual prices that prove it.

SciPy's solvers of assignments know neither a node that is visited as often as one likes nor dual prices. Here both sets
of nodes are matched along arcs whose reduced cost is zero, as many at once as a maximum flow finds; where no more can
be, lengths of shortest paths make more arcs free.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components, dijkstra, maximum_flow

from core.arrays import Doubles, Indices, Mask
from core.progress import Progress, no_progress
from core.solver.graph import Arcs, Graph
from core.wording import QT_TRANSLATE_NOOP

ASSIGNING = QT_TRANSLATE_NOOP("progress", "Assigning neighbours")

_ARCS_PER_NODE = 12
"""Cheapest arcs, out of and into each node, that are looked at before all others."""

_NEARLY = 0.1
"""Where an arc costs less than prices allow, those that soon would are looked at as well: from time to time more."""

_SOON = 0.3
"""Where prices are known beforehand, arcs that cost no more above them are looked at before all others."""

_PRECISION = 1e-12
"""Reduced costs below this share of the highest price are zero."""


@dataclass(frozen=True, eq=False)
class Prices:
    """Dual prices of an assignment; an arc costs no less than the two of its ends together.

    Attributes
    ----------
    leaving, entering : ndarray of shape (m + 1,), float64
        Of leaving each node, and of entering it; the blank one is last.
    """

    leaving: Doubles
    entering: Doubles


@dataclass(frozen=True, eq=False)
class Assignment:
    """The cheapest choice of one successor for each node; it may fall into cycles.

    Attributes
    ----------
    bound : float
        Its value: no tour is cheaper.
    nodes : ndarray of shape (m + n_pages,), intp
        The nodes, the blank one, m, repeated for each page.
    successor : ndarray of shape (m + n_pages,), intp
        Position in `nodes` of each node's successor. The blank nodes are all in one cycle, and with them whatever goes
        over the blank node once more.
    reduced : Graph
        Reduced costs, not negative: what an arc adds to `bound`. A tour costs `bound` plus their sum along it, so that
        everything after the assignment works on them alone.
    prices : Prices
        What costs were reduced by.
    """

    bound: float
    nodes: Indices
    successor: Indices
    reduced: Graph
    prices: Prices


def assign(graph: Graph, progress: Progress = no_progress, near: Prices | None = None) -> Assignment:
    """Solve the assignment relaxation and find its dual prices.

    Parameters
    ----------
    graph : Graph
        Of m shreds, with finite costs.
    progress : Progress
        Called between the passes.
    near : Prices, optional
        Of nearly the same costs: then few nodes are to be matched anew.

    Returns
    -------
    Assignment
        Of m shreds and `n_pages` copies of the blank node.

    References
    ----------
    H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics Quarterly 2 (1955),
    doi:10.1002/nav.3800020109; E. A. Dinic (1970) for the flows.
    """
    arcs, blank = graph.arcs, graph.blank
    matching = _Matching(graph, progress, near)
    nearly = _NEARLY
    while True:
        matching.complete()
        reduced = graph.cost - matching.row_price[arcs.tail] - matching.column_price[arcs.head]
        if reduced.min() >= -matching.tolerance:
            break
        matching.add(np.flatnonzero(reduced < nearly))
        nearly *= 2
    toll = graph.toll + matching.row_price[blank] + matching.column_price[blank]
    bound = matching.row_price.sum() + matching.column_price.sum()
    bound += (graph.n_pages - 1) * (matching.row_price[blank] + matching.column_price[blank])
    nodes = np.concatenate([np.arange(blank), np.full(graph.n_pages, blank)])
    costs = graph.with_costs(np.maximum(reduced, 0.0), max(float(toll), 0.0))
    successor, prices = _successors(matching.followers(), graph.n_pages), Prices(*matching.prices)
    return Assignment(float(bound), nodes, successor, costs, prices)


class _Matching:
    """Rows, which are nodes to be left, matched with columns, which are nodes to be entered, along some of the arcs.

    Nodes of the networks in which flows and paths are found: rows, columns, a source and a sink.
    """

    def __init__(self, graph: Graph, progress: Progress, near: Prices | None):
        self.graph, self.size, self.progress = graph, graph.arcs.size, progress
        progress(0.0, ASSIGNING)
        margins = (graph.arcs.tail == graph.blank) | (graph.arcs.head == graph.blank)
        self.n_tolls = 0
        self.row_price, self.column_price = np.zeros((2, self.size))
        if near is None:
            self._look_at(np.flatnonzero(margins | graph.arcs.cheapest(graph.cost, _ARCS_PER_NODE)))
            progress(0.0, ASSIGNING)
            self._guess()
        else:
            self._adapt(near)
            reduced = graph.cost - self.row_price[graph.arcs.tail] - self.column_price[graph.arcs.head]
            self._look_at(np.flatnonzero(margins | (reduced < _SOON)))
        self.used: Mask = np.zeros(len(self.pool), dtype=np.bool_)

    def _adapt(self, near: Prices) -> None:
        """Begin with given prices, entering lowered where an arc or the toll costs less than they allow."""
        arcs, cost, entering = self.graph.arcs, self.graph.cost, near.entering.copy()
        row = near.leaving.copy()
        entering[-1] = min(entering[-1], (self.graph.to_blank - row)[:-1].min())
        row[-1] = max(row[-1], -self.graph.toll - entering[-1])
        np.minimum.at(entering, arcs.head, cost - row[arcs.tail])
        self.row_price, self.column_price = row, entering

    def _guess(self) -> None:
        """Begin with prices at which the blank node attracts as many shreds as there are pages."""
        tail, head, cost, n_pages = self.tail, self.head, self.cost, self.graph.n_pages
        between = (tail < self.size - 1) & (head < self.size - 1)
        tail, head, cost = tail[between], head[between], cost[between]
        column = _least(head, cost, self.size)
        row = _least(tail, cost - column[head], self.size)
        to_blank, from_blank = self.graph.to_blank[:-1], self.graph.from_blank[:-1]
        self.column_price[-1] = np.partition(to_blank - row[:-1], n_pages - 1)[n_pages - 1]
        self.row_price[:-1] = np.minimum(row[:-1], to_blank - self.column_price[-1])
        column = _least(head, cost - self.row_price[tail], self.size)
        dearest = np.partition(from_blank - column[:-1], n_pages - 1)[n_pages - 1]
        self.row_price[-1] = max(dearest, -self.graph.toll - self.column_price[-1])
        self.column_price[:-1] = np.minimum(column[:-1], from_blank - self.row_price[-1])

    def _look_at(self, pool: Indices) -> None:
        """Restrict the matching to some arcs."""
        self.pool = pool
        self.tail, self.head, self.cost = self.graph.arcs.tail[pool], self.graph.arcs.head[pool], self.graph.cost[pool]
        self.arcs = Arcs(self.size, self.tail, self.head)

    @property
    def prices(self) -> tuple[Doubles, Doubles]:
        """Of leaving and of entering each node."""
        return self.row_price, self.column_price

    @property
    def tolerance(self) -> float:
        """Below this, reduced costs are zero."""
        prices = np.abs(np.concatenate(self.prices))
        return _PRECISION * max(1.0, float(prices.max()))

    def missing(self) -> tuple[Indices, Indices]:
        """Count how often rows and columns are still to be matched."""
        wanted = np.ones(self.size, dtype=np.intp)
        wanted[-1] = self.graph.n_pages + self.n_tolls
        rows = np.bincount(self.tail[self.used], minlength=self.size)
        return wanted - rows, wanted - np.bincount(self.head[self.used], minlength=self.size)

    def complete(self) -> None:
        """Match all rows and columns."""
        rows, columns = self.missing()
        forth = True
        while rows.any():
            self.progress(0.5, ASSIGNING)
            self._match(rows, columns)
            rows, columns = self.missing()
            if rows.any():
                self.progress(0.5, ASSIGNING)
                self._free(np.flatnonzero(rows), np.flatnonzero(columns), forth)
                forth = not forth

    def add(self, places: Indices) -> None:
        """Take in arcs that are cheaper than prices allow, and lower these."""
        tail, head = self.graph.arcs.tail[places], self.graph.arcs.head[places]
        np.minimum.at(self.column_price, head, self.graph.cost[places] - self.row_price[tail])
        used, looked_at = np.zeros((2, len(self.graph.cost)), dtype=np.bool_)
        used[self.pool[self.used]] = looked_at[self.pool] = looked_at[places] = True
        self._look_at(np.flatnonzero(looked_at))
        self.used = used[self.pool] & (self._reduced() <= self.tolerance)

    def followers(self) -> tuple[Indices, Indices]:
        """Return what follows each shred, and what begins pages."""
        tail, head = self.tail[self.used], self.head[self.used]
        shred = tail < self.size - 1
        follower = np.empty(self.size - 1, dtype=np.intp)
        follower[tail[shred]] = head[shred]
        return follower, head[~shred]

    def _reduced(self) -> Doubles:
        return np.maximum(self.cost - self.row_price[self.tail] - self.column_price[self.head], 0.0)

    def _match(self, rows: Indices, columns: Indices) -> None:
        """Match as many more as can be along arcs whose reduced cost is zero."""
        size, source, sink = self.size, 2 * self.size, 2 * self.size + 1
        new = np.flatnonzero((self._reduced() <= self.tolerance) & ~self.used)
        old = np.flatnonzero(self.used)
        free_rows, free_columns = np.flatnonzero(rows), np.flatnonzero(columns)
        free_toll = self.graph.toll + self.row_price[-1] + self.column_price[-1] <= self.tolerance
        tolls = [size if free_toll else 0, self.n_tolls]
        arcs = [
            (self.tail[new], size + self.head[new], np.ones(len(new))),
            (size + self.head[old], self.tail[old], np.ones(len(old))),
            (np.full(len(free_rows), source), free_rows, rows[free_rows]),
            (size + free_columns, np.full(len(free_columns), sink), columns[free_columns]),
            (np.array([sink - 2, size - 1]), np.array([size - 1, sink - 2]), np.array(tolls)),
        ]
        start, end, capacity = (np.concatenate(values) for values in zip(*arcs, strict=True))
        network = coo_array((capacity.astype(np.int32), (start, end)), shape=(sink + 1, sink + 1)).tocsr()
        flow = maximum_flow(network, source, sink).flow.tocoo()
        start, end = flow.row[flow.data > 0], flow.col[flow.data > 0]
        forth, back = (start < size) & (end >= size) & (end < source), (end < size) & (start >= size) & (start < source)
        margins = (start % size == size - 1) & (end % size == size - 1)
        self.used[self.arcs.find(end, start - size)[back & ~margins]] = False
        self.used[self.arcs.find(start, end - size)[forth & ~margins]] = True
        through = (flow.row == sink - 2) & (flow.col == size - 1)
        self.n_tolls += int(flow.data[through].sum())

    def _free(self, rows: Indices, columns: Indices, forth: bool) -> None:
        """Change prices by the lengths of shortest paths, along which reduced costs become zero.

        Forth, every unmatched column gets a path from some unmatched row; back, every such row to some such column. In
        turn they serve both a node that many reach and one from which many are reached, as the blank one is. What is
        farther than all that are to be reached keeps its prices among its like.
        """
        size, reduced, used = self.size, self._reduced(), self.used
        toll = max(0.0, self.graph.toll + float(self.row_price[-1] + self.column_price[-1]))
        # Arcs in use may be taken as well: the blank node can be left along others, but not at less than they cost.
        start = np.concatenate([self.tail, size + self.head[used], [2 * size - 1]])
        end = np.concatenate([size + self.head, self.tail[used], [size - 1]])
        length = np.concatenate([reduced, np.zeros(np.count_nonzero(used)), [toll]])
        if self.n_tolls:
            start, end, length = np.append(start, size - 1), np.append(end, 2 * size - 1), np.append(length, 0.0)
        ends = (start, end) if forth else (end, start)
        network = csr_array((length, ends), shape=(2 * size, 2 * size))
        from_, to = (rows, size + columns) if forth else (size + columns, rows)
        distance = dijkstra(network, indices=from_, min_only=True)
        distance = np.minimum(distance, distance[to].max())
        change = distance if forth else -distance
        self.row_price -= change[:size]
        self.column_price += change[size:]


def _least(node: Indices, cost: Doubles, size: int) -> Doubles:
    """Find the least cost at each node; 0 where there is none."""
    least = np.full(size, np.inf)
    np.minimum.at(least, node, cost)
    return np.where(np.isinf(least), 0.0, least)


def _successors(followers: tuple[Indices, Indices], n_pages: int) -> Indices:
    """Put the pages one behind the other in one cycle; copies of the blank node go before the first ones."""
    follower, begins = followers
    blank = len(follower)
    successor = np.concatenate([follower, np.zeros(n_pages, dtype=np.intp)])
    before = None
    for page, first in enumerate(begins.tolist()):
        place = blank + page if page < n_pages else first
        if page < n_pages:
            successor[place] = first
        if before is not None:
            successor[before] = place
        before = first
        while successor[before] != blank:
            before = successor[before]
    successor[before] = blank
    return successor


def components(n: int, tail: Indices, head: Indices) -> tuple[int, Indices]:
    """Find the components that arcs make of nodes, whatever the arcs' directions.

    Parameters
    ----------
    n : int
        Number of nodes.
    tail, head : ndarray of shape (k,), intp
        First and last node of each arc.

    Returns
    -------
    n_components : int
        How many there are.
    label : ndarray of shape (n,), intp
        The component of each node; components are numbered by their first nodes.
    """
    graph = coo_array((np.ones(len(tail)), (tail, head)), shape=(n, n))
    n_components, label = connected_components(graph, directed=False)
    return int(n_components), label.astype(np.intp)
