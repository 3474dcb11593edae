"""Costs of all joins, added up cue by cue."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.arrays import Doubles, Floats, Indices

Join = tuple[int, int]
"""Indices of a shred and of the one directly to its right."""

CUES = ("contour", "tone", "lines", "laying")
"""What counts beside the embeddings of ink: parts of the cost, by the names of their arrays in `Costs`."""

TEMPERATURE_PER_GAP = 0.15
"""See `Costs.temperature`."""

TEMPERATURE_PER_STEP = 0.58
"""See `Costs.of_all_cues`."""

ROWS_AT_A_TIME = 512

N_STRANGERS = 3
"""So many of the cheapest strangers of each border tell how far apart strangers lie."""


def _nothing() -> Floats:
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
    contour, tone, lines, laying : ndarray of shape (n, n), float32
        How much of `cost` the contours of the cuts, the grey tones, the lines of print, and how both shreds were laid
        (which way up, how far off) make; the rest is that of the embeddings of ink. 0 if not given.
    upright : ndarray of shape (n,), float32
        Logarithm of the odds that a shred, as it is compared, is the right way up; 0 where nothing tells, and if not
        given.
    along : ndarray of shape (n,), float32
        Logarithm of the odds that its print runs along the strip: then it is to be read after a quarter turn
        counter-clockwise. 0 where nothing tells, and if not given.
    """

    cost: Floats
    shift_px: NDArray[np.int16]
    to_blank: Floats
    from_blank: Floats
    temperature: float = 0.0
    contour: Floats = field(default_factory=_nothing)
    tone: Floats = field(default_factory=_nothing)
    lines: Floats = field(default_factory=_nothing)
    laying: Floats = field(default_factory=_nothing)
    upright: Floats = field(default_factory=lambda: np.zeros(0, dtype=np.float32))
    along: Floats = field(default_factory=lambda: np.zeros(0, dtype=np.float32))

    def __post_init__(self) -> None:
        n = len(self.to_blank)
        shapes = [array.shape for array in (self.cost, self.shift_px, self.to_blank, self.from_blank)]
        if shapes != [(n, n), (n, n), (n,), (n,)]:
            raise ValueError(f"Costs of n shreds have the shapes (n, n), (n, n), (n,), (n,); given {shapes}.")
        object.__setattr__(self, "temperature", float(self.temperature) or temperature_of(self.cost, self.to_blank))
        for name in CUES:
            if not getattr(self, name).size:
                object.__setattr__(self, name, np.zeros((n, n), dtype=np.float32))
        for name in ("upright", "along"):
            if not getattr(self, name).size:
                object.__setattr__(self, name, np.zeros(n, dtype=np.float32))

    def of(self, chosen: Sequence[int]) -> "Costs":
        """Select the costs of some shreds; the temperature stays.

        Parameters
        ----------
        chosen : sequence of int
            Indices of k shreds.

        Returns
        -------
        Costs
            Of these k, in their order.
        """
        rows = np.asarray(chosen, dtype=np.intp)
        part = np.ix_(rows, rows)
        return replace(
            self,
            to_blank=self.to_blank[rows],
            from_blank=self.from_blank[rows],
            upright=self.upright[rows],
            along=self.along[rows],
            **{name: getattr(self, name)[part] for name in ("cost", "shift_px", *CUES)},
        )

    @property
    def n(self) -> int:
        """How many shreds there are, or poses."""
        return len(self.to_blank)

    def listed(self) -> tuple[Indices, Indices, Floats]:
        """List all joins that are possible.

        Returns
        -------
        left, right : ndarray of shape (m,), intp
            Ascending by the left shred, then by the right one.
        cost : ndarray of shape (m,), float32
            Finite.
        """
        left, right = np.nonzero(np.isfinite(self.cost))
        return left, right, self.cost[left, right]

    def cost_of(self, left: ArrayLike, right: ArrayLike) -> Floats:
        """Look up what joins cost.

        Parameters
        ----------
        left, right : int or array of int
            Shreds, of shapes that fit together.

        Returns
        -------
        ndarray of float32
            ``inf`` for joins that are not possible.
        """
        return np.asarray(self.cost[np.asarray(left), np.asarray(right)])

    def shift_of(self, left: ArrayLike, right: ArrayLike) -> NDArray[np.int16]:
        """Look up the shifts at which joins cost that.

        Parameters
        ----------
        left, right : int or array of int
            Shreds, of shapes that fit together.

        Returns
        -------
        ndarray of int16
            In pixels; 0 for joins that are not possible.
        """
        return np.asarray(self.shift_px[np.asarray(left), np.asarray(right)])

    def parts(self, left: int, right: int) -> dict[str, float]:
        """Divide the cost of a join.

        Parameters
        ----------
        left, right : int
            Indices of its shreds.

        Returns
        -------
        dict of str to float
            How much each of the `CUES` makes; the rest is the ink's.
        """
        return {cue: float(getattr(self, cue)[left, right]) for cue in CUES}

    def plus(self, cue: str, log_ratio: NDArray[np.floating], weight: float = 1.0) -> "Costs":
        """Add the evidence of a cue, once.

        Parameters
        ----------
        cue : str
            One of `CUES`.
        log_ratio : ndarray of shape (n, n)
            Minus the logarithms of likelihood ratios: negative for what is likelier than by chance.
        weight : float
            How much it counts.

        Returns
        -------
        Costs
            The sum, in the unit of the distances of embeddings: where the cue says nothing, costs stay what they are.
        """
        added: Any = (weight * self.temperature * log_ratio).astype(np.float32)
        return replace(self, **{"cost": self.cost + added, cue: added})

    def of_all_cues(self) -> "Costs":
        """Set the temperature to what strangers call for, by all cues together.

        Where a stranger costs by so much less than the next ones is a matter of chance, and by how much it can be is
        told by strangers alone: by the mean distance of the cheapest three of each border, its best left out, from the
        fourth. Cheaper still they thin out faster, so that 0.58 times this makes a stranger e times rarer. Unlike the
        gap between the best and the second best, this stays what it is when neighbours are missing.

        Returns
        -------
        Costs
            The same costs.
        """
        best = cheapest(self, N_STRANGERS + 2)
        best = best[np.isfinite(best[:, -1])]
        steps = best[:, -1] - best[:, 1:-1].mean(axis=1)
        steps = steps[steps > 0]
        return replace(self, temperature=TEMPERATURE_PER_STEP * float(np.median(steps))) if len(steps) else self


