"""What comparing the borders told of every join, by the names of the shreds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from core.arrangement import Arrangement
from core.by_hand import margin_joins, rows_of
from core.case import Case, JoinInfo
from core.edit import ShiftOf, unknown_shift
from core.matching import Costs, confidence, settled


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
        See `core.matching.confidence`.
    """

    index: Mapping[str, int]
    costs: Costs
    confidence: NDArray[np.float32]
    _told: dict[tuple[str, str, int], JoinInfo] = field(default_factory=dict, repr=False, compare=False)

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

    def without(self, shreds: frozenset[str]) -> "Compared":
        """Forget what was told of some shreds, because they have been turned since."""
        if not shreds:
            return self
        return replace(self, index={shred: row for shred, row in self.index.items() if shred not in shreds}, _told={})

    def joins(self, arrangement: Arrangement) -> tuple[JoinInfo, ...]:
        """Describe the joins of an arrangement, page by page; what was not compared has an infinite cost."""
        return tuple(self.join(left, right, arrangement.shift_px.get(right, 0)) for left, right in arrangement.joins())

    def join(self, left: str, right: str, shift_px: int) -> JoinInfo:
        """Describe a join; the same again as the same object, for an edit leaves most of thousands alone."""
        told = self._told.get((left, right, shift_px))
        if told is None:
            told = self._told[left, right, shift_px] = self._join(left, right, shift_px)
        return told

    def _join(self, left: str, right: str, shift_px: int) -> JoinInfo:
        if left not in self.index or right not in self.index:
            return JoinInfo(left, right, inf, shift_px, 0.0)
        at = self.index[left], self.index[right]
        parts = float(self.costs.contour[at]), float(self.costs.tone[at])
        return JoinInfo(left, right, float(self.costs.cost[at]), shift_px, float(self.confidence[at]), *parts)


def compared(case: Case) -> Compared | None:
    """Compute what the costs of a case tell of every join, set aside or not; None if nothing was compared."""
    if case.costs is None:
        return None
    return Compared.of(case.matched_ids, case.costs, case.solved or case.arrangement)


def told_anew(case: Case) -> Case:
    """Give a case with all that its costs tell of its joins; for 2,000 shreds that takes a second."""
    known = compared(case)
    return case if known is None else replace(case, joins=known.without(case.turned_since).joins(case.arrangement))


def known_shifts(case: Case) -> ShiftOf:
    """Tell the shifts that the costs of a case know; what was turned since, or never compared, has none.

    Edits ask for them where they make shreds neighbours; the same case gives the same answers at any time.
    """
    costs, turned = case.costs, case.turned_since
    if costs is None:
        return unknown_shift
    row_of = {shred: row for row, shred in enumerate(case.matched_ids) if shred not in turned}

    def shift_of(left: str, right: str) -> int | None:
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
        joins = known.without(changed.turned_since).joins(arrangement)
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
