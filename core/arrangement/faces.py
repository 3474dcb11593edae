"""Both faces of the paper: which shred is the other face of which, and what is seen when paper is turned over.

Each face that was scanned is a shred of its own. One of the two stands on a page; the other is what is seen behind it.
Paper is turned over about its upright axis: what was left is right then, what was above stays above.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, pairwise
from typing import Any

from core.arrangement.arrangement import MARGIN, PAGE_MARKS, SAID_BELOW, Arrangement, OtherFace, Pair


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
    {'1-01': ('2-05', True, 3, 1.0), '2-05': ('1-01', True, -3, 1.0)}
    """
    faces: dict[str, OtherFace] = {}
    for pair in pairs:
        faces[pair.one] = pair.other, pair.half_turn, pair.lower_px, pair.confidence
        faces[pair.other] = pair.one, pair.half_turn, -pair.lower_px, pair.confidence
    return faces


def as_found(arrangement: Arrangement, pairs: Iterable[FacePair]) -> dict[str, OtherFace]:
    """Return how faces are paired when they were found again: what the examiner said of them holds.

    Parameters
    ----------
    arrangement : Arrangement
        With what was said.
    pairs : iterable of FacePair
        What was found now.

    Returns
    -------
    dict of str to OtherFace
        See `Arrangement.other_faces`.
    """
    said = arrangement.paired_by_hand
    found = other_faces(pair for pair in pairs if said.isdisjoint((pair.one, pair.other)))
    return found | {face: other for face, other in arrangement.other_faces.items() if face in said}


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
    other, half_turn, *_ = faces[shred]
    return other, half_turned != half_turn


def showing(arrangement: Arrangement, shown: Collection[str]) -> Arrangement:
    """Return what an arrangement is when other faces of its paper are seen.

    Parameters
    ----------
    arrangement : Arrangement
        With faces that are paired.
    shown : collection of str
        Faces that are to be seen. Paper that is turned over side by side turns as one.

    Returns
    -------
    Arrangement
        Pages that are turned over run from the other end, at the same heights; what was said of shreds, joins and pages
        is said of what is seen now. The same object if nothing is turned over.
    """
    faces = arrangement.other_faces
    if not faces:
        return arrangement
    shown = frozenset(shown)
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
    # Turned over about its upright axis, paper is as high as before.
    renamed |= {name: frozenset(_over_below(pair, over) for pair in getattr(arrangement, name)) for name in SAID_BELOW}
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


def as_they_stand(arrangement: Arrangement) -> Arrangement:
    """Return an arrangement in which what is not seen stands upside down, too, where it does when paper is turned over.

    Parameters
    ----------
    arrangement : Arrangement
        With faces that are paired.

    Returns
    -------
    Arrangement
        To be looked at, not to be worked on: `Arrangement.pose` turns all faces in it. The same object without pairs.
    """
    half_turned, faces = arrangement.half_turned, arrangement.other_faces
    if not faces:
        return arrangement
    over = {turned_over(shred, shred in half_turned, faces) for shred in arrangement.order}
    return replace(arrangement, half_turned=half_turned | {one[0] for one in over if one and one[1]})


def join_from_behind(arrangement: Arrangement, left: str, right: str, shift_px: int) -> Arrangement | None:
    """Return how a join of two shreds looks when both are turned over.

    Parameters
    ----------
    arrangement : Arrangement
        With faces that are paired; how its shreds are turned counts.
    left, right : str
        Two shreds that are seen, wherever they stand.
    shift_px : int
        By how much the right one lies lower in the common frame.

    Returns
    -------
    Arrangement or None
        One page with the two other faces, at the heights at which they lie then; None where one is not known.
    """
    faces = arrangement.other_faces
    if left not in faces or right not in faces:
        return None
    page = (left, right)
    alone = Arrangement(
        (page,),
        shift_px={right: shift_px},
        half_turned=arrangement.half_turned,
        turned_deg=arrangement.turned_deg,
        other_faces=faces,
    )
    return showing(alone, {faces[shred][0] for shred in page})


def shifts_as_seen(shifts_px: Mapping[Pair, int], arrangement: Arrangement, seen: Collection[str]) -> dict[Pair, int]:
    """Tell shifts of joins of the faces that are seen later.

    Parameters
    ----------
    shifts_px : mapping of Pair to int
        By how many pixels the right shred lies lower, of shreds that are seen in an arrangement.
    arrangement : Arrangement
        With faces that are paired.
    seen : collection of str
        Faces that are seen later.

    Returns
    -------
    dict of Pair to int
        A join that is seen from behind then under its other faces; every other as it is.
    """
    found = {}
    for (left, right), px in shifts_px.items():
        behind = None if left in seen and right in seen else join_from_behind(arrangement, left, right, px)
        if behind is not None and all(shred in seen for shred in behind.pages[0]):
            left, right = behind.pages[0]
            px = behind.shift_px.get(right, 0)
        found[left, right] = px
    return found


