"""The scanner's lid and frame where they show beside the support sheet."""

import numpy as np

from core.arrays import Doubles, Mask
from core.shreds.pieces import Piece, crop

STRAIGHT_PX = 1.0
"""The edge of a lid or of a cut support sheet is as straight as this; that of a shred is not."""

WIDEST_SHARE = 0.45
"""The lid takes up no more than this part of a sheet's breadth, on each side."""

TALLEST_SHARE = 0.16
"""The same for its height: the straight ends of short shreds must not be taken for a lid."""

LID_SHARE = 0.25
"""Where a lid shows, it ends on its straight edge in at least this part of the rows."""

LID_EVIDENCE = 2.0
"""The wider a lid, the more of its edge must be seen: this many times its part of the sheet's breadth."""

LID_FAULTS = 0.05
"""In no more than this part of the rows does it end before."""

LID_RIM_PX = 3
"""The shadow along a lid."""


def cut_off_frame(paper: Mask, foreign: Mask) -> tuple[Mask, list[Piece]]:
    """Remove the scanner's lid and frame where they show beside the support sheet.

    They are neither paper nor background; they begin at the edge of the scan and end in a straight line, which the
    worn edge of a shred does not.

    Parameters
    ----------
    paper : ndarray of shape (h, w), bool
        True on paper, and on what looks like it.
    foreign : ndarray of shape (h, w), bool
        True on everything that does not look like the background.

    Returns
    -------
    paper : ndarray of shape (h, w), bool
        The same without the strips.
    strips : list of Piece
        What was taken away, at most one for each edge of the sheet.
    """
    paper = paper.copy()
    strips = []
    for turns in range(4):
        ends = _lid_ends(np.rot90(foreign, turns), TALLEST_SHARE if turns % 2 else WIDEST_SHARE)
        if ends is None:
            continue
        turned = np.rot90(paper, turns)
        strip = turned & (np.arange(turned.shape[1]) < ends[:, None])
        turned[strip] = False
        if (piece := crop(np.rot90(strip, -turns))) is not None:
            strips.append(piece)
    return paper, strips


def _lid_ends(foreign: Mask, widest_share: float) -> Doubles | None:
    """Find up to which column the lid reaches in each row, if it shows at the left edge.

    In many rows it ends on one straight line, and in hardly any before it; further in where a shred touches it.
    """
    height, width = foreign.shape
    reach = max(1, int(width * widest_share))
    run = np.where(foreign[:, :reach].all(axis=1), reach, (~foreign[:, :reach]).argmax(axis=1))
    rows = np.flatnonzero((run > 0) & (run < reach))
    if len(rows) < height / 10:
        return None
    best: tuple[int, float, float] = (0, 0.0, 0.0)
    for slope in np.tan(np.radians(np.arange(-2, 2.01, 0.05))):
        level = run[rows] - slope * rows
        counts = np.bincount(np.round((level - level.min()) / STRAIGHT_PX).astype(np.int64), minlength=2)
        pairs = counts[:-1] + counts[1:]
        if pairs.max() > best[0]:
            best = (int(pairs.max()), float(slope), float(level.min() + (pairs.argmax() + 0.5) * STRAIGHT_PX))
    n_straight, slope, level_px = best
    line = level_px + slope * np.arange(height)
    n_before = int((run[rows] < line[rows] - 2 * STRAIGHT_PX).sum())
    n_needed = max(LID_SHARE * len(rows), LID_EVIDENCE * height * line.mean() / width)
    if n_straight < n_needed or n_before > LID_FAULTS * len(rows):
        return None
    return np.asarray(np.maximum(line + LID_RIM_PX, 0))
