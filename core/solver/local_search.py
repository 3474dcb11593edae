"""Another engine, to compare with: the local search of python-tsp, which moves one shred at a time."""

import random
from collections.abc import Sequence

from python_tsp.heuristics import solve_tsp_local_search

from core.arrays import Doubles, Indices
from core.progress import Progress, no_progress
from core.solver.graph import Graph
from core.wording import QT_TRANSLATE_NOOP


class _Watched:
    """Stands for a matrix, and reports whenever it is read: python-tsp knows no progress and can't be cancelled."""

    def __init__(self, graph: Graph, tour: Indices, progress: Progress):
        self.graph, self.tour, self.progress = graph, tour, progress
        self.shape = (len(tour), len(tour))

    def __getitem__(self, places: tuple[Sequence[int], Sequence[int]]) -> Doubles:
        self.progress(0.0, QT_TRANSLATE_NOOP("progress", "Moving shreds one by one"))
        tail, head = places
        return self.graph.price(self.tour[tail], self.tour[head])


def local_search(graph: Graph, tour: Indices, *, seed: int, progress: Progress = no_progress) -> Indices:
    """Move single shreds to other places as long as that makes a tour cheaper.

    Without a time limit, so that the result does not depend on the machine: seconds for 250 shreds, minutes for 700.

    Parameters
    ----------
    graph : Graph
        Of m shreds.
    tour : ndarray of shape (m + n_pages,), intp
        Nodes in order, beginning with the blank node, m.
    seed : int
        Order in which moves are tried.
    progress : Progress
        Called before each trial.

    Returns
    -------
    ndarray of shape (m + n_pages,), intp
        A tour that no such move improves, beginning with the blank node.
    """
    state = random.getstate()
    random.seed(seed)  # the moves are drawn from here and from nowhere else
    try:
        places, _ = solve_tsp_local_search(
            _Watched(graph, tour, progress), x0=list(range(len(tour))), perturbation_scheme="ps3"
        )
    finally:
        random.setstate(state)
    return tour[places]
