"""Pages of cross-cut paper: rows of pieces, each composed as a strip-cut page is, one below the other."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

import numpy as np

from core.arrangement.arrangement import Arrangement
from core.arrays import Doubles
from core.case.case import Case
from core.composition.page_image import PageImage, bare
from core.composition.pose import Pictures, Pose, extent


def with_whole_pages(case: Case) -> Case:
    """Return a case in which rows that stand on one page of cross-cut paper are one page.

    Parameters
    ----------
    case : Case
        Whose pages are rows, or pages of strips.

    Returns
    -------
    Case
        To be written and shown, not to be worked on. A page of several rows begins with the first of them; `rows_of`
        tells them apart. The same object where no page has more than one row.
    """
    arrangement = case.arrangement
    places = [arrangement.page_mark("grid_places", page) for page in range(len(arrangement.pages))]
    pages: dict[int, list[tuple[int, tuple[str, ...]]]] = {}
    for number, (row, place) in enumerate(zip(arrangement.pages, places, strict=True)):
        page, below = (-1 - number, 0) if place is None else place[:2]
        pages.setdefault(page, []).append((below, row))
    if len(pages) == len(arrangement.pages):
        return case
    whole = [[row for _, row in sorted(rows, key=lambda one: one[0])] for rows in pages.values()]
    marks = {row[0]: place for row, place in zip(arrangement.pages, places, strict=True) if place is not None}
    together = tuple(tuple(shred for row in rows for shred in row) for rows in whole)
    shown = replace(arrangement, pages=together, grid_places=marks)
    return replace(case, arrangement=shown, solved=case.solved or arrangement)


def rows_of(arrangement: Arrangement, page: int) -> list[tuple[str, ...]]:
    """Split a page into its rows.

    Parameters
    ----------
    arrangement : Arrangement
        Of `with_whole_pages`, or any other.
    page : int
        Its index.

    Returns
    -------
    list of tuple of str
        From the top; one row where the page is one, or of strips.
    """
    ids = arrangement.pages[page]
    starts = [0, *(at for at, shred in enumerate(ids) if at and shred in arrangement.grid_places)]
    return [ids[start:stop] for start, stop in zip(starts, [*starts[1:], len(ids)], strict=True)]


def by_rows(case: Case, page: int) -> Case:
    """Return a case whose pages are the rows of a page of another, to compose each by itself."""
    return replace(case, arrangement=replace(case.arrangement, pages=tuple(rows_of(case.arrangement, page))))


def stacked(rows: Sequence[PageImage], right_px: Sequence[int]) -> PageImage:
    """Put composed rows one below the other.

    Parameters
    ----------
    rows : sequence of PageImage
        From the top, not turned yet.
    right_px : sequence of int
        By how much each begins right of the leftmost.

    Returns
    -------
    PageImage
        Edge to edge; white where no row lies.
    """
    corners = list(zip(right_px, accumulate((len(row.pixels) for row in rows[:-1]), initial=0), strict=True))
    placements = {
        shred: (x + left, y + top, width, height)
        for row, (left, top) in zip(rows, corners, strict=True)
        for shred, (x, y, width, height) in row.placements.items()
    }
    spans = {
        number: (left, top, row.pixels.shape[1], len(row.pixels))
        for number, (row, (left, top)) in enumerate(zip(rows, corners, strict=True))
    }
    pixels = bare({str(number): span for number, span in spans.items()})
    for row, (left, top, width, height) in zip(rows, spans.values(), strict=True):
        pixels[top : top + height, left : left + width] = row.pixels
    maps: dict[str, Doubles] = {}
    poses: dict[str, Pose] = {}
    for row, (left, top) in zip(rows, corners, strict=True):
        maps |= {shred: matrix + np.array([[0, 0, left], [0, 0, top]]) for shred, matrix in row.maps.items()}
        poses |= moved(row.poses, left, top)
    papers = {shred: paper for row in rows for shred, paper in row.papers.items()}
    return PageImage(pixels, placements, papers, maps, poses)


def moved(poses: Mapping[str, Pose], right_px: float, down_px: float) -> dict[str, Pose]:
    """Move poses right and down."""
    return {name: replace(pose, x_px=pose.x_px + right_px, y_px=pose.y_px + down_px) for name, pose in poses.items()}


def stacked_poses(rows: Sequence[Mapping[str, Pose]], pictures: Pictures, right_px: Sequence[int]) -> dict[str, Pose]:
    """Put the poses of rows one below the other.

    Parameters
    ----------
    rows : sequence of mapping of str to Pose
        Of each row by itself, from the top.
    pictures : mapping
        Of all shreds.
    right_px : sequence of int
        By how much each row begins right of the leftmost.

    Returns
    -------
    dict of str to Pose
        Counted from the corner of the page.
    """
    heights = [max(extent(pictures[name][1], pose)[1][1] for name, pose in row.items()) for row in rows]
    tops = accumulate(heights[:-1], initial=0)
    return {
        name: pose
        for row, right, top in zip(rows, right_px, tops, strict=True)
        for name, pose in moved(row, right, top).items()
    }


def right_of(arrangement: Arrangement, rows: Sequence[Sequence[str]]) -> list[int]:
    """Return by how much each row begins right of the leftmost one of its page, in pixels."""
    right_px = [arrangement.grid_places[row[0]][2] if row[0] in arrangement.grid_places else 0 for row in rows]
    return [px - min(right_px) for px in right_px]
