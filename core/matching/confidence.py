"""How sure a join is, among all that its borders could meet."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.arrays import Doubles, Floats, Indices
from core.matching.costs import N_STRANGERS, TEMPERATURE_PER_STEP, Costs, Join, cheapest
from core.matching.lowest import lowest

DOUBTFUL = 0.25
"""A join less sure than this (`confidence`) is pointed out to the examiner."""

BALANCING_ROUNDS = 60
"""Rounds of Sinkhorn's iteration; more change only groups of shreds that nothing tells apart."""

MISSING = 0.2
"""Share of borders that meet nothing, before any were looked at."""

BORDERS_BEFORE = 20
"""That guess counts as much as so many borders: of a single page hardly more can be learnt, of a bag nearly all."""

JOINS_BEFORE = 20
"""So much counts the guess that neighbours lie at any height."""

STRAY = 0.01
"""So many of the borders without a neighbour meet a stranger that fits like one."""

SHIFT_LIMITS = (1 / 3, 2 / 3, 0.9)
"""How far off shreds lie, as shares of the farthest that was searched: near, in between, far, and at the end, beyond
which the true shift may lie."""

LARGEST_SHARE = 0.9
"""More than this is never taken for missing."""

LIGHTEST = 1e-6
"""Weights below this count for nothing while they are balanced."""

LARGEST_EXPONENT = 300.0
"""Keeps weights, and products of two, within what floating point can hold."""


@dataclass(frozen=True)
class Prospects:
    """What can be expected of the borders of a set of shreds.

    Attributes
    ----------
    missing : float
        Share of borders that meet nothing, 0 to 1.
    spread : float
        How much farther apart neighbours and the best of strangers cost than strangers among each other.
    reach_px : int
        Largest shift of any join: so far was searched.
    log_ratio : tuple of float
        Logarithm of how much likelier neighbours lie so far off than the best of strangers, for each part of the reach
        (`SHIFT_LIMITS`).
    """

    missing: float
    spread: float
    reach_px: int = 0
    log_ratio: tuple[float, ...] = (0.0,) * (len(SHIFT_LIMITS) + 1)


@dataclass(frozen=True, eq=False)
class Confidences:
    """How sure the joins of some costs are.

    Attributes
    ----------
    costs : Costs
        Of n shreds.
    of_joins : ndarray of shape (m,), float32
        From `confidence`, of the joins of the costs.
    """

    costs: Costs
    of_joins: Floats

    def of(self, left: int, right: int) -> float:
        """Look up how sure a join is; 0 where it does not come into question."""
        return float(self.costs.look_up(self.of_joins, 0, left, right))

    def after(self, left: int) -> list[tuple[int, float]]:
        """List what could stand to the right of a shred, the likeliest first, with how sure that is; none of 0."""
        return self._likeliest(self.costs.after(left), self.costs.right)

    def before(self, right: int) -> list[tuple[int, float]]:
        """List what could stand to the left of a shred, likewise."""
        return self._likeliest(self.costs.before(right), self.costs.left)

    def _likeliest(self, at: Indices, shred: NDArray[np.int32]) -> list[tuple[int, float]]:
        at = at[self.of_joins[at] > 0]
        at = at[np.argsort(-self.of_joins[at], kind="stable")]
        return list(zip(shred[at].tolist(), self.of_joins[at].tolist(), strict=True))


@dataclass(frozen=True)
class JoinBelow:
    """A piece of cross-cut paper, and one directly below it.

    Attributes
    ----------
    above, below : str
        Identifiers.
    confidence : float or None
        0 to 1, how sure it is; None where nothing is known (a blank piece, or one that was turned since).
    """

    above: str
    below: str
    confidence: float | None

    @property
    def pair(self) -> tuple[str, str]:
        """The two pieces."""
        return self.above, self.below

    @property
    def doubtful(self) -> bool:
        """Whether it is pointed out to the examiner as less sure than others."""
        return self.confidence is not None and self.confidence < DOUBTFUL


