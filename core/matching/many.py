"""Many shreds compared as they lie: candidates of every border are found roughly, and priced exactly, cue by cue.

To price all joins exactly takes half a million products each; roughly (`candidates.pooled.Rough`), a sixth. Of a
candidate, all shifts are priced at once: the right border, shifted by each, is one matrix.
"""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.arrays import Doubles, Floats, blocks
from core.embedding.geometry import STRIDE_PX
from core.matching.candidates.pooled import Rough
from core.matching.candidates.tiles import PRICING, Tile, best_of_tiles
from core.matching.contour import MAX_SHIFT_PX, STEP_PX, at_best_shift, log_ratio_of_contours
from core.matching.costs import Shreds
from core.matching.layout import log_ratio_of_lines
from core.matching.pricing import Marks
from core.matching.shifts import overlap, shifts_up_to
from core.matching.tone import STEP_PX as TONE_STEP_PX
from core.matching.tone import likelier_tones
from core.parallel import HERE, Workers, map_in_order
from core.progress import Progress, no_progress, part
from core.system.interim import NOWHERE, Interim
from core.system.keras_import import on_a_card

if TYPE_CHECKING:  # importing it would load Keras
    from core.matching.ink import Ink


PER_BORDER = 64
"""So many candidates are kept of every border."""

AT_ONCE = 128
"""Borders of so many candidates are held in memory."""

TILE_SHREDS = 1024

Told: TypeAlias = dict[str, NDArray[Any]]
"""What is known of m joins, by names."""

Rows = Sequence[tuple[slice, slice]]
"""Which rows of a right and of a left border meet, at each shift."""


