"""A first order at once: assignment, patching of cycles, exchange of neighbouring segments.

The shreds and one blank node make a complete directed graph: the blank node is last, its row holds the price of
beginning a page, its column the price of ending one. An order of `n_pages` pages is a closed tour through every shred
once and through the blank node `n_pages` times.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from core.arrays import Doubles, Indices
from core.progress import Progress, no_progress
from core.wording import QT_TRANSLATE_NOOP

_ASSIGNING = QT_TRANSLATE_NOOP("progress", "Assigning neighbours")


_N_CANDIDATES = 10
"""New successors that are tried for a shred in an exchange."""


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
        Position in `nodes` of each node's successor.
    reduced : ndarray of shape (m + 1, m + 1), float64
        Reduced costs, not negative: what an arc adds to `bound`. A tour costs `bound` plus their sum along it, so that
        everything after the assignment works on them alone.
    """

    bound: float
    nodes: Indices
    successor: Indices
    reduced: Doubles


def assign(cost: Doubles, n_pages: int, progress: Progress = no_progress) -> Assignment:
    """Solve the assignment relaxation and find its dual prices.

    Parameters
    ----------
    cost : ndarray of shape (m + 1, m + 1), float64
        Finite costs of all arcs, the blank node last; arcs that must not be used are prohibitively dear.
    n_pages : int
        How often the blank node is visited.
    progress : Progress
        Called between the passes.

    Returns
    -------
    Assignment
        Of m shreds and `n_pages` copies of the blank node.

    Notes
    -----
    SciPy gives no dual prices. They are the lengths of shortest paths in the residual graph, found by Bellman and
    Ford's method: each pass looks at the rows whose price the last one changed.
    """
    blank = len(cost) - 1
    nodes = np.concatenate([np.arange(blank), np.full(n_pages, blank)])
    full = cost[np.ix_(nodes, nodes)]
    progress(0.0, _ASSIGNING)
    rows, successor = linear_sum_assignment(full)
    own = full[rows, successor]
    tolerance = 1e-13 * max(1.0, float(np.abs(own).max()))
    predecessor = np.argsort(successor)
    column_price = full.min(axis=0)
    row_price = own - column_price[successor]
    while len(rows):
        progress(0.5, _ASSIGNING)
        lower = (full[rows] - row_price[rows, None]).min(axis=0)
        cheaper = lower < column_price - tolerance
        column_price[cheaper] = lower[cheaper]
        rows = predecessor[cheaper]
        row_price[rows] = own[rows] - column_price[cheaper]
    u, v = row_price[: blank + 1], column_price[: blank + 1]
    reduced = np.maximum(cost - u[:, None] - v[None, :], 0.0)
    return Assignment(float(own.sum()), nodes, successor, reduced)


def patch(assignment: Assignment) -> Indices:
    """Join the assignment's cycles to one tour, the smallest cycle first, each at its cheapest place.

    Cycles through a copy of the blank node are pages already and cost nothing to join.

    Parameters
    ----------
    assignment : Assignment
        Of m shreds.

    Returns
    -------
    ndarray of shape (m + n_pages,), intp
        A tour: nodes in order, beginning with the blank node, m.

    References
    ----------
    R. M. Karp, "A patching algorithm for the nonsymmetric traveling-salesman problem", SIAM Journal on Computing 8
    (1979), doi:10.1137/0208045.
    """
    nodes, reduced = assignment.nodes, assignment.reduced
    successor = assignment.successor.copy()
    blank = len(reduced) - 1
    _, cycle_of = components(len(successor), np.arange(len(successor)), successor)
    sizes = np.bincount(cycle_of).astype(np.float64)
    sizes[cycle_of[blank:]] = np.inf
    while np.isfinite(smallest := sizes.min()):
        cycle = int(np.flatnonzero(sizes == smallest)[0])
        inside, outside = np.flatnonzero(cycle_of == cycle), np.flatnonzero(cycle_of != cycle)
        own = reduced[nodes, nodes[successor]]
        to_other = reduced[np.ix_(nodes[inside], nodes[successor[outside]])] - own[inside, None]
        from_other = reduced[np.ix_(nodes[outside], nodes[successor[inside]])].T - own[None, outside]
        a, b = np.unravel_index(np.argmin(to_other + from_other), to_other.shape)
        first, second = inside[a], outside[b]
        successor[[first, second]] = successor[[second, first]]
        sizes[cycle_of[second]] += sizes[cycle]
        sizes[cycle] = np.inf
        cycle_of[inside] = cycle_of[second]
    return _tour(nodes, successor, blank)


