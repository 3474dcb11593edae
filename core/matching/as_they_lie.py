"""All shreds compared as they lie, each cue at its own shift; of many shreds the best joins of each border are kept."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.matching.contour import Contours, combine, contour_costs
from core.matching.costs import Costs
from core.matching.layout import line_costs
from core.matching.many import Told, best_of_many
from core.matching.pricing import Marks
from core.matching.tone import WEIGHT as TONE_WEIGHT
from core.matching.tone import Chance, measure, tone_costs
from core.parallel import HERE, Workers
from core.progress import Progress, no_progress, part
from core.system.interim import NOWHERE, Interim

if TYPE_CHECKING:  # importing it would load Keras
    from core.matching.ink import Ink

EVERY = 1500
"""Of so many shreds all joins are kept."""

WEIGHTS = {"tone": TONE_WEIGHT, "lines": 1.0}
"""How much each cue counts; contours are judged by the ink."""

Priced = tuple[Costs, Costs, Contours | None]
"""Costs by all cues, those by ink alone, and how well contours fit."""


def price_as_they_lie(
    ink: "Ink",
    marks: Marks,
    max_shift_rows: int,
    progress: Progress = no_progress,
    workers: Workers = HERE,
    interim: Interim = NOWHERE,
) -> Priced:
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
    workers : Workers
        Find the candidates of many.
    interim : Interim
        Keeps how far that is.

    Returns
    -------
    Costs
        By all cues.
    Costs
        Of the same joins, by ink alone.
    Contours or None
        Of the same joins; None if contours are not compared.
    """
    told = (
        _every(ink, marks, max_shift_rows, progress)
        if len(ink.to_blank) <= EVERY
        else best_of_many(ink, marks, max_shift_rows, progress, workers, interim)
    )
    by_ink = Costs(told["left"], told["right"], told["ink"], told["shift_px"], ink.to_blank, ink.from_blank)
    return _together(by_ink, told)


def _every(ink: "Ink", marks: Marks, max_shift_rows: int, progress: Progress) -> Told:
    """Compare every shred with every other, tile by tile."""
    n, chance = len(ink.to_blank), marks.tones and measure(*marks.tones)
    matrices: dict[str, NDArray[Any]] = {}
    for i, j, of_ink, shift_px in ink.tiles(part(progress, 0.0, 0.95)):
        of_tile: Told = {"ink": of_ink, "shift_px": shift_px}
        of_tile |= _beside_ink(marks, chance, i, j, max_shift_rows)
        for name, values in of_tile.items():
            matrices.setdefault(name, np.zeros((n, n), values.dtype))[i, j] = values
    left, right = np.nonzero(~np.eye(n, dtype=np.bool_))
    joins = {"left": left.astype(np.int32), "right": right.astype(np.int32)}
    return joins | {name: values[left, right] for name, values in matrices.items()}


def _together(by_ink: Costs, told: Told) -> Priced:
    """Add up the cues."""
    costs, contours = by_ink, None
    if "contour" in told:
        contours = Contours(told["contour"], told["contour_px"])
        costs = combine(by_ink, contours)
    for cue, weight in WEIGHTS.items():
        costs = costs.plus(cue, told[cue], weight) if cue in told else costs
    return costs, by_ink, contours


def _beside_ink(marks: Marks, chance: Chance | None, i: slice, j: slice, max_shift_rows: int) -> Told:
    """Compare what is read beside ink along some right and some left edges; (p, q) each."""
    found: Told = {}
    if marks.waves is not None:
        found["contour"], found["contour_px"] = contour_costs(marks.waves[0][i], marks.waves[1][j], marks.n_free)
    if marks.tones is not None and chance is not None:
        found["tone"] = tone_costs(marks.tones[0].of(i), marks.tones[1].of(j), chance)
    if marks.lines is not None:
        found["lines"] = line_costs(marks.lines[0][i], marks.lines[1][j], max_shift_rows)
    return found
