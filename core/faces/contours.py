"""The contours of shreds, brought to a form in which the same paper is known again from its other face.

An edge is the column at which the paper ends, row by row. Counted outwards on both sides, paper that is turned over
has its edges exchanged, and paper that is turned upside down besides has them reversed: nothing else changes.
"""

from collections.abc import Sequence

import numpy as np

from core.arrays import Floats, Mask
from core.matching.contour import without_trend
from core.parallel import map_in_order
from core.progress import Progress, no_progress
from core.shreds.deskew import row_extents
from core.shreds.shred import Shred
from core.wording import QT_TRANSLATE_NOOP

_READING = QT_TRANSLATE_NOOP("progress", "Reading contour {number} of {n}")

STEP_PX = 2
"""Rows between two samples of an edge."""

ROUGH_STEP = 4
"""Samples between two of those by which contours are compared roughly."""

SMOOTH_PX = 2.0
"""Standard deviation of the smoothing: what is finer is left by whole pixels."""

NOISE_PX2 = 0.1
"""Variance of what whole pixels leave on a straight edge that lay turned: such edges have little to say."""


def read_contours(shreds: Sequence[Shred], progress: Progress = no_progress) -> tuple[Floats, list[int]]:
    """Read the waves of both edges of shreds, the middles of their paper at the same height.

    Parameters
    ----------
    shreds : sequence of Shred
        n of them, at least one; the mask of each is read once.
    progress : Progress
        Fraction and text.

    Returns
    -------
    waves : ndarray of shape (n, 2, k), float32
        Of the left and of the right edge, outwards, each `STEP_PX` rows, 0 where there is no paper; scaled so that
        products of two shreds are correlations.
    tops_px : list of int
        At which row of the waves each shred's first row lies, in pixels.
    """
    # The last sample is a rough one, as the first is: reversed, they meet one another.
    n_samples = ROUGH_STEP * -(-max(shred.height_px for shred in shreds) // (STEP_PX * ROUGH_STEP)) + 1
    waves, tops_px = np.empty((len(shreds), 2, n_samples), np.float32), []

    def read(shred: Shred) -> tuple[Floats, int]:
        edges, top_px = _edges(shred.mask, (n_samples - 1) * STEP_PX + 1)
        return _waves(edges), top_px

    for number, (of_shred, top_px) in enumerate(map_in_order(read, shreds, _READING, progress)):
        waves[number] = of_shred
        tops_px.append(top_px)
    return waves, tops_px


def _edges(mask: Mask, n_rows: int) -> tuple[Floats, int]:
    """Place edges so that the middle of the paper is the middle of so many rows; returns (2, rows) and the top."""
    rows, first, last = row_extents(mask)
    edges = np.full((2, n_rows), np.nan, np.float32)
    if not len(rows):
        return edges, 0
    top_px = (n_rows - 1 - int(rows[0] + rows[-1])) // 2
    edges[:, rows + top_px] = -first, last
    return edges, top_px


def _waves(edges: Floats) -> Floats:
    """Remove the slow trend and the fastest waves of the edges of a shred, and scale them."""
    there = ~np.isnan(edges)
    # A mean of what is on one side only, as at the ends, must not follow how the shred is turned.
    rows = np.arange(edges.shape[1])
    lines = [
        np.polyfit(rows[where], edge[where], 1) if where.sum() > 1 else (0, 0)
        for edge, where in zip(edges, there, strict=True)
    ]
    heights = np.where(there, edges - np.array([np.polyval(line, rows) for line in lines]), 0).astype(np.float32)
    heights, n_rows = without_trend(heights, there, SMOOTH_PX, STEP_PX)
    return np.asarray(heights / np.sqrt(np.square(heights).sum() + n_rows.sum() * NOISE_PX2), np.float32)
