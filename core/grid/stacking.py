"""Rows of pieces become pages: each row is compared with every other, below it, at every place along it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from core.arrangement.arrangement import Arrangement, GridPlace
from core.arrays import Floats
from core.embedding.piece_geometry import STRIDE_PX
from core.faces.posed import Posed
from core.grid.completion import Evidence, complete_rows, usual_length
from core.grid.costs import TEMPERATURE, embed_pieces, price_down
from core.grid.lines import level_costs, line_costs, profile_of
from core.matching.costs import Costs
from core.options import SolverOptions
from core.progress import Progress, no_progress, part
from core.shreds.shred import Shred
from core.solver.order import Problem, find_order
from core.solver.page_breaks import estimate_n_pages
from core.units import mm_to_px

if TYPE_CHECKING:  # importing it would load Keras
    from core.embedding.piece_encoder import PieceEncoder

HEIGHT_PER_WIDTH = 2**0.5
"""Of a page: the options tell its width."""

LEAST_COMMON = 0.5
"""Two rows of a page lie over one another by at least this part of the shorter one."""

Row = tuple[int, ...]
"""Indices of pieces, from left to right."""


@dataclass(frozen=True, eq=False)
class Stacked:
    """Rows, put into pages.

    Attributes
    ----------
    rows : tuple of Row
        Page by page, from the top.
    places : tuple of (int, int, int)
        Of each row: its page, which row of the page it is, and by how many pixels it begins right of the page's left
        edge.
    half_turned : frozenset of int
        Pieces that are to be half-turned against how they stood in the rows that were given.
    optimal : bool
        Whether the order of the rows is proved to be the cheapest.
    """

    rows: tuple[Row, ...]
    places: tuple[GridPlace, ...]
    half_turned: frozenset[int]
    optimal: bool


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
        Of each row, see `Stacked`.
    """

    rows: tuple[Row, ...]
    pose: list[int]
    places: tuple[GridPlace, ...]


def put_into_pages(
    rows: Sequence[Row],
    pose: Sequence[int],
    posed: Posed,
    shreds: Mapping[str, Shred],
    options: SolverOptions,
    progress: Progress = no_progress,
) -> Grid:
    """Put rows of pieces one below the other, in pages.

    Parameters
    ----------
    rows : sequence of Row
        Of papers of `posed`.
    pose : sequence of int
        In which each stands in its row.
    posed : Posed
        n pieces with one face each, in both ways up.
    shreds : mapping of str to Shred
        By identifier.
    options, progress
        See `stack_rows`.

    Returns
    -------
    Grid
        Of the same pieces.
    """
    from core.embedding.piece_encoder import shipped

    rows, pose, complete = _completed(rows, pose, posed, shreds)
    named = [posed.stand(one) for one in pose]
    pieces = [shreds[name].changed(half_turn=half_turned != shreds[name].half_turn) for name, half_turned in named]
    stacked = stack_rows(rows, pieces, posed.costs.upright[pose], shipped(), options, progress, complete=complete)
    n = posed.n
    turned = [(one + n) % (2 * n) if piece in stacked.half_turned else one for piece, one in enumerate(pose)]
    return Grid(stacked.rows, turned, stacked.places)


def _completed(
    rows: Sequence[Row], pose: Sequence[int], posed: Posed, shreds: Mapping[str, Shred]
) -> tuple[Sequence[Row], list[int], bool]:
    """Make rows complete where the set fills its pages; also return in which pose each piece stands, and whether so."""
    from core.embedding.piece_encoder import shipped

    length = usual_length(rows)
    if length is None:
        return rows, list(pose), False
    pieces = [shreds[face] for face, _ in posed.papers]
    down, level = price_down(pieces, shipped()), level_costs(pieces)
    evidence = Evidence.of(posed.costs, TEMPERATURE["across"], down, level)
    completed = complete_rows([tuple(pose[one] for one in row) for row in rows], length, evidence)
    if completed is None:
        return rows, list(pose), False
    standing = {one % posed.n: one for row in completed for one in row}
    return [tuple(one % posed.n for one in row) for row in completed], [standing[one] for one in range(posed.n)], True


