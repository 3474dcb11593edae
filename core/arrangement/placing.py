"""Where shreds stand after an edit: shifts follow their joins, what was said of a page follows most of its shreds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from core.arrangement.arrangement import PAGE_MARKS, Arrangement
from core.arrangement.edit import ShiftOf
from core.arrangement.grid import closed_up


def placed(
    arrangement: Arrangement, pages: Sequence[tuple[str, ...]], set_aside: tuple[str, ...], shift_of: ShiftOf
) -> Arrangement:
    """Move shreds to new places; empty pages vanish, pairs that were neighbours before keep their shifts.

    Parameters
    ----------
    arrangement : Arrangement
        Before.
    pages : sequence of tuple of str
        The shreds of each page afterwards.
    set_aside : tuple of str
        Those without a place afterwards.
    shift_of : callable
        Asked for the shift of each pair that becomes neighbours.

    Returns
    -------
    Arrangement
        Afterwards.
    """
    rows, before = tuple(page for page in pages if page), set(arrangement.pages)
    lower = set(chain.from_iterable(page[1:] for page in rows))
    # In the order that they have: a case file's is sorted, and what is nearly sorted is hashed faster.
    shift_px = dict(arrangement.shift_px)
    if shift_px.keys() != lower:
        for shred in shift_px.keys() - lower:
            del shift_px[shred]
        shift_px |= dict.fromkeys(sorted(lower - shift_px.keys()), 0)
    for page in (row for row in rows if row not in before):
        for at in range(1, len(page)):
            if not arrangement.has_join(page[at - 1], page[at]):
                shift_px[page[at]] = _shift_px(page, at, shift_px, shift_of)
    pinned, marks = arrangement.pinned.difference(set_aside), carried_marks(arrangement, rows)
    after = replace(arrangement, **marks, pages=rows, set_aside=set_aside, shift_px=shift_px, pinned=pinned)
    freed = frozenset(pair for pair in arrangement.freed if after.has_join(*pair))
    return after if freed == after.freed else replace(after, freed=freed)


def carried_marks(before: Arrangement, pages: Sequence[tuple[str, ...]]) -> dict[str, Any]:
    """Carry what was said of pages over to other pages of the same shreds.

    A page goes on as the page on which most of its shreds stand, and of several such, fewest others; of two that become
    one, the left one goes on. What was said of a page of which no shred is left on any is gone.

    Parameters
    ----------
    before : Arrangement
        With what was said of its pages.
    pages : sequence of tuple of str
        The shreds of each page afterwards.

    Returns
    -------
    dict of str to dict
        The fields of `Arrangement` named by `PAGE_MARKS`, each under the first shreds of these pages.
    """
    marks: dict[str, dict[str, Any]] = {name: {} for name in PAGE_MARKS}
    if not any(getattr(before, name) for name in PAGE_MARKS):
        return marks
    page_of = {shred: number for number, page in enumerate(pages) for shred in page}
    for number, page in enumerate(before.pages):
        counts = Counter(page_of[shred] for shred in page if shred in page_of)
        if not counts:
            continue
        first = pages[min(counts, key=lambda one: (-counts[one], len(pages[one]), one))][0]
        for name in PAGE_MARKS:
            mark = before.page_mark(name, number)
            if mark is not None:
                marks[name].setdefault(first, mark)
    return marks | {"grid_places": closed_up(marks["grid_places"])}


def in_order_before(page_before: Mapping[str, int], pages: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Put pages in the order that they had: each where the page was from which most of its shreds come.

    Parameters
    ----------
    page_before : mapping of str to int
        On which page each shred stood; those that stood on none are absent.
    pages : sequence of tuple of str
        The shreds of each page now.

    Returns
    -------
    tuple of tuple of str
        The same pages; those of shreds that stood on none come last.
    """

    def place(page: tuple[str, ...]) -> int:
        counts = Counter(page_before.get(shred, len(page_before)) for shred in page)
        return min(counts, key=lambda one: (-counts[one], one))

    return tuple(sorted(pages, key=place))


def _shift_px(page: Sequence[str], at: int, shift_px: Mapping[str, int], shift_of: ShiftOf) -> int:
    """Find the shift of a shred against its new left neighbour, by way of the nearest one it was compared with."""
    lower_px = 0
    for left in reversed(page[:at]):
        shift = shift_of(left, page[at])
        if shift is not None:
            return shift - lower_px
        lower_px += shift_px.get(left, 0)
    return 0
