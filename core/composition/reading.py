"""The reading page: shreds at their poses, the rims of cuts over one another; nothing is invented."""

from collections.abc import Mapping

import cv2
import numpy as np

from core.arrays import Doubles, Indices, Mask, Pixels
from core.composition.page_image import PAPER, PageImage, bare
from core.composition.pose import Pictures, Pose, draw

EVEN_PX = 12
"""So near to its contour paper may be darker, from shadow, wear, and the support that shines through."""

WHITE = 250
"""What paper is brought to."""

LEAST_PAPER = 0.4
"""So much of a shred at least is as light as its paper, within a tenth; print covers less than half of a page."""

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
    even = evened(pictures)
    drawn = {name: draw(even[name], mask, poses[name]) for name, (_, mask) in pictures.items()}
    left, top = (min(getattr(one, side) for one in drawn.values()) for side in ("x_px", "y_px"))
    placements = {
        name: (one.x_px - left, one.y_px - top, one.paper.shape[1], one.paper.shape[0]) for name, one in drawn.items()
    }
    pixels = bare(placements)
    for name, (x, y, w, h) in placements.items():
        there = pixels[y : y + h, x : x + w]
        np.minimum(there, drawn[name].pixels, out=there)
    maps = {name: one.matrix - np.array([[0, 0, left], [0, 0, top]]) for name, one in drawn.items()}
    return PageImage(pixels, placements, {name: one.paper for name, one in drawn.items()}, maps, dict(poses))


def evened(pictures: Pictures) -> dict[str, Pixels]:
    """Make the paper of shreds even: as light at their rims as within, and nearly white. Print stays as dark as it is.

    Parameters
    ----------
    pictures : mapping of str to (pixels, mask)
        Shreds of one page, RGB of shape (h, w, 3), uint8, and paper, of shape (h, w), bool.

    Returns
    -------
    dict of str to ndarray of shape (h, w, 3), uint8
        White beyond the paper. A shred that shows too much else to tell its paper takes that of the others; where no
        shred tells, all stay as they are.
    """
    rings = {name: _rings(mask) for name, (_, mask) in pictures.items()}
    levels = {name: _levels(pixels, rings[name]) for name, (pixels, _) in pictures.items()}
    told = [level[EVEN_PX] for level in levels.values() if level is not None]
    usual = np.median(told, axis=0) if told else np.full(3, float(WHITE))
    flat = np.tile(usual, (EVEN_PX + 1, 1))
    return {
        name: _evened(pixels, mask, rings[name], flat if (level := levels[name]) is None else level)
        for name, (pixels, mask) in pictures.items()
    }


def _rings(mask: Mask) -> Indices:
    """Measure how far within the paper each pixel lies, up to `EVEN_PX`; 0 beyond it."""
    distance = cv2.distanceTransform(np.pad(mask.astype(np.uint8), 1), cv2.DIST_L2, 3)[1:-1, 1:-1]
    return np.minimum(distance, EVEN_PX).astype(np.intp)


def _levels(pixels: Pixels, rings: Indices) -> Doubles | None:
    """Measure how light the paper is, by its distance from the contour and by channel; None if most is no paper."""
    levels = np.full((EVEN_PX + 1, 3), float(WHITE))
    for channel in range(3):
        counts = np.bincount((256 * rings + pixels[..., channel]).ravel(), minlength=256 * (EVEN_PX + 1))
        counts = counts.reshape(EVEN_PX + 1, 256)
        below = np.cumsum(counts, axis=1)
        paper = (below >= PAPER_SHARE[:, None] * below[:, -1:]).argmax(axis=1).astype(np.float64)
        within = paper[EVEN_PX]
        alike = counts[EVEN_PX, round(0.9 * within) : round(1.1 * within) + 1].sum()
        if alike < LEAST_PAPER * max(int(below[EVEN_PX, -1]), 1):
            return None
        levels[:, channel] = np.where(below[:, -1] > 0, np.clip(paper, 1, max(within, 1)), within)
    return levels


def _evened(pixels: Pixels, mask: Mask, rings: Indices, levels: Doubles) -> Pixels:
    """Bring paper of known lightness to white."""
    even = np.empty(pixels.shape, np.uint8)
    values = np.arange(256.0)[None]
    for channel in range(3):
        at_rim, within = levels[:, channel, None], levels[EVEN_PX, channel]
        # What is as light as the rim's paper becomes as light as paper; what is half as light hardly changes.
        lighter = values + (within - at_rim) * np.minimum(values / at_rim, 1) ** 4
        becomes = np.clip(np.rint(lighter * (WHITE / within)), 0, 255).astype(np.uint8)
        even[..., channel] = becomes[rings, pixels[..., channel]]
    even[~mask] = PAPER
    return even
