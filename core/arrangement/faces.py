"""Both faces of the paper: which shred is the other face of which, and what is seen when paper is turned over.

Each face that was scanned is a shred of its own. One of the two stands on a page; the other is what is seen behind it.
Paper is turned over about its upright axis: what was left is right then, what was above stays above.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Any

from core.arrangement.arrangement import MARGIN, PAGE_MARKS, Arrangement, OtherFace, Pair


@dataclass(frozen=True)
class FacePair:
    """Two shreds that are the faces of one piece of paper.

    Attributes
    ----------
    one, other : str
        Identifiers; the first one was scanned first.
    half_turn : bool
        Turned over about its upright axis, the one stands as the other does upside down: each as it was found.
    lower_px : int
        By how much the other, half-turned about its own middle if need be, lies lower in the common frame than where it
        shows the paper at the height at which the one does.
    confidence : float
        0 to 1: how sure it is that they are.
    """

    one: str
    other: str
    half_turn: bool
    lower_px: int
    confidence: float = 1.0


def other_faces(pairs: Iterable[FacePair]) -> dict[str, OtherFace]:
    """Return what `Arrangement.other_faces` holds of pairs.

    Parameters
    ----------
    pairs : iterable of FacePair
        No shred is in two of them.

    Returns
    -------
    dict of str to OtherFace
        Each pair under both of its shreds.

    Examples
    --------
    >>> other_faces([FacePair("1-01", "2-05", True, 3)])
    {'1-01': ('2-05', True, 3), '2-05': ('1-01', True, -3)}
    """
    faces: dict[str, OtherFace] = {}
    for pair in pairs:
        faces[pair.one] = pair.other, pair.half_turn, pair.lower_px
        faces[pair.other] = pair.one, pair.half_turn, -pair.lower_px
    return faces


def turned_over(shred: str, half_turned: bool, faces: Mapping[str, OtherFace]) -> tuple[str, bool] | None:
    """Find what is seen when a shred is turned over about its upright axis.

    Parameters
    ----------
    shred : str
        Identifier.
    half_turned : bool
        Whether it stands upside down, against how it was found.
    faces : mapping of str to OtherFace
        See `Arrangement.other_faces`.

    Returns
    -------
    tuple of str and bool, or None
        The other face, and whether that stands upside down then; None if it is not known.
    """
    if shred not in faces:
        return None
    other, half_turn, _ = faces[shred]
    return other, half_turned != half_turn


def showing(arrangement: Arrangement, shown: Collection[str]) -> Arrangement:
    """Return what an arrangement is when other faces of its paper are seen.

    Parameters
    ----------
    arrangement : Arrangement
        With faces that are paired.
    shown : collection of str
        Faces that are to be seen. All paper of a page of which the first is turned over for that is turned over.

    Returns
    -------
    Arrangement
        Pages that are turned over run from the other end, at the same heights; what was said of shreds, joins and pages
        is said of what is seen now. The same object if nothing is turned over.
    """
    faces, shown = arrangement.other_faces, frozenset(shown)
    named = {*arrangement.order, *chain.from_iterable(_pairs(arrangement))} & faces.keys()
    over = {face: faces[face][0] for face in named if face not in shown and faces[face][0] in shown}
    if not over:
        return arrangement
    over[MARGIN] = MARGIN
    pages = tuple(turned_row(page, over) for page in arrangement.pages)
    renamed: dict[str, Any] = {
        name: frozenset(_turned_pair(pair, over) for pair in getattr(arrangement, name))
        for name in ("confirmed", "forbidden", "held", "parted", "freed")
    }
    renamed |= {name: _keyed(getattr(arrangement, name), over) for name in ("page_turns", *PAGE_MARKS)}
    half_turned = {
        turned_over(shred, shred in arrangement.half_turned, faces) for shred in over.keys() & {*arrangement.order}
    }
    return replace(
        arrangement,
        pages=pages,
        set_aside=tuple(over.get(shred, shred) for shred in arrangement.set_aside),
        shift_px=_shifts_px(arrangement, pages),
        half_turned=(arrangement.half_turned - over.keys()) | {one[0] for one in half_turned if one and one[1]},
        turned_by_hand=frozenset(over.get(shred, shred) for shred in arrangement.turned_by_hand),
        pinned=frozenset(over.get(shred, shred) for shred in arrangement.pinned),
        **renamed,
    )


def turned_row(row: tuple[str, ...], over: Mapping[str, str]) -> tuple[str, ...]:
    """Turn over a row of shreds; where the first is not turned over, the others are each where they are."""
    faces = tuple(over.get(shred, shred) for shred in row)
    return faces[::-1] if row and row[0] in over else faces


def _pairs(arrangement: Arrangement) -> set[Pair]:
    return {*arrangement.confirmed, *arrangement.forbidden, *arrangement.held, *arrangement.parted}


def _turned_pair(pair: Pair, over: Mapping[str, str]) -> Pair:
    """Return what a join is from behind, where both its shreds are turned over."""
    left, right = pair
    return (over[right], over[left]) if left in over and right in over and pair != (MARGIN, MARGIN) else pair


def _keyed(marks: Mapping[str, Any], over: Mapping[str, str]) -> dict[str, Any]:
    return {over.get(shred, shred): mark for shred, mark in marks.items()}


def _shifts_px(before: Arrangement, pages: Iterable[tuple[str, ...]]) -> dict[str, int]:
    """Compute the shifts of pages so that paper stands at the heights at which it stood."""
    faces, shift_px = before.other_faces, dict(before.shift_px)
    for page in pages:
        for left, right in pairwise(page):
            one, other = (faces[shred][0] if shred in faces else "" for shred in (right, left))
            if before.has_join(one, other):
                lower_px = faces[other][2] - faces[one][2]
                shift_px[right] = lower_px - before.shift_px.get(other, 0)
                shift_px.pop(other, None)
    return shift_px
