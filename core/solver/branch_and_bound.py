"""The proof that an order is the cheapest: a linear programme with subtour cuts, and branching where it is undecided.

Works on the graph and the reduced costs of `core.solver.assignment`, in which the sum along a tour is its gap to the
assignment.

References
----------
G. Dantzig, R. Fulkerson, S. Johnson, "Solution of a large-scale traveling-salesman problem", Operations Research 2
(1954), doi:10.1287/opre.2.4.393.
"""

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from math import inf

import numpy as np

from core.arrays import Doubles, Indices, Mask
from core.progress import Progress, no_progress, working_s
from core.solver.assignment import Assignment, assign
from core.solver.chains import chains
from core.solver.graph import Arcs, contract
from core.solver.subtour_cuts import Programme, violated
from core.solver.tour import improve, patch
from core.wording import QT_TRANSLATE_NOOP

_PROVING = QT_TRANSLATE_NOOP("progress", "Proving the order")

_ARCS_PER_NODE = 8
"""Cheapest arcs, out of and into each node, with which the linear programme begins."""

_LEAST_PROGRAMMES = 2
"""The first has no cut yet: it is the assignment over again."""

_WORK = 150_000_000
"""Steps times nodes: a step takes longer the more there are. Of hundreds of nodes they take over ten seconds."""

_NODES_OF_A_STEP = 750
"""What a step takes whatever the number of nodes, as so many more would take."""

_SECONDS_BETWEEN_REPORTS = 0.05


@dataclass(frozen=True, eq=False)
class Proof:
    """The outcome of a proof, complete or not.

    Attributes
    ----------
    tour : ndarray of shape (m + n_pages,), intp
        The best tour.
    excess : float
        Its sum of reduced costs.
    bound : float
        No tour has a lower sum.
    n_steps : int
        How many steps it took.
    """

    tour: Indices
    excess: float
    bound: float
    n_steps: int = 0


class _EnoughError(Exception):
    """The time is up, or the work done; never leaves this module."""


def steps_of_proof(n: int) -> float:
    """Return how many steps a proof may take at most.

    Parameters
    ----------
    n : int
        Number of shreds or poses.

    Returns
    -------
    float
        Less than 1 for millions.
    """
    return _WORK / (_NODES_OF_A_STEP + n)


def prove(
    assignment: Assignment,
    tour: Indices,
    tolerance: float,
    limit_s: float,
    seed: int,
    progress: Progress = no_progress,
    most_programmes: float = inf,
    most_steps: float = inf,
) -> Proof:
    """Improve a tour until it is proved to be the cheapest, or there was time and work enough.

    Parameters
    ----------
    assignment : Assignment
        Of m shreds, costs of the order of 1.
    tour : ndarray of shape (m + n_pages,), intp
        Nodes in order, the blank node, m, among them.
    tolerance : float
        A tour that is dearer than the bound by no more than this is the cheapest.
    limit_s : float
        Seconds. The result depends on the machine only if this ends the proof.
    seed : int
        Chooses among arcs of equal cost, and seeds HiGHS.
    progress : Progress
        Called all the time; raising from it ends the proof within a second.
    most_programmes : float
        So many linear programmes are solved.
    most_steps : float
        So many steps are taken at most: of the simplex method, of flows, and of improving tours.

    Returns
    -------
    Proof
        The best tour and the best bound.
    """
    excess = assignment.reduced.length(tour)
    if limit_s > 0:  # However soon the proof is done, it can be cancelled once.
        progress(0.0, _PROVING)
    if limit_s == 0 or most_programmes < _LEAST_PROGRAMMES or most_steps < 1 or excess <= tolerance:
        return Proof(tour, excess, 0.0)
    search = _Search(assignment, tour, tolerance, limit_s, seed, progress, most_programmes, most_steps)
    with suppress(_EnoughError):
        search.run()
    return Proof(search.tour, search.excess, min(search.bound, search.excess), search.n_steps)


@dataclass(frozen=True, order=True)
class _Branch:
    """All tours that use some arcs and do without others; none is cheaper than `bound`."""

    bound: float
    number: int
    used: tuple[int, ...] = ()
    unused: tuple[int, ...] = ()

    def children(self, bound: float, number: int, arc: int) -> tuple["_Branch", "_Branch"]:
        """Divide the tours by whether they use an arc."""
        used, unused = (*self.used, arc), (*self.unused, arc)
        return _Branch(bound, number, used, self.unused), _Branch(bound, number + 1, self.used, unused)


