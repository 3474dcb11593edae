"""Rows of pieces become pages: each row is compared with every other, below it, at every place along it."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from core.arrangement.arrangement import GridPlace
from core.arrays import Doubles, Floats, Indices, Mask
from core.embedding.piece_geometry import STRIDE_PX
from core.faces.posed import Posed
from core.faces.ways import HALF_TURN, OVER, turned
from core.grid.by_hand import RowsByHand, in_all_ways
from core.grid.costs import TEMPERATURE
from core.grid.lines import line_costs, profile_of
from core.grid.margins import Margins, margin_costs
from core.grid.standing import Run, Standing, inked
from core.matching.costs import Costs
from core.options import SolverOptions
from core.progress import Progress, no_progress
from core.solver.order import Problem, find_order
from core.solver.page_breaks import estimate_n_pages
from core.units import mm_to_px

if TYPE_CHECKING:  # importing it would load Keras
    pass

HEIGHT_PER_WIDTH = 2**0.5
"""Of a page: the options tell its width."""

LEAST_COMMON = 0.5
"""Two rows of a page lie over one another by at least this part of the shorter one."""


def stack_rows(
    runs: Sequence[Run],
    costs: Costs,
    pieces: Standing,
    options: SolverOptions,
    by_hand: RowsByHand,
    progress: Progress = no_progress,
) -> tuple[tuple[Run, ...], tuple[GridPlace, ...]]:
    """Put rows one below the other, in pages.

    Parameters
    ----------
    runs : sequence of Run
        R rows, none empty.
    costs : Costs
        Of each row below each other, in all `WAYS`; the shift is how far right that is.
    pieces : Standing
        What stands in them.
    options : SolverOptions
        With the number of pages, or without; the width of a page tells its height.
    by_hand : RowsByHand
        What holds of these rows.
    progress : Progress
        Fraction and text.

    Returns
    -------
    rows : tuple of Run
        As they stand, page by page from the top; pages in the order of their earliest piece.
    places : tuple of (int, int, int)
        Of each, see `Grid`.
    """
    posed = pieces.posed
    standing = in_all_ways(runs, posed)
    by_lines = lines_of_rows(runs, pieces)
    upright = np.array([posed.costs.upright[list(inked(run))].sum() for run in standing], np.float32)
    with_lines = costs.cost + np.float32(costs.temperature) * by_lines[costs.left, costs.right]
    costs = replace(costs, cost=with_lines, upright=upright)
    heights = heights_of(runs, pieces, options)
    problem = Problem(Posed(costs, by_hand.names), options, by_hand.said, heights, progress)
    solution, way = find_order(problem, estimate_n_pages(heights))

    def earliest(page: Sequence[int]) -> str:
        return min(pieces.paper(pose).id for row in page for pose in inked(runs[row]))

    pages, of_ways, places = sorted(solution.pages, key=earliest), costs.of(way), []
    for number, page in enumerate(pages):
        shifts_px = [int(of_ways.shift_of(above, below)) for above, below in pairwise(page)]
        right_px = np.cumsum([0, *shifts_px])
        places += [(number, at, int(px)) for at, px in enumerate(right_px - right_px.min())]
    return tuple(standing[way[row]] for page in pages for row in page), tuple(places)


def _from_behind(n_poses: int, n_rows: int) -> Indices | None:
    """Tell of each row in each of the `WAYS` which one it is, turned over; None where pieces have one face."""
    over = HALF_TURN + OVER  # in the numbers that `WAYS` have in the order of rows
    return turned(np.arange(n_poses), n_rows, over) if n_poses > OVER * n_rows else None


def heights_of(runs: Sequence[Run], pieces: Standing, options: SolverOptions) -> Doubles:
    """Measure how high rows are, as fractions of a page."""
    page_px = mm_to_px(options.page_width_mm) * HEIGHT_PER_WIDTH
    return np.array([max(pieces.paper(pose).height_px for pose in inked(run)) for run in runs]) / page_px


def lines_of_rows(runs: Sequence[Run], pieces: Standing) -> Floats:
    """Price each row below each other one, in all `WAYS`, by whether lines of print go on, see `line_costs`."""
    profiles = [profile_of(pieces.seen(inked(run))) for run in in_all_ways(runs, pieces.posed)]
    return on_all_faces(line_costs(profiles), len(runs))


def on_all_faces(told: Floats, n_rows: int) -> Floats:
    """Add up what the faces that are seen tell of rows in all `WAYS`, and what their other faces do."""
    over = _from_behind(len(told), n_rows)
    return told if over is None else np.asarray(told + told[np.ix_(over, over)], np.float32)


def sliding_costs(runs: Sequence[Run], pieces: Standing, embedded: tuple[Floats, Floats], by_hand: RowsByHand) -> Costs:
    """Price each row below each other one, at the best place along it, in all `WAYS`."""
    standing = in_all_ways(runs, pieces.posed)
    pitch = -(-int(np.median([piece.width_px for piece in pieces.faces])) // STRIDE_PX)
    bottoms, tops = (_profiles(standing, pieces.of_seen(values), pieces, pitch) for values in embedded)
    lengths = pitch * np.array([len(run) for run in standing])
    return _costs(bottoms, tops, lengths, len(runs), by_hand)


def _profiles(standing: Sequence[Run], embedded: Floats, pieces: Standing, pitch: int) -> Floats:
    """Put what was embedded of pieces together to rows; (rows, columns, d).

    Machines cut one width: pieces are laid at the same distances in all rows, whatever wear has left of each.
    """
    width = embedded.shape[1]
    profiles: Floats = np.zeros((len(standing), pitch * max(map(len, standing)) + width, embedded.shape[2]), np.float32)
    for profile, run in zip(profiles, standing, strict=True):
        for at, pose in enumerate(run):
            narrower = max(0, pitch - pieces.paper(pose).width_px // STRIDE_PX) if at == 0 else 0
            here = slice(at * pitch + narrower, at * pitch + narrower + width)
            profile[here] += embedded[pose][: len(profile) - here.start]
    return profiles


def _costs(bottoms: Floats, tops: Floats, lengths: Indices, n_rows: int, by_hand: RowsByHand) -> Costs:
    """Price each row below each other one, at the best place along it; the shift is how far right that is.

    Turned over, what begins further right by some columns ends further left by as many.
    """
    n_poses, length, _ = bottoms.shape
    size, over = 2 * length, _from_behind(n_poses, n_rows)
    above, below = (np.fft.rfft(values, size, axis=1) for values in (bottoms, tops))
    squares = [(values.astype(np.float64) ** 2).sum(axis=(1, 2)).astype(np.float32) for values in (bottoms, tops)]
    if over is not None:
        squares = [values + values[over] for values in squares]
    extents = [np.flatnonzero(np.abs(values).any(axis=2).any(axis=0)) for values in (bottoms, tops)]
    cost = np.full((n_poses, n_poses), np.inf, np.float32)
    shift = np.zeros((n_poses, n_poses), np.int16)
    reach = int((1 - LEAST_COMMON) * (max(at.max() for at in extents if len(at)) if any(map(len, extents)) else 0))
    shifts = np.arange(-reach, reach + 1)

    apart: dict[int, list[tuple[int, int]]] = {}
    for upper, lower, right_px in by_hand.avoided:
        apart.setdefault(upper, []).append((lower, right_px))

    def meeting(one: int) -> Floats:
        """Sum over columns the products of what meets there, at every place of each row below."""
        return np.asarray(np.fft.irfft((above[one][None] * np.conj(below)).sum(axis=2), size, axis=1), np.float32)

    for one in range(n_poses):
        products = meeting(one)[:, shifts % size]
        if over is not None:
            from_behind = (lengths[one] - lengths)[:, None] - shifts
            products += np.take_along_axis(meeting(over[one])[over], from_behind % size, axis=1)
        for other, right_px in apart.get(one, ()):
            products[other, np.abs(shifts * STRIDE_PX - right_px) < by_hand.least_px] = -np.inf
        best = products.argmax(axis=1)
        cost[one] = squares[0][one] + squares[1] - 2 * products[np.arange(n_poses), best]
        shift[one] = shifts[best] * STRIDE_PX
    twin = turned(np.arange(n_poses), n_rows, HALF_TURN)
    cost = (cost + cost[np.ix_(twin, twin)].T) / np.float32(2)
    cost[_same_row(n_poses, n_rows)] = np.inf
    for (upper, lower), right_px in by_hand.kept.items():
        cost[upper, lower], shift[upper, lower] = squares[0][upper] + squares[1][lower], right_px
    return Costs.of_all(cost, shift, squares[0], squares[1], TEMPERATURE["down"])


def costs_of_whole(runs: Sequence[Run], margins: Margins, down: Floats, by_hand: RowsByHand) -> Costs:
    """Price each row below each other one, piece by piece, of whole rows in all `WAYS`."""
    rows, down = in_all_ways(runs, margins.pieces.posed), np.pad(down, ((0, 1), (0, 1)))
    standing = np.array(rows)
    cost = np.array([down[run, standing].sum(axis=1) for run in standing], np.float32)
    cost += on_all_faces(margin_costs(rows, margins), len(runs))
    cost[_same_row(len(standing), len(runs))] = np.inf
    nothing, shift = np.zeros(len(standing), np.float32), np.zeros(cost.shape, np.int16)
    for upper, lower, right_px in by_hand.avoided:
        if abs(right_px) < by_hand.least_px:
            cost[upper, lower] = np.inf
    for (upper, lower), right_px in by_hand.kept.items():
        cost[upper, lower] = 0
        shift[upper, lower] = right_px if abs(right_px) >= by_hand.least_px else 0
    return Costs.of_all(cost, shift, nothing, nothing, 1.0)


def _same_row(n_poses: int, n_rows: int) -> Mask:
    """Tell of each two rows as they stand whether they are one, turned or not."""
    row = np.arange(n_poses) % n_rows
    return row[:, None] == row
