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
    heights = np.array([shred.mask.any(axis=1).sum() for shred in shreds], dtype=np.float64)
    areas = np.array([shred.mask.sum() for shred in shreds], dtype=np.float64)
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


def too_wide(
    pages: Sequence[tuple[int, ...]], costs: Costs, widths: Doubles, kept: Collection[Join] = ()
) -> list[Join]:
    """List joins at which pages that are wider than paper are to be broken: where margins cost least in their place.

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

    Returns
    -------
    list of (int, int)
        Without them no page is wider than `WIDEST_PAGE` pages, where that is possible.
    """
    broken: list[Join] = []
    for page in pages:
        if float(widths[list(page)].sum()) > WIDEST_PAGE:
            parts = _split(page, costs, widths, set(kept))
            broken += [(left[-1], right[0]) for left, right in pairwise(parts)]
    return broken


def _split(page: tuple[int, ...], costs: Costs, widths: Doubles, kept: set[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Find the cheapest cuts by dynamic programming over the places where the last part begins."""
    n = len(page)
    ends = np.concatenate([[0.0], np.cumsum(widths[list(page)])])
    extra = [0.0]
    for left, right in pairwise(page):
        margins = float(costs.to_blank[left]) + float(costs.from_blank[right])
        extra.append(np.inf if (left, right) in kept else margins - float(costs.cost[left, right]))
    best, begin = [0.0] + [np.inf] * n, [0] * (n + 1)
    for stop in range(1, n + 1):
        for start in range(stop - 1, -1, -1):
            if ends[stop] - ends[start] > WIDEST_PAGE and stop - start > 1:
                break
            if (price := best[start] + extra[start]) < best[stop]:
                best[stop], begin[stop] = price, start
    if not np.isfinite(best[n]):  # confirmed joins hold more together than a page is wide
        return [page]
    parts, stop = [], n
    while stop:
        parts.append(page[begin[stop] : stop])
        stop = begin[stop]
    return parts[::-1]
