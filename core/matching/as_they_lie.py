"""All shreds compared as they lie, each cue at its own shift; of many shreds the best joins of every border are kept.

Joins are priced tile by tile, exactly and by all cues: what is kept is not chosen by less than it is judged by.
"""

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import Indices
from core.matching.contour import Contours, combine, contour_costs
from core.matching.costs import Costs, temperature_of
from core.matching.layout import line_costs
from core.matching.lowest import Nearest
from core.matching.pricing import Marks
from core.matching.tone import WEIGHT as TONE_WEIGHT
from core.matching.tone import Chance, measure, tone_costs
from core.progress import Progress, no_progress, part

if TYPE_CHECKING:  # importing it would load Keras
    from core.matching.ink import Ink

EVERY = 1500
"""Of so many shreds all joins are kept."""

PER_BORDER = 64
"""Of more, so many of each border: on 1,128 real shreds the true neighbour is always among so many by ink alone."""

TILE_SHREDS = 1024

N_SAMPLED = 128
"""Borders by which the temperature of ink is estimated, for the choice among many shreds."""

WEIGHTS = {"contour": 1.0, "tone": TONE_WEIGHT, "lines": 1.0}
"""How much each cue counts; contours are judged by the ink later."""

Priced = tuple[Costs, Costs, Contours | None]
"""Costs by all cues, those by ink alone, and how well contours fit."""


def price_as_they_lie(ink: "Ink", marks: Marks, max_shift_rows: int, progress: Progress = no_progress) -> Priced:
    """Price the joins of n shreds as they lie.

    Parameters
    ----------
    ink : Ink
        The embeddings of the n shreds.
    marks : Marks
        What is compared beside them.
    max_shift_rows : int
        Largest shift of lines of print.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Costs
        By all cues.
    Costs
        Of the same joins, by ink alone.
    Contours or None
        Of the same joins; None if contours are not compared.
    """
    n, chance = len(ink.to_blank), marks.tones and measure(*marks.tones)
    few = n <= EVERY
    temperature = np.float32(0 if few else _temperature(ink))
    nearest = Nearest(2 * n, None if few else PER_BORDER)
    told: list[str] = []
    for rows, columns, of_ink, shift_px in ink.tiles(part(progress, 0.0, 0.95)):
        for i, j, inside in _parts(rows, columns, of_ink.shape):
            beside = _beside_ink(marks, chance, i, j, max_shift_rows)
            told = list(beside)
            score = of_ink[inside] + temperature * sum(
                (beside[cue] * np.float32(weight) for cue, weight in WEIGHTS.items() if cue in beside), np.float32(0)
            )
            score[_own(i, j)] = np.inf
            nearest.add(i, n + j, score, [of_ink[inside], shift_px[inside], *beside.values()])
    left, right, _, *values = nearest.kept()
    cost, shift_px, *more = values
    joins = left.astype(np.int32), (right - n).astype(np.int32)
    by_ink = Costs(*joins, cost, shift_px, ink.to_blank, ink.from_blank)
    return _together(by_ink, dict(zip(told, more, strict=True)))


def _together(by_ink: Costs, beside: dict[str, Any]) -> Priced:
    """Add up the cues."""
    costs, contours = by_ink, None
    if "contour" in beside:
        contours = Contours(beside["contour"], beside["contour_px"])
        costs = combine(by_ink, contours)
    for cue in ("tone", "lines"):
        costs = costs.plus(cue, beside[cue], WEIGHTS[cue]) if cue in beside else costs
    return costs, by_ink, contours


def _beside_ink(
    marks: Marks, chance: Chance | None, i: Indices, j: Indices, max_shift_rows: int
) -> dict[str, NDArray[Any]]:
    """Compare what is read beside ink along some right and some left edges; (p, q) each."""
    found: dict[str, NDArray[Any]] = {}
    if marks.waves is not None:
        found["contour"], found["contour_px"] = contour_costs(marks.waves[0][i], marks.waves[1][j], marks.n_free)
    if marks.tones is not None and chance is not None:
        found["tone"] = tone_costs(marks.tones[0].of(i), marks.tones[1].of(j), chance)
    if marks.lines is not None:
        found["lines"] = line_costs(marks.lines[0][i], marks.lines[1][j], max_shift_rows)
    return found


def _temperature(ink: "Ink") -> float:
    """Estimate the temperature of ink by some of the borders."""
    n = len(ink.to_blank)
    some = np.unique(np.linspace(0, n - 1, min(n, N_SAMPLED), dtype=np.intp))
    beside = np.column_stack([ink.of_rows(some), ink.to_blank[some]]).astype(np.float64)
    return temperature_of(np.sort(np.partition(beside, 1, axis=1)[:, :2], axis=1))


def _parts(
    rows: slice, columns: slice, shape: tuple[int, ...]
) -> Iterator[tuple[Indices, Indices, tuple[slice, slice]]]:
    """Divide a tile of ink, which may be a large one, into smaller ones; yields their borders, and where they lie."""
    for top, first in product(range(0, shape[0], TILE_SHREDS), range(0, shape[1], TILE_SHREDS)):
        inside = slice(top, min(top + TILE_SHREDS, shape[0])), slice(first, min(first + TILE_SHREDS, shape[1]))
        i, j = (
            start + np.arange(one.start, one.stop)
            for start, one in zip((rows.start, columns.start), inside, strict=True)
        )
        yield i, j, inside


def _own(i: Indices, j: Indices) -> tuple[Indices, Indices]:
    """Find where shreds stand beside themselves in a tile."""
    _, row, column = np.intersect1d(i, j, assume_unique=True, return_indices=True)
    return row, column
