"""Photographs laid flat: the support, a rectangle that the camera saw askew, becomes one again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np

from core.arrays import Doubles, Pixels
from core.sheets.formats.picture import USUAL_FOCAL_35MM, Picture
from core.sheets.kind import is_elongated
from core.sheets.resolution import is_believable
from core.sheets.support import find_corners, rectangle_seen

Corners: TypeAlias = tuple[tuple[float, float], ...]
"""Four points (x, y) in pixels of the picture as it is seen upright, clockwise from the top left one."""

_DIAGONAL_35_MM = 43.27
_PAPERS_IN = ((8.27, 11.69), (8.5, 11.0))  # A4, and for its shape all of the series, and Letter
_ASPECT_TOLERANCE = 0.04  # seen from far off straight above, or on part of a photograph, shapes are that unsure
_ASKEW_DEG = 2.5
_INSIDE_SHARE = 0.005
_LEAST_PX = 1000


@dataclass(frozen=True, eq=False)
class Flat:
    """A photograph that was laid flat.

    Attributes
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB, the support without its very edge.
    matrix : ndarray of shape (3, 3), float64
        Homography from pixels of the photograph to those of the flat one.
    corners_px : Corners
        What of the photograph became a rectangle.
    dpi : float or None
        Resolution, if the support has the shape of paper: were it A4, or Letter; None for any other shape.
    """

    pixels: Pixels
    matrix: Doubles
    corners_px: Corners
    dpi: float | None

    @property
    def note(self) -> str:
        """What is to be said of it, as in `Picture.notes`."""
        where = ", ".join(f"({x:.0f}, {y:.0f})" for x, y in self.corners_px)
        return (
            f"is a photograph: it was laid flat by the corners of what the shreds lie on, {where} in pixels; what lies "
            "beside that was left out, the rest was read all the same."
        )


def _may_be_photograph(picture: Picture) -> bool:
    """Check whether a picture is a photograph, or may be one that has lost what the camera wrote about itself.

    What a scanner wrote its resolution into is none, nor is what was cut out, or is long or small.
    """
    size = picture.pixels.shape[1::-1]
    if picture.alpha is not None or is_elongated(size) or max(size) < _LEAST_PX:
        return False
    return picture.focal_35mm is not None or picture.dpi is None or not is_believable(*picture.dpi)


def lay_flat(picture: Picture, corners_px: Sequence[tuple[float, float]] | None = None) -> Flat | None:
    """Lay a photograph flat by the corners of the support that is seen whole on it.

    A homography takes these corners to those of a rectangle, as large as the support is on the photograph. Its shape
    follows from the angle of view; one that is nearly that of paper is taken for it. A lens that bends straight lines
    is not set right.

    Parameters
    ----------
    picture : Picture
        Any, as decoded.
    corners_px : sequence of four points, optional
        Known from before; they are looked for if absent.

    Returns
    -------
    Flat or None
        None for scans, where no support is found, and where nothing but a support that is no rectangle would tell a
        photograph, and it is one.
    """
    if not _may_be_photograph(picture):
        return None
    pixels = picture.pixels
    pixels = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_GRAY2RGB), np.uint8) if pixels.ndim == 2 else pixels
    focal = focal_px(picture)
    if corners_px is None:
        found = find_corners(pixels, focal, faint=picture.focal_35mm is not None)
        if found is None or (picture.focal_35mm is None and _askew_deg(found) < _ASKEW_DEG):
            return None
        corners_px = [(round(float(x), 2), round(float(y), 2)) for x, y in found]
    corners = np.array(corners_px, np.float64)
    aspect, _ = rectangle_seen(corners, pixels.shape[:2], focal)
    aspect, long_in = _as_paper(aspect)
    area = float(cv2.contourArea(corners.astype(np.float32)))
    width, height = np.sqrt(area / aspect), np.sqrt(area * aspect)
    edge = _INSIDE_SHARE * min(width, height)
    rectangle = np.array([(0, 0), (width, 0), (width, height), (0, height)]) - edge
    size = round(width - 2 * edge), round(height - 2 * edge)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), rectangle.astype(np.float32))
    flat = cv2.warpPerspective(pixels, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    dpi = None if long_in is None else float(round(max(width, height) / long_in))
    return Flat(np.asarray(flat, np.uint8), np.asarray(matrix), tuple((float(x), float(y)) for x, y in corners_px), dpi)


def focal_px(picture: Picture) -> float:
    """Compute the focal length of the camera in pixels: how far it would be from the picture to see it as it is.

    Parameters
    ----------
    picture : Picture
        A photograph; the usual lens is assumed where nothing is known.

    Returns
    -------
    float
    """
    diagonal = float(np.hypot(*picture.pixels.shape[:2]))
    return (picture.focal_35mm or USUAL_FOCAL_35MM) / _DIAGONAL_35_MM * diagonal


def corners_by_tilt(size_px: tuple[int, int], focal: float, tilt: Sequence[float]) -> Corners:
    """Find what of a photograph becomes a rectangle when its camera is turned to look straight down.

    Parameters
    ----------
    size_px : tuple of int
        Width and height of the photograph.
    focal : float
        Of its camera, in the same pixels.
    tilt : sequence of two floats
        By how much the distance grows along x and y, see `core.shreds.deskew.camera_tilt`.

    Returns
    -------
    Corners
        Of a rectangle of the shape of A4 around all that is seen; they may lie outside of the photograph.
    """
    middle = np.array([[1, 0, size_px[0] / 2], [0, 1, size_px[1] / 2], [0, 0, 1.0]])
    camera = middle @ np.diag([focal, focal, 1.0])
    normal = np.array([-tilt[0], -tilt[1], 1.0]) / np.linalg.norm([*tilt, 1.0])
    axis = np.cross(normal, (0, 0, 1.0))
    sine = float(np.linalg.norm(axis))
    turn = cv2.Rodrigues(axis / max(sine, 1e-12) * np.arcsin(sine))[0]
    matrix = camera @ turn @ np.linalg.inv(camera)
    width, height = size_px
    seen = cv2.perspectiveTransform(np.array([[(0, 0), (width, 0), (width, height), (0, height)]], np.float64), matrix)[
        0
    ]
    spread, centre = np.ptp(seen, axis=0), (seen.min(axis=0) + seen.max(axis=0)) / 2
    short, long = _PAPERS_IN[0]
    shape = np.array((short, long) if height >= width else (long, short))
    half = shape * (spread / shape).max() / 2
    around = centre + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    corners = cv2.perspectiveTransform(around[None], np.linalg.inv(matrix))[0]
    return tuple((round(float(x), 2), round(float(y), 2)) for x, y in corners)


def _as_paper(aspect: float) -> tuple[float, float | None]:
    """Take a shape, height by width, that is nearly that of paper for it; and say how long that paper is in inches."""
    shapes = [(one, long) for short, long in _PAPERS_IN for one in (long / short, short / long)]
    paper, long_in = min(shapes, key=lambda shape: abs(aspect / shape[0] - 1))
    return (paper, long_in) if abs(aspect / paper - 1) <= _ASPECT_TOLERANCE else (aspect, None)


def _askew_deg(corners: Doubles) -> float:
    """Compute by how much the corner that is farthest from a right one differs from it."""
    to_next, to_last = np.roll(corners, -1, axis=0) - corners, np.roll(corners, 1, axis=0) - corners
    cosines = (to_next * to_last).sum(axis=1) / np.linalg.norm(to_next, axis=1) / np.linalg.norm(to_last, axis=1)
    return float(np.degrees(np.abs(np.arcsin(np.clip(cosines, -1, 1))).max()))
