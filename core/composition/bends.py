"""How strips lay bent on the bed: a long one gives way sideways, and its contours tell by how much."""

import numpy as np
from scipy.ndimage import uniform_filter1d

from core.arrays import Doubles, Mask
from core.composition.cuts import contours
from core.composition.pose import Pictures, Poses, matrix_of

SMOOTH_ROWS, STEP_ROWS = 301, 16
"""A strip bends slowly: contours are averaged over so many rows, and looked at in one of so many."""

LEAST_ROWS = 900
"""Shorter pieces of paper lie straight."""

BENT_PX = 3.0
"""Strips are bent by so much (standard deviation along the strip)."""

DIFFER_PX = 0.7
"""By so much the contours of neighbours still differ where both lie straight. On S-CDIP, whose strips were registered
to the intact page block by block, what contours say of two neighbours and what print says differ by 0.65 px."""

LEAST_PX, MOST_PX = 0.5, 16.0
"""What is bent by less is not resampled for it; what seems bent by more is torn or folded."""


def find_bends(pictures: Pictures, poses: Poses) -> dict[str, Doubles]:
    """Find how far each row of a strip must move sideways for the strip to be straight.

    Two neighbours show the same cut. Where one contour slowly runs otherwise than the other, one of the strips is bent,
    or both are: at every height bends b of all strips follow by least squares from what neighbours differ by, d = (left
    contour of the right one) - (right contour of the left one), without its straight trend: of each cut
    (b' - b + d)² / `DIFFER_PX`², and of each strip b² / `BENT_PX`². How all of them run alike is how the paper was cut.

    Parameters
    ----------
    pictures : mapping of str to (pixels, mask)
        Strips of a page, as they are to be read, from left to right.
    poses : mapping of str to Pose
        Heights and angles of these strips; where they lie from left to right does not matter.

    Returns
    -------
    dict of str to ndarray of shape (h,), float64
        For each row of a strip's picture how far to the right it moves, in px; 0 on average, and without a slope, so
        that the pose holds. Strips that lie straight are left out.
    """
    long = {name: mask for name, (_, mask) in pictures.items() if len(mask) >= LEAST_ROWS and mask.any()}
    if not long:
        return {}
    heights = {name: _heights(mask, poses[name].angle_deg, poses[name].y_px) for name, mask in long.items()}
    first, last = min(rows.min() for rows in heights.values()), max(rows.max() for rows in heights.values())
    grid = np.arange(first, last, STEP_ROWS)
    left, right = _smooth_contours(long, poses, grid)
    bends = _solved(_without_trend(left[1:] - right[:-1], grid), len(long))
    found = {}
    for at, (name, rows) in enumerate(heights.items()):
        told = np.isfinite(left[at])
        if not told.any():
            continue
        bend = np.interp(rows, grid[told], bends[at, told])
        bend -= np.polyval(np.polyfit(rows, bend, 1), rows)
        if LEAST_PX <= np.abs(bend).max() <= MOST_PX:
            found[name] = bend
    return found


def _heights(mask: Mask, angle_deg: float, middle_px: float) -> Doubles:
    """Return at which height of the page each row of a picture lies."""
    return middle_px + np.cos(np.radians(angle_deg)) * (np.arange(len(mask)) - (len(mask) - 1) / 2)


def _smooth_contours(masks: dict[str, Mask], poses: Poses, grid: Doubles) -> tuple[Doubles, Doubles]:
    """Follow the left and the right contours of strips along their page, (n, k); not a number where there is none."""
    sides: tuple[list[Doubles], list[Doubles]] = ([], [])
    for name, mask in masks.items():
        for side, points in zip(sides, contours(mask, matrix_of(mask, poses[name])), strict=True):
            side.append(np.interp(grid, points[:, 1], _smooth(points[:, 0]), left=np.nan, right=np.nan))
    return np.array(sides[0]), np.array(sides[1])


def _smooth(line: Doubles) -> Doubles:
    """Average a line over `SMOOTH_ROWS`; beyond its ends it is taken to go on as it came."""
    beyond = min(SMOOTH_ROWS // 2, len(line) - 1)
    wide = np.pad(line, beyond, mode="reflect", reflect_type="odd")
    return np.asarray(uniform_filter1d(wide, SMOOTH_ROWS, mode="nearest")[beyond : beyond + len(line)], np.float64)


def _without_trend(lines: Doubles, grid: Doubles) -> Doubles:
    """Take the straight line that fits best out of each; not a number where there is nothing."""
    straight = np.full_like(lines, np.nan)
    for at, line in enumerate(lines):
        told = np.isfinite(line)
        if told.sum() > 1:
            straight[at, told] = line[told] - np.polyval(np.polyfit(grid[told], line[told], 1), grid[told])
    return straight


def _solved(differences: Doubles, n: int) -> Doubles:
    """Solve for the bends of n strips at k heights, (n, k); a difference that is not a number says nothing."""
    beside = np.diff(np.eye(n), axis=0)
    told = np.isfinite(differences) / DIFFER_PX**2
    matrix = np.einsum("cn,ck,cm->knm", beside, told, beside) + np.eye(n) / BENT_PX**2
    pull = beside.T @ (told * np.nan_to_num(differences))
    return np.asarray(-np.linalg.solve(matrix, pull.T[..., None])[..., 0].T, np.float64)
