"""Samples to learn from what belongs together: windows of seams between virtual shreds of intact pages.

As published: a page is cut in 30; a sample is 32 rows of a right border beside those of a left one; samples with little
ink are left out, the two outermost columns of both borders are noisy, and every page gives 1,000 samples of true
neighbours and as many of others. Three things differ. The least ink is 10 % instead of 20 %: of pages thresholded
locally, 20 % leaves halftones and rules rather than text, and the network learns from 10 % what it does not from 20 %
(75 against 63 % of held-out samples right after an epoch). The cuts lie elsewhere in every epoch, as pages are few.
And neighbours are misaligned by up to 2 px, as real shreds are where the search is as coarse.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.shred import BORDER_WIDTH_PX
from training.corpus import Pages

SAMPLE_PX = 32
"""Rows of a sample."""

TRIALS = 20
"""So many places are looked at for every sample that is wanted."""


@dataclass(frozen=True)
class Sampling:
    """How samples are taken.

    Attributes
    ----------
    shreds_per_page, samples_per_page : int
        Virtual shreds, and samples of either kind.
    row_step_px : int
        Samples begin at multiples of this.
    least_ink : float
        Smallest share of ink.
    noisy_px : int
        So many columns on both sides of the cut are noisy.
    misaligned_px : int
        Largest vertical misalignment.
    """

    shreds_per_page: int = 30
    samples_per_page: int = 1000
    row_step_px: int = 2
    least_ink: float = 0.1
    noisy_px: int = 2
    misaligned_px: int = 2


@dataclass(frozen=True, eq=False)
class Samples:
    """Samples of both kinds.

    Attributes
    ----------
    seams : ndarray of shape (n, 32, 64), bool
        Ink.
    neighbours : ndarray of shape (n,), bool
        Whether the two halves were neighbours.
    """

    seams: NDArray[np.bool_]
    neighbours: NDArray[np.bool_]


def draw_samples(rng: np.random.Generator, pages: Pages, sampling: Sampling = Sampling()) -> Samples:
    """Cut every page once and take samples of its seams.

    Parameters
    ----------
    rng : Generator
        Source of all chance.
    pages : Pages
        Intact pages.
    sampling : Sampling
        How samples are taken.

    Returns
    -------
    Samples
        As many of neighbours as of others, page by page; pages with little ink give fewer.
    """
    parts = [_of_page(rng, margins <= 0, sampling) for margins in pages.margins]
    return Samples(np.concatenate([p.seams for p in parts]), np.concatenate([p.neighbours for p in parts]))


def _of_page(rng: np.random.Generator, ink: NDArray[np.bool_], sampling: Sampling) -> Samples:
    """Take samples of a page, ink of shape (h, w)."""
    width = BORDER_WIDTH_PX
    step = ink.shape[1] / sampling.shreds_per_page
    cuts = np.arange(rng.uniform(0, step), ink.shape[1], step).astype(np.intp)
    cuts = cuts[(cuts >= width) & (cuts <= ink.shape[1] - width)]
    right = np.stack([ink[:, cut - width : cut] for cut in cuts])
    left = np.stack([ink[:, cut : cut + width] for cut in cuts])
    joins = rng.integers(0, len(cuts), (2, TRIALS * sampling.samples_per_page))
    true = _windows(rng, right, left, joins[[0, 0]], sampling)
    false = _windows(rng, right, left, joins[:, joins[0] != joins[1]], sampling)[: len(true)]
    seams = np.concatenate([true[: len(false)], false])
    return Samples(_with_noise(rng, seams, sampling.noisy_px), np.arange(len(seams)) < len(false))


def _windows(
    rng: np.random.Generator,
    right: NDArray[np.bool_],
    left: NDArray[np.bool_],
    joins: NDArray[np.intp],
    sampling: Sampling,
) -> NDArray[np.bool_]:
    """Read windows with enough ink of joins (2, k) between borders (cuts, h, 32); gives at most `samples_per_page`."""
    lowest, most = sampling.misaligned_px, sampling.samples_per_page
    places = np.arange(lowest, right.shape[1] - SAMPLE_PX - lowest + 1, sampling.row_step_px)
    on_right = rng.choice(places, joins.shape[1])
    on_left = on_right + rng.integers(-lowest, lowest + 1, joins.shape[1])
    before = [np.pad(np.cumsum(border.sum(axis=2), axis=1), ((0, 0), (1, 0))) for border in (right, left)]
    ink = sum(
        rows[which, at + SAMPLE_PX] - rows[which, at]
        for rows, which, at in zip(before, joins, (on_right, on_left), strict=True)
    )
    enough = np.flatnonzero(ink >= sampling.least_ink * SAMPLE_PX * 2 * BORDER_WIDTH_PX)[:most]
    down = np.arange(SAMPLE_PX)
    halves = [
        border[which[enough, None], at[enough, None] + down]
        for border, which, at in zip((right, left), joins, (on_right, on_left), strict=True)
    ]
    return np.concatenate(halves, axis=2)


def _with_noise(rng: np.random.Generator, seams: NDArray[np.bool_], noisy_px: int) -> NDArray[np.bool_]:
    """Replace pixels beside the cut by salt and pepper, of each sample another share."""
    beside = slice(BORDER_WIDTH_PX - noisy_px, BORDER_WIDTH_PX + noisy_px)
    shape = seams[:, :, beside].shape
    replaced = rng.random(shape, dtype=np.float32) < rng.random((len(seams), 1, 1), dtype=np.float32)
    seams[:, :, beside] = np.where(replaced, rng.random(shape, dtype=np.float32) < 0.5, seams[:, :, beside])
    return seams
