"""Shreds compared: their borders are read and embedded, and the joins between them priced by all cues."""

import logging
import operator
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from core.arrays import Floats, Mask, Pixels
from core.matching.candidates import Rough, find_candidates, learn_laying
from core.matching.contour import Contours, combine, contour_costs
from core.matching.costs import Costs
from core.matching.geometry import reversible_frame
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
from core.system.files import on_disk

if TYPE_CHECKING:  # importing it would load Keras
    from core.matching.encoder import Encoder

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
    upright : ndarray of shape (n,), float32
        Logarithm of the odds that a shred is the right way up as it lies.
    along : ndarray of shape (n,), float32
        Logarithm of the odds that its print runs along the strip.
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
    start, cost = time.perf_counter(), options.cost
    with_ink = tuple(shred for shred in shreds if shred.compared)
    way_up = along = np.zeros(len(with_ink), dtype=np.float32)
    borders, readings, windows = _read(with_ink, options, part(progress, 0.0, 0.4))
    if cost.try_half_turns:
        of_turns = encoder.way_up.log_odds_of_windows(windows, part(progress, 0.4, 0.5))
        way_up, along = odds_as_it_lies(of_turns), odds_along(of_turns) if cost.turn_pages else along
    del windows
    right = encoder.embed(borders.right, "right", part(progress, 0.5, 0.6))
    left = encoder.embed(borders.left, "left", part(progress, 0.6, 0.7))
    blank = encoder.blank("right"), encoder.blank("left")
    seconds = time.perf_counter() - start
    found = Embedded(with_ink, borders, right, left, readings, None, way_up, along, blank, encoder.sha256, seconds)
    return _with_turned(found, encoder, cost, part(progress, 0.7, 1.0))


def _with_turned(
    embedded: Embedded, encoder: "Encoder", cost: CostOptions, progress: Progress = no_progress
) -> Embedded:
    """Embed the borders of half-turned shreds, if the shreds are to be compared both ways up and it is not done."""
    start = time.perf_counter()
    if not cost.try_half_turns or not (some_half_turned(embedded.upright) or _laid_off(embedded, cost, progress)):
        return replace(embedded, turned=None)
    if embedded.turned is not None:
        return embedded
    borders = embedded.borders
    turned = (
        encoder.embed(borders.left[:, ::-1, ::-1], "right", part(progress, 0.2, 0.6)),
        encoder.embed(borders.right[:, ::-1, ::-1], "left", part(progress, 0.6, 1.0)),
    )
    return replace(embedded, turned=turned, seconds=embedded.seconds + time.perf_counter() - start)


def _laid_off(embedded: Embedded, cost: CostOptions, progress: Progress) -> bool:
    """Check whether sure neighbours lie farther off than shifts are compared."""
    marks = marks_of(embedded.readings, embedded.borders, cost, both_ways=False)
    rough = Rough(edges_as_they_lie(embedded.right, embedded.left, embedded.blank), marks.profiles)
    return learn_laying(rough, cost.max_shift_rows, LAID_OFF_ROWS, part(progress, 0.0, 0.2)).off


def _read(shreds: tuple[Shred, ...], options: Options, progress: Progress) -> tuple[Borders, Readings, list[Pixels]]:
    """Read all that is compared, and the windows that tell which way up shreds are, while each shred is unpacked."""

    def read(shred: Shred) -> tuple[tuple[Mask, Mask], Beside, Pixels | None]:
        pixels, mask = upright(shred)
        ink = binarize(pixels, mask, options.binarization)
        windows = cut_windows(ink) if options.cost.try_half_turns else None
        return both_borders(ink, mask, options.border), read_beside_ink(shred), windows

    frame = reversible_frame(common_frame(shreds))
    borders, beside, windows = Borders.blank(len(shreds), frame), [], []
    for index, (both, of_shred, some) in enumerate(map_in_order(read, shreds, READING, progress)):
        borders.put(index, shreds[index].frame_top_px, both)
        beside.append(of_shred)
        windows += [] if some is None else [some]
    return borders, readings_of(shreds, beside, frame), windows


@dataclass(frozen=True, eq=False)
class _Kept:
    """What was read of the borders of shreds, which it does not hold, and with what."""

    shreds: tuple[weakref.ref[Shred], ...]
    read_with: tuple[object, ...]
    embedded: Embedded

    def is_of(self, shreds: Sequence[Shred], read_with: tuple[object, ...]) -> bool:
        """Check whether these same shreds would be read in the same way."""
        kept = [reference() for reference in self.shreds]
        return read_with == self.read_with and len(kept) == len(shreds) and all(map(operator.is_, kept, shreds))


class Memory:
    """What was read of the borders that were compared last, so that they can be compared in another way at once.

    It lies in files without a name, which vanish with it: otherwise memory would lack hundreds of megabytes.
    """

    _kept: _Kept | None = None

    def match(
        self, shreds: Sequence[Shred], encoder: "Encoder", options: Options, progress: Progress = no_progress
    ) -> Matched:
        """Compare borders as `match` does, with the same result; what is remembered is not read again.

        Parameters
        ----------
        shreds, encoder, options, progress
            See `match`.

        Returns
        -------
        Matched
            The costs, in the order of the shreds that are compared.
        """
        cost, kept, reading = options.cost, self._kept, part(progress, 0.0, 0.9)
        with_ink = tuple(shred for shred in shreds if shred.compared)
        read_with = encoder.sha256, options.binarization, options.border, cost.try_half_turns, cost.turn_pages
        if kept is not None and kept.is_of(with_ink, read_with):
            known = replace(kept.embedded, shreds=with_ink, seconds=0.0)
            embedded = _with_turned(known, encoder, cost, reading)
            is_new = known.turned is None and embedded.turned is not None
        else:
            embedded, is_new = embed(with_ink, encoder, options, reading), True
        matched = compare(embedded, options, part(progress, 0.9, 1.0))
        if is_new:
            self._keep(with_ink, read_with, embedded)
        return matched

    def _keep(self, shreds: Sequence[Shred], read_with: tuple[object, ...], embedded: Embedded) -> None:
        self._kept = None  # the disk has room for one
        try:
            stored = on_disk(replace(embedded, shreds=()))
        except OSError as error:
            logger.warning("What was read of the borders is not kept, it will be read again if need be: %s", error)
        else:
            self._kept = _Kept(tuple(map(weakref.ref, shreds)), read_with, stored)


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
