"""A first tour at once: the cycles of an assignment patched together, neighbouring segments exchanged.

Works on the reduced costs of `core.solver.assignment`. A tour holds the blank node `n_pages` times; where it costs less
to pass over the blank node once more than to go directly, it does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TypeAlias

import numpy as np

from core.arrays import Doubles, Indices, Mask
from core.progress import Progress, no_progress
from core.solver.assignment import ASSIGNING, Assignment, components
from core.solver.graph import Graph
from core.wording import QT_TRANSLATE_NOOP

_N_CANDIDATES = 10
"""New successors that are tried for a shred in an exchange."""

_N_LOOKED_UP = 64
"""So many exchanges of two successors, the likeliest, tell which others can be cheaper still."""


def patch(assignment: Assignment, progress: Progress = no_progress) -> Indices:
    """Join the assignment's cycles to one tour, the smallest cycle first, each at its cheapest place.

    Parameters
    ----------
    assignment : Assignment
        Of m shreds.
    progress : Progress
        Called before each cycle.

    Returns
    -------
    ndarray of shape (m + n_pages,), intp
        A tour: nodes in order, beginning with the blank node, m.

    References
    ----------
    R. M. Karp, "A patching algorithm for the nonsymmetric traveling-salesman problem", SIAM Journal on Computing 8
    (1979), doi:10.1137/0208045.
    """
    patched = _Patched(assignment)
    blank = assignment.reduced.blank
    _, label = components(len(patched.successor), np.arange(len(patched.successor)), patched.successor)
    order = np.argsort(label, kind="stable")
    members = [[nodes] for nodes in np.split(order, np.cumsum(np.bincount(label))[:-1])]
    sizes = np.bincount(label).tolist()
    open_cycles = [(size, cycle) for cycle, size in enumerate(sizes) if cycle != label[blank]]
    heapify(open_cycles)
    while open_cycles:
        size, cycle = heappop(open_cycles)
        if size != sizes[cycle]:
            continue
        progress(0.0, ASSIGNING)
        inside = np.sort(np.concatenate(members[cycle]))
        other = int(label[patched.join(inside, label)])
        label[inside] = other
        members[other].append(inside)
        sizes[other], sizes[cycle] = sizes[other] + size, 0
        if other != label[blank]:
            heappush(open_cycles, (sizes[other], other))
    return patched.tour()


class _Patched:
    """Successors and predecessors of all nodes, the copies of the blank one counted by themselves."""

    def __init__(self, assignment: Assignment):
        self.graph, self.nodes, self.successor = assignment.reduced, assignment.nodes, assignment.successor.copy()
        self.predecessor = np.argsort(self.successor)
        self.own = self.graph.price(self.nodes, self.nodes[self.successor])

    def join(self, inside: Indices, label: Indices) -> int:
        """Exchange the successors of a node of a cycle and of one outside, which is returned."""
        graph, arcs, nodes, blank = self.graph, self.graph.arcs, self.nodes, self.graph.blank
        cycle = label[inside[0]]
        leaving = arcs.leaving(inside)
        leaving = leaving[(arcs.head[leaving] != blank) & (label[arcs.head[leaving]] != cycle)]
        entering = arcs.entering(inside)
        entering = entering[(arcs.tail[entering] != blank) & (label[arcs.tail[entering]] != cycle)]
        # Without an arc between both, the cycle becomes a page: over the blank node, behind its first copy.
        first = np.concatenate([arcs.tail[leaving], self.predecessor[arcs.head[entering]], inside])
        page = np.full(len(inside), blank)
        second = np.concatenate([self.predecessor[arcs.head[leaving]], arcs.tail[entering], page])
        # Most exchanges need not be looked up: hardly any costs less than the arc by which it was found.
        saved = self.own[first] + self.own[second]
        least = np.concatenate([graph.cost[leaving], graph.cost[entering], np.zeros(len(inside))]) - saved
        if len(least) > _N_LOOKED_UP:
            likely = np.argpartition(least, _N_LOOKED_UP)[:_N_LOOKED_UP]
            hopeful = least <= self._price(first[likely], second[likely]).min()
            hopeful[likely] = True
            first, second = first[hopeful], second[hopeful]
        price = self._price(first, second)
        cheapest = np.flatnonzero(price == price.min())
        a, b = min(zip(first[cheapest].tolist(), second[cheapest].tolist(), strict=True))
        ends = [a, b]
        self.successor[ends] = self.successor[[b, a]]
        self.predecessor[self.successor[ends]] = ends
        self.own[ends] = graph.price(nodes[ends], nodes[self.successor[ends]])
        return int(b)

    def _price(self, first: Indices, second: Indices) -> Doubles:
        """Compute by how much dearer it is to exchange the successors of nodes."""
        graph, nodes, successor = self.graph, self.nodes, self.successor
        new = graph.price(nodes[first], nodes[successor[second]]) + graph.price(nodes[second], nodes[successor[first]])
        return new - self.own[first] - self.own[second]

    def tour(self) -> Indices:
        """Walk along, beginning with the blank node."""
        following, found = self.successor.tolist(), [self.graph.blank]
        while (node := following[found[-1]]) != self.graph.blank:
            found.append(node)
        return self.nodes[found]


def tour_of(graph: Graph, pages: Sequence[Sequence[int]], chained: Sequence[Sequence[int]]) -> tuple[Indices, Indices]:
    """Put pages one behind the other, the blank node before each as long as it is visited that often.

    Parameters
    ----------
    graph : Graph
        Of chains.
    pages : sequence of sequence of int
        Shreds from left to right, chains whole.
    chained : sequence of sequence of int
        The shreds of each chain.

    Returns
    -------
    tour : ndarray of shape (m + n_pages,), intp
        Nodes in order.
    places : ndarray of intp
        Where two nodes of a page follow one another that no arc joins any more.
    """
    node_of = {shreds[0]: node for node, shreds in enumerate(chained)}
    nodes = [[node_of[shred] for shred in page if shred in node_of] for page in pages]
    rows = [[graph.blank] * (number < graph.n_pages) + page for number, page in enumerate(nodes)]
    tour, row = np.concatenate(rows), np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    return tour, np.flatnonzero((graph.arcs.find(tour[:-1], tour[1:]) < 0) & (row[:-1] == row[1:]))


def pages_of(graph: Graph, tour: Indices) -> list[list[int]]:
    """Cut a tour at the blank node, and where it goes over it.

    Parameters
    ----------
    graph : Graph
        Of m shreds.
    tour : ndarray of shape (m + n_pages,), intp
        Nodes in order, beginning with the blank node, m.

    Returns
    -------
    list of list of int
        Shreds from left to right, page by page.
    """
    following = np.roll(tour, -1)
    cuts = tour == graph.blank
    cuts[1:] |= (graph.over_blank(tour, following) < graph.direct(tour, following))[:-1]
    pages = [[int(node) for node in piece if node != graph.blank] for piece in np.split(tour, np.flatnonzero(cuts))]
    return [page for page in pages if page]


def improve(graph: Graph, tour: Indices, progress: Progress = no_progress, begin_at: Indices | None = None) -> Indices:
    """Exchange neighbouring segments of a tour as long as that makes it cheaper.

    The only exchange of three arcs that turns no segment around, as asymmetric costs demand: a | b … | c … becomes
    a | c … | b …. An arc whose reduced cost is zero can't be the first of a gainful exchange, which leaves few to try.

    Parameters
    ----------
    graph : Graph
        Costs, not negative.
    tour : ndarray of shape (m + n_pages,), intp
        Nodes in order, the blank node, m, among them.
    progress : Progress
        Called before each trial.
    begin_at : ndarray of intp, optional
        Places in the tour: only what follows them, and what an exchange changes then, is tried to be exchanged.

    Returns
    -------
    ndarray of shape (m + n_pages,), intp
        A tour, beginning with the blank node, that no such exchange improves, where all are tried.
    """
    if len(tour) < 3:
        return tour
    least_gain = 1e-12 * max(1.0, graph.length(tour))
    better = True
    while better:
        better, in_vain = False, np.full(2 * graph.arcs.size, begin_at is not None)
        state = _Exchanges(graph, tour, least_gain)
        if begin_at is not None:
            in_vain[state.names[begin_at]] = False
        while (start := state.dearest(in_vain)) is not None:
            progress(0.0, QT_TRANSLATE_NOOP("progress", "Improving the order"))
            exchange = state.best(start)
            if exchange is None:
                in_vain[state.names[start]] = True
            else:
                better, tour = begin_at is None, tour[exchange.order(len(tour))]
                state = _Exchanges(graph, tour, least_gain, state.own_after(exchange, tour))
                in_vain[state.names[exchange.changed(len(tour))]] = False
    return np.roll(tour, -int(np.flatnonzero(tour == graph.blank)[0]))


@dataclass(frozen=True)
class _Exchange:
    """The segments after `start` up to `end`, and behind it up to `last`, counted from there, change places."""

    start: int
    end: int
    last: int

    def order(self, n: int) -> Indices:
        """Return the places of a tour of n nodes as they follow one another then."""
        at = (self.start + np.arange(n)) % n
        first, second = at[1 : self.end + 1], at[self.end + 1 : self.last + 1]
        return np.concatenate([at[:1], second, first, at[self.last + 1 :]])

    def changed(self, n: int) -> Indices:
        """Return the places before new arcs, and beside them, in the new tour."""
        new = np.array([0, self.last - self.end, self.last])
        return np.concatenate([new - 1, new, new + 1]) % n


_Gainful: TypeAlias = tuple[Indices, Indices, Doubles]
"""Which of the ends of first segments, the ends of second ones, and what these exchanges gain."""


class _Exchanges:
    """A tour, and what could be exchanged in it."""

    def __init__(self, graph: Graph, tour: Indices, least_gain: float, own: Doubles | None = None):
        self.graph, self.tour, self.least_gain = graph, tour, least_gain
        self.following = np.roll(tour, -1)
        self.own = graph.price(tour, self.following) if own is None else own
        self.place = np.empty(graph.arcs.size, dtype=np.intp)
        self.place[tour] = np.arange(len(tour))
        self.blanks = np.flatnonzero(tour == graph.blank)
        # An arc is named by its head, or, as the blank node stands at several places, by its tail.
        self.names = np.where(self.following == graph.blank, graph.arcs.size + tour, self.following)

    def own_after(self, exchange: _Exchange, tour: Indices) -> Doubles:
        """Return what the arcs of the tour cost that an exchange makes: but for three it is what they cost now."""
        own = self.own[exchange.order(len(tour))]
        new = np.array([0, exchange.last - exchange.end, exchange.last])
        own[new] = self.graph.price(tour[new], tour[(new + 1) % len(tour)])
        return own

    def dearest(self, in_vain: Mask) -> int | None:
        """Return the place before the dearest arc that was not tried in vain."""
        own = np.where(in_vain[self.names], 0.0, self.own)
        dearest = int(np.argmax(own))
        return dearest if own[dearest] > self.least_gain else None

    def best(self, start: int) -> _Exchange | None:
        """Find the best exchange that removes the arc behind a place."""
        ends, gains = self._ends(start)
        if not len(ends):
            return None
        places = start, ends, gains
        found = [self._by_arcs_back(*places), self._by_arcs_on(*places), self._over_blank(*places)]
        end, last, gain = (np.concatenate(parts) for parts in zip(*found, strict=True))
        if not len(gain) or gain.max() <= self.least_gain:
            return None
        best = np.flatnonzero(gain == gain.max())
        row, last_place = min(zip(end[best].tolist(), last[best].tolist(), strict=True))
        return _Exchange(start, int(ends[row]), last_place)

    def _at(self, start: int, distance: Indices) -> Indices:
        return (start + distance) % len(self.tour)

    def _behind(self, start: int, nodes: Indices, blanks: Indices) -> tuple[Indices, Indices]:
        """Return how far behind a place nodes stand, the blank one at each of some places, and which of them it is."""
        blank = np.flatnonzero(nodes == self.graph.blank)
        copies = np.tile(blanks, len(blank))
        shreds = np.flatnonzero(nodes != self.graph.blank)
        places = np.concatenate([self.place[nodes[shreds]], copies])
        chosen = np.concatenate([shreds, np.repeat(blank, len(blanks))])
        return (places - start) % len(self.tour), chosen

    def _ends(self, start: int) -> tuple[Indices, Doubles]:
        """Find the ends of first segments behind which to go on gains most, and what it gains."""
        graph, tail, n = self.graph, self.tour[start], len(self.tour)
        leaving = graph.arcs.leaving(np.array([tail]))
        # Beside itself and the node that follows now, as many that are entered over the blank node as can be chosen.
        heads = np.union1d(graph.arcs.head[leaving], graph.begins[: _N_CANDIDATES + 2])
        gain = self.own[start] - graph.price(tail, heads)
        gainful = gain > self.least_gain
        place, which = self._behind(start, heads[gainful], self.blanks)
        ends, gain = place - 1, gain[gainful][which]
        inside = (ends >= 1) & (ends < n - 1)
        ends, gain = ends[inside], gain[inside]
        order = np.lexsort((ends, -gain))[:_N_CANDIDATES]
        return ends[order], gain[order]

    def _by_arcs_back(self, start: int, ends: Indices, gains: Doubles) -> _Gainful:
        """Find ends of second segments from which an arc leads back to the first, as far as they may gain.

        What an arc leads on from as well, `_by_arcs_on` finds: here one goes on over the blank node.
        """
        graph, arcs, begin = self.graph, self.graph.arcs, self.following[start]
        back = arcs.entering(self.following[start : start + 1])
        last, which = self._behind(start, arcs.tail[back], self.blanks)
        at_end, at_last = self._at(start, ends), self._at(start, last)
        removed, own, cost = gains + self.own[at_end], self.own[at_last], graph.cost[back][which]
        price = np.minimum(cost, graph.over_blank(arcs.tail[back][which], begin))
        follows = self.following[at_last]
        hopeful = removed.max() + own - price - graph.toll - graph.from_blank[follows] > 0
        last, own, cost, price, follows = last[hopeful], own[hopeful], cost[hopeful], price[hopeful], follows[hopeful]
        gain = removed[:, None] + (own - cost)[None, :]
        row, column = np.nonzero((gain > self.least_gain) & (last[None, :] > ends[:, None]))
        over = graph.over_blank(self.tour[at_end[row]], follows[column])
        return row, last[column], removed[row] + own[column] - price[column] - over

    def _by_arcs_on(self, start: int, ends: Indices, gains: Doubles) -> _Gainful:
        """Find ends of second segments behind which an arc leads on from the first, as far as they may gain."""
        graph, arcs, at, begin = self.graph, self.graph.arcs, self._at(start, ends), self.following[start]
        nodes, removed = self.tour[at], gains + self.own[at]
        # Of thousands of pages hardly any begins where a segment may end that gains.
        before = self.blanks - 1
        blanks = self.blanks[removed.max() + self.own[before] - graph.price_to(begin, self.tour[before]) > 0]
        on, row = arcs.leaving(nodes), np.repeat(np.arange(len(ends)), arcs.starts[nodes + 1] - arcs.starts[nodes])
        place, which = self._behind(start, arcs.head[on], blanks)
        last, row, cost = (place - 1) % len(self.tour), row[which], graph.cost[on][which]
        kept = (removed[row] + self.own[self._at(start, last)] - cost > self.least_gain) & (last > ends[row])
        row, last, cost = row[kept], last[kept], cost[kept]
        at_last = self._at(start, last)
        over = graph.over_blank(nodes[row], self.following[at_last])
        gain = removed[row] + self.own[at_last] - graph.price_to(begin, self.tour[at_last])
        return row, last, gain - np.minimum(cost, over)

    def _over_blank(self, start: int, ends: Indices, gains: Doubles) -> _Gainful:
        """Find the best end of a second segment for each first one, if both are left over the blank node."""
        graph, at = self.graph, self._at(start, ends)
        gain = gains + self.own[at] - graph.to_blank[self.tour[at]]
        gain = gain - 2 * graph.toll - graph.from_blank[self.following[start]]
        rows = np.flatnonzero(gain + self.own.max() > self.least_gain)
        if not len(rows):
            return rows, rows, gain[rows]
        margin = self.own - graph.to_blank[self.tour] - graph.from_blank[self.following]
        margin = np.roll(margin, -start)
        last = np.array([end + 1 + int(np.argmax(margin[end + 1 :])) for end in ends[rows].tolist()], dtype=np.intp)
        at_last = self._at(start, last)
        gain = (gains + self.own[at])[rows] + self.own[at_last]
        gain = gain - graph.over_blank(self.tour[at_last], self.following[start])
        return rows, last, gain - graph.over_blank(self.tour[at[rows]], self.following[at_last])
