"""How a shred lies on its sheet, and its pixels turned upright."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from scipy.optimize import least_squares

from core.arrays import Doubles, Floats, Indices, Mask, Pixels

NO_TURN_DEG = 0.03
"""Shreds turned by less are cut out as they are: resampling would only blur them."""

WHOLE_BREADTH = 0.7
"""Where a shred has less than this part of its usual breadth, it is torn."""

MIN_STRIPS, LONG_ROWS = 3, 500
"""So many strips of so many rows at least tell how a camera saw them."""

BREADTH_VARIES, LENGTH_VARIES, TAPER_VARIES, LEANING_VARIES = 0.06, 0.02, 0.05, 0.012
"""By so much strips of one page differ in breadth, length, in how much narrower one end is, and in how they are laid
(rad)."""

USUAL_TILT, MOST_TILT = 0.15, 0.6
"""Telephones held over a table are tilted by so much, and by so much at most (rad)."""

MIN_ROWS = 16
"""Shorter pieces have no direction that their contours could tell."""

CORNER_SHARE, STRAIGHT_PX = 0.12, 1.5
"""Of a cut so much at either end may be a worn corner; what lies farther off the line is torn."""


@dataclass(frozen=True, eq=False)
class Upright:
    """The map between a sheet and the upright frame of one shred.

    Attributes
    ----------
    matrix : ndarray of shape (2, 3), float64
        Takes (x, y, 1) of the image the shred lies in to (column, row) of the upright shred.
    size_px : tuple of int
        Width and height of the upright shred.
    angle_deg : float
        By how much the shred lay turned, counter-clockwise positive as the eye sees it.
    top_px : int
        The image's row in which row 0 would lie, had the image been turned about the shred's centre.
    """

    matrix: Doubles
    size_px: tuple[int, int]
    angle_deg: float
    top_px: int

    def cut_out(self, image: Pixels) -> Pixels:
        """Cut the shred's upright rectangle out of an image; the image's rim is continued outside.

        Parameters
        ----------
        image : ndarray of shape (h, w) or (h, w, 3), uint8
            The image the shred lies in.

        Returns
        -------
        ndarray of shape (rows, columns) or (rows, columns, 3), uint8
            Of the size `size_px`; resampled (bicubic) if the shred lay turned.
        """
        if self.angle_deg == 0:
            return self._rectangle(image)
        flags, mode = cv2.INTER_CUBIC, cv2.BORDER_REPLICATE
        return np.asarray(cv2.warpAffine(image, self.matrix, self.size_px, flags=flags, borderMode=mode), np.uint8)

    def cut_out_mask(self, mask: Mask) -> Mask:
        """Cut the shred's upright rectangle out of a mask; False outside.

        Parameters
        ----------
        mask : ndarray of shape (h, w), bool
            A mask of the image the shred lies in.

        Returns
        -------
        ndarray of shape (rows, columns), bool
            Of the size `size_px`.
        """
        whole = np.multiply(mask, 255, dtype=np.uint8)
        if self.angle_deg == 0:
            return self._rectangle(whole) > 0
        turned = cv2.warpAffine(whole, self.matrix, self.size_px, flags=cv2.INTER_LINEAR)
        return np.asarray(turned >= 128)

    def _rectangle(self, image: Pixels) -> Pixels:
        """Cut the rectangle out of an image that need not be turned."""
        width, height = self.size_px
        left, top = (-self.matrix[:, 2]).astype(int)
        return image[top : top + height, left : left + width].copy()

    def back(self, points: Floats) -> Floats:
        """Map points of the upright shred back to the image.

        Parameters
        ----------
        points : ndarray of shape (k, 2), float32
            (column, row) on the upright shred.

        Returns
        -------
        ndarray of shape (k, 2), float32
            (x, y) on the image.
        """
        return np.asarray(cv2.transform(points[None], cv2.invertAffineTransform(self.matrix))[0], np.float32)

    def within(self, x: int, y: int) -> "Upright":
        """Return the same map for a larger image, of which the present one is a part.

        Parameters
        ----------
        x, y : int
            Column and row of the larger image at which the present one begins.

        Returns
        -------
        Upright
            The map from the larger image.
        """
        matrix = self.matrix.copy()
        matrix[:, 2] -= matrix[:, :2] @ (x, y)
        return replace(self, matrix=matrix, top_px=self.top_px + y)


def row_extents(mask: Mask) -> tuple[Indices, Indices, Indices]:
    """Find where the paper begins and ends in every row.

    Parameters
    ----------
    mask : ndarray of shape (h, w), bool
        True on paper.

    Returns
    -------
    rows, first, last : ndarray of shape (k,), intp
        The rows that have paper, and their first and last columns with paper.
    """
    if not mask.size:
        nothing = np.zeros(0, np.intp)
        return nothing, nothing, nothing
    mask = np.ascontiguousarray(mask)
    first = mask.argmax(axis=1)
    rows = np.flatnonzero(mask[np.arange(len(mask)), first])
    backwards = cv2.flip(mask.view(np.uint8), 1).view(np.bool_)  # numpy takes thrice as long
    return rows, first[rows], mask.shape[1] - 1 - backwards.argmax(axis=1)[rows]


def long_axis_deg(mask: Mask) -> float:
    """Measure by how much a shred is turned against the vertical.

    The principal axis is the first guess. Then a line of least squares is laid through the middle between the two
    contours, without the ends, which may slant, and without the rows where a part of the breadth is torn off.

    Parameters
    ----------
    mask : ndarray of shape (h, w), bool
        True on paper; not empty.

    Returns
    -------
    float
        Degrees in (-90, 90], counter-clockwise positive as the eye sees it.

    Examples
    --------
    >>> rows, columns = np.mgrid[:300, :80]
    >>> strip = abs(columns - 20 - rows * np.tan(np.radians(5))) < 10
    >>> round(long_axis_deg(strip), 1)
    5.0
    """
    angle, ends = _principal_axis_deg(mask), _ends(mask)
    for _ in range(2):
        rows, first, last = row_extents(_rotation(ends, angle).cut_out_mask(mask))
        end = len(rows) // 20
        rows, first, last = (values[end : len(values) - end] for values in (rows, first, last))
        breadth = last - first
        whole = breadth >= WHOLE_BREADTH * np.median(breadth)
        if whole.sum() < MIN_ROWS:
            break
        slope = np.polyfit(rows[whole], (first + last)[whole] / 2, 1)[0]
        angle += float(np.degrees(np.arctan(slope)))
    return (angle + 90) % 180 - 90 if abs(angle) > 90 else angle


def _principal_axis_deg(mask: Mask) -> float:
    """Compute the direction in which the mask's pixels spread most, against the vertical."""
    moments = cv2.moments(mask.astype(np.uint8), binaryImage=True)
    return float(0.5 * np.degrees(np.arctan2(2 * moments["mu11"], moments["mu02"] - moments["mu20"])))


