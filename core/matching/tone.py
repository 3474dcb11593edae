"""Grey tones along the cut: in photographs and drawings in shades, tones go on from one side of a cut to the other.

Ink says little inside a photograph, where every threshold leaves specks. So where a border is *toned*, that is, hardly
any of it as bright as paper, the mean brightness beside the cut is compared row by row. By how much the two sides of a
cut differ is measured inside the shreds, a few columns apart; by how much strangers differ, on tones drawn at random.
With Laplace's distribution for both, the logarithm of the likelihood ratio is linear in the differences of brightness.

A tone is written as a row of thresholds, 1 for each that it passes: then the difference of two tones is the number of
thresholds at which they disagree, and sums of differences of all pairs are one matrix product per shift, as in
`core.matching.ink`. Text is not toned; pages without pictures cost nothing here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d, uniform_filter1d

from core.arrays import Floats, Indices, Mask, Pixels
from core.matching.poses import PREPARING
from core.matching.shifts import overlap, shifts_up_to
from core.parallel import in_blocks
from core.progress import Progress, no_progress, part
from core.shreds.shred import BORDER_WIDTH_PX, Shred, upright
from core.system.spool import let_go
from core.wording import QT_TRANSLATE_NOOP

_COMPARING = QT_TRANSLATE_NOOP("progress", "Comparing tones")

STEP_PX = 8
"""Rows between two samples, and between two shifts that are tried."""

SMOOTH_PX = 4.0
"""Standard deviation of the smoothing down the cut: the dots of a halftone become a tone."""

BESIDE_CUT_PX = (2, 8)
"""The tone at the cut is the mean over these columns, counted from the paper's edge; the outermost are worn."""

FARTHER_PX = (10, 16)
"""The tone that lies as far from that one as the tone across the cut does."""

TONED = 0.7
"""A border is toned at a row if three quarters of its pixels around there are darker than this share of paper."""

TINT = 30
"""Channels of coloured paper differ by more than this; those of white paper by less, however it was scanned."""

WINDOW_ROWS = 33
"""Rows over which that is asked."""

LEAST_ROWS = 5
"""Samples that a border must have toned to be compared."""

N_THRESHOLDS = 8

FARTHEST_ROWS = 12
"""Samples farther apart than this do not depend on each other."""

N_STRANGERS = 20_000

WEIGHT = 0.15
"""The encoder has seen much of the same: with more weight, what both see would count twice."""

JOINS_AT_ONCE = 2048
"""Of so many the brightness along both borders is held in memory."""


@dataclass(frozen=True, eq=False)
class Tones:
    """Brightness along one border of n shreds, by samples down the common frame.

    Both tones have the shape (n, rows); `toned` tells where they are to be compared.
    """

    beside: Floats
    farther: Floats
    toned: Mask

    def of(self, chosen: slice) -> "Tones":
        """Select some of the shreds."""
        return Tones(self.beside[chosen], self.farther[chosen], self.toned[chosen])


@dataclass(frozen=True, eq=False)
class Sampled:
    """Brightness along both edges of a shred: of its `rows` with paper, and of the paper itself.

    `right` and `left` have the shape (3, rows): what three of four pixels do not exceed, at the cut, and farther in.
    """

    rows: Indices
    paper: float
    right: Floats
    left: Floats


@dataclass(frozen=True)
class Chance:
    """How far tones of two sides of a cut, and those of strangers, differ on average; and samples to a free one."""

    neighbours: float
    strangers: float
    samples_per_free: float


