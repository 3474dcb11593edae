"""Borders read and embedded, block by block: what there is to compare. What is large lies on disk, and is mapped."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from core.arrays import Floats, blocks
from core.border_blocks import Block, Read, embedded_here, in_bits, read_as_they_lie, read_half_turned
from core.embedding.geometry import reversible_frame
from core.matching.candidates.find import learn_laying
from core.matching.candidates.pooled import Rough
from core.matching.laying import odds_in_set, some_half_turned
from core.matching.poses import edges_as_they_lie
from core.matching.pricing import Readings, marks_of
from core.matching.tone import tones_of
from core.options import CostOptions, Options
from core.parallel import HERE, Workers
from core.progress import Progress, no_progress, part
from core.shreds.borders import Borders
from core.shreds.shred import Shred, common_frame
from core.system.disk_cache import DiskCache
from core.system.keras_import import on_a_card
from core.system.spool import Growing, let_go
from core.wording import QT_TRANSLATE_NOOP

if TYPE_CHECKING:  # importing it would load Keras
    from core.embedding.encoder import Encoder

LAID_OFF_ROWS = 60
"""Where half-turns are tried, neighbours are looked for up to 20 mm higher or lower."""

READING_BORDERS = QT_TRANSLATE_NOOP("progress", "Reading borders")

BLOCK_SHREDS = 256
"""So many shreds are read and embedded at a time: what is held of them meanwhile are some 300 MB."""

TASK_SHREDS = 32
"""So many where blocks are tasks for others: few enough for each to have some, a few megabytes there and back."""

LAST_SHREDS, LAST_TASK_SHREDS = 256, 8
"""So many are given last, in tasks of so many: all of the others have some until the end."""


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


def embed(
    shreds: Sequence[Shred],
    encoder: "Encoder",
    options: Options,
    progress: Progress = no_progress,
    cache: DiskCache | None = None,
    workers: Workers = HERE,
    *,
    both_ways: bool = False,
) -> Embedded:
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
    cache : DiskCache, optional
        What it has of blocks of these shreds is not read again.
    workers : Workers
        Read and embed blocks.
    both_ways : bool
        See `core.comparison.match`.

    Returns
    -------
    Embedded
        The shreds that are compared, in their order.
    """
    with_ink = tuple(shred for shred in shreds if shred.compared)
    frame = reversible_frame(common_frame(with_ink))
    found = embed_in(frame, with_ink, encoder, options, part(progress, 0.0, 0.8), cache, workers)
    return with_turned(found, encoder, options, part(progress, 0.8, 1.0), cache, workers, both_ways=both_ways)


def embed_in(
    frame: tuple[int, int],
    shreds: tuple[Shred, ...],
    encoder: "Encoder",
    options: Options,
    progress: Progress = no_progress,
    cache: DiskCache | None = None,
    workers: Workers = HERE,
) -> Embedded:
    """Embed the borders of shreds as they lie, in a common frame that may be that of more shreds.

    What comes out for one shred does not depend on the others, but for `upright` and `along`, and grey tones.

    Parameters
    ----------
    frame : tuple of int
        First row of the common frame and the one after the last.
    shreds : tuple of Shred
        All of them are to be compared.
    encoder, options, progress, cache, workers
        See `embed`.

    Returns
    -------
    Embedded
        Of these shreds.
    """
    start, cost, reading = time.perf_counter(), options.cost, part(progress, 0.0, 0.98)
    parts, block = _parts(shreds, workers), partial(_block, frame, shreds, encoder, options, cache)
    tasks, of_tasks = map(block, parts), (len(parts), READING_BORDERS, reading)
    if workers.elsewhere and on_a_card():
        whole = _gathered(embedded_here(tasks, workers, *of_tasks))
    else:
        whole = _gathered(workers.map(read_as_they_lie, tasks, *of_tasks, same="networks"))
    borders = Borders(whole["left_ink"], whole["right_ink"], frame[0])
    height_px = float(np.median([shred.height_px for shred in shreds]))
    tones = tones_of(whole["brightness"], float(np.median(whole["paper"])), part(progress, 0.98, 1.0))
    readings = Readings(whole["right_edge"], whole["left_edge"], height_px, tones)
    turns = whole["turns"]
    upright_odds, along = odds_in_set(turns, cost)
    return Embedded(
        shreds,
        borders,
        whole["right"],
        whole["left"],
        readings,
        None,
        turns,
        upright_odds,
        along,
        (encoder.blank("right"), encoder.blank("left")),
        encoder.sha256,
        time.perf_counter() - start,
    )


