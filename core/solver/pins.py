"""Shreds that are pinned: they stay on their page, whatever neighbours they get there.

A page goes on as the one on which most of its shreds stand. Pins are kept after the order was found: what is pinned
elsewhere is put on its page, with what joins by hand hold to it, and each page that this changes is put in order by
itself. So pins always hold, and each page is the cheapest of its shreds; that no other share of the unpinned shreds
among pages were cheaper is not proved, and how much cheaper it could be, the bound of the order without pins says.
"""

from collections.abc import Sequence
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
from core.solver.solver import Solution, gap, price, solve


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
    n, (kept, avoided) = len(ids), joins_by_hand(previous, ids)
    chained = chains(n, np.array(kept, dtype=np.intp).reshape(-1, 2))
    pages_of = _pinned_pages(chained, previous, ids)
    if not pages_of:
        return found
    standing = {row: at for at, page in enumerate(found.pages) for row in page}
    home = _homes(sorted({*pages_of.values()}), found.pages, previous, ids)
    moving = {row: home[page] for at, page in pages_of.items() for row in chained[at]}
    rows: dict[int, list[int]] = {}
    for row in range(n):
        rows.setdefault(moving.get(row, standing[row]), []).append(row)
    changed = {at for row, to in moving.items() if to != standing[row] for at in (to, standing[row])}
    if not changed:
        return found
    pages = [page for at, page in enumerate(found.pages) if at not in changed]
    for at in sorted(changed & rows.keys()):
        pages.append(_ordered(rows[at], costs, options, kept, avoided, ids, progress))
    cost = found.cost + sum(price(page, costs) for page in pages) - sum(price(page, costs) for page in found.pages)
    return Solution(tuple(sorted(pages)), cost, min(cost, found.lower_bound), gap(cost, found.lower_bound), False)


def _pinned_pages(chained: Sequence[Sequence[int]], previous: Arrangement, ids: Sequence[str]) -> dict[int, int]:
    """Find the page of each chain in which a shred is pinned."""
    pages_of: dict[int, int] = {}
    for at, chain in enumerate(chained):
        pinned = [ids[row] for row in chain if ids[row] in previous.pinned]
        pages = {page: shred for shred in pinned if (page := previous.page_of(shred)) is not None}
        if len(pages) > 1:
            (one, first), (other, second) = sorted(pages.items())[:2]
            raise UsageError(
                f"{first} is pinned to page {one + 1} and {second} to page {other + 1}, but joins that were "
                "confirmed or made by hand hold them together. Release a pin, or one of these joins."
            )
        pages_of |= dict.fromkeys([at] if pages else [], next(iter(pages), 0))
    return pages_of


def _homes(
    wanted: Sequence[int], pages: Sequence[Sequence[int]], previous: Arrangement, ids: Sequence[str]
) -> dict[int, int]:
    """Find as which page each of some goes on: together as many shreds as possible stay; a page may be a new one."""
    alike = np.zeros((len(wanted), len(pages) + len(wanted)))
    for at, page in enumerate(pages):
        for row in page:
            before = previous.page_of(ids[row])
            if before in wanted:
                alike[wanted.index(before), at] += 1.0 + 1e-3 * (ids[row] in previous.pinned)
    return dict(zip(wanted, linear_sum_assignment(alike, maximize=True)[1].tolist(), strict=True))


def _ordered(
    rows: Sequence[int], costs: Costs, options: SolverOptions, kept: Sequence[Join], avoided: Sequence[Join],
    ids: Sequence[str], progress: Progress,
) -> tuple[int, ...]:  # fmt: skip
    """Put the shreds of one page in order."""
    at = {row: number for number, row in enumerate(rows)}

    def here(joins: Sequence[Join]) -> list[Join]:
        return [(at[left], at[right]) for left, right in joins if left in at and right in at]

    names, on_one = [ids[row] for row in rows], replace(options, n_pages=1)
    try:
        found = solve(
            costs.of(rows), on_one, confirmed=here(kept), forbidden=here(avoided), names=names, progress=progress
        )
    except UsageError as error:
        raise UsageError(
            f"With the pins as they are, the shreds on the page of {names[0]} have no order: {error} Or release a pin."
        ) from error
    return tuple(rows[number] for number in found.pages[0])