class _Search:
    """The best tour and the best bound so far, and the steps that bring them together."""

    def __init__(
        self,
        assignment: Assignment,
        tour: Indices,
        tolerance: float,
        limit_s: float,
        seed: int,
        progress: Progress,
        most_programmes: float,
        most_steps: float,
    ):
        self.graph = assignment.reduced
        self.tour, self.excess, self.bound = tour, self.graph.length(tour), 0.0
        self.tolerance, self.progress, self.limit_s = tolerance, progress, limit_s
        self.begun = self.reported = working_s()
        self.n_branches, self.n_programmes, self.most_programmes = 1, 0, most_programmes
        self.n_steps, self.most_steps = 0, most_steps
        # No tour that is worth a thought pays this.
        self.penalty = 1.0 + self.excess
        self.assignment, self.seed = assignment, seed

    @cached_property
    def programme(self) -> Programme:
        """Begin with the cheapest arcs of every node, chosen by lot among equals."""
        graph, nodes = self.graph, self.assignment.nodes
        assigned, n_tolls = graph.passed(nodes, nodes[self.assignment.successor])
        lot = np.random.default_rng(self.seed).random(len(graph.cost)) * self.tolerance
        cheapest = np.flatnonzero(graph.arcs.cheapest(graph.cost + lot, _ARCS_PER_NODE))
        self.watch()
        toured, _ = graph.passed(self.tour, np.roll(self.tour, -1))
        programme = Programme(graph, np.concatenate([cheapest, assigned, toured]), self.seed, self.watch)
        programme.start_from(assigned, n_tolls)
        return programme

    @property
    def done(self) -> bool:
        return self.excess - self.bound <= self.tolerance

    def watch(self) -> None:
        """Count a step, report, and stop when there were enough or the time is up."""
        now = working_s()
        if now - self.begun >= self.limit_s or self.n_steps >= self.most_steps:
            raise _EnoughError
        self.n_steps += 1
        if now - self.reported >= _SECONDS_BETWEEN_REPORTS:
            self.reported = now
            self.progress(max((now - self.begun) / self.limit_s, self.n_steps / self.most_steps), _PROVING)

    def _report(self, fraction: float, text: str) -> None:
        self.watch()

    def run(self) -> None:
        """Branch and bound, the branch with the lowest bound first.

        Whatever is proved when it is enough is in `bound`: a branch leaves the heap only when its children enter it.
        """
        branches, exhausted = [_Branch(0.0, 0)], np.inf
        while not self.done:
            lowest = branches[0].bound if branches else np.inf
            self.bound = max(self.bound, min(lowest, exhausted, self.excess))
            if self.done or lowest >= exhausted:
                break
            x, bound = self.relax(branches[0])
            branch = heappop(branches)
            undecided = np.flatnonzero((x > 1e-6) & (x < 1 - 1e-6))
            if bound >= self.excess - self.tolerance:
                continue
            if not len(undecided):
                exhausted = min(exhausted, bound)
                continue
            arc = int(self.programme.places[undecided[np.argmin(np.abs(x[undecided] - 0.5))]])
            for child in branch.children(bound, self.n_branches, arc):
                heappush(branches, child)
            self.n_branches += 2

    def relax(self, branch: _Branch) -> tuple[Doubles, float]:
        """Add violated cuts and missing arcs until there are none, or the branch can't hold a better tour.

        Arcs that a branch must use become cheaper by a penalty, arcs that it must not use dearer. So the programme
        always has a solution, and the bound holds for all tours of the branch.
        """
        cost = self.graph.cost.copy()
        cost[list(branch.used)] -= self.penalty
        cost[list(branch.unused)] += self.penalty
        self.programme.set_cost(cost)
        best = branch.bound
        while True:
            if self.n_programmes >= self.most_programmes:
                raise _EnoughError
            self.n_programmes += 1
            x = self.programme.solve()
            bound, reduced = self.programme.price()
            best = max(best, bound + self.penalty * len(branch.used))
            if branch.number == 0:
                self.bound = max(self.bound, best)
            if self.programme.sets:  # without a cut it is the assignment over again
                self.round_up(x)
            if best >= self.excess - self.tolerance:
                return x, best
            cuts = violated(self.programme, x)
            n_added = self.programme.add_arcs(self._cheapest(reduced < -1e-9, reduced))
            if cuts:
                self.programme.add_cuts(cuts)
            elif not n_added:
                return x, best

    def round_up(self, x: Doubles) -> None:
        """Make a tour of the arcs that a solution is sure of, and keep it if it is better than the best."""
        blank, programme = self.graph.blank, self.programme
        sure = np.argsort(-x, kind="stable")
        sure = sure[(x[sure] > 0.99) & (programme.tail[sure] < blank) & (programme.head[sure] < blank)]
        chained = chains(blank, np.stack([programme.tail[sure], programme.head[sure]], axis=1))
        assignment = assign(contract(self.graph, chained), self._report)
        nodes = [*chained, [blank]]
        tour = np.array([shred for node in patch(assignment, self._report) for shred in nodes[node]], dtype=np.intp)
        tour = improve(self.graph, tour, self._report)
        if self.graph.length(tour) < self.excess:
            self.tour, self.excess = tour, self.graph.length(tour)

    def _cheapest(self, among: Mask, reduced: Doubles) -> Indices:
        """Choose the cheapest arcs of each node among some."""
        places, arcs = np.flatnonzero(among), self.graph.arcs
        chosen = Arcs(arcs.size, arcs.tail[places], arcs.head[places]).cheapest(reduced[places], _ARCS_PER_NODE)
        return places[chosen]
