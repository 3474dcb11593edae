"""What comparing all borders gives, and how sure a join is."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Join = tuple[int, int]
"""Indices of a shred and of the one directly to its right."""

DOUBTFUL = 0.25
"""A join less sure than this (`confidence`) is pointed out to the examiner."""


CUES = ("contour", "tone", "lines")
"""What counts beside the embeddings of ink: parts of the cost, by the names of their arrays in `Costs`."""

TEMPERATURE_PER_GAP = 0.15
"""See `Costs.temperature`."""

BALANCING_ROUNDS = 100
"""Rounds of Sinkhorn's iteration; more change only groups of shreds that nothing tells apart."""

TEMPERATURE_OF_ALL_CUES = 0.8
"""See `Costs.of_all_cues`."""

MISSING_ODDS = 0.3
"""Odds that a border's neighbour is missing, before anything was compared. With them joins are right nearly as often as
they are sure when a fifth of real shreds is taken away, and more often when none is (`training.validation`)."""

LARGEST_EXPONENT = 300.0
"""Keeps weights, and products of two, within what floating point can hold."""


def _nothing() -> NDArray[np.float32]:
    return np.zeros((0, 0), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Costs:
    """Costs of all joins between n shreds.

    Attributes
    ----------
    cost : ndarray of shape (n, n), float32
        ``cost[i, j]`` is the price of placing shred ``j`` directly to the right of shred ``i``, at the best vertical
        shift; the diagonal is ``inf``.
    shift_px : ndarray of shape (n, n), int16
        The shift at which that price holds: by how many pixels ``j`` must be moved down in the common frame.
    to_blank, from_blank : ndarray of shape (n,), float32
        Price of blank paper to the right of ``i`` (a page ends there), and to the left of ``j`` (a page begins there).
    temperature : float
        Difference of costs that makes a join e times less likely. If not given, it is 0.15 times the median gap between
        the best and the second-best cost of a right border: near the temperature that the encoder learns in training,
        and where the log loss over the joins of real shreds is smallest.
    contour, tone, lines : ndarray of shape (n, n), float32
        How much of `cost` the contours of the cuts, the grey tones and the lines of print make; the rest is that of the
        embeddings of ink. 0 if not given.
    """

    cost: NDArray[np.float32]
    shift_px: NDArray[np.int16]
    to_blank: NDArray[np.float32]
    from_blank: NDArray[np.float32]
    temperature: float = 0.0
    contour: NDArray[np.float32] = field(default_factory=_nothing)
    tone: NDArray[np.float32] = field(default_factory=_nothing)
    lines: NDArray[np.float32] = field(default_factory=_nothing)

    def __post_init__(self) -> None:
        n = len(self.to_blank)
        shapes = [array.shape for array in (self.cost, self.shift_px, self.to_blank, self.from_blank)]
        if shapes != [(n, n), (n, n), (n,), (n,)]:
            raise ValueError(f"Costs of n shreds have the shapes (n, n), (n, n), (n,), (n,); given {shapes}.")
        given = float(self.temperature)
        object.__setattr__(self, "temperature", given or _temperature(self.cost, self.to_blank))
        for name in CUES:
            if not getattr(self, name).size:
                object.__setattr__(self, name, np.zeros((n, n), dtype=np.float32))

    def of(self, chosen: Sequence[int]) -> "Costs":
        """Take the costs of some shreds, in the order of their indices; the temperature stays."""
        rows = np.asarray(chosen, dtype=np.intp)
        part = np.ix_(rows, rows)
        return replace(
            self,
            to_blank=self.to_blank[rows],
            from_blank=self.from_blank[rows],
            **{name: getattr(self, name)[part] for name in ("cost", "shift_px", *CUES)},
        )

    def parts(self, left: int, right: int) -> dict[str, float]:
        """Tell how much of the cost of a join each of the `CUES` makes; the rest is the ink's."""
        return {cue: float(getattr(self, cue)[left, right]) for cue in CUES}

    def plus(self, cue: str, says: NDArray[np.floating], weight: float = 1.0) -> "Costs":
        """Add what a cue says, once.

        Parameters
        ----------
        cue : str
            One of `CUES`.
        says : ndarray of shape (n, n)
            Minus the logarithms of likelihood ratios: negative for what is likelier than by chance.
        weight : float
            How much it counts.

        Returns
        -------
        Costs
            The sum, in the unit of the distances of embeddings: where the cue says nothing, costs stay what they are.
        """
        adds = (weight * self.temperature * says).astype(np.float32)
        changed: dict[str, Any] = {"cost": self.cost + adds, cue: adds}
        return replace(self, **changed)

    def of_all_cues(self) -> "Costs":
        """Raise the temperature to what all cues call for together; for the embeddings alone it stays.

        Where several cues part neighbours from strangers, strangers lie further from each other, too: at the ink's
        temperature the best of them would look like a neighbour. So the temperature is at least 0.8 times what the gaps
        between the best and the second-best costs would give; then joins of real shreds, a fifth of which are missing,
        are right about as often as they are sure.

        Returns
        -------
        Costs
            The same costs.
        """
        together = TEMPERATURE_OF_ALL_CUES * _temperature(self.cost, self.to_blank)
        return replace(self, temperature=max(self.temperature, together))


def _temperature(cost: NDArray[np.float32], to_blank: NDArray[np.float32]) -> float:
    rows = np.concatenate([cost, to_blank[:, None]], axis=1).astype(np.float64)
    if rows.shape[1] < 2:
        return 1.0
    two_best = np.partition(rows, 1, axis=1)[:, :2]
    gaps = two_best[:, 1] - two_best[:, 0]
    gaps = gaps[np.isfinite(gaps) & (gaps > 0)]
    return TEMPERATURE_PER_GAP * float(np.median(gaps)) if len(gaps) else 1.0


def confidence(costs: Costs, n_pages: int = 1) -> NDArray[np.float32]:
    """Say how sure each possible join is, among all orders of the shreds, and given that some may be missing.

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
    """
    n = len(costs.cost)
    logs = np.full((n + 1, n + 1), -np.inf)
    logs[:n, :n], logs[:n, n], logs[n, :n] = -costs.cost, -costs.to_blank, -costs.from_blank
    logs /= costs.temperature
    times = np.ones(n + 1, dtype=np.intp)
    times[n] = n_pages
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


def _log_weight_of_strangers(logs: NDArray[np.float64], n_pages: int) -> NDArray[np.float64]:
    """Sum the weights in each row but that of the best, who may be the neighbour, and of a margin's best ones.

    Takes logarithms, shape (n + 1, n + 1) with the margin last, and gives them, (n + 1,).
    """
    from scipy.special import logsumexp  # here, since the window starts sooner without it

    strangers = logs.copy()
    strangers[np.arange(len(logs)), np.argmax(logs, axis=1)] = -np.inf
    strangers[-1, np.argsort(-logs[-1], kind="stable")[:n_pages]] = -np.inf
    # A row without strangers has nothing to be measured by; one without anybody needs no measure.
    least = logs.max(axis=1) - LARGEST_EXPONENT
    return np.asarray(np.maximum(logsumexp(strangers, axis=1), np.where(np.isfinite(least), least, 0)))


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
        With ``inf`` where nothing can be any more; the temperature stays.
    """
    cost, to_blank, from_blank = costs.cost.copy(), costs.to_blank.copy(), costs.from_blank.copy()
    for left, right in forbidden:
        cost[left, right] = np.inf
    for left, right in confirmed:
        own = cost[left, right]
        cost[left, :] = cost[:, right] = to_blank[left] = from_blank[right] = np.inf
        cost[left, right] = own
    return Costs(cost, costs.shift_px, to_blank, from_blank, costs.temperature)


def first_rows(shift: int) -> tuple[int, int]:
    """Give the rows at which a right and a left border start to be compared at a shift, which is counted in rows."""
    return max(0, shift), max(0, -shift)


def products_by_shift(
    right: NDArray[np.float32], left: NDArray[np.float32], most: int
) -> Iterator[NDArray[np.float32]]:
    """Multiply p with q rows of values, all with all, at each shift.

    Parameters
    ----------
    right, left : ndarray of shape (p, rows) and (q, rows), float32
        If they are scaled, the products are correlations.
    most : int
        Largest shift, less than there are rows.

    Yields
    ------
    ndarray of shape (p, q), float32
        For the shifts from ``-most`` to ``most``.
    """
    n_rows = right.shape[1]
    for shift in range(-most, most + 1):
        (a, b), compared = first_rows(shift), n_rows - abs(shift)
        yield right[:, a : a + compared] @ left[:, b : b + compared].T


def tiles(n: int, size: int) -> list[tuple[slice, slice]]:
    """Part an (n, n) matrix into tiles of at most (size, size): memory stays bounded if they are done one by one."""
    starts = range(0, n, size)
    return [(slice(i, i + size), slice(j, j + size)) for i in starts for j in starts]


def percentage(probability: float) -> str:
    """Write a confidence without promising more than it says: never 100 %, never 0 %."""
    if probability > 0.99:
        return "> 99 %"
    return "< 1 %" if probability < 0.01 else f"{100 * probability:.0f} %"
