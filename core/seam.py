"""The seam between two shreds: where along it their borders agree, and where not."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.matching.geometry import STRIDE_PX, rows_to_middle, rows_with_ink
from core.matching.shifts import first_rows
from core.options import Options
from core.progress import Progress, no_progress, part
from core.shreds.borders import read_borders
from core.shreds.shred import BORDER_WIDTH_PX, Shred, common_frame

if TYPE_CHECKING:
    from core.matching.encoder import Encoder


@dataclass(frozen=True, eq=False)
class Seam:
    """How two borders that meet at a shift compare, sample by sample.

    Attributes
    ----------
    top_px : ndarray of shape (k,), int
        Row of the left shred's pixels, upright, in which each sample begins; it may lie beyond the shred. A sample has
        32 rows, and one follows every 4. An encoder of higher samples sees as much more above as below.
    distance : ndarray of shape (k,), float32
        Squared distance of the two embeddings: their sum is the ink's part of the cost at this shift.
    inked : ndarray of shape (k,), bool
        Whether either border has ink there; where neither has, there is nothing to compare.
    shift_px : int
        By how much the right shred is moved down in the common frame.
    """

    top_px: NDArray[np.intp]
    distance: NDArray[np.float32]
    inked: NDArray[np.bool_]
    shift_px: int

    @property
    def ink_cost(self) -> float:
        """The ink's part of the cost at this shift; as in the costs wherever the shift is one that was tried there."""
        return float(self.distance.sum(dtype=np.float64))


def read_seam(
    left: Shred,
    right: Shred,
    shift_px: int,
    shreds: Sequence[Shred],
    encoder: "Encoder",
    options: Options,
    progress: Progress = no_progress,
) -> Seam:
    """Compare the right border of a shred with the left border of another.

    Parameters
    ----------
    left, right : Shred
        Turned as they are to be joined.
    shift_px : int
        By how much the right one is moved down in the common frame; any number of pixels.
    shreds : sequence of Shred
        All of the case that bear ink: they span the common frame.
    encoder : Encoder
        Maps borders into the common space.
    options : Options
        Those of binarization, border and cost are used.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Seam
        From top to bottom.
    """
    top, bottom = common_frame([*shreds, left, right])
    borders = read_borders([left, right], options.binarization, options.border, part(progress, 0.0, 0.3))
    # The encoder has an embedding every 4 rows: what is left of the shift moves the border itself.
    rows, rest = divmod(shift_px, STRIDE_PX)
    height = bottom - top + (STRIDE_PX if rest else 0)
    start = borders.frame_top_px - top

    def framed(border: NDArray[np.bool_], down_px: int) -> NDArray[np.bool_]:
        whole = np.zeros((1, height, BORDER_WIDTH_PX), dtype=np.bool_)
        whole[0, start + down_px : start + down_px + len(border)] = border[: height - start - down_px]
        return whole

    of_left, of_right = framed(borders.right[0], 0), framed(borders.left[1], rest)
    right_embedding = encoder.embed(of_left, "right", part(progress, 0.3, 0.6))[0]
    left_embedding = encoder.embed(of_right, "left", part(progress, 0.6, 1.0))[0]
    n_rows, sample_px = len(right_embedding), encoder.sample_height_px
    a, b = first_rows(rows)
    n_compared = max(0, n_rows - max(min(options.cost.max_shift_rows, n_rows - 1), abs(rows)))
    one, other = slice(a, a + n_compared), slice(b, b + n_compared)
    return Seam(
        top_px=STRIDE_PX * (np.arange(a, a + n_compared) + rows_to_middle(sample_px)) + top - left.frame_top_px,
        distance=np.square(right_embedding[one] - left_embedding[other]).sum(axis=1),
        inked=rows_with_ink(of_left[0], sample_px)[one] | rows_with_ink(of_right[0], sample_px)[other],
        shift_px=shift_px,
    )
