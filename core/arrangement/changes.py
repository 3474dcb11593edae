"""The differences between two arrangements of the same shreds."""

from dataclasses import dataclass, replace

from core.arrangement.arrangement import Arrangement, Pair
from core.arrangement.faces import showing


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
    """Turn paper over as it is seen later, so that a join that is seen from behind then is the same one.

    Parameters
    ----------
    before, after : Arrangement
        Of the same shreds, or the later one of more.

    Returns
    -------
    Arrangement
        The earlier one; the same object if nothing is seen from behind.
    """
    paired = replace(before, other_faces=after.other_faces)
    turned = showing(paired, after.places.keys() - before.places.keys())
    return before if turned is paired else turned


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