def confidence(costs: Costs, n_pages: int = 1, prospects: Prospects | None = None) -> Floats:
    """Estimate how sure each possible join is, among all orders of the shreds, and given that some may be missing.

    Joins are weighted with ``exp(-cost / temperature)``, and with how likely neighbours lie so far off (`Prospects`).
    The weights are balanced until the probabilities of all that a border could meet sum to 1, for all right and all
    left borders at once (Sinkhorn's iteration, by square roots, so that both sides count alike). So a shred that
    clearly belongs elsewhere is no rival. Blank paper is met `n_pages` times.

    A border can also meet nothing: its neighbour was lost, never scanned, or not looked for where it lies. By how much
    the best of strangers is cheaper than the next falls off exponentially, by how much a neighbour is, spreads over
    ``spread`` times as much. So the odds that a border meets nothing, rather than a certain other, are those of the
    share that is missing, times this spread, times the weights of all strangers, divided by that of the other. The best
    of many that fit alike is not sure, then, even if all the others have better places.

    Parameters
    ----------
    costs : Costs
        Of n shreds.
    n_pages : int
        Number of pages the shreds are arranged on.
    prospects : Prospects, optional
        Of a larger set, or before answers were given; estimated from the costs if not given.

    Returns
    -------
    ndarray of shape (m,), float32
        Of the joins of the costs, between 0 and 1.

    References
    ----------
    R. Sinkhorn and P. Knopp, "Concerning nonnegative matrices and doubly stochastic matrices", Pacific Journal of
    Mathematics 21 (1967), DOI 10.2140/pjm.1967.21.343. D. Ruiz, "A scaling algorithm to equilibrate both rows and
    columns norms in matrices", Rutherford Appleton Laboratory, RAL-TR-2001-034 (2001).

    Examples
    --------
    Three shreds that belong together in their order; a cost of 1 stands out among others of 8 and 9.

    >>> cost = np.array([[np.inf, 1, 8], [9, np.inf, 1], [8, 9, np.inf]], dtype=np.float32)
    >>> to_blank, from_blank = np.array([[9, 9, 1], [1, 9, 9]], dtype=np.float32)
    >>> costs = Costs.of_all(cost, np.zeros((3, 3), dtype=np.int16), to_blank, from_blank)
    >>> sure = confidence(costs).round(2)
    >>> costs.left[sure > 0], costs.right[sure > 0], sure[sure > 0]
    (array([0, 1], dtype=int32), array([1, 2], dtype=int32), array([0.97, 0.97], dtype=float32))
    """
    known = prospects or prospects_of(costs, n_pages)
    weights = _Weights(costs, np.array(known.log_ratio)[_parts_of_reach(costs.shift_px, known.reach_px)])
    balanced, _ = weights.balanced(n_pages, known)
    strays = STRAY * _odds(known.missing)
    return (np.clip(balanced, 0, 1) / (1 + strays)).astype(np.float32)


def settled(costs: Costs, confirmed: Collection[Join], forbidden: Collection[Join]) -> Costs:
    """Rule out what contradicts the examiner: forbidden joins, and all rivals of confirmed ones.

    Parameters
    ----------
    costs : Costs
        Of n shreds.
    confirmed, forbidden : collection of (int, int)
        Indices of the left and the right shred; no join is both, no two confirmed ones share a border.

    Returns
    -------
    Costs
        Of the same joins, with ``inf`` where nothing can be any more; the temperature stays.
    """
    cost, to_blank, from_blank = costs.cost.copy(), costs.to_blank.copy(), costs.from_blank.copy()
    ruled_out = costs.at(*np.array(list(forbidden), dtype=np.intp).reshape(-1, 2).T)
    cost[ruled_out[ruled_out >= 0]] = np.inf
    for left, right in confirmed:
        at = costs.at(left, right)
        own = cost[at] if at >= 0 else np.inf
        cost[costs.after(left)] = cost[costs.before(right)] = to_blank[left] = from_blank[right] = np.inf
        if at >= 0:
            cost[at] = own
    return replace(costs, cost=cost, to_blank=to_blank, from_blank=from_blank)


