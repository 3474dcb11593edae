"""The order of shreds on pages: one way up or both, on as many pages as are given, or as the paper's width allows."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrangement.arrangement import Arrangement
from core.arrays import Doubles, Floats, Indices
from core.errors import UsageError
from core.faces.joint import N_WAYS
from core.faces.posed import Posed
from core.faces.ways import turned_join
from core.matching.costs import Costs, Join
from core.options import SolverOptions
from core.progress import Progress, part
from core.solver.both_ways import solve_both_ways, to_be_read
from core.solver.constraints import joins_by_hand, poses_by_hand
from core.solver.page_breaks import WIDEST_PAGE, on_paper
from core.solver.page_ends import LEAST_GAIN, Limits, Page, exchanged, rejoined
from core.solver.pins import keep_pins
from core.solver.solver import (
    ROUNDED,
    Broken,
    Pages,
    Solution,
    as_it_is,
    broken_up,
    gap,
    prices_of,
    programmes_before_breaking,
    solve,
)

LOTS = 1e-3
"""How much a lot counts at most, in temperatures: no evidence, but more than the proof's tolerance."""


@dataclass(frozen=True, eq=False)
class Problem:
    """What is to be put in order.

    Attributes
    ----------
    posed : Posed
        n shreds in all their poses, with the costs of these.
    options : SolverOptions
        With the number of pages, or without.
    previous : Arrangement
        What the examiner did holds.
    widths : ndarray of shape (n,), float64
        As fractions of a page.
    progress : Progress
        Fraction and text.
    """

    posed: Posed
    options: SolverOptions
    previous: Arrangement
    widths: Doubles
    progress: Progress

    def seen(self, pose: Sequence[int]) -> tuple[Costs, list[str], Arrangement]:
        """Return the costs and names of shreds as they stand, and what was done by hand, said of these."""
        ids = [self.posed.stand(one)[0] for one in pose]
        return self.posed.costs.of(pose), ids, self.posed.said_of(self.previous, pose)


Found = tuple[Solution, list[int]]
"""An order of shreds, and the pose in which each stands."""


