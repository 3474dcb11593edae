"""The pieces of paper on a sheet: without the scanner's frame, touching ones cut apart, torn ones put together."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from core.straightening import find_upright, row_extents

Box = tuple[int, int, int, int]

SPECK_PX = 24
"""What is smaller than this in both directions (2 mm) is dust."""

BRIDGES_PX = (40, 100, 250, 600)
"""Lengths over which two shreds may touch; tried one after the other."""

TEAR_PX = 300
"""The parts of a torn shred lie no further apart than this (25 mm)."""

STRAIGHT_PX = 1.5
"""A lid or a cut support sheet is as straight as this; a shred at the edge of a sheet is not."""


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
    """Give the contour of a piece, to the pixel; the parts of a torn shred one after the other.

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
    return np.concatenate(lines).astype(np.float32) + np.array([x, y], np.float32)


def cut_off_frame(paper: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], list[Piece]]:
    """Take away the scanner's lid and frame where they show beside the support sheet.

    They are neither paper nor background; they begin at the edge of the scan and end in a straight line, which the
    worn edge of a shred does not.

    Parameters
    ----------
    paper : ndarray of shape (h, w), bool
        True where the background is not seen.

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
        turned = np.rot90(paper, turns)
        ends = _lid_ends(turned)
        if ends is None:
            continue
        strip = turned & (np.arange(turned.shape[1]) < ends[:, None])
        turned[strip] = False
        whole = np.rot90(strip, -turns)
        if (piece := crop(whole)) is not None:
            strips.append(piece)
    return paper, strips


def crop(mask: NDArray[np.bool_], origin: tuple[int, int] = (0, 0)) -> Piece | None:
    """Crop a mask to what it contains; None where it is empty."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if len(rows) == 0:
        return None
    y, x = int(rows[0]), int(columns[0])
    inside = mask[y : rows[-1] + 1, x : columns[-1] + 1]
    return Piece((origin[0] + x, origin[1] + y, inside.shape[1], inside.shape[0]), inside.copy())


def _lid_ends(paper: NDArray[np.bool_]) -> NDArray[np.float64] | None:
    """Find up to which column the lid reaches in each row, if it shows at the left edge."""
    height, width = paper.shape
    reach = width // 6
    run = np.where(paper[:, :reach].all(axis=1), reach, (~paper[:, :reach]).argmax(axis=1))
    rows = np.flatnonzero((run > 0) & (run < reach))
    if len(rows) < height / 10:
        return None
    best: tuple[int, float, float] = (0, 0.0, 0.0)
    for slope in np.tan(np.radians(np.arange(-2, 2.01, 0.1))):
        level = run[rows] - slope * rows
        bins = np.round((level - level.min()) / STRAIGHT_PX).astype(np.int64)
        counts = np.bincount(bins)
        pairs = counts[:-1] + counts[1:] if len(counts) > 1 else counts
        if pairs.max() > best[0]:
            best = (int(pairs.max()), float(slope), float(level.min() + (pairs.argmax() + 0.5) * STRAIGHT_PX))
    n_straight, slope, level_px = best
    if n_straight < 0.6 * len(rows):
        return None
    return np.asarray(np.maximum(level_px + slope * np.arange(height) + 3, 0))


def find_pieces(paper: NDArray[np.bool_], min_width_px: int, min_length_px: int) -> list[Piece]:
    """Part the paper on a sheet into pieces, each of which is one shred, a sliver or a crumb.

    Parameters
    ----------
    paper : ndarray of shape (h, w), bool
        True on paper.
    min_width_px, min_length_px : int
        The smallest shred.

    Returns
    -------
    list of Piece
        From left to right; dust is left out.
    """
    closed = cv2.morphologyEx(paper.astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    n, labels, boxes, _ = cv2.connectedComponentsWithStats(closed, connectivity=4)
    pieces = []
    for label in range(1, n):
        x, y, width, height = (int(value) for value in boxes[label, :4])
        if max(width, height) >= SPECK_PX:
            pieces.append(Piece((x, y, width, height), labels[y : y + height, x : x + width] == label))
    large = [piece for piece in pieces if max(piece.bbox[2:]) >= min_length_px]
    small = [piece for piece in pieces if max(piece.bbox[2:]) < min_length_px]
    usual_px = float(np.median([width_px(piece) for piece in large])) if len(large) > 2 else 0.0
    parted = [part for piece in large for part in _part_touching(piece, usual_px, (min_width_px, min_length_px))]
    joined = _join_torn([replace(piece, mask=without_holes(piece.mask)) for piece in parted + small], min_length_px)
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
    turned = upright.cut_out(piece.mask.astype(np.uint8), cv2.INTER_NEAREST) > 0
    _, first, last = row_extents(turned)
    return float(np.median(last - first + 1))


def _part_touching(piece: Piece, usual_px: float, smallest_px: tuple[int, int]) -> list[Piece]:
    """Cut shreds apart that touch.

    Beside the place where two shreds touch, the background shows between them. Columns of paper (in the piece's
    upright frame) that are short, because they begin and end at such a gap, are bridges. What stays once they are
    taken away are the shreds; each bridge pixel then goes to the nearest of them.
    """
    if usual_px and width_px(piece) < 1.4 * usual_px:
        return [piece]
    min_width_px, min_length_px = smallest_px
    upright = find_upright(piece.mask)
    turned = upright.cut_out(piece.mask.astype(np.uint8), cv2.INTER_NEAREST)
    for bridge_px in BRIDGES_PX:
        tall = np.ones((bridge_px, 1), np.uint8)
        padded = cv2.copyMakeBorder(turned, bridge_px, bridge_px, 0, 0, cv2.BORDER_CONSTANT, value=0)
        cores = cv2.morphologyEx(padded, cv2.MORPH_OPEN, tall)[bridge_px:-bridge_px]
        n, labels, boxes, _ = cv2.connectedComponentsWithStats(cores, connectivity=4)
        kept = [
            label
            for label in range(1, n)
            if boxes[label, cv2.CC_STAT_HEIGHT] >= min_length_px
            and boxes[label, cv2.CC_STAT_AREA] >= min_width_px * boxes[label, cv2.CC_STAT_HEIGHT]
        ]
        if len(kept) > 1:
            break
    else:
        return [piece]
    distances = [cv2.distanceTransform((labels != label).astype(np.uint8), cv2.DIST_L2, 5) for label in kept]
    nearest = np.argmin(distances, axis=0).astype(np.uint8)
    size = (piece.bbox[2], piece.bbox[3])
    owner = cv2.warpAffine(
        nearest,
        upright.matrix,
        size,
        flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    parts = (crop(piece.mask & (owner == index), piece.bbox[:2]) for index in range(len(kept)))
    return [part for part in parts if part is not None]


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
    rows, first, last = row_extents(upright.cut_out(longer.mask.astype(np.uint8), cv2.INTER_NEAREST) > 0)
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
