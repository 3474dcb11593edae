"""The contour of the cut: the two sides of one cut have the same waves, whatever is printed there.

A worn cutter does not cut straight. Where a cut swings, the right edge of one shred and the left edge of the next swing
alike, and no other edge does: the paper masks alone tell neighbours, without ink. A straight cut says nothing, and
costs nothing here.

An edge is the column at which the paper ends, row by row. Two edges of one cut are alike, others are independent; for
normal variables the logarithm of the likelihood ratio of the two, at the best fit, is ``-N/2 · log(1 - ρ²)`` with ρ the
correlation of the edges and N the number of independent rows (S. S. Wilks, 1938, doi:10.1214/aoms/1177732360). N is
measured on edges that cannot meet: two right ones, or two left ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d, minimum_filter1d, uniform_filter1d

from core.arrays import Doubles, Floats, Indices, Mask
from core.matching.confidence import confidence
from core.matching.costs import Costs
from core.matching.poses import PREPARING
from core.matching.shifts import products_by_shift, shifts_up_to
from core.parallel import in_blocks
from core.progress import Progress, no_progress
from core.wording import QT_TRANSLATE_NOOP

_COMPARING = QT_TRANSLATE_NOOP("progress", "Comparing contours")

STEP_PX = 4
"""Rows between two samples of an edge, and between two shifts that are tried."""

MAX_SHIFT_PX = 24
"""Neighbours lie on the sheets at heights that differ by less than this, nearly always."""

TREND_PX = 401
"""Slower waves come from how a shred lay and was turned, not from the cut."""

SMOOTH_PX = 3.0
"""Standard deviation of the smoothing: faster waves are fibres and whole pixels, unlike on both sides of a cut."""

WORN_END_PX = 30
"""Corners are worn: so much of both ends of an edge is left out."""

LARGEST_WAVE = 3.0
"""In standard deviations of the edge: higher waves are tears, and cut off."""

NOISE_PX2 = 0.02
"""Variance of what whole pixels leave on a straight edge, smoothed: edges that are hardly wavier have no say."""

MEDIAN_CHI_SQUARE = 0.455
"""Median of the chi-square distribution with one degree of freedom: that of N · ρ² among independent edges."""

SURE = 0.9
"""Joins that the ink is so sure of are those by which the contours are judged."""

ASTRAY = 0.05
"""So many of them may be wrong, or bear a contour that is torn."""

TELLS_SHIFT = 5.0
"""From this logarithm of the likelihood ratio on, the contour tells the shift better than the ink."""

SAMPLE_SHREDS = 512
"""So many shreds are enough to measure what chance does."""


@dataclass(frozen=True, eq=False)
class Contours:
    """How well the contours of m joins fit together.

    Attributes
    ----------
    cost : ndarray of shape (m,), float32
        Minus the logarithm of how much likelier the right edge of the left shred and the left edge of the right one are
        as two sides of one cut than as strangers: 0 where the contour is no evidence, else negative.
    shift_px : ndarray of shape (m,), int16
        The shift at which they fit best: by how many pixels the right one must be moved down in the common frame.
    """

    cost: Floats
    shift_px: NDArray[np.int16]


def contour_costs(
    right: Floats, left: Floats, n_free: float, progress: Progress = no_progress
) -> tuple[Floats, NDArray[np.int16]]:
    """Compare the contours of some right edges with those of some left edges, all with all.

    Parameters
    ----------
    right, left : ndarray of shape (p, rows) and (q, rows), float32
        From `waves`; blank shreds have as good ones as others.
    n_free : float
        From `independent_rows`.
    progress : Progress
        Fraction and text.

    Returns
    -------
    cost : ndarray of shape (p, q), float32
    shift_px : ndarray of shape (p, q), int16
        See `Contours`.
    """
    correlation, shift_px = _best_correlations(right, left, progress)
    return log_ratio_of_contours(correlation, n_free), shift_px


def combine(costs: Costs, contours: Contours) -> Costs:
    """Add the evidence of the contours to that of the ink.

    Both are logarithms of likelihoods, once the distances of the embeddings are divided by their temperature. The sum
    is in the unit of the distances, so that where contours are no evidence the costs stay what they are. A
    margin's price stays as it is too.

    Parameters
    ----------
    costs : Costs
        From the embeddings.
    contours : Contours
        Of the same joins.

    Returns
    -------
    Costs
        Of both; may be negative. The shift is that of the contour where the contour is telling.
    """
    log_ratio = contour_weight(costs, contours.cost) * contours.cost.astype(np.float64)
    shift_px = np.where(log_ratio < -TELLS_SHIFT, contours.shift_px, costs.shift_px)
    return replace(costs.plus("contour", log_ratio), shift_px=shift_px)


def contour_weight(costs: Costs, evidence: Floats) -> float:
    """Judge the contours by the joins that the ink is sure of.

    Parameters
    ----------
    costs : Costs
        From the embeddings.
    evidence : ndarray of shape (m,), float32
        Of the contours of the same joins, see `Contours.cost`.

    Returns
    -------
    float
        The weight between 0 and 1 that makes those joins likeliest by their contours alone; 0 if contours do not help
        to find them, 1 if there are no such joins.
    """
    sure = np.flatnonzero(confidence(costs.of_all_cues()) > SURE)
    if not len(sure):
        return 1.0
    weights = np.linspace(1, 0, 11)
    gain = _log_likelihoods(weights, evidence, costs.left, sure, costs.n)
    gain += _log_likelihoods(weights, evidence, costs.right, sure, costs.n)
    return float(weights[int(np.argmax(gain))])


def _log_likelihoods(weights: Doubles, evidence: Floats, side: NDArray[np.int32], sure: Indices, n: int) -> Doubles:
    """Sum, for each weight, the logarithms of the probabilities of sure joins, each among all n on a side of a border.

    For joins that do not come into question, and for a shred beside itself, there is no evidence.
    """
    asked = np.zeros(n, dtype=np.bool_)
    asked[side[sure]] = True
    some = np.flatnonzero(asked[side])
    of, logits = side[some], -evidence[some].astype(np.float64)
    highest = np.zeros(n)
    np.maximum.at(highest, of, logits)
    n_without = n - np.bincount(side, minlength=n)
    of_sure, own = side[sure], -evidence[sure].astype(np.float64)
    found = []
    for weight in weights:
        sums = np.bincount(of, np.exp(weight * (logits - highest[of])), n) + n_without * np.exp(-weight * highest)
        share = np.exp(weight * (own - highest[of_sure])) / sums[of_sure]
        found.append(float(np.log((1 - ASTRAY) * share + ASTRAY / n).sum()))
    return np.array(found)


def log_ratio_of_contours(correlation: Floats, n_free: float) -> Floats:
    """Compute minus the logarithm of how much likelier edges are as two sides of one cut than as strangers.

    Parameters
    ----------
    correlation : ndarray of float32
        Of the edges.
    n_free : float
        How many rows of an edge are independent.

    Returns
    -------
    ndarray of float32
        Not above 0.
    """
    return np.asarray(n_free / 2 * np.log1p(-np.square(np.clip(correlation, 0, 0.9999))), dtype=np.float32)


def edges_in_frame(
    extents: Sequence[tuple[Indices, Indices, Indices]], tops_px: Sequence[int], height_px: int
) -> tuple[Floats, Floats]:
    """Put the edges of shreds in their places.

    Parameters
    ----------
    extents : sequence of tuple of three ndarray
        Of n shreds, from `core.shreds.deskew.row_extents`.
    tops_px : sequence of int
        Row of the frame in which each begins.
    height_px : int
        Number of the frame's rows.

    Returns
    -------
    right, left : ndarray of shape (n, height_px), float32
        Columns by rows of the frame, nan where there is no paper.
    """
    right, left = np.full((2, len(extents), height_px), np.nan, dtype=np.float32)
    for index, ((rows, first, last), top_px) in enumerate(zip(extents, tops_px, strict=True)):
        left[index, top_px + rows], right[index, top_px + rows] = first, last
    return right, left


def waves(edges: Floats, sign: int = 1, progress: Progress = no_progress) -> Floats:
    """Remove the slow trend and the fastest waves of edges, and scale them: sums of products are correlations.

    Parameters
    ----------
    edges : ndarray of shape (n, rows), float32
        Columns, nan where there is none.
    sign : int
        1; -1 for edges that are seen half-turned.
    progress : Progress
        Fraction and text.

    Returns
    -------
    ndarray of shape (n, rows / STEP_PX), float32
        0 where there is none.
    """
    found = np.empty((len(edges), -(-edges.shape[1] // STEP_PX)), dtype=np.float32)

    def fill(block: slice) -> None:
        found[block] = _waves(edges[block] * np.float32(sign))

    in_blocks(fill, len(edges), PREPARING, progress)
    return found


def _waves(edges: Floats) -> Floats:
    there = ~np.isnan(edges)
    heights, n_rows = without_trend(np.where(there, edges, 0), there, SMOOTH_PX, STEP_PX)
    scale = np.sqrt(np.square(heights).sum(axis=1, keepdims=True) + n_rows * NOISE_PX2)
    return np.asarray(heights / scale, np.float32)


def without_trend(
    edges: Floats, there: Mask, smooth_px: float, step_px: int
) -> tuple[Floats, NDArray[np.integer[Any]]]:
    """Remove the slow trend, worn ends and the fastest waves of edges, and cut off what stands out by far.

    Parameters
    ----------
    edges : ndarray of shape (n, rows), float32
        Columns, 0 where there is none.
    there : ndarray of shape (n, rows), bool
        Where there is one.
    smooth_px : float
        Standard deviation of the smoothing.
    step_px : int
        Rows from one sample to the next.

    Returns
    -------
    heights : ndarray of shape (n, rows / step_px), float32
        0 where there is none.
    n_rows : ndarray of shape (n, 1), int
        How many samples tell anything; at least 1.
    """
    share = uniform_filter1d(there.astype(np.float32), TREND_PX, axis=1, mode="constant")
    trend = uniform_filter1d(edges, TREND_PX, axis=1, mode="constant") / np.maximum(share, 1e-6)
    inside = minimum_filter1d(there, 2 * WORN_END_PX + 1, axis=1, mode="constant")
    heights = np.where(inside, edges - trend, 0).astype(np.float32)
    heights = gaussian_filter1d(heights, smooth_px, axis=1, mode="constant")[:, ::step_px]
    n_rows = np.maximum(1, inside[:, ::step_px].sum(axis=1, keepdims=True))
    limit = LARGEST_WAVE * np.sqrt(np.square(heights).sum(axis=1, keepdims=True) / n_rows)
    return np.clip(heights, -limit, limit), n_rows


def independent_rows(right: Floats, left: Floats, height_px: float) -> float:
    """Measure on edges that cannot meet, as both are right or both left, how many rows of an edge are independent.

    Parameters
    ----------
    right, left : ndarray of shape (n, rows), float32
        From `waves`.
    height_px : float
        Median height of the shreds.

    Returns
    -------
    float
        At least one for every few pixels that the smoothing ties together.
    """
    chosen = slice(None, None, -(-len(right) // SAMPLE_SHREDS))
    above_diagonal = np.triu_indices(len(right[chosen]), 1)
    chance = np.concatenate([(edges[chosen] @ edges[chosen].T)[above_diagonal] for edges in (right, left)])
    most = height_px / (2 * np.sqrt(np.pi) * SMOOTH_PX)  # what the smoothing leaves of white noise
    median = float(np.median(np.square(chance))) if len(chance) else 0.0
    return float(min(most, MEDIAN_CHI_SQUARE / median)) if median > 0 else float(most)


def _best_correlations(right: Floats, left: Floats, progress: Progress) -> tuple[Floats, NDArray[np.int16]]:
    """Correlate edges, shapes (p, rows) and (q, rows), all with all, at the best shift; returns two of (p, q)."""
    largest = MAX_SHIFT_PX // STEP_PX
    shifts = np.array(shifts_up_to(largest, right.shape[1]))
    correlations = np.empty((len(shifts), len(right), len(left)), dtype=np.float32)
    for index, products in enumerate(products_by_shift(right, left, largest)):
        progress(index / len(shifts), _COMPARING)
        correlations[index] = products
    return at_best_shift(correlations, shifts)


def at_best_shift(correlations: Floats, shifts: NDArray[np.integer[Any]]) -> tuple[Floats, NDArray[np.int16]]:
    """Find the highest correlation, and at which shift it would be highest between those that were tried.

    Parameters
    ----------
    correlations : ndarray of shape (k, …), float32
        At each shift.
    shifts : ndarray of shape (k,), int
        In samples, the smallest first.

    Returns
    -------
    highest : ndarray of shape (…), float32
        Of the k.
    shift_px : ndarray of shape (…), int16
        In pixels.
    """
    # Rounded, so that where nothing is to be told apart the smallest shift, which is the first, wins.
    best = np.round(correlations, 5).argmax(axis=0)
    highest = np.take_along_axis(correlations, best[None], axis=0)[0]
    if len(shifts) < 3:
        return highest, np.zeros(best.shape, dtype=np.int16)
    upwards = np.argsort(shifts)
    place = np.argsort(upwards)[best]
    beside = (upwards[np.clip(place + step, 0, len(shifts) - 1)][None] for step in (-1, 1))
    before, after = (np.take_along_axis(correlations, index, axis=0)[0] for index in beside)
    shift_px = STEP_PX * (shifts[best] + vertex(before, highest, after))
    return highest, np.rint(shift_px).astype(np.int16)


def vertex(before: Floats, highest: Floats, after: Floats) -> Floats:
    """Find the vertex of the parabola through three values, a step apart.

    Parameters
    ----------
    before, highest, after : ndarray of float32
        The one in the middle is the highest.

    Returns
    -------
    ndarray of float32
        How many steps it lies behind the one in the middle, -0.5 to 0.5.
    """
    bend = np.maximum(2 * highest - before - after, 1e-6)
    return np.clip((after - before) / (2 * bend), -0.5, 0.5)
