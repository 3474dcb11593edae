"""What comparing the borders told of every join, by the names of the shreds."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from math import inf

from core.arrangement.arrangement import Arrangement, Pair
from core.arrangement.edit import ShiftOf, unknown_shift
from core.case.case import Case, JoinInfo
from core.matching.confidence import Confidences, confidence, prospects_of, settled
from core.matching.costs import Costs
from core.solver.constraints import margin_joins, margin_joins_of_poses, poses, poses_of, rows_of, with_twins


@dataclass(frozen=True, eq=False)
class JoinTable:
    """Costs, shifts and confidences of all joins between n shreds.

    Attributes
    ----------
    index : mapping of str to int
        Row and column of each shred in `costs`, as it lies.
    costs : Costs
        Of n shreds; where half-turns were tried, of the same half-turned behind them.
    confidence : Confidences
        Of the joins of the costs.
    """

    index: Mapping[str, int]
    costs: Costs
    confidence: Confidences
    _described: dict[tuple[str, str, int, int, int], JoinInfo] = field(default_factory=dict, repr=False, compare=False)
    _pages: dict[tuple[str, ...], tuple[JoinInfo, ...]] = field(default_factory=dict, repr=False, compare=False)
    _as_of: list[tuple[Arrangement, frozenset[str]]] = field(default_factory=list, repr=False, compare=False)

    @classmethod
    def of(cls, ids: Sequence[str], costs: Costs, arrangement: Arrangement) -> "JoinTable":
        """Compute how sure each join is; for 2,000 shreds that takes a second.

        Parameters
        ----------
        ids : sequence of str
            Of n shreds.
        costs : Costs
            In their order, of one pose or of both.
        arrangement : Arrangement
            Its number of pages counts, and what it tells of confirmed and forbidden joins.

        Returns
        -------
        JoinTable
            Of these shreds.
        """
        index = {shred: row for row, shred in enumerate(ids)}
        n, n_pages = len(ids), max(1, len(arrangement.pages))
        confirmed = rows_of(arrangement.confirmed, index)
        forbidden = rows_of(arrangement.forbidden, index)
        if len(costs.to_blank) == 2 * n:
            pose = poses(ids, arrangement.half_turned)
            confirmed, forbidden = (with_twins(poses_of(joins, pose), n) for joins in (confirmed, forbidden))
            forbidden += margin_joins_of_poses(arrangement, ids, pose, costs)
            n_pages *= 2
        else:
            forbidden += margin_joins(arrangement, ids, costs)
        # What was answered says nothing of how many neighbours are missing.
        prospects = prospects_of(costs, n_pages)
        sure = confidence(settled(costs, confirmed, forbidden), n_pages, prospects)
        return cls(index, costs, Confidences(costs, sure))

    def row(self, shred: str, arrangement: Arrangement) -> int | None:
        """Find the row of a shred as it stands; None if it was not compared.

        Parameters
        ----------
        shred : str
            Identifier.
        arrangement : Arrangement
            Tells which shreds are half-turned.

        Returns
        -------
        int or None
            Of `costs` and `confidence`.
        """
        row, n = self.index.get(shred), len(self.index)
        if row is None or len(self.costs.to_blank) == n:
            return row
        return row + n * (shred in arrangement.half_turned)

    def confidence_of(self, left: str, right: str, arrangement: Arrangement) -> float | None:
        """Find how sure a join is, whether it stands or not.

        Parameters
        ----------
        left, right : str
            Identifiers.
        arrangement : Arrangement
            Tells which shreds are half-turned.

        Returns
        -------
        float or None
            0 to 1; None if one of the two was not compared.
        """
        row, column = self.row(left, arrangement), self.row(right, arrangement)
        return None if row is None or column is None else self.confidence.of(row, column)

    def joins(self, arrangement: Arrangement, mute: frozenset[str] = frozenset()) -> tuple[JoinInfo, ...]:
        """Describe the joins of an arrangement.

        Parameters
        ----------
        arrangement : Arrangement
            Of the shreds that were compared, and of others.
        mute : frozenset of str
            Shreds of which the costs tell nothing, because they have been turned since.

        Returns
        -------
        tuple of JoinInfo
            Page by page; what was not compared has an infinite cost.
        """
        if self._as_of:  # an edit leaves most of thousands alone: pages none of whose shreds it touched
            before, muted = self._as_of.pop()
            touched = {shred for shred, _ in before.shift_px.items() ^ arrangement.shift_px.items()}
            touched |= (before.half_turned ^ arrangement.half_turned) | (muted ^ mute)
            known = {page: joins for page, joins in self._pages.items() if touched.isdisjoint(page)}
        else:
            known = {}
        pages = {page: known.get(page) or self._of_page(page, arrangement, mute) for page in arrangement.pages}
        self._pages.clear()
        self._pages.update(pages)
        self._as_of[:] = [(arrangement, mute)]
        return tuple(chain.from_iterable(pages.values()))

    def _of_page(self, page: tuple[str, ...], arrangement: Arrangement, mute: frozenset[str]) -> tuple[JoinInfo, ...]:
        """Describe the joins of a page."""
        described, joins = self._described, []
        for left, right in pairwise(page):
            at = self.row(left, arrangement), self.row(right, arrangement)
            shift_px = arrangement.shift_px.get(right, 0)
            if at[0] is None or at[1] is None or left in mute or right in mute:
                joins.append(JoinInfo(left, right, inf, shift_px, 0.0))
                continue
            join = left, right, shift_px, at[0], at[1]
            if join not in described:
                described[join] = self._describe(*join)
            joins.append(described[join])
        return tuple(joins)

    def _describe(self, left: str, right: str, shift_px: int, *at: int) -> JoinInfo:
        cost, sure = float(self.costs.cost_of(*at)), self.confidence.of(*at)
        return JoinInfo(left, right, cost, shift_px, sure, **self.costs.parts(*at))


def join_table(case: Case) -> JoinTable | None:
    """Compute what the costs of a case tell of every join, set aside or not; None if nothing was compared.

    Parameters
    ----------
    case : Case
        Its costs are used.

    Returns
    -------
    JoinTable or None
        None if nothing was compared. The joins that stand are described already: an edit has only those to describe
        that it makes.
    """
    if case.costs is None:
        return None
    table = JoinTable.of(case.matched_ids, case.costs, case.solved or case.arrangement)
    table.joins(case.arrangement, case.turned_since)
    return table


def with_joins(case: Case) -> Case:
    """Return a case with all that its costs tell of its joins; for 2,000 shreds that takes a second.

    Parameters
    ----------
    case : Case
        As it was loaded.

    Returns
    -------
    Case
        With its joins described by its costs; as it is if there are none.
    """
    table = join_table(case)
    return case if table is None else replace(case, joins=table.joins(case.arrangement, case.turned_since))


def row_in_costs(case: Case) -> Callable[[str], int | None]:
    """Look up the rows of shreds in the costs, one at a time.

    Parameters
    ----------
    case : Case
        With or without costs.

    Returns
    -------
    callable
        Takes an identifier; returns None for what was turned since, or never compared.
    """
    if case.costs is None:
        return lambda shred: None
    turned, upside_down, n = case.turned_since, case.arrangement.half_turned, len(case.matched_ids)

    def row_of(shred: str) -> int | None:
        row = None if shred in turned else case.row_of(shred)
        return row if row is None or not case.both_ways else row + n * (shred in upside_down)

    return row_of


def rows_in_costs(case: Case) -> dict[str, int]:
    """Return the row of each shred in the costs; what was turned since, or never compared, has none.

    Parameters
    ----------
    case : Case
        With or without costs.

    Returns
    -------
    dict of str to int
        By identifier.
    """
    rows = zip(case.matched_ids, map(row_in_costs(case), case.matched_ids), strict=True)
    return {shred: row for shred, row in rows if row is not None}


def known_shifts(case: Case) -> ShiftOf:
    """Look up the shifts of the costs of a case; what was turned since, or never compared, has none.

    Edits ask for them where they make shreds neighbours; the same case gives the same answers at any time.

    Parameters
    ----------
    case : Case
        With or without costs.

    Returns
    -------
    callable
        Takes two identifiers; returns the shift of the right shred in pixels, or None.
    """
    costs = case.costs
    if costs is None:
        return unknown_shift

    row_of = row_in_costs(case)

    def shift_of(left: str, right: str) -> int | None:
        row, column = row_of(left), row_of(right)
        return None if row is None or column is None else int(costs.shift_of(row, column))

    return shift_of


def shifts_by_hand(case: Case) -> dict[Pair, int]:
    """Find the joins whose shift is not that of the costs.

    Parameters
    ----------
    case : Case
        As the examiner left it.

    Returns
    -------
    dict of Pair to int
        Their shifts in pixels; none of shreds that were turned since they were compared.
    """
    arrangement, found_px, turned = case.arrangement, known_shifts(case), case.turned_since
    shifts = {pair: arrangement.shift_px.get(pair[1], 0) for pair in arrangement.joins() if turned.isdisjoint(pair)}
    return {pair: shift_px for pair, shift_px in shifts.items() if shift_px != (found_px(*pair) or 0)}


def nudge_px(case: Case, shred: str, found_px: ShiftOf) -> int:
    """Compute by how much the examiner nudged a shred against its left neighbour.

    Parameters
    ----------
    case : Case
        As the examiner left it.
    shred : str
        Its identifier.
    found_px : callable
        `known_shifts` of the case.

    Returns
    -------
    int
        In pixels, downwards; 0 where nothing is known of the two, or the shred is the first of its page.
    """
    arrangement, turned = case.arrangement, case.turned_since
    page = arrangement.page_of(shred)
    at = 0 if page is None else arrangement.places[shred][1]
    if page is None or at == 0:
        return 0
    left = arrangement.pages[page][at - 1]
    if left in turned or shred in turned:
        return 0
    return arrangement.shift_px.get(shred, 0) - (found_px(left, shred) or 0)


def rearranged(
    case: Case, arrangement: Arrangement, table: JoinTable | None, descriptions: Iterable[JoinInfo] = ()
) -> Case:
    """Return a case with another arrangement of its shreds, and its joins described anew.

    Parameters
    ----------
    case : Case
        Before.
    arrangement : Arrangement
        Of the same shreds.
    table : JoinTable or None
        Of this case.
    descriptions : iterable of JoinInfo
        What to tell of these joins, and of those the case has, as long as nothing else is known; others have an
        infinite cost then.

    Returns
    -------
    Case
        It remembers what the solver found.
    """
    changed = replace(case, arrangement=arrangement, solved=case.solved or case.arrangement)
    if table is not None:
        joins = table.joins(arrangement, changed.turned_since)
    else:
        before = {(join.left, join.right): join for join in (*descriptions, *case.joins)}
        shifts_px = arrangement.shift_px
        joins = tuple(
            known
            if (known := before.get(pair)) is not None and known.shift_px == shifts_px.get(pair[1], 0)
            else replace(known or JoinInfo(*pair, inf, 0, 0.0), shift_px=shifts_px.get(pair[1], 0))
            for pair in arrangement.joins()
        )
    return replace(changed, joins=joins)
