"""What comparing the borders told of every join, by the names of the shreds."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, pairwise
from math import inf
from typing import TypeAlias

from core.arrangement.arrangement import Arrangement, OtherFace, Pair
from core.arrangement.edit import ShiftOf, unknown_shift
from core.case.case import Case, JoinInfo
from core.faces.joint import posed_papers
from core.faces.posed import Posed
from core.faces.ways import with_turned
from core.matching.confidence import Confidences, confidence, prospects_of, settled
from core.matching.costs import Costs
from core.solver.constraints import margin_joins_of_poses, rows_of

_Faces: TypeAlias = tuple[str, OtherFace]
"""A shred and its other face."""


@dataclass(frozen=True, eq=False)
class JoinTable:
    """Costs, shifts and confidences of all joins between n shreds.

    Attributes
    ----------
    posed : Posed
        The shreds in all their poses, with the costs of these.
    confidence : Confidences
        Of the joins of the costs.
    """

    posed: Posed
    confidence: Confidences
    _described: dict[tuple[str, str, int, int, int], JoinInfo] = field(default_factory=dict, repr=False, compare=False)
    _pages: dict[tuple[str, ...], tuple[JoinInfo, ...]] = field(default_factory=dict, repr=False, compare=False)
    _as_of: list[tuple[Arrangement, frozenset[str]]] = field(default_factory=list, repr=False, compare=False)

    @classmethod
    def of(cls, posed: Posed, arrangement: Arrangement) -> "JoinTable":
        """Compute how sure each join is; for 2,000 shreds that takes a second.

        Parameters
        ----------
        posed : Posed
            n shreds in all their poses, with the costs of these.
        arrangement : Arrangement
            Its number of pages counts, and what it tells of confirmed and forbidden joins.

        Returns
        -------
        JoinTable
            Of these shreds.
        """
        costs, n_pages = posed.costs, posed.n_ways * max(1, len(arrangement.pages))
        stands = posed.standing(arrangement)
        answers = (rows_of(pairs, stands) for pairs in (arrangement.confirmed, arrangement.forbidden))
        confirmed, forbidden = (with_turned(joins, posed.n, posed.n_ways) for joins in answers)
        forbidden += margin_joins_of_poses(arrangement, posed)
        # What was answered says nothing of how many neighbours are missing.
        prospects = prospects_of(costs, n_pages)
        sure = confidence(settled(costs, confirmed, forbidden), n_pages, prospects)
        return cls(posed, Confidences(costs, sure))

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
            Of the costs and `confidence`.
        """
        return self.posed.pose_of(shred, shred in arrangement.half_turned)

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
        costs = self.posed.costs
        return JoinInfo(left, right, float(costs.cost_of(*at)), shift_px, self.confidence.of(*at), **costs.parts(*at))


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
    posed = posed_of(case)
    if posed is None:
        return None
    table = JoinTable.of(posed, told(case))
    table.joins(case.arrangement, case.turned_since)
    return table


def told(case: Case) -> Arrangement:
    """Return what the sureness of joins goes by: the order found last, with those of its answers that still hold.

    Parameters
    ----------
    case : Case
        What was answered since the order was found does not count before it is found again.

    Returns
    -------
    Arrangement
        Of the faces that are seen now.
    """
    found, now = case.found_as_seen, case.arrangement
    withdrawn = {name: getattr(found, name) - getattr(now, name) for name in ("confirmed", "forbidden", "held")}
    if not any(withdrawn.values()):
        return found
    return replace(found, **{name: getattr(found, name) - gone for name, gone in withdrawn.items()})


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


def posed_of(case: Case) -> Posed | None:
    """Return what the costs of a case tell of its paper in all poses, by both faces.

    Parameters
    ----------
    case : Case
        With or without costs.

    Returns
    -------
    Posed or None
        The same object as long as neither costs nor pairs of faces are others; None where there are no costs.
    """
    if case.costs is None:
        return None
    faces = case.arrangement.other_faces
    ids = tuple(case.shred_by_id) if faces else ()
    return _posed(ids, case.matched_ids, case.costs, tuple(faces.items()))


@lru_cache(maxsize=1)  # an edit makes another case of what was compared once
def _posed(ids: tuple[str, ...], compared: tuple[str, ...], costs: Costs, faces: tuple[_Faces, ...]) -> Posed:
    # By names and not by shreds: the pictures of a case that is closed would be held.
    return posed_papers(ids or compared, compared, costs, dict(faces))


def row_in_costs(case: Case) -> Callable[[str], int | None]:
    """Look up the rows of shreds in the costs of `posed_of`, one at a time.

    Parameters
    ----------
    case : Case
        With or without costs.

    Returns
    -------
    callable
        Takes an identifier; returns None for what was turned since, or never compared.
    """
    return _row_in(posed_of(case), case)


def _row_in(posed: Posed | None, case: Case) -> Callable[[str], int | None]:
    if posed is None:
        return lambda shred: None
    turned, upside_down = case.turned_since, case.arrangement.half_turned
    return lambda shred: None if shred in turned else posed.pose_of(shred, shred in upside_down)


def rows_in_costs(case: Case) -> dict[str, int]:
    """Return the row of each shred in the costs of `posed_of`.

    Parameters
    ----------
    case : Case
        With or without costs.

    Returns
    -------
    dict of str to int
        By identifier; what was turned since, or never compared, has none, and of two faces the one that is seen has.
    """
    posed = posed_of(case)
    row_of = _row_in(posed, case)
    seen = case.arrangement.places.keys() if case.arrangement.other_faces else None
    shreds = [shred for shred in posed.index if seen is None or shred in seen] if posed is not None else []
    return {shred: row for shred, row in zip(shreds, map(row_of, shreds), strict=True) if row is not None}


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
    posed = posed_of(case)
    if posed is None:
        return unknown_shift

    costs, row_of = posed.costs, _row_in(posed, case)

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
    others = {pair: shift_px for pair, shift_px in shifts.items() if shift_px != (found_px(*pair) or 0)}
    return {pair: shift_px for pair, shift_px in others.items() if not _at_its_height(case, *pair)}


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
    by_px = arrangement.shift_px.get(shred, 0) - (found_px(left, shred) or 0)
    return 0 if left in turned or shred in turned or (by_px and _at_its_height(case, left, shred)) else by_px


def _at_its_height(case: Case, left: str, right: str) -> bool:
    """Return whether two neighbours stand as high as they were found, though costs have come to tell otherwise.

    They do where one of them alone was turned, or faces were paired or parted: that moves nothing up or down.
    """
    if case.solved is None:
        return False
    solved, found, now = case.solved, case.found_as_seen, case.arrangement
    turned = {
        shred not in solved.places or (shred in solved.half_turned) != (shred in now.half_turned)
        for shred in (left, right)
    }
    paired = any(solved.other_faces.get(shred, ())[:3] != now.other_faces.get(shred, ())[:3] for shred in (left, right))
    same_px = found.shift_px.get(right, 0) == now.shift_px.get(right, 0)
    return (len(turned) == 2 or paired) and found.has_join(left, right) and same_px


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
