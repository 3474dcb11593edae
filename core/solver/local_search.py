"""Another engine, to compare with: the local search of python-tsp, which moves one shred at a time."""

import random
from typing import Any

import numpy as np
from python_tsp.heuristics import solve_tsp_local_search

from core.arrays import Doubles, Indices
from core.progress import Progress, no_progress
from core.wording import QT_TRANSLATE_NOOP


class _Watched(np.ndarray):
    """A matrix that reports whenever it is read: python-tsp knows no progress and can't be cancelled otherwise."""

    progress: Progress = staticmethod(no_progress)

    def __getitem__(self, index: Any) -> Any:
        self.progress(0.0, QT_TRANSLATE_NOOP("progress", "Moving shreds one by one"))
        return super().__getitem__(index)


def local_search(reduced: Doubles, tour: Indices, *, seed: int, progress: Progress = no_progress) -> Indices:
    """Move single shreds to other places as long as that makes a tour cheaper.

    Without a time limit, so that the result does not depend on the machine: seconds for 250 shreds, minutes for 700.

    Parameters
    ----------
    reduced : ndarray of shape (m + 1, m + 1), float64
        Costs, the blank node last.
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
    matrix = reduced[np.ix_(tour, tour)].view(_Watched)
    matrix.progress = progress
    state = random.getstate()
    random.seed(seed)  # the moves are drawn from here and from nowhere else
    try:
        places, _ = solve_tsp_local_search(matrix, x0=list(range(len(tour))), perturbation_scheme="ps3")
    finally:
        random.setstate(state)
    return tour[places]
