"""Shreds compared: their borders are read and embedded, and the joins between them priced by all cues."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from core.arrays import Floats, Mask, Pixels
from core.embedding.geometry import reversible_frame
from core.matching.candidates import Rough, find_candidates, learn_laying
from core.matching.contour import Contours, combine, contour_costs
from core.matching.costs import Costs
from core.matching.laying import (
    edges_as_they_lie,
    edges_of_poses,
    in_both_poses,
    odds_along,
    odds_as_it_lies,
    odds_within,
    some_half_turned,
)
from core.matching.layout import add_margins, line_costs
from core.matching.pricing import (
    Beside,
    Readings,
    about_own_centres,
    marks_of,
    price,
    read_beside_ink,
    readings_of,
)
from core.matching.tone import add_tones, tone_costs
from core.options import CostOptions, Options
from core.parallel import map_in_order
from core.progress import Progress, no_progress, part
from core.shreds.binarization import binarize
from core.shreds.borders import READING, Borders, both_borders
from core.shreds.shred import Shred, common_frame, upright
from core.shreds.windows import cut_windows

if TYPE_CHECKING:  # importing it would load Keras
    from core.embedding.encoder import Encoder

logger = logging.getLogger(__name__)

LAID_OFF_ROWS = 60
"""Where half-turns are tried, neighbours are looked for up to 20 mm higher or lower."""


@dataclass(frozen=True, eq=False)
class Embedded:
    """What there is to compare: n shreds, their borders, and the embeddings of these.

    Attributes
    ----------
    shreds : tuple of Shred
        Those that are compared.
    borders : Borders
        Their borders.
    right, left : ndarray of shape (n, h', d), float32
        Embeddings of the right and left borders.
    readings : Readings
        What was read beside the ink.
    turned : tuple of two ndarray of shape (n, h', d), float32, or None
        Embeddings of the same shreds, half-turned about the middle of the common frame; None if all are to be compared
        as they lie.
    turns : ndarray of shape (n, 4), float32
        Logarithms of the odds of how a shred must be turned to be read, by its own print; 0 where that is not asked.
    upright : ndarray of shape (n,), float32
        Logarithm of the odds that a shred is the right way up as it lies, by what the whole set tells, too.
    along : ndarray of shape (n,), float32
        Logarithm of the odds that its print runs along the strip, likewise.
    blank : tuple of ndarray of shape (d,), float32
        Embeddings of blank paper, right and left.
    weights_sha256 : str
        Of the encoder's weights.
    seconds : float
        That reading the borders and embedding took.
    """

    shreds: tuple[Shred, ...]
    borders: Borders
    right: Floats
    left: Floats
    readings: Readings
    turned: tuple[Floats, Floats] | None
    turns: Floats
    upright: Floats
    along: Floats
    blank: tuple[Floats, Floats]
    weights_sha256: str
    seconds: float

    def of(self, chosen: Sequence[int]) -> "Embedded":
        """Select some of the shreds.

        Parameters
        ----------
        chosen : sequence of int
            Indices of k shreds.

        Returns
        -------
        Embedded
            Of these k, in their order.
        """
        rows = list(chosen)
        borders = replace(self.borders, right=self.borders.right[rows], left=self.borders.left[rows])
        shreds = tuple(self.shreds[row] for row in rows)
        turned = self.turned and (self.turned[0][rows], self.turned[1][rows])
        return replace(
            self,
            shreds=shreds,
            borders=borders,
            right=self.right[rows],
            left=self.left[rows],
            readings=self.readings.of(rows),
            turned=turned,
            turns=self.turns[rows],
            upright=self.upright[rows],
            along=self.along[rows],
        )


@dataclass(frozen=True, eq=False)
class Matched:
    """Costs of the joins between all shreds that are compared, in their order.

    Attributes
    ----------
    costs : Costs
        By all cues.
    weights_sha256 : str
        Of the encoder's weights.
    seconds : dict of str to float
        That each stage took.
    ink : Costs, optional
        By the embeddings alone.
    contours : Contours, optional
        How well the contours fit, if they were compared.
    """

    costs: Costs
    weights_sha256: str
    seconds: dict[str, float] = field(default_factory=dict)
    ink: Costs | None = None
    contours: Contours | None = None


def match(shreds: Sequence[Shred], encoder: "Encoder", options: Options, progress: Progress = no_progress) -> Matched:
    """Compare the borders of all shreds that bear ink and are large enough.

    Parameters
    ----------
    shreds : sequence of Shred
        At least one that is to be compared.
    encoder : Encoder
        Maps borders into the common space.
    options : Options
        Those of binarization, border and cost are used.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Matched
        The costs, in the order of the shreds that are compared.
    """
    return compare(embed(shreds, encoder, options, part(progress, 0.0, 0.9)), options, part(progress, 0.9, 1.0))


def embed(shreds: Sequence[Shred], encoder: "Encoder", options: Options, progress: Progress = no_progress) -> Embedded:
    """Embed the borders of all shreds that bear ink and are large enough.

    Parameters
    ----------
    shreds : sequence of Shred
        At least one that is to be compared.
    encoder : Encoder
        Maps borders into the common space.
    options : Options
        Those of binarization and border are used.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Embedded
        The shreds that are compared, in their order.
    """
    with_ink = tuple(shred for shred in shreds if shred.compared)
    found = embed_in(reversible_frame(common_frame(with_ink)), with_ink, encoder, options, part(progress, 0.0, 0.7))
    return with_turned(found, encoder, options.cost, part(progress, 0.7, 1.0))


def embed_in(
    frame: tuple[int, int],
    shreds: tuple[Shred, ...],
    encoder: "Encoder",
    options: Options,
    progress: Progress = no_progress,
) -> Embedded:
    """Embed the borders of shreds as they lie, in a common frame that may be that of more shreds.

    What comes out for one shred does not depend on the others, but for `upright` and `along`.

    Parameters
    ----------
    frame : tuple of int
        First row of the common frame and the one after the last.
    shreds : tuple of Shred
        All of them are to be compared.
    encoder, options, progress
        See `embed`.

    Returns
    -------
    Embedded
        Of these shreds.
    """
    start, cost = time.perf_counter(), options.cost
    turns = np.zeros((len(shreds), 4), dtype=np.float32)
    borders, readings, windows = _read(shreds, options, frame, part(progress, 0.0, 0.6))
    if cost.try_half_turns:
        turns = encoder.way_up.log_odds_of_windows(windows, part(progress, 0.6, 0.7))
    del windows
    right = encoder.embed(borders.right, "right", part(progress, 0.7, 0.85))
    left = encoder.embed(borders.left, "left", part(progress, 0.85, 1.0))
    blank = encoder.blank("right"), encoder.blank("left")
    odds, seconds = odds_in_set(turns, cost), time.perf_counter() - start
    return Embedded(shreds, borders, right, left, readings, None, turns, *odds, blank, encoder.sha256, seconds)


def odds_in_set(turns: Floats, cost: CostOptions) -> tuple[Floats, Floats]:
    """Compute which way up shreds lie, and along which way they are printed, from what each tells and all together.

    Parameters
    ----------
    turns : ndarray of shape (n, 4), float32
        See `Embedded`.
    cost : CostOptions
        Whether half-turns are tried, and pages turned.

    Returns
    -------
    upright, along : ndarray of shape (n,), float32
        See `Embedded`.
    """
    none = np.zeros(len(turns), dtype=np.float32)
    if not cost.try_half_turns:
        return none, none
    return odds_as_it_lies(turns), odds_along(turns) if cost.turn_pages else none


def with_turned(
    embedded: Embedded, encoder: "Encoder", cost: CostOptions, progress: Progress = no_progress
) -> Embedded:
    """Embed the borders of half-turned shreds, if the shreds are to be compared both ways up and it is not done.

    Parameters
    ----------
    embedded : Embedded
        With or without them.
    encoder : Encoder
        Maps borders into the common space.
    cost : CostOptions
        Whether half-turns are tried.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Embedded
        With them if they are to be compared.
    """
    start = time.perf_counter()
    if not cost.try_half_turns or not (some_half_turned(embedded.upright) or _laid_off(embedded, cost, progress)):
        return replace(embedded, turned=None)
    if embedded.turned is not None:
        return embedded
    turned = embed_turned(embedded.borders, encoder, part(progress, 0.2, 1.0))
    return replace(embedded, turned=turned, seconds=embedded.seconds + time.perf_counter() - start)


def embed_turned(borders: Borders, encoder: "Encoder", progress: Progress = no_progress) -> tuple[Floats, Floats]:
    """Embed borders half-turned about the middle of the common frame.

    Parameters
    ----------
    borders : Borders
        Of n shreds as they lie.
    encoder : Encoder
        Maps borders into the common space.
    progress : Progress
        Fraction and text.

    Returns
    -------
    right, left : ndarray of shape (n, h', d), float32
    """
    right = encoder.embed(borders.left[:, ::-1, ::-1], "right", part(progress, 0.0, 0.5))
    return right, encoder.embed(borders.right[:, ::-1, ::-1], "left", part(progress, 0.5, 1.0))


def _laid_off(embedded: Embedded, cost: CostOptions, progress: Progress) -> bool:
    """Check whether sure neighbours lie farther off than shifts are compared."""
    marks = marks_of(embedded.readings, embedded.borders, cost, both_ways=False)
    rough = Rough(edges_as_they_lie(embedded.right, embedded.left, embedded.blank), marks.profiles)
    return learn_laying(rough, cost.max_shift_rows, LAID_OFF_ROWS, part(progress, 0.0, 0.2)).off


def _read(
    shreds: tuple[Shred, ...], options: Options, frame: tuple[int, int], progress: Progress
) -> tuple[Borders, Readings, list[Pixels]]:
    """Read all that is compared, and the windows that tell which way up shreds are, while each shred is unpacked."""

    def read(shred: Shred) -> tuple[tuple[Mask, Mask], Beside, Pixels | None]:
        pixels, mask = upright(shred)
        ink = binarize(pixels, mask, options.binarization)
        windows = cut_windows(ink) if options.cost.try_half_turns else None
        return both_borders(ink, mask, options.border), read_beside_ink(shred), windows

    borders, beside, windows = Borders.blank(len(shreds), frame), [], []
    for index, (both, of_shred, some) in enumerate(map_in_order(read, shreds, READING, progress)):
        borders.put(index, shreds[index].frame_top_px, both)
        beside.append(of_shred)
        windows += [] if some is None else [some]
    return borders, readings_of(shreds, beside, frame), windows


def compare(embedded: Embedded, options: Options, progress: Progress = no_progress) -> Matched:
    """Price all joins between shreds by all cues.

    Parameters
    ----------
    embedded : Embedded
        At least one shred.
    options : Options
        Those of cost are used.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Matched
        The costs, in the order of the shreds.
    """
    start = time.perf_counter()
    both_ways = options.cost.try_half_turns and embedded.turned is not None
    compared = _compare_both_ways if both_ways else _compare_as_they_lie
    costs, ink, contours = compared(embedded, options.cost, progress)
    costs = replace(costs, along=np.tile(embedded.along, 2 if both_ways else 1))
    seconds = {"embed": embedded.seconds, "cost": time.perf_counter() - start}
    logger.info("The borders of %d shreds are compared: %.1f s", len(embedded.shreds), sum(seconds.values()))
    return Matched(costs.of_all_cues(), embedded.weights_sha256, seconds, ink, contours)


_Compared: TypeAlias = tuple[Costs, Costs | None, Contours | None]
"""Costs by all cues, those by ink alone, and how well contours fit."""


def _compare_as_they_lie(embedded: Embedded, cost: CostOptions, progress: Progress) -> _Compared:
    """Price the joins of all shreds as they lie, each cue at its own shift."""
    from core.matching.ink import compute_costs

    borders = embedded.borders
    marks = marks_of(embedded.readings, borders, cost, both_ways=False)
    costs = ink = compute_costs(embedded.right, embedded.left, *embedded.blank, cost, part(progress, 0.0, 0.6))
    contours = None
    if marks.waves is not None:
        contours = contour_costs(*marks.waves, marks.n_free, part(progress, 0.6, 0.8))
        costs = combine(ink, contours)
    if marks.tones is not None:
        costs = add_tones(costs, tone_costs(*marks.tones, progress=part(progress, 0.8, 0.9)))
    if marks.lines is not None:
        costs = costs.plus("lines", line_costs(*marks.lines, cost.max_shift_rows, part(progress, 0.9, 1.0)))
    if cost.expect_margins:
        costs = add_margins(costs, borders.right, borders.left)
    return costs, ink, contours


def _compare_both_ways(embedded: Embedded, cost: CostOptions, progress: Progress) -> _Compared:
    """Price the joins of all shreds, as they lie and half-turned, by all cues at one shift."""
    assert embedded.turned is not None
    borders = embedded.borders
    edges = edges_of_poses((embedded.right, embedded.left), embedded.turned, embedded.blank)
    marks = marks_of(embedded.readings, borders, cost, both_ways=True)
    rough, upright = Rough(edges, marks.profiles, len(embedded.shreds)), odds_within(embedded.upright)
    laying = learn_laying(rough, cost.max_shift_rows, LAID_OFF_ROWS, part(progress, 0.0, 0.1))
    candidates = find_candidates(rough, upright, laying, part(progress, 0.1, 0.5))
    costs = price(edges, candidates, marks, upright, laying, part(progress, 0.5, 1.0))
    if cost.expect_margins:
        right, left = in_both_poses(borders.right, borders.left[:, :, ::-1])
        costs = add_margins(costs, right, left[:, :, ::-1])
    return about_own_centres(costs, embedded.shreds, borders), None, None
