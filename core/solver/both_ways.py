"""Half-turns as part of the order: every shred takes part as it lies and half-turned, and each page comes out twice.

Of n shreds the poses 0 … n - 1 are as they lie, and pose k + n is shred k half-turned. A join of two poses and the join
of their half-turned twins, the other way round, are one and the same on paper, and cost the same. So the cheapest order
of all poses on twice as many pages holds every page upright and upside down, and tells which shreds are the same way
up. Which way is up, their print tells; then the order is found once more, of one pose of each shred.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np

from core.arrangement.arrangement import Arrangement
from core.matching.costs import Costs, Join
from core.matching.poses import twin
from core.options import SolverOptions
from core.progress import Progress, part
from core.solver.constraints import joins_by_hand, joins_where, poses, poses_by_hand, with_twins
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


def impossible_joins(costs: Costs, by_hand: Sequence[int]) -> list[Join]:
    """List joins that no order may hold: of a shred with itself, and between ways up that were set apart by hand.

    Parameters
    ----------
    costs : Costs
        Of 2 n poses; what is not possible by them is not listed.
    by_hand : sequence of int
        Poses in which shreds are to be read.

    Returns
    -------
    list of (int, int)
        Of poses, ascending.
    """
    n = costs.n // 2
    left, right, _ = costs.listed()
    way_up = np.zeros(2 * n, dtype=np.int8)
    way_up[list(by_hand)] = 1
    way_up[[twin(pose, n) for pose in by_hand]] = -1
    return joins_where((left % n == right % n) | (way_up[left] * way_up[right] < 0), left, right)


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


def ways_up(pages: Sequence[Page], costs: Costs, by_hand: Mapping[int, int]) -> list[int]:
    """Choose one pose of each shred, so that what stands together is the same way up, and that upright.

    The cheapest joins count first; where one contradicts those before, it is passed over.

    Parameters
    ----------
    pages : sequence of tuple of int
        Poses from left to right, in both ways up.
    costs : Costs
        Of 2 n poses: of their joins, and the odds that they are upright.
    by_hand : mapping of int to int
        The pose of each shred whose way up the examiner set: it is kept.

    Returns
    -------
    list of int
        The pose of every shred. Where nothing tells which way up a page is, most of its shreds stay as they lie.
    """
    n = costs.n // 2
    # Each shred lies as the root of its group does, or half-turned against it; the last root is what is upright.
    root, turned = list(range(n + 1)), [False] * (n + 1)
    groups = {shred: [shred] for shred in range(n + 1)}

    def tie(one: int, other: int, unlike: bool) -> None:
        into, from_ = root[one], root[other]
        if into == from_:
            return
        if len(groups[into]) < len(groups[from_]):
            into, from_ = from_, into
        flip = turned[one] ^ turned[other] ^ unlike
        for shred in groups.pop(from_):
            root[shred], turned[shred] = into, turned[shred] ^ flip
            groups[into].append(shred)

    for shred, pose in by_hand.items():
        tie(n, shred, pose >= n)
    left_of, right_of = np.array([*{join for page in pages for join in pairwise(page)}], np.intp).reshape(-1, 2).T
    order = np.lexsort((right_of, left_of, costs.cost_of(left_of, right_of)))
    for left, right in zip(left_of[order].tolist(), right_of[order].tolist(), strict=True):
        tie(left % n, right % n, (left >= n) != (right >= n))
    chosen = list(range(n))
    for group in groups.values():
        shreds = sorted(shred for shred in group if shred < n)
        if n in group:
            upside_down = turned[n]
        else:
            odds = sum(float(costs.upright[shred]) * (-1 if turned[shred] else 1) for shred in shreds)
            as_it_lies = sum(-1 if turned[shred] else 1 for shred in shreds)
            upside_down = (odds or as_it_lies or (-1 if turned[shreds[0]] else 1)) < 0
        for shred in shreds:
            chosen[shred] = shred + n * (turned[shred] ^ upside_down)
    return chosen


def interleaved(n_compared: int, n_mute: int) -> list[int]:
    """Order poses so that the twin of each is n farther, where shreds without evidence were added behind all others.

    Parameters
    ----------
    n_compared, n_mute : int
        How many shreds of each kind there are; of both there are two poses.

    Returns
    -------
    list of int
        Rows of the costs.

    Examples
    --------
    >>> interleaved(2, 1)
    [0, 1, 4, 2, 3, 5]
    """
    compared, mute = list(range(2 * n_compared)), list(range(2 * n_compared, 2 * (n_compared + n_mute)))
    return [*compared[:n_compared], *mute[:n_mute], *compared[n_compared:], *mute[n_mute:]]


def solve_both_ways(
    costs: Costs,
    options: SolverOptions,
    previous: Arrangement,
    ids: Sequence[str],
    progress: Progress,
    broken: Broken = as_it_is,
) -> tuple[Solution, list[int]]:
    """Find the cheapest order of n shreds of which each may be half-turned.

    Parameters
    ----------
    costs : Costs
        Of 2 n poses.
    options : SolverOptions
        With the number of pages.
    previous : Arrangement
        What holds of it, see `core.solver.constraints.joins_by_hand`; shreds turned by hand keep their way up.
    ids : sequence of str
        Of the n shreds.
    progress : Progress
        Fraction and text.
    broken : callable
        Breaks pages further, of poses and then of shreds, see `core.solver.page_breaks.on_paper`.

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
    n = len(ids)
    stands = poses(ids, previous.half_turned)
    by_hand = {row: stands[row] for row, shred in enumerate(ids) if shred in previous.turned_by_hand}
    kept, avoided = poses_by_hand(previous, ids, stands, costs)
    ruled_out = {*avoided, *impossible_joins(costs, list(by_hand.values()))}
    names = [*ids, *(f"{shred} half-turned" for shred in ids)]
    doubled = replace(options, n_pages=2 * options.n_pages if options.n_pages else None)
    ordered = partial(
        solve,
        costs,
        doubled,
        confirmed=kept,
        names=names,
        copies=2,
        most_programmes=programmes_before_breaking(broken, costs.n),
        progress=part(progress, 0.0, 0.8),
    )
    of_poses = ordered(forbidden=sorted(ruled_out))
    for attempt in range(ATTEMPTS):
        pages = broken(of_poses.pages, costs, kept)
        against_print = set(with_twins(joins_against_print(pages, costs), n)) - set(kept)
        if attempt == ATTEMPTS - 1 or not against_print - ruled_out:
            break
        ruled_out |= against_print
        of_poses = ordered(forbidden=sorted(ruled_out), near=of_poses)
    pose = ways_up(pages, costs, by_hand)
    # Where costs are equal, both ways up need not mirror each other: the order is found once more in the chosen one.
    standing = costs.of(pose)
    kept_rows, avoided_rows = joins_by_hand(previous, ids, standing)
    once = solve(
        standing,
        options,
        confirmed=kept_rows,
        forbidden=avoided_rows,
        names=ids,
        most_programmes=programmes_before_breaking(broken, costs.n),
        progress=part(progress, 0.8, 1.0),
    )
    bound = min(once.cost, of_poses.lower_bound / 2)
    optimal = of_poses.optimal and once.cost <= of_poses.cost / 2 + TOLERANCE * n * costs.temperature
    found = replace(once, lower_bound=bound, gap=0.0 if optimal else gap(once.cost, bound), optimal=optimal)
    return broken_up(found, broken(once.pages, standing, kept_rows), standing), pose
