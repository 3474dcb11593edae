"""What the cuts of a machine did to the paper: how far the rims of neighbours reach over one another."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Doubles, Mask, Pixels
from core.composition.heights import darkness
from core.shreds.deskew import row_extents

WORN_OVERLAP_PX, WORN = 3.25, 0.5
"""By how much neighbours reach over one another (median along the cut) where at least this share of the print at their
contours is lost: fibres stand out beyond the cut, and bear none. On 18 pages of S-CDIP, whose shreds were registered to
the intact page one by one, 0.6 to 0.8 of it is lost; overlaps vary by 0.3 px from page to page, whatever is lost."""

CLEAN = 0.15
"""Where no more of the print is lost, the paper was cut clean, or in software."""

SPREAD_PX = 2.0
"""By how much that varies from cut to cut, as a standard deviation; measured likewise."""

ANCHORS_PX = (9, 10, 11, 12)
"""So far within the contour print is whole."""

INNER_PX = 14
"""From here on inwards ink is told from ink by nothing but its distance."""

PRINT = 0.25
"""Darker than paper by this share of its brightness: print."""

ALIKE_BREADTH = 0.12
"""Strips of one machine are as broad as usual to within this share; the outermost of a page may be narrower."""

MOST_BROADER_PX, LEAST_STRIPS = 1.5, 8
"""A page whose strips are broader than usual by more, or that has fewer, is not compared with the others."""

_ZONE_PX = 30

LEAST_PRINT = 400
"""With fewer pixels of print beside the contours, nothing is said of them."""


@dataclass(frozen=True)
class Cuts:
    """What is known of the cuts of a set of shreds.

    Attributes
    ----------
    overlap_px : float
        By how much the contours of neighbours reach over one another in the median of a cut's rows.
    spread_px : float
        By how much that varies from cut to cut (standard deviation).
    breadth_px : float
        How far apart the two contours of a strip lie, on average; not a number where that is not known.
    """

    overlap_px: float
    spread_px: float
    breadth_px: float = np.nan

    def overlap_of(self, masks: Sequence[Mask]) -> float:
        """Compute by how much the strips of one page reach over one another.

        The blades of a machine stand where they stand. If the strips of a page are broader than those of the whole set,
        more fibres stand out from them, or more of those were taken for paper: then they reach over one another by as
        much more.

        Parameters
        ----------
        masks : sequence of ndarray of shape (h, w), bool
            Paper of the strips, from left to right.

        Returns
        -------
        float
            In px; that of the set for few strips, for those of another breadth, and where paper was cut clean.
        """
        if not self.overlap_px or np.isnan(self.breadth_px) or len(masks) < LEAST_STRIPS:
            return self.overlap_px
        breadths = np.array([breadth_px(mask) for mask in masks])
        beside = (breadths[1:] + breadths[:-1]) / 2
        usual = np.abs(breadths - self.breadth_px) <= ALIKE_BREADTH * self.breadth_px
        both = usual[1:] & usual[:-1]
        broader = float(beside[both].mean()) - self.breadth_px if both.sum() >= LEAST_STRIPS - 1 else 0.0
        return self.overlap_px + (broader if abs(broader) <= MOST_BROADER_PX else 0.0)


def measure_cuts(pictures: Iterable[tuple[Pixels, Mask]]) -> Cuts:
    """Measure how worn the rims of shreds are, and with that how far they reach over one another.

    Print at the contour is counted where print stands a little further in, and compared with print that lies as far
    apart within the shred: what the page shows does not matter then, only what is lost at the rim.

    Parameters
    ----------
    pictures : iterable of (pixels, mask)
        Of shreds of one machine, RGB of shape (h, w, 3), uint8, and paper of shape (h, w), bool.

    Returns
    -------
    Cuts
        No overlap for shreds that are cut clean, or bear too little print to tell.
    """
    kept, anchored, pairs, inner = 0.0, 0.0, np.zeros(len(ANCHORS_PX)), np.zeros(len(ANCHORS_PX))
    for pixels, mask in pictures:
        for zone in _zones(pixels, mask):
            kept += float((zone[:, :1] & zone[:, ANCHORS_PX]).sum())
            anchored += float(zone[:, ANCHORS_PX].sum())
            within = zone[:, INNER_PX:]
            for at, apart in enumerate(ANCHORS_PX):
                pairs[at] += (within[:, :-apart] & within[:, apart:]).sum()
                inner[at] += within[:, apart:].sum()
    if anchored < LEAST_PRINT or inner.min() < LEAST_PRINT:
        return Cuts(0.0, SPREAD_PX)
    left_over = (kept / anchored) / max(float((pairs / inner).mean()), 1e-6)
    lost = float(np.clip(1 - left_over, 0, 1))
    return Cuts(WORN_OVERLAP_PX * min(lost / WORN, 1.0) if lost > CLEAN else 0.0, SPREAD_PX)


def usual_breadth_px(masks: Iterable[Mask]) -> float:
    """Measure how broad the strips of a set are.

    Parameters
    ----------
    masks : iterable of ndarray of shape (h, w), bool
        Their paper.

    Returns
    -------
    float
        The mean of those that are about as broad as most; not a number if there are none.
    """
    breadths = sorted(breadth_px(mask) for mask in masks if mask.any())
    if not breadths:
        return float("nan")
    middle = breadths[len(breadths) // 2]
    return float(np.mean([breadth for breadth in breadths if abs(breadth - middle) <= ALIKE_BREADTH * middle]))


def breadth_px(mask: Mask) -> float:
    """Measure how far apart the two contours of a strip lie, on average over its rows but for the ends.

    Parameters
    ----------
    mask : ndarray of shape (h, w), bool
        True where there is paper.

    Returns
    -------
    float
        Not a number where there is none.
    """
    left, right = contours(mask, np.eye(2, 3))
    return float((right - left)[:, 0].mean()) if len(left) else float("nan")


def _zones(pixels: Pixels, mask: Mask) -> tuple[Mask, Mask]:
    """Read print in the rows of both zones, each from the contour inwards, (rows, 40)."""
    dark, _ = darkness(pixels, mask, worn_px=0)
    rows, first, last = row_extents(mask)
    wide = last - first >= _ZONE_PX
    rows, first, last = rows[wide, None], first[wide, None], last[wide, None]
    inwards = np.arange(_ZONE_PX)
    return dark[rows, first + inwards] > PRINT, dark[rows, last - inwards] > PRINT


def contours(mask: Mask, matrix: Doubles, bend_px: Doubles | None = None) -> tuple[Doubles, Doubles]:
    """Follow both contours of a shred on its page.

    Parameters
    ----------
    mask : ndarray of shape (h, w), bool
        True where there is paper.
    matrix : ndarray of shape (2, 3), float64
        Takes the shred's (column, row, 1) to (x, y) of the page.
    bend_px : ndarray of shape (h,), float64, optional
        How far to the right each row is moved before.

    Returns
    -------
    left, right : ndarray of shape (k, 2), float64
        (x, y) where the paper begins, and where it ends, row by row without the ends, which may slant.
    """
    rows, first, last = row_extents(mask)
    end = len(rows) // 30  # 0 of a short one
    rows, first, last = (values[end : len(values) - end] for values in (rows, first, last))
    ones = np.ones(len(rows))
    bend = 0.0 if bend_px is None else bend_px[rows]
    left, right = (np.stack([columns + bend, rows, ones]) for columns in (first, last + 1))
    return (matrix @ left).T, (matrix @ right).T
