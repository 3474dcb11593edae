"""The pieces of paper on a sheet: without the scanner's frame, touching ones cut apart, torn ones put together."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from core.straightening import Upright, find_upright, row_extents

Box = tuple[int, int, int, int]

SPECK_PX = 5
"""Threads and bridges thinner than this do not hold paper together."""

DUST_PX = 24
"""What is smaller than this in both directions (2 mm) is dust."""

BRIDGES_PX = (40, 100, 250, 600, 1200)
"""Lengths over which two shreds may touch; tried one after the other."""

GAP_SHARE = 0.03
"""Where the background shows between touching shreds, it does so in at least this share of the rows."""

SLIT_WIDTH = 1.3
"""Two shreds that touch are wider than this many times the usual shred."""

TEAR_PX = 300
"""The parts of a torn shred lie no further apart than this (25 mm)."""

INK_LENGTH_PX = 61
"""Ink reaches along a contour for no more than this (5 mm)."""

INK_DEPTH_PX = 5
"""On black, ink must reach this far into a shred to be told from worn places that show the background."""

INK_RIM_PX = 3
"""So far around it ink fades into the paper."""

STRAIGHT_PX = 1.0
"""The edge of a lid or of a cut support sheet is as straight as this; that of a shred is not."""

LID_SHARE = 0.25
"""Where a lid shows, it ends on its straight edge in at least this part of the rows."""

LID_FAULTS = 0.05
"""In no more than this part of the rows does it end before."""

LID_RIM_PX = 3
"""The shadow along a lid."""


@dataclass(frozen=True, eq=False)
class Piece:
    """A connected piece of paper, or several that belong together.

    Attributes
    ----------
    bbox : tuple of int
        x, y, width, height on the sheet.
    mask : ndarray of shape (height, width), bool
        True on its paper.
    """

    bbox: Box
    mask: NDArray[np.bool_]


def outline(mask: NDArray[np.bool_], x: int = 0, y: int = 0) -> NDArray[np.float32]:
    """Give the contour of a piece, to the pixel.

    The parts of a torn shred are joined by a line there and back, which encloses nothing.

    Parameters
    ----------
    mask : ndarray of shape (h, w), bool
        True on paper.
    x, y : int
        Where the mask begins on the sheet.

    Returns
    -------
    ndarray of shape (k, 2), float32
        (x, y) on the sheet.
    """
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    lines = [cv2.approxPolyDP(contour, 1.0, closed=True)[:, 0] for contour in contours]
    lines.sort(key=lambda line: int(line[:, 1].min()))
    closed = [np.concatenate([line, line[:1]]) for line in lines]
    way_back = [line[:1] for line in lines[-2:0:-1]]
    return np.concatenate(closed + way_back).astype(np.float32) + np.array([x, y], np.float32)


def cut_off_frame(paper: NDArray[np.bool_], foreign: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], list[Piece]]:
    """Take away the scanner's lid and frame where they show beside the support sheet.

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
        ends = _lid_ends(np.rot90(foreign, turns))
        if ends is None:
            continue
        turned = np.rot90(paper, turns)
        strip = turned & (np.arange(turned.shape[1]) < ends[:, None])
        turned[strip] = False
        piece = crop(np.rot90(strip, -turns))
        if piece is not None:
            strips.append(piece)
    return paper, strips


def bridge_ink(paper: NDArray[np.bool_], covered: NDArray[np.float32], ink_coverage: float) -> NDArray[np.bool_]:
    """Give the paper back the ink that a grey or black background looks like.

    Ink within the paper is enclosed by it. Ink that reaches a contour, or a rule from one to the other, is not; but
    paper goes on above and below it.

    Parameters
    ----------
    paper : ndarray of shape (h, w), bool
        True on white paper.
    covered : ndarray of shape (h, w), float32
        1 on background.
    ink_coverage : float
        Ink is darker than this, on the scale of `covered`.

    Returns
    -------
    ndarray of shape (h, w), bool
        True on paper and on such ink.
    """
    mask = paper.astype(np.uint8)
    _, _, boxes, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    sides = boxes[1:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]]
    standing = sides[:, 1].max(initial=0) >= sides[:, 0].max(initial=0)
    depth = INK_DEPTH_PX if ink_coverage < 1 else 1
    along, across = ((1, INK_LENGTH_PX), (depth, 1)) if standing else ((INK_LENGTH_PX, 1), (1, depth))
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_RECT, along))
    between = (closed > 0) & ~paper
    core = (between & (covered > ink_coverage)).astype(np.uint8)
    ink = cv2.morphologyEx(core, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_RECT, across))
    rim = np.ones((2 * INK_RIM_PX + 1, 2 * INK_RIM_PX + 1), np.uint8)
    return paper | (between & (cv2.dilate(ink, rim) > 0))


