"""Page breaks where the number of pages is not given: it follows from the widths of the shreds."""

from collections.abc import Collection, Sequence
from itertools import pairwise
from math import ceil

import numpy as np

from core.arrays import Doubles
from core.matching.costs import Costs, Join
from core.shreds.shred import Shred
from core.units import mm_to_px

LOST_PER_SHRED_PX = 7
"""What a cut takes from the paper and segmentation from the worn borders."""

EXCESS_PAGES = 0.25
"""By so much of a page the widths may sum up to more than a whole number of pages."""

WIDEST_PAGE = 1.15
"""A page may be wider than it should by this factor: other paper, wide shreds of another page."""


def page_widths(shreds: Sequence[Shred], page_width_mm: float) -> Doubles:
    """Measure the width of each shred as a fraction of a page; a torn one counts by its share of the common height.

    Parameters
    ----------
    shreds : sequence of Shred
        At least one that is no scrap.
    page_width_mm : float
        Width of an intact page.

    Returns
    -------
    ndarray of shape (n,), float64
        What was lost at the cuts is added; scraps count nothing.
    """
    heights, areas = np.array([shred.paper_px for shred in shreds], dtype=np.float64).T
    large = np.array([not shred.scrap for shred in shreds])
    return large * (areas + LOST_PER_SHRED_PX * heights) / np.median(heights[large]) / mm_to_px(page_width_mm)


def estimate_n_pages(widths: Doubles) -> int:
    """Estimate the number of pages.

    Rounded up rather than down: shreds of the blank margins are often lost, and never are there too many.

    Parameters
    ----------
    widths : ndarray of shape (n,), float64
        From `page_widths`, of all shreds, the blank ones too: they are margins.

    Returns
    -------
    int
        At least 1.
    """
    return max(1, ceil(float(widths.sum()) - EXCESS_PAGES))


def on_paper(
    pages: Sequence[tuple[int, ...]], costs: Costs, widths: Doubles, kept: Collection[Join] = (), n_least: int = 1
) -> list[tuple[int, ...]]:
    """Break pages that are wider than paper, where margins cost least in the place of a join.

    A break has one margin more than a join has borders. Blank paper beside blank paper would cost about what the
    cheapest margin costs; so much is taken off each break, or there would be too few, within print.

    Parameters
    ----------
    pages : sequence of tuple of int
        Indices of shreds, from left to right.
    costs : Costs
        Of all the shreds.
    widths : ndarray of shape (n,), float64
        As fractions of a page.
    kept : collection of (int, int)
        Joins that must not be broken.
    n_least : int
        So many pages at least: where there are fewer, the cheapest breaks make more.

    Returns
    -------
    list of tuple of int
        None is wider than `WIDEST_PAGE` pages, where that is possible; the same shreds in the same order.
    """
    held = set(kept)
    parts = [part for page in pages for part in _split(page, costs, widths, held)]
    joins = [join for page in parts for join in pairwise(page) if join not in held]
    missing = max(0, n_least - len(parts))
    cheapest = [join for _, join in sorted(zip(_extra(joins, costs), joins, strict=True))[:missing]] if missing else []
    return [part for page in parts for part in _without(page, set(cheapest))]


def _extra(joins: Sequence[Join], costs: Costs) -> list[float]:
    """Compute what margins cost more than joins in whose place they are."""
    left, right = np.array(joins, dtype=np.intp).reshape(-1, 2).T
    margins = costs.to_blank[left].astype(np.float64) + costs.from_blank[right]
    return (margins - costs.cost_of(left, right)).tolist()


def _without(page: tuple[int, ...], broken: Collection[Join]) -> list[tuple[int, ...]]:
    """Break a page at some of its joins."""
    starts = [0, *(at for at, join in enumerate(pairwise(page), start=1) if join in broken), len(page)]
    return [page[start:stop] for start, stop in pairwise(starts)]


def _split(page: tuple[int, ...], costs: Costs, widths: Doubles, kept: set[Join]) -> list[tuple[int, ...]]:
    """Find the cheapest breaks by dynamic programming over the places where the last part begins."""
    if float(widths[list(page)].sum()) <= WIDEST_PAGE:
        return [page]
    pieces = _without(page, set(pairwise(page)) - kept)
    n, breaks = len(pieces), [(left[-1], right[0]) for left, right in pairwise(pieces)]
    ends = np.cumsum([0.0, *(float(widths[list(piece)].sum()) for piece in pieces)])
    extra = [0.0, *(margins - costs.blank_beside_blank for margins in _extra(breaks, costs))]
    best, begin = [0.0] + [np.inf] * n, [0] * (n + 1)
    for stop in range(1, n + 1):
        for start in range(stop - 1, -1, -1):
            if ends[stop] - ends[start] > WIDEST_PAGE and stop - start > 1:
                break
            if (cost := best[start] + extra[start]) < best[stop]:
                best[stop], begin[stop] = cost, start
    broken, stop = set(), n
    while stop := begin[stop]:
        broken.add(breaks[stop - 1])
    return _without(page, broken)
