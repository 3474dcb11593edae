"""The ends of pages exchanged, where that makes an order of many pages cheaper: what comes before and after a page.

A row of shreds is broken into pages where margins cost least; what stood beside a margin in the row was chosen for the
margin of another page, which is not beside it any more. Where paper has two faces, a page that ends amid print may
belong to another one only when it is turned: a join that holds less than what both its ends would find is broken.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush, nlargest
from itertools import pairwise, product

import numpy as np

from core.arrays import Doubles, Indices
from core.faces.posed import Posed
from core.faces.ways import reverses, turned
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


def rejoined(
    pages: Sequence[Page],
    pose: Sequence[int],
    posed: Posed,
    widths: Doubles,
    kept: Collection[Join],
    avoided: Collection[Join],
    by_hand: Collection[int],
    limits: "Limits",
    progress: Progress = no_progress,
) -> tuple[list[Page], list[int]]:
    """Put pages together, turned if need be, and break a join for it that holds less than what its ends find then.

    Parameters
    ----------
    pages : sequence of tuple of int
        n shreds from left to right.
    pose : sequence of int
        In which each stands.
    posed : Posed
        Costs of all poses.
    widths : ndarray of shape (n,), float64
        Of the shreds.
    kept, avoided : collection of (int, int)
        Joins of poses that the order has to hold, and that it must not.
    by_hand : collection of int
        Shreds that were turned by hand: their pages stay as they stand.
    limits : Limits
        Of pages.
    progress : Progress
        Called before each step.

    Returns
    -------
    list of tuple of int
        In ascending order, as many pages or fewer.
    list of int
        In which pose each shred stands now.
    """
    pages, pose, held = list(pages), list(pose), frozenset(kept)
    costs = posed.costs
    usable = np.isfinite(costs.cost)
    ruled_out = costs.at(*np.array([*avoided], dtype=np.intp).reshape(-1, 2).T)
    usable[ruled_out[ruled_out >= 0]] = False
    left, right = costs.left[usable].astype(np.intp), costs.right[usable].astype(np.intp)
    # What two pages gain by a join in the place of the end of one and the beginning of another.
    gain = costs.to_blank[left] + costs.from_blank[right] - limits.given_back - costs.cost[usable]
    gainful = gain > 0
    joins = left[gainful], right[gainful], gain[gainful].astype(np.float64)
    while True:
        progress(0.0, QT_TRANSLATE_NOOP("progress", "Improving the order"))
        step = _best_step(_Turnable.of(pages, pose, posed, by_hand), joins, widths, held, limits)
        if step is None:
            return sorted(pages), pose
        number, at, joined = step
        page = pages[number]
        parts = [list(page[:at]), list(page[at:])]
        for end, (other, way) in joined.items():
            row = pages[other][::-1] if reverses(way) else pages[other]
            for shred in row:
                pose[shred] = turned(pose[shred], posed.n, way)
            parts[end] = [*parts[0], *row] if end == 0 else [*row, *parts[1]]
        gone = {number, *(other for other, _ in joined.values())}
        pages = [page for each, page in enumerate(pages) if each not in gone]
        pages += [tuple(part) for part in parts if part]


@dataclass(frozen=True)
class Limits:
    """What pages keep to.

    Attributes
    ----------
    widest : float
        No page becomes wider.
    n_least : int
        So many pages at least.
    given_back : float
        For every page but the first, see `core.solver.solver.solve`.
    least_gain : float
        Less is no evidence, in the costs' unit.
    """

    widest: float
    n_least: int
    given_back: float
    least_gain: float


@dataclass(frozen=True, eq=False)
class _Turnable:
    """Pages, and with which poses they begin and end in all ways in which they may stand."""

    pages: list[Page]
    pose: list[int]
    costs: Costs
    begins: Mapping[int, tuple[int, int]]
    ends: Mapping[int, tuple[int, int]]

    @classmethod
    def of(cls, pages: list[Page], pose: list[int], posed: Posed, by_hand: Collection[int]) -> "_Turnable":
        begins, ends = {}, {}
        fixed = frozenset(by_hand)
        for number, page in enumerate(pages):
            for way in range(posed.n_ways if fixed.isdisjoint(page) else 1):
                first, last = (turned(pose[shred], posed.n, way) for shred in (page[0], page[-1]))
                begin, end = (last, first) if reverses(way) else (first, last)
                begins[begin], ends[end] = (number, way), (number, way)
        return cls(pages, pose, posed.costs, begins, ends)

    def holds(self, left: int | None, right: int | None, limits: Limits) -> float:
        """Compute by how much two ends would cost more; 0 where a page begins or ends."""
        if left is None or right is None:
            return 0.0
        apart = float(self.costs.to_blank[left] + self.costs.from_blank[right]) - limits.given_back
        return apart - float(self.costs.cost_of(left, right))


_Step = tuple[int, int, dict[int, tuple[int, int]]]
"""A page, how many of its shreds stand before the place where it is broken, and what either part is joined to."""

_Offer = tuple[float, int, int]
"""What an end gains by being joined to a page that stands in a way."""

_NONE: _Offer = (0.0, -1, 0)

_Offers = dict[int | None, list[_Offer]]
"""Of poses; of none there is nothing."""

_CHOICES = 3
"""So many of the best pages for either end are looked at: both may want the same one."""


def _best_step(
    turnable: _Turnable,
    joins: tuple[Indices, Indices, Doubles],
    widths: Doubles,
    held: frozenset[Join],
    limits: Limits,
) -> _Step | None:
    """Find the step that gains most; None where none gains enough."""
    pages, pose = turnable.pages, turnable.pose
    behind, ahead = _offers(joins, turnable.begins, turnable.ends)
    wide = [float(widths[list(page)].sum()) for page in pages]
    best_gain, best = limits.least_gain, None
    for number, page in enumerate(pages):
        stands = [None, *(pose[shred] for shred in page), None]
        starts = np.cumsum([0.0, *widths[list(page)]])
        for at, (left, right) in enumerate(pairwise(stands)):
            if (left, right) in held:
                continue
            before = _choices(behind.get(left, ()), number, wide, limits.widest - starts[at])
            after = _choices(ahead.get(right, ()), number, wide, limits.widest - starts[-1] + starts[at])
            if before == after == [_NONE]:
                continue
            loss = turnable.holds(left, right, limits)
            for first, second in product(before, after):
                joined = {end: one[1:] for end, one in enumerate((first, second)) if one[1] >= 0}
                n_pages = len(pages) + (0 < at < len(page)) - len(joined)
                if first[1] == second[1] or n_pages < limits.n_least:
                    continue
                gain = first[0] + second[0] - loss
                if gain > best_gain:
                    best_gain, best = gain, (number, at, joined)
    return best


def _choices(offers: Iterable[_Offer], number: int, wide: Sequence[float], room: float) -> list[_Offer]:
    """List the best pages for an end of a page, or of a part of it; none is one of the choices."""
    return nlargest(_CHOICES, [_NONE, *(one for one in offers if one[1] != number and wide[one[1]] <= room)])


def _offers(
    joins: tuple[Indices, Indices, Doubles],
    begins: Mapping[int, tuple[int, int]],
    ends: Mapping[int, tuple[int, int]],
) -> tuple[_Offers, _Offers]:
    """List which pages may stand behind each pose, and which ahead of it."""
    found: tuple[_Offers, _Offers] = {}, {}
    left, right, gain = joins
    for side, (near, far, at) in enumerate(((left, right, begins), (right, left, ends))):
        chosen = np.isin(far, list(at))
        for one, other, value in zip(near[chosen].tolist(), far[chosen].tolist(), gain[chosen].tolist(), strict=True):
            found[side].setdefault(one, []).append((value, *at[other]))
    return found
