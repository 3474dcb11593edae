"""The regions of a sheet as the examiner mends them: split, merged, drawn, put in and taken out."""

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from core.arrays import Doubles, Floats, Mask
from core.sheets.mends import (
    DrawOutline,
    Mend,
    Mends,
    MergeShreds,
    NotPaper,
    Point,
    Polygon,
    SplitShred,
    ThisIsAShred,
    crosses_itself,
)
from core.shreds.pieces import Piece, crop, outline
from core.shreds.regions.cut_out import Region
from core.shreds.shred import Crumb, Shred
from core.shreds.touching import TEAR_PX, together
from core.units import PX_PER_MM, px_to_mm

NEAR_PX = 8.0
"""What lies no further from a point than this is meant by it: outlines are drawn to the pixel, pointed at with less."""

LEAST_MM2 = 4.0
"""Of a shred that is split each side keeps at least so much paper; less is dust."""

Cut = Callable[..., Region]
"""Cuts a piece out, see `core.shreds.regions.cut_out.Cutter.cut`."""


class RefusedError(ValueError):
    """A sentence that says why a mend cannot be made."""


def mended(
    regions: Sequence[Region], mends: Mends, shape: tuple[int, ...], cut: Cut
) -> tuple[list[Region], tuple[str, ...]]:
    """Make mends one after the other.

    Parameters
    ----------
    regions : sequence of Region
        What was found on a sheet.
    mends : tuple of Mend
        Those about the sheet as a whole are passed over.
    shape : tuple of int
        Height and width of the sheet.
    cut : callable
        Cuts new regions out.

    Returns
    -------
    regions : list of Region
        Those that no mend is about are the same objects; new ones stand behind them.
    refused : tuple of str
        A sentence for each mend that could not be made.
    """
    refused = []
    left = list(regions)
    for mend in mends:
        try:
            left = _mended(left, mend, shape, cut)
        except RefusedError as error:
            refused.append(str(error))
    return left, tuple(refused)


def preview(
    found: Sequence[Shred | Crumb], mends: Mends, shape: tuple[int, ...]
) -> tuple[list[tuple[Shred | Crumb | None, Floats]], tuple[str, ...]]:
    """Make mends on outlines alone, to show what would come of them.

    Parameters
    ----------
    found : sequence of Shred or Crumb
        What was found on a sheet.
    mends : tuple of Mend
        To be made.
    shape : tuple of int
        Height and width of the sheet.

    Returns
    -------
    shown : list of (Shred, Crumb or None, ndarray of shape (k, 2), float32)
        What there would be, with its outline; None for what is new.
    refused : tuple of str
        As of `mended`.
    """
    regions = []
    for one in found:
        piece = drawn_piece(tuple(map(tuple, one.outline.tolist())), shape)
        regions += [] if piece is None else [Region(piece, one)]
    left, refused = mended(regions, mends, shape, lambda piece, **_: Region(piece, None))
    return [
        (one.cut, outline(one.piece.mask, *one.piece.bbox[:2]) if one.cut is None else one.cut.outline) for one in left
    ], refused


def drawn_piece(corners: Polygon, shape: tuple[int, ...]) -> Piece | None:
    """Return what lies within an outline, as far as that is on the sheet.

    Parameters
    ----------
    corners : tuple of (x, y)
        Of the outline.
    shape : tuple of int
        Height and width of the sheet.

    Returns
    -------
    Piece or None
        None if there is nothing.
    """
    rounded = np.round(np.array(corners, np.float64).reshape(-1, 2)).astype(np.int32)
    low = np.clip(rounded.min(axis=0), 0, (shape[1], shape[0]))
    high = np.clip(rounded.max(axis=0) + 1, 0, (shape[1], shape[0]))
    if (high <= low).any():
        return None
    inside = np.zeros((high - low)[::-1], np.uint8)
    cv2.fillPoly(inside, [rounded - low.astype(np.int32)], 1)
    return crop(inside > 0, (int(low[0]), int(low[1])))


