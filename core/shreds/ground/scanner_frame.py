"""The scanner's lid and frame where they show beside the support sheet."""

import cv2
import numpy as np
from scipy.ndimage import binary_closing, minimum_filter1d

from core.arrays import Doubles, Floats, Mask
from core.shreds.ground.surfaces import REDUCTION, lab
from core.shreds.pieces import Piece, crop
from core.units import mm_to_px

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

BARE_MM = 40.0
"""A lid beside a support of any shape shows along at least so much of the sheet's edge; the end of a shred does not."""

WIDE_MM = 12.5
"""What is wider than this along the edge of a sheet is no shred."""

CROSSING_MM = 30.0
"""Shreds that reach over the support's edge are narrower than this, and further in than `WAVE_MM` on both sides."""

WAVE_MM = 4.0

CROSSED_SHARE = 0.1
"""Where shreds reach over this part of a strip along the edge, the strip is no shred itself."""

OTHER_WHITE = 3.0
"""The lid's white differs by more than this (CIE Lab units) from the paper's, if it is to be told by its colour."""

RIM_MM = 15.0
"""The scanner's dark frame is narrower than this."""

ROUND_ABOUT = 0.97
"""Where two edges of a sheet are free of the support for this part of their length, the lid lies around it."""

HUGGING_SHARE = 0.2
"""What has this part of its contour along the lid that was cut off, and no ink, belongs to it."""

INK_SHARE = 0.01
"""The lid bears less than this of anything dark."""


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
        reach = min(int(np.ceil(ends.max())), np.rot90(paper, turns).shape[1])
        turned = np.rot90(paper, turns)[:, :reach]
        strip = turned & (np.arange(reach) < ends[:, None])
        turned[strip] = False
        at = (paper.shape[1] - reach if turns == 2 else 0), (paper.shape[0] - reach if turns == 3 else 0)
        if (piece := crop(np.rot90(strip, -turns), at)) is not None:
            strips.append(piece)
    return paper, strips


def _lid_ends(foreign: Mask, widest_share: float) -> Doubles | None:
    """Find up to which column the lid reaches in each row, if it shows at the left edge.

    In many rows it ends on one straight line, and in hardly any before it; further in where a shred touches it.
    """
    height, width = foreign.shape
    reach = max(1, int(width * widest_share))
    foreign = np.ascontiguousarray(foreign[:, :reach])
    run = np.where(foreign.all(axis=1), reach, foreign.argmin(axis=1))
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


def dark_rim(grey: Mask) -> Mask:
    """Mark the frame of a scanner, a straight grey or black band along the edge of the scan.

    Parameters
    ----------
    grey : ndarray of shape (h, w), bool
        True where a grey or black surface shows that is not the main one.

    Returns
    -------
    ndarray of shape (h, w), bool
        True on such bands.
    """
    rim = np.zeros(grey.shape, np.bool_)
    for turns in range(4):
        side = np.rot90(grey, turns)
        ends = _lid_ends(side, min(WIDEST_SHARE, mm_to_px(RIM_MM) / side.shape[1]))
        if ends is not None:
            rim |= np.rot90(np.arange(side.shape[1]) < ends[:, None], -turns)
    return rim


def cut_off_lid(paper: Mask, foreign: Mask, small: Floats, white: Floats) -> tuple[Mask, list[Piece]]:
    """Remove the scanner's lid where it shows beside a support of any shape.

    Along each edge of the sheet the support begins at some distance, which may swing. Where shreds reach over its edge
    onto the lid, they are cut where the support ends on both sides of them.

    Parameters
    ----------
    paper, foreign : ndarray of shape (h, w), bool
        As for `cut_off_frame`.
    small : ndarray of shape (h / 4, w / 4, 3), float32
        The sheet, reduced and in even light; RGB, 0 to 255.
    white : ndarray of shape (3,), float32
        RGB of the paper.

    Returns
    -------
    paper : ndarray of shape (h, w), bool
        The same without the lid.
    strips : list of Piece
        What was taken away, the lid in one piece or several.
    """
    size = (small.shape[1], small.shape[0])
    coarse = cv2.resize(foreign.astype(np.uint8) * 255, size, interpolation=cv2.INTER_AREA) > 127
    if not any(_bare_edges(np.rot90(coarse, turns)[:, 0]) for turns in range(4)):
        return paper, []
    dark = small.mean(axis=2) < 0.6 * white.mean()
    lids = _lids(coarse, lab(small) - lab(white.reshape(1, 1, 3)), dark)
    if not lids.any():
        return paper, []
    lids |= _hugging(coarse & ~lids, lids, dark)
    turned = cv2.resize(lids.astype(np.uint8), paper.shape[::-1], interpolation=cv2.INTER_NEAREST)
    lid = cv2.dilate(turned, np.ones((2 * LID_RIM_PX + 1, 2 * LID_RIM_PX + 1), np.uint8)) > 0
    n, labels, boxes, _ = cv2.connectedComponentsWithStats((paper & lid).astype(np.uint8), connectivity=8)
    strips = []
    for label in range(1, n):
        x, y, width, height, _ = (int(value) for value in boxes[label])
        strips.append(Piece((x, y, width, height), labels[y : y + height, x : x + width] == label))
    return paper & ~lid, strips