def turned_row(row: tuple[str, ...], over: Mapping[str, str]) -> tuple[str, ...]:
    """Turn over shreds of a row; those that stand side by side turn as one, about their middle."""
    runs = [tuple(run) for _, run in groupby(row, lambda shred: shred in over)]
    return tuple(shred for run in runs for shred in ([over[one] for one in reversed(run)] if run[0] in over else run))


def _pairs(arrangement: Arrangement) -> set[Pair]:
    below = chain.from_iterable(getattr(arrangement, name) for name in SAID_BELOW)
    return {*arrangement.confirmed, *arrangement.forbidden, *arrangement.held, *arrangement.parted, *below}


def _over_below(pair: Pair, over: Mapping[str, str]) -> Pair:
    """Return what two pieces are that stand below each other, where both are turned over."""
    above, below = pair
    return (over[above], over[below]) if above in over and below in over else pair


def _turned_pair(pair: Pair, over: Mapping[str, str]) -> Pair:
    """Return what a join is from behind, where both its shreds are turned over."""
    left, right = pair
    return (over[right], over[left]) if left in over and right in over and pair != (MARGIN, MARGIN) else pair


def _keyed(marks: Mapping[str, Any], over: Mapping[str, str]) -> dict[str, Any]:
    return {over.get(shred, shred): mark for shred, mark in marks.items()}


def _shifts_px(before: Arrangement, pages: Sequence[tuple[str, ...]]) -> dict[str, int]:
    """Compute the shifts of pages on which all paper stands at the height at which it stood."""
    shift_px = {shred: px for shred, px in before.shift_px.items() if shred in before.places}
    for number, page in enumerate(pages):
        if page == before.pages[number]:
            continue
        height_px = before.offsets_px(number)
        for shred in page:
            if shred not in height_px:
                one, _, lower_px, _ = before.other_faces[shred]
                height_px[shred] = height_px[one] + lower_px
                shift_px.pop(one, None)
        shift_px |= {right: height_px[right] - height_px[left] for left, right in pairwise(page)}
        shift_px.pop(page[0], None)
    return shift_px


def with_faces(arrangement: Arrangement, faces: Mapping[str, OtherFace]) -> Arrangement:
    """Pair the faces of paper otherwise.

    Parameters
    ----------
    arrangement : Arrangement
        Before.
    faces : mapping of str to OtherFace
        What `Arrangement.other_faces` is to be.

    Returns
    -------
    Arrangement
        Of two faces that stand somewhere and are one paper now the later one goes behind the other; what was behind
        another face, and is one of its own now, is set aside.
    """
    aside = (*arrangement.set_aside, *arrangement.behind)
    gone: set[str] = set()
    for shred in (*arrangement.order, *arrangement.behind):
        if shred in faces and shred not in gone:
            gone.add(faces[shred][0])
    pages = tuple(tuple(shred for shred in page if shred not in gone) for page in arrangement.pages)
    return replace(
        arrangement,
        other_faces=dict(faces),
        pages=tuple(page for page in pages if page),
        set_aside=tuple(shred for shred in aside if shred not in gone),
    )


def back_of(arrangement: Arrangement, page: int) -> int | None:
    """Find the page that is the other face of one.

    Parameters
    ----------
    arrangement : Arrangement
        From `core.composition.backs.with_backs`; in any other no other face stands on a page.
    page : int
        Index of either.

    Returns
    -------
    int or None
        None where there is none.
    """
    faces = arrangement.other_faces
    pages = (arrangement.page_of(faces[shred][0]) for shred in arrangement.pages[page] if shred in faces)
    return next((other for other in pages if other is not None), None)


def numbered(arrangement: Arrangement) -> list[tuple[int, bool]]:
    """Return the numbers of pages, front and back alike.

    Parameters
    ----------
    arrangement : Arrangement
        With backs behind their fronts, or without.

    Returns
    -------
    list of (int, bool)
        Of each its number, from 1, and whether it is a back.
    """
    numbers: list[tuple[int, bool]] = []
    for page in range(len(arrangement.pages)):
        other = back_of(arrangement, page) if arrangement.other_faces else None
        is_back = other is not None and other < page
        numbers.append((numbers[-1][0] if is_back else (numbers[-1][0] + 1 if numbers else 1), is_back))
    return numbers


def page_labels(arrangement: Arrangement) -> list[str]:
    """Return what pages are called by their numbers: "3", "3 back".

    Parameters
    ----------
    arrangement : Arrangement
        See `numbered`.

    Returns
    -------
    list of str
        Without the names that the examiner gave them.
    """
    return [f"{number} back" if is_back else str(number) for number, is_back in numbered(arrangement)]
