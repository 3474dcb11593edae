"""Costs → order: the cheapest order of the shreds, cut into pages, that keeps to the examiner's joins.

The page margin is a blank shred (docs/decisions/blank-margin.md): a page with the shreds a, b, c costs
``from_blank[a] + cost[a, b] + cost[b, c] + to_blank[c]``.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf
from typing import TypeAlias

import numpy as np

from core.arrays import Doubles, Indices
from core.errors import UsageError
from core.matching.costs import Costs, Join
from core.options import SolverOptions
from core.progress import Progress, no_progress, part, working_s
from core.solver.assignment import ASSIGNING, Prices, assign
from core.solver.branch_and_bound import prove, steps_of_proof
from core.solver.chains import chains
from core.solver.graph import Arcs, Graph, contract, graph_of
from core.solver.local_search import local_search
from core.solver.tour import improve, pages_of, patch, tour_of
from core.wording import QT_TRANSLATE_NOOP, Message, counted

_TOLERANCE = 1e-8
"""An order is called optimal if it is dearer than the bound by less than this share of a typical join per shred."""


ATTEMPTS = 20
"""So often at most the order is found anew without joins that only show in an order that has them."""


WORK_BEFORE_BREAKING = 75_000
"""See `programmes_before_breaking`: linear programmes times shreds or poses."""

LEAST_COST = 1e-3
"""An order that costs nothing has a gap, too: that of an order which costs so much."""

ROUNDED = 1e-9
"""By so small a share the costs of orders differ because sums are rounded."""


@dataclass(frozen=True)
class Solution:
    """An order, cut into pages, and how good it is.

    Attributes
    ----------
    pages : tuple of tuple of int
        Indices of the shreds from left to right, page by page; the pages in the order of their first shreds' indices.
    cost : float
        Sum of the costs of all joins and page margins.
    lower_bound : float
        No order on as many pages that keeps and avoids the same joins costs less.
    gap : float
        By how much `cost` exceeds `lower_bound`, as a fraction of `cost`.
    optimal : bool
        `cost` is the lowest possible, up to the precision of the costs.
    n_steps : int
        That the proof took.
    prices : Prices, optional
        With which the next order can begin that is found at nearly the same costs.
    """

    pages: tuple[tuple[int, ...], ...]
    cost: float
    lower_bound: float
    gap: float
    optimal: bool
    n_steps: int = 0
    prices: Prices | None = field(default=None, repr=False, compare=False)


def solve(
    costs: Costs,
    options: SolverOptions,
    *,
    confirmed: Collection[Join] = (),
    forbidden: Collection[Join] = (),
    names: Sequence[str] | None = None,
    copies: int = 1,
    near: Solution | None = None,
    given_back: float = 0.0,
    most_programmes: float = inf,
    most_steps: float | None = None,
    progress: Progress = no_progress,
) -> Solution:
    """Find the cheapest order of n shreds on a given or free number of pages.

    An assignment, patched and improved, gives an order at once. Then a linear programme with subtour cuts and an
    integer one over the few arcs that can still matter prove it the cheapest of all, or find the cheapest.

    Parameters
    ----------
    costs : Costs
        Of n shreds. ``inf`` rules a join out; the diagonal is not read.
    options : SolverOptions
        `n_pages` ``None``: as many pages as cost least. `time_limit_s` 0: the first order with the assignment's bound.
        `engine` "local-search": a search by python-tsp in place of the proof.
    confirmed, forbidden : collection of (int, int)
        Joins to keep, and joins never to use.
    names : sequence of str, optional
        What the examiner calls the shreds; for errors.
    copies : int
        How often each shred is among them, see `core.solver.both_ways`; for errors.
    near : Solution, optional
        An order of the same shreds, with the same joins confirmed, on as many pages where their number is given, at
        nearly the same costs: this one begins with it, and is improved only where that has what is ruled out now.
    given_back : float
        So much less every page but the first counts, where their number is free; no part of the cost.
    most_programmes : float
        So many at most are solved for the proof, see `programmes_before_breaking`.
    most_steps : float, optional
        So many steps of the proof at most; ``None``: see `core.solver.branch_and_bound.steps_of_proof`.
    progress : Progress
        Called often enough that cancelling takes less than a second.

    Returns
    -------
    Solution
        The same for the same costs, options and joins, bit for bit, unless the time limit ended the proof.

    Raises
    ------
    UsageError
        If the joins contradict each other or the number of pages, or leave no order.
    ValueError
        If a cost is NaN, or a join names no two different shreds.

    References
    ----------
    G. Dantzig, R. Fulkerson, S. Johnson (1954), doi:10.1287/opre.2.4.393; R. M. Karp (1979), doi:10.1137/0208045.

    Examples
    --------
    Shred 2 goes to the left of shred 0, unless that is forbidden.

    >>> cost = np.array([[9, 1, 5], [9, 9, 5], [2, 9, 9]], dtype=np.float32)
    >>> blank = np.full(3, 3, dtype=np.float32)
    >>> costs = Costs.of_all(cost, np.zeros((3, 3), dtype=np.int16), blank, blank)
    >>> solution = solve(costs, SolverOptions(n_pages=1))
    >>> solution.pages, solution.cost, solution.optimal
    (((2, 0, 1),), 9.0, True)
    >>> solve(costs, SolverOptions(n_pages=1), forbidden=[(2, 0)]).pages
    ((0, 1, 2),)
    """
    n = costs.n
    names = names or [str(index) for index in range(n)]
    chained = _chained(n, confirmed, forbidden, names)
    if options.n_pages is not None and options.n_pages > len(chained):
        raise UsageError(
            f"{counted(options.n_pages // copies, 'page')} can't be made of {counted(n // copies, 'shred')} with "
            f"{counted((n - len(chained)) // copies, 'confirmed join')}: they fill {len(chained) // copies} at most. "
            "Ask for fewer pages, or withdraw confirmed joins."
        )
    if n == 0:
        return Solution((), 0.0, 0.0, 0.0, True)

    graph = contract(graph_of_costs(costs, forbidden, options.n_pages, given_back), chained)
    begin = None if near is None or near.prices is None else (near.prices, *tour_of(graph, near.pages, chained))
    steps = steps_of_proof(n) if most_steps is None else most_steps
    chain_pages, bound, optimal, n_steps, prices = _order(graph, options, progress, begin, most_programmes, steps)
    pages = sorted(tuple(shred for chain in page for shred in chained[chain]) for page in chain_pages)
    needed = sorted(set(forbidden).intersection(join for page in pages for join in pairwise(page)))
    if needed or np.isinf(bound):
        raise UsageError(_no_order(needed, names, optimal))
    cost = sum(prices_of(pages, costs))
    for_pages = (len(pages) - 1) * given_back if options.n_pages is None else 0.0
    lower_bound = min(cost, bound + for_pages + float(_join_prices(sorted(set(confirmed)), costs).sum()))
    return Solution(tuple(pages), cost, lower_bound, gap(cost, lower_bound), optimal, n_steps, prices)


Pages: TypeAlias = Sequence[tuple[int, ...]]
"""Shreds from left to right, page by page."""

Broken: TypeAlias = Callable[[Pages, Costs, Collection[Join]], Pages]
"""Given pages, costs, and joins to keep, breaks pages further."""


def as_it_is(pages: Pages, costs: Costs, kept: Collection[Join]) -> Pages:
    """Return pages as they are."""
    return pages


def programmes_before_breaking(broken: Broken, n: int) -> float:
    """Tell how many linear programmes a proof may take: fewer of more shreds, where the order is broken further anyway.

    Of what is broken nothing is proved; and after the first few, orders that are cheaper are so by hardly anything.
    """
    return inf if broken is as_it_is else WORK_BEFORE_BREAKING / max(1, n)


def broken_up(found: Solution, pages: Pages, costs: Costs) -> Solution:
    """Put pages that were broken in the place of those that were found.

    Parameters
    ----------
    found : Solution
        An order.
    pages : sequence of tuple of int
        The same, broken further.
    costs : Costs
        Of the shreds.

    Returns
    -------
    Solution
        Of what is broken nothing is proved.
    """
    if len(pages) == len(found.pages):
        return found
    cost = sum(prices_of(pages, costs))
    bound = min(cost, found.lower_bound)
    return Solution(tuple(sorted(pages)), cost, bound, gap(cost, bound), False)


def price(page: Sequence[int], costs: Costs) -> float:
    """Sum up what a page costs, with its margins.

    Parameters
    ----------
    page : sequence of int
        Indices of shreds, from left to right.
    costs : Costs
        Of all the shreds.

    Returns
    -------
    float
    """
    return prices_of([page], costs)[0]


def prices_of(pages: Sequence[Sequence[int]], costs: Costs) -> list[float]:
    """Sum up what each of some pages costs, see `price`."""
    joins = _join_prices([join for page in pages for join in pairwise(page)], costs)
    ends = np.cumsum([len(page) - 1 for page in pages])
    return [
        float(costs.from_blank[page[0]]) + float(of_page.sum()) + float(costs.to_blank[page[-1]])
        for page, of_page in zip(pages, np.split(joins, ends[:-1]), strict=True)
    ]


def _join_prices(joins: Sequence[Join], costs: Costs) -> Doubles:
    """Look up what joins cost; what was joined by hand and has no price costs nothing, as in any other order."""
    left, right = np.array(joins, dtype=np.intp).reshape(-1, 2).T
    prices = costs.cost_of(left, right).astype(np.float64)
    return np.where(np.isfinite(prices), prices, 0.0)


def gap(cost: float, lower_bound: float) -> float:
    """Compute by which fraction of its cost an order may be dearer than the cheapest.

    Parameters
    ----------
    cost, lower_bound : float
        Of the order, and what no order costs less than.

    Returns
    -------
    float
        0 or more.
    """
    return (cost - lower_bound) / max(abs(cost), LEAST_COST) if cost > lower_bound else 0.0


def graph_of_costs(costs: Costs, forbidden: Collection[Join], n_pages: int | None, given_back: float = 0.0) -> Graph:
    """Make a graph of all joins that are possible and not forbidden.

    Parameters
    ----------
    costs : Costs
        Of n shreds.
    forbidden : collection of (int, int)
        Joins that are left out.
    n_pages : int or None
        ``None`` if it is free.
    given_back : float
        For every page but the first, where it is free.

    Returns
    -------
    Graph
        See `core.solver.graph`.
    """
    left, right, cost = costs.listed()
    values = np.concatenate([cost, costs.to_blank, costs.from_blank])
    if np.isnan(values).any() or (values == -np.inf).any():
        raise ValueError("costs must be numbers or inf; given NaN or -inf.")
    allowed = left != right
    arcs, named = Arcs(costs.n, left, right), np.array(list(forbidden), dtype=np.intp).reshape(-1, 2)
    if len(left):
        avoided = arcs.find(named[:, 0], named[:, 1])
        allowed[avoided[avoided >= 0]] = False
    graph = graph_of(left[allowed], right[allowed], cost[allowed], costs.to_blank, costs.from_blank, n_pages)
    return graph if n_pages is not None else graph.with_costs(graph.cost, -given_back)


def _order(
    graph: Graph,
    options: SolverOptions,
    progress: Progress,
    near: tuple[Prices, Indices, Indices] | None,
    most_programmes: float,
    most_steps: float,
) -> tuple[list[list[int]], float, bool, int, Prices]:
    """Order the nodes of a graph.

    Returns
    -------
    list of list of int
        Pages.
    float
        Lower bound; inf if the pages use what is ruled out.
    bool
        Whether the pages are proved to be the cheapest.
    int
        How many steps the proof took.
    Prices
        Of the nodes.
    """
    begun = working_s()
    progress(0.0, ASSIGNING)
    normal, scale, cheapest = _normalised(graph)
    known = None if near is None else Prices((near[0].leaving - cheapest) / scale, near[0].entering / scale)
    assignment = assign(normal, part(progress, 0.0, 0.2), known)
    prices = Prices(cheapest + scale * assignment.prices.leaving, scale * assignment.prices.entering)
    if near is None:
        tour = improve(assignment.reduced, patch(assignment, part(progress, 0.2, 0.2)), part(progress, 0.2, 0.3))
    else:
        tour = improve(assignment.reduced, near[1], part(progress, 0.2, 0.3), near[2])
    above = scale * assignment.reduced.length(tour)
    text = QT_TRANSLATE_NOOP("progress", "First order, at most {cost} above the lowest cost")
    progress(0.3, Message(text, cost=f"{above:.3g}"))
    rest, limit_s = part(progress, 0.3, 1.0), max(0.0, options.time_limit_s - (working_s() - begun))
    if options.engine == "local-search":
        tour, limit_s = local_search(assignment.reduced, tour, seed=options.seed, progress=rest), 0.0
    tolerance = _TOLERANCE * len(tour)
    proof = prove(assignment, tour, tolerance, limit_s, options.seed, rest, most_programmes, most_steps)
    progress(1.0, QT_TRANSLATE_NOOP("progress", "Order found"))
    lowest = float(cheapest.sum()) + scale * (assignment.bound + proof.bound)
    bound = lowest if np.isfinite(graph.length(proof.tour)) else np.inf
    optimal = proof.excess - proof.bound <= tolerance
    return pages_of(graph, proof.tour), float(bound), optimal, proof.n_steps, prices


def _normalised(graph: Graph) -> tuple[Graph, float, Doubles]:
    """Bring costs to the order of 1, and replace inf by a price that no order without it can reach.

    Parameters
    ----------
    graph : Graph
        Of m shreds.

    Returns
    -------
    Graph
        Finite costs, not negative but for the beginning of pages, with the same cheapest tours.
    float, ndarray of shape (m + 1,)
        Factor, and what was taken off the arcs that leave each node: they bring the cost of a tour back.
    """
    finite = np.isfinite(graph.cost)
    starts = graph.arcs.starts[:-1]
    cheapest = np.minimum.reduceat(graph.cost, starts)
    cheapest[np.isinf(cheapest)] = cheapest[graph.blank] = 0.0
    above = graph.cost - cheapest[graph.arcs.tail]
    scale = float(np.mean(np.abs(above), where=finite)) or 1.0
    normal = above / scale
    dearest = np.maximum.reduceat(np.where(finite, np.abs(normal), 0.0), starts)
    prohibitive = 1.0 + float(dearest.sum()) + 2 * (graph.n_pages + 1) * float(dearest[graph.blank])
    normal[~finite] = prohibitive
    return graph.with_costs(normal, min(graph.toll / scale, prohibitive)), scale, cheapest


def _list(joins: Iterable[Join], names: Sequence[str]) -> str:
    return ", ".join(f"{names[left]} → {names[right]}" for left, right in joins)


def _chained(n: int, confirmed: Collection[Join], forbidden: Collection[Join], names: Sequence[str]) -> list[list[int]]:
    """Chain shreds by confirmed joins; refuse joins that contradict each other."""
    for left, right in [*confirmed, *forbidden]:
        if left == right or not (0 <= left < n and 0 <= right < n):
            raise ValueError(f"A join is a pair of different shreds between 0 and {n - 1}; given ({left}, {right}).")
    kept = set(confirmed)
    if both := sorted(kept & set(forbidden)):
        raise UsageError(f"Both confirmed and forbidden: {_list(both, names)}. Withdraw one of the two.")
    for side, neighbour in ((0, "right"), (1, "left")):
        joins_of: dict[int, list[Join]] = {}
        for join in sorted(kept):
            joins_of.setdefault(join[side], []).append(join)
        for shred, joins in joins_of.items():
            if len(joins) > 1:
                raise UsageError(
                    f"Shred {names[shred]} has {len(joins)} confirmed {neighbour} neighbours: {_list(joins, names)}. "
                    "Withdraw all but one of these joins."
                )
    chained = chains(n, np.array(sorted(kept), dtype=np.intp).reshape(-1, 2))
    if circles := [chain for chain in chained if (chain[-1], chain[0]) in kept]:
        circle = min(circles, key=min)
        first = circle.index(min(circle))
        closed = pairwise([*circle[first:], *circle[: first + 1]])
        raise UsageError(f"The confirmed joins {_list(closed, names)} run in a circle. Withdraw one of them.")
    return chained


def _no_order(needed: Sequence[Join], names: Sequence[str], proved: bool) -> str:
    """Write that the joins leave no order."""
    found = "There is no order" if proved else "As far as the search went, no order was found"
    remedy = "" if proved else ", or give more time where that was limited"
    if not needed:
        return f"{found} of the shreds: too many of their costs are infinite. Allow more joins{remedy}."
    return (
        f"{found} that keeps the confirmed joins and avoids all forbidden ones: at best, {_list(needed, names)} "
        f"would be needed. Allow these joins, change the number of pages{remedy}."
    )
