"""What is worth knowing of every page at a glance: how doubtful, how wide, changed by hand, and with which notes."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter

import numpy as np

from core.arrangement.arrangement import PageState
from core.arrangement.changes import changed_pages
from core.arrangement.noted import abouts_of_join, subject_of
from core.arrays import Floats
from core.case.case import Case, JoinInfo
from core.matching.confidence import JoinBelow
from core.solver.page_breaks import LOST_PER_SHRED_PX, WIDEST_PAGE
from core.units import mm_to_px


@dataclass(frozen=True)
class PageOverview:
    """A page at a glance.

    Attributes
    ----------
    page : int
        Its index.
    least_sure : JoinInfo, JoinBelow or None
        The join that is least sure among those that nothing was said of; None where there is none. Of a row of pieces
        those with the row above it count, too.
    n_doubtful : int
        How many of those are doubtful.
    width : float
        1 for the breadth of an intact page; not a number while that is not known.
    edited : bool
        Whether its shreds lie otherwise than the solver laid them.
    noted : tuple of str
        What there are notes about, as `Arrangement.notes` has it.
    name, document : str
        What the examiner called it, and the document it belongs to; "" for none.
    state : {"new", "reviewed", "done"}
        How far the examiner is with it.
    changed : bool
        Whether it has been changed since that was said.
    """

    page: int
    least_sure: JoinInfo | JoinBelow | None
    n_doubtful: int
    width: float
    edited: bool
    noted: tuple[str, ...]
    name: str = ""
    document: str = ""
    state: PageState = "new"
    changed: bool = False

    @property
    def too_wide(self) -> bool:
        """Whether it is wider than any sheet of that paper."""
        return self.width > WIDEST_PAGE


def overview(case: Case, widths: Mapping[str, float]) -> tuple[PageOverview, ...]:
    """Look over all pages of a case; of hundreds it takes milliseconds.

    Parameters
    ----------
    case : Case
        With its joins described.
    widths : mapping of str to float
        From `paper_widths`; empty while it is not known.

    Returns
    -------
    tuple of PageOverview
        Page by page.
    """
    arrangement, joins = case.arrangement, case.join_left_of
    edited = set(changed_pages(case.found_as_seen, arrangement))
    n_doubtful = Counter(arrangement.page_of(join.right) for join in case.doubtful_joins)
    n_doubtful.update(arrangement.page_of(join.below) for join in case.doubtful_below)
    above_of = {join.below: join for join in case.joins_below if join.confidence is not None}
    of_places: dict[str, list[str]] = {}
    for about in arrangement.notes:
        if "@" in about:
            of_places.setdefault(subject_of(about)[0][0], []).append(about)
    pages = []
    for number, shreds in enumerate(arrangement.pages):
        found = [joins[right] for right in shreds[1:] if right in joins]
        compared: list[JoinInfo | JoinBelow] = [
            join for join in found if join.compared and (join.left, join.right) not in arrangement.confirmed
        ]
        over = (above_of[shred] for shred in shreds if shred in above_of)
        compared += [join for join in over if join.pair not in arrangement.confirmed_below]
        abouts: list[str] = []
        if arrangement.notes:
            faces = arrangement.other_faces
            of_joins = [(*abouts_of_join(join.left, join.right, faces), join.right) for join in found]
            abouts = list(chain.from_iterable(of_joins))
        pages.append(
            PageOverview(
                number,
                min(compared, key=attrgetter("confidence"), default=None),
                n_doubtful[number],
                sum(widths.get(shred, np.nan) for shred in shreds),
                number in edited,
                tuple(about for about in (*shreds[:1], *abouts) if about in arrangement.notes)
                + tuple(about for shred in shreds for about in of_places.get(shred, ())),
                arrangement.page_mark("page_names", number) or "",
                arrangement.page_mark("page_documents", number) or "",
                *arrangement.page_state(number),
            )
        )
    return tuple(pages)


def paper_widths(case: Case) -> dict[str, float]:
    """Measure by how much of the breadth of an intact page each shred makes its page wider.

    As `core.solver.page_breaks.page_widths`, but by outlines: no pixel is looked at. On 30 pages of S-CDIP both
    differ by less than 0.01 of a page.

    Parameters
    ----------
    case : Case
        Its options say how wide an intact page is.

    Returns
    -------
    dict of str to float
        By identifier, 1 for the breadth of a page; what was lost at the cuts is added, and scraps count nothing.
    """
    large = [shred for shred in case.shreds if not shred.scrap]
    lengths_px = {shred.id: float(np.ptp(shred.outline[:, 1])) for shred in large}
    length_px = float(np.median(list(lengths_px.values()))) if large else 1.0
    page_px2 = length_px * mm_to_px(case.options.solver.page_width_mm)
    widths = {shred.id: (_area(shred.outline) + LOST_PER_SHRED_PX * lengths_px[shred.id]) / page_px2 for shred in large}
    return dict.fromkeys((shred.id for shred in case.shreds), 0.0) | widths


def _area(outline: Floats) -> float:
    """Compute the area within an outline of shape (k, 2), in squares of its unit."""
    x, y = outline.astype(np.float64).T
    return abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2
