"""Pieces without print stand where others leave a place: which of them stands where, their sizes tell."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from core.arrangement.arrangement import Arrangement, GridPlace
from core.arrays import Doubles
from core.faces.posed import UNSEEN, Paper, papers_of
from core.grid.standing import EMPTY, Run, Standing
from core.shreds.shred import Shred


def placed_by_geometry(shreds: Sequence[Shred], papers: Sequence[Paper], arrangement: Arrangement) -> list[Paper]:
    """List the pieces without print that may stand where others leave a place, not where the examiner put them.

    Parameters
    ----------
    shreds : sequence of Shred
        Of a case.
    papers : sequence of Paper
        What they are the faces of.
    arrangement : Arrangement
        What was done by hand stays so. Where some of these pieces stand on pages, the examiner set the others aside.

    Returns
    -------
    list of Paper
        In their order.
    """
    unprinted = {shred.id for shred in shreds if shred.cross_cut and shred.blank and not shred.scrap}
    by_hand = {*arrangement.pinned, *arrangement.turned_by_hand}.union(*arrangement.confirmed, *arrangement.held)
    faces_of = {paper: {*paper} - {UNSEEN} for paper in papers}
    free = [paper for paper, faces in faces_of.items() if faces <= unprinted and by_hand.isdisjoint(faces)]
    on_pages = {shred for page in arrangement.pages for shred in page}
    return [paper for paper in free if not on_pages.isdisjoint(paper)] or free


def filling_places(shreds: Sequence[Shred], arrangement: Arrangement) -> frozenset[str]:
    """Return the pieces without print that stand on pages by geometry alone, see `placed_by_geometry`.

    Parameters
    ----------
    shreds, arrangement
        Of a case.

    Returns
    -------
    frozenset of str
        Whichever of their faces is seen.
    """
    on_pages = {shred for page in arrangement.pages for shred in page}
    papers = papers_of([shred.id for shred in shreds], arrangement.other_faces)
    free = placed_by_geometry(shreds, papers, arrangement)
    return frozenset(face for paper in free for face in paper if face in on_pages)


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
    whole = sorted(zip(places, laid, range(len(laid)), strict=True), key=lambda row: (row[0][0], row[2]))
    n_of_page = Counter(place[0] for place in places)
    for number in range(n_all // length - len(rows)):
        page = min(n_of_page, key=lambda one: (n_of_page[one], -one))
        whole.append(((page, n_of_page[page], 0), [EMPTY] * length, len(laid) + number))
        n_of_page[page] += 1
    whole.sort(key=lambda row: (row[0][0], row[2]))
    grid = np.array([run for _, run, _ in whole])
    sizes_px = np.full((*grid.shape, 2), np.nan)
    for at in zip(*np.nonzero(grid != EMPTY), strict=True):
        paper = pieces.paper(grid[at] % n_all)
        sizes_px[at] = paper.height_px, paper.width_px
    row, column = np.nonzero(grid == EMPTY)
    expected_px = np.stack([_usual(sizes_px[..., 0])[row], _usual(sizes_px[..., 1].T)[column]], axis=1)
    found_px = np.array([(piece.height_px, piece.width_px) for piece in blank]).reshape(-1, 1, 2)
    _, cell = linear_sum_assignment(np.abs(found_px - expected_px).sum(axis=2))
    grid[row[cell], column[cell]] = n + np.arange(len(blank))
    return [tuple(run) for run in grid.tolist()], tuple(place for place, _, _ in whole)


def _usual(values: Doubles) -> Doubles:
    """Return the median of each row of values, of all where a row has none."""
    of_all = np.nanmedian(values)
    return np.array([of_all if np.isnan(one).all() else np.nanmedian(one) for one in values])
