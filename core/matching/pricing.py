"""Candidates priced exactly: by all cues together, at one shift.

Strangers can look alike to each cue at a shift of its own; neighbours look alike to all of them at the same. So every
cue is reckoned at the few shifts around the one at which a join looked best roughly, and the sum decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Indices, Mask
from core.embedding.geometry import STRIDE_PX
from core.matching.candidates.find import Candidates
from core.matching.candidates.products import products_of
from core.matching.candidates.tiles import COMPARING, POOLED_ROWS, Profile
from core.matching.contour import (
    TELLS_SHIFT,
    contour_weight,
    independent_rows,
    log_ratio_of_contours,
    vertex,
    waves,
)
from core.matching.costs import Costs
from core.matching.laying import Laying, unlike_ways_up
from core.matching.layout import ink_by_row, log_ratio_of_lines, profiles
from core.matching.poses import Edges, Value, in_both_poses
from core.matching.tone import WEIGHT as TONE_WEIGHT
from core.matching.tone import Sampled, Tones, likelier_tones, sample_tones
from core.options import CostOptions
from core.parallel import HERE, Workers, in_blocks
from core.progress import Progress, no_progress, part
from core.shreds.borders import Borders
from core.shreds.deskew import row_extents
from core.shreds.shred import Shred, upright
from core.system.interim import NOWHERE, Interim
from core.system.spool import let_go

FINE_ROWS = (0, -1, 1, -2, 2)
"""Shifts around the rough one that are tried; the first of equally good ones wins."""

JOINS_AT_ONCE = 16_384
"""So many joins a core prices at a time."""

Beside: TypeAlias = tuple[tuple[Indices, Indices, Indices], Sampled]
"""Where the paper of a shred ends row by row, and how bright it is there."""


@dataclass(frozen=True, eq=False)
class Readings:
    """What is read along the edges of n shreds beside ink.

    Attributes
    ----------
    right, left : ndarray of shape (n, rows), float32
        Columns at which the paper ends, nan where there is none.
    height_px : float
        Median height of the shreds.
    tones : tuple of two Tones
        Grey tones, right and left.
    """

    right: Floats
    left: Floats
    height_px: float
    tones: tuple[Tones, Tones]

    def of(self, chosen: Sequence[int]) -> "Readings":
        """Select some of the shreds.

        Parameters
        ----------
        chosen : sequence of int
            Indices of k shreds.

        Returns
        -------
        Readings
            Of these k, in their order.
        """
        rows = list(chosen)
        right, left = (Tones(*(getattr(tones, field.name)[rows] for field in fields(Tones))) for tones in self.tones)
        return replace(self, right=self.right[rows], left=self.left[rows], tones=(right, left))


@dataclass(frozen=True, eq=False)
class Marks:
    """What is compared beside the embeddings, along both edges of k poses.

    Attributes
    ----------
    lines : tuple of two ndarray of shape (k, rows), float32, or None
        Profiles of the lines of print, right and left; None if they are not compared.
    waves : tuple of two ndarray of shape (k, rows), float32, or None
        Waves of the contours.
    n_free : float
        How many rows of a contour are independent.
    tones : tuple of two Tones, or None
        Grey tones.
    """

    lines: tuple[Floats, Floats] | None
    waves: tuple[Floats, Floats] | None
    n_free: float
    tones: tuple[Tones, Tones] | None

    @property
    def profiles(self) -> list[Profile]:
        """What correlates at any shift, for `core.matching.candidates.find`."""
        found: list[Profile] = [(*self.lines, log_ratio_of_lines)] if self.lines is not None else []
        if self.waves is not None:
            found.append((*self.waves, partial(log_ratio_of_contours, n_free=self.n_free)))
        return found


def read_beside_ink(shred: Shred) -> Beside:
    """Read along the edges of a shred what is compared beside the embeddings.

    Parameters
    ----------
    shred : Shred
        As it lies.

    Returns
    -------
    Beside
        Its rows with paper, with the columns at which it begins and ends, and its brightness along both.
    """
    extents = row_extents(upright(shred)[1])
    return extents, sample_tones(shred, extents)


def marks_of(
    readings: Readings,
    borders: Borders,
    options: CostOptions,
    *,
    both_ways: bool,
    progress: Progress = no_progress,
) -> Marks:
    """Make ready to be compared what was read.

    Parameters
    ----------
    readings : Readings
        Of n shreds as they lie.
    borders : Borders
        Theirs.
    options : CostOptions
        Which cues count.
    both_ways : bool
        Whether they are compared half-turned, too.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Marks
        Of n poses, or of 2 n.
    """
    n = len(readings.right)
    lines = contours = tones = None
    n_free = 1.0
    if options.use_lines:
        right = ink_by_row(borders.right, part(progress, 0.0, 0.2))
        left = ink_by_row(borders.left, part(progress, 0.2, 0.4))
        lines = profiles(right), profiles(left)
        if both_ways:
            lines = _behind(lines, (profiles(left[:, ::-1]), profiles(right[:, ::-1])))
    if options.use_contour:
        right, left = readings.right, readings.left
        contours = waves(right, 1, part(progress, 0.4, 0.55)), waves(left, 1, part(progress, 0.55, 0.7))
        if both_ways:
            # Half-turned, what stands out at an edge still does, but to the other side.
            turned_right = waves(left[:, ::-1], -1, part(progress, 0.7, 0.85))
            turned_left = waves(right[:, ::-1], -1, part(progress, 0.85, 1.0))
            contours = _behind(contours, (turned_right, turned_left))
        let_go(right, left)
        n_free = independent_rows(contours[0][:n], contours[1][:n], readings.height_px)
    if options.use_tone:
        tones = of_right, of_left = readings.tones
        if both_ways:
            pairs = [in_both_poses(getattr(of_right, one.name), getattr(of_left, one.name)) for one in fields(Tones)]
            tones = Tones(*(pair[0] for pair in pairs)), Tones(*(pair[1] for pair in pairs))
    return Marks(lines, contours, n_free, tones)


def _behind(as_they_lie: tuple[Floats, Floats], half_turned: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Put what half-turned poses have on their right and left edges behind what the others have."""
    right, left = (np.concatenate(pair) for pair in zip(as_they_lie, half_turned, strict=True))
    return right, left


