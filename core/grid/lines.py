"""Lines of print go on from row to row at one distance: where the last line of a row stands tells where the next is."""

from collections.abc import Sequence

import numpy as np

from core.arrays import Doubles, Floats
from core.grid.borders import darkness
from core.shreds.shred import Shred

LEADING_PX = (24.0, 150.0)
"""Distances of lines that come into question: 2 to 12.7 mm."""

STEPS = 600
"""So many distances are tried."""

CLEAR = 0.25
"""Of all print of a row, at least this part of its first wave stands in lines at one distance, or rows tell nothing."""

SPREAD_PX = 2.5
"""By so much (σ) lines of neighbouring rows miss each other, since wear and straightening err."""


def profile_of(row: Sequence[int], pieces: Sequence[Shred]) -> Doubles:
    """Sum the print of a row of pieces, line by line.

    Parameters
    ----------
    row : sequence of int
        Indices of pieces.
    pieces : sequence of Shred
        As they stand.

    Returns
    -------
    ndarray of shape (h,), float64
        From the top, against its own mean; h is the usual height of the pieces.
    """
    height = int(np.median([pieces[one].height_px for one in row]))
    total = np.zeros(height)
    for one in row:
        by_line = darkness(pieces[one])[0].sum(axis=1, dtype=np.float64)[:height]
        total[: len(by_line)] += by_line
    return total - total.mean()


def line_costs(profiles: Sequence[Doubles]) -> Floats:
    """Compute what each row below each other costs by how well lines of print go on at the same distance.

    Parameters
    ----------
    profiles : sequence of ndarray
        Of R rows in each way they stand.

    Returns
    -------
    ndarray of shape (R, R), float32
        Twice the negative logarithm of a likelihood is the square of how far lines miss, in `SPREAD_PX`; 0 for rows in
        which lines stand at no one distance.
    """
    distances = np.geomspace(LEADING_PX[0], LEADING_PX[1], STEPS)
    strength = np.zeros(STEPS)
    for one in profiles:
        at = np.arange(len(one))
        spectrum = np.abs(np.exp(2j * np.pi * at[None, :] / distances[:, None]) @ one) / max(np.abs(one).sum(), 1e-9)
        strength += spectrum
    leading = float(distances[int(strength.argmax())])
    from_top = np.array([np.sum(one * np.exp(-2j * np.pi * np.arange(len(one)) / leading)) for one in profiles])
    from_bottom = np.array(
        [np.sum(one * np.exp(-2j * np.pi * (np.arange(len(one)) - len(one)) / leading)) for one in profiles]
    )
    clear = np.abs(from_top) / np.array([max(np.abs(one).sum(), 1e-9) for one in profiles]) >= CLEAR
    missed_px = np.angle(from_bottom[:, None] * np.conj(from_top[None, :])) * leading / (2 * np.pi)
    return ((missed_px / SPREAD_PX) ** 2 / 2 * (clear[:, None] & clear)).astype(np.float32)
