"""How print lies on paper: lines go on across a cut at the same heights, and keep off the edges of a sheet.

Lines: the neighbours of a shred bear lines at the same heights, most shreds of other pages do not.

What stands just at a cut says little where a cut runs between two words, or where a shred is missing. But how the ink
is spread over the rows beside the cut, line by line, is alike on both sides of every cut through a page, and tells
pages apart. Two borders of one page are alike, those of two pages are independent; for normal variables the logarithm
of the likelihood ratio is ``-N/2 · log(1 - ρ²)`` with ρ the correlation of both profiles and N the number of
independent rows, as in `core.matching.contour`.

Many shreds of a page bear the same lines and are no neighbours: this tells a stranger from another page, and never one
stranger of the same page from another. So the ratio is bounded by the odds that a stranger is as alike by right.

Margins: paper has margins, so print that touches a cut hardly lies at the edge of a sheet.

To the encoder blank paper is blank paper, whether it is the next shred or what lies beyond the sheet. So a blank shred
would fit as well to the left of a page as to its right, and the page would begin with letters at the very edge of the
paper: printers leave that blank. Ink near a border therefore raises the price of a page's end there.
"""

from dataclasses import replace
from functools import reduce

import numpy as np
from scipy.ndimage import gaussian_filter1d

from core.arrays import Floats, Indices, Mask
from core.embedding.geometry import STRIDE_PX
from core.matching.costs import Costs
from core.matching.poses import PREPARING
from core.matching.shifts import products_by_shift
from core.parallel import in_blocks
from core.progress import Progress, no_progress
from core.system.spool import let_go

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

NEAR_PX = 12
"""1 mm: print comes no nearer to the edge of a sheet."""

ROWS = 250.0
"""So many rows with ink that near (21 mm) make a page's end there e times less likely. Some few are worn edges, shadows
and marks of a copier, which are not rare at the edges of real sheets."""


def line_costs(right: Floats, left: Floats, max_shift_rows: int = 6) -> Floats:
    """Compare the lines of print on some right borders with those on some left borders, all with all.

    Parameters
    ----------
    right, left : ndarray of shape (p, rows) and (q, rows), float32
        From `profiles`, in one common vertical frame.
    max_shift_rows : int
        Largest vertical shift, in rows of 4 px.

    Returns
    -------
    ndarray of shape (p, q), float32
        Minus the logarithm of how much likelier the lines on both borders are as those of one page than as strangers',
        at the best shift: between -5.8 and 0.

    Raises
    ------
    ValueError
        If the shapes disagree.
    """
    if right.shape[1:] != left.shape[1:] or right.ndim != 2:
        raise ValueError(
            f"right and left must have the shapes (p, rows) and (q, rows); given {right.shape}, {left.shape}."
        )
    return log_ratio_of_lines(reduce(np.maximum, products_by_shift(right, left, max_shift_rows)))


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


def ink_by_row(borders: Mask, progress: Progress = no_progress) -> Floats:
    """Count the ink in each row of borders.

    Parameters
    ----------
    borders : ndarray of shape (n, h, 32), bool
        Ink.
    progress : Progress
        Fraction and text.

    Returns
    -------
    ndarray of shape (n, h), float32
        At most `MOST_INK_PX`.
    """
    ink = np.empty(borders.shape[:2], dtype=np.float32)

    def count(block: slice) -> None:
        np.minimum(borders[block].sum(axis=2, dtype=np.float32), MOST_INK_PX, out=ink[block])

    in_blocks(count, len(borders), PREPARING, progress, lambda: let_go(borders))
    return ink


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
    found = np.empty((len(ink), -(-ink.shape[1] // STRIDE_PX)), dtype=np.float32)

    def fill(block: slice) -> None:
        smooth = gaussian_filter1d(ink[block], SMOOTH_PX, axis=1)[:, ::STRIDE_PX]
        smooth -= smooth.mean(axis=1, keepdims=True)
        found[block] = smooth / np.sqrt(np.square(smooth).sum(axis=1, keepdims=True) + SPECKS)

    in_blocks(fill, len(ink), PREPARING)
    return found


def rows_near_cuts(right: Mask, left: Mask) -> tuple[Indices, Indices]:
    """Count the rows in which print comes near to a cut.

    Parameters
    ----------
    right, left : ndarray of shape (n, h, 32), bool
        Ink on borders, from `core.shreds.borders.read_borders`: the last column of a right border and the first of a
        left one lie at the cut.

    Returns
    -------
    right, left : ndarray of shape (n,), intp
    """
    near = np.empty((2, len(right)), dtype=np.intp)

    def count(block: slice) -> None:
        near[0, block] = right[block, :, -NEAR_PX:].any(axis=2).sum(axis=1)
        near[1, block] = left[block, :, :NEAR_PX].any(axis=2).sum(axis=1)

    in_blocks(count, len(right), PREPARING, after_each=lambda: let_go(right, left))
    return near[0], near[1]


def add_margins(costs: Costs, near_right: Indices, near_left: Indices) -> Costs:
    """Raise the price of ending a page where print touches the cut.

    Parameters
    ----------
    costs : Costs
        Of n shreds.
    near_right, near_left : ndarray of shape (n,), intp
        From `rows_near_cuts`.

    Returns
    -------
    Costs
        With other prices of pages' ends and beginnings; the costs of joins stay.
    """
    price = costs.temperature / ROWS
    return replace(
        costs,
        to_blank=(costs.to_blank + price * near_right).astype(np.float32),
        from_blank=(costs.from_blank + price * near_left).astype(np.float32),
    )
