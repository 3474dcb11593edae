"""Rows that are put together from the surest join on in both directions, where blank pieces leave none complete.

Beside a blank piece stands what could as well stand at a margin, so that the cheapest rows end there, or run on
elsewhere. They are broken where little speaks for a join, and their parts put together by what all neighbours tell, to
blocks of rows: between two blocks the cut runs between lines of print.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise, product

import numpy as np

from core.arrays import Floats
from core.grid.by_hand import ByHand
from core.grid.completion import KEPT, Evidence
from core.grid.costs import against_chance
from core.grid.margins import Margins, margin_costs
from core.grid.packing import broken
from core.grid.standing import EMPTY, Run, turned_run
from core.progress import Progress, no_progress
from core.wording import QT_TRANSLATE_NOOP

_GROWING = QT_TRANSLATE_NOOP("progress", "Putting pieces into pages")

MOST_BLANK = 0.25
"""Of pages with a larger share of blank pieces the rows are found better by themselves."""

WEAK = -1.0
"""Rows are broken where a join costs more: so little speaks for it."""

SURE = 4.0
"""So much has to speak for a place, in nats, before a part is put there."""

MOST_AGAINST = 2.0
"""So much speaks against two pieces side by side at most: networks mistake some true neighbours for strangers."""

TELLING = 0.5
"""What speaks less for a place is chance."""

LEAST_OF_ROW = 3
"""Fewer pieces begin no row of their own where another place is left."""

NO_PLACE = 1.0
"""Where so much speaks against each place that is left, a part begins a row of its own."""

OF_ROW = 0.5
"""A block of so many pieces as this part of a row is no stray."""

LEAST_SURE = 0.6
"""So many of the pieces stand in such blocks at least, or what is found is not believed."""

Cell = tuple[int, int]
"""Row and column."""

Block = dict[Cell, int]
"""Poses that stand together."""


def grown_rows(
    runs: Sequence[Run],
    evidence: Evidence,
    margins: Margins,
    n_blank: int,
    by_hand: ByHand,
    progress: Progress = no_progress,
    length: int | None = None,
) -> list[Run] | None:
    """Put pieces into rows of one length that they fill together with blank ones.

    Parameters
    ----------
    runs : sequence of Run
        The cheapest rows, each of n pieces with print once.
    evidence : Evidence
        Of all poses.
    margins : Margins
        Where text begins and ends in them.
    n_blank : int
        How many pieces bear no print.
    by_hand : ByHand
        Pieces that were turned by hand keep their way up.
    progress : Progress
        Called often, so that cancelling acts.
    length : int, optional
        Of a row, where it is known: then what is found is given back in any case, to be judged by its price.

    Returns
    -------
    list of Run or None
        With `EMPTY` where a blank piece is to stand; rows of blank pieces alone are left out. None where no rows of one
        length hold all.
    """
    n_places = sum(map(len, runs)) + n_blank
    if n_blank > MOST_BLANK * n_places:
        return None
    growth = _Growth(runs, evidence, by_hand, n_places, length)
    length, bands = growth.bands(progress)
    if bands is None:
        return None
    rows: list[Run] = []
    for band in sorted(bands, key=lambda one: (-_size(one)[1], -len(one))):
        others = [turned for row in rows for turned in growth.in_all_ways(row)]
        rows += _laid_out(band, length, others, margins, growth.down)
    return rows


class _Growth:
    """Parts of rows, and the places beside a block that come into question for them."""

    def __init__(
        self, runs: Sequence[Run], evidence: Evidence, by_hand: ByHand, n_places: int, length: int | None
    ) -> None:
        self._n = sum(map(len, runs))
        self._n_ways, self._fixed = len(evidence.across) // self._n, by_hand.turned
        self.down = np.pad(evidence.down, ((0, 1), (0, 1)))
        # Borders with little print are alike, and tell no more than that print does.
        shown = np.minimum(evidence.to_blank[:, None], evidence.from_blank)
        seams = np.clip(-against_chance(-evidence.across.astype(np.float64)), -np.maximum(shown, 0), MOST_AGAINST)
        seams[~np.isfinite(evidence.across)] = np.inf
        seams[evidence.across <= KEPT] = KEPT
        self._seams = np.pad(seams.astype(np.float32), ((0, 1), (0, 1)))
        self._sizes = _sizes(n_places) if length is None else [(n_places // length, length)]
        self._n_places, self._least_sure = n_places, LEAST_SURE if length is None else 0.0
        self._parts = {
            number: self.in_all_ways(part) for number, part in enumerate(self._fitting(runs, length or n_places))
        }

    def _fitting(self, runs: Sequence[Run], length: int) -> Iterator[Run]:
        """Break rows where little speaks for a join, and what is longer than a row all the same."""
        for solid in (part for run in runs for part in self._solid(run)):
            yield from broken(solid, length, self._seams)

    def in_all_ways(self, run: Run) -> list[Run]:
        """Turn a run in all ways in which it can stand."""
        fixed = any(pose % self._n in self._fixed for pose in run)
        return [turned_run(run, self._n, way) for way in range(1 if fixed else self._n_ways)]

    def price(self, block: Block, run: Run, cell: Cell) -> float:
        """Price a run at a place by all its neighbours there; below 0 if they speak for it."""
        row, column = cell
        at = range(column, column + len(run))
        above, below = ([block.get((beside, one), EMPTY) for one in at] for beside in (row - 1, row + 1))
        before, behind = block.get((row, column - 1), EMPTY), block.get((row, column + len(run)), EMPTY)
        down = self.down[above, run].sum() + self.down[run, below].sum()
        return float(down + self._seams[before, run[0]] + self._seams[run[-1], behind])

    def blocks(self, progress: Progress) -> Iterator[Block]:
        """Grow blocks until no part is left, each from the longest one; those that were turned by hand come first."""
        while self._parts:
            progress(1 - len(self._parts) / self._n, _GROWING)
            first = min(self._parts, key=lambda one: (len(self._parts[one]) > 1, -len(self._parts[one][0]), one))
            block: Block = {}
            prices: dict[tuple[int, int, Cell], float] = defaultdict(float)
            likely: list[tuple[float, int, int, Cell]] = [(0.0, first, 0, (0, 0))]
            prices[first, 0, (0, 0)] = 0.0
            while likely:
                price, number, way, cell = heappop(likely)
                if number in self._parts and prices[number, way, cell] == price:
                    run = self._parts[number][way]
                    new = _cells(run, cell)
                    if block.keys().isdisjoint(new) and self._in_bounds(block.keys() | new.keys()):
                        del self._parts[number]
                        block |= new
                        for key in self._told(new, prices):
                            if prices[key] < -SURE:
                                heappush(likely, (prices[key], *key))
            yield block

    def bands(self, progress: Progress) -> tuple[int, list[Block] | None]:
        """Put all parts together to blocks of rows, and tell how long rows are; None where not all find a place."""
        blocks = sorted(self.blocks(progress), key=lambda block: (-len(block), min(block.values())))
        length = self.least_length([block for block in blocks if len(block) > len(blocks[0]) / 4])
        bands: list[Block] = []
        strays: list[Run] = []
        left = self._n_places // length
        for block in blocks:
            height, width = _size(block)
            if len(block) >= OF_ROW * length and height <= left and width <= length:
                bands.append(block)
                left -= height
            else:
                strays += _runs(block)
        sure = sum(map(len, bands)) >= self._least_sure * self._n
        return length, self.with_strays(bands, strays, length, left, progress) if sure else None

    def least_length(self, blocks: Sequence[Block]) -> int:
        """Return how long the shortest rows are into which blocks fit, or all."""
        height, width = (max(sizes) for sizes in zip(*map(_size, blocks), strict=True))
        fitting = (columns for rows, columns in self._sizes if rows >= height and columns >= width)
        return min(fitting, default=self._n_places)

    def with_strays(
        self, bands: Sequence[Block], strays: Sequence[Run], length: int, n_rows: int, progress: Progress
    ) -> list[Block] | None:
        """Put what is left where most speaks for it, or least against it; so many rows may be begun."""
        bands, left = [dict(band) for band in bands], dict(enumerate(strays))
        best = {key: self._best(left[key[0]], bands[key[1]], length) for key in product(left, range(len(bands)))}
        while left:
            progress(1 - len(left) / self._n, _GROWING)
            # What nothing tells of comes last, the longest first: that finds room.
            found = min(
                ((min(place[0], -TELLING), -len(left[key[0]]), place, key) for key, place in best.items() if place),
                default=None,
            )
            number = min(left, key=lambda one: (-len(left[one]), one))
            lost = len(left[number]) >= LEAST_OF_ROW and found is not None and found[2][0] > NO_PLACE
            if n_rows and (found is None or lost):
                band = len(bands)
                bands.append(_cells(left[number], (0, 0)))
                n_rows -= 1
            elif found is None:
                if max(map(len, left.values())) == 1:
                    return None
                # No part fits into what is left as it is: its pieces do.
                return self.with_strays(bands, [(pose,) for run in left.values() for pose in run], length, 0, progress)
            else:
                _, _, (_, cell, run), (number, band) = found
                bands[band] |= _cells(run, cell)
            del left[number]
            best = {key: place for key, place in best.items() if key[0] in left}
            best |= {(one, band): self._best(run, bands[band], length) for one, run in left.items()}
        return bands

    def _best(self, run: Run, band: Block, length: int) -> tuple[float, Cell, Run] | None:
        """Find the best place for a run in a band that grows no wider than a row is long."""
        rows, columns = zip(*band, strict=True)
        starts = range(max(columns) - length + 1, min(columns) + length - len(run) + 1)
        return min(
            (
                (self.price(band, turned, cell), cell, turned)
                for cell in product(range(min(rows), max(rows) + 1), starts)
                if band.keys().isdisjoint(_cells(run, cell))
                for turned in self.in_all_ways(run)
            ),
            default=None,
        )

    def _told(self, new: Block, prices: dict[tuple[int, int, Cell], float]) -> set[tuple[int, int, Cell]]:
        """Add to what is known of the places of all parts what pieces tell that have come to a block."""
        changed = set()
        for (number, ways), (cell, pose) in product(self._parts.items(), new.items()):
            for way, run in enumerate(ways):
                for place, told in self._told_by(pose, cell, run):
                    prices[number, way, place] += told
                    changed.add((number, way, place))
        return changed

    def _told_by(self, pose: int, cell: Cell, run: Run) -> Iterator[tuple[Cell, float]]:
        """List the places that a run can have beside a piece, above it and below, and what the piece tells of each."""
        row, column = cell
        yield (row, column + 1), float(self._seams[pose, run[0]])
        yield (row, column - len(run)), float(self._seams[run[-1], pose])
        below, above = self.down[pose, run].tolist(), self.down[run, pose].tolist()
        for at, (of_below, of_above) in enumerate(zip(below, above, strict=True)):
            yield (row + 1, column - at), of_below
            yield (row - 1, column - at), of_above

    def _solid(self, run: Run) -> Iterator[Run]:
        """Break a run where little speaks for a join."""
        breaks = [at for at, (left, right) in enumerate(pairwise(run), start=1) if self._seams[left, right] > WEAK]
        for start, end in pairwise([0, *breaks, len(run)]):
            yield run[start:end]

    def _in_bounds(self, cells: Iterable[Cell]) -> bool:
        height, width = _size(cells)
        return any(rows >= height and columns >= width for rows, columns in self._sizes)


def _sizes(n_places: int) -> list[Cell]:
    """List how many rows and columns pages can have that are filled by all places together."""
    areas = [area for area in range(1, n_places + 1) if n_places % area == 0]
    return [(rows, area // rows) for area in areas for rows in areas if area % rows == 0]


def _size(cells: Iterable[Cell]) -> tuple[int, int]:
    """Measure how many rows and columns hold all cells."""
    rows, columns = zip(*cells, strict=True)
    return max(rows) - min(rows) + 1, max(columns) - min(columns) + 1


def _cells(run: Run, first: Cell) -> Block:
    """Lay a run out from a cell on."""
    return {(first[0], first[1] + at): pose for at, pose in enumerate(run)}


def _runs(block: Mapping[Cell, int]) -> Iterator[Run]:
    """List the runs of a block: in each row those of neighbouring columns."""
    run: list[int] = []
    for (row, column), pose in sorted(block.items()):
        run.append(pose)
        if (row, column + 1) not in block:
            yield tuple(run)
            run = []


def _laid_out(band: Block, length: int, others: Sequence[Run], margins: Margins, down: Floats) -> list[Run]:
    """Lay a band out in rows, where its pieces and margins fit best to other rows, or else in the middle."""
    rows, columns = zip(*band, strict=True)
    _, width = _size(band)

    def laid(before: int) -> list[Run]:
        places = range(min(columns) - before, min(columns) - before + length)
        return [tuple(band.get((row, one), EMPTY) for one in places) for row in range(min(rows), max(rows) + 1)]

    def against(before: int) -> tuple[float, float]:
        off, n, here = abs(before - (length - width) / 2), len(others), laid(before)
        if not n:
            return 0.0, off
        beside, (first, *_), (*_, last) = np.array(others), here, here
        told = margin_costs([*others, *here], margins)[:n, n:].min(axis=0).sum()
        return float(told + down[beside, first].sum(axis=1).min() + down[last, beside].sum(axis=1).min()), off

    return laid(min(range(length - width + 1), key=against))
