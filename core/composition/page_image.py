"""A composed page: its pixels, where each shred lies on it, where its cuts run, and where no paper lies."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.arrays import Doubles, Mask, Pixels
from core.composition.pose import Pose
from core.shreds.deskew import row_extents
from core.shreds.shred import Box

Rendition: TypeAlias = Literal["evidence", "reading"]
"""Every pixel of paper, edge to edge; or as it reads best, with the rims of cuts lying over one another."""

PAPER = 255
"""Plain white: what stands where no shred lies."""

SEAM_RGB = (0, 114, 178)
SEAM_WIDTH_PX = 2

GAP_RGB = (190, 215, 235)
"""Marks where no paper lies, wherever seams are shown beside a page that is left as it is."""


@dataclass(frozen=True, eq=False)
class PageImage:
    """A composed page.

    Attributes
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB at 300 dpi.
    placements : dict of str to tuple of int
        From left to right, where on the page each shred's picture lies, turned as it is turned: x, y, width, height.
    papers : dict of str to ndarray of shape (height, width), bool
        Where within its placement each shred has paper.
    maps : dict of str to ndarray of shape (2, 3), float64
        Takes (column, row, 1) of each shred's picture (`core.shreds.shred.upright`, half-turned as the arrangement
        says), once it is straight (`Pose.bend_px`), to (x, y) of the page.
    poses : dict of str to Pose
        At which the shreds were laid, with what is known of how uncertain each is, before the page was turned.
    quarter_turns : int
        By so many, counter-clockwise, the page was turned at last, so that it can be read. Shreds lie from left to
        right before; after one they lie from the bottom to the top.
    """

    pixels: Pixels
    placements: dict[str, Box]
    papers: dict[str, Mask] = field(default_factory=dict)
    maps: dict[str, Doubles] = field(default_factory=dict)
    poses: dict[str, Pose] = field(default_factory=dict)
    quarter_turns: int = 0

    @property
    def sideways(self) -> bool:
        """Whether shreds lie above one another, and not side by side."""
        return self.quarter_turns % 2 == 1


def bare(placements: Mapping[str, Box]) -> Pixels:
    """Return a page on which nothing lies yet.

    Parameters
    ----------
    placements : mapping of str to tuple of int
        Where shreds are to lie: x, y, width, height.

    Returns
    -------
    ndarray of shape (h, w, 3), uint8
        White, and just large enough for all of them.
    """
    width = max(x + w for x, _, w, _ in placements.values())
    height = max(y + h for _, y, _, h in placements.values())
    return np.full((height, width, 3), PAPER, np.uint8)


def padded(page: PageImage, left_px: int, top_px: int, right_px: int, bottom_px: int) -> PageImage:
    """Add white to the sides of a page, with all that is known of it.

    Parameters
    ----------
    page : PageImage
        Composed, and not turned yet.
    left_px, top_px, right_px, bottom_px : int
        How much, at least 0.

    Returns
    -------
    PageImage
        The same object where nothing is added.
    """
    if not (left_px or top_px or right_px or bottom_px):
        return page
    sides = ((top_px, bottom_px), (left_px, right_px), (0, 0))
    moved = np.array([[0, 0, left_px], [0, 0, top_px]])
    return replace(
        page,
        pixels=np.pad(page.pixels, sides, constant_values=PAPER),
        placements={shred: (x + left_px, y + top_px, w, h) for shred, (x, y, w, h) in page.placements.items()},
        maps={shred: matrix + moved for shred, matrix in page.maps.items()},
        poses={
            shred: replace(pose, x_px=pose.x_px + left_px, y_px=pose.y_px + top_px)
            for shred, pose in page.poses.items()
        },
    )


def turned(page: PageImage, quarter_turns: int) -> PageImage:
    """Turn a page, with all that is known of it.

    Parameters
    ----------
    page : PageImage
        Composed.
    quarter_turns : int
        Counter-clockwise; less than 0 for clockwise.

    Returns
    -------
    PageImage
        The same pixels at other places.
    """
    for _ in range(quarter_turns % 4):
        width = page.pixels.shape[1]
        page = replace(
            page,
            pixels=np.ascontiguousarray(np.rot90(page.pixels)),
            placements={shred: (y, width - x - w, h, w) for shred, (x, y, w, h) in page.placements.items()},
            papers={shred: np.rot90(paper) for shred, paper in page.papers.items()},
            maps={shred: np.array([matrix[1], (0, 0, width - 1) - matrix[0]]) for shred, matrix in page.maps.items()},
            quarter_turns=(page.quarter_turns + 1) % 4,
        )
    return page


def seam_lines(page: PageImage) -> tuple[NDArray[np.int32], ...]:
    """Follow the cuts of a page.

    Parameters
    ----------
    page : PageImage
        Composed.

    Returns
    -------
    tuple of ndarray of shape (k, 2), int32
        For every shred but the first, where its paper begins, row by row of the page as it was before it was turned:
        (x, y) in pixels of the page.
    """
    before = turned(page, -page.quarter_turns)
    lines = []
    for shred in list(before.placements)[1:]:
        x, y, _, _ = before.placements[shred]
        rows, left, _ = row_extents(before.papers[shred])
        lines.append(np.stack([x + left, y + rows], axis=1).astype(np.int32))
    height, width = before.pixels.shape[:2]
    for _ in range(page.quarter_turns):
        lines = [np.stack([line[:, 1], width - 1 - line[:, 0]], axis=1) for line in lines]
        height, width = width, height
    return tuple(lines)


def gaps(page: PageImage) -> Mask:
    """Find where no paper lies on a page: on white paper the eye does not tell that from blank paper.

    Parameters
    ----------
    page : PageImage
        Composed.

    Returns
    -------
    ndarray of shape (h, w), bool
        True where nothing lies.
    """
    nothing = np.ones(page.pixels.shape[:2], np.bool_)
    for shred, (x, y, w, h) in page.placements.items():
        nothing[y : y + h, x : x + w] &= ~page.papers[shred]
    return nothing


def carried(box_px: Box, source: PageImage, target: PageImage) -> Box:
    """Find where on one rendition of a page stands what stands in a box on another.

    Parameters
    ----------
    box_px : tuple of int
        x, y, width, height on `source`.
    source, target : PageImage
        Both of the same shreds.

    Returns
    -------
    tuple of int
        x, y, width, height on `target`: as high as it was, and as wide as its two ends now lie apart.
    """
    x, y, width, height = box_px
    ends = [_carried_point((end, y + height / 2), source, target) for end in (x, x + width)]
    left, right = sorted(round(float(end[0])) for end in ends)
    return left, round(float(ends[0][1] + ends[1][1]) / 2 - height / 2), max(1, right - left), height


def _carried_point(point: tuple[float, float], source: PageImage, target: PageImage) -> Doubles:
    """Carry a point with the shred it lies on, or lies nearest to."""
    across = int(source.sideways)  # the axis along which shreds follow one another

    def distance(shred: str) -> float:
        place = source.placements[shred]
        return abs(place[across] + place[across + 2] / 2 - point[across])

    shred = min(source.placements, key=distance)
    there, here = source.maps[shred], target.maps[shred]
    column, row = np.linalg.solve(there[:, :2], np.array(point) - there[:, 2])
    column += _bend_px(target, shred, row) - _bend_px(source, shred, row)
    return np.asarray(here @ (column, row, 1), np.float64)


def _bend_px(page: PageImage, shred: str, row: float) -> float:
    """Return how far to the right a row of a shred's picture was moved, so that the shred is straight."""
    bend_px = page.poses[shred].bend_px if shred in page.poses else None
    return 0.0 if bend_px is None else float(np.interp(row, np.arange(len(bend_px)), bend_px))


def draw_seams(pixels: Pixels, seams: Iterable[NDArray[np.int32]]) -> None:
    """Draw the cuts on a page: a line along the left contour of each shred but the first.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        Of the page; drawn upon.
    seams : iterable of ndarray of shape (k, 2), int32
        From `seam_lines`.
    """
    last = pixels.shape[1] - 1
    for line in seams:
        for step in range(SEAM_WIDTH_PX):
            pixels[line[:, 1], np.minimum(line[:, 0] + step, last)] = SEAM_RGB
