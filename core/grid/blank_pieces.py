"""Pieces without print stand where others leave a place: which of them stands where, their sizes tell."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from core.arrangement.arrangement import GridPlace
from core.arrays import Doubles
from core.grid.standing import EMPTY, Run, Standing
from core.shreds.shred import Shred


def with_blank_pieces(
    rows: Sequence[Run], places: Sequence[GridPlace], pieces: Standing, blank: Sequence[Shred]
) -> tuple[list[Run], tuple[GridPlace, ...]]:
    """Fill what is empty in complete rows, and put rows of blank pieces alone below the others.

    Parameters
    ----------
    rows : sequence of Run
        Of one length, page by page from the top.
    places : sequence of GridPlace
        Of each.
    pieces : Standing
        The n pieces with print.
    blank : sequence of Shred
        b pieces: as many as are needed for whole rows.

    Returns
    -------
    rows : list of Run
        Poses of n + b pieces, the blank ones behind the others and as they were found.
    places : tuple of GridPlace
        Of each row. Those of blank pieces alone are the last ones of the pages that have the fewest rows.
    """
    n, n_all, length = pieces.posed.n, pieces.posed.n + len(blank), len(rows[0])
    laid = [[pose if pose == EMPTY else pose // n * n_all + pose % n for pose in run] for run in rows]
    whole = list(zip(places, laid, strict=True))
    n_of_page = Counter(place[0] for place in places)
    for _ in range(n_all // length - len(rows)):
        page = min(n_of_page, key=lambda one: (n_of_page[one], -one))
        whole.append(((page, n_of_page[page], 0), [EMPTY] * length))
        n_of_page[page] += 1
    whole.sort(key=lambda row: row[0][0])  # those of a page stay in their order
    grid = np.array([run for _, run in whole])
    sizes_px = np.full((*grid.shape, 2), np.nan)
    for at in zip(*np.nonzero(grid != EMPTY), strict=True):
        paper = pieces.paper(grid[at] % n_all)
        sizes_px[at] = paper.height_px, paper.width_px
    row, column = np.nonzero(grid == EMPTY)
    expected_px = np.stack([_usual(sizes_px[..., 0])[row], _usual(sizes_px[..., 1].T)[column]], axis=1)
    found_px = np.array([(piece.height_px, piece.width_px) for piece in blank]).reshape(-1, 1, 2)
    _, cell = linear_sum_assignment(np.abs(found_px - expected_px).sum(axis=2))
    grid[row[cell], column[cell]] = n + np.arange(len(blank))
    return [tuple(run) for run in grid.tolist()], tuple(place for place, _ in whole)


def _usual(values: Doubles) -> Doubles:
    """Return the median of each row of values, of all where a row has none."""
    of_all = np.nanmedian(values)
    return np.array([of_all if np.isnan(one).all() else np.nanmedian(one) for one in values])