def components(n: int, tail: Indices, head: Indices) -> tuple[int, NDArray[np.int32]]:
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
    label : ndarray of shape (n,), int32
        The component of each node; components are numbered by their first nodes.
    """
    graph = coo_array((np.ones(len(tail)), (tail, head)), shape=(n, n))
    n_components, label = connected_components(graph, directed=False)
    return int(n_components), label


def _tour(nodes: Indices, successor: Indices, blank: int) -> Indices:
    """Walk the pages one after the other; copies of the blank node are all alike."""
    tour = []
    for start in range(blank, len(nodes)):
        tour.append(blank)
        node = successor[start]
        while node < blank:
            tour.append(node)
            node = successor[node]
    return np.array(tour, dtype=np.intp)


def improve(reduced: Doubles, tour: Indices, progress: Progress = no_progress) -> Indices:
    """Exchange neighbouring segments of a tour as long as that makes it cheaper.

    The only exchange of three arcs that turns no segment around, as asymmetric costs demand: a | b … | c … becomes
    a | c … | b …. An arc whose reduced cost is zero can't be the first of a gainful exchange, which leaves few to try.

    Parameters
    ----------
    reduced : ndarray of shape (m + 1, m + 1), float64
        Costs, not negative.
    tour : ndarray of shape (m + n_pages,), intp
        Nodes in order, the blank node, m, among them.
    progress : Progress
        Called before each trial.

    Returns
    -------
    ndarray of shape (m + n_pages,), intp
        A tour that no such exchange improves, beginning with the blank node.
    """
    if len(tour) < 3:
        return tour
    least_gain = 1e-12 * max(1.0, float(reduced[tour, np.roll(tour, -1)].sum()))
    in_vain = 0
    while True:
        own = reduced[tour, np.roll(tour, -1)]
        dearest = np.argsort(-own, kind="stable")
        if in_vain == len(tour) or own[dearest[in_vain]] <= least_gain:
            break
        progress(0.0, QT_TRANSLATE_NOOP("progress", "Improving the order"))
        better = _exchange(reduced, np.roll(tour, -dearest[in_vain]), least_gain)
        in_vain = in_vain + 1 if better is None else 0
        tour = tour if better is None else better
    return np.roll(tour, -int(np.flatnonzero(tour == len(reduced) - 1)[0]))


def _exchange(reduced: Doubles, tour: Indices, least_gain: float) -> Indices | None:
    """Find the best exchange that removes the arc between the first two nodes of a tour."""
    following = np.roll(tour, -1)
    own = reduced[tour, following]
    ends = np.arange(1, len(tour) - 1)
    first_gain = own[0] - reduced[tour[0], tour[ends + 1]]
    ends = ends[np.argsort(-first_gain, kind="stable")[:_N_CANDIDATES]]
    ends = ends[first_gain[ends - 1] > least_gain]
    if not len(ends):
        return None
    gain = first_gain[ends - 1, None] + own[ends, None] + own[None, :]
    gain = gain - reduced[tour, tour[1]][None, :] - reduced[np.ix_(tour[ends], following)]
    gain[np.arange(len(tour))[None, :] <= ends[:, None]] = -np.inf
    row, last = np.unravel_index(np.argmax(gain), gain.shape)
    if gain[row, last] <= least_gain:
        return None
    end = ends[row]
    return np.concatenate([tour[:1], tour[end + 1 : last + 1], tour[1 : end + 1], tour[last + 1 :]])
