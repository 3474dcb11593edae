"""Two shreds side by side as they would join, and what meets at the cut."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_opening

from core.arrangement.arrangement import Arrangement
from core.arrangement.composition import compose_page
from core.options import Options
from core.shreds.binarization import binarize
from core.shreds.borders import read_border
from core.shreds.shred import Shred, Side, upright

AT_CUT_PX = 5
"""Ink so near to a cut would go on beyond it."""

LEAST_ROWS = 4
"""Fewer rows of ink are specks and halftone, no strokes."""

Meeting: TypeAlias = Literal["none", "left", "right", "both"]

MEETINGS: tuple[Meeting, ...] = ("none", "left", "right", "both")
"""Who has ink at the cut; what the numbers in `CloseUp.ink` stand for."""


@dataclass(frozen=True, eq=False)
class CloseUp:
    """Two shreds at a shift.

    Attributes
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB.
    placements : dict of str to tuple of int
        Where in `pixels` the left and the right shred lie: x, y, width, height.
    left_edge_px, right_edge_px : ndarray of shape (h,), int
        Column of `pixels` in which the left shred ends and the right one begins, row by row; -1 where it has no paper.
    ink : ndarray of shape (h,), uint8
        Row by row, who has ink at the cut, as an index into `MEETINGS`.
    """

    pixels: NDArray[np.uint8]
    placements: dict[str, tuple[int, int, int, int]]
    left_edge_px: NDArray[np.intp]
    right_edge_px: NDArray[np.intp]
    ink: NDArray[np.uint8]

    def runs(self) -> list[tuple[int, int, Meeting]]:
        """List what `ink` says as runs of rows with ink: first row, row after the last, who has it."""
        ends = np.flatnonzero(np.diff(self.ink, prepend=0, append=0))
        pieces = zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
        return [(start, stop, MEETINGS[int(self.ink[start])]) for start, stop in pieces if self.ink[start]]

    def telling_row(self, n_rows: int) -> int:
        """Find where the cut goes through most ink: the middle of that many rows; of the picture if there is none."""
        inked = np.concatenate([[0], np.cumsum(self.ink > 0)])
        n_rows = min(n_rows, len(self.ink))
        in_window = inked[n_rows:] - inked[: len(inked) - n_rows]
        if not in_window.any():
            return len(self.ink) // 2
        best = np.flatnonzero(in_window == in_window.max())
        return int(best[len(best) // 2]) + n_rows // 2


def close_up(left: Shred, right: Shred, shift_px: int, options: Options = Options()) -> CloseUp:
    """Put two shreds side by side.

    Parameters
    ----------
    left, right : Shred
        Turned as they are to be joined.
    shift_px : int
        By how much the right one is moved down in the common frame.
    options : Options
        Those of binarization and border are used.

    Returns
    -------
    CloseUp
        The shreds touch, and do not overlap, as on a page.
    """
    pair = Arrangement(pages=((left.id, right.id),), shift_px={right.id: shift_px})
    page = compose_page({left.id: left, right.id: right}, pair, 0)
    height = len(page.pixels)
    edges, inked = [], []
    sides: tuple[tuple[Shred, Side], ...] = ((left, "right"), (right, "left"))
    for shred, side in sides:
        x, y, _, rows = page.placements[shred.id]
        pixels, mask = upright(shred)
        border = read_border(binarize(pixels, mask, options.binarization), mask, side, width_px=AT_CUT_PX)
        column = mask.argmax(axis=1) if side == "left" else mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
        edge, ink = np.full(height, -1, dtype=np.intp), np.zeros(height, dtype=np.uint8)
        edge[y : y + rows] = np.where(mask.any(axis=1), x + column, -1)
        ink[y : y + rows] = binary_opening(border.any(axis=1), np.ones(LEAST_ROWS, dtype=np.bool_))
        edges.append(edge)
        inked.append(ink)
    ink = (inked[0] + 2 * inked[1]).astype(np.uint8)
    # Beyond the end of either shred there is nothing to meet.
    ink[(edges[0] < 0) | (edges[1] < 0)] = 0
    return CloseUp(page.pixels, page.placements, edges[0], edges[1], ink)
