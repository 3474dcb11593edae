"""The programme of the proof in HiGHS: arcs, degree rows and subtour cuts; and which cuts a solution violates.

Works on the graph and the reduced costs of `core.solver.assignment`. Only few arcs are in the programme, but the bound
that its dual prices give is reckoned over all arcs, so that it holds for every order.
"""

from collections.abc import Callable
from typing import Any

import highspy
import numpy as np
from scipy.sparse import coo_array, csc_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from core.arrays import Doubles, Indices
from core.solver.assignment import components
from core.solver.graph import Graph

Sets = list[Indices]
"""Sets of shreds, each ascending; the blank node is in none."""

_LEAST_VIOLATION = 1e-4
"""By how much a cut must be violated to be added."""

_FLOW_UNIT = 10**7
"""Capacities of flows are whole numbers: this is 1."""

_HIGHS_OPTIONS: dict[str, Any] = {"threads": 1, "solver": "simplex", "presolve": "off"}
_HIGHS_OPTIONS |= dict.fromkeys(("dual_feasibility_tolerance", "primal_feasibility_tolerance"), 1e-10)


class _QuietHighs(highspy.Highs):
    """HiGHS that does not write its banner to standard output, which it does while callbacks are enabled."""

    def enableCallbacks(self) -> None:
        """Turn the output off first."""
        self.setOptionValue("output_flag", False)
        super().enableCallbacks()


