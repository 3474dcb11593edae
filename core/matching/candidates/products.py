"""Products of the rows that meet, of every candidate, at its own shift and a few around it."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Indices
from core.matching.candidates.find import Candidates, worth_a_card
from core.matching.poses import BothViews
from core.parallel import map_in_order, n_cores
from core.progress import Progress, part
from core.system.interim import Interim
from core.wording import QT_TRANSLATE_NOOP

_PRICING = QT_TRANSLATE_NOOP("progress", "Comparing borders of shred {number} of {n}")

AT_ONCE = 128
"""Candidates of one pose that are one task: some poses have thousands, and with each the system maps megabytes."""

MOST_THREADS = 2
"""Products of vectors are so short that more threads wait for the interpreter lock longer than they multiply."""


def products_of(
    candidates: Candidates,
    right: Floats | BothViews,
    left: Floats | BothViews,
    around: Sequence[int],
    progress: Progress,
    what: str,
    interim: Interim,
    release: Callable[[], None] = lambda: None,
) -> Floats:
    """Sum the products of the rows that meet.

    Parameters
    ----------
    candidates : Candidates
        m joins of 2 n poses.
    right, left : ndarray of shape (2 n, rows, …), float32, or BothViews
        What is multiplied.
    around : sequence of int
        Rows that are added to the shift of each candidate.
    progress : Progress
        Fraction and text.
    what : str
        Names these products among what is kept.
    interim : Interim
        Keeps how far that is.
    release : callable
        Lets the system take back the memory of what is mapped.

    Returns
    -------
    ndarray of shape (m, len(around)), float32
        What has no counterpart counts as multiplied by 0.
    """
    if worth_a_card(len(right)):
        from core.matching.candidates.card import products_on_a_card

        joins = candidates.left, candidates.right, candidates.shift_rows
        return products_on_a_card(joins, right, left, around, progress, release)
    bounds = np.searchsorted(candidates.left, np.arange(len(right) + 1)).tolist()
    tasks = [
        slice(start, min(start + AT_ONCE, stop))
        for begin, stop in pairwise(bounds)
        for start in range(begin, stop, AT_ONCE)
    ]

    def of_one_pose(task: slice) -> Floats:
        pose = candidates.left[task.start]
        return _of_edge(right[pose : pose + 1][0], left, candidates.right[task], candidates.shift_rows[task], around)

    products, n_done = np.zeros((len(candidates.left), len(around)), dtype=np.float32), 0
    if known := interim.latest(what):
        n_done = int(known["n_done"])
        products[: len(known["products"])] = known["products"]
    rest, of_rest = tasks[n_done:], part(progress, n_done / max(1, len(tasks)), 1.0)
    n_threads = min(n_cores(), MOST_THREADS)
    found_of_rest = map_in_order(of_one_pose, rest, _PRICING, of_rest, n_threads, among=(n_done, len(tasks)))
    for task, found in zip(rest, found_of_rest, strict=True):
        products[task] = found
        n_done += 1
        release()
        if interim.due:
            interim.keep(what, {"n_done": np.array(n_done), "products": products[: task.stop]})
    return products


def _of_edge(
    edge: Floats, left: Floats | BothViews, others: Indices, shift_rows: NDArray[np.int16], around: Sequence[int]
) -> Floats:
    """Multiply a right edge, (rows, …), with the left edges of k others: (k, len(around)).

    Moved to one shift, and around it, the edge is a matrix; the others are read where they lie.
    """
    found = np.zeros((len(others), len(around)), dtype=np.float32)
    room = int(np.abs(shift_rows).max()) + max(np.abs(around))
    for which, array, numbers, upside_down in _views(left, others):
        view = edge[:, numbers] if edge.ndim > 1 else edge[:, None]
        # Where no row of the edge comes to lie, there is nothing to multiply with.
        rows = np.pad(view[::-1] if upside_down else view, ((room, room), (0, 0))).reshape(-1)
        moved, at_shift, d = np.empty((len(around), view.size), dtype=np.float32), None, view.shape[1]
        places, shifts = others % len(array), shift_rows.tolist()
        for one in which[np.argsort(shift_rows[which], kind="stable")].tolist():
            if shifts[one] != at_shift:
                at_shift = shifts[one]
                for to, step in zip(moved, around, strict=True):
                    down = at_shift + step
                    first = (room - down if upside_down else room + down) * d
                    to[:] = rows[first : first + view.size]
            found[one] += np.dot(moved, array[places[one]].reshape(-1))  # unlike @, lets other threads go on
    return found


def _views(edges: Floats | BothViews, poses: Indices) -> Iterator[tuple[Indices, Floats, slice, bool]]:
    """Find where embeddings of edges lie: they are read there, not put together before.

    Yields which of the poses are meant, the array that holds them, one after the other and then, perhaps, from the
    first again; which of an edge's numbers lie there; and whether its first row is the last there.
    """
    if not isinstance(edges, BothViews):
        yield np.arange(len(poses)), np.asarray(edges), slice(None), False
        return
    n, _, d = edges.views[0].shape
    for which, views in ((np.flatnonzero(poses < n), edges.views), (np.flatnonzero(poses >= n), edges.turned)):
        for view, array in enumerate(views if len(which) else ()):
            yield which, np.asarray(array), slice(view * d, (view + 1) * d), view == 1
