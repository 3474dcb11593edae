"""How shreds of a set were laid: upside down, or off their neighbours' heights.

It is learned from the set before joins are priced. Where hardly any print stands on its head, or neighbours lie at
nearly the same heights, a stranger that fits only upside down, or only far off, must fit the better for it.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import Doubles, Floats, Indices
from core.options import CostOptions

SUREST_WAY_UP = 12.0
"""Nothing is surer than this logarithm of odds about which way up a shred is."""

LEAST_SPREAD_ROWS = 1.0
"""Neighbours are never laid more alike than this."""

LAID_ANYHOW = 0.02
"""Share of neighbours that lie at any height, whatever most do."""

FARTHEST = 95
"""Percentile of the shifts of sure joins that is looked at; of those beyond some are strangers'."""

BEYOND, BEYOND_ROWS = 1.25, 4
"""Shifts are tried so many times, and so many rows, farther than most sure joins lie."""

SHARE_OFF, LEAST_OFF = 0.03, 2
"""So many of the borders must be sure of neighbours that lie far off: a few may be as sure of strangers."""

SURELY = 4.0
"""Print that speaks so clearly for a half-turn is no chance: among 1,600 real shreds that lie well there is none."""

AS_USUAL_BEFORE = 4
"""As if so many shreds more lay as most do, upright and across the lines: a few that say hardly anything are not taken
for upside down."""

ROUNDS = 100
"""Of expectation maximisation."""


@dataclass(frozen=True)
class Laying:
    """How far off their neighbours' heights shreds lie.

    Attributes
    ----------
    spread_rows : float
        Mean shift of neighbours, in rows of embeddings.
    max_shift_rows : int
        Farther than this nobody is looked for.
    off : bool
        Whether not all neighbours lie at nearly the same heights.
    heights : ndarray of shape (k,), int16, or None
        Where that is told of paper, not of the frame: so many rows is each pose to be moved down at first.
    """

    spread_rows: float
    max_shift_rows: int
    off: bool = False
    heights: NDArray[np.int16] | None = field(default=None, compare=False)

    def in_frame(self, shift_rows: NDArray[np.int16], left: Indices, right: Indices) -> NDArray[np.int16]:
        """Compute by how many rows the right one of two poses is moved down in the frame.

        Parameters
        ----------
        shift_rows : ndarray of shape (m,) or (m, shifts), int16
            By how many after both were moved to their heights.
        left, right : ndarray of shape (m,), intp
            The poses.

        Returns
        -------
        ndarray of the shape of shift_rows, int16
        """
        return shift_rows + self._apart(shift_rows, left, right)

    def from_heights(self, shift_rows: NDArray[np.int16], left: Indices, right: Indices) -> NDArray[np.int16]:
        """Compute the reverse of `in_frame`."""
        return shift_rows - self._apart(shift_rows, left, right)

    def _apart(self, shift_rows: NDArray[np.int16], left: Indices, right: Indices) -> NDArray[np.int16]:
        if self.heights is None:
            return np.zeros_like(shift_rows)
        apart = self.heights[right] - self.heights[left]
        return apart if shift_rows.ndim == 1 else apart[:, None]

    def log_ratio(self, shift_rows: NDArray[np.integer[Any]]) -> Floats:
        """Compute minus the logarithm of how likely neighbours lie so far off, against not at all.

        Most lie within a Laplace distribution, a few at any height.

        Parameters
        ----------
        shift_rows : ndarray of int
            Shifts.

        Returns
        -------
        ndarray of float32
            0 at no shift, else above.

        Examples
        --------
        >>> Laying(spread_rows=1.0, max_shift_rows=10).log_ratio(np.array([0, 1, 10])).round(1)
        array([0. , 1. , 6.2], dtype=float32)
        """
        anyhow = LAID_ANYHOW * 2 * self.spread_rows / (2 * self.max_shift_rows + 1)
        likely = (1 - LAID_ANYHOW) * np.exp(-np.abs(shift_rows) / self.spread_rows) + anyhow
        return np.asarray(np.log(1 - LAID_ANYHOW + anyhow) - np.log(likely), dtype=np.float32)


