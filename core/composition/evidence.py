"""The evidence page: every paper pixel where it belongs, and nothing between."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

import cv2
import numpy as np

from core.arrangement.arrangement import Arrangement
from core.arrays import Indices
from core.composition.page_image import PageImage, bare, draw_seams, seam_lines
from core.composition.pose import Drawn, Pose, draw, picture, plain_poses, tilted
from core.options import CompositionOptions
from core.shreds.deskew import row_extents
from core.shreds.shred import Box, Shred

Extents: TypeAlias = tuple[Indices, Indices, Indices]
"""Of a shred: the rows that have paper, and their first and last columns with paper."""

_NO_PAPER = np.iinfo(np.int32).min // 2
"""Stands for "nothing lies in this row yet"; halved, so that sums do not overflow."""


def compose_page(
    shreds: Mapping[str, Shred],
    arrangement: Arrangement,
    page: int,
    options: CompositionOptions = CompositionOptions(),
    poses: Mapping[str, Pose] | None = None,
    holes_px: Mapping[str, int] | None = None,
) -> PageImage:
    """Lay the shreds of a page edge to edge.

    From left to right, each shred is moved towards those already laid until its paper touches theirs in at least one
    row: wavy edges interlock, what was lost at a cut stays visible as white, and no two shreds ever overlap. So every
    paper pixel of every shred stands on the page, and nothing else does. There is no blending and no filling. Pixels
    are resampled where a shred is turned, and are otherwise the shred's own.

    Parameters
    ----------
    shreds : mapping of str to Shred
        At least those of the page, by identifier, as they were found.
    arrangement : Arrangement
        Order, shifts and turns.
    page : int
        Index of the page in the arrangement.
    options : CompositionOptions
        Whether to draw the seams; a seam covers the leftmost pixels of the shred at its right.
    poses : mapping of str to Pose, optional
        Heights and angles of the shreds; what the arrangement says, if absent. Where they lie from left to right their
        contours tell.
    holes_px : mapping of str to int, optional
        How much room is left of a shred for paper of which this face is not known.

    Returns
    -------
    PageImage
        Just large enough for all the shreds of the page.

    Raises
    ------
    ValueError
        If the page holds no shred.
    """
    ids = arrangement.pages[page]
    poses = plain_poses(shreds, arrangement, page) if poses is None else poses
    poses = {name: replace(pose, bend_px=None) for name, pose in poses.items()}  # evidence lies as it lay
    drawn = {name: draw(*picture(shreds[name], arrangement.half_turned), poses[name]) for name in ids}
    placements = _placements(drawn, holes_px or {})
    pixels, maps = bare(placements), {}
    for name, (x, y, w, h) in placements.items():
        there = pixels[y : y + h, x : x + w]
        there[:] = cv2.copyTo(drawn[name].pixels, drawn[name].paper.astype(np.uint8), there)
        maps[name] = drawn[name].matrix.copy()
        maps[name][:, 2] += (x - drawn[name].x_px, y - drawn[name].y_px)
    composed = PageImage(pixels, placements, {name: one.paper for name, one in drawn.items()}, maps, dict(poses))
    if options.show_seams:
        draw_seams(pixels, seam_lines(composed))
    return composed


def levelled_by_hand(
    shreds: Mapping[str, Shred], arrangement: Arrangement, page: int, poses: Mapping[str, Pose]
) -> dict[str, Pose]:
    """Turn a page that print does not level as far as the examiner levelled it.

    Parameters
    ----------
    shreds : mapping of str to Shred
        At least those of the page, by identifier, as they were found.
    arrangement : Arrangement
        Order, shifts, turns, and slopes of pages.
    page : int
        Index of the page in the arrangement.
    poses : mapping of str to Pose
        From `plain_poses`, or reduced as the shreds are.

    Returns
    -------
    dict of str to Pose
        The same where the examiner did not level the page.
    """
    slope_deg = arrangement.page_mark("page_slopes", page)
    if not slope_deg:
        return dict(poses)
    # Plain poses do not tell where shreds lie from left to right, and the page turns about its middle.
    laid = compose_page(shreds, arrangement, page, CompositionOptions(show_seams=False), poses).placements
    middles_px = {name: x + (width - 1) / 2 for name, (x, _, width, _) in laid.items()}
    return tilted({name: replace(pose, x_px=middles_px[name]) for name, pose in poses.items()}, slope_deg)


def touching_px(left: Extents, right: Extents, lower_px: int) -> int | None:
    """Find how far right of another a shred lies where their paper touches in at least one row, as on a page.

    Parameters
    ----------
    left, right : tuple of ndarray
        Where the paper of either begins and ends, see `row_extents`.
    lower_px : int
        By how much the picture of the right one lies lower.

    Returns
    -------
    int or None
        From the first column of the left picture to that of the right one; None if no row has paper of both.
    """
    _, at_left, at_right = np.intersect1d(left[0], right[0] + lower_px, assume_unique=True, return_indices=True)
    return int((left[2][at_left] + 1 - right[1][at_right]).max()) if len(at_left) else None


def _placements(drawn: Mapping[str, Drawn], holes_px: Mapping[str, int]) -> dict[str, Box]:
    """Find x, y, width and height of each shred on the page; the smallest x and y are 0."""
    page_top = min(one.y_px for one in drawn.values())
    page_height = max(one.y_px + len(one.paper) for one in drawn.values()) - page_top
    # For each row of the page, the column just right of the paper laid so far.
    frontier = np.full(page_height, _NO_PAPER, dtype=np.int32)
    placements = {}
    for name, one in drawn.items():
        y = one.y_px - page_top
        rows, left, last = row_extents(one.paper)
        # Beside nothing at all (the first shred, or one that lies above or below all others): right of everything.
        x = int((frontier[y + rows] - left).max(initial=_NO_PAPER))
        if x < _NO_PAPER // 2:
            x = int(max(0, frontier.max()))
        x += holes_px.get(name, 0)
        frontier[y + rows] = np.maximum(frontier[y + rows], x + last + 1)
        placements[name] = (x, y, one.paper.shape[1], one.paper.shape[0])
    page_left = min(x for x, _, _, _ in placements.values())
    return {name: (x - page_left, y, w, h) for name, (x, y, w, h) in placements.items()}
