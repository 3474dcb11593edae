"""Costs of all joins, added up cue by cue."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.arrays import Doubles, Floats, Indices
from core.matching.lowest import lowest

Shreds: TypeAlias = NDArray[np.int32]
"""Indices of the shreds of joins."""

Join = tuple[int, int]
"""Indices of a shred and of the one directly to its right."""

CUES = ("contour", "tone", "lines", "laying")
"""What counts beside the embeddings of ink: parts of the cost, by the names of their arrays in `Costs`."""

TEMPERATURE_PER_GAP = 0.15
"""See `Costs.temperature`."""

TEMPERATURE_PER_STEP = 0.58
"""See `Costs.of_all_cues`."""

N_STRANGERS = 3
"""So many of the cheapest strangers of each border tell how far apart strangers lie."""


def _nothing() -> Floats:
    return np.zeros(0, dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Costs:
    """Costs of the m joins that come into question between n shreds; of few shreds these are all, of many the best.

    Attributes
    ----------
    left, right : ndarray of shape (m,), int32
        The joins: shred ``right`` directly to the right of shred ``left``; ascending by the left one, then by the right
        one. A join that is not among them costs ``inf``.
    cost : ndarray of shape (m,), float32
        Price of each, at the best vertical shift; ``inf`` where it was ruled out.
    shift_px : ndarray of shape (m,), int16
        The shift at which that price holds: by how many pixels the right one must be moved down in the common frame.
    to_blank, from_blank : ndarray of shape (n,), float32
        Price of blank paper to the right of a shred (a page ends there), and to the left of it (a page begins there).
    temperature : float
        Difference of costs that makes a join e times less likely. If not given, it is 0.15 times the median gap between
        the best and the second-best cost of a right border: near the temperature that the encoder learns in training,
        and where the log loss over the joins of real shreds is smallest.
    contour, tone, lines, laying : ndarray of shape (m,), float32
        How much of `cost` the contours of the cuts, the grey tones, the lines of print, and how both shreds were laid
        (which way up, how far off) make; the rest is that of the embeddings of ink. 0 if not given.
    upright : ndarray of shape (n,), float32
        Logarithm of the odds that a shred, as it is compared, is the right way up; 0 where nothing tells, and if not
        given.
    along : ndarray of shape (n,), float32
        Logarithm of the odds that its print runs along the strip: then it is to be read after a quarter turn
        counter-clockwise. 0 where nothing tells, and if not given.
    """

    left: Shreds
    right: Shreds
    cost: Floats
    shift_px: NDArray[np.int16]
    to_blank: Floats
    from_blank: Floats
    temperature: float = 0.0
    contour: Floats = field(default_factory=_nothing)
    tone: Floats = field(default_factory=_nothing)
    lines: Floats = field(default_factory=_nothing)
    laying: Floats = field(default_factory=_nothing)
    upright: Floats = field(default_factory=_nothing)
    along: Floats = field(default_factory=_nothing)

    def __post_init__(self) -> None:
        n, m = self.n, len(self.left)
        given = [len(array) for array in (self.right, self.cost, self.shift_px, self.from_blank)]
        if given != [m, m, m, n]:
            raise ValueError(f"Costs of {m} joins of {n} shreds are so many numbers; given {given}.")
        keys = np.concatenate([[-1], self._keys, [n * n]])
        if (np.diff(keys) <= 0).any() or ((self.right < 0) | (self.right >= n)).any():
            raise ValueError("Joins are of the shreds that there are, in ascending order, each once.")
        for names, length in ((CUES, m), (("upright", "along"), n)):
            for name in names:
                if not getattr(self, name).size:
                    object.__setattr__(self, name, np.zeros(length, dtype=np.float32))
        known = float(self.temperature)  # most costs are made of others, and keep theirs
        found = known or temperature_of(_cheapest(self.cost, self.starts, self.to_blank, 2))
        object.__setattr__(self, "temperature", found)

    @classmethod
    def of_all(
        cls,
        cost: Floats,
        shift_px: NDArray[np.int16],
        to_blank: Floats,
        from_blank: Floats,
        temperature: float = 0.0,
        **rest: Floats,
    ) -> Self:
        """Take the costs of all joins between a few shreds.

        Parameters
        ----------
        cost : ndarray of shape (n, n), float32
            Of the join of each row's shred with each column's; what is ``inf``, and the diagonal, is left out.
        shift_px : ndarray of shape (n, n), int16
            See `Costs`.
        to_blank, from_blank, temperature
            See `Costs`.
        **rest : ndarray
            Cues, of shape (n, n); `upright` and `along`.

        Returns
        -------
        Costs
            Of what is left.

        Examples
        --------
        >>> cost, blank = np.array([[0, 1], [np.inf, 0]], np.float32), np.ones(2, np.float32)
        >>> costs = Costs.of_all(cost, np.zeros((2, 2), np.int16), blank, blank)
        >>> costs.left, costs.right, costs.cost
        (array([0], dtype=int32), array([1], dtype=int32), array([1.], dtype=float32))
        """
        n = len(to_blank)
        if cost.shape != (n, n) or shift_px.shape != (n, n):
            raise ValueError(f"Costs of {n} shreds have the shape ({n}, {n}); given {cost.shape}, {shift_px.shape}.")
        left, right = np.nonzero((cost != np.inf) & ~np.eye(n, dtype=np.bool_))
        values: dict[str, Any] = {name: array[left, right] if name in CUES else array for name, array in rest.items()}
        joins = left.astype(np.int32), right.astype(np.int32), cost[left, right], shift_px[left, right]
        return cls(*joins, to_blank, from_blank, temperature, **values)

    @property
    def n(self) -> int:
        """How many shreds there are, or poses."""
        return len(self.to_blank)

    @property
    def blank_beside_blank(self) -> float:
        """What blank paper beside blank paper costs, about: no more than any border beside it."""
        return float(min(self.to_blank.min(), self.from_blank.min()))

    @cached_property
    def starts(self) -> Indices:
        """Where the joins of each left shred begin among all, and at last their number; (n + 1,)."""
        return np.searchsorted(self.left, np.arange(self.n + 1))

    @cached_property
    def by_right(self) -> Indices:
        """Places of all joins, ascending by the right shred, then by the left one; (m,)."""
        return np.argsort(self.right, kind="stable")

    @cached_property
    def starts_by_right(self) -> Indices:
        """Where those of each right shred begin in `by_right`, and at last their number; (n + 1,)."""
        return np.concatenate([[0], np.cumsum(np.bincount(self.right, minlength=self.n))]).astype(np.intp)

    @cached_property
    def _keys(self) -> NDArray[np.int64]:
        return self.left.astype(np.int64) * self.n + self.right

    def at(self, left: ArrayLike, right: ArrayLike) -> Indices:
        """Find joins among those that come into question.

        Parameters
        ----------
        left, right : int or array of int
            Shreds, of shapes that fit together.

        Returns
        -------
        ndarray of intp
            Their places in `cost` and the others; -1 for those that are not there.
        """
        wanted = np.asarray(left, dtype=np.int64) * self.n + np.asarray(right)
        if not len(self._keys):
            return np.full(wanted.shape, -1, dtype=np.intp)
        place = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        return np.where(self._keys[place] == wanted, place, -1)

    def after(self, left: int) -> Indices:
        """Return the places of a shred's joins to its right; (k,), ascending by the right shred."""
        return np.arange(self.starts[left], self.starts[left + 1])

    def before(self, right: int) -> Indices:
        """Return the places of a shred's joins to its left; (k,), ascending by the left shred."""
        return self.by_right[self.starts_by_right[right] : self.starts_by_right[right + 1]]

    def listed(self) -> tuple[Indices, Indices, Floats]:
        """List all joins that are possible.

        Returns
        -------
        left, right : ndarray of shape (k,), intp
            Ascending by the left shred, then by the right one.
        cost : ndarray of shape (k,), float32
            Not ``inf``.
        """
        there = self.cost != np.inf
        return self.left[there].astype(np.intp), self.right[there].astype(np.intp), self.cost[there]

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
        return self.look_up(self.cost, np.inf, left, right)

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
        return self.look_up(self.shift_px, 0, left, right)

    def look_up(self, values: NDArray[Any], otherwise: float, left: ArrayLike, right: ArrayLike) -> NDArray[Any]:
        """Look up what is known of joins.

        Parameters
        ----------
        values : ndarray of shape (m,)
            Of those that come into question.
        otherwise : float
            Of those that do not.
        left, right : int or array of int
            Shreds, of shapes that fit together.

        Returns
        -------
        ndarray
            Of that shape and the values' type.
        """
        if isinstance(left, int) and isinstance(right, int):  # the window asks for one at a time, often
            start, stop = self.starts.item(left), self.starts.item(left + 1)
            place = start + int(self.right[start:stop].searchsorted(right))
            there = place < stop and self.right[place] == right
            return np.asarray(values[place] if there else otherwise, dtype=values.dtype)
        at = self.at(left, right)
        found = np.full(at.shape, otherwise, dtype=values.dtype)
        found[at >= 0] = values[at[at >= 0]]
        return found

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
        return self.between(chosen, chosen)

    def between(self, lasts: Sequence[int], firsts: Sequence[int]) -> "Costs":
        """Select the costs between rows of shreds, of which each is known by its ends; the temperature stays.

        Parameters
        ----------
        lasts, firsts : sequence of int
            The last and the first shred of each of k rows.

        Returns
        -------
        Costs
            Of these k, in their order.
        """
        ends, beginnings = np.asarray(lasts, dtype=np.intp), np.asarray(firsts, dtype=np.intp)
        of_left, of_right = np.full((2, self.n), -1, dtype=np.int32)
        of_left[ends], of_right[beginnings] = np.arange(len(ends)), np.arange(len(ends))
        left, right = of_left[self.left], of_right[self.right]
        at = np.flatnonzero((left >= 0) & (right >= 0) & (left != right))
        if (np.diff(ends) < 0).any() or (np.diff(beginnings) < 0).any():
            at = at[np.lexsort((right[at], left[at]))]
        return replace(
            self,
            left=left[at],
            right=right[at],
            to_blank=self.to_blank[ends],
            from_blank=self.from_blank[beginnings],
            upright=self.upright[ends],
            along=self.along[ends],
            **{name: getattr(self, name)[at] for name in ("cost", "shift_px", *CUES)},
        )

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
        return {cue: float(self.look_up(getattr(self, cue), 0, left, right)) for cue in CUES}

    def plus(self, cue: str, log_ratio: NDArray[np.floating], weight: float = 1.0) -> "Costs":
        """Add the evidence of a cue, once.

        Parameters
        ----------
        cue : str
            One of `CUES`.
        log_ratio : ndarray of shape (m,)
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
    of_right = _cheapest(costs.cost, costs.starts, costs.to_blank, n_best)
    return np.concatenate(
        [of_right, _cheapest(costs.cost[costs.by_right], costs.starts_by_right, costs.from_blank, n_best)]
    )


def _cheapest(cost: Floats, starts: Indices, to_blank: Floats, n_best: int) -> Doubles:
    """Sort out what costs least beside each right border, blank paper among it; (n, n_best)."""
    best = np.append(cost, np.float32(np.inf))[lowest(cost, starts, n_best)]
    return np.sort(np.column_stack([best, to_blank]).astype(np.float64), axis=1)[:, :n_best]


def temperature_of(two_best: Doubles) -> float:
    """Compute the temperature of costs, see `Costs.temperature`.

    Parameters
    ----------
    two_best : ndarray of shape (n, 2), float64
        The lowest costs beside each right border, blank paper among it.

    Returns
    -------
    float
        Above 0.
    """
    two_best = two_best[np.isfinite(two_best[:, 1])]
    gaps = two_best[:, 1] - two_best[:, 0]
    gaps = gaps[gaps > 0]
    return TEMPERATURE_PER_GAP * float(np.median(gaps)) if len(gaps) else 1.0
