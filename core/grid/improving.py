"""Whole pages of pieces are improved as such: pieces change places by what lies on all sides of them.

Rows are found by what lies left and right, and put together without their pieces being asked again: where a cut falls
into a gap between words, what lies above and below tells better. What tells against one neighbour is bounded, here too:
networks mistake some true neighbours for strangers.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from core.arrangement.arrangement import GridPlace
from core.arrays import Doubles, Floats, Indices, Mask
from core.faces.ways import turned
from core.grid.completion import KEPT, Evidence
from core.grid.costs import against_chance_of, bounded
from core.grid.standing import Run
from core.progress import Progress, no_progress
from core.wording import QT_TRANSLATE_NOOP

_IMPROVING = QT_TRANSLATE_NOOP("progress", "Improving pages")

DOUBT = 0.05
"""So many true neighbours side by side show nothing of what networks see in others."""

LEAST = 1e-3
"""What is cheaper by less, in nats, is not better."""

MOST_ROUNDS = 200
"""A search that goes on for longer has met with rounding."""

PATIENCE = 8000
"""After so many pieces were thrown into disorder and put right again without gain, in all, a search ends."""

MOST_GAINS = 200
"""A search that gains for longer ends, too."""

MOST_AT_ONCE = 3
"""In so many places at most."""

IMPOSSIBLE = 1e6
"""Costs more than all else together: infinite numbers cannot be added and taken away."""

EDGE = -1
"""In place of a pose beyond the edge of a page: the last entry of what is told of all."""


def seam_prices(evidence: Evidence) -> Doubles:
    """Price each pose right of each other, against one drawn by lot; nothing speaks strongly against a pair.

    Parameters
    ----------
    evidence : Evidence
        Of m poses; what was said by hand is part of it.

    Returns
    -------
    ndarray of shape (m, m), float64
        Negative logarithms of odds: below 0 where print goes on, but by no more than there is print.
    """
    prices = bounded(against_chance_of(-evidence.across.astype(np.float64)), DOUBT)
    shown = np.maximum(np.minimum(evidence.to_blank[:, None], evidence.from_blank), 0)
    prices = np.maximum(prices, -shown)
    prices[~np.isfinite(evidence.across)] = IMPOSSIBLE
    prices[evidence.across <= KEPT] = KEPT
    return prices


class Board:
    """Poses on the squares of whole pages, and what they cost by what lies around each.

    Parameters
    ----------
    rows : sequence of Run
        Of one length, page by page from the top; of n pieces, none empty.
    places : sequence of GridPlace
        Of each.
    seams : ndarray of shape (ways · n, ways · n), float64
        See `seam_prices`.
    down : ndarray of shape (ways · n, ways · n), float32
        The same of each pose below each other.
    ends : tuple of two ndarray of shape (ways · n,), float32
        What each pose costs at the left and at the right end of a row.
    n : int
        How many pieces there are.
    turned_by_hand : collection of int
        Pieces that keep their way up.
    """

    def __init__(
        self,
        rows: Sequence[Run],
        places: Sequence[GridPlace],
        seams: Doubles,
        down: Floats,
        ends: tuple[Floats, Floats],
        n: int,
        turned_by_hand: Collection[int] = (),
    ) -> None:
        self.grid: Indices = np.array(rows, np.intp)
        self._n, self._n_ways, self._fixed = n, len(seams) // n, sorted(turned_by_hand)
        self._beside = np.pad(seams, ((0, 1), (0, 1)))
        self._beside[EDGE, :EDGE], self._beside[:EDGE, EDGE] = ends
        self._below = np.pad(down.astype(np.float64), ((0, 1), (0, 1)))
        pages = [page for page, _, _ in places]
        self._goes_on = np.array([one == other for one, other in pairwise(pages)], np.bool_)
        row, column = np.indices(self.grid.shape)
        self._colours: tuple[Mask, Mask] = (row + column) % 2 == 0, (row + column) % 2 == 1

    @property
    def rows(self) -> list[Run]:
        """What stands there, page by page from the top."""
        return [tuple(row) for row in self.grid.tolist()]

    @property
    def price(self) -> float:
        """What all neighbours cost together, in nats."""
        left, _, above, _ = self._around()
        at_end = self._beside[self.grid[:, -1], EDGE].sum()
        return float(self._beside[left, self.grid].sum() + self._below[above, self.grid].sum() + at_end)

    def settle(self, progress: Progress = no_progress) -> None:
        """Take every step that makes the pages cheaper, until there is none.

        Of all pieces that are no neighbours, those on squares of one colour of a chessboard, the best share among these
        squares is found exactly, each in any of its ways; stretches move within their row; several rows begin elsewhere
        in themselves, all alike; and stretches of two rows change places.
        """
        n_rows = len(self.grid)
        for _ in range(MOST_ROUNDS):
            progress(0.0, _IMPROVING)
            shared = [self._share_among(colour) for colour in self._colours]
            moved = [self._move_stretch(row) for row in range(n_rows)]
            rotated = [self._rotate(*rows) for rows in combinations(range(n_rows + 1), 2) if rows[1] - rows[0] > 1]
            if not any([*shared, *moved, *rotated, *map(self._exchange_stretch, range(n_rows))]):
                return

    def search(self, seed: int, progress: Progress = no_progress) -> None:
        """Settle, then throw a few stretches into disorder and settle again, until that has not gained for long.

        Parameters
        ----------
        seed : int
            Of the disorder.
        progress : Progress
            Called often, so that cancelling acts.
        """
        rng = np.random.default_rng(seed)
        self.settle(progress)
        best, price, n_vain, n_gains = self.grid.copy(), self.price, 0, 0
        while n_vain * self.grid.size < PATIENCE and n_gains < MOST_GAINS:
            for _ in range(rng.integers(1, MOST_AT_ONCE + 1)):
                self._disturb(rng)
            self.settle(progress)
            settled = self.price
            if settled < price - LEAST:
                best, price, n_vain, n_gains = self.grid.copy(), settled, 0, n_gains + 1
            else:
                n_vain += 1
            self.grid = best.copy()

    def _disturb(self, rng: np.random.Generator) -> None:
        """Let stretches of two rows change places, or a row begin elsewhere in itself."""
        n_rows, length = self.grid.shape
        if n_rows > 1 and rng.random() < 1 / 2:
            one, other = rng.choice(n_rows, 2, replace=False)
            here = slice(*sorted(rng.choice(length + 1, 2, replace=False).tolist()))
            self.grid[[one, other], here] = self.grid[[other, one], here]
        elif length > 1:
            row = rng.integers(n_rows)
            self.grid[row] = np.roll(self.grid[row], rng.integers(1, length))

    def _around(self) -> tuple[Indices, Indices, Indices, Indices]:
        """Return what lies left, right, above and below each square."""
        left, right, above, below = (np.full(self.grid.shape, EDGE, np.intp) for _ in range(4))
        left[:, 1:], right[:, :-1] = self.grid[:, :-1], self.grid[:, 1:]
        above[1:][self._goes_on] = self.grid[:-1][self._goes_on]
        below[:-1][self._goes_on] = self.grid[1:][self._goes_on]
        return left, right, above, below

    def _share_among(self, colour: Mask) -> bool:
        """Share out what lies on squares of one colour among these; return whether that is better than before."""
        here, (left, right, above, below) = self.grid[colour], (side[colour] for side in self._around())
        ways = [turned(here, self._n, way) for way in range(self._n_ways)]
        costs = np.array(
            [
                self._beside[left][:, one].T + self._beside[one][:, right] + self._below[above][:, one].T
                + self._below[one][:, below]
                for one in ways
            ]
        )  # fmt: skip
        costs[1:, np.isin(here % self._n, self._fixed)] = IMPOSSIBLE
        best, least = costs.argmin(axis=0), costs.min(axis=0)
        piece, square = linear_sum_assignment(least)
        if np.trace(costs[0]) - least[piece, square].sum() <= LEAST:
            return False
        shared = np.empty_like(here)
        shared[square] = np.array(ways)[best[piece, square], piece]
        self.grid[colour] = shared
        return True

    def _move_stretch(self, number: int) -> bool:
        """Move the stretch of a row that gains most to another place in it; return whether one gains."""
        row, (_, _, above, below) = self.grid[number], (side[number] for side in self._around())
        moved = row[_orders(len(row))]
        padded = np.pad(moved, ((0, 0), (1, 1)), constant_values=EDGE)
        cost = self._beside[padded[:, :-1], padded[:, 1:]].sum(axis=1)
        cost += (self._below[above, moved] + self._below[moved, below]).sum(axis=1)
        best = int(cost.argmin())
        if cost[0] - cost[best] <= LEAST:
            return False
        self.grid[number] = moved[best]
        return True

    def _rotate(self, first: int, end: int) -> bool:
        """Let some rows below each other begin elsewhere in themselves, all alike; return whether that gains."""
        rows, (_, _, above, below) = self.grid[first:end], self._around()
        turns = np.array([np.roll(rows, by, axis=1) for by in range(rows.shape[1])])
        padded = np.pad(turns, ((0, 0), (0, 0), (1, 1)), constant_values=EDGE)
        cost = self._beside[padded[..., :-1], padded[..., 1:]].sum(axis=(1, 2))
        cost += self._below[above[first], turns[:, 0]].sum(axis=1) + self._below[turns[:, -1], below[end - 1]].sum(
            axis=1
        )
        best = int(cost.argmin())
        if cost[0] - cost[best] <= LEAST:
            return False
        self.grid[first:end] = turns[best]
        return True

    def _exchange_stretch(self, number: int) -> bool:
        """Let a stretch of a row and one of another change places where that gains most; return whether any gains."""
        n_rows, length = self.grid.shape
        others = np.array([row for row in range(n_rows) if row != number], np.intp)
        if not len(others):
            return False
        gains, starts, off = self._exchanges(number, others)
        flat = gains.ravel()
        promising = [at for at in np.argsort(flat, kind="stable")[:MOST_AT_ONCE] if flat[at] < -LEAST]
        before, price = self.grid.copy(), self.price if promising else 0.0
        for at in promising:
            row, shift, last = np.unravel_index(at, gains.shape)
            first, by = int(starts[row, shift, last]), int(off[shift])
            here, there = slice(first, last + 1), slice(first + by, last + 1 + by)
            self.grid[number, here], self.grid[others[row], there] = before[others[row], there], before[number, here]
            if last + 1 - first < length and self.price < price - LEAST:  # in which order rows stand is not asked here
                return True
            self.grid = before.copy()  # the two were neighbours
        return False

    def _exchanges(self, number: int, others: Indices) -> tuple[Doubles, Indices, Indices]:
        """Price exchanges of stretches of a row with those of others, at all offsets, as if neighbours stayed.

        Returns
        -------
        gains : ndarray of shape (others, offsets, length), float64
            By where a stretch ends in the row: what the best one costs more, below 0 for a gain.
        starts : ndarray of the same shape, intp
            Where that one begins.
        offsets : ndarray of shape (offsets,), intp
            By how much further right the other one begins.
        """
        left, right, above, below = self._around()
        length, beside, under = self.grid.shape[1], self._beside, self._below
        off = np.arange(1 - length, length)
        column = np.arange(length) + off[:, None]
        inside, column = (column >= 0) & (column < length), column.clip(0, length - 1)
        one, other = self.grid[number], self.grid[others][:, column]
        to_left, to_right, over, foot = (side[others][:, column] for side in (left, right, above, below))
        own_left, own_right, own_over, own_foot = (side[number] for side in (left, right, above, below))
        swapped = under[over, one] + under[one, foot] + under[own_over, other] + under[other, own_foot]
        stays = under[own_over, one] + under[one, own_foot] + under[over, other] + under[other, foot]
        total = np.cumsum(np.where(inside, swapped - stays, 0.0), axis=2)
        begins = beside[to_left, one] + beside[own_left, other] - beside[own_left, one] - beside[to_left, other]
        ends = beside[one, to_right] + beside[other, own_right] - beside[one, own_right] - beside[other, to_right]
        begins[:, :, 1:] -= total[:, :, :-1]
        begins = np.where(inside, begins, np.inf)
        least = np.minimum.accumulate(begins, axis=2)
        starts = np.maximum.accumulate(np.where(begins == least, np.arange(length), 0), axis=2)
        return np.where(inside, least + ends + total, np.inf), starts, off


@cache
def _orders(length: int) -> NDArray[np.intp]:
    """List the orders of a row in which it is as it is, first, or two stretches side by side have changed places."""
    return np.array([range(length), *_exchanged(length)], np.intp)


def _exchanged(length: int) -> Iterator[list[int]]:
    for start in range(length):
        for middle in range(start + 1, length):
            for stop in range(middle + 1, length + 1):
                yield [*range(start), *range(middle, stop), *range(start, middle), *range(stop, length)]