def _ends(mask: Mask) -> Indices:
    """List where the paper begins and ends in every row, as (x, y), (k, 2)."""
    rows, first, last = row_extents(mask)
    return np.concatenate([np.stack([first, rows], 1), np.stack([last, rows], 1)])


def _rotation(points: Indices, angle_deg: float) -> Upright:
    """Turn a mask about its centre so that an axis at `angle_deg` becomes vertical, and frame what is then there."""
    centre = (points.min(axis=0) + points.max(axis=0)) / 2
    if abs(angle_deg) < NO_TURN_DEG:
        angle_deg = 0.0
        matrix = np.array([[1.0, 0, 0], [0, 1, 0]])
    else:
        matrix = cv2.getRotationMatrix2D((float(centre[0]), float(centre[1])), -angle_deg, 1.0)
    turned = points @ matrix[:, :2].T + matrix[:, 2]
    low, high = np.floor(turned.min(axis=0)), np.ceil(turned.max(axis=0))
    matrix[:, 2] -= low
    width, height = (high - low + 1).astype(int)
    return Upright(matrix, (int(width), int(height)), angle_deg, int(low[1]))


def find_upright(mask: Mask) -> Upright:
    """Find how to turn a shred upright.

    Parameters
    ----------
    mask : ndarray of shape (h, w), bool
        True on the shred's paper; not empty.

    Returns
    -------
    Upright
        The map to the shred's upright rectangle.
    """
    return _rotation(_ends(mask), long_axis_deg(mask))


def find_upright_by_cuts(mask: Mask) -> Upright:
    """Find how to turn a piece upright that was cut on all four sides, so that its longer cuts are vertical.

    Where the cuts are straight they tell its direction, each the more surely the longer it is.

    Parameters
    ----------
    mask : ndarray of shape (h, w), bool
        True on the piece's paper; not empty.

    Returns
    -------
    Upright
        The map to the piece's upright rectangle.
    """
    ends = _ends(mask)
    corners = cv2.boxPoints(cv2.minAreaRect(ends.astype(np.float32)))
    sides = corners[1:3] - corners[:2]
    across, down = sides[int(np.hypot(*sides.T).argmax())]
    angle = float(np.degrees(np.arctan2(across, down)))
    for _ in range(2):
        turned = _rotation(ends, angle).cut_out_mask(mask)
        columns, rows = row_extents(np.ascontiguousarray(turned.T)), row_extents(turned)
        found = [(1, _slope(rows[0], edge)) for edge in rows[1:]] + [
            (-1, _slope(columns[0], edge)) for edge in columns[1:]
        ]
        sizes = np.array([n**3 for _, (_, n) in found], float)
        if not sizes.any():
            break
        slopes = np.array([sign * slope for sign, (slope, _) in found])
        angle += float(np.degrees(np.arctan(slopes @ sizes / sizes.sum())))
    return _rotation(ends, (angle + 90) % 180 - 90 if abs(angle) > 90 else angle)


