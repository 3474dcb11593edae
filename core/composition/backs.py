"""The backs of pages: what is seen when pages are turned over, as pages of their own behind their fronts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from core.arrangement.arrangement import Arrangement, GridPlace
from core.arrangement.faces import back_of, showing
from core.case.case import SAYS_SO, Case, JoinInfo
from core.case.joins import posed_of
from core.composition.page_image import PageImage, padded
from core.composition.rows import joins_of, rows_of, with_whole_pages
from core.shreds.shred import Shred


def with_backs(case: Case) -> Case:
    """Return a case in which each page is followed by its back, of paper with two, and rows are whole pages.

    Parameters
    ----------
    case : Case
        Whose pages are their fronts.

    Returns
    -------
    Case
        To be written and shown, not to be worked on. A back bears what was said of its page, and is turned to be read
        as its own print tells. Where paper lacks of which one face was scanned a back has a hole, see `holes_px`. The
        same object where there are no two faces.
    """
    case = with_whole_pages(case)
    front = case.arrangement
    behind = [_behind(front, number) for number in range(len(front.pages))]
    if not any(behind) or any(back_of(front, page) is not None for page in range(len(front.pages))):
        return case
    pages, over = [], front
    for number, back in enumerate(behind):
        pages += [front.pages[number], back] if back else [front.pages[number]]
        over = showing(over, {*over.order} - {front.other_faces[shred][0] for shred in back} | {*back})
    grid_places = dict(front.grid_places)
    for number, back in enumerate(behind):
        grid_places |= _rows_behind(case, number, len(front.pages) + number) if back else {}
    seen_behind = {pair for back in behind for pair in pairwise(back)}
    both = replace(
        front,
        pages=tuple(pages),
        shift_px=over.shift_px | front.shift_px,
        half_turned=over.half_turned | front.half_turned,
        turned_by_hand=over.turned_by_hand | front.turned_by_hand,
        page_documents=over.page_documents | front.page_documents,
        page_states=over.page_states | front.page_states,
        page_slopes={shred: -slope for shred, slope in over.page_slopes.items()} | front.page_slopes,
        page_names=over.page_names | front.page_names,
        grid_places=grid_places,
        confirmed=front.confirmed | (over.confirmed & seen_behind),
        held=front.held | (over.held & seen_behind),
    )
    turns = {back[0]: _turns(case, number, back, both) for number, back in enumerate(behind) if back}
    both = replace(both, page_turns=turns | front.page_turns)
    return replace(case, arrangement=both, joins=tuple(_joins(case, both)), solved=case.solved or front)


def holes_px(arrangement: Arrangement, page: int, shreds: Mapping[str, Shred]) -> dict[str, int]:
    """Measure the holes of a page, where paper lies of which this face was not scanned.

    Parameters
    ----------
    arrangement : Arrangement
        From `with_backs`, or any other: pages that are no backs have none.
    page : int
        Index of the page.
    shreds : mapping of str to Shred
        At least those of the page and of its other face, by identifier.

    Returns
    -------
    dict of str to int
        How wide the hole left of a shred is, in pixels, under its identifier; holes at the sides are left out.
    """
    front = back_of(arrangement, page)
    if front is None or front > page:
        return {}
    faces, found = arrangement.other_faces, {}
    wide_px = 0
    for shred in reversed(arrangement.pages[front]):
        if shred not in faces:
            n_rows, n_pixels = shreds[shred].paper_px
            wide_px += round(n_pixels / n_rows)
        elif wide_px:
            found[faces[shred][0]] = wide_px
            wide_px = 0
    return {shred: width_px for shred, width_px in found.items() if shred != arrangement.pages[page][0]}


def registered(page: PageImage, other: PageImage, arrangement: Arrangement) -> PageImage:
    """Bring a page to the size of its other face, so that either lies behind the other when the sheet is turned over.

    Parameters
    ----------
    page, other : PageImage
        Composed, neither turned to be read.
    arrangement : Arrangement
        Tells which shreds are the faces of one paper.

    Returns
    -------
    PageImage
        With white added on the sides where the other one is larger.
    """
    faces, there = arrangement.other_faces, other.placements
    known = [one for one in page.placements if one in faces and faces[one][0] in there]
    both = [(page.placements[one], there[faces[one][0]]) for one in known]
    (height, width), (other_height, other_width) = page.pixels.shape[:2], other.pixels.shape[:2]
    # Where the middle of each lies on this page, and from behind on the other one.
    apart = [
        ((other_width - x_ - w_ / 2) - (x + w / 2), (y_ + h_ / 2) - (y + h / 2))
        for (x, y, w, h), (x_, y_, w_, h_) in both
    ]
    across, along = np.median(apart, axis=0)
    # Rounded so that either page finds what the other one does.
    right_px, lower_px = int(np.floor(across + 0.5)), int(np.copysign(np.floor(np.abs(along) + 0.5), along))
    left, top = max(0, right_px), max(0, lower_px)
    right, bottom = max(0, other_width - width - right_px), max(0, other_height - height - lower_px)
    return padded(page, left, top, right, bottom)


def _behind(arrangement: Arrangement, page: int) -> tuple[str, ...]:
    """List what is seen when a page is turned over."""
    faces = arrangement.other_faces
    return tuple(faces[shred][0] for row in rows_of(arrangement, page) for shred in reversed(row) if shred in faces)


def _rows_behind(case: Case, page: int, number: int) -> dict[str, GridPlace]:
    """Tell where the rows of a page are when it is turned over, under another page number; nothing of a single row."""
    arrangement, faces = case.arrangement, case.arrangement.other_faces
    rows = rows_of(arrangement, page)
    if len(rows) < 2:
        return {}
    places = [arrangement.grid_places[row[0]] for row in rows]
    ends_px = [
        right_px + sum(case.shred_by_id[shred].width_px for shred in row)
        for row, (_, _, right_px) in zip(rows, places, strict=True)
    ]
    found = {}
    for row, (_, below, _), end_px in zip(rows, places, ends_px, strict=True):
        back = [faces[shred][0] for shred in reversed(row) if shred in faces]
        if back:
            found[back[0]] = number, below, max(ends_px) - end_px
    return found


def _turns(case: Case, page: int, back: Sequence[str], both: Arrangement) -> int:
    """Find how a back is turned to be read: as its own print tells, and as the examiner turned its front besides."""
    posed = posed_of(case)
    turns = 0
    if posed is not None:
        poses = [posed.pose_of(shred, shred in both.half_turned) for shred in back]
        rows = [pose for pose in poses if pose is not None]
        upright, along = (float(values[rows].sum()) for values in (posed.costs.upright, posed.costs.along))
        turns = int(along > SAYS_SO) + 2 * int(upright < -SAYS_SO)
    by_hand = case.arrangement.turned_by_hand_to(page)
    if by_hand is None:
        return turns
    as_found = replace(case, arrangement=replace(case.arrangement, page_turns={})).quarter_turns(page)
    return (turns - (by_hand - as_found)) % 4


def _joins(case: Case, both: Arrangement) -> list[JoinInfo]:
    """Describe the joins of all pages; seen from behind a join costs the same, and is as sure."""
    faces, known = both.other_faces, {(join.left, join.right): join for join in case.joins}
    joins = []
    for left, right in (pair for page in range(len(both.pages)) for pair in joins_of(both, page)):
        join = known.get((left, right))
        if join is None:
            one, other = faces[right][0], faces[left][0]
            join = known.get((one, other), JoinInfo(one, other, np.inf, 0, 0.0))
            join = replace(join, left=left, right=right, shift_px=both.shift_px.get(right, 0))
        joins.append(join)
    return joins
