"""The proof that an order is the cheapest: a linear programme with subtour cuts, then an integer one.

Works on the graph and the reduced costs of `core.path_cover`, in which the sum along a tour is its gap to the
assignment.

References
----------
G. Dantzig, R. Fulkerson, S. Johnson, "Solution of a large-scale traveling-salesman problem", Operations Research 2
(1954), doi:10.1287/opre.2.4.393: subtour cuts and reduced-cost fixing.
"""

from dataclasses import dataclass
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from core.path_cover import Assignment, Indices, Matrix, assign, chains, contract, improve, patch
from core.progress import Progress, no_progress
from core.subtour_cuts import Programme, violated

_ARCS_PER_NODE = 8
"""Cheapest arcs, out of and into each node, with which the linear programme begins."""

_INTEGER_ARCS_PER_NODE = 6
"""Arcs per node with which the integer programme begins."""

_SECONDS_BETWEEN_REPORTS = 0.05


@dataclass(frozen=True, eq=False)
class Proof:
    """What is known when the proof ends.

    Attributes
    ----------
    tour : ndarray of shape (m + n_pages,), intp
        The best tour.
    excess : float
        Its sum of reduced costs.
    bound : float
        No tour has a lower sum.
    """

    tour: Indices
    excess: float
    bound: float


class _TimeIsUpError(Exception):
    """The time limit was reached; never leaves this module."""


def prove(
    assignment: Assignment,
    tour: Indices,
    *,
    tolerance: float,
    time_limit_s: float,
    seed: int,
    progress: Progress = no_progress,
) -> Proof:
    """Improve a tour until it is proved to be the cheapest, or the time is up.

    Parameters
    ----------
    assignment : Assignment
        Of m shreds, costs of the order of 1.
    tour : ndarray of shape (m + n_pages,), intp
        Nodes in order, the blank node, m, among them.
    tolerance : float
        A tour that is dearer than the bound by no more than this is the cheapest.
    time_limit_s : float
        Seconds. The result depends on the machine only if this ends the proof.
    seed : int
        Chooses among arcs of equal cost, and seeds HiGHS.
    progress : Progress
        Called all the time; raising from it ends the proof within a second.

    Returns
    -------
    Proof
        The best tour and the best bound.
    """
    search = _Search(assignment, tour, tolerance, time_limit_s, seed, progress)
    try:
        programme, reduced, bound = search.linear()
        if not search.done:
            search.integer(programme, reduced, bound)
    except _TimeIsUpError:
        pass
    return Proof(search.tour, search.excess, min(search.bound, search.excess))