def _slope(at: Indices, edge: Indices) -> tuple[float, int]:
    """Fit a line to most of an edge; return its slope, and by how many points it is told."""
    end = int(CORNER_SHARE * len(at))
    at, edge = at[end : len(at) - end], edge[end : len(at) - end]
    half = len(at) // 2
    if half < MIN_ROWS // 2:
        return 0.0, 0
    off = edge - np.median((edge[half:] - edge[: len(edge) - half]) / (at[half:] - at[: len(at) - half])) * at
    straight = np.abs(off - np.median(off)) <= STRAIGHT_PX
    if straight.sum() < MIN_ROWS:
        return 0.0, 0
    return float(np.polyfit(at[straight], edge[straight], 1)[0]), int(straight.sum())


def camera_tilt(
    masks: Sequence[Mask], middles_px: Doubles, angles_deg: Doubles, whole: Mask, focal_px: float
) -> tuple[Doubles, Doubles] | None:
    """Measure from shreds how far a camera was from looking straight down on them.

    Strips are cut in parallel and equally wide. Seen askew they become narrower and shorter towards the far
    side, each from end to end and one after the other, and converge. What of that they share is the camera's; what each
    has of its own, worn contours and how it was laid, tells how sure that is.

    Parameters
    ----------
    masks : sequence of ndarray of shape (h, w), bool
        Upright shreds.
    middles_px : ndarray of shape (k, 2), float64
        Where the middle of each lies on the picture, x and y, counted from the middle of the picture.
    angles_deg : ndarray of shape (k,), float64
        By how much each lay turned, counter-clockwise.
    whole : ndarray of shape (k,), bool
        Which of them are seen from end to end.
    focal_px : float
        Focal length of the camera in pixels of the picture.

    Returns
    -------
    tilt, uncertain : ndarray of shape (2,), float64, or None
        By how much the distance grows, as a share, along x and along y, for each focal length on the picture: the
        tangents of two angles; and their standard errors. None where fewer than three shreds are long enough.
    """
    measured = [_breadth(mask) for mask in masks]
    enough = np.array([one is not None for one in measured], np.bool_)
    if enough.sum() < MIN_STRIPS:
        return None
    breadth, taper, length = np.array([one for one in measured if one is not None]).T
    turn = np.radians(np.median(angles_deg[enough]))
    frame = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])  # across the strips, along them
    u, v = frame @ (middles_px[enough] / focal_px).T
    leaning = np.radians(angles_deg[enough]) - turn

    def off(values: Doubles) -> Doubles:
        p, q, usual_breadth, usual_length, roll = values
        near, top, bottom = (1 - p * u - q * at for at in (v, v - length / 2 / focal_px, v + length / 2 / focal_px))
        long = (v + length / 2 / focal_px) / bottom - (v - length / 2 / focal_px) / top
        differences = (
            (np.log(breadth * (1 - q * v) / near**2) - usual_breadth) / BREADTH_VARIES,
            (np.log(long) - usual_length) * whole[enough] / LENGTH_VARIES,
            (taper + (2 * q / near - q / (1 - q * v)) / focal_px) * length / TAPER_VARIES,
            (leaning - roll + q * u / (1 - q * v)) / LEANING_VARIES,
            values[:2] / USUAL_TILT,
        )
        return np.concatenate(differences)

    start = np.array([0.0, 0.0, np.log(np.median(breadth)), np.log(np.median(length) / focal_px), 0.0])
    bounds = np.array([MOST_TILT, MOST_TILT, np.inf, np.inf, np.inf])
    found = least_squares(off, start, bounds=(-bounds, bounds), loss="soft_l1")
    errors = np.sqrt(np.diag(np.linalg.pinv(found.jac.T @ found.jac))[:2])
    return frame.T @ found.x[:2], np.sqrt((frame.T**2) @ errors**2)


def _breadth(mask: Mask) -> tuple[float, float, float] | None:
    """Measure the mean breadth of an upright strip, by which share of it a row is broader than the last, its length."""
    rows, first, last = row_extents(mask)
    end = len(rows) // 20
    rows, breadth = rows[end : len(rows) - end], (last - first + 1)[end : len(rows) - end]
    whole = breadth >= WHOLE_BREADTH * np.median(breadth)
    if whole.sum() < LONG_ROWS:
        return None
    mean = float(breadth[whole].mean())
    return mean, float(np.polyfit(rows[whole], breadth[whole], 1)[0]) / mean, float(np.ptp(rows[whole]))


def as_it_lies(mask: Mask) -> Upright:
    """Return how to cut out a piece that is too short to have a direction: as it lies.

    Parameters
    ----------
    mask : ndarray of shape (h, w), bool
        True on the piece's paper; not empty.

    Returns
    -------
    Upright
        The map to the piece's rectangle, without a turn.
    """
    return _rotation(_ends(mask), 0.0)
