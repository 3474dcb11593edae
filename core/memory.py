"""What was read of the borders compared last: of shreds that are still there, nothing is read and embedded again."""

import logging
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from core.arrays import blocks
from core.comparison import Matched, compare, match_pieces
from core.embedded import READING_BORDERS, Embedded, embed, embed_in, embed_turned, with_turned
from core.embedding.geometry import reversible_frame
from core.matching.laying import odds_in_set
from core.matching.tone import Tones
from core.options import Options
from core.parallel import HERE, Workers
from core.progress import Progress, no_progress, part
from core.shreds.cross_cut.whole_set import cut_of
from core.shreds.shred import Shred, common_frame
from core.system.disk_cache import DiskCache
from core.system.files import on_disk
from core.system.spool import Growing, let_go

if TYPE_CHECKING:  # importing it would load Keras
    from core.embedding.encoder import Encoder

logger = logging.getLogger(__name__)

_Rows: TypeAlias = list[tuple[int, int]]
"""For each shred which of several arrays has it, and in which row."""


@dataclass(frozen=True, eq=False)
class _Kept:
    """What was read of the borders of shreds, which it does not hold, and with what."""

    shreds: tuple[weakref.ref[Shred], ...]
    read_with: tuple[object, ...]
    embedded: Embedded

    def rows(self, shreds: Sequence[Shred]) -> list[int | None]:
        """Find the row of each shred; None for one that is not the same object as any that was read."""
        row_of = {id(shred): row for row, reference in enumerate(self.shreds) if (shred := reference()) is not None}
        return [row_of.get(id(shred)) for shred in shreds]

    @property
    def frame(self) -> tuple[int, int]:
        """The common frame."""
        top = self.embedded.borders.frame_top_px
        return top, top + self.embedded.borders.right.shape[1]


class Memory:
    """What was read of the borders that were compared last, so that they can be compared in another way at once.

    It lies in files without a name, which vanish with it: otherwise memory would lack hundreds of megabytes.

    Parameters
    ----------
    cache : DiskCache, optional
        What it has of sheets and borders is not read again either, and what is read is kept there for later runs.
    workers : Workers
        Read what is to be read, and compare it.
    """

    _kept: _Kept | None = None

    def __init__(self, cache: DiskCache | None = None, workers: Workers = HERE) -> None:
        self.cache, self.workers = cache, workers
        self._lock = Lock()

    def read(
        self, shreds: Sequence[Shred], encoder: "Encoder", options: Options, progress: Progress = no_progress
    ) -> None:
        """Read borders ahead of time, so that what compares them later, or compares some of them with others, need not.

        Parameters
        ----------
        shreds, encoder, options, progress
            See `core.comparison.match`.
        """
        with _patiently(self._lock, progress):
            kept, with_ink = self._kept, tuple(shred for shred in shreds if shred.compared)
            if kept is None or kept.read_with != _read_with(encoder, options) or None in kept.rows(with_ink):
                self._embedded(with_ink, encoder, options, progress)

    def match(
        self,
        shreds: Sequence[Shred],
        encoder: "Encoder",
        options: Options,
        progress: Progress = no_progress,
        *,
        both_ways: bool = False,
    ) -> Matched:
        """Compare borders as `core.comparison.match` does, with the same result; what is remembered is not read again.

        Where some shreds are others than before, these alone are read, if the common frame has stayed the same.

        Parameters
        ----------
        shreds, encoder, options, progress, both_ways
            See `core.comparison.match`.

        Returns
        -------
        Matched
            The costs, in the order of the shreds that are compared.
        """
        if cut_of(shreds) == "cross":
            return match_pieces(shreds, encoder, options, progress)
        with _patiently(self._lock, progress):
            embedded = self._embedded(shreds, encoder, options, part(progress, 0.0, 0.9), both_ways)
        return compare(embedded, options, part(progress, 0.9, 1.0), self.workers, self.cache)

    def _embedded(
        self,
        shreds: Sequence[Shred],
        encoder: "Encoder",
        options: Options,
        progress: Progress,
        both_ways: bool = False,
    ) -> Embedded:
        """Return what is read of borders: what is known of them, and the rest read now; it is known from now on."""
        with_ink, read_with = tuple(shred for shred in shreds if shred.compared), _read_with(encoder, options)
        known = self._known(with_ink, read_with, encoder, options, part(progress, 0.0, 0.7))
        if known is None:
            embedded = embed(with_ink, encoder, options, progress, self.cache, self.workers, both_ways=both_ways)
        else:
            rest = part(progress, 0.7, 1.0)
            embedded = with_turned(known, encoder, options, rest, self.cache, self.workers, both_ways=both_ways)
        is_new = self._kept is None or embedded.right is not self._kept.embedded.right
        is_new |= self._kept is not None and (embedded.turned is not None) > (self._kept.embedded.turned is not None)
        if is_new:
            self._keep(with_ink, read_with, embedded)
        return embedded

    def _known(
        self,
        shreds: tuple[Shred, ...],
        read_with: tuple[object, ...],
        encoder: "Encoder",
        options: Options,
        progress: Progress,
    ) -> Embedded | None:
        """Put together what is known of shreds, and what is read of those that are new; None if nothing is known."""
        kept = self._kept
        frame = reversible_frame(common_frame(shreds))
        if kept is None or kept.read_with != read_with or kept.frame != frame:
            return None
        rows = kept.rows(shreds)
        if rows == list(range(len(kept.shreds))):
            return replace(kept.embedded, shreds=shreds, seconds=0.0)
        new = tuple(shred for shred, row in zip(shreds, rows, strict=True) if row is None)
        if len(new) == len(shreds):
            return None
        if not new:
            return _joined(shreds, [(0, row) for row in rows if row is not None], (kept.embedded,), options)
        read = embed_in(frame, new, encoder, options, part(progress, 0.0, 0.7), self.cache, self.workers)
        if kept.embedded.turned is not None:
            rest = part(progress, 0.7, 1.0)
            read = replace(read, turned=embed_turned(read, encoder, options, rest, self.cache, self.workers))
        logger.info("Borders of %d shreds are read, those of %d were known", len(new), len(shreds) - len(new))
        ahead = iter(range(len(new)))
        places = [(1, next(ahead)) if row is None else (0, row) for row in rows]
        return _joined(shreds, places, (kept.embedded, read), options)

    def _keep(self, shreds: Sequence[Shred], read_with: tuple[object, ...], embedded: Embedded) -> None:
        self._kept = None  # the disk has room for one
        try:
            stored = on_disk(replace(embedded, shreds=()))
        except OSError as error:
            logger.warning("What was read of the borders is not kept, it will be read again if need be: %s", error)
        else:
            self._kept = _Kept(tuple(map(weakref.ref, shreds)), read_with, stored)


