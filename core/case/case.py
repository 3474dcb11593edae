"""The case: what was scanned, what was found, how it was arranged. `core.case.file` saves it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, pairwise
from math import isfinite
from typing import Literal, TypeAlias

import numpy as np

from core.arrangement.arrangement import Arrangement, Pair
from core.arrangement.faces import as_they_stand, showing
from core.arrangement.grid import joins_below
from core.case.history import History
from core.matching.confidence import DOUBTFUL, JoinBelow
from core.matching.costs import Costs
from core.options import Options
from core.sheets.sheet import SheetInfo
from core.shreds.shred import Crumb, Shred

CASE_SUFFIX = ".rejoin"
"""Of the names of case files."""

TurnedBy: TypeAlias = Literal["", "print", "page", "hand", "paper"]
"""What turned a shred upside down: nothing; its own print, which says so at odds of ten to one; the others of its page;
the examiner, that shred or its paper."""

SAYS_SO = 2.3
"""Logarithm of the odds from which on print says of itself how a shred lies."""


@dataclass(frozen=True)
class JoinInfo:
    """A join of the arrangement.

    Attributes
    ----------
    left, right : str
        Identifiers of the two shreds.
    cost : float
        Price of the join; infinite where nothing was compared (beside a blank shred).
    shift_px : int
        By how much the right shred is moved down in the common frame.
    confidence : float
        0 to 1, see `core.matching.confidence.confidence`.
    contour, tone, lines, laying : float
        How much of `cost` the contour of the cut, the grey tones, the lines of print, and how both shreds were laid
        make; the rest is the ink's.
    """

    left: str
    right: str
    cost: float
    shift_px: int
    confidence: float
    contour: float = 0.0
    tone: float = 0.0
    lines: float = 0.0
    laying: float = 0.0

    @property
    def compared(self) -> bool:
        """Whether the costs tell anything of it: not beside a blank shred."""
        return isfinite(self.cost)

    @property
    def doubtful(self) -> bool:
        """Whether it is pointed out to the examiner as less sure than others."""
        return self.confidence < DOUBTFUL and self.compared

    @property
    def ink(self) -> float:
        """How much of `cost` the ink beside the cut makes, sample by sample."""
        return self.cost - self.contour - self.tone - self.lines - self.laying


@dataclass(frozen=True, eq=False)
class _OfShreds:
    """What follows from the shreds of a case alone."""

    shreds: tuple[Shred, ...] = ()

    @cached_property
    def by_id(self) -> dict[str, Shred]:
        return {shred.id: shred for shred in self.shreds}

    @cached_property
    def compared(self) -> tuple[str, ...]:
        return tuple([shred.id for shred in self.shreds if shred.compared])

    @cached_property
    def rows(self) -> Mapping[str, int]:
        return {shred: row for row, shred in enumerate(self.compared)}

    @cached_property
    def cross_cut(self) -> bool:
        return any(shred.cross_cut for shred in self.shreds)

    @cached_property
    def scraps(self) -> frozenset[str]:
        return frozenset(shred.id for shred in self.shreds if shred.scrap)


@dataclass(frozen=True, eq=False)
class _OfJoins:
    """What follows from the joins of a case alone."""

    joins: tuple[JoinInfo, ...] = ()

    @cached_property
    def left_of(self) -> Mapping[str, JoinInfo]:
        return {join.right: join for join in self.joins}

    @cached_property
    def doubtful(self) -> list[JoinInfo]:
        return [join for join in self.joins if join.doubtful]


@dataclass(frozen=True, eq=False)
class _OfBelow:
    """What follows from what could stand below what."""

    below: tuple[JoinBelow, ...] = ()

    @cached_property
    def sure(self) -> Mapping[Pair, float]:
        return {join.pair: join.confidence for join in self.below if join.confidence is not None}

    @cached_property
    def seen(self) -> frozenset[str]:
        return frozenset(chain.from_iterable(self.sure))


@dataclass(frozen=True, eq=False)
class Case:
    """A reconstruction with all that led to it.

    Attributes
    ----------
    options : Options
        Of every stage.
    sheets : tuple of SheetInfo
        In the order in which they were given.
    shreds : tuple of Shred
        Sheet by sheet, from left to right; behind those of a sheet what was mended on it.
    crumbs : tuple of Crumb
        What segmentation set aside.
    costs : Costs or None
        Of the joins between the shreds of `matched_ids`, in that order, and where half-turns were tried of the same
        shreds half-turned behind them; None where there are none.
    arrangement : Arrangement
        Order, pages, shifts.
    joins : tuple of JoinInfo
        Of the arrangement, page by page, from left to right.
    optimal : bool
        Whether the order is proved to be the cheapest.
    gap : float
        By which fraction the order may be dearer than the cheapest.
    seconds : dict of str to float
        Time of each stage.
    unreadable : tuple of str
        A sentence for each input that was left out; a `Duplicate` where a sheet was given twice and taken once.
    weights_sha256 : str
        Of the encoder's weights.
    versions : dict of str to str
        Of Rejoin, of Python and of what it stands on.
    solved : Arrangement or None
        What the solver found last, of which `optimal` and `gap` tell, with the turns in which shreds were compared;
        None while nothing has been changed by hand since.
    history : History
        All that was done, from the first step on; entries are only ever added.
    states : mapping of str to Arrangement
        What steps of the history left that no edit made, by SHA-256; see `core.case.states`.
    below : tuple of JoinBelow
        Of cross-cut paper, what could stand directly below what, and how sure that is: of pieces as they stood when the
        order was found last, see `core.grid.sureness`. `joins_below` tells of those that stand now.
    piece_weights_sha256 : str
        Of the weights, shipped with the program, by which such pieces were compared; "" where there are none.
    """

    options: Options
    sheets: tuple[SheetInfo, ...]
    shreds: tuple[Shred, ...]
    crumbs: tuple[Crumb, ...]
    costs: Costs | None
    arrangement: Arrangement
    joins: tuple[JoinInfo, ...]
    optimal: bool
    gap: float
    seconds: dict[str, float]
    unreadable: tuple[str, ...]
    weights_sha256: str
    versions: dict[str, str]
    solved: Arrangement | None = None
    history: History = ()
    states: Mapping[str, Arrangement] = field(default_factory=dict)
    below: tuple[JoinBelow, ...] = ()
    piece_weights_sha256: str = ""
    _of_shreds: _OfShreds = field(default_factory=_OfShreds, repr=False)
    _of_joins: _OfJoins = field(default_factory=_OfJoins, repr=False)
    _of_below: _OfBelow = field(default_factory=_OfBelow, repr=False)

    def __post_init__(self) -> None:
        # Each step makes several cases of the same thousands of shreds and joins: what follows from them is found once.
        if self._of_shreds.shreds is not self.shreds:
            object.__setattr__(self, "_of_shreds", _OfShreds(self.shreds))
        if self._of_joins.joins is not self.joins:
            object.__setattr__(self, "_of_joins", _OfJoins(self.joins))
        if self._of_below.below is not self.below:
            object.__setattr__(self, "_of_below", _OfBelow(self.below))

    @property
    def shred_by_id(self) -> dict[str, Shred]:
        """Shreds by their identifiers."""
        return self._of_shreds.by_id

    @property
    def cross_cut(self) -> bool:
        """Whether there are pieces with four cuts among the shreds."""
        return self._of_shreds.cross_cut

    @property
    def scraps(self) -> frozenset[str]:
        """Identifiers of the shreds that are none: slivers and crumbs."""
        return self._of_shreds.scraps

    @property
    def join_left_of(self) -> Mapping[str, JoinInfo]:
        """The join that each shred has with its left neighbour; the first of a page has none."""
        return self._of_joins.left_of

    def joins_beside(self, shred: str) -> list[JoinInfo]:
        """List the joins of a shred: with its left neighbour, and with its right one."""
        page, at = self.arrangement.page_of(shred), self.arrangement.places.get(shred, (0, 0))[1]
        right = () if page is None else self.arrangement.pages[page][at + 1 : at + 2]
        return [self.join_left_of[one] for one in (shred, *right) if one in self.join_left_of]

    @property
    def gap_percent(self) -> float:
        """By how much an order that is not proved is dearer than the cheapest at most; never 0: that would prove it."""
        return max(0.01, 100 * self.gap)

    @property
    def doubtful_joins(self) -> list[JoinInfo]:
        """Joins that are doubtful as long as the examiner has not confirmed them."""
        doubtful, confirmed = self._of_joins.doubtful, self.arrangement.confirmed
        return [join for join in doubtful if not confirmed or (join.left, join.right) not in confirmed]

    @cached_property
    def joins_below(self) -> tuple[JoinBelow, ...]:
        """What stands directly below what, row by row; none where paper is cut into strips."""
        pairs = joins_below(self.arrangement, self.width_px)
        return tuple(JoinBelow(*pair, self.sure_below(*pair)) for pair in pairs)

    @cached_property
    def doubtful_below(self) -> list[JoinBelow]:
        """Those that are doubtful as long as the examiner has not confirmed them."""
        confirmed = self.arrangement.confirmed_below
        return [join for join in self.joins_below if join.doubtful and join.pair not in confirmed]

    def sure_below(self, above: str, below: str) -> float | None:
        """Find how sure it is that a piece stands directly below another one, whether it does or not.

        Parameters
        ----------
        above, below : str
            Identifiers.

        Returns
        -------
        float or None
            0 to 1; None where one of the two was not compared, or lies otherwise than it did then.
        """
        known, now, found = self._of_below.sure, self.arrangement, self.found_as_seen
        turned = {(shred in now.half_turned) != (shred in found.half_turned) for shred in (above, below)}
        if len(turned) == 2 or not self.turned_since.isdisjoint((above, below)):
            return None
        seen = self._of_below.seen
        named = [shred if shred in seen else now.other_faces.get(shred, ("",))[0] for shred in (above, below)]
        one, other = named[::-1] if True in turned else named
        return known.get((one, other), 0.0) if {one, other} <= seen else None

    def below_of(self, found: Arrangement) -> tuple[JoinBelow, ...]:
        """Return `below` where an order is the one that was found last; of another it tells nothing."""
        return self.below if found == (self.solved or self.arrangement) else ()

    def width_px(self, shred: str) -> int:
        """Return the width of a shred's picture, in pixels."""
        return self.shred_by_id[shred].width_px

    @cached_property
    def found_as_seen(self) -> Arrangement:
        """What the solver found last, with the faces of paper up that are seen now."""
        return self.arrangement if self.solved is None else showing(self.solved, self.arrangement.places.keys())

    @property
    def by_hand(self) -> bool:
        """Whether the order is no longer the one that was found: `optimal` and `gap` say nothing of it."""
        return {*self.found_as_seen.pages} != {*self.arrangement.pages}

    @cached_property
    def placed_by_hand(self) -> frozenset[Pair]:
        """Joins that the examiner made by moving shreds: finding the order again keeps to them."""
        now, found = self.arrangement, self.found_as_seen
        others, before = {*now.pages} - {*found.pages}, {*found.pages} - {*now.pages}  # few of hundreds
        made = {pair for page in others for pair in pairwise(page)} - {
            pair for page in before for pair in pairwise(page)
        }
        stand = {pair for pair in now.held if now.has_join(*pair)}
        return frozenset((stand | (made - now.freed)) - now.forbidden)

    @cached_property
    def turned_since(self) -> frozenset[str]:
        """Shreds that lie otherwise than when they were compared: `costs` say nothing of their joins."""
        solved, now = self.solved or self.arrangement, self.arrangement
        turned = {
            shred
            for shred in solved.turned_deg.keys() | now.turned_deg.keys()
            if solved.turned_deg.get(shred) != now.turned_deg.get(shred)
        }
        return frozenset(turned if self.both_ways else turned | (solved.half_turned ^ now.half_turned))

    @property
    def both_ways(self) -> bool:
        """Whether every shred was compared both as it lies and half-turned."""
        return self.costs is not None and len(self.costs.to_blank) == 2 * len(self.matched_ids)

    @cached_property
    def _found_standing(self) -> Arrangement:
        return as_they_stand(self.found_as_seen)

    def turned_by_hand(self, shred: str) -> bool:
        """Return whether the examiner turned a shred upside down, or back; turning its paper over does neither."""
        now, found = self.arrangement, self._found_standing
        stands_otherwise = (shred in now.half_turned) != (shred in found.half_turned)
        return shred in now.turned_by_hand and (stands_otherwise or shred in found.turned_by_hand)

    def turned_by(self, shred: str) -> TurnedBy:
        """Find what turned a shred upside down.

        Parameters
        ----------
        shred : str
            Identifier.

        Returns
        -------
        TurnedBy
            "" if it stands as it was found; "paper" where its paper, with two faces, was half-turned or turned over by
            hand before the order was found last.
        """
        if shred not in self.arrangement.half_turned:
            return ""
        if self.turned_by_hand(shred):
            of_two = shred in self.arrangement.other_faces and shred in self.found_as_seen.half_turned
            return "paper" if of_two else "hand"
        row = self.row_of(shred)
        says_so = self.costs is not None and row is not None and self.costs.upright[row] < -SAYS_SO
        return "print" if says_so else "page"

    def quarter_turns(self, page: int) -> int:
        """Find how a page whose print runs along the strips is turned to be read.

        Parameters
        ----------
        page : int
            Its index.

        Returns
        -------
        int
            Quarter turns counter-clockwise, 0 to 3: as the examiner turned it; else 1 if its shreds together say at
            odds of ten to one that print runs along them, since which of them lie upside down was found before; else 0.
        """
        by_hand = self.arrangement.turned_by_hand_to(page)
        if by_hand is not None or self.costs is None:
            return by_hand or 0
        found = map(self.row_of, self.arrangement.pages[page])
        rows = [row for row in found if row is not None]
        return int(self.costs.along[rows].sum(dtype=np.float64) > SAYS_SO)

    @property
    def n_found_upside_down(self) -> int:
        """How many shreds on pages were turned by what was found, not by hand."""
        return sum(self.turned_by(shred) in ("print", "page") for page in self.arrangement.pages for shred in page)

    def row_of(self, shred: str) -> int | None:
        """Find the row of a shred in the costs, as it was found; None if it was not compared.

        Parameters
        ----------
        shred : str
            Identifier.

        Returns
        -------
        int or None
            Among `matched_ids`.
        """
        return self._of_shreds.rows.get(shred)

    @property
    def matched_ids(self) -> tuple[str, ...]:
        """Identifiers of the shreds that were compared: all but blank ones and scraps, in the order of `costs`."""
        return self._of_shreds.compared
