"""Marques and Freitas, 2013: the brightness of the pixels along the cut.

Every shred is described by the values, in the colour space HSV, of the outermost pixels along its contours, row by row.
A join costs the Euclidean distance of the two columns that would meet. Documents are black on white, so that the
channel V says it all. Nothing is shifted. The article then takes the nearest neighbour, again and again; here the order
is the cheapest of all, as for every method, which is right far more often.

References
----------
M. A. O. Marques and C. O. A. Freitas, "Document decipherment-restoration: strip-shredded document reconstruction based
on color", IEEE Latin America Transactions 11 (6), 2013, pages 1359 to 1365.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.matching.costs import Costs
from core.parallel import map_in_order
from core.progress import Progress, no_progress
from core.shreds.deskew import row_extents
from core.shreds.shred import Shred, common_frame, upright
from training.baselines.dummy import costs_of_joins

WHITE = 255


@dataclass(frozen=True)
class Marques:
    """The method.

    Attributes
    ----------
    inset_px : int
        How far within the contour the pixels lie.
    """

    inset_px: int = 0

    def costs(self, shreds: Sequence[Shred], progress: Progress = no_progress) -> Costs:
        """Price all joins, see `training.baselines.Baseline`."""
        left, right = self._columns(shreds, progress)
        squares = np.square(right).sum(axis=1)[:, None] + np.square(left).sum(axis=1)[None, :] - 2 * right @ left.T
        cost = np.sqrt(np.maximum(squares, 0)).astype(np.float32)
        progress(1.0, "Comparing border pixels")
        return costs_of_joins(cost, np.zeros(cost.shape, dtype=np.int16))

    def _columns(self, shreds: Sequence[Shred], progress: Progress) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Read the pixels beside both contours of n shreds; two of (n, rows of the common frame), white beyond."""
        top, bottom = common_frame(shreds)
        left = np.full((len(shreds), bottom - top), WHITE, dtype=np.float64)
        right = left.copy()
        for index, (rows, on_left, on_right) in enumerate(
            map_in_order(self._beside_contours, shreds, "Reading border pixels of shred {number} of {n}", progress)
        ):
            at = shreds[index].frame_top_px - top + rows
            left[index, at], right[index, at] = on_left, on_right
        return left, right

    def _beside_contours(self, shred: Shred) -> tuple[NDArray[np.intp], NDArray[np.uint8], NDArray[np.uint8]]:
        """Return the rows with paper, and the brightness (V of HSV) beside the left and the right contour there."""
        pixels, mask = upright(shred)
        rows, first, last = row_extents(mask)
        on_left = np.minimum(first + self.inset_px, last)
        on_right = np.maximum(last - self.inset_px, first)
        return rows, pixels[rows, on_left].max(axis=1), pixels[rows, on_right].max(axis=1)
