"""Lines of print go on from row to row at one distance: where the last line of a row stands tells where the next is."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import Doubles, Floats
from core.grid.borders import darkness
from core.shreds.shred import Shred

LEADING_PX = (24.0, 150.0)
"""Distances of lines that come into question: 2 to 12.7 mm."""

STEPS = 600
"""So many distances are tried."""

CLEAR = 0.25
"""Of all print of a row, at least this part of its first wave stands in lines at one distance, or rows tell nothing."""

SPREAD_PX = 1.5
"""By so much (σ) lines of neighbouring rows miss each other, since wear and straightening err."""

EVEN = 0.45
"""Lines stand at one distance on all of a set where so much of all its print is in the first wave: then they tell which
pieces lie in one row. Letters and headings of other pages are too uneven for that."""

LEVEL_SPREAD_PX = 4.0
"""By so much (σ) what a piece shows of the lines of its row is off: few letters stand on each."""

LEVEL_CLEAR = 0.35
"""A piece of which so much print is in the first wave tells as much as any."""

MOST_LEVEL = 6.0
"""Lines that are not level speak so much against two neighbours at most, as a negative logarithm."""


def profile_of(row: Sequence[Shred]) -> Doubles:
    """Sum the print of a row of pieces, line by line.

    Parameters
    ----------
    row : sequence of Shred
        As they stand.

    Returns
    -------
    ndarray of shape (h,), float64
        From the top, against its own mean; h is the usual height of the pieces, 1 where there is none.
    """
    total = np.zeros(int(np.median([piece.height_px for piece in row])) if row else 1)
    for piece in row:
        by_line = darkness(piece)[0].sum(axis=1, dtype=np.float64)[: len(total)]
        total[: len(by_line)] += by_line
    return total - total.mean()


@dataclass(frozen=True, eq=False)
class _Waves:
    """The wave in which print stands in lines: their distance, and of each profile phase, part of its print, height."""

    leading_px: float
    from_top: NDArray[np.complex128]
    share: Doubles
    heights_px: Doubles
    of_all: float


def _waves(profiles: Sequence[Doubles]) -> _Waves:
    """Find the distance of lines at which most print of all profiles stands in them."""
    heights = np.array([len(one) for one in profiles])
    padded = np.zeros((len(profiles), int(heights.max())))
    for values, one in zip(padded, profiles, strict=True):
        values[: len(one)] = one
    distances = np.geomspace(LEADING_PX[0], LEADING_PX[1], STEPS)
    at = np.arange(padded.shape[1])[:, None]
    spectrum = padded @ np.exp(-2j * np.pi * at / distances)
    print_of = np.maximum(np.abs(padded).sum(axis=1), 1e-9)
    together = np.abs(spectrum).sum(axis=0) / print_of.sum()
    best = int(together.argmax())
    phases = spectrum[:, best]
    share = np.abs(phases) / print_of
    return _Waves(float(distances[best]), phases, share, heights.astype(np.float64), float(together[best]))


def line_costs(profiles: Sequence[Doubles]) -> Floats:
    """Compute what each row below each other costs by how well lines of print go on at the same distance.

    Parameters
    ----------
    profiles : sequence of ndarray
        Of R rows in each way they stand.

    Returns
    -------
    ndarray of shape (R, R), float32
        A negative logarithm of likelihood: half the square of how far lines miss, in `SPREAD_PX`; 0 for rows in which
        lines stand at no one distance.
    """
    waves = _waves(profiles)
    from_bottom = waves.from_top * np.exp(2j * np.pi * waves.heights_px / waves.leading_px)
    missed_px = np.angle(from_bottom[:, None] * np.conj(waves.from_top[None, :])) * waves.leading_px / (2 * np.pi)
    clear = waves.share >= CLEAR
    return ((missed_px / SPREAD_PX) ** 2 / 2 * (clear[:, None] & clear)).astype(np.float32)


def level_costs(pieces: Sequence[Shred]) -> Floats | None:
    """Compute what each piece beside each other costs by whether their lines of print are level.

    Parameters
    ----------
    pieces : sequence of Shred
        n pieces.

    Returns
    -------
    ndarray of shape (2n, 2n), float32, or None
        A negative logarithm of likelihood, of the pieces as they lie, then half-turned; None where lines of the set
        stand at no one distance.
    """
    profiles = [profile_of([piece]) for piece in pieces]
    waves = _waves([*profiles, *(one[::-1] for one in profiles)])
    if waves.of_all < EVEN:
        return None
    off_px = np.angle(waves.from_top[:, None] * np.conj(waves.from_top)) * waves.leading_px / (2 * np.pi)
    telling = np.minimum(waves.share / LEVEL_CLEAR, 1.0)
    costs = np.minimum((off_px / LEVEL_SPREAD_PX) ** 2 / 2, MOST_LEVEL)
    return (costs * np.minimum(telling[:, None], telling)).astype(np.float32)
