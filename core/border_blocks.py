"""Blocks of shreds read and embedded, in this process or in others; what a cache has of a block is not read again."""

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from core.arrays import Array, Mask, Pixels
from core.matching.contour import edges_in_frame
from core.matching.pricing import Beside, read_beside_ink
from core.matching.tone import brightness_in_frame
from core.options import Options
from core.parallel import Workers, map_in_order
from core.progress import Progress, no_progress, part
from core.shreds.binarization import binarize
from core.shreds.borders import READING, Borders, both_borders
from core.shreds.shred import BORDER_WIDTH_PX, Shred, upright
from core.shreds.windows import windows_of_print
from core.system.disk_cache import DiskCache
from core.system.keras_import import on_a_card

if TYPE_CHECKING:  # importing it would load Keras
    from core.embedding.encoder import Encoder

Read: TypeAlias = Mapping[str, Array]
"""Of each shred of a block: "right_ink", "left_ink", its borders; "right_edge", "left_edge", where its paper ends;
"brightness" beside its edges and of its "paper"; "turns"; "right" and "left", the embeddings."""

_OF_BITS = {"right_ink", "left_ink"}

_OfPaper: TypeAlias = tuple[Read, list[Pixels]]
"""What is read of a block before it is embedded, and the windows by which it is told which way up each shred is."""

_Task: TypeAlias = tuple[tuple[int, int], tuple[Shred, ...], Options, tuple[int, int]]
"""What that takes: the frame, shreds, options, and among how many these are."""

_AS_THEY_LIE = "as they lie"


@dataclass(frozen=True, eq=False)
class Block:
    """Some shreds `among` n, and all that depends on what is read of them; `contents` tell them apart in the cache."""

    shreds: tuple[Shred, ...]
    among: tuple[int, int]
    frame: tuple[int, int]
    encoder: "Encoder"
    options: Options
    cache: DiskCache | None
    contents: list[tuple[str, bool, int]]


def read_as_they_lie(block: Block, progress: Progress) -> Read:
    """Read and embed a block, if it is not kept.

    Parameters
    ----------
    block : Block
        At least one shred.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Read
        All of it.
    """
    make = partial(_read_block, block.frame, block.shreds, block.encoder, block.options, progress, block.among)
    return _kept(block, _AS_THEY_LIE, make)


def embedded_here(tasks: Iterator[Block], workers: Workers, n: int, text: str, progress: Progress) -> Iterator[Read]:
    """Embed on this process' card what others read: a card serves one process best, and reading paper takes many.

    Parameters
    ----------
    tasks : iterator of Block
        Asked for a few ahead.
    workers : Workers
        Read blocks that are not kept.
    n : int
        How many blocks there are.
    text, progress
        See `Workers.map`.

    Yields
    ------
    Read
        As `read_as_they_lie` gives, in the order of the blocks.
    """
    given: deque[Block] = deque()

    def unread() -> Iterator[_Task | None]:
        for block in tasks:
            given.append(block)
            yield None if _is_kept(block, _AS_THEY_LIE) else (block.frame, block.shreds, block.options, block.among)

    for packed in workers.map(_read_elsewhere, unread(), n, text, progress):
        block = given.popleft()
        if packed is None:
            yield read_as_they_lie(block, no_progress)
        else:
            borders, windows = packed
            of_paper = _with_bits(borders, block.frame), windows
            yield _kept(block, _AS_THEY_LIE, partial(_embed_block, of_paper, block.encoder, block.options, no_progress))


def _read_elsewhere(task: _Task | None, progress: Progress) -> _OfPaper | None:
    """Read what is compared of a block that is not kept; bits are packed."""
    if task is None:
        return None
    borders, windows = _read_paper(*task[:3], progress, task[3])
    return in_bits(borders), windows


def _read_block(
    frame: tuple[int, int],
    shreds: tuple[Shred, ...],
    encoder: "Encoder",
    options: Options,
    progress: Progress,
    among: tuple[int, int],
) -> Read:
    of_paper = _read_paper(frame, shreds, options, part(progress, 0.0, 0.6), among)
    return _embed_block(of_paper, encoder, options, part(progress, 0.6, 1.0))


