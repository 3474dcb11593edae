"""What a picture shows: a sheet on which shreds lie, or a single shred, with or without something around it."""

from typing import Literal, TypeAlias

import cv2
import numpy as np

from core.arrays import Pixels
from core.sheets.resolution import ELONGATED

CutOut: TypeAlias = Literal["shred", "shreds", "sheet"]

_GLANCE_PX = 500
_PART_SHARE = 0.02
_SHEET_SHARE = 0.85
_EDGE_PX = 2
_RIM_PX = 9
_SAME_COLOUR = 40
_UNIFORM_SHARE = 0.85
_PAPER_SHARE = 0.3
_COLOURFUL = 60
_COLOURED_EDGE_SHARE, _COLOURED_INSIDE_SHARE = 0.12, 0.03
_SUPPORTS = np.array([(0, 90, 200), (250, 200, 60)])


def is_elongated(size_px: tuple[int, int]) -> bool:
    """Check whether a picture is so much longer than wide, or wider than long, that no scanner's bed is like it.

    Parameters
    ----------
    size_px : tuple of int
        Width and height.

    Returns
    -------
    bool
    """
    return max(size_px) >= ELONGATED * min(size_px)


def cut_out(alpha: Pixels) -> CutOut:
    """Find what opacity leaves of a picture.

    Parameters
    ----------
    alpha : ndarray of shape (h, w), uint8
        Opacity, some of it over 127.

    Returns
    -------
    {"shred", "shreds", "sheet"}
        One piece that is long, or that has nothing of a sheet's rectangle; several pieces; or all of a sheet but for
        its corners, or for holes.

    Examples
    --------
    >>> alpha = np.zeros((900, 500), np.uint8)
    >>> alpha[50:850, 60:140] = 255
    >>> cut_out(alpha)
    'shred'
    >>> alpha[50:850, 260:340] = 255
    >>> cut_out(alpha)
    'shreds'
    """
    opaque = _reduced((alpha > 127).astype(np.uint8))
    _, labels, boxes, _ = cv2.connectedComponentsWithStats(opaque, connectivity=8)
    areas = boxes[1:, cv2.CC_STAT_AREA]
    large = 1 + np.flatnonzero(areas >= _PART_SHARE * areas.max())
    if len(large) > 1:
        return "shreds"
    outline = cv2.findNonZero((labels == large[0]).astype(np.uint8))
    sides = sorted(cv2.minAreaRect(outline)[1])
    if sides[1] + 1 >= ELONGATED * (sides[0] + 1):
        return "shred"
    return "sheet" if areas.max() >= _SHEET_SHARE * opaque.size else "shred"


def on_support(pixels: Pixels, alpha: Pixels) -> Pixels:
    """Lay what opacity leaves of a picture on a support, so that its paper can be told from nothing.

    Shreds that were cut out get a colour unlike theirs, a sheet that lacks its corners the colour beside these.

    Parameters
    ----------
    pixels : ndarray of shape (h, w) or (h, w, 3), uint8
        Grey or RGB.
    alpha : ndarray of shape (h, w), uint8
        Opacity.

    Returns
    -------
    ndarray of shape (h, w, 3), uint8
        A new array.
    """
    coloured = cv2.cvtColor(pixels, cv2.COLOR_GRAY2RGB) if pixels.ndim == 2 else pixels
    opaque = alpha > 127
    if cut_out(alpha) == "sheet":
        rim = opaque & (cv2.erode(opaque.astype(np.uint8), np.ones((_RIM_PX, _RIM_PX), np.uint8)) == 0)
        support = np.median(coloured[rim if rim.any() else opaque], axis=0)
    else:
        paper = np.median(coloured[opaque], axis=0)
        support = _SUPPORTS[np.abs(_SUPPORTS - paper).sum(axis=1).argmax()]
    return np.where(opaque[..., np.newaxis], coloured, support.astype(np.uint8))


def is_paper_all_over(pixels: Pixels) -> bool:
    """Check that a long picture shows a shred from edge to edge, and not one that lies on something.

    What a shred lies on shows along both long sides in one colour, with something else between them; or, where a
    slanting shred was cut out of a scan, in some corners in a colour that is not on the shred.

    Parameters
    ----------
    pixels : ndarray of shape (h, w) or (h, w, 3), uint8
        Grey or RGB.

    Returns
    -------
    bool

    Examples
    --------
    >>> shred = np.full((800, 80, 3), 250, np.uint8)
    >>> is_paper_all_over(shred)
    True
    >>> shred[:, :8] = shred[:, -8:] = 250, 200, 60
    >>> is_paper_all_over(shred)
    False
    """
    upright = pixels if pixels.shape[0] >= pixels.shape[1] else pixels.swapaxes(0, 1)
    glance = _reduced(np.ascontiguousarray(upright)).astype(np.int16)
    glance = np.repeat(glance[..., np.newaxis], 3, axis=2) if glance.ndim == 2 else glance
    edge = max(1, min(_EDGE_PX, glance.shape[1] // 8))
    sides = glance[:, :edge], glance[:, -edge:]
    inside = glance[:, edge:-edge] if glance.shape[1] > 2 * edge else glance
    return not (_is_framed(sides, inside) or _has_coloured_corners(sides, inside))


def _is_framed(sides: tuple[np.ndarray, np.ndarray], inside: np.ndarray) -> bool:
    """Check for one colour along both sides and much of another between them."""
    colours = [np.median(side.reshape(-1, 3), axis=0) for side in sides]
    if _distance(*colours) > _SAME_COLOUR:
        return False
    uniform = min((_distance(side, colours[0]) <= _SAME_COLOUR).mean() for side in sides)
    return bool(uniform >= _UNIFORM_SHARE and (_distance(inside, colours[0]) > _SAME_COLOUR).mean() >= _PAPER_SHARE)


def _has_coloured_corners(sides: tuple[np.ndarray, np.ndarray], inside: np.ndarray) -> bool:
    """Check for a strong colour that is frequent along the sides and hardly occurs in the middle."""
    edges = np.concatenate([side.reshape(-1, 3) for side in sides])
    colourful = edges[np.ptp(edges, axis=1) > _COLOURFUL]
    if len(colourful) < _COLOURED_EDGE_SHARE * len(edges):
        return False
    colour = np.median(colourful, axis=0)
    third = inside.shape[1] // 3
    middle = inside[:, third : inside.shape[1] - third]
    of_it = (_distance(edges, colour) <= _SAME_COLOUR).mean(), (_distance(middle, colour) <= _SAME_COLOUR).mean()
    return bool(of_it[0] >= _COLOURED_EDGE_SHARE and of_it[1] <= _COLOURED_INSIDE_SHARE)


def _distance(pixels: np.ndarray, colour: np.ndarray) -> np.ndarray:
    """Compute by how much the channel that differs most differs from a colour."""
    return np.asarray(np.abs(pixels - colour).max(axis=-1))


def _reduced(image: Pixels) -> Pixels:
    """Reduce to what a glance takes in; a long picture keeps its width longer than its length."""
    height, width = image.shape[:2]
    shorter = min(height, width, 64)
    scale_y, scale_x = max(1, height / _GLANCE_PX), max(1, width / _GLANCE_PX)
    size = max(shorter, round(width / scale_x)), max(shorter, round(height / scale_y))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
