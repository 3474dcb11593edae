"""How sure a join is, among all that its borders could meet."""

import numpy as np

from core.arrays import Doubles, Floats
from core.matching.costs import Costs

DOUBTFUL = 0.25
"""A join less sure than this (`confidence`) is pointed out to the examiner."""

BALANCING_ROUNDS = 100
"""Rounds of Sinkhorn's iteration; more change only groups of shreds that nothing tells apart."""

MISSING_ODDS = 0.3
"""Odds that a border's neighbour is missing, before anything was compared. With them joins are right nearly as often as
they are sure when a fifth of real shreds is taken away, and more often when none is (`training.validation`)."""

LARGEST_EXPONENT = 300.0
"""Keeps weights, and products of two, within what floating point can hold."""


def confidence(costs: Costs, n_pages: int = 1) -> Floats:
    """Estimate how sure each possible join is, among all orders of the shreds, and given that some may be missing.

    Joins are weighted with ``exp(-cost / temperature)``, and the weights balanced until the probabilities of all that a
    border could meet sum to 1, for all right and all left borders at once (Sinkhorn's iteration, by square roots, so
    that both sides count alike). So a shred that clearly belongs elsewhere is no rival. Blank paper is met `n_pages`
    times.

    A border can also meet nothing: its neighbour was lost, or never scanned. If the costs of neighbours are to those of
    strangers as ``exp(-cost / temperature)``, then the odds that a border meets nothing, rather than a certain other,
    are those before anything was compared (`MISSING_ODDS`), times the weights of all strangers, divided by that of the
    other. So the best of many that fit alike is not sure, even if all the others have better places.

    Parameters
    ----------
    costs : Costs
        Of n shreds.
    n_pages : int
        Number of pages the shreds are arranged on.

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
    array([[0.  , 0.98, 0.  ],
           [0.  , 0.  , 0.98],
           [0.  , 0.  , 0.  ]], dtype=float32)
    """
    n = len(costs.cost)
    logs = np.full((n + 1, n + 1), -np.inf)
    logs[:n, :n], logs[:n, n], logs[n, :n] = -costs.cost, -costs.to_blank, -costs.from_blank
    logs /= costs.temperature
    times = np.append(np.ones(n, dtype=np.intp), n_pages)
    # Divided by the roots of what strangers weigh on both sides, so that for all borders nothing weighs the same.
    of_right = _log_weight_of_strangers(logs, n_pages)
    of_left = _log_weight_of_strangers(logs.T, n_pages)
    weights = np.exp(np.minimum(logs - of_right[:, None] / 2 - of_left / 2, LARGEST_EXPONENT))
    nothing = np.sqrt(MISSING_ODDS)
    of_row, of_column = np.ones(n + 1), np.ones(n + 1)
    for _ in range(BALANCING_ROUNDS):
        row_sum, column_sum = weights @ of_column + nothing, of_row @ weights + nothing
        of_row, of_column = np.sqrt(of_row * times / row_sum), np.sqrt(of_column * times / column_sum)
    balanced = of_row[:, None] * weights * of_column[None, :]
    return np.clip(balanced[:n, :n], 0, 1).astype(np.float32)


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
