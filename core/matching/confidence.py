"""How sure a join is, among all that its borders could meet."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.arrays import Doubles, Floats, Indices
from core.matching.costs import N_STRANGERS, TEMPERATURE_PER_STEP, Costs, cheapest

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
    ndarray of shape (n, n), float32
        Between 0 and 1; the diagonal is 0.

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
    >>> costs = Costs(cost, np.zeros((3, 3), dtype=np.int16), to_blank, from_blank)
    >>> confidence(costs).round(2)
    array([[0.  , 0.97, 0.  ],
           [0.  , 0.  , 0.97],
           [0.  , 0.  , 0.  ]], dtype=float32)
    """
    n = len(costs.cost)
    known = prospects or prospects_of(costs, n_pages)
    logs = _logs(costs)
    logs[:n, :n] += np.array(known.log_ratio)[_parts_of_reach(costs.shift_px, known.reach_px)]
    balanced, _ = _balanced(logs, n_pages, known)
    strays = STRAY * _odds(known.missing)
    return (np.clip(balanced[:n, :n], 0, 1) / (1 + strays)).astype(np.float32)


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
    n = len(costs.cost)
    best = cheapest(costs, 2)
    gaps = np.sort(np.diff(best[np.isfinite(best[:, 1])], axis=1)[:, 0]) / costs.temperature * TEMPERATURE_PER_STEP
    balanced, found = _balanced(_logs(costs), n_pages, Prospects(MISSING, 1.0), gaps)
    reach_px = int(np.abs(costs.shift_px[np.isfinite(costs.cost)]).max(initial=0))
    if not reach_px or costs.laying.any():
        return found
    parts = _parts_of_reach(costs.shift_px, reach_px)
    n_parts, n_best = len(SHIFT_LIMITS) + 1, N_STRANGERS + 1
    strangers = [
        np.take_along_axis(part, np.argpartition(cost, range(min(n, n_best)), axis=1)[:, 1:n_best], axis=1).ravel()
        for cost, part in ((costs.cost, parts), (costs.cost.T, parts.T))
    ]
    by_chance = np.bincount(np.concatenate(strangers), minlength=n_parts) + 1.0
    by_chance /= by_chance.sum()
    true = np.bincount(parts.ravel(), balanced[:n, :n].ravel(), n_parts) + JOINS_BEFORE * by_chance
    return replace(found, reach_px=reach_px, log_ratio=tuple(np.log(true / true.sum() / by_chance).tolist()))


def _logs(costs: Costs) -> Doubles:
    """Return the logarithms of the weights of all joins, (n + 1, n + 1), with the margin last."""
    n = len(costs.cost)
    logs = np.full((n + 1, n + 1), -np.inf)
    logs[:n, :n], logs[:n, n], logs[n, :n] = -costs.cost, -costs.to_blank, -costs.from_blank
    logs /= costs.temperature
    return logs


def _parts_of_reach(shift_px: NDArray[np.int16], reach_px: int) -> Indices:
    """Sort shifts by what part of the reach they lie in: the last is its end."""
    return np.digitize(np.abs(shift_px), np.array(SHIFT_LIMITS) * max(1, reach_px))


def _odds(share: float) -> float:
    return share / (1 - share)


def _balanced(
    logs: Doubles, n_pages: int, prospects: Prospects, gaps: Doubles | None = None
) -> tuple[Doubles, Prospects]:
    """Balance weights, given as logarithms; returns them and, where the gaps of all borders are given, what they tell.

    Of the gaps, in steps of strangers, the median of as many of the largest as are neighbours tells how far these
    spread.
    """
    from scipy.sparse import csr_array  # here, since the window starts sooner without it

    n = len(logs) - 1
    times = np.append(np.ones(n, dtype=np.intp), n_pages)
    # Divided by the roots of what strangers weigh on both sides, so that for all borders nothing weighs the same.
    of_right = _log_weight_of_strangers(logs, n_pages)
    of_left = _log_weight_of_strangers(logs.T, n_pages)
    weights = np.exp(np.minimum(logs - of_right[:, None] / 2 - of_left / 2, LARGEST_EXPONENT))
    heavy = csr_array(np.where(weights > LIGHTEST, weights, 0))
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
    return of_row[:, None] * weights * of_column[None, :], prospects


def _log_weight_of_strangers(logs: Doubles, n_pages: int) -> Doubles:
    """Sum the weights in each row but that of the best, who may be the neighbour, and of a margin's best ones.

    Takes logarithms, shape (n + 1, n + 1) with the margin last, and returns them, (n + 1,).
    """
    from scipy.special import logsumexp  # here, since the window starts sooner without it

    strangers = logs.copy()
    strangers[np.arange(len(logs)), np.argmax(logs, axis=1)] = -np.inf
    strangers[-1, np.argsort(-logs[-1], kind="stable")[:n_pages]] = -np.inf
    # A row without strangers has nothing to be measured by; one without anybody needs no measure.
    least = logs.max(axis=1) - LARGEST_EXPONENT
    return np.asarray(np.maximum(logsumexp(strangers, axis=1), np.where(np.isfinite(least), least, 0)))


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