def laying_of(shift_rows: NDArray[np.integer[Any]], n_borders: int, least_rows: int, most_rows: int) -> Laying:
    """Learn from sure joins how far off shreds lie.

    Parameters
    ----------
    shift_rows : ndarray of shape (k,), int
        Of joins that are sure.
    n_borders : int
        Of so many borders these are the sure ones.
    least_rows, most_rows : int
        Shifts are tried at least, and at most, so far.

    Returns
    -------
    Laying
        Without sure joins nothing speaks against shreds laid with care.
    """
    rows = np.abs(shift_rows)
    n_off = int((rows > least_rows).sum())
    off = n_off >= max(LEAST_OFF, SHARE_OFF * n_borders)
    within = float(np.percentile(rows, FARTHEST)) if off else 0.0
    farthest = min(max(int(np.ceil(BEYOND * within)) + BEYOND_ROWS, least_rows), most_rows)
    near = rows[rows <= farthest]
    spread = max(LEAST_SPREAD_ROWS, float(near.mean())) if len(near) else LEAST_SPREAD_ROWS
    return Laying(spread, farthest, off)


def odds_as_it_lies(log_odds: Floats) -> Floats:
    """Compute the odds that a shred is to be read as it lies, rather than half-turned.

    Where its print runs along the strip, it is to be read with the page on its right side: turned a quarter turn
    counter-clockwise. Whichever way a page lies, all its shreds lie alike then. Marks that say hardly anything look as
    if they ran along by chance: how likely that is, the whole set tells.

    Parameters
    ----------
    log_odds : ndarray of shape (n, 4), float32
        Of how a shred must be turned to be read, from `core.embedding.way_up.WayUp`.

    Returns
    -------
    ndarray of shape (n,), float32
        Logarithm of the odds.

    Examples
    --------
    >>> across, along, mark = [0, -9, -5, -9], [0, 8, 1, 2], [0, 1, -1, 2]
    >>> odds_as_it_lies(np.array([across] * 90 + [mark], np.float32)).round(1)[-2:]
    array([5. , 0.9], dtype=float32)
    >>> odds_as_it_lies(np.array([along] * 90 + [mark], np.float32)).round(1)[-2:]
    array([ 6., -1.], dtype=float32)
    """
    turns = log_odds.astype(np.float64).T
    across = log_odds_in_set(_across(log_odds))
    as_it_lies, half_turned = (np.logaddexp(across + turns[turn], turns[turn + 1]) for turn in (0, 2))
    return np.asarray(as_it_lies - half_turned, dtype=np.float32)


def odds_along(log_odds: Floats) -> Floats:
    """Compute the odds that a shred's print runs along the strip, rather than across it.

    Parameters
    ----------
    log_odds : ndarray of shape (n, 4), float32
        Of how a shred must be turned to be read, from `core.embedding.way_up.WayUp`.

    Returns
    -------
    ndarray of shape (n,), float32
        Logarithm of the odds, by its own print and by what the whole set tells.

    Examples
    --------
    >>> across, along, mark = [0, -9, -5, -9], [0, 8, 1, 2], [0, 1, -1, 2]
    >>> odds_along(np.array([across] * 90 + [along] * 10 + [mark], np.float32)).round(1)[[0, 90, 100]]
    array([-10.5,   4.5,  -0.2], dtype=float32)
    """
    across = _across(log_odds)
    return np.asarray(-across - log_odds_in_set(across), dtype=np.float32)


def odds_in_set(turns: Floats, cost: CostOptions) -> tuple[Floats, Floats]:
    """Compute which way up shreds lie, and along which way they are printed, from what each tells and all together.

    Parameters
    ----------
    turns : ndarray of shape (n, 4), float32
        See `core.embedded.Embedded`.
    cost : CostOptions
        Whether half-turns are tried, and pages turned.

    Returns
    -------
    upright, along : ndarray of shape (n,), float32
        Logarithms of the odds that a shred is the right way up as it lies, and that its print runs along the strip.
    """
    none = np.zeros(len(turns), dtype=np.float32)
    if not cost.try_half_turns:
        return none, none
    return odds_as_it_lies(turns), odds_along(turns) if cost.turn_pages else none