def cheapest(costs: Costs, n_best: int) -> Doubles:
    """Sort out what costs least beside every border, blank paper among it.

    Parameters
    ----------
    costs : Costs
        Of n shreds.
    n_best : int
        How many for each border.

    Returns
    -------
    ndarray of shape (2 n, n_best), float64
        Of the right borders, then of the left ones; ascending, and ``inf`` where there are not so many.
    """
    found = []
    for cost, blank in ((costs.cost, costs.to_blank), (costs.cost.T, costs.from_blank)):
        for some in _some_at_a_time(len(blank)):
            none = np.full((len(blank[some]), n_best), np.inf, np.float32)
            rows = np.concatenate([cost[some], blank[some, None], none], axis=1)
            found.append(np.sort(np.partition(rows, n_best - 1, axis=1)[:, :n_best].astype(np.float64), axis=1))
    return np.concatenate(found)


def _some_at_a_time(n: int) -> list[slice]:
    """Divide rows of a matrix, so that copies of some of them are small beside it."""
    return [slice(start, start + ROWS_AT_A_TIME) for start in range(0, max(n, 1), ROWS_AT_A_TIME)]


def temperature_of(cost: Floats, to_blank: Floats) -> float:
    """Compute the temperature of costs, see `Costs.temperature`.

    Parameters
    ----------
    cost : ndarray of shape (n, n), float32
        Of joins.
    to_blank : ndarray of shape (n,), float32
        Of blank paper to the right of each shred.

    Returns
    -------
    float
        Above 0.
    """
    if cost.shape[1] < 1:
        return 1.0
    found = []
    for some in _some_at_a_time(len(cost)):
        rows = np.concatenate([cost[some], to_blank[some, None]], axis=1)
        found.append(np.partition(rows, 1, axis=1)[:, :2].astype(np.float64))
    two_best = np.concatenate(found)
    gaps = two_best[:, 1] - two_best[:, 0]
    gaps = gaps[np.isfinite(gaps) & (gaps > 0)]
    return TEMPERATURE_PER_GAP * float(np.median(gaps)) if len(gaps) else 1.0


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
