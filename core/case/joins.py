"""What comparing the borders told of every join, by the names of the shreds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import inf

import numpy as np
from numpy.typing import NDArray

from core.arrangement.arrangement import Arrangement
from core.arrangement.edit import ShiftOf, unknown_shift
from core.case.case import Case, JoinInfo
from core.matching.confidence import confidence
from core.matching.costs import Costs, settled
from core.solver.constraints import margin_joins, rows_of


@dataclass(frozen=True, eq=False)
class Compared:
    """Costs, shifts and confidences of all joins between n shreds.

    Attributes
    ----------
    index : mapping of str to int
        Row and column of each shred in `costs`.
    costs : Costs
        Of n shreds.
    confidence : ndarray of shape (n, n), float32
        See `core.matching.confidence.confidence`.
    """

    index: Mapping[str, int]
    costs: Costs
    confidence: NDArray[np.float32]
    _told: dict[tuple[str, str, int, bool], JoinInfo] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, ids: Sequence[str], costs: Costs, arrangement: Arrangement) -> "Compared":
        """Name the rows of the costs and compute how sure each join is; for 2,000 shreds that takes a second.

        Parameters
        ----------
        ids : sequence of str
            Of n shreds.
        costs : Costs
            In their order.
        arrangement : Arrangement
            Its number of pages counts, and what it tells of confirmed and forbidden joins.
        """
        index = {shred: row for row, shred in enumerate(ids)}
        ruled_out = [*rows_of(arrangement.forbidden, index), *margin_joins(arrangement, ids)]
        known = settled(costs, rows_of(arrangement.confirmed, index), ruled_out)
        return cls(index, costs, confidence(known, max(1, len(arrangement.pages))))

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
        told, joins = self._told, []
        for left, right in arrangement.joins():
            join = left, right, arrangement.shift_px.get(right, 0), left in mute or right in mute
            if join not in told:  # an edit leaves most of thousands alone
                told[join] = self._describe(*join)
            joins.append(told[join])
        return tuple(joins)

    def _describe(self, left: str, right: str, shift_px: int, mute: bool) -> JoinInfo:
        if mute or left not in self.index or right not in self.index:
            return JoinInfo(left, right, inf, shift_px, 0.0)
        at = self.index[left], self.index[right]
        cost, sure = float(self.costs.cost[at]), float(self.confidence[at])
        return JoinInfo(left, right, cost, shift_px, sure, **self.costs.parts(*at))


def compared(case: Case) -> Compared | None:
    """Compute what the costs of a case tell of every join, set aside or not; None if nothing was compared."""
    if case.costs is None:
        return None
    return Compared.of(case.matched_ids, case.costs, case.solved or case.arrangement)


def told_anew(case: Case) -> Case:
    """Give a case with all that its costs tell of its joins; for 2,000 shreds that takes a second."""
    known = compared(case)
    return case if known is None else replace(case, joins=known.joins(case.arrangement, case.turned_since))


def rows_compared(case: Case) -> dict[str, int]:
    """Give the row in the costs of each shred that they tell of; what was turned since, or never compared, has none."""
    if case.costs is None:
        return {}
    turned = case.turned_since
    return {shred: row for row, shred in enumerate(case.matched_ids) if shred not in turned}


def known_shifts(case: Case) -> ShiftOf:
    """Tell the shifts that the costs of a case know; what was turned since, or never compared, has none.

    Edits ask for them where they make shreds neighbours; the same case gives the same answers at any time.
    """
    costs = case.costs
    if costs is None:
        return unknown_shift

    @cache
    def rows() -> dict[str, int]:  # most edits ask for no shift
        return rows_compared(case)

    def shift_of(left: str, right: str) -> int | None:
        row_of = rows()
        known = left in row_of and right in row_of
        return int(costs.shift_px[row_of[left], row_of[right]]) if known else None

    return shift_of


def rearranged(case: Case, arrangement: Arrangement, known: Compared | None, told: Iterable[JoinInfo] = ()) -> Case:
    """Give a case with another arrangement of its shreds, and its joins described anew.

    Parameters
    ----------
    case : Case
        Before.
    arrangement : Arrangement
        Of the same shreds.
    known : Compared or None
        Of this case.
    told : iterable of JoinInfo
        What to tell of these joins, and of those the case has, as long as nothing else is known; others have an
        infinite cost then.

    Returns
    -------
    Case
        It remembers what the solver found.
    """
    changed = replace(case, arrangement=arrangement, solved=case.solved or case.arrangement)
    if known is not None:
        joins = known.joins(arrangement, changed.turned_since)
    else:
        before = {(join.left, join.right): join for join in (*told, *case.joins)}
        joins = tuple(
            replace(
                before.get((left, right), JoinInfo(left, right, inf, 0, 0.0)),
                shift_px=arrangement.shift_px.get(right, 0),
            )
            for left, right in arrangement.joins()
        )
    return replace(changed, joins=joins)
