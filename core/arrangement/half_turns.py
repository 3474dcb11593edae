"""Shreds that stand upside down, and what an arrangement is when others do: what was said of joins is said of paper."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

from core.arrangement.arrangement import MARGIN, SAID_BELOW, Arrangement, Pair


def standing_as(arrangement: Arrangement, half_turned: Collection[str]) -> Arrangement:
    """Return what an arrangement is when other shreds stand upside down.

    Parameters
    ----------
    arrangement : Arrangement
        What was said of its joins is said of shreds as they stand in it.
    half_turned : collection of str
        Those that are to stand upside down, against how they were found.

    Returns
    -------
    Arrangement
        Shreds side by side that are turned are so as one: what was left is right then, at the same heights, and so it
        is in what was said of two that are turned both. The same object if nothing is turned.

    Examples
    --------
    >>> before = Arrangement((("a", "b", "c"),), confirmed=frozenset({("a", "b")}))
    >>> after = standing_as(before, "ab")
    >>> after.pages, after.confirmed
    ((('b', 'a', 'c'),), frozenset({('b', 'a')}))
    """
    turned = frozenset(half_turned) ^ arrangement.half_turned
    if not turned:
        return arrangement
    pages, shift_px = [], dict(arrangement.shift_px)
    for page in arrangement.pages:
        runs = [tuple(run) for _, run in groupby(page, turned.__contains__)]
        pages.append(tuple(shred for run in runs for shred in (run[::-1] if run[0] in turned else run)))
        for run in runs:
            if run[0] in turned and len(run) > 1:
                first, *others = (arrangement.shift_px.get(shred, 0) for shred in run)
                shift_px |= zip(run[::-1], (first, *reversed(others)), strict=True)
    said: dict[str, Any] = {
        name: frozenset(_turned_pair(pair, turned) for pair in getattr(arrangement, name))
        for name in ("confirmed", "forbidden", "held", "parted", "freed", *SAID_BELOW)
    }
    return replace(arrangement, pages=tuple(pages), shift_px=shift_px, half_turned=frozenset(half_turned), **said)


def shifts_standing(shifts_px: Mapping[Pair, int], turned: Collection[str]) -> dict[Pair, int]:
    """Return shifts of joins, where shreds were half-turned since; a join of two that both were is the other way round.

    Parameters
    ----------
    shifts_px : mapping of Pair to int
        By how many pixels the right shred lies lower.
    turned : collection of str
        Those that were turned.

    Returns
    -------
    dict of Pair to int
        The same shifts.
    """
    return {_turned_pair(pair, turned): px for pair, px in shifts_px.items()}


def said_upside_down(arrangement: Arrangement, turned: Collection[str]) -> dict[str, Any]:
    """Return what is said of pieces below each other, where some are half-turned with their rows.

    Parameters
    ----------
    arrangement : Arrangement
        Before.
    turned : collection of str
        Which; what begins or ends a page still does.

    Returns
    -------
    dict of str to frozenset of Pair
        The fields named by `SAID_BELOW`: of two that are both turned the lower one is the upper one now.
    """
    both = {*turned}
    return {
        name: frozenset(pair[::-1] if both.issuperset(pair) else pair for pair in getattr(arrangement, name))
        for name in SAID_BELOW
    }


def _turned_pair(pair: Pair, turned: Collection[str]) -> Pair:
    """Return what a join is where both its shreds are half-turned, or a margin where one is."""
    left, right = pair
    return (right, left) if all(one == MARGIN or one in turned for one in pair) else pair
