"""The ends of pages exchanged, where that makes an order of many pages cheaper: what comes before and after a page.

A row of shreds is broken into pages where margins cost least; what stood beside a margin in the row was chosen for the
margin of another page, which is not beside it any more.
"""

from collections.abc import Collection, Sequence

import numpy as np

from core.arrays import Doubles
from core.matching.costs import Costs, Join
from core.solver.constraints import dense

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

    Returns
    -------
    list of tuple of int
        As many pages, in ascending order.
    """
    n, pages, held = len(costs.to_blank), list(pages), set(kept)
    price = np.full((n + 1, n + 1), np.inf)
    price[:n, :n], price[:n, n], price[n, :n] = dense(costs), costs.to_blank, costs.from_blank
    for join in avoided:
        price[join] = np.inf
    while True:
        places = [
            (page, at)
            for page, shreds in enumerate(pages)
            for at in range(len(shreds) + 1)
            if not 0 < at < len(shreds) or (shreds[at - 1], shreds[at]) not in held
        ]
        best = _best(places, pages, price, widths, widest)
        if best is None or best[0] <= LEAST_GAIN * costs.temperature:
            return sorted(pages)
        _, (one, left), (other, right) = best
        ends = pages[one][left:], pages[other][right:]
        pages[one], pages[other] = pages[one][:left] + ends[1], pages[other][:right] + ends[0]


def _best(
    places: Sequence[tuple[int, int]], pages: Sequence[Page], price: Doubles, widths: Doubles, widest: float
) -> tuple[float, tuple[int, int], tuple[int, int]] | None:
    """Find the two places behind which the ends of pages are exchanged at the greatest gain."""
    blank, page = len(price) - 1, np.array([page for page, _ in places])
    before = np.array([pages[page][at - 1] if at else blank for page, at in places])
    after = np.array([pages[page][at] if at < len(pages[page]) else blank for page, at in places])
    begin = np.array([float(widths[list(pages[page][:at])].sum()) for page, at in places])
    end = np.array([float(widths[list(pages[page][at:])].sum()) for page, at in places])
    own, across = price[before, after], price[np.ix_(before, after)]
    gain = own[:, None] + own[None, :] - across - across.T
    fits = begin[:, None] + end[None, :] <= widest
    gain[~(fits & fits.T) | (page[:, None] == page[None, :])] = -np.inf
    first, second = divmod(int(np.argmax(gain)), len(places))
    if not np.isfinite(gain[first, second]):
        return None
    return float(gain[first, second]), places[first], places[second]
