"""Which shreds are the two faces of one piece of paper: their contours are mirror images of one another.

All are compared with all, as they would look turned over, and turned over and upside down; roughly, then the few likest
of each exactly. How like strangers are is measured on the set itself, on those that are not the likest of a face: real
cutters leave waves that resemble one another, and straight cuts resemble all others. By how much the likest stands out
is evidence, in nats: the highest of many likenesses exceeds a value by d with a chance of exp(-d / scale).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from core.arrangement.faces import FacePair
from core.arrays import Doubles, Floats, Indices, blocks
from core.faces.contours import ROUGH_STEP, STEP_PX, read_contours
from core.matching.contour import vertex
from core.matching.shifts import overlap
from core.progress import Progress, in_parts, no_progress, part
from core.shreds.shred import Shred
from core.wording import QT_TRANSLATE_NOOP

_COMPARING = QT_TRANSLATE_NOOP("progress", "Looking for the other faces")

MAX_SHIFT_PX = 64
"""By so much the middles of both faces lie apart at most: ends run off the scanner's bed."""

LARGEST_SHIFT = MAX_SHIFT_PX // (STEP_PX * ROUGH_STEP)
"""The same in samples of the rough comparison."""

COMPARED_AT_ONCE = 200_000
"""So many pairs, that progress is reported often."""

N_LIKEST = 8
"""So many of the likest of each face are compared exactly; the last of them tells how like strangers are."""

LEAST_LIKENESS = 0.6
"""Correlation of contours below which they are not believed to be of the same paper, however unlike all others are."""

LEAST_AMONG_TWO, MOST_HAVE_TWO = 0.45, 0.5
"""The same where at least this share of the faces has another one; then weaker waves are believed."""

LEAST_CHANCE, LEAST_SCALE = 0.35, 0.03
"""How like the last of the likest is taken to be at least, and the scale: few shreds do not tell what chance does."""

LIKENESS_RANGE = 2.0
"""Likenesses of the same paper, as Fisher's z, are anywhere in a range of this width."""

BELIEVED = 0.5
"""From this confidence on two faces are taken to be those of one paper."""

N_ROUNDS = 20
"""In so many rounds the share of faces that have another is found."""


@dataclass(frozen=True, eq=False)
class _Likest:
    """The faces that are likest to each face, the likest first; arrays of shape (n, k).

    Attributes
    ----------
    other : ndarray of intp
        Which it is.
    half_turn : ndarray of bool
        Whether it was compared upside down.
    lower : ndarray of float64
        By how many samples its contour lies lower than that of the one.
    likeness : ndarray of float64
        Correlation as Fisher's z, the inverse hyperbolic tangent.
    """

    other: Indices
    half_turn: NDArray[np.bool_]
    lower: Doubles
    likeness: Doubles


def find_faces(shreds: Sequence[Shred], progress: Progress = no_progress) -> tuple[FacePair, ...]:
    """Find which shreds are the two faces of one piece of paper, by their contours alone.

    Parameters
    ----------
    shreds : sequence of Shred
        Of all sheets, as they were found; scraps are left out, blank ones are not.
    progress : Progress
        Fraction and text.

    Returns
    -------
    tuple of FacePair
        In the order of the shreds; none is in two of them. Empty where all were scanned from one face, or where cuts
        are so straight that contours tell nothing.
    """
    faces = [shred for shred in shreds if not shred.scrap]
    if len(faces) < 2:
        return ()
    likest, lower_px = _compared(faces, progress)
    return tuple(_pair(faces, likest, lower_px, *found) for found in _believed(likest))


def pair_of(one: Shred, other: Shred) -> FacePair:
    """Find how two shreds lie that are said to be the faces of one piece of paper.

    Parameters
    ----------
    one, other : Shred
        As they were found; how alike their contours are does not matter.

    Returns
    -------
    FacePair
        At which their contours agree best, the one first; as sure as what is said is.
    """
    faces = one, other
    return _pair(faces, *_compared(faces, no_progress), 0, 0, 1.0)


