"""Shreds compared: their borders are read and embedded, and the joins between them priced by all cues."""

import hashlib
import logging
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from core.arrays import Pixels
from core.embedded import LAID_OFF_ROWS, READING_BORDERS, Embedded, embed
from core.grid.costs import price_across, with_way_up
from core.matching.candidates.find import find_candidates, learn_laying
from core.matching.candidates.pooled import Rough
from core.matching.contour import Contours
from core.matching.costs import Costs
from core.matching.laying import odds_in_set, odds_within
from core.matching.layout import add_margins, rows_near_cuts
from core.matching.poses import edges_of_poses
from core.matching.pricing import about_own_centres, heights_of, marks_of, price
from core.options import CostOptions, Options
from core.parallel import HERE, Workers, map_in_order, n_threads
from core.progress import Progress, no_progress, part
from core.shreds.binarization import binarize
from core.shreds.cross_cut.whole_set import cut_of
from core.shreds.shred import Shred, upright
from core.shreds.windows import windows_of_print
from core.system.disk_cache import DiskCache
from core.system.interim import EVERY_S, NOWHERE, Interim
from core.system.keras_import import on_a_card

if TYPE_CHECKING:  # importing it would load Keras
    from core.embedding.encoder import Encoder

logger = logging.getLogger(__name__)

_COSTS = "costs by all cues"


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
    piece_weights_sha256 : str
        Of the weights of the encoder of pieces, if these were compared.
    """

    costs: Costs
    weights_sha256: str
    seconds: dict[str, float] = field(default_factory=dict)
    ink: Costs | None = None
    contours: Contours | None = None
    piece_weights_sha256: str = ""


def match(
    shreds: Sequence[Shred],
    encoder: "Encoder",
    options: Options,
    progress: Progress = no_progress,
    workers: Workers = HERE,
    *,
    both_ways: bool = False,
) -> Matched:
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
    workers : Workers
        Do what others can do.
    both_ways : bool
        Compare them half-turned as well whatever their print tells: some have two faces.

    Returns
    -------
    Matched
        The costs, in the order of the shreds that are compared.
    """
    if cut_of(shreds) == "cross":
        return match_pieces(shreds, encoder, options, progress)
    embedded = embed(shreds, encoder, options, part(progress, 0.0, 0.9), workers=workers, both_ways=both_ways)
    return compare(embedded, options, part(progress, 0.9, 1.0), workers)


def match_pieces(
    shreds: Sequence[Shred], encoder: "Encoder", options: Options, progress: Progress = no_progress
) -> Matched:
    """Compare the right and left borders of all pieces of cross-cut paper that bear ink and are large enough.

    Parameters
    ----------
    shreds : sequence of Shred
        At least one that is to be compared.
    encoder : Encoder
        What it comes with judges which way up they are; borders of pieces have networks of their own, which ship.
    options : Options
        Those of binarization and cost are used.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Matched
        The costs, in the order of the pieces that are compared, in both ways up.

    Raises
    ------
    UsageError
        If there are too many.
    """
    from core.embedding.piece_encoder import shipped

    start = time.perf_counter()
    compared = [shred for shred in shreds if shred.compared]
    windows = map_in_order(lambda shred: _windows(shred, options), compared, READING_BORDERS, part(progress, 0.0, 0.2))
    odds, _ = odds_in_set(encoder.way_up.log_odds_of_windows(list(windows), part(progress, 0.2, 0.3)), options.cost)
    read = time.perf_counter()
    within, pieces = odds_within(odds), shipped()
    costs = with_way_up(price_across(compared, pieces, part(progress, 0.3, 1.0)), np.concatenate([within, -within]))
    costs = replace(costs, upright=np.concatenate([odds, -odds]))
    seconds = {"embed": read - start, "cost": time.perf_counter() - read}
    logger.info("The borders of %d pieces are compared: %.1f s", len(compared), sum(seconds.values()))
    return Matched(costs, encoder.sha256, seconds, piece_weights_sha256=pieces.sha256)


def _windows(shred: Shred, options: Options) -> Pixels:
    """Cut the windows that tell which way up a piece is."""
    pixels, mask = upright(shred)
    return windows_of_print(pixels, mask, binarize(pixels, mask, options.binarization))


