"""Pages of cross-cut paper: rows of pieces, each composed as a strip-cut page is, one below the other."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

import numpy as np

from core.arrangement.arrangement import Arrangement, Pair
from core.arrangement.grid import place_of_row
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
    places = [place_of_row(arrangement, page) for page in range(len(arrangement.pages))]
    pages: dict[int, list[tuple[tuple[int, int], tuple[str, ...]]]] = {}
    for row, (page, below, right_px) in zip(arrangement.pages, places, strict=True):
        pages.setdefault(page, []).append(((below, right_px), row))
    if len(pages) == len(arrangement.pages):
        return case
    whole = [[row for _, row in sorted(rows, key=lambda one: one[0])] for rows in pages.values()]
    marks = {row[0]: place for row, place in zip(arrangement.pages, places, strict=True) if place[0] >= 0}
    together = tuple(tuple(shred for row in rows for shred in row) for rows in whole)
    shown = replace(arrangement, pages=together, grid_places=marks)
    return replace(case, arrangement=shown, solved=case.solved or arrangement)


def whole_of(case: Case, page: int) -> tuple[Case, int]:
    """Find the whole page on which a row stands.

    Parameters
    ----------
    case : Case
        Whose pages are rows, or pages of strips.
    page : int
        Index of one of them.

    Returns
    -------
    case : Case
        See `with_whole_pages`.
    page : int
        Index of the page there.
    """
    whole = with_whole_pages(case)
    number = whole.arrangement.page_of(case.arrangement.pages[page][0])
    assert number is not None
    return whole, number


def rows_of(arrangement: Arrangement, page: int) -> list[tuple[str, ...]]:
    """Split a page into its rows, and a row with holes into its parts.

    Parameters
    ----------
    arrangement : Arrangement
        Of `with_whole_pages`, or any other.
    page : int
        Its index.

    Returns
    -------
    list of tuple of str
        From the top, then from the left; one where the page is one row, or of strips.
    """
    ids = arrangement.pages[page]
    starts = [0, *(at for at, shred in enumerate(ids) if at and shred in arrangement.grid_places)]
    return [ids[start:stop] for start, stop in zip(starts, [*starts[1:], len(ids)], strict=True)]


def joins_of(arrangement: Arrangement, page: int) -> list[Pair]:
    """List the pairs that stand side by side on a page: the last piece of a row is none with the first of the next.

    Parameters
    ----------
    arrangement, page
        As of `rows_of`.

    Returns
    -------
    list of (str, str)
        Row by row, from left to right.
    """
    return [pair for row in rows_of(arrangement, page) for pair in pairwise(row)]


def grid_of(arrangement: Arrangement, page: int) -> list[list[str]]:
    """List the rows of a page, those with holes as one row each, from the top."""
    rows: dict[int, list[str]] = {}
    for row, (below, _) in zip(rows_of(arrangement, page), _places(arrangement, page), strict=True):
        rows.setdefault(below, []).extend(row)
    return [rows[below] for below in sorted(rows)]


def numbers_in_rows(arrangement: Arrangement, page: int) -> dict[str, tuple[int, int]]:
    """Return in which row of a page of cross-cut paper each shred stands, and in which place of it.

    Parameters
    ----------
    arrangement, page
        As of `rows_of`.

    Returns
    -------
    dict of str to (int, int)
        The row from the top and the place in it, both from 1; empty where the page is of strips, or of one row.
    """
    rows = grid_of(arrangement, page)
    if len(rows) < 2:
        return {}
    return {
        shred: (row, number) for row, shreds in enumerate(rows, start=1) for number, shred in enumerate(shreds, start=1)
    }


def by_rows(case: Case, page: int) -> Case:
    """Return a case whose pages are the rows of a page of another, to compose each by itself."""
    return replace(case, arrangement=replace(case.arrangement, pages=tuple(rows_of(case.arrangement, page))))


def corners_px(arrangement: Arrangement, page: int, heights_px: Sequence[int]) -> list[tuple[int, int]]:
    """Compute where the rows of a page lie: edge to edge, one below the other.

    Parameters
    ----------
    arrangement : Arrangement
        Of `with_whole_pages`.
    page : int
        Index of a page with several rows.
    heights_px : sequence of int
        Of each row of `rows_of`, as it is composed.

    Returns
    -------
    list of (int, int)
        x and y of the left upper corner of each.
    """
    places = _places(arrangement, page)
    highest: dict[int, int] = {}
    for (below, _), height in zip(places, heights_px, strict=True):
        highest[below] = max(height, highest.get(below, 0))
    ordered = sorted(highest)
    tops = dict(zip(ordered, accumulate((highest[below] for below in ordered[:-1]), initial=0), strict=True))
    leftmost = min(right_px for _, right_px in places)
    return [(right_px - leftmost, tops[below]) for below, right_px in places]


def _places(arrangement: Arrangement, page: int) -> list[tuple[int, int]]:
    """Return which row from the top each of `rows_of` stands in, and by how many pixels it begins to the right."""
    return [arrangement.grid_places.get(row[0], (0, 0, 0))[1:] if row else (0, 0) for row in rows_of(arrangement, page)]


def stacked(rows: Sequence[PageImage], corners: Sequence[tuple[int, int]]) -> PageImage:
    """Put composed rows on one page.

    Parameters
    ----------
    rows : sequence of PageImage
        Not turned yet.
    corners : sequence of (int, int)
        Where each lies, see `corners_px`.

    Returns
    -------
    PageImage
        White where no row lies.
    """
    spans = {
        str(number): (left, top, row.pixels.shape[1], len(row.pixels))
        for number, (row, (left, top)) in enumerate(zip(rows, corners, strict=True))
    }
    page = PageImage(bare(spans), {})
    for row, (left, top, width, height) in zip(rows, spans.values(), strict=True):
        here = page.pixels[top : top + height, left : left + width]
        np.minimum(here, row.pixels, out=here)  # what lies over another piece hides nothing
        to_page = np.array([[0, 0, left], [0, 0, top]])
        page.placements.update({name: (x + left, y + top, w, h) for name, (x, y, w, h) in row.placements.items()})
        page.maps.update({name: matrix + to_page for name, matrix in row.maps.items()})
        page.papers.update(row.papers)
        page.poses.update(moved(row.poses, left, top))
    return page


def moved(poses: Mapping[str, Pose], right_px: float, down_px: float) -> dict[str, Pose]:
    """Move poses right and down."""
    return {name: replace(pose, x_px=pose.x_px + right_px, y_px=pose.y_px + down_px) for name, pose in poses.items()}


def stacked_poses(
    rows: Sequence[Mapping[str, Pose]], pictures: Pictures, arrangement: Arrangement, page: int
) -> dict[str, Pose]:
    """Put the poses of rows on one page.

    Parameters
    ----------
    rows : sequence of mapping of str to Pose
        Of each row by itself.
    pictures : mapping
        Of all shreds.
    arrangement : Arrangement
        Of `with_whole_pages`.
    page : int
        Index of the page.

    Returns
    -------
    dict of str to Pose
        Counted from the corner of the page.
    """
    heights_px = [max(extent(pictures[name][1], pose)[1][1] + 1 for name, pose in row.items()) for row in rows]
    corners = corners_px(arrangement, page, heights_px)
    return {
        name: pose
        for row, (left, top) in zip(rows, corners, strict=True)
        for name, pose in moved(row, left, top).items()
    }
