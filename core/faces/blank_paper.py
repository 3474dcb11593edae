"""Pieces of cross-cut paper that bear no print on any face: which of them stand where others leave a place."""

from collections.abc import Sequence

from core.arrangement.arrangement import Arrangement
from core.faces.posed import UNSEEN, Paper, papers_of
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
