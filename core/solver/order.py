"""The order of shreds on pages: one way up or both, on as many pages as are given, or as the paper's width allows."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from core.arrangement.arrangement import Arrangement
from core.arrays import Doubles
from core.matching.costs import Costs, Join
from core.options import SolverOptions
from core.progress import Progress
from core.solver.both_ways import solve_both_ways
from core.solver.constraints import joins_by_hand
from core.solver.page_breaks import too_wide
from core.solver.pins import keep_pins
from core.solver.solver import Solution, gap, in_haste, nothing_unwanted, solve, without_unwanted


@dataclass(frozen=True, eq=False)
class Problem:
    """What is to be put in order.

    Attributes
    ----------
    costs : Costs
        Of n shreds, or of their 2 n poses.
    options : SolverOptions
        With the number of pages, or without.
    previous : Arrangement
        What the examiner did holds.
    ids : sequence of str
        Of the n shreds.
    widths : ndarray of shape (n,), float64
        As fractions of a page.
    progress : Progress
        Fraction and text.
    """

    costs: Costs
    options: SolverOptions
    previous: Arrangement
    ids: Sequence[str]
    widths: Doubles
    progress: Progress


Found = tuple[Solution, list[int]]
"""An order of shreds, and the pose in which each stands."""


def find_order(problem: Problem, n_all: int, n_pages: int | None = None) -> Found:
    """Find the cheapest order that keeps to what the examiner did, and in which no page is wider than paper.

    Shreds that are pinned are put on their pages then, see `core.solver.pins`: that may make pages wider,
    more or fewer.

    Where the options give a number of pages there are so many, however wide they are. Otherwise a page that is too wide
    is ruled out by a join of it, until none is; the order is then measured against the cheapest on as many pages of any
    width. Where that leads nowhere in `WIDE_ROUNDS`, the cheapest order on as many pages as the widths fill is broken
    where margins cost least. So the same answers give the same order, whatever order was there before.

    Parameters
    ----------
    problem : Problem
        Shreds and their costs.
    n_all : int
        Number of pages that all shreds fill, with those that are set aside, see `estimate_n_pages`.
    n_pages : int, optional
        As many pages as there are to be if none would be too wide; without it, `n_all` and one more for each place at
        which the cheapest order on so many pages would have to be broken.

    Returns
    -------
    Solution
        Of shreds.
    list of int
        The pose in which each stands.

    Raises
    ------
    UsageError
        If confirmed and forbidden joins contradict each other, or pins.
    """
    solution, pose = found = _within_paper(problem, n_all, n_pages)
    if not problem.previous.pinned:
        return found
    standing, by_hand = problem.costs.of(pose), problem.previous
    return keep_pins(solution, standing, problem.options, by_hand, problem.ids, problem.progress), pose


def _within_paper(problem: Problem, n_all: int, n_pages: int | None) -> Found:
    """Find the cheapest order without pins."""
    if problem.options.n_pages is not None:
        return _solved(problem, problem.options.n_pages, on_paper=False)
    most = len(problem.ids) - len(joins_by_hand(problem.previous, problem.ids)[0])
    n_filled = max(1, min(n_all, most))
    plain = None
    if n_pages is None:
        plain = _solved(problem, n_filled, on_paper=False)
        n_broken = len(_too_wide(problem, plain))
        if not n_broken:
            return plain
        n_pages = min(n_filled + n_broken, most)
    found = _solved(problem, n_pages, on_paper=True)
    if not _too_wide(problem, found):
        return found
    return _broken(problem, plain or _solved(problem, n_filled, on_paper=False), found[0].lower_bound)


def _broken(problem: Problem, found: Found, bound: float) -> Found:
    """Break the pages of an order that are too wide; nothing is proved of what then stands there."""
    solution, pose = found
    standing, broken = problem.costs.of(pose), set(_too_wide(problem, found))
    pages: list[tuple[int, ...]] = []
    for page in solution.pages:
        starts = [0, *(at + 1 for at, join in enumerate(pairwise(page)) if join in broken), len(page)]
        pages += [page[start:stop] for start, stop in pairwise(starts)]
    extra = sum(
        float(standing.to_blank[left]) + float(standing.from_blank[right]) - float(standing.cost[left, right])
        for left, right in broken
    )
    cost = solution.cost + extra
    return Solution(tuple(sorted(pages)), cost, min(cost, bound), gap(cost, bound), False), pose


def _too_wide(problem: Problem, found: Found) -> list[Join]:
    """List the joins at which pages of an order that was found are still to be broken."""
    kept, _ = joins_by_hand(problem.previous, problem.ids)
    solution, pose = found
    return too_wide(solution.pages, problem.costs.of(pose), problem.widths, kept)


def _solved(problem: Problem, n_pages: int, *, on_paper: bool) -> Found:
    """Find the cheapest order on a number of pages, of any width or none wider than paper."""
    n, costs, options = len(problem.ids), problem.costs, replace(problem.options, n_pages=n_pages)

    def unwanted(pages: Sequence[tuple[int, ...]], of_these: Costs, kept: Collection[Join]) -> list[Join]:
        widths = np.tile(problem.widths, len(of_these.to_blank) // n)
        return too_wide(pages, of_these, widths, kept)

    ruled_out = unwanted if on_paper else nothing_unwanted
    if len(costs.to_blank) == 2 * n:
        return solve_both_ways(costs, options, problem.previous, problem.ids, problem.progress, ruled_out)
    kept, avoided = joins_by_hand(problem.previous, problem.ids)

    def without(more: Collection[Join]) -> Solution:
        forbidden, hasty = sorted({*avoided, *more}), in_haste(options) if more else options
        return solve(costs, hasty, confirmed=kept, forbidden=forbidden, names=problem.ids, progress=problem.progress)

    return without_unwanted(without, lambda pages: ruled_out(pages, costs, kept)), list(range(n))
