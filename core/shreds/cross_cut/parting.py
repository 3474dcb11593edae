"""Pieces of cross-cut paper that touch, parted where that is sure: all are as large as the machine cuts them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from core.arrays import Doubles, Indices, Mask, Pixels
from core.shreds.cross_cut.kind import Kind
from core.shreds.deskew import find_upright_by_cuts
from core.shreds.pieces import Piece, crop, without_holes

SEVERAL, HEAP = 1.3, 60
"""What has more paper than this many usual pieces are several; with more than so many it takes minutes, and is left."""

BLOCK_SHARE = 0.45
"""Where a circle with this part of a piece's length as its radius finds room, pieces may lie in either direction."""

FILL_LESS = 0.06
"""A piece among others fills its rectangle by no less than this below the usual one."""

ON_CONTOUR = 0.5
"""At least this part of its four cuts is seen."""

RING_PX = 3
"""They are looked for so far around it."""

LEFT_OVER = 0.15
"""Where more of a usual piece than this is left over, it is not sure which paper belongs to which piece."""

SIDE_SHARE = 0.6
"""Lines of an outline longer than this part of a piece's breadth may be cuts."""

SAME_DIRECTION_DEG = 0.4
"""Lines whose directions differ by less are parallel."""

MOST_DIRECTIONS = 24
"""So many directions are tried, those of the longest lines first."""

USUAL_SPREAD, MOST_MEASURED = 0.1, 20
"""Pieces whose area differs by less from the usual one are measured, no more than so many."""


@dataclass(frozen=True)
class _Rectangle:
    """Where a piece may lie: its middle (x, y), the direction of its long side, and how much of its cuts is seen."""

    x: float
    y: float
    angle: float
    seen: float