class Programme:
    """Arcs, degree rows and subtour cuts in HiGHS.

    A cut says of a set of shreds: at least one arc leaves it. The first column counts how often tolls are paid.

    Parameters
    ----------
    graph : Graph
        Costs of the order of 1.
    places : ndarray of shape (n,), intp
        The arcs to begin with.
    seed : int
        For HiGHS.
    watch : callable
        Called again and again while HiGHS runs; what it raises stops HiGHS and comes out of `solve`.
    """

    def __init__(self, graph: Graph, places: Indices, seed: int, watch: Callable[[], None]):
        self.graph, self.cost, self.watch = graph, graph.cost, watch
        size = graph.arcs.size
        self.degree = np.append(np.ones(size - 1), graph.n_pages)
        self.places = self.tail = self.head = np.zeros(0, dtype=np.intp)
        self._inside = np.zeros(len(graph.cost), dtype=np.bool_)
        self.sets: Sets = []
        self._stopped_by: BaseException | None = None
        self._highs = _QuietHighs()
        for name, value in (_HIGHS_OPTIONS | {"random_seed": seed}).items():
            self._highs.setOptionValue(name, value)
        self._highs.cbSimplexInterrupt.subscribe(self._interrupt)
        both, empty = np.concatenate([self.degree, self.degree]), np.zeros(0, dtype=np.int32)
        self._highs.addRows(len(both), both, both, 0, np.zeros(len(both), dtype=np.int32), empty, np.zeros(0))
        visits = np.array([size - 1, 2 * size - 1], dtype=np.int32)
        self._highs.addCol(graph.toll, 0.0, highspy.kHighsInf, 2, visits, np.full(2, -1.0))
        self.add_arcs(places)

    def _interrupt(self, event: highspy.highs.HighsCallbackEvent) -> None:
        # An exception must not pass through HiGHS: it is kept, and raised as soon as HiGHS has returned.
        try:
            self.watch()
        except BaseException as error:
            self._stopped_by = error
            event.interrupt()

    def add_arcs(self, places: Indices) -> int:
        """Add arcs to the programme.

        Parameters
        ----------
        places : ndarray of shape (n,), intp
            Those that are in already are passed over.

        Returns
        -------
        int
            How many were added.
        """
        new = np.zeros_like(self._inside)
        new[places] = True
        places = np.flatnonzero(new & ~self._inside)
        self._inside[places] = True
        tail, head = self.graph.arcs.tail[places], self.graph.arcs.head[places]
        size, n = self.graph.arcs.size, len(tail)
        cut, leaving = _leaving(self.sets, size, tail, head)
        column = np.concatenate([np.arange(n), np.arange(n), leaving])
        row = np.concatenate([tail, size + head, 2 * size + cut])
        order = np.lexsort((row, column))
        self.watch()
        starts = np.searchsorted(column[order], np.arange(n)).astype(np.int32)
        cost, rows, no_upper = self.cost[places], row[order].astype(np.int32), np.full(n, highspy.kHighsInf)
        self._highs.addCols(n, cost, np.zeros(n), no_upper, len(rows), starts, rows, np.ones(len(rows)))
        self.places = np.concatenate([self.places, places])
        self.tail, self.head = np.concatenate([self.tail, tail]), np.concatenate([self.head, head])
        return n

    def add_cuts(self, sets: Sets) -> None:
        """Add a cut for each set.

        Parameters
        ----------
        sets : list of ndarray of intp
            At least one arc has to leave each of them.
        """
        row, column = _leaving(sets, self.graph.arcs.size, self.tail, self.head)
        order = np.lexsort((column, row))
        starts = np.searchsorted(row[order], np.arange(len(sets))).astype(np.int32)
        columns = (1 + column[order]).astype(np.int32)
        no_upper, n = np.full(len(sets), highspy.kHighsInf), len(sets)
        self._highs.addRows(n, np.ones(n), no_upper, len(columns), starts, columns, np.ones(len(columns)))
        self.sets += sets

    def start_from(self, places: Indices, n_tolls: int) -> None:
        """Begin at an assignment that costs nothing, which spares HiGHS seconds of work.

        Its arcs are the basic columns; each of the trees that they make of the rows has one basic slack. Since no cost
        is negative, this basis is optimal for the degree rows.

        Parameters
        ----------
        places : ndarray of shape (n,), intp
            The arcs of the assignment.
        n_tolls : int
            How many tolls it pays.
        """
        self.watch()
        arcs, size = self.graph.arcs, self.graph.arcs.size
        tail, head = arcs.tail[places], arcs.head[places]
        slack = np.zeros(2 * size, dtype=np.bool_)
        slack[size + head[tail < size - 1]] = slack[-1] = True
        slack[size - 1] = not n_tolls
        basic, at_bound = highspy.HighsBasisStatus.kBasic, highspy.HighsBasisStatus.kLower
        basis = highspy.HighsBasis()
        assigned = np.zeros_like(self._inside)
        assigned[places] = True
        used = np.append(n_tolls > 0, assigned[self.places])
        basis.col_status = [basic if inside else at_bound for inside in used]
        basis.row_status = [basic if free else at_bound for free in slack]
        self.watch()
        self._highs.setBasis(basis)

    def set_cost(self, cost: Doubles) -> None:
        """Change the costs; arcs, cuts and the last solution stay, the latter as the place to begin at.

        Parameters
        ----------
        cost : ndarray of shape (k,), float64
            Costs of all arcs of the graph.
        """
        self.cost = cost
        n = len(self.places)
        self._highs.changeColsCost(n, np.arange(1, n + 1, dtype=np.int32), cost[self.places])

    def solve(self) -> Doubles:
        """Find the optimal weight of each arc.

        Returns
        -------
        ndarray of shape (number of arcs,), float64
            Between 0 and 1 for arcs between shreds.

        Raises
        ------
        RuntimeError
            If HiGHS finds no optimum; and whatever `watch` raised.
        """
        for _ in range(2):
            self._highs.run()
            if self._stopped_by is not None:
                raise self._stopped_by
            status = self._highs.getModelStatus()
            if status == highspy.HighsModelStatus.kOptimal:
                return np.array(self._highs.getSolution().col_value)[1:]
            # From a basis that has become singular HiGHS may not find its way; from scratch it does.
            self._highs.clearSolver()
        raise RuntimeError(f"HiGHS ended with the status {self._highs.modelStatusToString(status)}.")

    def price(self) -> tuple[float, Doubles]:
        """Compute the bound that the dual prices prove for all tours, and what each arc would add to it.

        Returns
        -------
        float
            No tour has a lower cost. It holds whatever the prices are: arcs with a negative reduced cost, in the
            programme or not, are counted as often as a tour can use them.
        ndarray of shape (k,), float64
            Reduced costs of all arcs of the graph.
        """
        prices = np.array(self._highs.getSolution().row_dual)
        arcs, size = self.graph.arcs, self.graph.arcs.size
        leaving, entering, cut = prices[:size], prices[size : 2 * size], np.maximum(prices[2 * size :], 0.0)
        reduced = self.cost - leaving[arcs.tail] - entering[arcs.head]
        inside = np.zeros(size, dtype=np.bool_)
        for number in np.flatnonzero(cut):
            members = self.sets[number]
            inside[members] = True
            places = arcs.leaving(members)
            reduced[places[~inside[arcs.head[places]]]] -= cut[number]
            inside[members] = False
        least = np.minimum(np.minimum.reduceat(reduced, arcs.starts[:-1]), 0.0)
        least[-1] = np.minimum(reduced[arcs.starts[-2] :], 0.0).sum()
        toll = self.graph.toll + leaving[-1] + entering[-1]
        bound = self.degree @ (leaving + entering) + least.sum() + cut.sum() + min(toll, 0.0) * (size - 1)
        return float(bound), reduced


