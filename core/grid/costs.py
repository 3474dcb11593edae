"""What joins of pieces cost, side by side and one below the other: sums of squared distances of embeddings."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.arrays import Doubles, Floats
from core.embedding.piece_geometry import DARKEST, STRIDE_PX, Direction
from core.errors import UsageError
from core.grid.borders import read_piece_borders
from core.grid.lines import level_costs
from core.matching.costs import Costs
from core.matching.shifts import shifts_up_to
from core.progress import Progress, no_progress, part
from core.shreds.shred import Shred

if TYPE_CHECKING:  # importing it would load Keras
    from core.embedding.piece_encoder import PieceEncoder

TEMPERATURE: dict[Direction, float] = {"across": 21.33, "down": 1.775}
"""Difference of costs that makes a join e times less likely, as training found it (resources/weights)."""

MAX_SHIFT_ROWS = 2
"""Neighbours were cut by the same knives, so they lie level; straightening may err by so many embeddings."""

LENGTHS_PX = 8
"""Neighbours are as long as each other along their common cut, but for so much: wear and straightening."""

DOUBT = 0.6
"""So many true pairs one below the other show nothing of what networks see in others."""

MOST_WAY_UP = 3.0
"""So much it speaks against a join at most that one piece is upright by its print and the other is not."""

MOST_PIECES = 3000
"""Joins of more pieces would not fit into memory, since all are priced."""


def embed_pieces(
    shreds: Sequence[Shred], encoder: "PieceEncoder", direction: Direction, progress: Progress = no_progress
) -> tuple[Floats, Floats]:
    """Embed what lies before and behind the cuts of a direction, of pieces as they lie, then of all half-turned.

    Where cuts lose nothing, since pictures were cut in software, the outermost pixels count besides.

    Parameters
    ----------
    shreds : sequence of Shred
        n pieces.
    encoder : PieceEncoder
        Embeds their borders.
    direction : {"across", "down"}
        Right and left borders, or bottom and top ones.
    progress : Progress
        Fraction and text.

    Returns
    -------
    before, behind : ndarray of shape (2n, rows / 2, d), float32
        0 where no print is near.
    """
    borders = read_piece_borders(shreds)
    ends = (borders.right, borders.left) if direction == "across" else (borders.bottom, borders.top)
    nothing_lost = all(shred.mask.all() for shred in shreds)
    embedded = []
    for end, border, of_all in zip(
        ("right", "left"), ends, (part(progress, 0.0, 0.5), part(progress, 0.5, 1.0)), strict=True
    ):
        values = encoder.embed(border, direction, end, of_all)
        if nothing_lost:
            outermost = border[:, :, 0].reshape(*values.shape[:2], STRIDE_PX) / np.float32(DARKEST)
            values = np.concatenate([values, np.sqrt(np.float32(TEMPERATURE[direction])) * outermost], axis=2)
        embedded.append(values)
    return embedded[0], embedded[1]


def price_across(shreds: Sequence[Shred], encoder: "PieceEncoder", progress: Progress = no_progress) -> Costs:
    """Price the joins of all pieces side by side, in both ways up.

    Parameters
    ----------
    shreds : sequence of Shred
        n pieces with ink.
    encoder : PieceEncoder
        Embeds their borders.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Costs
        Of 2n poses: as they lie, then half-turned.

    Raises
    ------
    UsageError
        If there are too many.
    """
    if len(shreds) > MOST_PIECES:
        raise UsageError(
            f"There are {len(shreds):,} pieces of cross-cut paper. Rejoin compares up to {MOST_PIECES:,} at once: "
            "reconstruct the sheets in several parts."
        )
    right, left = embed_pieces(shreds, encoder, "across", progress)
    cost, shift = _both_ways(right, left)
    heights = np.tile([shred.height_px for shred in shreds], 2)
    cost[np.abs(heights[:, None] - heights) > LENGTHS_PX] = np.inf
    level = level_costs(shreds)
    if level is not None:
        cost += np.float32(TEMPERATURE["across"]) * level
    one = np.arange(len(shreds))
    cost[one, len(shreds) + one] = cost[len(shreds) + one, one] = np.inf
    to_blank, from_blank = ((values**2).sum(axis=(1, 2)) for values in (right, left))
    return Costs.of_all(cost, (shift * STRIDE_PX).astype(np.int16), to_blank, from_blank, TEMPERATURE["across"])


def with_way_up(costs: Costs, upright: Floats) -> Costs:
    """Let joins cost what it tells against them that their pieces are not the same way up.

    Parameters
    ----------
    costs : Costs
        Of pieces in both ways up.
    upright : ndarray of shape (2n,), float32
        Logarithm of the odds that each pose is the right way up.

    Returns
    -------
    Costs
        A join costs less where print tells that both are, or both are not.
    """
    one, other = (upright[side].astype(np.float64) for side in (costs.left, costs.right))
    # Of two poses: both upright or both not, against what it would be by chance, one in two.
    alike = np.logaddexp(one + other, 0.0) - np.logaddexp(one, 0.0) - np.logaddexp(other, 0.0) + np.log(2.0)
    against = np.float32(costs.temperature) * np.minimum(-alike, MOST_WAY_UP).astype(np.float32)
    return replace(costs, cost=costs.cost + against)


def price_down(bottom: Floats, top: Floats) -> Floats:
    """Price each piece below each other, against one drawn by lot.

    Between lines of print a cut tells nothing, and often misleads: nothing speaks strongly against a pair.

    Parameters
    ----------
    bottom, top : ndarray of shape (2n, rows / 2, d), float32
        From `embed_pieces`.

    Returns
    -------
    ndarray of shape (2n, 2n), float32
        A negative logarithm of odds, of pieces as they lie, then half-turned: below 0 where print goes on.
    """
    cost, _ = _both_ways(bottom, top)
    likely = -cost.astype(np.float64) / TEMPERATURE["down"]
    one = np.arange(len(likely))
    likely[one, one] = likely[one, np.roll(one, len(bottom) // 2)] = -np.inf
    # A border that shows next to nothing fits many: only the other one tells then.
    price = bounded(against_chance_of(likely), DOUBT).astype(np.float32)
    # Few pieces of some sets have blank borders: they are no more likely neighbours for that.
    blank = [(values**2).sum(axis=(1, 2)) < TEMPERATURE["down"] for values in (bottom, top)]
    price[np.ix_(*blank)] = 0
    return price


def bounded(odds: tuple[Doubles, Doubles], doubt: float) -> Doubles:
    """Price joins by odds against chance, where some true ones show nothing of what tells them from others.

    Parameters
    ----------
    odds : tuple of two ndarray of shape (m, m), float64
        See `against_chance_of`.
    doubt : float
        Share of those, between 0 and 1.

    Returns
    -------
    ndarray of shape (m, m), float64
        Negative logarithms of odds, no more than that of `doubt`.
    """
    return np.asarray(-np.mean([np.logaddexp(np.log(doubt), one + np.log1p(-doubt)) for one in odds], axis=0))


def against_chance(likely: Doubles) -> Doubles:
    """Compute how much likelier each join is than one of its borders with a piece drawn by lot.

    Parameters
    ----------
    likely : ndarray of shape (m, m), float64
        Logarithms of likelihoods up to a constant; -inf where a join is impossible.

    Returns
    -------
    ndarray of shape (m, m), float64
        Logarithms of odds: above 0 for a join that is likelier than others of its borders.
    """
    return np.asarray(np.mean(against_chance_of(likely), axis=0))


def against_chance_of(likely: Doubles) -> tuple[Doubles, Doubles]:
    """Compute how much likelier each join is than one of its first border, and one of its second, with any piece.

    Parameters
    ----------
    likely : ndarray of shape (m, m), float64
        See `against_chance`.

    Returns
    -------
    tuple of two ndarray of shape (m, m), float64
        Logarithms of odds.
    """
    first, second = (likely - np.logaddexp.reduce(likely, axis=axis, keepdims=True) for axis in (1, 0))
    return first + np.log(len(likely)), second + np.log(len(likely))


def _both_ways(right: Floats, left: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Compute the smallest squared distances over the shifts, and the shifts in embeddings; (2n, 2n) each.

    A join and the same join half-turned are one; both are told what is between what either says.
    """
    n_poses, n_rows = len(right), right.shape[1]
    least = np.full((n_poses, n_poses), np.inf, np.float32)
    at = np.zeros(least.shape, np.intp)
    squares = (right**2).sum(axis=(1, 2))[:, None]
    flat = right.reshape(n_poses, -1)
    for shift in shifts_up_to(MAX_SHIFT_ROWS, n_rows):
        lower = np.zeros_like(left)
        lower[:, max(0, shift) : n_rows + min(0, shift)] = left[:, max(0, -shift) : n_rows - max(0, shift)]
        lower = lower.reshape(n_poses, -1)
        cost = squares + (lower**2).sum(axis=1) - 2 * (flat @ lower.T)
        better = cost < least
        least[better], at[better] = cost[better], shift
    twin = np.roll(np.arange(n_poses), n_poses // 2)
    return (least + least[np.ix_(twin, twin)].T) / np.float32(2), at
