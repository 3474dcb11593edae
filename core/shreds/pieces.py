"""The connected pieces of paper on a sheet."""

from dataclasses import dataclass

import cv2
import numpy as np

from core.arrays import Floats, Mask
from core.shreds.deskew import row_extents
from core.shreds.shred import Box

SPECK_PX = 5
"""Threads and bridges thinner than this do not hold paper together."""

LINE_PX = 15
"""Lines of a pattern under the shreds are thinner than this (1.3 mm)."""

SOLID_SHARE = 0.55
"""A shred fills at least this part of its convex hull."""

WHOLE_SHEET = 0.95
"""A piece that takes up this part of a sheet's breadth and height is no piece."""

THIN_PX = 9
"""Where black ink is looked for, what is thinner than this beside it is no paper."""

DUST_PX = 24
"""What is smaller than this in both directions (2 mm) is dust."""

INK_LENGTH_PX = 61
"""Ink reaches along a contour for no more than this (5 mm)."""

INK_DEPTH_PX = 5
"""On black, ink must reach this far into a shred to be told from worn places that show the background."""

INK_OUTLINE_PX = 7
"""On a pale background the rim of ink, as blurred as scans are, is thinner than this."""

STROKE_PX = 11
"""Strokes of ink are no thicker than this (0.9 mm)."""

INK_RIM_PX = 3
"""So far around it ink fades into the paper."""


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
    mask: Mask


def crop(mask: Mask, origin: tuple[int, int] = (0, 0)) -> Piece | None:
    """Crop a mask to what it contains.

    Parameters
    ----------
    mask : ndarray of shape (h, w), bool
        True on paper.
    origin : tuple of int
        x, y on the sheet at which the mask begins.

    Returns
    -------
    Piece or None
        None where the mask is empty.

    Examples
    --------
    >>> mask = np.zeros((5, 9), np.bool_)
    >>> mask[1:3, 4:8] = True
    >>> crop(mask, (100, 200)).bbox
    (104, 201, 4, 2)
    """
    x, y, width, height = cv2.boundingRect(mask.astype(np.uint8))
    if not width:
        return None
    return Piece((origin[0] + x, origin[1] + y, width, height), mask[y : y + height, x : x + width].copy())


def outline(mask: Mask, x: int = 0, y: int = 0) -> Floats:
    """Find the contour of a piece, to the pixel.

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


def find_pieces(paper: Mask, *, whole: bool = False) -> list[Piece]:
    """List the connected pieces of paper on a sheet, dust left out.

    Parameters
    ----------
    paper : ndarray of shape (h, w), bool
        True on paper.
    whole : bool
        What hangs together in a shape that no shred has is one piece all the same.

    Returns
    -------
    list of Piece
        In no particular order; touching shreds are one piece, a torn shred several.
    """
    return _connected(paper, SPECK_PX, whole)


def _connected(paper: Mask, bridge_px: int, whole: bool) -> list[Piece]:
    """List the connected pieces of paper; bridges as thin as `bridge_px` do not connect.

    What hangs together in a shape that no shred has is taken for pieces and the lines of a pattern they lie on, unless
    it is to stay whole.
    """
    opened = cv2.morphologyEx(paper.astype(np.uint8), cv2.MORPH_OPEN, np.ones((bridge_px, bridge_px), np.uint8))
    n, labels, boxes, _ = cv2.connectedComponentsWithStats(opened, connectivity=4)
    pieces = []
    for label in range(1, n):
        x, y, width, height, _ = boxes[label].tolist()
        if max(width, height) < DUST_PX:
            continue
        mask = labels[y : y + height, x : x + width] == label
        if not whole and min(width, height) > LINE_PX and np.count_nonzero(mask) < SOLID_SHARE * _hull_area(mask):
            for piece in _connected(mask, LINE_PX, whole=True):
                left, top, wide, tall = piece.bbox
                pieces.append(Piece((x + left, y + top, wide, tall), piece.mask))
        else:
            pieces.append(Piece((x, y, width, height), mask))
    return pieces


def _hull_area(mask: Mask) -> float:
    """Measure the area of a mask's convex hull."""
    rows, first, last = row_extents(mask)
    ends = np.concatenate([np.stack([first, rows], 1), np.stack([last, rows], 1)]).astype(np.int32)
    return float(cv2.contourArea(cv2.convexHull(ends)))