class _Search:
    """The best tour and the best bound so far, and the steps that bring them together."""

    def __init__(
        self,
        assignment: Assignment,
        tour: Indices,
        tolerance: float,
        time_limit_s: float,
        seed: int,
        progress: Progress,
    ):
        self.assignment, self.cost, self.seed = assignment, assignment.reduced, seed
        self.n_pages = len(assignment.nodes) - len(self.cost) + 1
        self.tour, self.excess, self.bound = tour, self.length(tour), 0.0
        self.tolerance, self.progress, self.time_limit_s = tolerance, progress, time_limit_s
        self.begun = self.reported = monotonic()

    @property
    def done(self) -> bool:
        return self.excess - self.bound <= self.tolerance

    def length(self, tour: Indices) -> float:
        return float(self.cost[tour, np.roll(tour, -1)].sum())

    def watch(self) -> None:
        """Report, and stop when the time is up."""
        now = monotonic()
        if now - self.begun >= self.time_limit_s:
            raise _TimeIsUpError
        if now - self.reported >= _SECONDS_BETWEEN_REPORTS:
            self.reported = now
            self.progress((now - self.begun) / self.time_limit_s, "Proving the order")

    def _report(self, fraction: float, text: str) -> None:
        self.watch()

    def _programme(self, arcs: NDArray[np.bool_]) -> Programme:
        arcs[self.tour, np.roll(self.tour, -1)] = True
        return Programme(self.cost, self.n_pages, arcs, self.seed, self.watch)

    def linear(self) -> tuple[Programme, Matrix, float]:
        """Add violated cuts and missing arcs until there are none; give the last reduced costs and their bound."""
        assigned = self.assignment.nodes, self.assignment.nodes[self.assignment.successor]
        jitter = np.random.default_rng(self.seed).random(self.cost.shape) * self.tolerance
        arcs = _cheapest(self.cost + jitter, _ARCS_PER_NODE)
        arcs[assigned] = True
        programme = self._programme(arcs)
        programme.start_from(*assigned)
        while True:
            x = programme.solve()
            bound, reduced = programme.price()
            self.bound = max(self.bound, bound)
            self.round_up(programme, x)
            if self.done:
                break
            cuts = violated(programme, x)
            missing = reduced < -1e-9
            n_added = programme.add_arcs(missing & _cheapest(reduced, _ARCS_PER_NODE)) if missing.any() else 0
            if len(cuts):
                programme.add_cuts(cuts)
            elif not n_added:
                break
        return programme, reduced, bound

    def integer(self, linear: Programme, reduced: Matrix, linear_bound: float) -> None:
        """Solve integer programmes over the arcs with a small reduced cost, until no other arc can be of use.

        A tour with an arc of reduced cost r costs at least the linear bound plus r. So what holds for all tours of arcs
        up to a threshold holds for all others too, up to the linear bound plus the threshold.
        """
        least_arcs = min(_INTEGER_ARCS_PER_NODE * len(reduced), reduced.size - 1)
        threshold = float(np.partition(reduced, least_arcs, axis=None)[least_arcs])
        while not self.done:
            threshold = min(max(threshold, (self.excess - linear_bound) / 16), self.excess - linear_bound)
            programme = self._programme(reduced <= threshold)
            programme.add_cuts(linear.sets)
            programme.make_integer(self.tour)
            self.branch(programme, linear_bound + threshold)
            threshold *= 4

    def branch(self, programme: Programme, ceiling: float) -> None:
        """Solve an integer programme, adding the cuts that its solutions violate, until a tour is optimal in it."""
        while self.bound < min(ceiling, self.excess - self.tolerance):
            try:
                x = programme.solve()
            finally:
                self.bound = max(self.bound, min(programme.integer_bound(), ceiling))
            self.round_up(programme, x)
            cuts = violated(programme, x)
            if not len(cuts):
                break
            programme.add_cuts(cuts)
            programme.suggest(self.tour)

    def round_up(self, programme: Programme, x: NDArray[np.float64]) -> None:
        """Make a tour of the arcs that a solution is sure of, and keep it if it is better than the best."""
        blank = len(self.cost) - 1
        sure = np.argsort(-x, kind="stable")
        sure = sure[(x[sure] > 0.99) & (programme.tail[sure] < blank) & (programme.head[sure] < blank)]
        chained = chains(blank, np.stack([programme.tail[sure], programme.head[sure]], axis=1))
        assignment = assign(contract(self.cost, chained), self.n_pages, self._report)
        nodes = [*chained, [blank]]
        tour = np.array([shred for node in patch(assignment) for shred in nodes[node]], dtype=np.intp)
        tour = improve(self.cost, tour, self._report)
        if self.length(tour) < self.excess:
            self.tour, self.excess = tour, self.length(tour)


def _cheapest(cost: Matrix, k: int) -> NDArray[np.bool_]:
    """Mark the k cheapest arcs out of each node and into each node."""
    chosen = np.zeros(cost.shape, dtype=np.bool_)
    if k >= len(cost):
        return ~chosen
    np.put_along_axis(chosen, np.argpartition(cost, k, axis=1)[:, :k], True, axis=1)
    np.put_along_axis(chosen, np.argpartition(cost, k, axis=0)[:k], True, axis=0)
    return chosen