def tone_costs(right: Tones, left: Tones, chance: Chance, max_shift_px: int = 24) -> Floats:
    """Compare the tones along some right borders with those along some left borders, all with all.

    Parameters
    ----------
    right, left : Tones
        From `tones_of`, of p and of q borders.
    chance : Chance
        What tones of the whole set differ by.
    max_shift_px : int
        Largest vertical shift; multiples of 8 px are tried.

    Returns
    -------
    ndarray of shape (p, q), float32
        Minus the logarithm of how much likelier the tones are as two sides of one cut than as strangers, at the best
        shift; 0 where neither is toned.
    """
    if right.toned.any() or left.toned.any():
        return _least(right, left, max_shift_px // STEP_PX, chance)
    return np.zeros((len(right.toned), len(left.toned)), dtype=np.float32)


def likelier_tones(
    right: Tones,
    left: Tones,
    of_right: NDArray[np.integer[Any]],
    of_left: NDArray[np.integer[Any]],
    shifts_px: NDArray[np.integer[Any]],
    progress: Progress = no_progress,
) -> Floats:
    """Compare the tones of some joins at some shifts.

    Parameters
    ----------
    right, left : Tones
        Along the right and the left borders.
    of_right, of_left : ndarray of shape (m,), int
        Which right border meets which left one.
    shifts_px : ndarray of shape (m, k), int
        By how much the left border is moved down.
    progress : Progress
        Fraction and text.

    Returns
    -------
    ndarray of shape (m, k), float32
        As `tone_costs` gives, for each shift, to the nearest 8 px.
    """
    found = np.zeros(shifts_px.shape, dtype=np.float32)
    chance = measure(right, left)
    if chance is None:
        return found
    right_toned, left_toned = np.any(right.toned, axis=1), np.any(left.toned, axis=1)
    toned = right_toned[of_right] | left_toned[of_left]
    gain = np.log(chance.strangers / chance.neighbours)
    loss = 1 / chance.neighbours - 1 / chance.strangers
    n_rows = right.beside.shape[1]
    joins = np.flatnonzero(toned)
    shifts = np.rint(shifts_px[joins] / STEP_PX).astype(np.intp)

    def compare(shift: int, which: Indices, step: Indices, some: slice) -> None:
        rows, others = overlap(shift, max(0, n_rows - abs(shift)))
        at, step = joins[which[some]], step[some]
        i, j = of_right[at], of_left[at]
        there = right.toned[i, rows] | left.toned[j, others]
        difference = (np.abs(right.beside[i, rows] - left.beside[j, others]) * there).sum(axis=1)
        found[at, step] = (loss * difference - gain * there.sum(axis=1)) / chance.samples_per_free

    for number, shift in enumerate(every := np.unique(shifts).tolist()):
        which, step = np.nonzero(shifts == shift)
        of_shift = part(progress, number / len(every), (number + 1) / len(every))
        in_blocks(partial(compare, shift, which, step), len(which), _COMPARING, of_shift, size=JOINS_AT_ONCE)
    return found


def sample_tones(shred: Shred, extents: tuple[Indices, Indices, Indices]) -> Sampled:
    """Read the brightness along both edges of a shred.

    Parameters
    ----------
    shred : Shred
        As it lies.
    extents : tuple of three ndarray of shape (k,), intp
        From `core.shreds.deskew.row_extents`, of its mask as `core.shreds.shred.upright` gives it.

    Returns
    -------
    Sampled
        Of its k rows.
    """
    some = shred.pixels[::8, ::2][shred.mask[::8, ::2]]
    # Paper is as bright as nine of ten pixels do not exceed; coloured paper, in one channel, as bright as white.
    colour = np.percentile(some, 90, axis=0) if len(some) else np.full(3, 255.0)
    pixels = np.ascontiguousarray(upright(shred)[0])
    if np.ptp(colour) > TINT:
        grey, paper = pixels[..., colour.argmax()], float(colour.max())
    else:
        grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.uint8)
        mean = (some[:, 0] + some[:, 1].astype(np.float64) + some[:, 2]) / 3
        paper = float(np.percentile(mean, 90)) if len(some) else 255.0
    rows, first, last = extents
    return Sampled(rows, paper, _beside(grey, rows, last, -1), _beside(grey, rows, first, 1))


def _beside(grey: Pixels, rows: Indices, edge: Indices, inwards: int) -> Floats:
    """Read how bright a border is, all of it and in both strips, row by row; (3, k)."""
    around = np.pad(grey, ((0, 0), (BORDER_WIDTH_PX, BORDER_WIDTH_PX)), mode="edge")
    start = edge + BORDER_WIDTH_PX + 1 if inwards > 0 else edge
    border = sliding_window_view(around, BORDER_WIDTH_PX, axis=1)[rows, start][:, ::inwards]
    quarter = 3 * BORDER_WIDTH_PX // 4
    strips = (border[:, first - 1 : stop - 1] for first, stop in (BESIDE_CUT_PX, FARTHER_PX))
    means = (strip.mean(axis=1, dtype=np.float32) for strip in strips)
    return np.stack([np.partition(border, quarter, axis=1)[:, quarter], *means]).astype(np.float32)


def brightness_in_frame(sampled: Sequence[Sampled], tops_px: Sequence[int], height_px: int) -> Floats:
    """Put the brightness along edges in its place.

    Parameters
    ----------
    sampled : sequence of Sampled
        Of n shreds.
    tops_px : sequence of int
        Row of the frame in which each begins.
    height_px : int
        Number of the frame's rows.

    Returns
    -------
    ndarray of shape (n, 2, 3, height_px), float32
        As of `Sampled`, right and left; nan where there is no paper.
    """
    brightness = np.full((len(sampled), 2, 3, height_px), np.nan, dtype=np.float32)
    for frame, of_shred, top_px in zip(brightness, sampled, tops_px, strict=True):
        frame[0][:, top_px + of_shred.rows], frame[1][:, top_px + of_shred.rows] = of_shred.right, of_shred.left
    return brightness