def _leaving(sets: Sets, size: int, tail: Indices, head: Indices) -> tuple[Indices, Indices]:
    """Find for each set the arcs that leave it: pairs of a set and an arc."""
    nodes = np.concatenate([*sets, np.zeros(0, dtype=np.intp)])
    number = np.repeat(np.arange(len(sets)), [len(members) for members in sets])
    within = csc_array((np.ones(len(nodes), dtype=np.int8), (number, nodes)), shape=(len(sets), size))
    before = within[:, tail]
    leaving = (before - before.multiply(within[:, head])).tocoo()
    kept = leaving.data != 0
    return leaving.row[kept].astype(np.intp), leaving.col[kept].astype(np.intp)


def violated(programme: Programme, x: Doubles) -> Sets:
    """Find sets of shreds that less than one arc leaves.

    What is surely joined is one. Components of the arcs above a threshold are tried first, for many thresholds; if all
    these are left often enough, maximum flows to the blank node find whatever there is.

    Parameters
    ----------
    programme : Programme
        Whose cuts are violated.
    x : ndarray of shape (number of arcs,), float64
        Weights of its arcs, degrees all right.

    Returns
    -------
    list of ndarray of intp
        The sets; none if every cut holds.
    """
    size, used = programme.graph.arcs.size, x > 1e-9
    tail, head, x = programme.tail[used], programme.head[used], x[used]
    sure = (x > 1 - 1e-7) & (tail < size - 1) & (head < size - 1)
    n, label = components(size, tail[sure], head[sure])
    tail, head = label[tail], label[head]
    apart = tail != head
    tail, head, x = tail[apart], head[apart], x[apart]
    found = _loose_components(n, tail, head, x) or _minimum_cuts(n, tail, head, x, programme.watch)
    shreds = _groups(label, n)
    return [np.sort(np.concatenate([shreds[part] for part in members])) for members in found]


def _groups(label: Indices, n: int) -> Sets:
    """List the members of each of n groups."""
    return np.split(np.argsort(label, kind="stable"), np.cumsum(np.bincount(label, minlength=n))[:-1])


def _distinct(sets: Sets) -> Sets:
    return list({members.tobytes(): members for members in sets}.values())


def _loose_components(size: int, tail: Indices, head: Indices, x: Doubles) -> Sets:
    """Try the components of the arcs above each threshold."""
    sets: Sets = []
    between = (tail < size - 1) & (head < size - 1)
    for threshold in [np.inf, *np.unique(np.round(x[between], 3))[::-1].tolist()]:
        kept = between & (x >= threshold - 1e-3)
        n, label = components(size, tail[kept], head[kept])
        leaving = np.bincount(label[tail], weights=x * (label[tail] != label[head]), minlength=n)
        loose = np.flatnonzero(leaving < 1 - _LEAST_VIOLATION)
        if len(loose):
            members = _groups(label, n)
            sets += [members[component] for component in loose.tolist() if component != label[-1]]
    return _distinct(sets)


def _minimum_cuts(size: int, tail: Indices, head: Indices, x: Doubles, watch: Callable[[], None]) -> Sets:
    """Cut each shred off from the blank node, among those that it is joined with."""
    between = (tail < size - 1) & (head < size - 1)
    n, label = components(size, tail[between], head[between])
    capacity = np.round(x * _FLOW_UNIT).astype(np.int32)
    node_of, sets = np.full(size, -1), []
    by_component = np.argsort(label[tail], kind="stable")
    starts = np.searchsorted(label[tail][by_component], np.arange(n + 1))
    for component, members in enumerate(_groups(label, n)):
        if len(members) == 1:
            continue
        arcs = by_component[starts[component] : starts[component + 1]]
        node_of[members], node_of[size - 1] = np.arange(len(members)), len(members)
        shape = (len(members) + 1, len(members) + 1)
        graph = coo_array((capacity[arcs], (node_of[tail[arcs]], node_of[head[arcs]])), shape=shape).tocsr()
        sets += [members[cut] for cut in _cuts_within(graph, watch)]
    return _distinct(sets)


def _cuts_within(graph: Any, watch: Callable[[], None]) -> Sets:
    """Cut each node of a network off from the last one."""
    sets, sink = [], graph.shape[0] - 1
    settled = np.zeros(sink + 1, dtype=np.bool_)
    for source in range(sink):
        if settled[source]:
            continue
        watch()
        flow = maximum_flow(graph, source, sink)
        if flow.flow_value >= _FLOW_UNIT * (1 - _LEAST_VIOLATION):
            continue
        rest = graph - flow.flow
        rest.data = np.maximum(rest.data, 0)
        rest.eliminate_zeros()
        reached = np.sort(breadth_first_order(rest, source, return_predecessors=False))
        settled[reached] = True
        sets.append(reached)
    return sets