def stack_rows(
    rows: Sequence[Row],
    pieces: Sequence[Shred],
    upright: Floats,
    encoder: "PieceEncoder",
    options: SolverOptions,
    progress: Progress = no_progress,
    *,
    complete: bool = False,
) -> Stacked:
    """Put rows one below the other, in pages.

    Parameters
    ----------
    rows : sequence of Row
        None empty.
    pieces : sequence of Shred
        n pieces, half-turned as they stand in the rows.
    upright : ndarray of shape (n,), float32
        Logarithm of the odds that each is the right way up as it stands.
    encoder : PieceEncoder
        Embeds their borders.
    options : SolverOptions
        With the number of pages, or without; the width of a page tells its height.
    progress : Progress
        Fraction and text.
    complete : bool
        All rows are whole, so that they begin at one edge.

    Returns
    -------
    Stacked
        Pages in the order of their earliest piece.
    """
    first = part(progress, 0.0, 0.6)
    if complete:
        costs = _costs_of_whole(rows, price_down(pieces, encoder, first))
    else:
        costs = _costs(*_profiles(rows, pieces, encoder, first))
    odds = np.array([upright[list(row)].sum() for row in rows], np.float32)
    profiles = [profile_of(row, pieces) for row in rows]
    by_lines = line_costs([*profiles, *(one[::-1] for one in profiles)])[costs.left, costs.right]
    with_lines = costs.cost + np.float32(costs.temperature) * by_lines
    costs = replace(costs, cost=with_lines, upright=np.concatenate([odds, -odds]))
    posed = Posed.alone([pieces[row[0]].id for row in rows], costs)
    height_px = mm_to_px(options.page_width_mm) * HEIGHT_PER_WIDTH
    heights = np.array([max(pieces[one].height_px for one in row) for row in rows]) / height_px
    n_pages = estimate_n_pages(heights)
    if complete and options.n_pages is None:  # whole rows fill whole pages: there are no more than that
        options = replace(options, n_pages=n_pages)
    problem = Problem(posed, options, Arrangement(), heights, part(progress, 0.6, 1.0))
    solution, pose = find_order(problem, n_pages)
    pages = sorted(solution.pages, key=lambda page: min(pieces[one].id for row in page for one in rows[row]))
    turned = {row for row, one in enumerate(pose) if one >= len(rows)}
    standing, places = costs.of(pose), []
    for number, page in enumerate(pages):
        shifts_px = [int(standing.shift_of(above, below)) for above, below in pairwise(page)]
        right_px = np.cumsum([0, *shifts_px])
        places += [(number, at, int(px)) for at, px in enumerate(right_px - right_px.min())]
    ordered = [row for page in pages for row in page]
    return Stacked(
        tuple(rows[row][::-1] if row in turned else rows[row] for row in ordered),
        tuple(places),
        frozenset(one for row in turned for one in rows[row]),
        solution.optimal,
    )


def _profiles(
    rows: Sequence[Row], pieces: Sequence[Shred], encoder: "PieceEncoder", progress: Progress
) -> tuple[Floats, Floats]:
    """Embed what lies above and below the rows, as they stand and half-turned; (2R, columns, d) each.

    Machines cut one width: pieces are laid at the same distances in all rows, whatever wear has left of each.
    """
    n = len(pieces)
    bottom, top = embed_pieces(pieces, encoder, "down", progress)
    pitch = -(-int(np.median([piece.width_px for piece in pieces])) // STRIDE_PX)
    length, width = pitch * max(map(len, rows)) + bottom.shape[1], bottom.shape[1]
    both = [np.zeros((2 * len(rows), length, bottom.shape[2]), np.float32) for _ in range(2)]
    standing = [*rows, *(tuple(n + one for one in row[::-1]) for row in rows)]
    for number, row in enumerate(standing):
        for at, one in enumerate(row):
            narrower = max(0, pitch - pieces[one % n].width_px // STRIDE_PX) if at == 0 else 0
            here = slice(at * pitch + narrower, at * pitch + narrower + width)
            for profile, values in zip(both, (bottom, top), strict=True):
                profile[number, here] += values[one][: length - here.start]
    return both[0], both[1]


def _costs(bottoms: Floats, tops: Floats) -> Costs:
    """Price each row below each other one, at the best place along it; the shift is how far right that is."""
    n_poses, length, _ = bottoms.shape
    size = 2 * length
    above, below = (np.fft.rfft(values, size, axis=1) for values in (bottoms, tops))
    squares = [(values.astype(np.float64) ** 2).sum(axis=(1, 2)) for values in (bottoms, tops)]
    extents = [np.flatnonzero(np.abs(values).any(axis=2).any(axis=0)) for values in (bottoms, tops)]
    cost = np.full((n_poses, n_poses), np.inf, np.float32)
    shift = np.zeros((n_poses, n_poses), np.int16)
    reach = int((1 - LEAST_COMMON) * (max(at.max() for at in extents if len(at)) if any(map(len, extents)) else 0))
    shifts = np.arange(-reach, reach + 1)
    for one in range(n_poses):
        # Sums over columns of the products of what meets there, at every place of the row below.
        products = np.fft.irfft((above[one][None] * np.conj(below)).sum(axis=2), size, axis=1)[:, shifts % size]
        best = products.argmax(axis=1)
        cost[one] = squares[0][one] + squares[1] - 2 * products[np.arange(n_poses), best]
        shift[one] = shifts[best] * STRIDE_PX
    twin = np.roll(np.arange(n_poses), n_poses // 2)
    cost = (cost + cost[np.ix_(twin, twin)].T) / np.float32(2)
    cost[np.arange(n_poses), twin] = np.inf
    return Costs.of_all(cost, shift, squares[0].astype(np.float32), squares[1].astype(np.float32), TEMPERATURE["down"])


def _costs_of_whole(rows: Sequence[Row], down: Floats) -> Costs:
    """Price each row below each other one, piece by piece, of whole rows of n pieces in both ways up."""
    n = len(down) // 2
    standing = np.array([*rows, *(tuple(n + one for one in row[::-1]) for row in rows)])
    cost = np.array([down[row, standing].sum(axis=1) for row in standing], np.float32)
    n_poses = len(standing)
    cost[np.arange(n_poses), np.roll(np.arange(n_poses), len(rows))] = np.inf
    nothing = np.zeros(n_poses, np.float32)
    return Costs.of_all(cost, np.zeros(cost.shape, np.int16), nothing, nothing, 1.0)
