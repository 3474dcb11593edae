"""From connected pieces of paper to shreds: touching ones are cut apart, torn ones put together."""

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np

from core.arrays import Floats, Indices, Mask
from core.shreds.deskew import find_upright, row_extents
from core.shreds.pieces import STROKE_PX, Piece, crop, without_holes

TOUCHING_SHARE = 0.7
"""Shreds that touch over a larger part of their length are not told apart."""

SIDEWAYS_COST = 3.0
"""Price of a step sideways, in pixels of paper crossed."""

NEARNESS_COST = 0.1
"""Price of background next to paper; it falls with the distance."""

ROWS_A_STEP = 8
"""A path between shreds may move sideways by one column every so many rows: cuts are no steeper."""

STEPS = np.array([0, -1, 1], np.int8)
"""Moves from a row to the one above; straight on where all cost the same."""

GAP_SHARE = 0.03
"""Where the background shows between touching shreds, it does so in at least this share of the rows."""

SLIT_WIDTH = 1.3
"""Two shreds that touch are wider than this many times the usual shred."""

TEAR_PX = 300
"""The parts of a torn shred lie no further apart than this (25 mm)."""

BESIDE_PX = 200
"""Over so much beside a line of print that parts it a shred is straight (17 mm)."""


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
    return sorted(_join_torn(solid, min_length_px), key=lambda one: (one.bbox[0] + one.bbox[2] / 2, one.bbox[1]))


def _part_touching(piece: Piece, min_width_px: int, min_length_px: int) -> list[Piece]:
    """Cut shreds apart that touch, along the path from end to end on which there is most background."""
    if not _shows_gap(piece.mask):
        return [piece]
    upright = find_upright(piece.mask)
    turned = upright.cut_out_mask(piece.mask)
    path = _least_paper(turned, min_width_px)
    if turned[np.arange(len(path)), path].mean() > TOUCHING_SHARE:
        return [piece]
    beyond = np.arange(turned.shape[1]) > path[:, None]
    size = piece.bbox[2:]
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    right = cv2.warpAffine(beyond.astype(np.uint8), upright.matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    parts = [crop(piece.mask & (right == side), piece.bbox[:2]) for side in (0, 1)]
    if any(part is None or part.mask.sum() < min_width_px * min_length_px for part in parts):
        return [piece]
    return [one for part in parts if part for one in _part_touching(part, min_width_px, min_length_px)]


def _least_paper(mask: Mask, min_width_px: int) -> Indices:
    """Find the path down a piece, a column for each row, that crosses the least paper.

    Dynamic programming over groups of rows; from one to the next the path moves by one column at most, and at a
    price, since cuts are nearly straight. Within the background it keeps away from paper. Beside the piece, and so
    near its contours that no shred would be left there, a step costs as much as through paper.
    """
    rows, first, last = row_extents(mask)
    cost = np.ones(mask.shape, np.float32)
    columns = np.arange(mask.shape[1])
    inner = (columns >= first[:, None] + min_width_px) & (columns <= last[:, None] - min_width_px)
    distance = cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L1, 3)
    cost[rows] = np.where(inner & ~mask[rows], NEARNESS_COST / np.maximum(distance[rows], 1), 1)
    cost = np.add.reduceat(cost, np.arange(0, len(cost), ROWS_A_STEP))
    step = np.zeros(cost.shape, np.int8)
    total = cost[0]
    for row in range(1, len(cost)):
        padded = np.pad(total, 1, constant_values=np.inf)
        before = np.stack([total, padded[:-2] + SIDEWAYS_COST, padded[2:] + SIDEWAYS_COST])
        choice = before.argmin(axis=0)
        step[row] = STEPS[choice]
        total = cost[row] + before[choice, columns]
    path = np.empty(len(cost), np.intp)
    path[-1] = total.argmin()
    for row in range(len(cost) - 1, 0, -1):
        path[row - 1] = path[row] + step[row, path[row]]
    return np.repeat(path, ROWS_A_STEP)[: len(mask)]


def _shows_gap(mask: Mask) -> bool:
    """Check whether there is background between paper and paper in more than a few of a piece's lines."""
    lines = mask if mask.shape[0] >= mask.shape[1] else mask.T
    rows, first, last = row_extents(lines)
    gaps = last - first + 1 > lines[rows].sum(axis=1)
    return bool(gaps.sum() > GAP_SHARE * len(rows))


def _keep_slit(parted: list[list[Piece]], whole: list[Piece]) -> list[Piece]:
    """Undo the parting of what is no wider than one shred: it was slit lengthwise."""
    if all(len(parts) == 1 for parts in parted):
        return whole
    widths = [_width_px(part) for parts in parted for part in parts]
    usual_px = float(np.median(widths))
    kept = []
    for piece, parts in zip(whole, parted, strict=True):
        slit = len(parts) > 1 and len(widths) > len(parts) and _width_px(piece) < SLIT_WIDTH * usual_px
        kept += [piece] if slit else parts
    return kept


