"""What the examiner set by hand, and what of it solving again keeps to.

Said of a join: confirmed or forbidden. Done: shreds moved, pages split and merged, shreds set aside and brought back,
nudged up and down. A join that was made by hand is held, one that was undone stays parted, until something is said that
contradicts it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from itertools import pairwise
from typing import Any

import numpy as np

from core.arrangement import MARGIN, Arrangement, Pair
from core.case import Case
from core.matching.costs import Costs, Join
from core.path_cover import chains
from core.shreds.shred import Shred


def remembered(case: Case) -> Arrangement:
    """Note in the arrangement which joins were made and undone by hand since the order was found.

    Parameters
    ----------
    case : Case
        As the examiner left it.

    Returns
    -------
    Arrangement
        That of the case, with what is to be held and parted.
    """
    now = case.arrangement
    joins, found = frozenset(now.joins()), frozenset((case.solved or now).joins())
    made, undone = joins - found, found - joins
    held = (now.held | made) & joins - now.forbidden
    # Where a page was split, it ends and the next one begins; a join made there since takes that back.
    ends, starts = {page[-1] for page in now.pages}, {page[0] for page in now.pages}
    margins = {pair for pair in now.held if MARGIN in pair}
    for left, right in undone:
        if left in ends and right in starts:
            margins |= {(left, MARGIN), (MARGIN, right)}
    margins -= {margin for left, right in made for margin in ((left, MARGIN), (MARGIN, right))}
    parted = (now.parted | undone) - joins - now.confirmed
    return replace(now, held=held | margins, parted=parted)


def rows_of(pairs: Iterable[Pair], index: Mapping[str, int]) -> list[Join]:
    """Give pairs of identifiers as pairs of rows, in their order; those of other shreds are left out."""
    return sorted((index[left], index[right]) for left, right in pairs if left in index and right in index)


def margin_joins(arrangement: Arrangement, ids: Sequence[str]) -> list[Join]:
    """List the joins that the margins rule out: a shred that begins or ends a page has no neighbour on that side.

    Parameters
    ----------
    arrangement : Arrangement
        What is held; margins where a join is confirmed are passed over.
    ids : sequence of str
        The shreds that are to be placed.

    Returns
    -------
    list of (int, int)
        Indices into `ids`.
    """
    index = {shred_id: number for number, shred_id in enumerate(ids)}
    rights, lefts = {right for _, right in arrangement.confirmed}, {left for left, _ in arrangement.confirmed}
    others = range(len(ids))
    ruled_out: list[Join] = []
    for left, right in sorted(arrangement.held):
        if left == MARGIN and right in index and right not in rights:
            ruled_out += [(other, index[right]) for other in others if other != index[right]]
        elif right == MARGIN and left in index and left not in lefts:
            ruled_out += [(index[left], other) for other in others if other != index[left]]
    return ruled_out


def shifts_by_hand(case: Case) -> dict[Pair, int]:
    """Give the shifts, in pixels, of joins that lie otherwise than the costs say; of shreds turned since, none."""
    arrangement, costs, turned = case.arrangement, case.costs, case.turned_since
    row_of = {shred_id: row for row, shred_id in enumerate(case.matched_ids)}

    def found_px(left: str, right: str) -> int:
        known = costs is not None and left in row_of and right in row_of
        return int(costs.shift_px[row_of[left], row_of[right]]) if known and costs is not None else 0

    shifts = {pair: arrangement.shift_px.get(pair[1], 0) for pair in arrangement.joins() if turned.isdisjoint(pair)}
    return {pair: shift for pair, shift in shifts.items() if shift != found_px(*pair)}


def placed_shreds(shreds: Sequence[Shred], arrangement: Arrangement) -> frozenset[str]:
    """Name the shreds that are to stand on pages.

    Parameters
    ----------
    shreds : sequence of Shred
        Of the case.
    arrangement : Arrangement
        What the examiner set aside, and which blank shreds and scraps stand on pages.

    Returns
    -------
    frozenset of str
        All that are compared and not set aside, the others on pages, and those that confirmed joins tie to these.
    """
    on_pages = {shred for page in arrangement.pages for shred in page}
    aside = set(arrangement.set_aside)
    placed = {shred.id for shred in shreds if shred.id in on_pages or (shred.compared and shred.id not in aside)}
    while called := {shred for pair in arrangement.confirmed if placed & set(pair) for shred in pair} - placed:
        placed |= called
    return frozenset(placed)


def joins_by_hand(arrangement: Arrangement, ids: Sequence[str]) -> tuple[list[Join], list[Join]]:
    """List the joins to keep and those to avoid.

    Parameters
    ----------
    arrangement : Arrangement
        What was said and done.
    ids : sequence of str
        The shreds that are to be placed; joins of others are left out.

    Returns
    -------
    kept, avoided : list of (int, int)
        Indices into `ids`. Every confirmed and every forbidden join is among them, even if they contradict each other.
    """
    index = {shred_id: number for number, shred_id in enumerate(ids)}
    confirmed = rows_of(arrangement.confirmed, index)
    joins = [*confirmed, *rows_of(arrangement.held - arrangement.forbidden - arrangement.confirmed, index)]
    chained = chains(len(ids), np.array(joins, dtype=np.intp).reshape(-1, 2))
    following = {left: right for chain in chained for left, right in pairwise(chain)}
    kept = sorted({*confirmed, *(join for join in joins if following.get(join[0]) == join[1])})
    undone = (set(rows_of(arrangement.parted, index)) | set(margin_joins(arrangement, ids))) - set(kept)
    return kept, sorted(undone | set(rows_of(arrangement.forbidden, index)))


def with_blank_shreds(costs: Costs, n_blank: int) -> Costs:
    """Add shreds that tell nothing behind the others: their borders count as blank paper.

    Parameters
    ----------
    costs : Costs
        Of n shreds.
    n_blank : int
        How many to add.

    Returns
    -------
    Costs
        Of n + n_blank shreds. Beside a blank shred stands what could as well stand at the margin, and blank shreds fit
        together and the margin no worse than any border does.
    """
    if not n_blank:
        return costs

    arrays = {field.name: getattr(costs, field.name) for field in fields(costs) if field.name != "temperature"}
    padded: dict[str, Any] = {name: np.pad(array, [(0, n_blank)] * array.ndim) for name, array in arrays.items()}
    larger = replace(costs, **padded)
    n = len(costs.cost)
    least = min(float(costs.to_blank.min(initial=0)), float(costs.from_blank.min(initial=0)))
    larger.cost[:n, n:], larger.cost[n:, :n] = costs.to_blank[:, None], costs.from_blank[None, :]
    larger.cost[n:, n:] = larger.to_blank[n:] = larger.from_blank[n:] = least
    np.fill_diagonal(larger.cost, np.inf)
    return larger
