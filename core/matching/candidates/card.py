"""Tiles and candidates on a graphics card, or wherever Keras computes: only what is kept comes back from there.

Shapes are the same again and again, since each new one is compiled: what is shifted is read from between rows of
zeros, and what is left over is filled up.
"""

from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Indices, blocks
from core.matching.candidates.tiles import LOOKING, POOLED_ROWS, RoughTile, Tile
from core.matching.laying import likely_upright
from core.matching.poses import BothViews
from core.matching.shifts import shifts_up_to
from core.progress import Progress
from core.wording import QT_TRANSLATE_NOOP

HELD_BYTES = 1_000_000_000
"""So much of either edge lies on the card at a time."""

READ_BYTES = 200_000_000
"""So much is read of either edge for the candidates that are multiplied at a time."""

LOOKING_CLOSELY = QT_TRANSLATE_NOOP("progress", "Comparing candidates")

_N_STEPS = 65_536
"""Into so many steps correlations between 0 and 1 are divided where the logarithm of their ratio is looked up."""


def best_of_tile_on_a_card(task: tuple[Tile, int], progress: Progress) -> list[NDArray[Any]]:
    """Find the cheapest joins of every edge of a tile.

    Parameters
    ----------
    task : (Tile, int)
        The tile, and how many joins are kept of an edge.
    progress : Progress
        Fraction and text.

    Returns
    -------
    list of ndarray of shape (k,)
        As of `core.matching.candidates.tiles.best_of_tile`: the same joins but for what single precision, or the card's
        own, tells apart.
    """
    ops = keras.ops
    tile, n_kept = task
    cost, shift_rows = _compare(tile, progress)
    if tile.upright is not None:
        one, other = (likely_upright(odds) for odds in tile.upright)
        alike = ops.matmul(np.stack([one, 1 - one], axis=1), np.stack([other, 1 - other]))
        cost = cost - np.float32(tile.rough.temperature) * ops.log(2 * alike)
    cost = ops.where(tile.ruled_out, np.float32(np.inf), cost)
    found = []
    for scores, shifts, flip in ((cost, shift_rows, False), (ops.transpose(cost), ops.transpose(shift_rows), True)):
        lowest, at = ops.top_k(-scores, min(n_kept, scores.shape[1]))
        of_edge = [ops.convert_to_numpy(values) for values in (at, -lowest, ops.take_along_axis(shifts, at, axis=1))]
        edge = np.repeat(np.arange(len(of_edge[0])), of_edge[0].shape[1])
        at, score, shift = (values.reshape(-1) for values in of_edge)
        found.append([at, edge, score, shift] if flip else [edge, at, score, shift])
    row, column, score, shift = (np.concatenate(pair) for pair in zip(*found, strict=True))
    # A join that is among the best of both its edges was found twice.
    _, once = np.unique(row * len(tile.other) + column, return_index=True)
    once = once[score[once] != np.inf]
    return [tile.one[row[once]], tile.other[column[once]], score[once], shift[once].astype(np.int16)]


