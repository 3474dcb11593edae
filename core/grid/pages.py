"""Rows of pieces become pages: where all pieces fill whole pages, as these are cheapest; elsewhere row by row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.arrangement.arrangement import Arrangement, GridPlace
from core.arrays import Doubles, Floats
from core.faces.posed import Paper, Posed
from core.grid.blank_pieces import with_blank_pieces
from core.grid.by_hand import ByHand, RowsByHand
from core.grid.completion import Evidence, complete_rows, in_best_order, usual_length
from core.grid.costs import TEMPERATURE, embed_pieces, price_down
from core.grid.growing import grown_rows
from core.grid.improving import Board, seam_prices
from core.grid.lines import level_costs
from core.grid.margins import Margins, end_costs
from core.grid.packing import likely_length, packed
from core.grid.stacking import costs_of_whole, heights_of, sliding_costs, stack_rows
from core.grid.standing import Run, Standing, inked
from core.grid.sureness import Downwards
from core.options import SolverOptions
from core.progress import Progress, no_progress, part
from core.shreds.shred import Shred
from core.solver.page_breaks import estimate_n_pages

TELLING = 1.1
"""Pages of rows whose length was guessed are believed where they tell so much more than rows by themselves."""

Row = tuple[int, ...]
"""Indices of pieces, from left to right."""

Stacked = tuple[Sequence[Run], tuple[GridPlace, ...]]
"""Rows page by page from the top, and the place of each."""


@dataclass(frozen=True, eq=False)
class Grid:
    """Rows of pieces as they stand on pages.

    Attributes
    ----------
    rows : tuple of Row
        Page by page, from the top.
    pose : list of int
        In which each piece stands.
    places : tuple of (int, int, int)
        Of each row: its page, which row of the page it is, and by how many pixels it begins right of the page's left
        edge.
    told : Downwards, optional
        What borders tell of pieces below each other.
    """

    rows: tuple[Row, ...]
    pose: list[int]
    places: tuple[GridPlace, ...]
    told: Downwards | None = None


def put_into_pages(
    rows: Sequence[Row],
    pose: Sequence[int],
    posed: Posed,
    shreds: Mapping[str, Shred],
    options: SolverOptions,
    previous: Arrangement,
    progress: Progress = no_progress,
    blank: Sequence[Paper] = (),
) -> Grid:
    """Put rows of pieces one below the other, in pages.

    Parameters
    ----------
    rows : sequence of Row
        Of papers of `posed`.
    pose : sequence of int
        In which each stands in its row.
    posed : Posed
        n pieces, with one face each or with two, in all their ways.
    shreds : mapping of str to Shred
        All faces, by identifier.
    previous : Arrangement
        What the examiner did holds: a join, and which way up a piece stands.
    options, progress
        See `stack_rows`.
    blank : sequence of Paper
        b pieces without print, which may fill places that the others leave.

    Returns
    -------
    Grid
        Of the same pieces, and where these fill whole pages with the blank ones, of n + b.
    """
    from core.embedding.piece_encoder import shipped

    pieces, runs = Standing(posed, shreds), [tuple(pose[one] for one in row) for row in rows]
    by_hand = ByHand.of(previous, posed)
    stage, rest = part(progress, 0.4, 0.7), part(progress, 0.7, 1.0)
    embedded = embed_pieces(pieces.faces, shipped(), "down", part(progress, 0.0, 0.4))
    whole = _Whole(runs, pieces, embedded, by_hand, options)
    found, filling = whole.pages(len(blank), usual_length(rows), stage)
    if found is None:
        said = RowsByHand.of(runs, by_hand, pieces)
        costs = sliding_costs(runs, pieces, embedded, said)
        found = stack_rows(runs, costs, pieces, options, said, rest)
    n = posed.n + len(blank) * filling
    if filling:
        found = with_blank_pieces(*found, pieces, [shreds[face] for face, _ in blank])
    rows, places = found
    standing = {one % n: one for run in rows for one in run}
    which = tuple(tuple(one % n for one in run) for run in rows)
    return Grid(which, [standing[one] for one in range(n)], places, Downwards(pieces, whole.down))


class _Whole:
    """Pieces that fill whole pages: rows of one length, in as many ways as lead to them."""

    def __init__(
        self,
        runs: Sequence[Run],
        pieces: Standing,
        embedded: tuple[Floats, Floats],
        by_hand: ByHand,
        options: SolverOptions,
    ) -> None:
        self._runs, self._pieces, self._posed, self._embedded = runs, pieces, pieces.posed, embedded
        self._by_hand, self._options, self._margins = by_hand, options, Margins(pieces)

    @cached_property
    def down(self) -> Floats:
        """What each pose below each other costs, whatever the examiner said."""
        return self._pieces.by_all_faces(price_down(*self._embedded))

    @cached_property
    def _evidence(self) -> Evidence:
        level = level_costs(self._pieces.faces)
        by_level = None if level is None else self._pieces.by_all_faces(level)
        return Evidence.of(self._posed.costs, TEMPERATURE["across"], self.down, by_level, self._by_hand)

    @cached_property
    def _seams(self) -> Doubles:
        return seam_prices(self._evidence)

    def pages(self, n_blank: int, usual: int | None, progress: Progress) -> tuple[Stacked | None, bool]:
        """Find the cheapest whole pages, if there are any, and whether blank pieces fill what is empty in them."""
        complete = None if n_blank or usual is None else self._complete(usual, progress)
        if complete is not None:
            return self._cheapest([complete], progress)[1], False
        guessed = None if n_blank else likely_length(self._runs)
        grown = self._grown(n_blank, guessed, progress) if n_blank or guessed is not None else None
        if n_blank and grown is not None:
            return self._stacked(grown, n_blank, progress), True  # where nothing is known, nothing can be improved
        if guessed is not None:
            starts = [packed(self._runs, guessed, self._seams), *([] if grown is None else [grown])]
            price, found = self._cheapest(starts, progress)
            by_themselves = sum(float(self._seams[run[:-1], run[1:]].sum()) for run in self._runs)
            if price < TELLING * by_themselves:
                return found, False
        if usual is not None and (complete := self._complete(usual, progress)) is not None:
            return self._cheapest([complete], progress)[1], False  # what is blank is set aside
        return None, False

    def _grown(self, n_blank: int, length: int | None, progress: Progress) -> list[Run] | None:
        """Grow rows, in both directions."""
        return grown_rows(self._runs, self._evidence, self._margins, n_blank, self._by_hand, progress, length)

    def _complete(self, length: int, progress: Progress) -> list[Run] | None:
        """Make all rows complete, and put those that were not in their best order."""
        runs, rows = self._runs, complete_rows(self._runs, length, self._evidence, progress)
        if rows is None:
            return None
        ends = end_costs([run for run in runs if run in rows] or rows, self._margins)
        return [run if run in runs else in_best_order(run, self._posed, ends, self._by_hand, progress) for run in rows]

    def _cheapest(self, starts: Sequence[list[Run]], progress: Progress) -> tuple[float, Stacked]:
        """Improve whole pages from each beginning; return the price of the cheapest, and these, stacked once more."""
        boards = [self._board(self._stacked(rows, 0, progress)) for rows in starts]
        for board in boards:
            board.search(self._options.seed, progress)
        best = min(boards, key=lambda board: board.price)
        rows, places = self._stacked(best.rows, 0, progress)
        board = self._board((rows, places))
        board.settle(progress)
        return best.price, (board.rows, places)

    def _board(self, stacked: Stacked) -> Board:
        rows, places = stacked
        ends, turned = end_costs(rows, self._margins), self._by_hand.turned
        return Board(rows, places, self._seams, self._evidence.down, ends, self._posed.n, turned)

    def _stacked(self, rows: Sequence[Run], n_blank: int, progress: Progress) -> Stacked:
        """Put whole rows into pages: there are no more than they fill."""
        rows = [row for row in rows if inked(row)]
        said = RowsByHand.of(rows, self._by_hand, self._pieces, whole=True)
        costs = costs_of_whole(rows, self._margins, self.down, said)
        n_rows = (self._posed.n + n_blank) // len(rows[0])
        heights = np.resize(heights_of(rows, self._pieces, self._options), n_rows)
        options = replace(self._options, n_pages=self._options.n_pages or estimate_n_pages(heights))
        return stack_rows(rows, costs, self._pieces, options, said, progress)
