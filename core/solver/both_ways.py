"""Turns as part of the order: every shred takes part in all its poses, and each page comes out as often.

A join of two poses and what it is when both shreds are half-turned, the other way round, are one and the same on paper,
and cost the same; so does what it is when both are turned over. So the cheapest order of all poses on twice as many
pages, or with both faces on four times as many, holds every page upright and upside down, from the front and from
behind, and tells which shreds are the same way up. Which way is up, their print tells; then the order is found once
more, of one pose of each shred.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np

from core.arrangement.arrangement import Arrangement
from core.errors import UsageError
from core.faces.posed import UNSEEN, Posed
from core.faces.ways import reverses, turned, with_turned
from core.matching.costs import Costs, Join
from core.options import SolverOptions
from core.progress import Progress, part
from core.solver.branch_and_bound import steps_of_proof
from core.solver.constraints import joins_by_hand, joins_where, poses_by_hand
from core.solver.solver import (
    ATTEMPTS,
    Broken,
    Solution,
    as_it_is,
    broken_up,
    gap,
    programmes_before_breaking,
    solve,
)

TOLERANCE = 1e-6
"""Costs are equal if they differ by less than this share of the temperature for each shred: they are rounded."""

Page = tuple[int, ...]


def impossible_joins(costs: Costs, n: int, by_hand: Sequence[int]) -> list[Join]:
    """List joins that no order may hold: of a shred with itself, and between ways that were set apart by hand.

    Parameters
    ----------
    costs : Costs
        Of all poses of n shreds; what is not possible by them is not listed.
    n : int
        How many shreds there are.
    by_hand : sequence of int
        Poses in which shreds are to be read.

    Returns
    -------
    list of (int, int)
        Of poses, ascending.
    """
    left, right, _ = costs.listed()
    # How far each pose is turned from the one that is to be read; -1 where any may be.
    off = np.full(costs.n, -1, dtype=np.int8)
    for pose in by_hand:
        for by in range(costs.n // n):
            off[turned(pose, n, by)] = by
    apart = (off[left] >= 0) & (off[right] >= 0) & (off[left] != off[right])
    return joins_where((left % n == right % n) | apart, left, right)


def joins_against_print(pages: Sequence[Page], costs: Costs) -> list[Join]:
    """List joins of what stands on its head with what does not, as print says more clearly than the join holds them.

    Parameters
    ----------
    pages : sequence of tuple of int
        Poses from left to right.
    costs : Costs
        Of 2 n poses.

    Returns
    -------
    list of (int, int)
        Of poses, one of each page at most.
    """
    found = []
    for page in pages:
        left, right = np.array(page[:-1], dtype=np.intp), np.array(page[1:], dtype=np.intp)
        odds = np.cumsum(costs.upright[list(page)], dtype=np.float64)
        before, after = odds[:-1], odds[-1] - odds[:-1]
        unlike = np.where(before * after < 0, np.minimum(np.abs(before), np.abs(after)), 0)
        cost = costs.cost_of(left, right)  # a join by hand may have none
        holds = (costs.to_blank[left] + costs.from_blank[right]) / 2 - cost
        excess = np.where((unlike > 0) & np.isfinite(cost), unlike - holds / costs.temperature, 0)
        if len(excess) and excess.max() > 0:
            worst = int(excess.argmax())
            found.append((int(left[worst]), int(right[worst])))
    return found


def ways_up(pages: Sequence[Page], posed: Posed, by_hand: Mapping[int, int]) -> list[int]:
    """Choose one pose of each shred, so that what stands together is the same way up, and that upright.

    The joins that hold most count first; where one contradicts those before, it is passed over. Of two faces that is
    seen which shows more that is upright.

    Parameters
    ----------
    pages : sequence of tuple of int
        Poses from left to right, in all ways.
    posed : Posed
        Costs of the poses of n shreds, and the odds that they are upright.
    by_hand : mapping of int to int
        The pose of each shred that the examiner turned: it is kept.

    Returns
    -------
    list of int
        The pose of every shred. Where nothing tells which way up a page is, most of its shreds stay as they lie.
    """
    n, costs = posed.n, posed.costs
    # Each shred stands as the root of its group does, or turned against it; the last root is what is upright.
    root, way = list(range(n + 1)), [0] * (n + 1)
    groups = {shred: [shred] for shred in range(n + 1)}

    def tie(one: int, other: int, unlike: int) -> None:
        into, from_ = root[one], root[other]
        if into == from_:
            return
        if len(groups[into]) < len(groups[from_]):
            into, from_ = from_, into
        turn = way[one] ^ way[other] ^ unlike
        for shred in groups.pop(from_):
            root[shred], way[shred] = into, way[shred] ^ turn
            groups[into].append(shred)

    for shred, pose in by_hand.items():
        tie(n, shred, pose // n)
    left_of, right_of = np.array([*{join for page in pages for join in pairwise(page)}], np.intp).reshape(-1, 2).T
    # By what margins in their place would cost more: blank beside blank is cheap, and tells nothing.
    holds = (costs.to_blank[left_of] + costs.from_blank[right_of]) / 2 - costs.cost_of(left_of, right_of)
    order = np.lexsort((right_of, left_of, -holds))
    for left, right in zip(left_of[order].tolist(), right_of[order].tolist(), strict=True):
        tie(left % n, right % n, (left // n) ^ (right // n))
    chosen = list(range(n))
    for group in groups.values():
        shreds = sorted(shred for shred in group if shred < n)
        by = way[n] if n in group else _best_turn(shreds, [way[shred] for shred in shreds], posed)
        for shred in shreds:
            chosen[shred] = shred + n * (way[shred] ^ by)
    return chosen


def _best_turn(shreds: Sequence[int], ways: Sequence[int], posed: Posed) -> int:
    """Choose how to turn shreds that stand together: all seen, most upright, most as they lie."""

    def merit(by: int) -> tuple[float, ...]:
        poses = [shred + posed.n * (way ^ by) for shred, way in zip(shreds, ways, strict=True)]
        unseen = sum(posed.stand(pose)[0] == UNSEEN for pose in poses)
        odds = sum(float(posed.costs.upright[pose]) for pose in poses)
        return -unseen, odds, sum(way == by for way in ways), ways[0] == by

    return max(range(posed.n_ways), key=merit)


def to_be_read(
    pages: Sequence[Page], pose: Sequence[int], posed: Posed, by_hand: AbstractSet[int]
) -> tuple[tuple[Page, ...], list[int]]:
    """Turn each page by itself as it is to be read: joins between pages tied its way up to that of others.

    It costs the same in any way.

    Parameters
    ----------
    pages : sequence of tuple of int
        n shreds from left to right.
    pose : sequence of int
        In which each stands.
    posed : Posed
        Costs of the poses, and the odds that they are upright.
    by_hand : set of int
        Shreds that were turned by hand: their pages stay as they are.

    Returns
    -------
    tuple of tuple of int
        In ascending order.
    list of int
        In which pose each shred stands now.
    """
    turned_pages, pose = [], list(pose)
    for page in pages:
        by = 0
        if by_hand.isdisjoint(page):
            shreds = sorted(page)
            by = _best_turn(shreds, [pose[shred] // posed.n for shred in shreds], posed)
        for shred in page:
            pose[shred] = turned(pose[shred], posed.n, by)
        turned_pages.append(page[::-1] if reverses(by) else page)
    return tuple(sorted(turned_pages)), pose


def interleaved(n_compared: int, n_mute: int, n_ways: int) -> list[int]:
    """Order poses way by way, where shreds without evidence were added behind all others.

    Parameters
    ----------
    n_compared, n_mute : int
        How many shreds of each kind there are.
    n_ways : int
        In how many ways all stand.

    Returns
    -------
    list of int
        Rows of the costs.

    Examples
    --------
    >>> interleaved(2, 1, 2)
    [0, 1, 4, 2, 3, 5]
    """
    first_mute = n_ways * n_compared
    return [
        row
        for way in range(n_ways)
        for start, number in ((n_compared * way, n_compared), (first_mute + n_mute * way, n_mute))
        for row in range(start, start + number)
    ]


def solve_both_ways(
    posed: Posed,
    options: SolverOptions,
    previous: Arrangement,
    progress: Progress,
    broken: Broken = as_it_is,
    given_back: float = 0.0,
) -> tuple[Solution, list[int]]:
    """Find the cheapest order of n shreds of which each may be half-turned, and where it has two faces turned over.

    Parameters
    ----------
    posed : Posed
        Costs of all poses of n shreds.
    options : SolverOptions
        With the number of pages.
    previous : Arrangement
        What holds of it, see `core.solver.constraints.joins_by_hand`; shreds turned by hand stay as they stand.
    progress : Progress
        Fraction and text.
    broken : callable
        Breaks pages further, of poses and then of shreds, see `core.solver.page_breaks.on_paper`.
    given_back : float
        For every page but the first, see `core.solver.solver.solve`.

    Returns
    -------
    solution : Solution
        Pages of shreds, each once and upright; its cost and bound are those of all poses.
    pose : list of int
        In which each shred stands.

    Raises
    ------
    UsageError
        See `core.solver.solver.solve`.
    """
    costs, n, n_ways = posed.costs, posed.n, posed.n_ways
    by_hand = posed.by_hand(previous)
    kept, avoided = poses_by_hand(previous, posed)
    ruled_out = {*avoided, *impossible_joins(costs, n, list(by_hand.values()))}
    ordered = partial(
        solve,
        costs,
        replace(options, n_pages=n_ways * options.n_pages if options.n_pages else None),
        confirmed=kept,
        names=[posed.name(one) for one in range(costs.n)],
        copies=n_ways,
        given_back=given_back,
        most_programmes=programmes_before_breaking(broken, costs.n),
        progress=part(progress, 0.0, 0.8),
    )
    tried = [ordered(forbidden=sorted(ruled_out))]
    for attempt in range(ATTEMPTS):
        pages = broken(tried[-1].pages, costs, kept)
        against_print = set(with_turned(joins_against_print(pages, costs), n, n_ways)) - set(kept)
        if attempt == ATTEMPTS - 1 or not against_print - ruled_out:
            break
        ruled_out |= against_print
        # One proof's steps are for all rounds: what was proved of the first orders hardly changes the last.
        left = steps_of_proof(costs.n) - sum(one.n_steps for one in tried)
        try:
            tried.append(ordered(forbidden=sorted(ruled_out), near=tried[-1], most_steps=left))
        except UsageError:  # on so many pages no order is found without them
            break
    pose = ways_up(pages, posed, by_hand)
    # Where costs are equal, the ways need not mirror each other: the order is found once more in the chosen one.
    standing, ids = costs.of(pose), [posed.stand(one)[0] for one in pose]
    kept_rows, avoided_rows = joins_by_hand(posed.said_of(previous, pose), ids, standing)
    once = solve(
        standing,
        options,
        confirmed=kept_rows,
        forbidden=avoided_rows,
        names=ids,
        given_back=given_back,
        most_programmes=programmes_before_breaking(broken, costs.n),
        progress=part(progress, 0.8, 1.0),
    )
    # Where their number is free, all poses may be on more or fewer pages than the ways to stand call for.
    more = [(n_ways * len(once.pages) - len(one.pages)) * given_back for one in tried]
    bound = min(once.cost, max((one.lower_bound + extra) / n_ways for one, extra in zip(tried, more, strict=True)))
    dearest = (tried[-1].cost + more[-1]) / n_ways + TOLERANCE * n * costs.temperature
    optimal = tried[-1].optimal and once.cost <= dearest
    found = replace(once, lower_bound=bound, gap=0.0 if optimal else gap(once.cost, bound), optimal=optimal)
    found = broken_up(found, broken(once.pages, standing, kept_rows), standing)
    pages, pose = to_be_read(found.pages, pose, posed, by_hand.keys())
    return replace(found, pages=pages), pose
