"""The differences between two arrangements of the same shreds."""

from dataclasses import dataclass, replace
from itertools import chain

from core.arrangement.arrangement import Arrangement, Pair
from core.arrangement.faces import showing
from core.arrangement.half_turns import standing_as


@dataclass(frozen=True)
class Changes:
    """Differences of a later arrangement from an earlier one.

    Attributes
    ----------
    lost, new : tuple of Pair
        Joins that the earlier or the later one alone has, from left to right.
    shifted : tuple of Pair
        Joins of both whose shift differs.
    placed, set_aside : tuple of str
        Shreds that were aside and now stand on a page, and the reverse.
    n_pages : tuple of int
        Number of pages before and after.
    """

    lost: tuple[Pair, ...]
    new: tuple[Pair, ...]
    shifted: tuple[Pair, ...]
    placed: tuple[str, ...]
    set_aside: tuple[str, ...]
    n_pages: tuple[int, int]

    def __bool__(self) -> bool:
        """Check whether anything changed."""
        return bool(self.lost or self.new or self.shifted or self.placed or self.set_aside)


def changes(before: Arrangement, after: Arrangement) -> Changes:
    """Compare two arrangements.

    Parameters
    ----------
    before, after : Arrangement
        Of the same shreds.

    Returns
    -------
    Changes
        Each kind in the order of the arrangement that has it.
    """
    old, new = before.joins(), after.joins()
    kept = set(old) & set(new)
    was_aside, is_aside = set(before.set_aside), set(after.set_aside)
    return Changes(
        lost=tuple(pair for pair in old if pair not in kept),
        new=tuple(pair for pair in new if pair not in kept),
        shifted=tuple(
            pair for pair in new if pair in kept and before.shift_px.get(pair[1], 0) != after.shift_px.get(pair[1], 0)
        ),
        placed=tuple(shred for page in after.pages for shred in page if shred in was_aside),
        set_aside=tuple(shred for page in before.pages for shred in page if shred in is_aside),
        n_pages=(len(before.pages), len(after.pages)),
    )


def turned_as(before: Arrangement, after: Arrangement) -> Arrangement:
    """Turn paper as it stands later, so that a join that is seen from behind then, or upside down, is the same one.

    Parameters
    ----------
    before, after : Arrangement
        Of the same shreds, or the later one of more.

    Returns
    -------
    Arrangement
        The earlier one; the same object if nothing is seen from behind, and no page upside down as most of it is seen.
    """
    paired = replace(before, other_faces=after.other_faces)
    shown = showing(paired, after.places.keys() - before.places.keys())
    shown = before if shown is paired else shown
    otherwise = shown.half_turned ^ after.half_turned
    upside_down = (page for page in shown.pages if 2 * sum(shred in otherwise for shred in page) > len(page))
    return standing_as(shown, shown.half_turned.symmetric_difference(chain.from_iterable(upside_down)))


def changed_pages(before: Arrangement, after: Arrangement) -> list[int]:
    """List the pages that look otherwise than any did before; of thousands of shreds that must not take long.

    Parameters
    ----------
    before, after : Arrangement
        Of the same shreds.

    Returns
    -------
    list of int
        Indices of pages of the later one.
    """
    moved = {*(before.half_turned ^ after.half_turned), *dict(before.page_turns.items() ^ after.page_turns.items())}
    moved |= dict(before.page_slopes.items() ^ after.page_slopes.items()).keys()
    for was, now in ((before.shift_px, after.shift_px), (before.turned_deg, after.turned_deg)):
        changed = {shred for shred, _ in was.items() ^ now.items()}
        moved |= {shred for shred in changed if was.get(shred, 0) != now.get(shred, 0)}
    same = set(before.pages)
    return [page for page, shreds in enumerate(after.pages) if shreds not in same or not moved.isdisjoint(shreds)]