def _compare(tile: Tile, progress: Progress) -> tuple[Any, Any]:
    """Find the cheapest shift of each right edge and each left edge, as `RoughTile.compare` does: tensors, (p, q)."""
    ops, rough = keras.ops, tile.rough
    n_rows = rough.right.shape[1]
    shifts = shifts_up_to(-(-tile.max_shift_rows // POOLED_ROWS), n_rows)
    temperature, room = np.float32(rough.temperature), max(shifts)
    right, left = _between_zeros(rough.right, room), ops.convert_to_tensor(rough.left)
    profiles = [
        (
            _between_zeros(along_right, room * POOLED_ROWS),
            ops.convert_to_tensor(along_left),
            temperature * _listed(ratio),
        )
        for along_right, along_left, ratio in rough.profiles
    ]
    best = best_shift = None
    for step, shift in enumerate(shifts):
        progress(step / len(shifts), LOOKING)
        of_right, of_left = _alone(rough, shift)
        cost = _products(right, left, room + shift) * np.float32(-2) + of_right[:, None] + of_left[None, :]
        # What has no counterpart is taken to differ as much as the rest.
        cost = cost * np.float32(n_rows / (n_rows - abs(shift)))
        for along_right, along_left, table in profiles:
            correlation = _products(along_right, along_left, (room + shift) * POOLED_ROWS)
            place = ops.cast(ops.clip(correlation, 0, 1) * (_N_STEPS - 1) + 0.5, "int32")
            cost = cost + ops.take(table, place)
        if tile.laying is not None:
            cost = cost + temperature * tile.laying.log_ratio(np.array(shift * POOLED_ROWS))
        if best is None:
            best, best_shift = cost, ops.full(cost.shape, shift * POOLED_ROWS, dtype="int32")
            continue
        better = cost < best
        best = ops.where(better, cost, best)
        best_shift = ops.where(better, np.int32(shift * POOLED_ROWS), best_shift)
    return best, best_shift


def _products(right: Any, left: Any, start: int) -> Any:
    """Multiply p right edges, read from a row on, with q left ones, (q, rows, …): (p, q)."""
    ops = keras.ops
    n_numbers = int(np.prod(left.shape[1:]))
    some = ops.slice(right, (0, start) + (0,) * (len(left.shape) - 2), (right.shape[0], *left.shape[1:]))
    return ops.matmul(ops.reshape(some, (-1, n_numbers)), ops.transpose(ops.reshape(left, (-1, n_numbers))))


def _alone(rough: RoughTile, shift: int) -> tuple[Floats, Floats]:
    """Compute what the rows that meet at a shift cost without their products: of each edge, (p,) and (q,)."""
    n_rows = rough.right.shape[1]
    down, up = max(0, shift), max(0, -shift)
    of_right = rough.of_right[:, n_rows - up] - rough.of_right[:, down]
    of_left = rough.of_left[:, n_rows - down] - rough.of_left[:, up]
    return of_right.astype(np.float32), of_left.astype(np.float32)


def _listed(log_ratio: Callable[[Floats], Floats]) -> Floats:
    """List the logarithms of the ratios of correlations from 0 to 1."""
    return log_ratio(np.linspace(0, 1, _N_STEPS, dtype=np.float32))


def _between_zeros(edges: Any, room: int) -> Any:
    """Put rows of zeros above and below edges, (n, rows, …)."""
    return keras.ops.pad(edges, ((0, 0), (room, room)) + ((0, 0),) * (len(edges.shape) - 2))


def products_on_a_card(
    joins: tuple[Indices, Indices, NDArray[np.int16]],
    of_right: Floats | BothViews,
    of_left: Floats | BothViews,
    around: Sequence[int],
    progress: Progress,
    release: Callable[[], None],
) -> Floats:
    """Sum the products of the rows that meet, of some joins.

    Parameters
    ----------
    joins : tuple of three ndarray of shape (m,)
        Left and right poses, and by how many rows the right one is moved down.
    of_right, of_left : ndarray of shape (2 n, rows, …), float32, or BothViews
        What is multiplied: along right and left edges.
    around : sequence of int
        Rows that are added to each shift.
    progress : Progress
        Fraction and text.
    release : callable
        Lets the system take back the memory of what is mapped.

    Returns
    -------
    ndarray of shape (m, len(around)), float32
        What has no counterpart counts as multiplied by 0.
    """
    left, right, shift_rows = joins
    room = int(np.abs(shift_rows).max(initial=0)) + max(map(abs, around))
    of_pose = int(np.prod(of_right.shape[1:])) * 4
    held, read = max(1, HELD_BYTES // of_pose), max(1, READ_BYTES // of_pose)
    products = np.zeros((len(left), len(around)), dtype=np.float32)
    parts = blocks(len(of_right), held)
    for number, block in enumerate(parts):
        edges = _between_zeros(_on_the_card(of_right, block), room)
        of_block = np.flatnonzero(left // held == number)
        for step, others in enumerate(parts):
            progress((number + step / len(parts)) / len(parts), LOOKING_CLOSELY)
            some = of_block[right[of_block] // held == step]
            if len(some):
                of_some = left[some] - block.start, right[some] - others.start, room + shift_rows[some].astype(np.intp)
                products[some] = _in_chunks(edges, _on_the_card(of_left, others), of_some, around, read)
            release()
    return products


def _on_the_card(edges: Floats | BothViews, poses: slice) -> Any:
    """Bring edges of some poses there, (k, rows, d): views are put side by side only there."""
    ops = keras.ops
    if not isinstance(edges, BothViews):
        some = ops.convert_to_tensor(np.asarray(edges[poses]))
        return some[:, :, None] if len(some.shape) == 2 else some
    n, found = len(edges.views[0]), []
    for first, views in ((0, edges.views), (n, edges.turned)):
        some = slice(max(poses.start - first, 0), max(0, min(poses.stop - first, n)))
        as_it_lies, half_turned = (ops.convert_to_tensor(np.asarray(view[some])) for view in views)
        found.append(ops.concatenate([as_it_lies, ops.flip(half_turned, axis=1)], axis=2))
    return ops.concatenate(found, axis=0)


def _in_chunks(
    right: Any, left: Any, joins: tuple[Indices, Indices, Indices], around: Sequence[int], at_once: int
) -> Floats:
    """Multiply right edges between zeros with left ones, (k, rows, d).

    Of m joins, told by both edges and the row from which the right one is read: (m, len(around)).
    """
    ops = keras.ops
    (_, n_padded, d), n_rows, reach = right.shape, left.shape[1], max(map(abs, around))
    right, rows = ops.reshape(right, (-1, d)), np.arange(-reach, n_rows + reach)
    found = []
    for block in blocks(len(joins[0]), at_once):
        one, other, first = (np.resize(values[block], at_once) for values in joins)
        read = ops.take(right, ((one * n_padded + first)[:, None] + rows).astype(np.int32), axis=0)
        beside = ops.take(left, other.astype(np.int32), axis=0)
        at = (ops.slice(read, (0, reach + by, 0), beside.shape) for by in around)
        sums = ops.stack([ops.sum(some * beside, axis=(1, 2)) for some in at], axis=1)
        found.append(ops.convert_to_numpy(sums)[: len(joins[0][block])])
    return np.concatenate(found)
