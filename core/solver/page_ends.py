"""The ends of pages exchanged, where that makes an order of many pages cheaper: what comes before and after a page.

A row of shreds is broken into pages where margins cost least; what stood beside a margin in the row was chosen for the
margin of another page, which is not beside it any more.
"""

from collections.abc import Collection, Iterable, Sequence
from heapq import heappop, heappush

import numpy as np

from core.arrays import Doubles, Indices
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
    ends = _Ends(pages, graph_of_costs(costs, avoided, None), widths, kept, widest, LEAST_GAIN * costs.temperature)
    while True:
        progress(0.0, QT_TRANSLATE_NOOP("progress", "Improving the order"))
        best = ends.best()
        if best is None:
            return sorted(ends.pages)
        ends.exchange(*best)


Place = tuple[int, int]
"""A page, and how many of its shreds stand before the place."""


class _Ends:
    """Pages, and by which exchanges they gain: those of the two pages that one changed are reckoned anew."""

    def __init__(
        self,
        pages: Sequence[Page],
        graph: Graph,
        widths: Doubles,
        kept: Collection[Join],
        widest: float,
        least_gain: float,
    ):
        self.pages, self.graph, self.widths = list(pages), graph, widths
        self.widest, self.least_gain, n = widest, least_gain, graph.blank
        self.held_behind, self.held_ahead = np.zeros((2, n), dtype=np.bool_)
        held = np.array(list(kept), dtype=np.intp).reshape(-1, 2)
        self.held_behind[held[:, 0]] = self.held_ahead[held[:, 1]] = True
        # Of each shred: its page, how many stand before it, and its neighbours there or the blank node;
        self.page, self.at, self.before, self.after = np.zeros((4, n), dtype=np.intp)
        # how wide that is which stands before it, and with it, and the page; what it costs beside its neighbours.
        self.start, self.stop, self.width, self.ahead, self.behind = np.zeros((5, n))
        self.least_leaving = np.minimum.reduceat(graph.cost, graph.arcs.starts[:-1])
        self.gain = np.full(len(graph.cost), -np.inf)
        self._gainful: list[tuple[float, Place, Place, int]] = []
        self._renew(range(len(self.pages)))

    def best(self) -> tuple[Place, Place] | None:
        """Find the two places behind which the ends of pages are exchanged at the greatest gain."""
        while self._gainful:
            loss, first, second, arc = self._gainful[0]
            if self.gain[arc] == -loss and self._places(arc) == (first, second):
                return first, second
            heappop(self._gainful)  # as it was before one of the two pages changed
        return None

    def exchange(self, first: Place, second: Place) -> None:
        """Exchange the ends of two pages."""
        (one, left), (other, right) = first, second
        ends = self.pages[one][left:], self.pages[other][right:]
        self.pages[one], self.pages[other] = self.pages[one][:left] + ends[1], self.pages[other][:right] + ends[0]
        self._renew((one, other))

    def _places(self, arc: int) -> tuple[Place, Place]:
        """Return the places that an arc joins, behind its first shred and ahead of its last, in ascending order."""
        tail, head = self.graph.arcs.tail[arc], self.graph.arcs.head[arc]
        places = (int(self.page[tail]), int(self.at[tail]) + 1), (int(self.page[head]), int(self.at[head]))
        return min(places), max(places)

    def _renew(self, numbers: Iterable[int]) -> None:
        """Reckon what concerns the shreds of some pages."""
        graph, arcs = self.graph, self.graph.arcs
        shreds = np.array([shred for number in numbers for shred in self.pages[number]], dtype=np.intp)
        for number in numbers:
            page = np.array(self.pages[number], dtype=np.intp)
            sums = np.cumsum([0.0, *self.widths[page]])
            self.page[page], self.at[page] = number, np.arange(len(page))
            self.before[page], self.after[page] = [graph.blank, *page[:-1]], [*page[1:], graph.blank]
            self.start[page], self.stop[page], self.width[page] = sums[:-1], sums[1:], sums[-1]
        ahead, behind = graph.direct(self.before[shreds], shreds), graph.direct(shreds, self.after[shreds])
        # What is held stays, and what was joined by hand though no price allows it.
        self.ahead[shreds] = np.where(self.held_ahead[shreds] | np.isinf(ahead), -np.inf, ahead)
        self.behind[shreds] = np.where(self.held_behind[shreds] | np.isinf(behind), -np.inf, behind)
        places = np.union1d(arcs.leaving(shreds), arcs.entering(shreds))
        places = places[(arcs.tail[places] != graph.blank) & (arcs.head[places] != graph.blank)]
        self.gain[places] = -np.inf
        gain, places = self._gains(places)
        self.gain[places] = gain
        for arc, value in zip(places.tolist(), gain.tolist(), strict=True):
            heappush(self._gainful, (-value, *self._places(arc), arc))

    def _gains(self, places: Indices) -> tuple[Doubles, Indices]:
        """Compute what arcs gain whose shreds become neighbours; only of those where it is enough.

        One of the two new joins is between shreds: else whole pages were exchanged.
        """
        graph = self.graph
        tail, head = graph.arcs.tail[places], graph.arcs.head[places]
        gain = self.behind[tail] + self.ahead[head] - graph.cost[places]
        fits = (self.stop[tail] + (self.width[head] - self.start[head]) <= self.widest) & (
            self.start[head] + (self.width[tail] - self.stop[tail]) <= self.widest
        )
        hopeful = fits & (self.page[tail] != self.page[head])
        hopeful &= gain - self.least_leaving[self.before[head]] > self.least_gain
        places, tail, head, gain = places[hopeful], tail[hopeful], head[hopeful], gain[hopeful]
        gain = gain - graph.direct(self.before[head], self.after[tail])
        enough = np.isfinite(gain) & (gain > self.least_gain)
        return gain[enough], places[enough]
