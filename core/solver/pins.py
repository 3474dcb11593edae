"""Shreds that are pinned: they stay on their page, whatever neighbours they get there.

A page goes on as the one on which most of its shreds stand. Pins are kept after the order was found: what is pinned
elsewhere is put on its page, with what joins by hand hold to it, and each page that this changes is put in order by
itself. So pins always hold, and each page is the cheapest of its shreds. That is proved the cheapest where it costs no
more than the order without pins, or where pins tell the page of every shred; otherwise some other share of the unpinned
shreds among pages may be cheaper, and by how much at most, the bound of the order without pins says.

Two pages are one where the examiner confirmed that the beginning of one follows the end of the other: what is pinned to
either stays on the one that they make.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
from scipy.optimize import linear_sum_assignment

from core.arrangement.arrangement import Arrangement
from core.errors import UsageError
from core.matching.costs import Costs, Join
from core.options import SolverOptions
from core.progress import Progress, no_progress
from core.solver.chains import chains
from core.solver.constraints import joins_by_hand
from core.solver.solver import ROUNDED, Solution, gap, price, solve


def keep_pins(
    found: Solution,
    costs: Costs,
    options: SolverOptions,
    previous: Arrangement,
    ids: Sequence[str],
    progress: Progress = no_progress,
) -> Solution:
    """Put pinned shreds on their pages.

    Parameters
    ----------
    found : Solution
        Cheapest order without pins.
    costs : Costs
        Of n shreds as they stand in it.
    options : SolverOptions
        How each page is put in order.
    previous : Arrangement
        Its pinned shreds and its pages, and what else the examiner did.
    ids : sequence of str
        Of the n shreds.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Solution
        The same where all pins hold already.

    Raises
    ------
    UsageError
        If joins by hand hold shreds together that are pinned to different pages, or a page has no order.
    """
    n, (kept, avoided) = len(ids), joins_by_hand(previous, ids, costs)
    chained = chains(n, np.array(kept, dtype=np.intp).reshape(-1, 2))
    pages_of = _pinned_pages(chained, previous, ids)
    if not pages_of:
        return found
    standing = {row: at for at, page in enumerate(found.pages) for row in page}
    page_of = _pages_before(previous)
    home = _homes(sorted({*pages_of.values()}), found.pages, page_of, previous.pinned, ids)
    moving = {row: home[page] for at, page in pages_of.items() for row in chained[at]}
    rows: dict[int, list[int]] = {}
    for row in range(n):
        rows.setdefault(moving.get(row, standing[row]), []).append(row)
    changed = {at for row, to in moving.items() if to != standing[row] for at in (to, standing[row])}
    if not changed:
        return found
    pages, proved = [page for at, page in enumerate(found.pages) if at not in changed], found.optimal
    for at in sorted(changed & rows.keys()):
        ordered = _ordered(rows[at], costs, options, kept, avoided, ids, progress)
        pages.append(tuple(rows[at][number] for number in ordered.pages[0]))
        proved = proved and ordered.optimal
    cost = sum(price(page, costs) for page in pages)
    if proved and (len(moving) == n or gap(cost, found.cost) <= ROUNDED):
        return Solution(tuple(sorted(pages)), cost, cost, 0.0, True)
    return Solution(tuple(sorted(pages)), cost, min(cost, found.lower_bound), gap(cost, found.lower_bound), False)


def _pages_before(previous: Arrangement) -> dict[str, int]:
    """Tell on which page each shred stood; pages that a confirmed join makes one are one."""
    ends = {page[-1]: number for number, page in enumerate(previous.pages)}
    starts = {page[0]: number for number, page in enumerate(previous.pages)}
    goes_on_as = list(range(len(previous.pages)))
    for left, right in previous.confirmed:
        if left in ends and right in starts:
            both = goes_on_as[ends[left]], goes_on_as[starts[right]]
            goes_on_as = [min(both) if number in both else number for number in goes_on_as]
    return {shred: goes_on_as[number] for number, page in enumerate(previous.pages) for shred in page}


def _pinned_pages(chained: Sequence[Sequence[int]], previous: Arrangement, ids: Sequence[str]) -> dict[int, int]:
    """Find the page of each chain in which a shred is pinned."""
    pages_of: dict[int, int] = {}
    page_of = _pages_before(previous)
    for at, chain in enumerate(chained):
        pinned = [ids[row] for row in chain if ids[row] in previous.pinned]
        pages = {page: shred for shred in pinned if (page := page_of.get(shred)) is not None}
        if len(pages) > 1:
            (one, first), (other, second) = sorted(pages.items())[:2]
            raise UsageError(
                f"{first} is pinned to page {one + 1} and {second} to page {other + 1}, but joins that were "
                "confirmed or made by hand hold them together. Release a pin, or one of these joins."
            )
        pages_of |= dict.fromkeys([at] if pages else [], next(iter(pages), 0))
    return pages_of


def _homes(
    wanted: Sequence[int], pages: Sequence[Sequence[int]], page_of: Mapping[str, int], pinned: Collection[str],
    ids: Sequence[str],
) -> dict[int, int]:  # fmt: skip
    """Find as which page each of some goes on: together as many shreds as possible stay; a page may be a new one."""
    alike = np.zeros((len(wanted), len(pages) + len(wanted)))
    for at, page in enumerate(pages):
        for row in page:
            before = page_of.get(ids[row])
            if before in wanted:
                alike[wanted.index(before), at] += 1.0 + 1e-3 * (ids[row] in pinned)
    return dict(zip(wanted, linear_sum_assignment(alike, maximize=True)[1].tolist(), strict=True))


def _ordered(
    rows: Sequence[int], costs: Costs, options: SolverOptions, kept: Sequence[Join], avoided: Sequence[Join],
    ids: Sequence[str], progress: Progress,
) -> Solution:  # fmt: skip
    """Put the shreds of one page in order; the solution names them by their places among these."""
    at = {row: number for number, row in enumerate(rows)}

    def here(joins: Sequence[Join]) -> list[Join]:
        return [(at[left], at[right]) for left, right in joins if left in at and right in at]

    names, on_one = [ids[row] for row in rows], replace(options, n_pages=1)
    try:
        return solve(
            costs.of(rows), on_one, confirmed=here(kept), forbidden=here(avoided), names=names, progress=progress
        )
    except UsageError as error:
        raise UsageError(
            f"With the pins as they are, the shreds on the page of {names[0]} have no order: {error} Or release a pin."
        ) from error