def _compared(faces: Sequence[Shred], progress: Progress) -> tuple[_Likest, Doubles]:
    """Compare all faces with all; returns the likest of each, and how much lower these were found, in pixels."""
    waves, tops_px = read_contours(faces, part(progress, 0, 0.4))
    likest = _exact(waves, *_rough(waves, part(progress, 0.4, 0.9)), part(progress, 0.9, 1))
    middles_px = np.array([(face.height_px - 1) / 2 for face in faces])
    in_frame_px = np.array([face.frame_top_px for face in faces]) + middles_px
    in_waves_px = np.array(tops_px) + middles_px
    others_px, last_px = in_waves_px[likest.other], (waves.shape[2] - 1) * STEP_PX
    turned_px = np.where(likest.half_turn, last_px - others_px, others_px)
    # By so much the middle of the other is lower where both show the paper at the same height.
    apart_px = turned_px - likest.lower * STEP_PX - in_waves_px[:, None]
    return likest, in_frame_px[likest.other] - in_frame_px[:, None] - apart_px


def _pair(
    faces: Sequence[Shred], likest: _Likest, lower_px: Doubles, one: int, place: int, confidence: float
) -> FacePair:
    other = faces[likest.other[one, place]].id
    half_turn = bool(likest.half_turn[one, place])
    return FacePair(faces[one].id, other, half_turn, round(lower_px[one, place]), confidence)


def _turned_over(waves: Floats, half_turn: bool) -> Floats:
    """Return the waves (…, 2, k) of what is seen then: edges exchanged or, if upside down besides, reversed."""
    return waves[..., ::-1] if half_turn else waves[..., ::-1, :]