def fills(piece: Piece, shape: tuple[int, ...]) -> bool:
    """Check whether a piece fills its sheet from edge to edge; a strip that lies across a narrow picture hardly does.

    Parameters
    ----------
    piece : Piece
        On the sheet.
    shape : tuple of int
        Height and width of the sheet.

    Returns
    -------
    bool
    """
    (height, width), (_, _, wide, tall) = shape, piece.bbox
    reaches = wide > WHOLE_SHEET * width and tall > WHOLE_SHEET * height
    return reaches and _hull_area(piece.mask) > WHOLE_SHEET**2 * width * height


def close_strokes(paper: Mask) -> Mask:
    """Hold paper together that strokes of ink divide which a dark background looks like.

    Parameters
    ----------
    paper : ndarray of shape (h, w), bool
        True on white paper.

    Returns
    -------
    ndarray of shape (h, w), bool
        True on paper, and on all that lies between paper as near as strokes are thick.
    """
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (STROKE_PX, STROKE_PX))
    return np.asarray(cv2.morphologyEx(paper.astype(np.uint8), cv2.MORPH_CLOSE, brush) > 0)


def convex(mask: Mask) -> Mask:
    """Fill up what a mask lacks of being convex.

    Parameters
    ----------
    mask : ndarray of shape (h, w), bool
        True on paper.

    Returns
    -------
    ndarray of shape (h, w), bool
        True on its convex hull.
    """
    filled = np.zeros(mask.shape, np.uint8)
    points = cv2.findNonZero(mask.astype(np.uint8))
    if points is not None:
        cv2.fillConvexPoly(filled, cv2.convexHull(points), 1)
    return filled > 0


def without_holes(mask: Mask) -> Mask:
    """Close what is enclosed by paper: coloured stamps, punched holes, black ink on a black background.

    Parameters
    ----------
    mask : ndarray of shape (h, w), bool
        True on paper.

    Returns
    -------
    ndarray of shape (h, w), bool
        True on paper and on what it encloses.
    """
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros(mask.shape, np.uint8)
    cv2.drawContours(filled, contours, -1, 1, thickness=cv2.FILLED)
    return filled > 0


def bridge_ink(paper: Mask, covered: Floats, ink_coverage: float) -> Mask:
    """Add to the paper the ink that a grey or black background looks like.

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
    # Lines of a pattern beside the paper are no paper beyond the ink.
    solid = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((THIN_PX, THIN_PX), np.uint8))
    closed = cv2.morphologyEx(solid, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_RECT, along))
    between = (closed > 0) & ~paper
    core = (between & (covered > ink_coverage)).astype(np.uint8)
    ink = cv2.morphologyEx(core, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_RECT, across))
    rim = np.ones((2 * INK_RIM_PX + 1, 2 * INK_RIM_PX + 1), np.uint8)
    return paper | (between & (cv2.dilate(ink, rim) > 0))


def join_over_ink(paper: Mask, covered: Floats, ink_coverage: float) -> Mask:
    """Add to the paper the ink on it, where the background is pale.

    There ink is far darker than both; only at its rim it looks like the background, along a line too thin for one.

    Parameters
    ----------
    paper : ndarray of shape (h, w), bool
        True on white paper.
    covered : ndarray of shape (h, w), float32
        1 on background, 0 where nothing is to be joined, less where it is lighter than paper: beside sharpened ink.
    ink_coverage : float
        Ink is darker than this, on the scale of `covered`.

    Returns
    -------
    ndarray of shape (h, w), bool
        True on paper and on ink.
    """
    background = (~paper & (covered < ink_coverage) & (covered > 0)).astype(np.uint8)
    brush = np.ones((INK_OUTLINE_PX, INK_OUTLINE_PX), np.uint8)
    bare = np.asarray(cv2.morphologyEx(background, cv2.MORPH_OPEN, brush) > 0)
    return paper | ((covered != 0) & ~bare)