def tones_of(brightness: Floats, paper: float, progress: Progress = no_progress) -> tuple[Tones, Tones]:
    """Find where the brightness along edges is toned.

    Parameters
    ----------
    brightness : ndarray of shape (n, 2, 3, rows), float32
        From `brightness_in_frame`.
    paper : float
        How bright paper is: the median of `Sampled`.
    progress : Progress
        Fraction and text.

    Returns
    -------
    right, left : Tones
        Of the n shreds.
    """
    n, n_samples = len(brightness), len(range(0, brightness.shape[-1], STEP_PX))
    beside, farther = np.empty((2, 2, n, n_samples), dtype=np.float32)
    toned = np.empty((2, n, n_samples), dtype=np.bool_)

    def along(some: slice) -> None:
        values = np.moveaxis(brightness[some], 0, 2)  # (2, 3, k, rows)
        frame = np.where(np.isnan(values), np.float32(paper), values)
        dark = (uniform_filter1d(frame[:, 0], WINDOW_ROWS) < TONED * paper)[..., ::STEP_PX]
        toned[:, some] = dark & (dark.sum(axis=-1, keepdims=True) >= LEAST_ROWS)
        for found, strip in ((beside, 1), (farther, 2)):
            found[:, some] = gaussian_filter1d(frame[:, strip], SMOOTH_PX)[..., ::STEP_PX]

    in_blocks(along, n, PREPARING, progress, lambda: let_go(brightness))
    of_right, of_left = (Tones(*of_side) for of_side in zip(beside, farther, toned, strict=True))
    return of_right, of_left


def measure(right: Tones, left: Tones) -> Chance | None:
    """Measure how far neighbouring and strange tones differ, and over how many samples a difference goes on.

    Parameters
    ----------
    right, left : Tones
        Of a whole set.

    Returns
    -------
    Chance or None
        What tones differ by; None where they are no evidence.
    """
    toned = np.concatenate([right.toned, left.toned])
    if not right.toned.any() or not left.toned.any():
        return None
    beside, farther = (np.concatenate([getattr(right, name), getattr(left, name)]) for name in ("beside", "farther"))
    neighbours = np.abs(beside - farther)[toned]
    rng = np.random.default_rng(0)
    one, other = (rng.choice(beside[toned], N_STRANGERS) for _ in range(2))
    strangers = float(np.abs(one - other).mean())
    difference = (beside - farther) * toned
    lags = range(1, min(FARTHEST_ROWS, difference.shape[1]))
    together = sum(float(np.vdot(difference[:, :-lag], difference[:, lag:])) for lag in lags)
    alone = max(float(np.vdot(difference, difference)), 1e-6)
    chance = Chance(float(max(neighbours.mean(), 1.0)), strangers, max(1.0, 1 + 2 * together / alone))
    return chance if chance.neighbours < chance.strangers else None


def _least(right: Tones, left: Tones, max_shift_rows: int, chance: Chance) -> Floats:
    """Compare p right with q left borders at the best shift; returns (p, q)."""
    n_rows = right.beside.shape[1]
    gain = np.log(chance.strangers / chance.neighbours)
    loss = 1 / chance.neighbours - 1 / chance.strangers
    least = np.full((len(right.beside), len(left.beside)), np.inf, dtype=np.float32)
    for shift in shifts_up_to(max_shift_rows, n_rows):
        of_right, of_left = overlap(shift, n_rows - abs(shift))
        r, l_ = right.beside[:, of_right], left.beside[:, of_left]
        r_toned, l_toned = right.toned[:, of_right], left.toned[:, of_left]
        # Rows where the right border is toned, and those where only the left one is.
        difference, n_samples = _differences(r, r_toned, l_, np.ones_like(l_toned))
        more, n_more = _differences(r, ~r_toned, l_, l_toned)
        cost = (loss * (difference + more) - gain * (n_samples + n_more)) / chance.samples_per_free
        least = np.minimum(least, cost.astype(np.float32))
    return least


def _differences(right: Floats, right_chosen: Mask, left: Floats, left_chosen: Mask) -> tuple[Floats, Floats]:
    """Sum |right - left| over the rows that are chosen on both sides, for all pairs, and count those rows."""
    sums, counts = np.zeros((2, len(right), len(left)), dtype=np.float32)
    rows = np.flatnonzero(right_chosen.any(axis=0) & left_chosen.any(axis=0))
    if not rows.size:
        return sums, counts
    r_some, l_some = (np.flatnonzero(chosen[:, rows].any(axis=1)) for chosen in (right_chosen, left_chosen))
    step = 256 / N_THRESHOLDS
    thresholds = (np.arange(N_THRESHOLDS, dtype=np.float32) + 0.5) * step

    def encode(tones: Floats, there: Mask) -> Floats:
        return ((tones[..., None] > thresholds) & there[..., None]).astype(np.float32)

    r_there, l_there = right_chosen[np.ix_(r_some, rows)], left_chosen[np.ix_(l_some, rows)]
    r_code, l_code = encode(right[np.ix_(r_some, rows)], r_there), encode(left[np.ix_(l_some, rows)], l_there)
    agree = r_code.reshape(len(r_some), len(rows) * N_THRESHOLDS) @ l_code.reshape(len(l_some), -1).T
    r_count, l_count = r_there.astype(np.float32), l_there.astype(np.float32)
    pairs = np.ix_(r_some, l_some)
    sums[pairs] = step * (r_code.sum(axis=2) @ l_count.T + r_count @ l_code.sum(axis=2).T - 2 * agree)
    counts[pairs] = r_count @ l_count.T
    return sums, counts