def _read_with(encoder: "Encoder", options: Options) -> tuple[object, ...]:
    """List all that what is read of a shred depends on."""
    cost = options.cost
    return encoder.sha256, options.binarization, options.border, cost.try_half_turns, cost.turn_pages


@contextmanager
def _patiently(lock: Lock, progress: Progress) -> Iterator[None]:
    """Hold a lock that another thread may hold for long; who waits can be cancelled."""
    while not lock.acquire(timeout=0.1):
        progress(0.0, READING_BORDERS)
    try:
        yield
    finally:
        lock.release()


def _joined(shreds: tuple[Shred, ...], rows: _Rows, parts: tuple[Embedded, ...], options: Options) -> Embedded:
    """Put together what was read of some shreds and of others, in the order of all."""

    def gathered(*arrays: Any) -> Any:
        growing = Growing()
        for block in blocks(len(rows)):  # copies of all would be held besides
            growing.append(np.stack([arrays[which][row] for which, row in rows[block]]))
            let_go(*arrays)
        return growing.whole()

    def tones(side: int) -> Tones:
        of_side = [part.readings.tones[side] for part in parts]
        return Tones(*(gathered(*(getattr(one, field.name) for one in of_side)) for field in fields(Tones)))

    first, sides = parts[0], ("right", "left")
    borders = {side: gathered(*(getattr(part.borders, side) for part in parts)) for side in sides}
    edges = {side: gathered(*(getattr(part.readings, side) for part in parts)) for side in sides}
    height_px = float(np.median([shred.height_px for shred in shreds]))
    turns = gathered(*(part.turns for part in parts))
    upright, along = odds_in_set(turns, options.cost)
    turned = [part.turned for part in parts if part.turned is not None]
    return replace(
        first,
        shreds=shreds,
        borders=replace(first.borders, **borders),
        readings=replace(first.readings, **edges, height_px=height_px, tones=(tones(0), tones(1))),
        **{side: gathered(*(getattr(part, side) for part in parts)) for side in sides},
        turns=turns,
        upright=upright,
        along=along,
        turned=(gathered(*(one[0] for one in turned)), gathered(*(one[1] for one in turned))) if turned else None,
        seconds=sum(part.seconds for part in parts[1:]),
    )
