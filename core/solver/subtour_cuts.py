"""The programme of the proof in HiGHS: arcs, degree rows and subtour cuts; and which cuts a solution violates.

Works on the graph and the reduced costs of `core.solver.assignment`. Only few arcs are in the programme, but the bound
that its dual prices give is reckoned over all arcs, so that it holds for every order.
"""

from collections.abc import Callable
from typing import Any

import highspy
import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from core.arrays import Doubles, Indices, Mask
from core.solver.assignment import components

Sets = Mask
"""One set of shreds per row, shape (k, m + 1); the blank node, last, is in none."""

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

    A cut says of a set of shreds: at least one arc leaves it.

    Parameters
    ----------
    cost : ndarray of shape (m + 1, m + 1), float64
        Costs of the order of 1; the blank node last.
    n_pages : int
        How often the blank node is visited.
    arcs : ndarray of shape (m + 1, m + 1), bool
        The arcs to begin with; the diagonal is never used.
    seed : int
        For HiGHS.
    watch : callable
        Called again and again while HiGHS runs; what it raises stops HiGHS and comes out of `solve`.
    """

    def __init__(self, cost: Doubles, n_pages: int, arcs: Mask, seed: int, watch: Callable[[], None]):
        self.cost, self.watch = cost, watch
        self.degree = np.append(np.ones(len(cost) - 1), n_pages)
        self.tail = self.head = np.zeros(0, dtype=np.intp)
        self.sets: Sets = np.zeros((0, len(cost)), dtype=np.bool_)
        self._stopped_by: BaseException | None = None
        self._highs = _QuietHighs()
        for name, value in (_HIGHS_OPTIONS | {"random_seed": seed}).items():
            self._highs.setOptionValue(name, value)
        self._highs.cbSimplexInterrupt.subscribe(self._interrupt)
        both, empty = np.concatenate([self.degree, self.degree]), np.zeros(0, dtype=np.int32)
        self._highs.addRows(len(both), both, both, 0, np.zeros(len(both), dtype=np.int32), empty, np.zeros(0))
        self.add_arcs(arcs)

    def _interrupt(self, event: highspy.highs.HighsCallbackEvent) -> None:
        # An exception must not pass through HiGHS: it is kept, and raised as soon as HiGHS has returned.
        try:
            self.watch()
        except BaseException as error:
            self._stopped_by = error
            event.interrupt()

    def add_arcs(self, arcs: Mask) -> int:
        """Add arcs to the programme.

        Parameters
        ----------
        arcs : ndarray of shape (m + 1, m + 1), bool
            Those that are in already, and the diagonal, are passed over.

        Returns
        -------
        int
            How many were added.
        """
        arcs = arcs.copy()
        arcs[self.tail, self.head] = False
        np.fill_diagonal(arcs, False)
        tail, head = np.nonzero(arcs)
        size, n = len(self.cost), len(tail)
        cut, leaving = np.nonzero(self.sets[:, tail] & ~self.sets[:, head])
        column = np.concatenate([np.arange(n), np.arange(n), leaving])
        row = np.concatenate([tail, size + head, 2 * size + cut])
        order = np.lexsort((row, column))
        starts = np.searchsorted(column[order], np.arange(n)).astype(np.int32)
        cost, rows, no_upper = self.cost[tail, head], row[order].astype(np.int32), np.full(n, highspy.kHighsInf)
        self._highs.addCols(n, cost, np.zeros(n), no_upper, len(rows), starts, rows, np.ones(len(rows)))
        self.tail, self.head = np.concatenate([self.tail, tail]), np.concatenate([self.head, head])
        return n

    def add_cuts(self, sets: Sets) -> None:
        """Add a cut for each set.

        Parameters
        ----------
        sets : ndarray of shape (k, m + 1), bool
            At least one arc has to leave each of them.
        """
        row, column = np.nonzero(sets[:, self.tail] & ~sets[:, self.head])
        starts = np.searchsorted(row, np.arange(len(sets))).astype(np.int32)
        columns, no_upper, n = column.astype(np.int32), np.full(len(sets), highspy.kHighsInf), len(sets)
        self._highs.addRows(n, np.ones(n), no_upper, len(columns), starts, columns, np.ones(len(columns)))
        self.sets = np.concatenate([self.sets, sets])

    def start_from(self, tail: Indices, head: Indices) -> None:
        """Begin at an assignment that costs nothing, which spares HiGHS seconds of work.

        Its arcs are the basic columns; each of the trees that they make of the rows has one basic slack. Since no cost
        is negative, this basis is optimal for the degree rows.

        Parameters
        ----------
        tail, head : ndarray of shape (m + n_pages,), intp
            First and last node of each arc of the assignment.
        """
        size = len(self.cost)
        assigned = np.zeros(self.cost.shape, dtype=np.bool_)
        assigned[tail, head] = True
        slack = np.zeros(2 * size, dtype=np.bool_)
        slack[size + head[tail < size - 1]] = True
        slack[[size - 1, -1]] = True
        basic, at_bound = highspy.HighsBasisStatus.kBasic, highspy.HighsBasisStatus.kLower
        basis = highspy.HighsBasis()
        basis.col_status = [basic if used else at_bound for used in assigned[self.tail, self.head]]
        basis.row_status = [basic if free else at_bound for free in slack]
        self._highs.setBasis(basis)

    def set_cost(self, cost: Doubles) -> None:
        """Change the costs; arcs, cuts and the last solution stay, the latter as the place to begin at.

        Parameters
        ----------
        cost : ndarray of shape (m + 1, m + 1), float64
            Costs of all arcs.
        """
        self.cost = cost
        n = len(self.tail)
        self._highs.changeColsCost(n, np.arange(n, dtype=np.int32), cost[self.tail, self.head])

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
                return np.array(self._highs.getSolution().col_value)
            # From a basis that has become singular HiGHS may not find its way; from scratch it does.
            self._highs.clearSolver()
        raise RuntimeError(f"HiGHS ended with the status {self._highs.modelStatusToString(status)}.")

    def price(self) -> tuple[float, Doubles]:
        """Compute the bound that the dual prices prove for all tours, and what each arc would add to it.

        Returns
        -------
        float
            No tour has a lower cost. It holds whatever the prices are: arcs with a negative reduced cost, in the
            programme or not, are counted as often as a node can use them.
        ndarray of shape (m + 1, m + 1), float64
            Reduced costs of all arcs; the diagonal is inf.
        """
        prices = np.array(self._highs.getSolution().row_dual)
        size = len(self.cost)
        leaving, entering, cut = prices[:size], prices[size : 2 * size], np.maximum(prices[2 * size :], 0.0)
        reduced = self.cost - leaving[:, None] - entering[None, :]
        for members, price in zip(self.sets, cut, strict=True):
            if price > 0:
                reduced[np.ix_(members, ~members)] -= price
        np.fill_diagonal(reduced, np.inf)
        bound = self.degree @ (leaving + entering + np.minimum(reduced.min(axis=1), 0.0)) + cut.sum()
        return float(bound), reduced


def violated(programme: Programme, x: Doubles) -> Sets:
    """Find sets of shreds that less than one arc leaves.

    Components of the arcs above a threshold are tried first, for many thresholds; if all these are left often enough,
    maximum flows from each shred to the blank node find whatever there is.

    Parameters
    ----------
    programme : Programme
        Whose cuts are violated.
    x : ndarray of shape (number of arcs,), float64
        Weights of its arcs, degrees all right.

    Returns
    -------
    ndarray of shape (k, m + 1), bool
        The sets; k = 0 if every cut holds.
    """
    used = x > 1e-9
    tail, head, x = programme.tail[used], programme.head[used], x[used]
    found = _loose_components(len(programme.cost), tail, head, x)
    if len(found) or (x > 1 - 1e-6).all():
        return found
    return _minimum_cuts(len(programme.cost), tail, head, x, programme.watch)


def _distinct(sets: list[Mask], size: int) -> Sets:
    distinct = {members.tobytes(): members for members in sets}
    return np.array(list(distinct.values()), dtype=np.bool_).reshape(len(distinct), size)


def _loose_components(size: int, tail: Indices, head: Indices, x: Doubles) -> Sets:
    """Try the components of the arcs above each threshold."""
    sets = []
    between = (tail < size - 1) & (head < size - 1)
    for threshold in np.unique(np.round(x[between], 3))[::-1]:
        kept = between & (x >= threshold - 1e-3)
        n, label = components(size, tail[kept], head[kept])
        leaving = np.bincount(label[tail], weights=x * (label[tail] != label[head]), minlength=n)
        loose = np.flatnonzero(leaving < 1 - _LEAST_VIOLATION)
        sets += [label == component for component in loose if component != label[-1]]
    return _distinct(sets, size)


def _minimum_cuts(size: int, tail: Indices, head: Indices, x: Doubles, watch: Callable[[], None]) -> Sets:
    """Cut each shred off from the blank node, after joining what is surely joined."""
    sure = (x > 1 - 1e-7) & (tail < size - 1) & (head < size - 1)
    n, label = components(size, tail[sure], head[sure])
    capacity = np.round(x * _FLOW_UNIT).astype(np.int32)
    used = (capacity > 0) & (label[tail] != label[head])
    graph = coo_array((capacity[used], (label[tail[used]], label[head[used]])), shape=(n, n)).tocsr()
    sets, settled = [], np.zeros(n, dtype=np.bool_)
    settled[label[-1]] = True
    for source in range(n):
        if settled[source]:
            continue
        watch()
        flow = maximum_flow(graph, source, int(label[-1]))
        if flow.flow_value >= _FLOW_UNIT * (1 - _LEAST_VIOLATION):
            continue
        rest = graph - flow.flow
        rest.data = np.maximum(rest.data, 0)
        rest.eliminate_zeros()
        reached = breadth_first_order(rest, source, return_predecessors=False)
        settled[reached] = True
        sets.append(np.isin(label, reached))
    return _distinct(sets, size)