def _width_px(piece: Piece) -> float:
    """Measure a piece across its long axis: the median over its rows once upright."""
    _, first, last = row_extents(find_upright(piece.mask).cut_out_mask(piece.mask))
    return float(np.median(last - first + 1))


def _join_torn(pieces: list[Piece], min_length_px: int) -> list[Piece]:
    """Join what is torn across: pieces that lie in line, one below the other, and are no longer than a shred.

    Two whole shreds in one column of a sheet (short strips, laid out in two rows) stay two: together they would be
    longer than the others.
    """
    longest_px = max((max(piece.bbox[2:]) for piece in pieces), default=0)
    while True:
        pieces.sort(key=lambda piece: -max(piece.bbox[2:]))
        boxes = np.array([piece.bbox for piece in pieces]).reshape(-1, 4)
        for longer, shorter in _candidates(boxes, longest_px, min_length_px):
            if _in_line(pieces[longer], pieces[shorter]):
                pieces[longer] = together(pieces[longer], pieces.pop(shorter))
                break
        else:
            return pieces


def _candidates(boxes: Indices, longest_px: int, min_length_px: int) -> Iterator[tuple[int, int]]:
    """List the pairs, the longer one first, of which one may continue the other, going by the boxes around them."""
    lengths = boxes[:, 2:].max(axis=1)
    right, bottom = boxes[:, 0] + boxes[:, 2], boxes[:, 1] + boxes[:, 3]
    for longer in np.flatnonzero((lengths >= min_length_px) & (lengths <= 0.95 * longest_px)):
        beside = (boxes[:, 0] > right[longer]) | (boxes[longer, 0] > right)
        together_px = np.maximum(bottom, bottom[longer]) - np.minimum(boxes[:, 1], boxes[longer, 1])
        near = ~beside & (together_px <= 1.02 * longest_px)
        near[: longer + 1] = False
        for shorter in np.flatnonzero(near):
            yield int(longer), int(shorter)


def _in_line(longer: Piece, shorter: Piece) -> bool:
    """Check whether a piece continues another one beyond its end."""
    (x, y, *_), (other_x, other_y, *_) = longer.bbox, shorter.bbox
    upright = find_upright(longer.mask)
    rows, first, last = row_extents(upright.cut_out_mask(longer.mask))
    other_rows, other_first, other_last = row_extents(shorter.mask)
    edges = np.concatenate([np.stack([other_first, other_rows], 1), np.stack([other_last, other_rows], 1)])
    points = (edges + np.array([other_x - x, other_y - y])) @ upright.matrix[:, :2].T + upright.matrix[:, 2]
    below, above = points[:, 1].min() - rows[-1], rows[0] - points[:, 1].max()
    if _goes_on(first, last, points, max(below, above)):
        return True
    if abs(max(below, above)) > STROKE_PX:
        return False
    # A line of print parts them, on a shred that is bent: how it goes on shows beside the line.
    if below > above:
        here, there = rows >= rows[-1] - BESIDE_PX, points[:, 1] <= points[:, 1].min() + BESIDE_PX
    else:
        here, there = rows <= rows[0] + BESIDE_PX, points[:, 1] >= points[:, 1].max() - BESIDE_PX
    return _goes_on(first[here], last[here], points[there], max(below, above))


def _goes_on(first: Indices, last: Indices, points: Floats, apart: float) -> bool:
    """Check whether points lie within the edges of an upright piece, and not too far beyond its end."""
    left, right = float(np.median(first)), float(np.median(last))
    low, high = float(points[:, 0].min()), float(points[:, 0].max())
    wide = high - low
    shared = min(right, high) - max(left, low)
    return shared > 0.7 * wide and wide > 0.3 * (right - left) and -wide < apart < TEAR_PX


def together(first: Piece, second: Piece) -> Piece:
    """Join two pieces to one.

    Parameters
    ----------
    first, second : Piece
        Of one sheet.

    Returns
    -------
    Piece
        The paper of both.
    """
    boxes = np.array([first.bbox, second.bbox])
    low, high = boxes[:, :2].min(axis=0), (boxes[:, :2] + boxes[:, 2:]).max(axis=0)
    mask = np.zeros((high - low)[::-1], np.bool_)
    for piece in (first, second):
        (x, y), (width, height) = np.array(piece.bbox[:2]) - low, piece.bbox[2:]
        mask[y : y + height, x : x + width] |= piece.mask
    x, y, width, height = (int(value) for value in (*low, *(high - low)))
    return Piece((x, y, width, height), mask)