def _lids(foreign: Mask, tint: Floats, dark: Mask) -> Mask:
    """Mark the lid along all four edges of a reduced sheet."""
    foreign = foreign.copy()
    lids = np.zeros(foreign.shape, np.bool_)
    free = [np.rot90(foreign, turns)[:, 0].mean() >= ROUND_ABOUT for turns in range(4)]
    around = any(free[turns] and free[turns - 1] for turns in range(4))
    # Where the lid shows at one edge for certain, a bare strip at another is the lid as well.
    for turns in (0, 1, 2, 3, 0, 1, 2, 3):
        side, ink, of_side = np.rot90(foreign, turns), np.rot90(dark, turns), np.rot90(tint, turns)
        lid = np.zeros(side.shape, np.bool_)
        for start, stop in _bare_edges(side[:, 0]):
            ends = _support_begins(side[start:stop])
            if ends is None or not ends[0].any():
                continue
            within = np.arange(side.shape[1]) < ends[0][:, None]
            bare = ink[start:stop][within].mean() < INK_SHARE
            other = np.linalg.norm(np.median(of_side[start:stop][within], axis=0)) > OTHER_WHITE
            along = stop - start >= ROUND_ABOUT * len(side)
            if ends[1] or (bare and (other or along or around or lids.any())):
                lid[start:stop] = within
        lids |= np.rot90(lid, -turns)
        foreign &= ~lids
    return lids


def _hugging(foreign: Mask, lids: Mask, dark: Mask) -> Mask:
    """Mark bare pieces that the lid's edge runs along: crests of it that were left over."""
    n, labels, boxes, _ = cv2.connectedComponentsWithStats(foreign.astype(np.uint8), connectivity=4)
    near = cv2.dilate(lids.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    rim = foreign & (cv2.erode(foreign.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0)
    along, around, inked = (np.bincount(labels[which], minlength=n) for which in (rim & near, rim, foreign & dark))
    belongs = (along > HUGGING_SHARE * around) & (inked <= INK_SHARE * boxes[:, cv2.CC_STAT_AREA])
    belongs[0] = False
    return belongs[labels]


def _bare_edges(touched: Mask) -> list[tuple[int, int]]:
    """List where, from row to row, no support reaches the edge of the sheet."""
    closed = binary_closing(np.pad(touched, 5, mode="edge"), np.ones(5))[5:-5]
    changes = np.flatnonzero(np.diff(np.concatenate([[0], closed.astype(np.int8), [0]])))
    least = min(mm_to_px(BARE_MM) / REDUCTION, len(touched))  # all of a narrow part of a scan
    return [(int(a), int(b)) for a, b in zip(changes[::2], changes[1::2], strict=True) if b - a >= least]


def _support_begins(foreign: Mask) -> tuple[Doubles, bool] | None:
    """Find where the support begins in each row, and whether what lies before it is too wide for shreds or crossed."""
    height, width = foreign.shape
    run = np.where(foreign.all(axis=1), width, foreign.argmin(axis=1))
    seen = run < width * 2 // 3
    if seen.sum() < height / 20:
        return None
    span, wave = (round(mm_to_px(mm) / REDUCTION) for mm in (CROSSING_MM, WAVE_MM))
    plain = seen & (run <= minimum_filter1d(run, 2 * span + 1, mode="nearest") + wave)
    rows = np.flatnonzero(plain)
    ends = np.interp(np.arange(height), rows, run[rows])
    crossed = float((seen & ~plain & (run > ends + wave)).sum() / max(seen.sum(), 1))
    return ends, bool(crossed >= CROSSED_SHARE or np.median(ends) >= mm_to_px(WIDE_MM) / REDUCTION)