def prospects_of(costs: Costs, n_pages: int = 1) -> Prospects:
    """Estimate from the costs of a set how many neighbours are missing, and how far off neighbours lie.

    A share that is missing makes borders of which the best stands out no more than strangers do. It is assumed, the
    weights are balanced, and what then meets nothing is the next assumption (expectation and maximisation), round by
    round. How far off shreds lie is counted over the joins, as sure as they are, and over the best strangers; where
    costs tell already how shreds were laid, it counts no more.

    Parameters
    ----------
    costs : Costs
        Of n shreds, as they were compared.
    n_pages : int
        Number of pages the shreds are arranged on.

    Returns
    -------
    Prospects
        Of a few shreds, near the guess beforehand.
    """
    best = cheapest(costs, 2)
    gaps = np.sort(np.diff(best[np.isfinite(best[:, 1])], axis=1)[:, 0]) / costs.temperature * TEMPERATURE_PER_STEP
    balanced, found = _Weights(costs).balanced(n_pages, Prospects(MISSING, 1.0), gaps)
    reach_px = int(np.abs(costs.shift_px[np.isfinite(costs.cost)]).max(initial=0))
    if not reach_px or costs.laying.any():
        return found
    parts, n_parts = _parts_of_reach(costs.shift_px, reach_px), len(SHIFT_LIMITS) + 1
    of_right = lowest(costs.cost, costs.starts, N_STRANGERS + 1)[:, 1:]
    of_left = lowest(costs.cost[costs.by_right], costs.starts_by_right, N_STRANGERS + 1)[:, 1:]
    strangers = np.concatenate([of_right[of_right >= 0], costs.by_right[of_left[of_left >= 0]]])
    by_chance = np.bincount(parts[strangers], minlength=n_parts) + 1.0
    by_chance /= by_chance.sum()
    true = np.bincount(parts, balanced, n_parts) + JOINS_BEFORE * by_chance
    return replace(found, reach_px=reach_px, log_ratio=tuple(np.log(true / true.sum() / by_chance).tolist()))


def _parts_of_reach(shift_px: NDArray[np.int16], reach_px: int) -> Indices:
    """Sort shifts by what part of the reach they lie in: the last is its end."""
    return np.digitize(np.abs(shift_px), np.array(SHIFT_LIMITS) * max(1, reach_px))


def _odds(share: float) -> float:
    return share / (1 - share)