def best_of_many(
    ink: "Ink",
    marks: Marks,
    max_shift_rows: int,
    progress: Progress = no_progress,
    workers: Workers = HERE,
    interim: Interim = NOWHERE,
) -> Told:
    """Compare the best joins of every border by every cue, each at its own shift.

    Parameters
    ----------
    ink : Ink
        The embeddings of n shreds.
    marks : Marks
        What is compared beside them.
    max_shift_rows : int
        Largest shift.
    progress : Progress
        Fraction and text.
    workers : Workers
        Find the candidates.
    interim : Interim
        Keeps how far that is.

    Returns
    -------
    dict of str to ndarray of shape (m,)
        "left" and "right", ascending; "ink" and "shift_px"; "contour" and "contour_px", "tone" and "lines" as far as
        they are compared.
    """
    looking = part(progress, 0.0, 0.5)
    if on_a_card():
        found = ink.nearest(PER_BORDER, looking)
    else:
        found = _candidates(Rough(ink.edges, marks.profiles), max_shift_rows, looking, workers, interim)
        found["ink"], found["shift_px"] = _of_ink(ink, found["left"], found["right"], part(progress, 0.5, 0.9))
    left, right = found["left"], found["right"]
    if marks.waves is not None:
        shifts = shifts_up_to(MAX_SHIFT_PX // STEP_PX, marks.waves[0].shape[1])
        highest, found["contour_px"] = at_best_shift(
            _correlations(marks.waves, left, right, shifts).T, np.array(shifts)
        )
        found["contour"] = log_ratio_of_contours(highest, marks.n_free)
    if marks.tones is not None:
        shifts_px = TONE_STEP_PX * np.array(shifts_up_to(MAX_SHIFT_PX // TONE_STEP_PX, marks.tones[0].beside.shape[1]))
        found["tone"] = likelier_tones(*marks.tones, left, right, np.tile(shifts_px, (len(left), 1))).min(axis=1)
    if marks.lines is not None:
        shifts = shifts_up_to(max_shift_rows, marks.lines[0].shape[1])
        found["lines"] = log_ratio_of_lines(_correlations(marks.lines, left, right, shifts).max(axis=1))
    return found


def _candidates(rough: Rough, max_shift_rows: int, progress: Progress, workers: Workers, interim: Interim) -> Told:
    """Find the cheapest joins of every border, roughly, by ink, contours and lines together; ascending."""
    n = rough.n_lying

    def tile(i: slice, j: slice) -> Tile:
        rows, columns = np.arange(i.start, i.stop), np.arange(j.start, j.stop)
        return Tile(rough.tile(i, j), rows, n + columns, rows[:, None] == columns, max_shift_rows)

    parts = blocks(n, TILE_SHREDS)
    pairs = [(i, j) for i in parts for j in parts]
    left, right, *_ = best_of_tiles(tile, pairs, 2 * n, PER_BORDER, progress, workers, interim)
    return {"left": left.astype(np.int32), "right": (right - n).astype(np.int32)}


def _of_ink(ink: "Ink", left: Shreds, right: Shreds, progress: Progress) -> tuple[Floats, NDArray[np.int16]]:
    """Compute the distances of embeddings of some joins, and the shifts in pixels."""
    products = _products(ink.right, ink.left, left, right, ink.rows_by_shift, ink.origin, progress)
    of_right, of_left = (_sums_of_squares(embeddings, ink.origin) for embeddings in (ink.right, ink.left))
    cost = np.empty((len(ink.shifts), len(left)), dtype=np.float32)
    for step, (rows, others) in enumerate(ink.rows_by_shift):
        alone = (of_right[:, rows.stop] - of_right[:, rows.start])[left]
        alone += (of_left[:, others.stop] - of_left[:, others.start])[right]
        cost[step] = np.maximum(alone - 2 * products[:, step], 0)
    best = cost.argmin(axis=0)
    shift_px = (STRIDE_PX * np.array(ink.shifts)[best]).astype(np.int16)
    return cost[best, np.arange(len(left))], shift_px


def _correlations(profiles: tuple[Floats, Floats], left: Shreds, right: Shreds, shifts: Sequence[int]) -> Floats:
    """Correlate the profiles of some joins at each shift; (m, shifts)."""
    rows = [overlap(shift, profiles[0].shape[1] - abs(shift)) for shift in shifts]
    return _products(profiles[0][..., None], profiles[1][..., None], left, right, rows)


def _sums_of_squares(embeddings: Floats, origin: Floats) -> Doubles:
    """Sum the squares of the first 0 … h' rows of each border, (n, h' + 1)."""
    sums = np.zeros((len(embeddings), embeddings.shape[1] + 1))
    for some in blocks(len(embeddings)):
        above = embeddings[some] - origin
        np.cumsum(np.einsum("nhd,nhd->nh", above, above), axis=1, dtype=np.float64, out=sums[some, 1:])
    return sums


def _products(
    right: Floats,
    left: Floats,
    of_right: Shreds,
    of_left: Shreds,
    rows: Rows,
    origin: Floats | None = None,
    progress: Progress = no_progress,
) -> Floats:
    """Sum the products of the rows that meet, for joins in ascending order, at each shift.

    Takes (n, rows, d) twice; returns (m, shifts).
    """
    of_rows = None if origin is None else np.tile(origin, left.shape[1])
    bounds = np.searchsorted(of_right, np.arange(len(right) + 1))
    held = threading.local()  # memory that is new for every shred would take longer than the products

    def of_shred(shred: int) -> Floats:
        edge = right[shred] if origin is None else right[shred] - origin
        at_shifts = np.zeros((len(rows), *edge.shape), dtype=np.float32)
        for shifted, (r, l_) in zip(at_shifts, rows, strict=True):
            shifted[l_] = edge[r]
        found = np.empty((bounds[shred + 1] - bounds[shred], len(rows)), dtype=np.float32)
        if not hasattr(held, "others"):
            held.others = np.empty((AT_ONCE, *left.shape[1:]), dtype=np.float32)
        for some in blocks(len(found), AT_ONCE):
            which = of_left[bounds[shred] + some.start : bounds[shred] + some.stop]
            # Other than by brackets, threads do it at the same time; other than "raise", "clip" writes at once there.
            others = np.take(left, which, axis=0, out=held.others[: len(which)], mode="clip")
            vectors = others.reshape(len(others), -1)
            if of_rows is not None:
                vectors -= of_rows
            found[some] = vectors @ at_shifts.reshape(len(rows), -1).T
        return found

    parts = list(map_in_order(of_shred, range(len(right)), PRICING, progress))
    return np.concatenate(parts) if parts else np.zeros((0, len(rows)), dtype=np.float32)
