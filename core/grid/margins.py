"""Text begins and ends at one place on a page: that of a row tells which rows are of one page, and of one face."""

from collections.abc import Sequence

import numpy as np

from core.arrays import Floats
from core.faces.ways import OVER
from core.grid.borders import darkness
from core.grid.standing import Run, Standing
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


def text_ends(run: Run, pieces: Standing, pitch_px: float) -> tuple[float, float]:
    """Measure how far text is from the ends of a whole row.

    Parameters
    ----------
    run : Run
        A row from its first piece to its last.
    pieces : Standing
        What stands in it.
    pitch_px : float
        How wide pieces were cut.

    Returns
    -------
    float, float
        From the left end to the first print, from the last print to the right end, in pixels; infinite without any.
    """
    from_left, from_right = [np.inf], [np.inf]
    for at, pose in enumerate(run):
        for piece in pieces.seen([pose]):
            printed = np.flatnonzero((darkness(piece)[0] >= PRINTED).sum(axis=0) >= LEAST_PX)
            if len(printed):
                from_left.append(at * pitch_px + int(printed[0]))
                from_right.append((len(run) - 1 - at) * pitch_px + piece.width_px - 1 - int(printed[-1]))
    return min(from_left), min(from_right)


def end_costs(runs: Sequence[Run], pieces: Standing) -> tuple[Floats, Floats]:
    """Compute what each pose costs at the ends of a row by where text begins or ends in it.

    Parameters
    ----------
    runs : sequence of Run
        Whole rows: what is usual there, at either end, is no surprise elsewhere.
    pieces : Standing
        n pieces.

    Returns
    -------
    first, last : ndarray of shape (ways · n,), float32
        Negative logarithms of likelihood of each pose at the left end, and at the right end; 0 where there is no print.
    """
    upright, n = pieces.posed.costs.upright.astype(np.float64), pieces.posed.n
    usually = log_odds_in_set(upright[:n])  # where few lie upside down, another hardly does
    upright += np.where(np.arange(len(upright)) // n % OVER, -usually, usually)
    ends = np.array([text_ends((pose,), pieces, 0.0) for pose in range(len(upright))])
    pitch_px = float(np.median([piece.width_px for piece in pieces.faces]))
    of_rows = [text_ends(run, pieces, pitch_px) for run in runs]
    stand = [found if upright[list(run)].sum() >= 0 else found[::-1] for run, found in zip(runs, of_rows, strict=True)]
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


def margin_costs(runs: Sequence[Run], pieces: Standing) -> Floats:
    """Compute what each row on one page with each other costs by whether text begins and ends at one place.

    Parameters
    ----------
    runs : sequence of Run
        R whole rows in each way they stand.
    pieces : Standing
        What stands in them.

    Returns
    -------
    ndarray of shape (R, R), float32
        A negative logarithm of likelihood, by the faces that are seen; 0 for rows without print.
    """
    pitch_px = float(np.median([piece.width_px for piece in pieces.faces]))
    ends = np.array([text_ends(run, pieces, pitch_px) for run in runs])
    known = np.isfinite(ends).all(axis=1)
    ends[~known] = 0
    missed = np.minimum(((ends[:, None] - ends) / SPREAD_PX) ** 2 / 2, MOST).sum(axis=2)
    return np.asarray(missed * (known[:, None] & known), np.float32)