class _Weights:
    """The weights of all joins, as logarithms, and those of margins: a matrix of which only what is there is kept.

    It has a row and a column for each shred, and the margin's behind them.

    Parameters
    ----------
    costs : Costs
        Of n shreds.
    more : ndarray of shape (m,)
        To be added to the logarithms.
    """

    def __init__(self, costs: Costs, more: Doubles | float = 0.0) -> None:
        self.n = costs.n
        shreds, margin = np.arange(self.n), np.full(self.n, self.n)
        joins = -costs.cost.astype(np.float64) / costs.temperature + more
        to_blank, from_blank = (
            -cost.astype(np.float64) / costs.temperature for cost in (costs.to_blank, costs.from_blank)
        )
        self.logs = np.concatenate([joins, to_blank, from_blank])
        self.row, self.column = (
            np.concatenate([of_joins, *margins]).astype(np.intp)
            for of_joins, margins in ((costs.left, (shreds, margin)), (costs.right, (margin, shreds)))
        )
        self.n_joins = len(joins)

    @cached_property
    def by_row(self) -> Indices:
        """Places of all entries, row by row."""
        return np.argsort(self.row, kind="stable")

    @cached_property
    def by_column(self) -> Indices:
        """Places of all entries, column by column."""
        return np.argsort(self.column, kind="stable")

    def balanced(self, n_pages: int, prospects: Prospects, gaps: Doubles | None = None) -> tuple[Doubles, Prospects]:
        """Balance the weights; returns those of joins, (m,), and, given the gaps of all borders, what they tell.

        Of the gaps, in steps of strangers, the median of as many of the largest as are neighbours tells how far these
        spread.
        """
        from scipy.sparse import csr_array  # here, since the window starts sooner without it

        n = self.n
        times = np.append(np.ones(n, dtype=np.intp), n_pages)
        # Divided by the roots of what strangers weigh on both sides, so that for all borders nothing weighs the same.
        of_right = self._log_weight_of_strangers(self.by_row, self.row, n_pages)
        of_left = self._log_weight_of_strangers(self.by_column, self.column, n_pages)
        logs = self.logs - of_right[self.row] / 2 - of_left[self.column] / 2
        weights = np.exp(np.minimum(logs, LARGEST_EXPONENT))
        heavy_ones = np.flatnonzero(weights > LIGHTEST)
        places = self.row[heavy_ones], self.column[heavy_ones]
        heavy = csr_array((weights[heavy_ones], places), shape=(n + 1, n + 1))
        turned = csr_array(heavy.T)
        of_row, of_column = np.ones(n + 1), np.ones(n + 1)
        for _ in range(BALANCING_ROUNDS):
            missing = prospects.missing
            if gaps is not None and len(gaps):
                prospects = replace(prospects, spread=max(1.0, float(np.quantile(gaps, (1 + missing) / 2))))
            nothing = np.sqrt(prospects.spread * _odds(missing))
            row_sum, column_sum = heavy @ of_column + nothing, turned @ of_row + nothing
            of_row, of_column = np.sqrt(of_row * times / row_sum), np.sqrt(of_column * times / column_sum)
            if gaps is not None:
                met = nothing * float(of_row[:n].sum() + of_column[:n].sum()) + MISSING * BORDERS_BEFORE
                prospects = replace(prospects, missing=min(float(met) / (2 * n + BORDERS_BEFORE), LARGEST_SHARE))
        joins = slice(self.n_joins)
        return of_row[self.row[joins]] * weights[joins] * of_column[self.column[joins]], prospects

    def _log_weight_of_strangers(self, order: Indices, group_of: Indices, n_pages: int) -> Doubles:
        """Sum the weights in each row or column but that of the best, who may be the neighbour, and of a margin's best.

        Returns logarithms, (n + 1,).
        """
        logs, group_of = self.logs[order], group_of[order]
        starts = np.searchsorted(group_of, np.arange(self.n + 2))
        best = lowest(-logs, starts, 1)[:, 0]
        margins = slice(starts[-2], starts[-1])
        highest = np.append(logs, -np.inf)[best]
        strangers = logs.copy()
        strangers[best[best >= 0]] = -np.inf
        strangers[margins][np.argsort(-logs[margins], kind="stable")[:n_pages]] = -np.inf
        top = np.full(self.n + 1, -np.inf)
        there = np.flatnonzero(np.diff(starts))
        if len(there):
            top[there] = np.maximum.reduceat(strangers, starts[there])
        finite = np.where(np.isfinite(top), top, 0)
        sums = np.bincount(group_of, np.exp(strangers - finite[group_of]), self.n + 1)
        with np.errstate(divide="ignore"):
            weight = np.log(sums) + finite
        # A row without strangers has nothing to be measured by; one without anybody needs no measure.
        least = highest - LARGEST_EXPONENT
        return np.asarray(np.maximum(weight, np.where(np.isfinite(least), least, 0)))


def percentage(probability: float) -> str:
    """Format a confidence without promising more than it says: never 100 %, never 0 %.

    Parameters
    ----------
    probability : float
        Between 0 and 1.

    Returns
    -------
    str
        In whole percents.
    """
    if probability > 0.99:
        return "> 99 %"
    return "< 1 %" if probability < 0.01 else f"{100 * probability:.0f} %"