def compare(
    embedded: Embedded,
    options: Options,
    progress: Progress = no_progress,
    workers: Workers = HERE,
    cache: DiskCache | None = None,
) -> Matched:
    """Price all joins between shreds by all cues.

    Parameters
    ----------
    embedded : Embedded
        At least one shred.
    options : Options
        Those of cost are used.
    progress : Progress
        Fraction and text.
    workers : Workers
        Do what others can do.
    cache : DiskCache, optional
        Where this takes minutes, it goes on from what was kept there, and costs that were found before are taken.

    Returns
    -------
    Matched
        The costs, in the order of the shreds; where they are taken from the cache, those by ink and contours are not
        there.
    """
    start = time.perf_counter()
    interim = _interim(embedded, options, cache)
    if known := interim.latest(_COSTS):
        temperature = float(known.pop("temperature"))
        seconds = {"embed": embedded.seconds, "cost": time.perf_counter() - start}
        costs = Costs(temperature=temperature, **known)
        return Matched(costs, embedded.weights_sha256, seconds)
    both_ways = embedded.turned is not None
    compared = _compare_both_ways if both_ways else _compare_as_they_lie
    costs, ink, contours = compared(embedded, options.cost, progress, workers, interim)
    costs = replace(costs, along=np.tile(embedded.along, 2 if both_ways else 1))
    costs = costs.of_all_cues()
    seconds = {"embed": embedded.seconds, "cost": time.perf_counter() - start}
    if seconds["cost"] > EVERY_S:
        interim.keep(_COSTS, {one.name: np.asarray(getattr(costs, one.name)) for one in fields(Costs)})
    logger.info("The borders of %d shreds are compared: %.1f s", len(embedded.shreds), sum(seconds.values()))
    return Matched(costs, embedded.weights_sha256, seconds, ink, contours)


def _interim(embedded: Embedded, options: Options, cache: DiskCache | None) -> Interim:
    """Return where it is kept how far comparing is, by all that the result depends on."""
    if cache is None or not embedded.weights_sha256:
        return NOWHERE
    # Tones are the only part of what was read that depends on the other shreds that were read with them.
    digest = hashlib.sha256()
    for tones in embedded.readings.tones:
        for one in fields(tones):
            digest.update(np.ascontiguousarray(getattr(tones, one.name)).data)
    borders = embedded.borders
    return Interim(
        cache,
        what="costs",
        shreds=[(shred.content_sha256, shred.half_turn, shred.frame_top_px) for shred in embedded.shreds],
        frame=(borders.frame_top_px, borders.right.shape[1]),
        tones=digest.hexdigest(),
        both_ways=embedded.turned is not None,
        encoder=embedded.weights_sha256,
        computes=(on_a_card(), os.environ.get("KERAS_BACKEND", ""), n_threads()),
        options=(repr(options.binarization), repr(options.border), repr(options.cost)),
    )


_Compared: TypeAlias = tuple[Costs, Costs | None, Contours | None]
"""Costs by all cues, those by ink alone, and how well contours fit."""


def _compare_as_they_lie(
    embedded: Embedded, cost: CostOptions, progress: Progress, workers: Workers, interim: Interim
) -> _Compared:
    """Price the joins of all shreds as they lie, each cue at its own shift."""
    from core.matching.as_they_lie import price_as_they_lie
    from core.matching.ink import Ink

    borders = embedded.borders
    marks = marks_of(embedded.readings, borders, cost, both_ways=False, progress=part(progress, 0.0, 0.05))
    ink = Ink(embedded.right, embedded.left, *embedded.blank, cost.max_shift_rows)
    costs, by_ink, contours = price_as_they_lie(
        ink, marks, cost.max_shift_rows, part(progress, 0.05, 1.0), workers, interim
    )
    if cost.expect_margins:
        costs = add_margins(costs, *rows_near_cuts(borders.right, borders.left))
    return costs, by_ink, contours


def _compare_both_ways(
    embedded: Embedded, cost: CostOptions, progress: Progress, workers: Workers, interim: Interim
) -> _Compared:
    """Price the joins of all shreds, as they lie and half-turned, by all cues at one shift."""
    assert embedded.turned is not None
    borders = embedded.borders
    as_they_lie, first = (embedded.right, embedded.left), part(progress, 0.0, 0.03)
    edges = edges_of_poses(as_they_lie, embedded.turned, embedded.blank, first)
    marks = marks_of(embedded.readings, borders, cost, both_ways=True, progress=part(progress, 0.03, 0.05))
    rough = Rough(edges, marks.profiles, len(embedded.shreds), part(progress, 0.05, 0.07))
    upright = odds_within(embedded.upright)
    heights = heights_of(embedded.shreds, borders)
    laying = learn_laying(rough, cost.max_shift_rows, LAID_OFF_ROWS, part(progress, 0.07, 0.1), heights)
    candidates = find_candidates(rough, upright, laying, part(progress, 0.1, 0.5), workers, interim)
    del rough  # of many shreds gigabytes
    costs = price(edges, candidates, marks, upright, laying, part(progress, 0.5, 1.0), interim, workers)
    if cost.expect_margins:
        right, left = rows_near_cuts(borders.right, borders.left)
        # Half-turned, the one edge is the other.
        costs = add_margins(costs, np.concatenate([right, left]), np.concatenate([left, right]))
    return about_own_centres(costs, embedded.shreds, borders), None, None
