"""The four borders of pieces, read in grey: what the encoder of pieces takes."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from core.arrays import Mask, Pixels
from core.embedding.piece_geometry import DARKEST, DEPTH_PX, STRIDE_PX
from core.shreds.binarization import sauvola_threshold
from core.shreds.borders import follow_contour
from core.shreds.shred import Shred, upright

PAPER_MARGIN, DARKEST_MARGIN = 32.0, -64.0
"""What is brighter than the threshold of ink by so much is paper, what is darker by so much as dark as can be."""

AROUND_PX = 32
"""A piece is continued by its mirror image by so much, so that its own edge is no ink."""


@dataclass(frozen=True, eq=False)
class PieceBorders:
    """The borders of n pieces as they lie, then of all half-turned, 0 for paper to 255 for print.

    Attributes
    ----------
    right, left : ndarray of shape (2n, rows, 24), uint8
        From the top; column 0 at the cut.
    bottom, top : ndarray of shape (2n, columns, 24), uint8
        From the left; column 0 at the cut.
    """

    right: Pixels
    left: Pixels
    bottom: Pixels
    top: Pixels


def darkness(shred: Shred) -> tuple[Pixels, Mask]:
    """Compute how dark each pixel of a piece is against the threshold of ink around it, as it is to be read.

    Parameters
    ----------
    shred : Shred
        Of h rows and w columns.

    Returns
    -------
    dark : ndarray of shape (h, w), uint8
        0 for paper, and beyond it, to 255 for print.
    mask : ndarray of shape (h, w), bool
        Where there is paper.
    """
    pixels, mask = upright(shred)
    grey = np.where(mask, cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY), np.uint8(255))
    around = min(AROUND_PX, min(grey.shape) - 1)
    continued = np.pad(grey, around, mode="reflect")
    margin = continued.astype(np.float32) - sauvola_threshold(continued)
    inner = margin[around : around + len(grey), around : around + grey.shape[1]]
    share = (PAPER_MARGIN - np.clip(inner, DARKEST_MARGIN, PAPER_MARGIN)) / (PAPER_MARGIN - DARKEST_MARGIN)
    return np.where(mask, share * DARKEST, 0).astype(np.uint8), mask


def read_piece_borders(shreds: Sequence[Shred]) -> PieceBorders:
    """Read the four borders of pieces, in both ways up.

    Parameters
    ----------
    shreds : sequence of Shred
        At least one.

    Returns
    -------
    PieceBorders
        Padded with paper to the size of the largest.
    """
    rows, columns = (
        -(-max(size) // STRIDE_PX) * STRIDE_PX
        for size in zip(*((shred.height_px, shred.width_px) for shred in shreds), strict=True)
    )
    n = len(shreds)
    right, left, bottom, top = (
        np.zeros((2 * n, length, DEPTH_PX), np.uint8) for length in (rows, rows, columns, columns)
    )
    for index, shred in enumerate(shreds):
        dark, mask = darkness(shred)
        for (before, behind), (values, paper) in (((right, left), (dark, mask)), ((bottom, top), (dark.T, mask.T))):
            last, first = _at_cuts(values, paper)
            before[index, : len(last)], behind[index, : len(first)] = last, first
            # Half-turned, what was last comes first, and runs the other way.
            before[n + index, : len(first)], behind[n + index, : len(last)] = first[::-1], last[::-1]
    return PieceBorders(right, left, bottom, top)


def _at_cuts(values: Pixels, mask: Mask) -> tuple[Pixels, Pixels]:
    """Read what lies before the right contour and behind the left one, from the contour inwards."""
    right = follow_contour(values, mask, "right", width_px=DEPTH_PX, outside=0)[:, ::-1]
    return right, follow_contour(values, mask, "left", width_px=DEPTH_PX, outside=0)