def _read_paper(
    frame: tuple[int, int], shreds: tuple[Shred, ...], options: Options, progress: Progress, among: tuple[int, int]
) -> _OfPaper:
    """Read all that is compared, and what tells which way up shreds are, while each shred is unpacked."""

    def read(shred: Shred) -> tuple[tuple[Mask, Mask], Beside, Pixels | None]:
        pixels, mask = upright(shred)
        ink = binarize(pixels, mask, options.binarization)
        windows = windows_of_print(pixels, mask, ink) if options.cost.try_half_turns else None
        return both_borders(ink, mask, options.border), read_beside_ink(shred), windows

    borders, beside, windows = Borders.blank(len(shreds), frame), [], []
    for index, (both, of_shred, of_windows) in enumerate(map_in_order(read, shreds, READING, progress, among=among)):
        borders.put(index, shreds[index].frame_top_px, both)
        beside.append(of_shred)
        windows += [] if of_windows is None else [of_windows]
    tops_px, n_rows = [shred.frame_top_px - frame[0] for shred in shreds], frame[1] - frame[0]
    extents, sampled = zip(*beside, strict=True)
    right_edge, left_edge = edges_in_frame(extents, tops_px, n_rows)
    of_paper = {
        "right_ink": borders.right,
        "left_ink": borders.left,
        "right_edge": right_edge,
        "left_edge": left_edge,
        "brightness": brightness_in_frame(sampled, tops_px, n_rows),
        "paper": np.array([of_shred.paper for of_shred in sampled]),
    }
    return of_paper, windows


def _embed_block(of_paper: _OfPaper, encoder: "Encoder", options: Options, progress: Progress) -> Read:
    """Add to what was read what the networks see in it."""
    borders, windows = of_paper
    turns = np.zeros((len(borders["paper"]), 4), dtype=np.float32)
    if options.cost.try_half_turns:
        turns = encoder.way_up.log_odds_of_windows(windows, part(progress, 0.0, 0.25))
    return {
        **borders,
        "turns": turns,
        "right": encoder.embed(borders["right_ink"], "right", part(progress, 0.25, 0.6)),
        "left": encoder.embed(borders["left_ink"], "left", part(progress, 0.6, 1.0)),
    }


def _kept(block: Block, what: str, make: Callable[[], Read]) -> Read:
    """Return what is kept of a block, or make and keep it; of an encoder that was never saved nothing is kept."""
    cache = block.cache
    if cache is None or not block.encoder.sha256:
        return make()
    found = cache.get(**_depends_on(block, what))
    if found is None:
        made = make()
        cache.put(in_bits(made), **_depends_on(block, what))
        return made
    return _with_bits(found, block.frame)


def _is_kept(block: Block, what: str) -> bool:
    return block.cache is not None and bool(block.encoder.sha256) and block.cache.has(**_depends_on(block, what))


def _depends_on(block: Block, what: str) -> dict[str, Any]:
    options = block.options
    return {
        "what": what,
        "frame": block.frame,
        "shreds": block.contents,
        "encoder": block.encoder.sha256,
        "computes": (on_a_card(), os.environ.get("KERAS_BACKEND", "")),
        "options": (repr(options.binarization), repr(options.border), options.cost.try_half_turns),
    }


def in_bits(read: Read) -> Read:
    """Pack the borders of a block, eight pixels to a byte."""
    return {**read, **{name: np.packbits(read[name]) for name in _OF_BITS & read.keys()}}


def _with_bits(read: Read, frame: tuple[int, int]) -> Read:
    shape = -1, frame[1] - frame[0], BORDER_WIDTH_PX
    bits = {name: np.unpackbits(read[name]).astype(np.bool_).reshape(shape) for name in _OF_BITS & read.keys()}
    return {**read, **bits}


def read_half_turned(task: tuple[Block, Read], progress: Progress) -> Read:
    """Embed borders of a block half-turned, if that is not kept.

    Parameters
    ----------
    task : tuple of Block and Read
        What it depends on; the borders as they are when they are half-turned, `in_bits`.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Read
        The embeddings, "right" and "left".
    """
    block, packed = task

    def make() -> Read:
        turned = _with_bits(packed, block.frame)
        return {
            "right": block.encoder.embed(turned["right_ink"], "right", part(progress, 0.0, 0.5)),
            "left": block.encoder.embed(turned["left_ink"], "left", part(progress, 0.5, 1.0)),
        }

    return _kept(block, "half-turned", make)