def find_order(problem: Problem, n_least: int) -> Found:
    """Find the cheapest order that keeps to what the examiner did, and in which no page is wider than paper.

    Shreds that are pinned are put on their pages then, see `core.solver.pins`: that may make pages wider,
    more or fewer.

    Where the options give a number of pages there are so many, however wide they are. Otherwise the cheapest order on
    any number of pages is broken where pages are too wide and margins cost least, and their ends are exchanged. Where
    paper calls for several pages, each but the first is given back what blank paper beside blank paper costs. The
    cheapest order on as many pages of any width proves it, or is taken if it is cheaper still: as it is if no page of
    it is too wide, or broken. That number is nothing to find an order for at first: if one page must end elsewhere, two
    others would have to be one for it. So an answer changes what is beside it, and the same answers give the same
    order, whatever order was there before.

    Parameters
    ----------
    problem : Problem
        Shreds and their costs.
    n_least : int
        So many pages at least where the options give no number: those that there were, or those that all shreds fill,
        with the ones that are set aside, see `estimate_n_pages`.

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
    number = problem.options.n_pages
    solution, pose = found = _within_paper(problem, n_least) if number is None else _solved(problem, number)
    if not problem.previous.pinned:
        return found
    standing, ids, by_hand = problem.seen(pose)
    return keep_pins(solution, standing, problem.options, by_hand, ids, problem.progress), pose


def _within_paper(problem: Problem, n_least: int) -> Found:
    """Find the cheapest order without pins on as many pages as are needed."""

    def broken(pages: Pages, costs: Costs, kept: Collection[Join]) -> Pages:
        times = costs.n // problem.posed.n
        return on_paper(pages, costs, np.tile(problem.widths, times), kept, n_least * times)

    lots, first = _with_lots(problem.posed), part(problem.progress, 0.0, 0.6)
    # A break has one margin more than a join has borders. Where all fits on one page, paper calls for no break.
    given_back = lots.costs.blank_beside_blank if problem.widths.sum() > WIDEST_PAGE else 0.0
    row, pose = _solved(replace(problem, posed=lots, progress=first), None, broken, given_back)
    standing, ids, by_hand = problem.seen(pose)
    kept, avoided = joins_by_hand(by_hand, ids, standing)
    between = part(problem.progress, 0.6, 0.6)
    pages = tuple(exchanged(row.pages, standing, problem.widths, kept, avoided, WIDEST_PAGE, between))
    if problem.posed.n_ways == N_WAYS:
        pages, pose = _turned_and_rejoined(problem, pages, pose, n_least, given_back)
        standing = problem.posed.costs.of(pose)
    cost = sum(prices_of(pages, standing))
    second = part(problem.progress, 0.6, 1.0)
    try:
        plain, plain_pose = found = _solved(replace(problem, progress=second), len(pages))
    except UsageError:
        # What by hand contradicts itself has no row either: too few joins are possible for so many pages of any width.
        bound = min(cost, row.lower_bound - 2 * len(ids) * LOTS * standing.temperature)
        return Solution(pages, cost, bound, gap(cost, bound), False), pose
    cheaper = gap(cost, plain.cost) > ROUNDED
    plain_costs, plain_ids, plain_by_hand = problem.seen(plain_pose)
    kept, _ = joins_by_hand(plain_by_hand, plain_ids, plain_costs)
    if cheaper:
        narrow = tuple(broken(plain.pages, plain_costs, kept))
        if sorted(narrow) == sorted(plain.pages):
            return found
        # Broken where it is too wide it may still be cheaper, but for what every page more costs at least.
        of_narrow = sum(prices_of(narrow, plain_costs))
        if of_narrow - (len(narrow) - len(pages)) * standing.blank_beside_blank < cost:
            bound = plain.lower_bound
            return Solution(narrow, of_narrow, bound, gap(of_narrow, bound), False), plain_pose
    bound, proved = min(cost, plain.lower_bound), plain.optimal and not cheaper
    return Solution(pages, cost, bound, 0.0 if proved else gap(cost, bound), proved), pose


def _turned_and_rejoined(
    problem: Problem, pages: Pages, pose: list[int], n_least: int, given_back: float
) -> tuple[tuple[Page, ...], list[int]]:
    """Put pages of paper with two faces together, turned as they fit, see `core.solver.page_ends.rejoined`."""
    posed, previous = problem.posed, problem.previous
    kept, avoided = poses_by_hand(previous, posed)
    by_hand = posed.by_hand(previous).keys()
    limits = Limits(WIDEST_PAGE, n_least, given_back, LEAST_GAIN * posed.costs.temperature)
    found, pose = rejoined(
        pages, pose, posed, problem.widths, kept, avoided, by_hand, limits, part(problem.progress, 0.6, 0.6)
    )
    return to_be_read(found, pose, posed, by_hand)


def _with_lots(posed: Posed) -> Posed:
    """Let a lot decide where joins cost the same, and join where margins cost the same.

    It is the same lot whatever was answered: so nothing changes but what an answer is about.
    """
    costs = posed.costs
    left, right = costs.left.astype(np.intp), costs.right.astype(np.intp)
    # A join, and what it is when all paper is turned, are one.
    turned = (turned_join(left, right, posed.n, by) for by in range(posed.n_ways))
    name = np.minimum.reduce([one * costs.n + other for one, other in turned])
    most = np.float32(LOTS * costs.temperature)
    to_blank, from_blank = costs.to_blank + most, costs.from_blank + most
    with_lots = replace(costs, cost=costs.cost + most * _lots(name), to_blank=to_blank, from_blank=from_blank)
    return replace(posed, costs=with_lots)


def _lots(name: Indices) -> Floats:
    """Draw a lot between 0 and 1 for each number, always the same: scrambled as in SplitMix64."""
    state = name.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        state = (state ^ (state >> np.uint64(shift))) * np.uint64(factor)
    return (state >> np.uint64(40)).astype(np.float32) / np.float32(2**24)


def _solved(problem: Problem, n_pages: int | None, broken: Broken = as_it_is, given_back: float = 0.0) -> Found:
    """Find the cheapest order on a number of pages of any width, and break it."""
    costs, options = problem.posed.costs, replace(problem.options, n_pages=n_pages)
    if problem.posed.n_ways > 1:
        return solve_both_ways(problem.posed, options, problem.previous, problem.progress, broken, given_back)
    _, ids, by_hand = problem.seen(range(costs.n))
    kept, avoided = joins_by_hand(by_hand, ids, costs)
    most = programmes_before_breaking(broken, costs.n)
    found = solve(
        costs,
        options,
        confirmed=kept,
        forbidden=avoided,
        names=ids,
        given_back=given_back,
        most_programmes=most,
        progress=problem.progress,
    )
    return broken_up(found, broken(found.pages, costs, kept), costs), list(range(len(ids)))