def price(
    edges: Edges,
    candidates: Candidates,
    marks: Marks,
    upright: Floats,
    laying: Laying,
    progress: Progress = no_progress,
    interim: Interim = NOWHERE,
    workers: Workers = HERE,
) -> Costs:
    """Price candidates by all cues.

    Parameters
    ----------
    edges : Edges
        Embeddings of 2 n poses.
    candidates : Candidates
        m joins.
    marks : Marks
        Of the same n shreds.
    upright : ndarray of shape (n,), float32
        Logarithm of the odds that a shred is the right way up as it lies.
    laying : Laying
        How far off neighbours lie.
    progress : Progress
        Fraction and text.
    interim : Interim
        Keeps how far that is.
    workers : Workers
        See `core.matching.candidates.products.products_of`.

    Returns
    -------
    Costs
        Of 2 n poses, the candidates and their twins. Shifts are those of the common frame, half-turned as a whole.
    """
    n = len(edges.right) // 2
    shifts = candidates.shift_rows[:, None] + np.array(FINE_ROWS, dtype=np.int16)
    from_heights = laying.from_heights(shifts, candidates.left, candidates.right)
    multiply = partial(products_of, candidates, around=FINE_ROWS, interim=interim, workers=workers)
    products = multiply(edges.right, edges.left, progress=part(progress, 0.0, 0.7), what="ink", release=edges.let_go)
    ink = _ink(edges, candidates, shifts, from_heights, products)
    rest = part(progress, 0.7, 1.0)
    to_blank, from_blank = (
        (up_to[:, -1] + edges.n_rows * edges.of_blank).astype(np.float32) for up_to in edges.above_blank
    )
    left, right, which = candidates.with_twins(n)

    def costs_at(values: Floats) -> Costs:
        cost = values.min(axis=1)[which]
        return Costs(left, right, cost, np.zeros(len(cost), np.int16), to_blank, from_blank)

    by_ink = costs_at(ink)
    ratios: dict[str, Floats] = {}
    correlations = None
    if marks.waves is not None:
        correlations = multiply(*marks.waves, progress=part(rest, 0.0, 0.4), what="contours")
        ratio = log_ratio_of_contours(correlations, marks.n_free)
        ratios["contour"] = ratio * np.float32(contour_weight(by_ink, ratio.min(axis=1)[which]))
    if marks.tones is not None:
        of_tones = part(rest, 0.8, 1.0)
        toned = likelier_tones(*marks.tones, candidates.left, candidates.right, shifts * STRIDE_PX, of_tones)
        ratios["tone"] = np.float32(TONE_WEIGHT) * toned
    if marks.lines is not None:
        of_lines = multiply(*marks.lines, progress=part(rest, 0.4, 0.8), what="lines")
        ratios["lines"] = log_ratio_of_lines(of_lines)
    total = ink + np.float32(by_ink.temperature) * sum(ratios.values(), np.zeros_like(ink))
    upright = np.concatenate([upright, -upright])
    same_way = unlike_ways_up(upright[candidates.left], upright[candidates.right])
    ratios["laying"] = same_way[:, None] + laying.log_ratio(from_heights)
    total += np.float32(by_ink.temperature) * ratios["laying"]
    best = total.argmin(axis=1)[:, None]

    def at_best(values: NDArray[Value]) -> NDArray[Value]:
        return np.asarray(np.take_along_axis(values, best, axis=1)[:, 0], dtype=values.dtype)

    shift_px = (at_best(shifts) * np.int16(STRIDE_PX)).astype(np.int16)
    temperature = by_ink.temperature
    if correlations is not None:
        shift_px += _between_rows(correlations, best[:, 0], at_best(ratios["contour"]) < -TELLS_SHIFT)
    more: dict[str, Any] = {
        cue: (np.float32(temperature) * at_best(ratio)).astype(np.float32)[which] for cue, ratio in ratios.items()
    }
    return replace(costs_at(total), shift_px=shift_px[which], temperature=temperature, upright=upright, **more)