def crop(mask: NDArray[np.bool_], origin: tuple[int, int] = (0, 0)) -> Piece | None:
    """Crop a mask to what it contains; None where it is empty."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if len(rows) == 0:
        return None
    y, x = int(rows[0]), int(columns[0])
    inside = mask[y : rows[-1] + 1, x : columns[-1] + 1]
    return Piece((origin[0] + x, origin[1] + y, inside.shape[1], inside.shape[0]), inside.copy())


def _lid_ends(foreign: NDArray[np.bool_]) -> NDArray[np.float64] | None:
    """Find up to which column the lid reaches in each row, if it shows at the left edge.

    In many rows it ends on one straight line, and in hardly any before it; further in where a shred touches it.
    """
    height, width = foreign.shape
    reach = width // 6
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
    if n_straight < LID_SHARE * len(rows) or n_before > LID_FAULTS * len(rows):
        return None
    return np.asarray(np.maximum(line + LID_RIM_PX, 0))


def find_pieces(paper: NDArray[np.bool_]) -> list[Piece]:
    """List the connected pieces of paper on a sheet, dust left out.

    Parameters
    ----------
    paper : ndarray of shape (h, w), bool
        True on paper.

    Returns
    -------
    list of Piece
        In no particular order; touching shreds are one piece, a torn shred several.
    """
    opened = cv2.morphologyEx(paper.astype(np.uint8), cv2.MORPH_OPEN, np.ones((SPECK_PX, SPECK_PX), np.uint8))
    n, labels, boxes, _ = cv2.connectedComponentsWithStats(opened, connectivity=4)
    pieces = []
    for label in range(1, n):
        x, y, width, height = (int(value) for value in boxes[label, :4])
        if max(width, height) >= DUST_PX:
            pieces.append(Piece((x, y, width, height), labels[y : y + height, x : x + width] == label))
    return pieces


def part_and_join(pieces: list[Piece], min_width_px: int, min_length_px: int) -> list[Piece]:
    """Cut touching shreds apart and put torn ones together.

    Parameters
    ----------
    pieces : list of Piece
        The connected pieces of paper on a sheet.
    min_width_px, min_length_px : int
        The smallest shred.

    Returns
    -------
    list of Piece
        Each is one shred, a sliver or a crumb, without holes; from left to right.
    """
    large = [piece for piece in pieces if max(piece.bbox[2:]) >= min_length_px]
    small = [piece for piece in pieces if max(piece.bbox[2:]) < min_length_px]
    parted = _keep_slit([_part_touching(piece, min_width_px, min_length_px) for piece in large], large)
    solid = [replace(piece, mask=without_holes(piece.mask)) for piece in parted + small]
    joined = _join_torn(solid, min_length_px)
    return sorted(joined, key=lambda piece: (piece.bbox[0] + piece.bbox[2] / 2, piece.bbox[1]))


def without_holes(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Close what is enclosed by paper: coloured stamps, punched holes, black ink on a black background."""
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros(mask.shape, np.uint8)
    cv2.drawContours(filled, contours, -1, 1, thickness=cv2.FILLED)
    return filled > 0


def width_px(piece: Piece) -> float:
    """Measure a piece across its long axis: the median over its rows once upright."""
    upright = find_upright(piece.mask)
    _, first, last = row_extents(upright.cut_out_mask(piece.mask))
    return float(np.median(last - first + 1))


def _part_touching(piece: Piece, min_width_px: int, min_length_px: int) -> list[Piece]:
    """Cut shreds apart that touch.

    Beside the place where two shreds touch, the background shows between them. Columns of paper (in the piece's
    upright frame) that are short, because they begin and end at such a gap, are bridges. What stays once they are
    taken away are the shreds; each bridge pixel then goes to the nearest of them.
    """
    if not _shows_gap(piece.mask):
        return [piece]
    upright = find_upright(piece.mask)
    turned = upright.cut_out_mask(piece.mask).astype(np.uint8)
    for bridge_px in BRIDGES_PX:
        if bridge_px > len(turned) / 2:
            break
        tall = np.ones((bridge_px, 1), np.uint8)
        padded = cv2.copyMakeBorder(turned, bridge_px, bridge_px, 0, 0, cv2.BORDER_CONSTANT, value=0)
        cores = cv2.morphologyEx(padded, cv2.MORPH_OPEN, tall)[bridge_px:-bridge_px]
        n, labels, boxes, _ = cv2.connectedComponentsWithStats(cores, connectivity=4)
        height, area = boxes[:, cv2.CC_STAT_HEIGHT], boxes[:, cv2.CC_STAT_AREA]
        kept = [k for k in range(1, n) if height[k] >= min_length_px and area[k] >= min_width_px * height[k]]
        if len(kept) > 1:
            parts = _assign(piece, upright, [labels == label for label in kept])
            return [one for part in parts for one in _part_touching(part, min_width_px, min_length_px)]
    return [piece]


