"""The ends of pages exchanged, where that makes an order of many pages cheaper: what comes before and after a page.

A row of shreds is broken into pages where margins cost least; what stood beside a margin in the row was chosen for the
margin of another page, which is not beside it any more.
"""

from collections.abc import Collection, Sequence

import numpy as np

from core.arrays import Doubles
from core.matching.costs import Costs, Join
from core.progress import Progress, no_progress
from core.solver.graph import Graph
from core.solver.solver import graph_of_costs
from core.wording import QT_TRANSLATE_NOOP

Page = tuple[int, ...]

LEAST_GAIN = 1.0
"""Less is no evidence, in temperatures: on D1, whose margins are all alike, an answer would lose two right joins."""


def exchanged(
    pages: Sequence[Page],
    costs: Costs,
    widths: Doubles,
    kept: Collection[Join],
    avoided: Collection[Join],
    widest: float,
    progress: Progress = no_progress,
) -> list[Page]:
    """Exchange the ends of two pages, the most gainful exchange first, as long as one makes the order cheaper.

    Parameters
    ----------
    pages : sequence of tuple of int
        Indices of n shreds from left to right.
    costs : Costs
        Of the shreds.
    widths : ndarray of shape (n,), float64
        Of the shreds.
    kept, avoided : collection of (int, int)
        Joins that the order has to hold, and that it must not.
    widest : float
        No page becomes wider.
    progress : Progress
        Called before each exchange.

    Returns
    -------
    list of tuple of int
        As many pages, in ascending order.
    """
    pages, held, graph = list(pages), set(kept), graph_of_costs(costs, avoided, None)
    while True:
        progress(0.0, QT_TRANSLATE_NOOP("progress", "Improving the order"))
        places = [
            (page, at)
            for page, shreds in enumerate(pages)
            for at in range(len(shreds) + 1)
            if not 0 < at < len(shreds) or (shreds[at - 1], shreds[at]) not in held
        ]
        best = _best(places, pages, graph, widths, widest)
        if best is None or best[0] <= LEAST_GAIN * costs.temperature:
            return sorted(pages)
        _, (one, left), (other, right) = best
        ends = pages[one][left:], pages[other][right:]
        pages[one], pages[other] = pages[one][:left] + ends[1], pages[other][:right] + ends[0]


def _best(
    places: Sequence[tuple[int, int]], pages: Sequence[Page], graph: Graph, widths: Doubles, widest: float
) -> tuple[float, tuple[int, int], tuple[int, int]] | None:
    """Find the two places behind which the ends of pages are exchanged at the greatest gain.

    One of the two new joins is between shreds: else whole pages were exchanged.
    """
    blank, page = graph.blank, np.array([page for page, _ in places])
    before = np.array([pages[page][at - 1] if at else blank for page, at in places])
    after = np.array([pages[page][at] if at < len(pages[page]) else blank for page, at in places])
    sums = [np.cumsum([0.0, *widths[list(shreds)]]) for shreds in pages]
    begin = np.array([sums[page][at] for page, at in places])
    end = np.array([sums[page][-1] - sums[page][at] for page, at in places])
    own = graph.direct(before, after)
    behind, ahead = np.full((2, blank + 1), -1)
    behind[before], ahead[after] = np.arange(len(places)), np.arange(len(places))
    behind[blank] = ahead[blank] = -1
    one, other = behind[graph.arcs.tail], ahead[graph.arcs.head]
    new = np.flatnonzero((one >= 0) & (other >= 0))
    one, other, cost = one[new], other[new], graph.cost[new]
    fits = (begin[one] + end[other] <= widest) & (begin[other] + end[one] <= widest) & (page[one] != page[other])
    hopeful = fits & (own[one] + own[other] - cost > graph.cost.min())
    one, other, cost = one[hopeful], other[hopeful], cost[hopeful]
    gain = own[one] + own[other] - cost - graph.direct(before[other], after[one])
    if not len(gain) or not np.isfinite(gain.max()):
        return None
    best = np.flatnonzero(gain == gain.max())
    first, second = np.minimum(one, other)[best], np.maximum(one, other)[best]
    chosen = np.lexsort((second, first))[0]
    return float(gain.max()), places[first[chosen]], places[second[chosen]]