def parted(pieces: Sequence[Piece], kind: Kind) -> list[Piece]:
    """Part pieces that touch, and list all as they are read: row by row, each from left to right.

    Parameters
    ----------
    pieces : sequence of Piece
        The connected pieces of paper on a sheet.
    kind : Kind
        How large the usual piece is.

    Returns
    -------
    list of Piece
        Without holes; what cannot be parted for sure stays together.
    """
    solid = [Piece(piece.bbox, without_holes(piece.mask)) for piece in pieces]
    area = [np.count_nonzero(piece.mask) for piece in solid]
    if max(area, default=0) < SEVERAL * kind.area_px:
        return _in_rows(solid)
    usual = [piece for piece, px in zip(solid, area, strict=True) if abs(px / kind.area_px - 1) < USUAL_SPREAD]
    kind = _measured(usual[:: -(-len(usual) // MOST_MEASURED)], kind) if usual else kind
    return _in_rows([one for piece in solid for one in _part(piece, kind)])


def _measured(pieces: Sequence[Piece], kind: Kind) -> Kind:
    """Measure usual pieces exactly, along their rows and columns: what many that touch are too large by adds up."""
    sizes = []
    for piece in pieces:
        mask = find_upright_by_cuts(piece.mask).cut_out_mask(piece.mask)
        sizes.append([float(np.median(n[n > 0])) for n in (mask.sum(axis=1), mask.sum(axis=0))] + [float(mask.sum())])
    width, length, area = np.median(sizes, axis=0)
    return replace(kind, width_px=float(width), length_px=float(length), fill=float(area / (width * length)))


def _part(piece: Piece, kind: Kind) -> list[Piece]:
    """Part what is larger than one piece by the rectangles that fit into it."""
    several = SEVERAL * kind.area_px <= np.count_nonzero(piece.mask) <= HEAP * kind.area_px
    if not several or _is_block(piece.mask, kind) or not (found := _rectangles(piece.mask, kind)):
        return [piece]
    rows, columns = np.nonzero(piece.mask)
    outside = np.stack([_outside(columns, rows, one, kind) for one in found])
    owner = np.full(piece.mask.shape, -1)
    owner[rows, columns] = outside.argmin(axis=0)
    left = np.zeros(piece.mask.shape, np.uint8)
    left[rows, columns] = outside.min(axis=0) > RING_PX
    parts = (crop(part, piece.bbox[:2]) for part in _sure(owner, left, kind))
    return [part for part in parts if part is not None]


def _is_block(mask: Mask, kind: Kind) -> bool:
    """Check whether pieces lie so closely side by side and below each other that they may lie in either direction."""
    depth = cv2.distanceTransform(np.pad(mask, 1).astype(np.uint8), cv2.DIST_L2, 3)
    return float(depth.max()) > BLOCK_SHARE * kind.length_px


def _sure(owner: Indices, left: Pixels, kind: Kind) -> Iterator[Mask]:
    """List the paper of each rectangle; those beside paper that is left over are not sure, and stay one with it."""
    n, labels, boxes, _ = cv2.connectedComponentsWithStats(left, connectivity=8)
    near = np.ones((2 * RING_PX + 3, 2 * RING_PX + 3), np.uint8)
    group = np.arange(owner.max() + 1)
    for label in range(1, n):
        if boxes[label, cv2.CC_STAT_AREA] > LEFT_OVER * kind.area_px:
            beside = np.unique(owner[(cv2.dilate((labels == label).astype(np.uint8), near) > 0) & (owner >= 0)])
            group[np.isin(group, group[beside])] = group[beside[0]]
    of_group = np.append(group, -1)[owner]
    for number in np.unique(group):
        yield of_group == number


def _rectangles(mask: Mask, kind: Kind) -> list[_Rectangle]:
    """Find pieces, those of which most of the cuts are seen first; each is taken away before others are looked for."""
    left = np.pad(mask, 2 * RING_PX).astype(np.uint8)
    directions = _directions(left, kind)
    found: list[_Rectangle] = []
    while cv2.countNonZero(left) > LEFT_OVER * kind.area_px:
        fitting = sorted(
            (one for angle in directions for one in _fitting(left, angle, kind)), key=lambda one: -one.seen
        )
        new: list[_Rectangle] = []
        for one in fitting:
            box = _box(one, kind, -RING_PX)
            if all(cv2.rotatedRectangleIntersection(box, _box(other, kind, -RING_PX))[0] == 0 for other in new):
                new.append(one)
        if not new:
            break
        for one in new:
            cv2.fillConvexPoly(left, np.round(cv2.boxPoints(_box(one, kind, 0))).astype(np.int32), 0)
        left = np.asarray(cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((RING_PX, RING_PX), np.uint8)), np.uint8)
        found += new
    return [_Rectangle(one.x - 2 * RING_PX, one.y - 2 * RING_PX, one.angle, one.seen) for one in found]


def _directions(mask: Pixels, kind: Kind) -> list[float]:
    """List the directions in which a long side may run, from lines of the outline, the longest first."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    lines = []
    for contour in contours:
        corners = cv2.approxPolyDP(contour, 1.5, closed=True)[:, 0].astype(float)
        lines += [(float(np.hypot(dx, dy)), float(np.arctan2(dx, dy))) for dx, dy in np.roll(corners, -1, 0) - corners]
    directions: list[float] = []
    for length, angle in sorted(lines, reverse=True):
        if length < SIDE_SHARE * kind.width_px or len(directions) >= MOST_DIRECTIONS:
            break
        for turned in (angle, angle + np.pi / 2):
            apart = [abs((turned - other + np.pi / 2) % np.pi - np.pi / 2) for other in directions]
            if min(apart, default=1.0) > np.radians(SAME_DIRECTION_DEG):
                directions.append(turned)
    return directions


def _fitting(mask: Pixels, angle: float, kind: Kind) -> Iterator[_Rectangle]:
    """List where a rectangle of the usual piece fits into paper in one direction of its long sides."""
    height, width = mask.shape
    to, size = _turn(width, height, angle)
    turned = np.asarray(cv2.warpAffine(mask, to, size, flags=cv2.INTER_NEAREST), np.uint8)
    wide, tall, ring = round(kind.width_px), round(kind.length_px), RING_PX
    if turned.shape[0] <= tall + 2 * ring or turned.shape[1] <= wide + 2 * ring:
        return
    total = cv2.integral(turned)
    inside = total[tall:, wide:] - total[:-tall, wide:] - total[tall:, :-wide] + total[:-tall, :-wide]
    rows, columns = np.nonzero(inside[ring:-ring, ring:-ring] >= (kind.fill - FILL_LESS) * wide * tall)
    inside = inside[rows + ring, columns + ring]
    below, right = rows + tall + 2 * ring, columns + wide + 2 * ring
    around = total[below, right] - total[rows, right] - total[below, columns] + total[rows, columns]
    seen = 1 - (around - inside) / ((wide + 2 * ring) * (tall + 2 * ring) - wide * tall)
    score = np.where(seen >= ON_CONTOUR, seen + inside / (wide * tall), 0)
    back = cv2.invertAffineTransform(to)
    while score.any():
        best = int(score.argmax())
        row, column = rows[best], columns[best]
        at = back @ (column + ring + (wide - 1) / 2, row + ring + (tall - 1) / 2, 1)
        yield _Rectangle(float(at[0]), float(at[1]), angle, float(score[best]))
        score[(np.abs(rows - row) < tall) & (np.abs(columns - column) < wide)] = 0


def _turn(width: int, height: int, angle: float) -> tuple[Doubles, tuple[int, int]]:
    """Return how to turn a direction of a picture upright, and the size that it needs then."""
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = np.array([(0, 0), (width, 0), (0, height), (width, height)]) @ turn.T
    low, high = corners.min(axis=0), corners.max(axis=0)
    return np.column_stack([turn, -low]), (int(high[0] - low[0]) + 1, int(high[1] - low[1]) + 1)


def _outside(columns: Indices, rows: Indices, one: _Rectangle, kind: Kind) -> Doubles:
    """Measure how far outside a rectangle points lie; negative inside."""
    x, y = columns - one.x, rows - one.y
    across, along = x * np.cos(one.angle) - y * np.sin(one.angle), x * np.sin(one.angle) + y * np.cos(one.angle)
    return np.maximum(np.abs(across) - kind.width_px / 2, np.abs(along) - kind.length_px / 2)


def _box(one: _Rectangle, kind: Kind, grown: float) -> cv2.typing.RotatedRect:
    """Return a rectangle as OpenCV has it."""
    return (one.x, one.y), (kind.width_px + 2 * grown, kind.length_px + 2 * grown), -float(np.degrees(one.angle))


def _in_rows(pieces: list[Piece]) -> list[Piece]:
    """Sort pieces as they are read: those whose middles lie no lower than half a piece below the highest are a row."""
    middles = [(piece.bbox[1] + piece.bbox[3] / 2, piece.bbox[0] + piece.bbox[2] / 2) for piece in pieces]
    half = float(np.median([piece.bbox[3] for piece in pieces] or [0])) / 2
    order = sorted(range(len(pieces)), key=lambda number: middles[number])
    rows: list[list[int]] = []
    for number in order:
        if not rows or middles[number][0] > middles[rows[-1][0]][0] + half:
            rows.append([])
        rows[-1].append(number)
    return [pieces[number] for row in rows for number in sorted(row, key=lambda number: middles[number][1])]