def _shows_gap(mask: NDArray[np.bool_]) -> bool:
    """Tell whether there is background between paper and paper in more than a few of a piece's lines."""
    lines = mask if mask.shape[0] >= mask.shape[1] else mask.T
    rows, first, last = row_extents(lines)
    gaps = last - first + 1 > lines[rows].sum(axis=1)
    return bool(gaps.sum() > GAP_SHARE * len(rows))


def _assign(piece: Piece, upright: Upright, cores: list[NDArray[np.bool_]]) -> list[Piece]:
    """Give every pixel of a piece to the nearest of some cores in its upright frame."""
    distances = [cv2.distanceTransform((~core).astype(np.uint8), cv2.DIST_L2, 5) for core in cores]
    owner = cv2.warpAffine(
        np.argmin(distances, axis=0).astype(np.uint8),
        upright.matrix,
        piece.bbox[2:],
        flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    parts = [crop(piece.mask & (owner == index), piece.bbox[:2]) for index in range(len(cores))]
    return [part for part in parts if part is not None]


def _keep_slit(parted: list[list[Piece]], whole: list[Piece]) -> list[Piece]:
    """Undo the parting of what is no wider than one shred: it was slit lengthwise."""
    if all(len(parts) == 1 for parts in parted):
        return whole
    widths = [width_px(part) for parts in parted for part in parts]
    usual_px = float(np.median(widths))
    kept = []
    for piece, parts in zip(whole, parted, strict=True):
        slit = len(parts) > 1 and len(widths) > len(parts) and width_px(piece) < SLIT_WIDTH * usual_px
        kept += [piece] if slit else parts
    return kept


def _join_torn(pieces: list[Piece], min_length_px: int) -> list[Piece]:
    """Put together what is torn across: pieces that lie in line, one below the other, and are no longer than a shred.

    Two whole shreds in one column of a sheet (short strips, laid out in two rows) stay two: together they would be
    longer than the others.
    """
    pieces = list(pieces)
    longest_px = max((max(piece.bbox[2:]) for piece in pieces), default=0)
    joined = True
    while joined:
        joined = False
        pieces.sort(key=lambda piece: -max(piece.bbox[2:]))
        for first in range(len(pieces)):
            for second in range(first + 1, len(pieces)):
                if _in_line(pieces[first], pieces[second], longest_px, min_length_px):
                    pieces[first] = _together(pieces[first], pieces.pop(second))
                    joined = True
                    break
            if joined:
                break
    return pieces


def _in_line(longer: Piece, shorter: Piece, longest_px: int, min_length_px: int) -> bool:
    """Tell whether a piece continues another one beyond its end."""
    length_px = max(longer.bbox[2:])
    (x, y, width, height), (other_x, other_y, other_width, other_height) = longer.bbox, shorter.bbox
    beside = other_x > x + width or x > other_x + other_width
    if beside or not min_length_px <= length_px <= 0.95 * longest_px:
        return False
    if max(y + height, other_y + other_height) - min(y, other_y) > 1.02 * longest_px:
        return False
    upright = find_upright(longer.mask)
    rows, first, last = row_extents(upright.cut_out_mask(longer.mask))
    left, right = float(np.median(first)), float(np.median(last))
    other_rows, other_first, other_last = row_extents(shorter.mask)
    edges = np.concatenate([np.stack([other_first, other_rows], 1), np.stack([other_last, other_rows], 1)])
    points = (edges + np.array([other_x - x, other_y - y])) @ upright.matrix[:, :2].T + upright.matrix[:, 2]
    low, high = points.min(axis=0), points.max(axis=0)
    wide = high[0] - low[0]
    shared = min(right, high[0]) - max(left, low[0])
    apart = max(low[1] - rows[-1], rows[0] - high[1])
    return bool(shared > 0.7 * wide and wide > 0.3 * (right - left) and -wide < apart < TEAR_PX)


def _together(first: Piece, second: Piece) -> Piece:
    """Make one piece of two."""
    boxes = np.array([first.bbox, second.bbox])
    low, high = boxes[:, :2].min(axis=0), (boxes[:, :2] + boxes[:, 2:]).max(axis=0)
    mask = np.zeros((high - low)[::-1], np.bool_)
    for piece in (first, second):
        (x, y), (width, height) = np.array(piece.bbox[:2]) - low, piece.bbox[2:]
        mask[y : y + height, x : x + width] |= piece.mask
    x, y, width, height = (int(value) for value in (*low, *(high - low)))
    return Piece((x, y, width, height), mask)