def about_own_centres(costs: Costs, shreds: Sequence[Shred], borders: Borders) -> Costs:
    """Reckon shifts as shreds are drawn: half-turned about their own centres, not about the middle of the frame.

    Parameters
    ----------
    costs : Costs
        From `price`.
    shreds : sequence of Shred
        n of them, as they lie.
    borders : Borders
        Theirs.

    Returns
    -------
    Costs
        With other shifts.
    """
    lower = _twice_below_middle(shreds, borders)
    lower = np.concatenate([np.zeros_like(lower), lower])
    return replace(costs, shift_px=costs.shift_px + lower[costs.left] - lower[costs.right])


def heights_of(shreds: Sequence[Shred], borders: Borders) -> NDArray[np.int16]:
    """Compute how far shreds must be moved for the middle of each to lie in the middle of the frame.

    Shreds of one page are equally long, and pages of several sizes may be mixed: half-turned about the middle of a
    frame that holds all, those of the shorter ones come to lie elsewhere.

    Parameters
    ----------
    shreds : sequence of Shred
        n of them, as they lie.
    borders : Borders
        Theirs.

    Returns
    -------
    ndarray of shape (2 n,), int16
        By so many rows of embeddings each pose is to be moved down: such that rows which are compared roughly together
        stay together.
    """
    pooled_px = STRIDE_PX * POOLED_ROWS
    down = np.rint(-_twice_below_middle(shreds, borders) / (2 * pooled_px)).astype(np.int16) * np.int16(POOLED_ROWS)
    return np.concatenate([down, -down])


def _twice_below_middle(shreds: Sequence[Shred], borders: Borders) -> NDArray[np.int16]:
    """Compute by how much shreds lie below the middle of the frame, twice: in half pixels, (n,)."""
    middle = 2 * borders.frame_top_px + borders.right.shape[1] - 1
    return np.array([2 * shred.frame_top_px + shred.height_px - 1 - middle for shred in shreds], dtype=np.int16)


def _ink(
    edges: Edges,
    candidates: Candidates,
    shifts: NDArray[np.int16],
    from_heights: NDArray[np.int16],
    products: Floats,
) -> Floats:
    """Compute the distances of embeddings at some shifts of every candidate from their products, (m, shifts)."""
    n_rows, up_to = edges.n_rows, edges.above_blank
    ink = np.empty(products.shape, dtype=np.float32)

    def fill(some: slice) -> None:
        left, right = candidates.left[some, None], candidates.right[some, None]
        down, up = np.maximum(shifts[some], 0), np.maximum(-shifts[some], 0)
        alone = up_to[0][left, n_rows - up] - up_to[0][left, down]
        alone += up_to[1][right, n_rows - down] - up_to[1][right, up]
        # What has no counterpart is taken to differ as much as the rest.
        above = (alone - 2 * products[some]) * (n_rows / (n_rows - np.abs(from_heights[some])))
        ink[some] = n_rows * edges.of_blank + above

    in_blocks(fill, len(products), COMPARING, size=JOINS_AT_ONCE)
    return ink


def _between_rows(correlations: Floats, best: NDArray[np.intp], telling: Mask) -> NDArray[np.int16]:
    """Find the vertex of the parabola through the best shift of contours and its two neighbours, in pixels."""
    order = np.argsort(FINE_ROWS)
    place = np.argsort(order)[best]
    inside = telling & (place > 0) & (place < len(order) - 1)
    at = np.arange(len(best))
    before, here, after = (correlations[at, order[np.clip(place + step, 0, len(order) - 1)]] for step in (-1, 0, 1))
    return np.where(inside, np.rint(STRIDE_PX * vertex(before, here, after)), 0).astype(np.int16)