def _mended(regions: list[Region], mend: Mend, shape: tuple[int, ...], cut: Cut) -> list[Region]:
    match mend:
        case SplitShred(line):
            return _split(regions, line, cut)
        case MergeShreds(points):
            return _merged(regions, points, cut)
        case DrawOutline(at, corners):
            before = _at(regions, at)
            return _drawn([one for one in regions if one is not before], corners, shape, cut, before)
        case NotPaper(at):
            gone = _at(regions, at)
            return [one for one in regions if one is not gone]
        case ThisIsAShred(corners):
            return _drawn(regions, corners, shape, cut)
    return regions


def _at(regions: Sequence[Region], point: Point) -> Region:
    """Find the region that is meant by a point: the one on which it lies, or the nearest."""
    found = min(regions, key=lambda region: _distance(region.piece, point), default=None)
    if found is None or _distance(found.piece, point) > NEAR_PX:
        raise RefusedError(f"There is no shred at {_place(point)}.")
    return found


def _distance(piece: Piece, point: Point) -> float:
    """Measure how far a point lies from a piece's paper, as far as that matters."""
    x, y, width, height = piece.bbox
    column, row = point[0] - x, point[1] - y
    if not (-NEAR_PX <= column < width + NEAR_PX and -NEAR_PX <= row < height + NEAR_PX):
        return np.inf
    left, top = max(0, int(column - NEAR_PX)), max(0, int(row - NEAR_PX))
    rows, columns = np.nonzero(piece.mask[top : int(row + NEAR_PX) + 2, left : int(column + NEAR_PX) + 2])
    apart = np.hypot(columns + left - np.floor(column), rows + top - np.floor(row))
    return float(apart.min(initial=np.inf))


def _split(regions: list[Region], line: Polygon, cut: Cut) -> list[Region]:
    """Cut apart what lies under a line for the longest way."""
    line = tuple(point for at, point in enumerate(line) if at == 0 or point != line[at - 1])
    if len(line) < 2:
        raise RefusedError("A line has two points at least.")
    under = [sum(_length_under(region.piece, part) for part in pairwise(line)) for region in regions]
    if not any(under):
        raise RefusedError("The line crosses no shred. Draw it through the one that is to be split.")
    split = regions[int(np.argmax(under))]
    (x, y), beyond = split.piece.bbox[:2], _beyond(split.piece, line)
    parts = [crop(split.piece.mask & (beyond == side), (x, y)) for side in (False, True)]
    whole = [part for part in parts if part is not None and part.mask.sum() >= LEAST_MM2 * PX_PER_MM**2]
    if len(whole) < 2:
        raise RefusedError("The line leaves nothing of the shred on one side. Draw it through the shred.")
    return [*(one for one in regions if one is not split), *map(cut, whole)]


def _beyond(piece: Piece, line: Polygon) -> Mask:
    """Find what of a piece's rectangle lies on one side of a line that goes on and on at either end."""
    (x, y, width, height), (ax, ay), (bx, by) = piece.bbox, line[0], line[1]
    if len(line) == 2:
        rows, columns = np.ogrid[:height, :width]
        return np.asarray((bx - ax) * (rows + y - ay) - (by - ay) * (columns + x - ax) > 0)
    points = np.array(line, np.float64) - (x, y)
    low, high = np.minimum(points.min(axis=0), 0), np.maximum(points.max(axis=0), (width, height))
    middle, far = (low + high) / 2, 2.0 * float(np.hypot(*(high - low)))
    start, end = (_gone_on(points[at], points[at] - points[of], middle, far) for at, of in ((0, 1), (-1, -2)))
    angles = [np.arctan2(*(point - middle)[::-1]) for point in (end, start)]
    round_ = np.linspace(angles[0], angles[1] + 2 * np.pi * (angles[1] <= angles[0]), 18)[1:-1]
    circle = middle + far * np.column_stack([np.cos(round_), np.sin(round_)])
    side = np.concatenate([[start], points, [end], circle])
    if crosses_itself(tuple(map(tuple, side.tolist()))):
        raise RefusedError("The line crosses itself, or would if its ends went on. Draw it with fewer bends.")
    beyond = np.zeros((height, width), np.uint8)
    cv2.fillPoly(beyond, [np.round(side).astype(np.int32)], 1)
    return beyond > 0