def _parts(shreds: Sequence[Shred], workers: Workers) -> list[slice]:
    n = len(shreds)
    if not workers.elsewhere:
        return blocks(n, BLOCK_SHREDS)
    before = max(0, n - LAST_SHREDS)
    last = [slice(start, start + LAST_TASK_SHREDS) for start in range(before, n, LAST_TASK_SHREDS)]
    return blocks(before, TASK_SHREDS) + last


def _block(
    frame: tuple[int, int],
    shreds: tuple[Shred, ...],
    encoder: "Encoder",
    options: Options,
    cache: DiskCache | None,
    which: slice,
) -> Block:
    some, among = shreds[which], (which.start, len(shreds))
    contents = [(one.content_sha256, one.half_turn, one.frame_top_px) for one in some if cache is not None]
    return Block(some, among, frame, encoder, options, cache, contents)


def _gathered(parts: Iterator[Read]) -> dict[str, Any]:
    """Put the arrays of blocks behind each other."""
    growing: dict[str, Growing] = {}
    for block in parts:
        for name, array in block.items():
            growing.setdefault(name, Growing()).append(array)
    return {name: array.whole() for name, array in growing.items()}


def with_turned(
    embedded: Embedded,
    encoder: "Encoder",
    options: Options,
    progress: Progress = no_progress,
    cache: DiskCache | None = None,
    workers: Workers = HERE,
    *,
    both_ways: bool = False,
) -> Embedded:
    """Embed the borders of half-turned shreds, if the shreds are to be compared both ways up and it is not done.

    Parameters
    ----------
    embedded : Embedded
        With or without them.
    encoder, options, progress, cache, workers, both_ways
        See `embed`.

    Returns
    -------
    Embedded
        With them if they are to be compared.
    """
    start, cost = time.perf_counter(), options.cost
    if not both_ways and not (
        cost.try_half_turns and (some_half_turned(embedded.upright) or _laid_off(embedded, cost, progress))
    ):
        return replace(embedded, turned=None)
    if embedded.turned is not None:
        return embedded
    turned = embed_turned(embedded, encoder, options, part(progress, 0.2, 1.0), cache, workers)
    return replace(embedded, turned=turned, seconds=embedded.seconds + time.perf_counter() - start)


def embed_turned(
    embedded: Embedded,
    encoder: "Encoder",
    options: Options,
    progress: Progress = no_progress,
    cache: DiskCache | None = None,
    workers: Workers = HERE,
) -> tuple[Floats, Floats]:
    """Embed borders half-turned about the middle of the common frame.

    Parameters
    ----------
    embedded : Embedded
        n shreds as they lie.
    encoder, options, progress, cache, workers
        See `embed`.

    Returns
    -------
    right, left : ndarray of shape (n, h', d), float32
    """
    borders, shreds = embedded.borders, embedded.shreds
    frame = borders.frame_top_px, borders.frame_top_px + borders.right.shape[1]

    parts = _parts(shreds, workers)

    def tasks() -> Iterator[tuple[Block, Read]]:
        for which in parts:
            block = replace(_block(frame, shreds, encoder, options, cache, which), shreds=())
            right, left = borders.left[which, ::-1, ::-1], borders.right[which, ::-1, ::-1]
            yield block, in_bits({"right_ink": right, "left_ink": left})
            let_go(borders.right, borders.left)

    of_tasks = len(parts), READING_BORDERS, progress
    who = HERE if on_a_card() else workers
    whole = _gathered(who.map(read_half_turned, tasks(), *of_tasks, same="networks"))
    return whole["right"], whole["left"]


def _laid_off(embedded: Embedded, cost: CostOptions, progress: Progress) -> bool:
    """Check whether sure neighbours lie farther off than shifts are compared."""
    marks = marks_of(embedded.readings, embedded.borders, cost, both_ways=False, progress=part(progress, 0.0, 0.05))
    edges = edges_as_they_lie(embedded.right, embedded.left, embedded.blank)
    rough = Rough(edges, marks.profiles, progress=part(progress, 0.05, 0.1))
    return learn_laying(rough, cost.max_shift_rows, LAID_OFF_ROWS, part(progress, 0.1, 0.2)).off
