"""Products of the rows that meet, of every candidate, at its own shift and a few around it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Indices, blocks
from core.matching.candidates.find import Candidates, worth_a_card
from core.matching.candidates.tiles import COMPARING, PRICING
from core.matching.poses import BothViews
from core.parallel import HERE, Workers, map_in_order, n_cores
from core.progress import Progress, part
from core.system.interim import Interim
from core.system.spool import lend

AT_ONCE = 128
"""Candidates of one pose that are one task: some poses have thousands, and with each the system maps megabytes."""

MOST_THREADS = 2
"""Products of vectors are so short that more threads wait for the interpreter lock longer than they multiply."""

FOR_WORKERS = 128
"""So many of these tasks are one for another process."""


@dataclass(frozen=True, eq=False)
class _Some:
    """Candidates of one pose or of some: another process of this machine maps what is multiplied from this one."""

    right: Floats | BothViews
    left: Floats | BothViews
    candidates: list[Candidates]
    around: Sequence[int]
    lent: Any = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process is lent the edges, and given the candidates."""
        return _Some, (*self.lent, self.candidates, self.around)

    def multiply(self) -> Floats:
        """Sum the products of the rows that meet."""
        return np.concatenate([self._of_one_pose(of_one) for of_one in self.candidates])

    def _of_one_pose(self, some: Candidates) -> Floats:
        edge = self.right[some.left[0] : some.left[0] + 1][0]
        return _of_edge(edge, self.left, some.right, some.shift_rows, self.around)


def products_of(
    candidates: Candidates,
    right: Floats | BothViews,
    left: Floats | BothViews,
    around: Sequence[int],
    progress: Progress,
    what: str,
    interim: Interim,
    release: Callable[[], None] = lambda: None,
    workers: Workers = HERE,
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
    workers : Workers
        Multiply, if they are processes of this machine.

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
    slices = [
        slice(start, min(start + AT_ONCE, stop))
        for begin, stop in pairwise(bounds)
        for start in range(begin, stop, AT_ONCE)
    ]
    products, n_done = np.zeros((len(candidates.left), len(around)), dtype=np.float32), 0
    if known := interim.latest(what):
        n_done = int(known["n_done"])
        products[: len(known["products"])] = known["products"]
    rest, of_rest = slices[n_done:], part(progress, n_done / max(1, len(slices)), 1.0)
    lent = (_lent(right), _lent(left)) if workers.near else (None, None)
    there = None not in lent
    tasks = [rest[some] for some in blocks(len(rest), FOR_WORKERS if there else 1)]
    items = (_Some(right, left, [_chosen(candidates, of_one) for of_one in task], around, lent) for task in tasks)
    if there:
        found = workers.map(_multiplied, items, len(tasks), COMPARING, of_rest, same="all")
    else:
        n_threads, among = min(n_cores(), MOST_THREADS), (n_done, len(slices))
        found = map_in_order(_Some.multiply, items, PRICING, of_rest, n_threads, among, len(tasks))
    for task, of_task in zip(tasks, found, strict=True):
        products[task[0].start : task[-1].stop] = of_task
        n_done += len(task)
        release()
        if interim.due:
            interim.keep(what, {"n_done": np.array(n_done), "products": products[: task[-1].stop]})
    return products


def _chosen(candidates: Candidates, which: slice) -> Candidates:
    return Candidates(candidates.left[which], candidates.right[which], candidates.shift_rows[which])


def _multiplied(some: _Some, _progress: Progress) -> Floats:
    return some.multiply()


def _lent(edges: Floats | BothViews) -> Any:
    """Lend what edges are put together from; None if it cannot be lent."""
    if not isinstance(edges, BothViews):
        return lend(edges)
    views, turned = (tuple(lend(array) for array in arrays) for arrays in (edges.views, edges.turned))
    both: Any = BothViews
    return None if None in views + turned else both(views, turned)


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