def _gone_on(point: Doubles, along: Doubles, middle: Doubles, far: float) -> Doubles:
    """Return where a line that goes on from a point, which lies within a circle, leaves it."""
    along = along / max(float(np.hypot(*along)), 1e-9)
    off = point - middle
    ahead = float(off @ along)
    return np.asarray(point + along * (np.sqrt(ahead**2 + far**2 - float(off @ off)) - ahead))


def _length_under(piece: Piece, line: tuple[Point, Point]) -> int:
    """Measure how long a line runs over a piece, in pixels."""
    (ax, ay), (bx, by) = line
    n = int(np.hypot(bx - ax, by - ay)) + 2
    columns = np.linspace(ax, bx, n).astype(int) - piece.bbox[0]
    rows = np.linspace(ay, by, n).astype(int) - piece.bbox[1]
    there = (columns >= 0) & (rows >= 0) & (columns < piece.bbox[2]) & (rows < piece.bbox[3])
    return int(piece.mask[rows[there], columns[there]].sum())


def _merged(regions: list[Region], points: Polygon, cut: Cut) -> list[Region]:
    """Put together what lies at some points; the largest gives its number."""
    chosen = list({id(region): region for region in (_at(regions, point) for point in points)}.values())
    if len(chosen) < 2:
        raise RefusedError("One shred alone cannot be merged. Choose two, or more, that are one.")
    outlines = [_contour(region.piece) for region in chosen]
    reached = {0}
    while (
        near := {i for i in range(len(chosen)) if any(_gap(outlines[i], outlines[j]) <= TEAR_PX for j in reached)}
        - reached
    ):
        reached |= near
    if len(reached) < len(chosen):
        raise RefusedError(
            f"The shreds lie more than {px_to_mm(TEAR_PX):.0f} mm apart: parts of one shred lie nearer. "
            "Put them side by side on a page, or scan them again."
        )
    largest = max(chosen, key=lambda region: int(region.piece.mask.sum()))
    piece = reduce(together, (region.piece for region in chosen))
    return [*(one for one in regions if all(one is not other for other in chosen)), cut(piece, like=largest)]


def _contour(piece: Piece) -> NDArray[np.int32]:
    """List the points at which a piece ends, (k, 2)."""
    contours, _ = cv2.findContours(piece.mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.concatenate(contours)[::4, 0] + piece.bbox[:2]


def _gap(one: NDArray[np.int32], other: NDArray[np.int32]) -> float:
    """Measure how far two contours lie apart."""
    return min(float(np.hypot(*(one - point).T).min()) for point in other[::4])


def _drawn(
    regions: list[Region], corners: Polygon, shape: tuple[int, ...], cut: Cut, before: Region | None = None
) -> list[Region]:
    """Put in a shred of which the outline was drawn; what lies within it belongs to no other any more."""
    if len(corners) < 3:
        raise RefusedError("An outline has three corners at least.")
    if crosses_itself(corners):
        raise RefusedError("The outline crosses itself. Draw it around the shred, corner by corner.")
    piece = drawn_piece(corners, shape)
    new = None if piece is None else cut(piece, drawn=True, like=before)
    if piece is None or new is None or isinstance(new.cut, Crumb):
        raise RefusedError("What was drawn is too small for a shred.")
    left = []
    for region in regions:
        rest = _without(region.piece, piece)
        if rest is region.piece:
            left.append(region)
        elif rest is not None and rest.mask.sum() >= LEAST_MM2 * PX_PER_MM**2:
            left.append(cut(rest, like=region))
    return [*left, new]


def _without(piece: Piece, taken: Piece) -> Piece | None:
    """Return what is left of a piece without another; the same object where they share nothing."""
    (x, y, width, height), (left, top, wide, tall) = piece.bbox, taken.bbox
    x0, y0, x1, y1 = max(x, left), max(y, top), min(x + width, left + wide), min(y + height, top + tall)
    if x0 >= x1 or y0 >= y1:
        return piece
    mask = piece.mask.copy()
    mask[y0 - y : y1 - y, x0 - x : x1 - x] &= ~taken.mask[y0 - top : y1 - top, x0 - left : x1 - left]
    return piece if (mask == piece.mask).all() else crop(mask, (x, y))


def _place(point: Point) -> str:
    return f"{point[0]:.0f}, {point[1]:.0f} px"
