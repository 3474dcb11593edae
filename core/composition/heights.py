"""By how much lines of print stand higher in one shred than in another, from the ink in their rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from core.arrays import Doubles, Floats, Indices, Mask, Pixels
from core.matching.contour import vertex
from core.shreds.binarization import counts_of_values, percentile_of_counts

PARTS = 3
"""So many parts side by side each shred is read in: what they differ by tells how it is turned, the better the farther
apart the outer ones are."""

WINDOW_ROWS, STEP_ROWS = 192, 160
"""Rows that are compared at once, some four lines of print; and from where to where such windows begin."""

LEAST_ALIKE = 0.5
"""Windows whose ink correlates less show no line in common."""

LEAST_INK = 0.12
"""Windows whose ink varies less (root of the summed squares of what is darker than paper) bear no line."""

LEAST_ERROR_PX, BLUNT_ERROR_PX = 0.3, 0.05
"""A window is off by the first, and the blunter the peak of its correlation, by more. Read off the residuals of pages
of S-CDIP: 0.35 px for ruled lines, 0.5 to 1 px for print."""

DARKER_THAN_PAPER = 12
"""Grey values that paper varies by."""

WORN_PX = 3
"""What lies nearer to the contour is worn."""


@dataclass(frozen=True, eq=False)
class Profiles:
    """How much ink stands in each row of each part of n shreds.

    Attributes
    ----------
    ink : list of ndarray of shape (h,), float32
        Mean darkness, part by part; 0.5 and more would be black.
    shred : ndarray of shape (n_parts,), intp
        Which shred each part belongs to.
    lever_px : ndarray of shape (n_parts,), float64
        How far right of its shred's middle it lies.
    """

    ink: list[Floats]
    shred: Indices
    lever_px: Doubles


@dataclass(frozen=True, eq=False)
class Differences:
    """What was measured between parts: `drop_px`, by how much lower lines stand in part `right` than in part `left`.

    Attributes
    ----------
    left, right : ndarray of shape (k,), intp
        Parts.
    drop_px : ndarray of shape (k,), float64
        As they lay when they were compared.
    error_px : ndarray of shape (k,), float64
        By how much each is off, as a standard error: less where lines are sharp and fit well.
    """

    left: Indices
    right: Indices
    drop_px: Doubles
    error_px: Doubles


def darkness(pixels: Pixels, mask: Mask, worn_px: int = WORN_PX) -> tuple[Floats, Mask]:
    """Measure how much darker than paper a shred is, pixel by pixel.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB.
    mask : ndarray of shape (h, w), bool
        True where there is paper.
    worn_px : int
        Width of the rim that is left out.

    Returns
    -------
    darkness : ndarray of shape (h, w), float32
        As a share of the paper's brightness, 0 to 0.5.
    inner : ndarray of shape (h, w), bool
        Where that was measured: on paper, but for its worn rim.
    """
    grey = np.asarray(cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY), np.uint8)
    kernel = np.ones((2 * worn_px + 1, 2 * worn_px + 1), np.uint8)
    inner = cv2.erode(mask.astype(np.uint8), kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0) > 0
    counts = counts_of_values(grey[..., None], inner)[0]
    paper = float(percentile_of_counts(counts, 75)) if inner.any() else 255.0
    of_values = np.clip((paper - DARKER_THAN_PAPER - np.arange(256, dtype=np.float32)) / max(paper, 1.0), 0, 0.5)
    darker = np.asarray(cv2.LUT(grey, of_values), np.float32)
    darker[~inner] = 0
    return darker, inner


def profiles_of(pictures: Sequence[tuple[Pixels, Mask]]) -> Profiles:
    """Sum up the ink in the rows of shreds.

    Parameters
    ----------
    pictures : sequence of (pixels, mask)
        Of each shred, as `darkness` takes them.

    Returns
    -------
    Profiles
        `PARTS` for each shred.
    """
    ink, levers = [], []
    for pixels, mask in pictures:
        dark, inner = darkness(pixels, mask)
        columns = np.flatnonzero(inner.sum(axis=0) > 0.3 * len(inner))
        first, end = (columns[0], columns[-1] + 1) if len(columns) else (0, inner.shape[1])
        bounds = np.linspace(first, end, PARTS + 1).round().astype(int)
        for start, stop in pairwise(bounds.tolist()):
            seen = np.maximum(inner[:, start:stop].sum(axis=1), max(1.0, (stop - start) / 2))
            profile = (dark[:, start:stop].sum(axis=1) / seen).astype(np.float32)
            ink.append(np.asarray(cv2.GaussianBlur(profile[:, None], (1, 7), 1.0)[:, 0], np.float32))
            levers.append((start + stop - 1) / 2 - (inner.shape[1] - 1) / 2)
    return Profiles(ink, np.repeat(np.arange(len(pictures)), PARTS), np.array(levers))


def differences(profiles: Profiles, top_px: Doubles, reach: int, search_px: int) -> Differences:
    """Compare the parts of shreds that stand near to one another.

    Parameters
    ----------
    profiles : Profiles
        Of shreds in their order.
    top_px : ndarray of shape (n_parts,), float64
        Row of the page in which each part begins, as far as that is known.
    reach : int
        How many shreds apart they stand at most.
    search_px : int
        How far they may be off.

    Returns
    -------
    Differences
        Of all windows with lines in common; to a fraction of a pixel.
    """
    gap = profiles.shred[None] - profiles.shred[:, None]
    later = np.arange(len(gap))[None] > np.arange(len(gap))[:, None]
    left, right = np.nonzero(later & (gap <= reach))
    rows = _on_common_rows(profiles.ink, top_px, search_px)
    starts = np.arange(search_px, rows.shape[1] - WINDOW_ROWS - search_px, STEP_ROWS)
    correlation = _correlations(rows, starts, left, right, search_px)
    at = correlation.argmax(axis=2)
    best = np.take_along_axis(correlation, at[..., None], 2)[..., 0]
    pair, window = np.nonzero((at > 0) & (at < 2 * search_px) & (best > LEAST_ALIKE))
    at = at[pair, window]
    before, peak, after = (correlation[pair, window, at + step] for step in (-1, 0, 1))
    bend = np.maximum(2 * peak - before - after, 1e-6)
    drop_px = at - search_px + vertex(before, peak, after)
    error_px = LEAST_ERROR_PX + BLUNT_ERROR_PX / np.maximum(peak**2 * np.sqrt(bend), 1e-3)
    return Differences(left[pair], right[pair], drop_px.astype(np.float64), error_px.astype(np.float64))


def _on_common_rows(ink: Sequence[Floats], top_px: Doubles, margin_px: int) -> Floats:
    """Bring profiles onto the rows of the page, with a margin above and below, (n_parts, rows)."""
    first = int(np.floor(top_px.min())) - margin_px - 2
    end = int(np.ceil(max(top + len(one) for top, one in zip(top_px, ink, strict=True)))) + margin_px + 2
    rows = np.arange(first, max(end, first + WINDOW_ROWS + 2 * margin_px + 1))
    moved = [
        np.interp(rows, np.arange(len(one)) + top, one, left=0, right=0) for top, one in zip(top_px, ink, strict=True)
    ]
    return np.array(moved, np.float32)


def _correlations(rows: Floats, starts: Indices, left: Indices, right: Indices, search_px: int) -> Floats:
    """Correlate each window of left parts with right parts at all drops, (n_pairs, n_windows, 2 search_px + 1)."""
    windows = np.lib.stride_tricks.sliding_window_view(rows, WINDOW_ROWS, axis=1)

    def centred(first: Indices) -> tuple[Floats, Floats]:
        chosen = windows[:, first] - windows[:, first].mean(axis=2, keepdims=True)
        return chosen, np.sqrt((chosen**2).sum(axis=2))

    here, here_varies = (of_part[left] for of_part in centred(starts))
    found = np.zeros((len(left), len(starts), 2 * search_px + 1), np.float32)
    for at, drop_px in enumerate(range(-search_px, search_px + 1)):
        there, there_varies = centred(starts + drop_px)
        there, there_varies = there[right], there_varies[right]
        both = here_varies * there_varies
        shared = np.einsum("pwr,pwr->pw", here, there)
        bears_lines = (here_varies > LEAST_INK) & (there_varies > LEAST_INK)
        found[:, :, at] = np.where(bears_lines, shared / np.maximum(both, 1e-6), 0)
    return found
