"""Shreds and their arrangement become page images: every paper pixel where it belongs, and nothing between."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from core.arrangement.arrangement import Arrangement
from core.arrays import Mask, Pixels
from core.options import CompositionOptions
from core.shreds.deskew import row_extents
from core.shreds.shred import Box, Shred, upright

PAPER = 255
"""Plain white: what stands where no shred lies."""

SEAM_RGB = (0, 114, 178)
SEAM_WIDTH_PX = 2

GAP_RGB = (190, 215, 235)
"""Marks where no paper lies, wherever seams are shown beside a page that is left as it is."""

_NO_PAPER = np.iinfo(np.int32).min // 2
"""Stands for "nothing lies in this row yet"; halved, so that sums do not overflow."""


@dataclass(frozen=True, eq=False)
class PageImage:
    """A composed page.

    Attributes
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB at 300 dpi.
    placements : dict of str to tuple of int
        Where on the page each shred's `pixels` lie, turned as the examiner turned them: x, y, width, height.
    """

    pixels: Pixels
    placements: dict[str, Box] = field(default_factory=dict)


def compose_page(
    shreds: Mapping[str, Shred], arrangement: Arrangement, page: int, options: CompositionOptions = CompositionOptions()
) -> PageImage:
    """Lay the shreds of a page edge to edge.

    From left to right, each shred is moved towards those already laid until its paper touches theirs in at least one
    row: wavy edges interlock, what was lost at a cut stays visible as white, and no two shreds ever overlap. So every
    paper pixel of every shred stands on the page unchanged, and nothing else does. There is no blending and no filling.

    Vertically a shred lies where the common frame and the shifts of the arrangement put it. A shred that the examiner
    turned by a few degrees is the exception to "unchanged": its pixels are resampled.

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
    if not ids:
        raise ValueError(f"Page {page + 1} of the arrangement is empty.")
    posed = {shred_id: arrangement.pose(shreds[shred_id]) for shred_id in ids}
    placements = _placements(list(posed.values()), arrangement.offsets_px(page))
    width = max(x + w for x, _, w, _ in placements.values())
    height = max(y + h for _, y, _, h in placements.values())
    pixels = np.full((height, width, 3), PAPER, dtype=np.uint8)
    for shred_id in ids:
        x, y, w, h = placements[shred_id]
        shred_pixels, mask = upright(posed[shred_id])
        there = pixels[y : y + h, x : x + w]
        there[:] = cv2.copyTo(np.ascontiguousarray(shred_pixels), mask.astype(np.uint8), there)
    if options.show_seams:
        for shred_id in ids[1:]:
            _draw_seam(pixels, upright(posed[shred_id])[1], placements[shred_id])
    return PageImage(pixels, placements)


def _placements(shreds: list[Shred], offset_px: Mapping[str, int]) -> dict[str, Box]:
    """Find x, y, width and height of each shred on the page; the smallest x and y are 0."""
    tops = [shred.frame_top_px + offset_px[shred.id] for shred in shreds]
    page_top = min(tops)
    page_height = max(top + shred.mask.shape[0] for top, shred in zip(tops, shreds, strict=True)) - page_top
    # For each row of the page, the column just right of the paper laid so far.
    frontier = np.full(page_height, _NO_PAPER, dtype=np.int32)
    placements = {}
    for shred, top in zip(shreds, tops, strict=True):
        mask = upright(shred)[1]
        y = top - page_top
        rows, left, last = row_extents(mask)
        # Beside nothing at all (the first shred, or one that lies above or below all others): right of everything.
        x = int((frontier[y + rows] - left).max(initial=_NO_PAPER))
        if x < _NO_PAPER // 2:
            x = int(max(0, frontier.max()))
        frontier[y + rows] = np.maximum(frontier[y + rows], x + last + 1)
        placements[shred.id] = (x, y, mask.shape[1], mask.shape[0])
    page_left = min(x for x, _, _, _ in placements.values())
    return {shred_id: (x - page_left, y, w, h) for shred_id, (x, y, w, h) in placements.items()}


def seam_lines(
    shreds: Mapping[str, Shred], arrangement: Arrangement, page: int, placements: Mapping[str, Box]
) -> tuple[NDArray[np.int32], ...]:
    """Follow the cuts of a composed page.

    Parameters
    ----------
    shreds, arrangement, page
        As `compose_page` took them.
    placements : mapping of str to tuple of int
        As it gave them.

    Returns
    -------
    tuple of ndarray of shape (k, 2), int32
        For every shred but the first, where its paper begins in each row: (x, y) in pixels of the page.
    """
    lines = []
    for shred_id in arrangement.pages[page][1:]:
        x, y, _, _ = placements[shred_id]
        rows, left, _ = row_extents(upright(arrangement.pose(shreds[shred_id]))[1])
        lines.append(np.stack([x + left, y + rows], axis=1).astype(np.int32))
    return tuple(lines)


def gaps(shreds: Mapping[str, Shred], arrangement: Arrangement, page: int, composed: PageImage) -> Mask:
    """Find where no paper lies on a composed page: on white paper the eye does not tell that from blank paper.

    Parameters
    ----------
    shreds, arrangement, page
        As `compose_page` took them.
    composed : PageImage
        As it gave it.

    Returns
    -------
    ndarray of shape (h, w), bool
        True where nothing lies.
    """
    nothing = np.ones(composed.pixels.shape[:2], np.bool_)
    for shred_id in arrangement.pages[page]:
        x, y, w, h = composed.placements[shred_id]
        nothing[y : y + h, x : x + w] &= ~upright(arrangement.pose(shreds[shred_id]))[1]
    return nothing


def _draw_seam(pixels: Pixels, mask: Mask, placement: Box) -> None:
    """Draw a line along the left contour of a shred."""
    x, y, width, _ = placement
    rows, left, _ = row_extents(mask)
    for step in range(min(SEAM_WIDTH_PX, width)):
        pixels[y + rows, x + np.minimum(left + step, width - 1)] = SEAM_RGB
