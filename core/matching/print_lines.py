"""Lines of print: the neighbours of a shred bear lines at the same heights, most shreds of other pages do not.

What stands just at a cut says little where a cut runs between two words, or where a shred is missing. But how the ink
is spread over the rows beside the cut, line by line, is alike on both sides of every cut through a page, and tells
pages apart. Two borders of one page are alike, those of two pages are independent; for normal variables the logarithm
of the likelihood ratio is ``-N/2 · log(1 - ρ²)`` with ρ the correlation of both profiles and N the number of
independent rows, as in `core.matching.contour`.

Many shreds of a page bear the same lines and are no neighbours: this tells a stranger from another page, and never one
stranger of the same page from another. So the ratio is bounded by the odds that a stranger is as alike by right.
"""

from functools import reduce

import numpy as np
from scipy.ndimage import gaussian_filter1d

from core.arrays import Floats, Mask
from core.matching.geometry import STRIDE_PX
from core.matching.shifts import products_by_shift, tiles
from core.progress import Progress, no_progress
from core.wording import QT_TRANSLATE_NOOP

_COMPARING = QT_TRANSLATE_NOOP("progress", "Comparing lines of print")

MOST_INK_PX = 12
"""More ink than this in a row of a border is a rule or a picture, and counts as this much: a line of print."""

SMOOTH_PX = 3.0
"""Standard deviation of the smoothing: shreds lie a little askew, and shifts are tried a few pixels apart."""

SPECKS = 25.0
"""Sum of squares that specks leave on a border without print, which has no say."""

INDEPENDENT_ROWS = 60
"""Rows of a profile that are independent: turned upside down, a tenth of real profiles correlate by 0.2 and more."""

ALIKE_BY_RIGHT = 0.003
"""Share of strangers that bear the same lines as a border; joins gain at most minus the logarithm of it."""

TILE_SHREDS = 1024


def line_costs(right: Mask, left: Mask, max_shift_rows: int = 6, progress: Progress = no_progress) -> Floats:
    """Compare the lines of print on every right border with those on every left border.

    Parameters
    ----------
    right, left : ndarray of shape (n, h, 32), bool
        Ink on the borders, in one common vertical frame, from `core.shreds.borders.read_borders`.
    max_shift_rows : int
        Largest vertical shift, in rows of 4 px.
    progress : Progress
        Fraction and text.

    Returns
    -------
    ndarray of shape (n, n), float32
        ``[i, j]`` is minus the logarithm of how much likelier the lines on the right border of ``i`` and the left
        border of ``j`` are as those of one page than as strangers', at the best shift: between -5.8 and 0, and 0 on the
        diagonal.

    Raises
    ------
    ValueError
        If the shapes disagree.
    """
    if right.shape != left.shape or right.ndim != 3:
        raise ValueError(f"right and left must have the same shape (n, h, 32); given {right.shape} and {left.shape}.")
    of_right, of_left = profiles(ink_by_row(right)), profiles(ink_by_row(left))
    cost = np.empty((len(right), len(left)), dtype=np.float32)
    for i, j, _ in tiles(len(right), TILE_SHREDS, progress, _COMPARING):
        alike = reduce(np.maximum, products_by_shift(of_right[i], of_left[j], max_shift_rows))
        cost[i, j] = log_ratio_of_lines(alike)
    np.fill_diagonal(cost, 0)
    return cost


def log_ratio_of_lines(correlation: Floats) -> Floats:
    """Compute minus the logarithm of how much likelier lines are as those of one page than as strangers'.

    Parameters
    ----------
    correlation : ndarray of float32
        Of the profiles.

    Returns
    -------
    ndarray of float32
        Between -5.8 and 0.
    """
    chance = np.power(1 - np.square(np.clip(correlation, 0, 0.9999)), INDEPENDENT_ROWS / 2)
    return np.asarray(np.log(ALIKE_BY_RIGHT + (1 - ALIKE_BY_RIGHT) * chance), dtype=np.float32)


def ink_by_row(borders: Mask) -> Floats:
    """Count the ink in each row of borders.

    Parameters
    ----------
    borders : ndarray of shape (n, h, 32), bool
        Ink.

    Returns
    -------
    ndarray of shape (n, h), float32
        At most `MOST_INK_PX`.
    """
    return np.minimum(borders.sum(axis=2, dtype=np.float32), MOST_INK_PX)


def profiles(ink: Floats) -> Floats:
    """Smooth the ink by row and scale it: sums of products are correlations.

    Parameters
    ----------
    ink : ndarray of shape (n, h), float32
        From `ink_by_row`.

    Returns
    -------
    ndarray of shape (n, h / 4), float32
        Every 4 px.
    """
    smooth = gaussian_filter1d(ink, SMOOTH_PX, axis=1)[:, ::STRIDE_PX]
    smooth -= smooth.mean(axis=1, keepdims=True)
    return np.asarray(smooth / np.sqrt(np.square(smooth).sum(axis=1, keepdims=True) + SPECKS), dtype=np.float32)