def _rough(waves: Floats, progress: Progress) -> tuple[Indices, NDArray[np.bool_], Indices]:
    """Compare all with all in coarse steps; returns the likest of each, whether half-turned, and how much lower."""
    n = len(waves)
    seen = _coarse(waves, part(progress, 0, 0.1))
    ones, *views = (one.reshape(n, -1) for one in (seen, _turned_over(seen, False), _turned_over(seen, True)))
    likest, lower = np.empty((2, n, min(N_LIKEST, 2 * n - 2)), np.intp)
    for block, here in in_parts(blocks(n, max(1, COMPARED_AT_ONCE // n)), part(progress, 0.1, 1)):
        itself = np.arange(block.stop - block.start), np.arange(n)[block]
        compared = [_at_best_shift(ones[block], view, of_view) for view, of_view in in_parts(views, here)]
        for likeness, _ in compared:
            likeness[itself] = -np.inf
        likeness, shifts = (np.concatenate(values, axis=1) for values in zip(*compared, strict=True))
        likest[block] = np.argpartition(-likeness, likest.shape[1] - 1, axis=1)[:, : likest.shape[1]]
        lower[block] = np.take_along_axis(shifts, likest[block], axis=1)
    return likest % n, likest >= n, lower * ROUGH_STEP


def _coarse(waves: Floats, progress: Progress) -> Floats:
    """Take few samples of the waves, smoothed by half as much as they are apart, with room for shifts about them."""
    room = (0, 0), (0, 0), (LARGEST_SHIFT, LARGEST_SHIFT)
    few = []
    for block, here in in_parts(blocks(len(waves)), progress):
        here(0, _COMPARING)
        few.append(gaussian_filter1d(waves[block], ROUGH_STEP / 2, axis=2, mode="constant")[..., ::ROUGH_STEP])
    return np.pad(np.concatenate(few), room)


def _at_best_shift(ones: Floats, others: Floats, progress: Progress) -> tuple[Floats, NDArray[np.int8]]:
    """Correlate p with n faces, the edges of each in a row; returns the highest and at which shifts, two of (p, n)."""
    best, at = np.full((len(ones), len(others)), -np.inf, np.float32), np.zeros((len(ones), len(others)), np.int8)
    inner = slice(LARGEST_SHIFT, -LARGEST_SHIFT)
    n_samples = ones[:, inner].shape[1]
    for start, here in in_parts(range(2 * LARGEST_SHIFT + 1), progress):
        here(0, _COMPARING)
        products = ones[:, inner] @ others[:, start : start + n_samples].T
        np.copyto(at, np.int8(start - LARGEST_SHIFT), where=products > best)
        np.maximum(best, products, out=best)
    return best, at


def _products(ones: Floats, others: Floats, shift: int) -> Floats:
    """Multiply the waves (p, 2, k) of some with those (n, 2, k) of others that lie so many samples lower."""
    of_ones, of_others = overlap(-shift, ones.shape[-1] - abs(shift))
    ones, others = ones[..., of_ones].reshape(len(ones), -1), others[..., of_others].reshape(len(others), -1)
    return np.asarray(ones @ others.T, np.float32)


def _exact(waves: Floats, others: Indices, half_turn: NDArray[np.bool_], about: Indices, progress: Progress) -> _Likest:
    """Compare the likest of each face sample by sample, at shifts about the rough ones, and put them in order."""
    lower, likeness = np.empty((2, *others.shape))
    steps = np.arange(-ROUGH_STEP, ROUGH_STEP + 1)
    for one, place in np.ndindex(others.shape):
        progress(one / len(waves), _COMPARING)
        view = _turned_over(waves[others[one, place], None], bool(half_turn[one, place]))
        products = np.array([_products(waves[one, None], view, int(about[one, place] + step)).item() for step in steps])
        at = int(products[1:-1].argmax()) + 1
        lower[one, place] = about[one, place] + steps[at] + vertex(*products[at - 1 : at + 2])
        likeness[one, place] = np.arctanh(min(products[at], 0.9999))
    order = np.argsort(-likeness, axis=1, kind="stable")
    others, half_turn, lower, likeness = (
        np.take_along_axis(values, order, axis=1) for values in (others, half_turn, lower, likeness)
    )
    return _Likest(others, half_turn, lower, likeness)


def _believed(likest: _Likest) -> list[tuple[int, int, float]]:
    """Decide which faces are of one paper: the one, the place of the other among its likest, and the confidence."""
    likely = _likelihoods(likest.likeness)
    best = likely.argmax(axis=1)
    pairs = []
    for one, place in enumerate(best):
        other = likest.other[one, place]
        confidence = float(min(likely[one, place], likely[other, best[other]]))
        if one < other and likest.other[other, best[other]] == one and confidence > BELIEVED:
            pairs.append((one, int(place), confidence))
    return pairs


def _likelihoods(likeness: Doubles) -> Doubles:
    """Compute how likely each of the likest (n, k) is the other face, by what chance does and how many have another.

    Of the k highest of many independent likenesses the j-th lies above the last by scale · (1/j + … + 1/(k - 1)), on
    average, however many there are (A. Rényi, 1953, doi:10.1007/BF02127580).
    """
    n, k = likeness.shape
    scale, last = np.full((n, 1), LEAST_SCALE), np.full((n, 1), LEAST_CHANCE)
    if k == N_LIKEST:
        # The first two are left out: the face that is looked for, and the same one scanned twice.
        spread = (likeness[:, 2:3] - likeness[:, -1:]) / (1 / np.arange(3, k)).sum()
        scale, last = np.maximum(spread, max(np.median(spread), LEAST_SCALE)), np.maximum(last, likeness[:, -1:])
    chance = last + scale * (1 / np.arange(1, k)).sum()
    evidence = (likeness - chance) / scale + np.log(scale / LIKENESS_RANGE)
    share, likely = 0.5, np.zeros_like(likeness)
    for number in range(N_ROUNDS):
        least = LEAST_LIKENESS if number < N_ROUNDS // 2 or share < MOST_HAVE_TWO else LEAST_AMONG_TWO
        weight = np.where(likeness > np.arctanh(least), evidence + np.log(share / (1 - share)), -np.inf)
        odds = np.exp(np.minimum(weight, 600))
        likely = odds / (1 + odds.sum(axis=1, keepdims=True))
        share = float((likely.sum() + 1) / (n + 2))
    return likely