def _across(log_odds: Floats) -> Doubles:
    """Compute the logarithm of the odds that print runs across a shred, by its own print, (n,)."""
    turns = log_odds.astype(np.float64).T
    return np.asarray(np.logaddexp(turns[0], turns[2]) - np.logaddexp(turns[1], turns[3]))


def odds_within(upright: Floats) -> Floats:
    """Add to what print says of each shred what the set says of all: where few lie upside down, another hardly does.

    Parameters
    ----------
    upright : ndarray of shape (n,), float32
        Logarithm of the odds that a shred is the right way up as it lies, by its print alone.

    Returns
    -------
    ndarray of shape (n,), float32
        The same, with the odds that any shred of the set is.

    Examples
    --------
    >>> odds_within(np.full(50, 4, np.float32))[:2].round(1)
    array([8.6, 8.6], dtype=float32)
    >>> odds_within(np.array([4, -4] * 25, np.float32)).round(1)[:2]
    array([ 4.2, -3.8], dtype=float32)
    """
    return np.asarray(upright + log_odds_in_set(upright), dtype=np.float32)


def log_odds_in_set(usual: NDArray[np.floating[Any]]) -> float:
    """Find by which odds any shred of a set is as usual, so that all of them together are likeliest.

    Parameters
    ----------
    usual : ndarray of shape (n,)
        Logarithm of the odds that a shred is, by what is seen of it alone.

    Returns
    -------
    float
        Logarithm of the odds.

    References
    ----------
    A. P. Dempster, N. M. Laird and D. B. Rubin, "Maximum likelihood from incomplete data via the EM algorithm", Journal
    of the Royal Statistical Society B 39 (1977), DOI 10.1111/j.2517-6161.1977.tb01600.x.

    Examples
    --------
    >>> round(log_odds_in_set(np.array([9.0] * 6 + [-9.0] * 2)), 2)  # 2 of 8, and 4 more that are as usual
    1.61
    """
    least = 1 / (2 * max(1, len(usual)))
    share = 0.5
    for _ in range(ROUNDS):
        unusual = 1 / (1 + np.exp(usual + np.log((1 - share) / share)))
        share = float(np.clip(unusual.sum() / (len(usual) + AS_USUAL_BEFORE), least, 1 - least))
    return float(np.log((1 - share) / share))


def some_half_turned(upright: Floats) -> bool:
    """Tell from print whether any shred lies upside down.

    Parameters
    ----------
    upright : ndarray of shape (n,), float32
        Logarithm of the odds that a shred is the right way up as it lies, by its print alone.

    Returns
    -------
    bool
        True if one surely does, or is likelier to than not.
    """
    return bool((upright < -SURELY).any() or (odds_within(upright) < 0).any())


def unlike_ways_up(one: Floats, other: Floats) -> Floats:
    """Compute minus the logarithm of how much likelier two poses are both upright, or both not, than by chance.

    Parameters
    ----------
    one, other : ndarray of float32
        Logarithms of the odds that either is upright, of shapes that fit together.

    Returns
    -------
    ndarray of float32
        Between -log 2, where both are surely alike, and some 11.
    """
    likely = likely_upright(one), likely_upright(other)
    return np.asarray(-np.log(2 * (likely[0] * likely[1] + (1 - likely[0]) * (1 - likely[1]))), dtype=np.float32)


def likely_upright(odds: Floats) -> Floats:
    """Compute how likely poses are upright, never quite surely.

    Parameters
    ----------
    odds : ndarray of float32
        Logarithms of the odds that they are.

    Returns
    -------
    ndarray of float32
        Between 0 and 1.
    """
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -SUREST_WAY_UP, SUREST_WAY_UP))), dtype=np.float32)
