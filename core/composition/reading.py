"""The reading page: shreds at their poses, the rims of cuts over one another; nothing is invented."""

from collections.abc import Mapping

import cv2
import numpy as np

from core.arrays import Indices, Mask, Pixels
from core.composition.page_image import PAPER, PageImage
from core.composition.pose import Pictures, Pose, draw

EVEN_PX = 12
"""So near to its contour paper may be darker, from shadow, wear, and the support that shines through."""

WHITE = 250
"""What paper is brought to."""

PAPER_SHARE = np.where(np.arange(EVEN_PX + 1) <= 3, 0.25, 0.6)
"""Paper is as light as this share of the pixels is at most, ring by ring: at the contour hardly any is print."""


def compose_reading_page(pictures: Pictures, poses: Mapping[str, Pose]) -> PageImage:
    """Lay shreds at their poses; where rims lie over one another, the darker pixel is seen.

    Fibre that stands out beyond a cut bears no print: it hides none of the neighbour's. Paper is made even first, so
    that it does not count as print. A stroke that ends at a cut ends there: nothing is drawn that no shred shows.

    Parameters
    ----------
    pictures : mapping of str to (pixels, mask)
        Each shred's pixels (RGB, (h, w, 3), uint8) and paper ((h, w), bool), as they are to be read, from left to
        right.
    poses : mapping of str to Pose
        Of these shreds.

    Returns
    -------
    PageImage
        Just large enough for all the shreds.
    """
    drawn = {name: draw(evened(*picture), picture[1], poses[name]) for name, picture in pictures.items()}
    left, top = (min(getattr(one, side) for one in drawn.values()) for side in ("x_px", "y_px"))
    placements = {
        name: (one.x_px - left, one.y_px - top, one.paper.shape[1], one.paper.shape[0]) for name, one in drawn.items()
    }
    width = max(x + w for x, _, w, _ in placements.values())
    height = max(y + h for _, y, _, h in placements.values())
    pixels = np.full((height, width, 3), PAPER, np.uint8)
    for name, (x, y, w, h) in placements.items():
        there = pixels[y : y + h, x : x + w]
        np.minimum(there, drawn[name].pixels, out=there)
    maps = {name: one.matrix - np.array([[0, 0, left], [0, 0, top]]) for name, one in drawn.items()}
    return PageImage(pixels, placements, {name: one.paper for name, one in drawn.items()}, maps, dict(poses))


def evened(pixels: Pixels, mask: Mask) -> Pixels:
    """Make a shred's paper even: as light at its rims as within, and nearly white. Print stays as dark as it is.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB.
    mask : ndarray of shape (h, w), bool
        True where there is paper.

    Returns
    -------
    ndarray of shape (h, w, 3), uint8
        White beyond the paper.
    """
    distance = cv2.distanceTransform(np.pad(mask.astype(np.uint8), 1), cv2.DIST_L2, 3)[1:-1, 1:-1]
    ring = np.minimum(distance, EVEN_PX).astype(np.intp) * 256
    even = np.empty(pixels.shape, np.uint8)
    for channel in range(3):
        at = ring + pixels[..., channel]
        even[..., channel] = _lightened(np.bincount(at.ravel(), minlength=256 * (EVEN_PX + 1)))[at]
    even[~mask] = PAPER
    return even


def _lightened(counts: Indices) -> Pixels:
    """Compute what a channel's values become, ring by ring from the contour inwards, from how often they occur."""
    counts = counts.reshape(EVEN_PX + 1, 256)
    below = np.cumsum(counts, axis=1)
    paper = (below >= PAPER_SHARE[:, None] * below[:, -1:]).argmax(axis=1).astype(np.float64)
    within = max(paper[EVEN_PX], 1.0)
    at_rim = np.where(below[:, -1] > 0, np.clip(paper, 1, within), within)[:, None]
    # What is as light as the rim's paper becomes as light as paper; what is half as light hardly changes.
    values = np.arange(256.0)[None]
    lighter = values + (within - at_rim) * np.minimum(values / at_rim, 1) ** 4
    return np.clip(np.rint(lighter * (WHITE / within)), 0, 255).astype(np.uint8).ravel()
