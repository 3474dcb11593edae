"""How a shred lies on its sheet, and its pixels turned upright."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from core.arrays import Doubles, Floats, Indices, Mask, Pixels

NO_TURN_DEG = 0.03
"""Shreds turned by less are cut out as they are: resampling would only blur them."""

WHOLE_BREADTH = 0.7
"""Where a shred has less than this part of its usual breadth, it is torn."""

MIN_ROWS = 16
"""Shorter pieces have no direction that their contours could tell."""


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
        whole = mask.astype(np.uint8) * 255
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
    rows = np.flatnonzero(mask.any(axis=1))
    inside = mask[rows]
    backwards = cv2.flip(inside.view(np.uint8), 1).view(np.bool_) if len(rows) else inside  # numpy takes thrice as long
    return rows, inside.argmax(axis=1), mask.shape[1] - 1 - backwards.argmax(axis=1)


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
