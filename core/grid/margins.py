"""Text begins and ends at one place on a page: that of a row tells which rows are of one page, and of one face."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.arrays import Doubles, Floats
from core.faces.ways import OVER
from core.grid.borders import darkness
from core.grid.standing import Run, Standing, inked
from core.matching.laying import log_odds_in_set

PRINTED = 128
"""From here on what is read as 0 for paper to 255 for print is print."""

LEAST_PX = 3
"""A column with fewer pixels of print has none but specks."""

SPREAD_PX = 2.0
"""By so much (σ) the ends of lines of one page miss each other: letters stand differently far from the margin."""

MOST = 2.0
"""So much it speaks against two rows at most, as a negative logarithm: headings and indents are elsewhere."""

MOST_AT_END = 6.0
"""The same against a piece at the end of a row, where what stands at all ends of whole rows tells what is usual."""


@dataclass(frozen=True, eq=False)
class Margins:
    """Where text begins and ends in pieces, read once, and in rows of them.

    Attributes
    ----------
    pieces : Standing
        n pieces.
    """

    pieces: Standing

    @cached_property
    def of_poses(self) -> Doubles:
        """How far print is from the left edge of each pose, and from its right one: pixels, infinite without any.

        Of shape (ways · n + 1, 2): the last is what is empty.
        """
        ends = np.full((self.pieces.posed.costs.n + 1, 2), np.inf)
        for pose, found in enumerate(ends[:-1]):
            for piece in self.pieces.seen([pose]):
                printed = np.flatnonzero((darkness(piece)[0] >= PRINTED).sum(axis=0) >= LEAST_PX)
                if len(printed):
                    found[:] = printed[0], piece.width_px - 1 - printed[-1]
        return ends

    @cached_property
    def pitch_px(self) -> float:
        """How far pieces stand from one another in a row."""
        return float(np.median([piece.width_px for piece in self.pieces.faces]))

    def of_row(self, run: Run) -> Doubles:
        """Measure how far text is from the left end of a whole row, and from its right one.

        Parameters
        ----------
        run : Run
            A row from its first piece to its last.

        Returns
        -------
        ndarray of shape (2,), float64
            In pixels; infinite without any print.
        """
        before = self.pitch_px * np.arange(len(run))
        return np.asarray((self.of_poses[list(run)] + np.stack([before, before[::-1]], axis=1)).min(axis=0))


def end_costs(runs: Sequence[Run], margins: Margins) -> tuple[Floats, Floats]:
    """Compute what each pose costs at the ends of a row by where text begins or ends in it.

    Parameters
    ----------
    runs : sequence of Run
        Whole rows: what is usual there, at either end, is no surprise elsewhere.
    margins : Margins
        Of n pieces.

    Returns
    -------
    first, last : ndarray of shape (ways · n,), float32
        Negative logarithms of likelihood of each pose at the left end, and at the right end; 0 where there is no print.
    """
    posed, ends = margins.pieces.posed, margins.of_poses[:-1]
    upright, n = posed.costs.upright.astype(np.float64), posed.n
    usually = log_odds_in_set(upright[:n])  # where few lie upside down, another hardly does
    upright += np.where(np.arange(len(upright)) // n % OVER, -usually, usually)
    of_rows = [(margins.of_row(run), upright[list(inked(run))].sum() >= 0) for run in runs]
    stand = [found if is_upright else found[::-1] for found, is_upright in of_rows]
    usual_px = np.median(stand, axis=0)
    known = np.isfinite(ends)
    as_read, upside_down = (
        np.minimum(((np.where(known, ends, 0) - expected_px) / SPREAD_PX) ** 2 / 2, MOST_AT_END)
        for expected_px in (usual_px, usual_px[::-1])
    )
    # Which way up a piece is, its print tells more or less.
    odds = -np.logaddexp(0, -upright)[:, None], -np.logaddexp(0, upright)[:, None]
    costs = np.where(known, -np.logaddexp(odds[0] - as_read, odds[1] - upside_down), 0).astype(np.float32)
    return costs[:, 0], costs[:, 1]


def margin_costs(runs: Sequence[Run], margins: Margins) -> Floats:
    """Compute what each row on one page with each other costs by whether text begins and ends at one place.

    Parameters
    ----------
    runs : sequence of Run
        R whole rows in each way they stand.
    margins : Margins
        Of their pieces.

    Returns
    -------
    ndarray of shape (R, R), float32
        A negative logarithm of likelihood, by the faces that are seen; 0 for rows without print.
    """
    ends = np.array([margins.of_row(run) for run in runs])
    known = np.isfinite(ends).all(axis=1)
    ends[~known] = 0
    missed = np.minimum(((ends[:, None] - ends) / SPREAD_PX) ** 2 / 2, MOST).sum(axis=2)
    return np.asarray(missed * (known[:, None] & known), np.float32)
