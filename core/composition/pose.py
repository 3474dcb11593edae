"""The pose of a shred on its page, and its picture drawn at that pose."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import cv2
import numpy as np

from core.arrangement.arrangement import Arrangement
from core.arrays import Doubles, Floats, Mask, Pixels
from core.shreds.deskew import NO_TURN_DEG
from core.shreds.shred import Shred, turned, upright

Pictures: TypeAlias = Mapping[str, tuple[Pixels, Mask]]
"""Shreds as they are to be read, from left to right: pixels, RGB of shape (h, w, 3), and paper, of shape (h, w)."""

Poses: TypeAlias = Mapping[str, "Pose"]
"""Of such shreds, each under the same name."""


@dataclass(frozen=True)
class Pose:
    """Where a shred lies on its page.

    Attributes
    ----------
    x_px, y_px : float
        Where on the page the middle of its picture lies, in pixels at 300 dpi.
    angle_deg : float
        By how much it is turned against its own long axis, counter-clockwise positive as the eye sees it.
    x_error_px : float
        How uncertain its place beside its left neighbour is, as a standard error.
    y_error_px, angle_error_deg : float
        How uncertain its height and its angle among the shreds of its page are; infinite where nothing tells them.
    bend_px : ndarray of shape (h,), float64, or None
        How far to the right each row of its picture moves, before it is turned, for the shred to be straight; None of
        one that lies straight, or is to be drawn as it lies.
    """

    x_px: float
    y_px: float
    angle_deg: float
    x_error_px: float = np.inf
    y_error_px: float = np.inf
    angle_error_deg: float = np.inf
    bend_px: Doubles | None = field(default=None, compare=False)

    @property
    def resampled(self) -> bool:
        """Whether a shred is turned or bent by enough to be drawn anew; otherwise its pixels move by whole ones."""
        return abs(self.angle_deg) >= NO_TURN_DEG or self.bend_px is not None


@dataclass(frozen=True, eq=False)
class Drawn:
    """A shred's picture at its pose.

    Attributes
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB.
    paper : ndarray of shape (h, w), bool
        True where there is paper.
    x_px, y_px : int
        Where on the page its first column and row lie.
    matrix : ndarray of shape (2, 3), float64
        Takes (column, row, 1) of the shred's own picture to (x, y) of the page.
    """

    pixels: Pixels
    paper: Mask
    x_px: int
    y_px: int
    matrix: Doubles


def plain_poses(shreds: Mapping[str, Shred], arrangement: Arrangement, page: int) -> dict[str, Pose]:
    """Return poses that say no more than the arrangement does: heights in whole rows, angles as found or set by hand.

    Parameters
    ----------
    shreds : mapping of str to Shred
        At least those of the page, by identifier, as they were found.
    arrangement : Arrangement
        Order, shifts and turns.
    page : int
        Index of the page in the arrangement.

    Returns
    -------
    dict of str to Pose
        Shred by shred from left to right; all begin in the same column, since an arrangement says nothing of that.

    Raises
    ------
    ValueError
        If the page holds no shred.
    """
    if not arrangement.pages[page]:
        raise ValueError(f"Page {page + 1} of the arrangement is empty.")
    offset_px = arrangement.offsets_px(page)
    poses = {}
    for name in arrangement.pages[page]:
        shred = shreds[name]
        top_px = shred.frame_top_px + offset_px[name]
        middle_px = (shred.width_px - 1) / 2, top_px + (shred.height_px - 1) / 2
        poses[name] = Pose(*middle_px, arrangement.turned_deg.get(name, 0.0))
    return poses


def tilted(poses: Mapping[str, Pose], angle_deg: float) -> dict[str, Pose]:
    """Turn all shreds of a page as one.

    Parameters
    ----------
    poses : mapping of str to Pose
        Of the shreds of a page.
    angle_deg : float
        Counter-clockwise positive as the eye sees it.

    Returns
    -------
    dict of str to Pose
        About the middle of the page.

    Examples
    --------
    >>> poses = {"a": Pose(0.0, 0.0, 0.0), "b": Pose(100.0, 0.0, 1.0)}
    >>> turned = tilted(poses, 90.0)
    >>> [(round(pose.x_px), round(pose.y_px), pose.angle_deg) for pose in turned.values()]
    [(50, 50, 90.0), (50, -50, 91.0)]
    """
    if not angle_deg or not poses:
        return dict(poses)
    x, y = (np.mean([getattr(pose, name) for pose in poses.values()]) for name in ("x_px", "y_px"))
    along, up = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    return {
        name: replace(
            pose,
            x_px=float(x + along * (pose.x_px - x) + up * (pose.y_px - y)),
            y_px=float(y - up * (pose.x_px - x) + along * (pose.y_px - y)),
            angle_deg=pose.angle_deg + angle_deg,
        )
        for name, pose in poses.items()
    }


def matrix_of(mask: Mask, pose: Pose) -> Doubles:
    """Compute the map from a shred's picture to its page.

    Parameters
    ----------
    mask : ndarray of shape (h, w), bool
        Of the picture.
    pose : Pose
        Of the shred.

    Returns
    -------
    ndarray of shape (2, 3), float64
        Takes (column, row, 1) to (x, y).
    """
    middle = (mask.shape[1] - 1) / 2, (mask.shape[0] - 1) / 2
    matrix = cv2.getRotationMatrix2D(middle, pose.angle_deg, 1.0)
    matrix[:, 2] += (pose.x_px - middle[0], pose.y_px - middle[1])
    return np.asarray(matrix, np.float64)


def extent(mask: Mask, pose: Pose) -> tuple[tuple[int, int], tuple[int, int]]:
    """Compute which columns and rows of a page a shred's picture takes.

    Parameters
    ----------
    mask : ndarray of shape (h, w), bool
        Of the picture.
    pose : Pose
        Of the shred.

    Returns
    -------
    first, last : tuple of int
        x and y of the page.
    """
    (height, width), matrix = mask.shape, matrix_of(mask, pose)
    if not pose.resampled:
        x, y = np.floor(matrix[:, 2] + 0.5).astype(int).tolist()
        return (x, y), (x + width - 1, y + height - 1)
    reach = 0.0 if pose.bend_px is None else float(np.abs(pose.bend_px).max())
    first, last = -reach, width - 1 + reach
    corners = np.array([[first, 0, 1], [last, 0, 1], [first, height - 1, 1], [last, height - 1, 1]]) @ matrix.T
    (left, top), (right, bottom) = np.floor(corners.min(axis=0)).tolist(), np.ceil(corners.max(axis=0)).tolist()
    return (int(left), int(top)), (int(right), int(bottom))


def draw(pixels: Pixels, mask: Mask, pose: Pose) -> Drawn:
    """Draw a shred's picture at a pose; one that is hardly turned is moved by whole pixels, and not resampled.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB, as it is to be read; what surrounds the paper is white.
    mask : ndarray of shape (h, w), bool
        True where there is paper.
    pose : Pose
        Of this shred.

    Returns
    -------
    Drawn
        With room for all of the paper; bicubic where it is resampled.
    """
    low, high = extent(mask, pose)
    if not pose.resampled:
        return Drawn(np.ascontiguousarray(pixels), mask, *low, np.array([[1.0, 0, low[0]], [0, 1, low[1]]]))
    size_px = high[0] - low[0] + 1, high[1] - low[1] + 1
    matrix = matrix_of(mask, pose)
    inside = matrix.copy()
    inside[:, 2] -= low
    pixels, whole = np.ascontiguousarray(pixels), mask.astype(np.uint8) * 255
    if pose.bend_px is None:
        drawn = cv2.warpAffine(pixels, inside, size_px, flags=cv2.INTER_CUBIC, borderValue=(255, 255, 255))
        paper = cv2.warpAffine(whole, inside, size_px, flags=cv2.INTER_LINEAR)
    else:
        seen = _straightened(inside, pose.bend_px, size_px)
        drawn = cv2.remap(pixels, *seen, cv2.INTER_CUBIC, borderValue=(255, 255, 255))
        paper = cv2.remap(whole, *seen, cv2.INTER_LINEAR)
    return Drawn(np.asarray(drawn, np.uint8), np.asarray(paper) >= 128, *low, matrix)


def _straightened(matrix: Doubles, bend_px: Doubles, size_px: tuple[int, int]) -> tuple[Floats, Floats]:
    """Find which column and row of a bent shred's picture each pixel shows once the shred is straight."""
    (a, b, c), (d, e, f) = cv2.invertAffineTransform(matrix)
    x, y = np.arange(size_px[0])[None], np.arange(size_px[1])[:, None]
    rows = d * x + e * y + f
    columns = a * x + b * y + c - np.interp(rows, np.arange(len(bend_px)), bend_px)
    return columns.astype(np.float32), rows.astype(np.float32)


def picture(shred: Shred, half_turned: Collection[str]) -> tuple[Pixels, Mask]:
    """Return a shred's pixels and paper as they are to be read.

    Parameters
    ----------
    shred : Shred
        As it was found.
    half_turned : collection of str
        Shreds that an arrangement half-turns; its turns by some degrees are part of a pose.

    Returns
    -------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB.
    mask : ndarray of shape (h, w), bool
        True where there is paper.
    """
    return upright(turned(shred, half_turn=shred.id in half_turned, by_deg=0.0))
