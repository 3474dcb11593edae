"""What a join costs by what is on both faces of the paper.

The right border of one face is the left border of the other, seen from behind: a join of two pieces of paper is a join
of their faces, and one of their other faces the other way round. What either costs are logarithms of likelihoods, and
they add up; but the cut is the same on both faces, so the contours count once.

Where one face is blank it costs what blank paper costs. Where one was not scanned nothing is known of it: beside it the
other costs what it does beside a neighbour that was lost, so that the face that is known decides. The temperature stays
that of single faces: it is the unit of the logarithms that are added up.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.arrangement.arrangement import OtherFace
from core.arrays import Floats, Indices, Mask
from core.faces.posed import UNSEEN, Paper, Posed, papers_of
from core.faces.ways import HALF_TURN, OVER, turned, turned_join
from core.matching.costs import CUES, N_STRANGERS, Costs, cheapest

N_WAYS = 4

MOST_BLANK = 64
"""Beside so many pieces of paper that are blank on the one face any other fits that is blank on the other face."""


SAME_HEIGHT_PX = 8
"""Two rows of embeddings: both faces of a true join tell its height to within so much."""

AGREE_AMISS = 0.01
"""In so many of a hundred true joins they may not: one of them bears next to nothing there."""


@dataclass(frozen=True, eq=False)
class _Term:
    """What joins cost by one of the faces."""

    cost: Floats
    cues: dict[str, Floats]
    shift_px: NDArray[np.int16]
    known: Mask


@dataclass(frozen=True, eq=False)
class _OneFace:
    """Prices of single faces, by the poses of the paper.

    Attributes
    ----------
    costs : Costs
        Of 2 k faces, as they lie and half-turned.
    row : ndarray of shape (4 n,), intp
        Of each pose the row of the face that is seen; -1 where that is blank, -2 where it was not scanned.
    """

    costs: Costs
    row: Indices

    @cached_property
    def _dearest(self) -> tuple[Floats, Floats]:
        """The dearest price to the right of each row, and to its left."""
        costs, finite = self.costs, np.isfinite(self.costs.cost)
        after, before = costs.to_blank.copy(), costs.from_blank.copy()
        np.maximum.at(after, costs.left[finite], costs.cost[finite])
        np.maximum.at(before, costs.right[finite], costs.cost[finite])
        return after, before

    def blank_after(self, pose: Indices) -> Floats:
        """Return the price of blank paper right of poses."""
        row = self.row[pose]
        return np.where(row < 0, np.float32(self.costs.blank_beside_blank), self.costs.to_blank[row])

    def blank_before(self, pose: Indices) -> Floats:
        """Return the price of blank paper left of poses."""
        row = self.row[pose]
        return np.where(row < 0, np.float32(self.costs.blank_beside_blank), self.costs.from_blank[row])

    def of_seen(self, values: Floats) -> Floats:
        """Return of all poses a value of the face that is seen; 0 where there is none."""
        return np.where(self.row < 0, np.float32(0), values[self.row])

    def price(self, left: Indices, right: Indices) -> _Term:
        """Price joins by the faces that are seen."""
        costs, one, other = self.costs, self.row[left], self.row[right]
        (dearest_after, dearest_before), (lost_after, lost_before) = self._dearest, beside_lost(costs)
        at = np.where((one >= 0) & (other >= 0), costs.at(one, other), -1)
        cost = np.where(other == -1, self.blank_after(left), self.blank_before(right))
        cost = np.where((one >= 0) & (other == -2), lost_after[one], cost)
        cost = np.where((one == -2) & (other >= 0), lost_before[other], cost)
        # What is not among the best of either border costs no less than the dearest of these.
        cost = np.where((one >= 0) & (other >= 0), np.maximum(dearest_after[one], dearest_before[other]), cost)
        cost = np.where((one == -2) & (other == -2), np.float32(np.median(lost_after)), cost)
        known = at >= 0
        cost = np.where(known, costs.cost[at], cost).astype(np.float32)
        cues = {name: np.where(known, getattr(costs, name)[at], np.float32(0)) for name in CUES}
        return _Term(cost, cues, np.where(known, costs.shift_px[at], np.int16(0)), known)


def posed_papers(ids: Iterable[str], compared: Sequence[str], costs: Costs, faces: Mapping[str, OtherFace]) -> Posed:
    """Put the costs of faces together to those of paper.

    Parameters
    ----------
    ids : iterable of str
        Of all shreds of a case.
    compared : sequence of str
        Those that were compared.
    costs : Costs
        Of these, in their order; in both ways up where some have two faces.
    faces : mapping of str to OtherFace
        See `core.arrangement.arrangement.Arrangement.other_faces`.

    Returns
    -------
    Posed
        Of all paper of which a face was compared. Where each has one face, and where faces were paired after they had
        been compared in one way up only, these costs, each face by itself.
    """
    if not faces or costs.n != 2 * len(compared):
        return Posed.alone(compared, costs)
    inked = frozenset(compared)
    papers = [paper for paper in papers_of(ids, faces) if not inked.isdisjoint(paper)]
    if all(other == UNSEEN for _, other in papers):
        return Posed.alone(compared, costs)
    return joint_costs(costs, compared, papers, faces)


def joint_costs(
    costs: Costs,
    compared: Sequence[str],
    papers: Sequence[Paper],
    faces: Mapping[str, OtherFace],
) -> Posed:
    """Add up what joins cost by both faces.

    Parameters
    ----------
    costs : Costs
        Of k faces, as they lie and half-turned.
    compared : sequence of str
        These k.
    papers : sequence of Paper
        n pieces, each with one face at least that was compared.
    faces : mapping of str to OtherFace
        How they belong together.

    Returns
    -------
    Posed
        Of n pieces in four ways. A join is there if it is on either of its faces; what it costs when the paper is
        turned over, or half-turned, is the same.
    """
    n, upside_down = len(papers), frozenset(other for _, other in papers if other in faces and faces[other][1])
    of_row = {face: row for row, face in enumerate(compared)}
    row = np.array([
        _row(paper[way // OVER], bool(way % OVER), of_row, upside_down) for way in range(N_WAYS) for paper in papers
    ], dtype=np.intp)  # fmt: skip
    one_face = _OneFace(costs, row)
    left, right = _joins(one_face, n)
    front, back = one_face.price(left, right), one_face.price(*turned_join(left, right, n, OVER))
    both = front.known & back.known
    cues = {name: front.cues[name] + back.cues[name] for name in CUES}
    twice = np.where(both, cues["contour"] / 2, np.float32(0))
    lower = np.array([0 if other == UNSEEN else faces[one][2] for one, other in papers])
    lower = np.concatenate([lower, lower, -lower, -lower])
    behind = lower[right] - lower[left] - back.shift_px
    at_one_height = costs.temperature * _at_one_height(np.abs(front.shift_px - behind) <= SAME_HEIGHT_PX, both)
    cues["contour"], cues["laying"] = cues["contour"] - twice, cues["laying"] + at_one_height
    cost = front.cost + back.cost - twice + at_one_height
    # Both faces are at one height: at that which the better one tells.
    by_front = np.where(both, front.cost <= back.cost, front.known | ~back.known)
    shift_px = np.where(by_front, front.shift_px, behind).astype(np.int16)
    poses, over = np.arange(N_WAYS * n), turned(np.arange(N_WAYS * n), n, OVER)
    joint = Costs(
        left.astype(np.int32),
        right.astype(np.int32),
        cost,
        shift_px,
        one_face.blank_after(poses) + one_face.blank_before(over),
        one_face.blank_before(poses) + one_face.blank_after(over),
        costs.temperature,
        **cues,
        upright=one_face.of_seen(costs.upright),
        along=one_face.of_seen(costs.along),
    )
    return Posed(_with_lost(joint), tuple(papers), upside_down)


def _with_lost(joint: Costs) -> Costs:
    """Let no margin cost more than strangers do: where there is print on either face, a neighbour is lost instead.

    On one face print at a cut makes a margin dear; print on both would make it dearer than any stranger, and what
    stands elsewhere would be put in the place of what was lost.
    """
    to_blank, from_blank = beside_lost(joint)
    return replace(joint, to_blank=to_blank, from_blank=from_blank)


def beside_lost(costs: Costs) -> Floats:
    """Compute what each border costs where its neighbour is lost: as strangers, no more than beside a margin; (2, n).

    Right borders first.
    """
    strangers = np.maximum(cheapest(costs, N_STRANGERS)[:, -1], costs.blank_beside_blank).astype(np.float32)
    return np.minimum(strangers.reshape(2, -1), [costs.to_blank, costs.from_blank])


def _at_one_height(agree: Mask, both: Mask) -> Floats:
    """Compute how unlikely it is that both faces of joins tell the height that they do; (m,), logarithms of ratios.

    Of strangers each face fits best at a height of its own: how often they agree by chance, the set itself tells.
    """
    by_chance = np.clip(agree[both].mean(), AGREE_AMISS, 1 - AGREE_AMISS) if both.any() else 0.5
    ratio = np.where(agree, (1 - AGREE_AMISS) / by_chance, AGREE_AMISS / (1 - by_chance))
    return np.where(both, -np.log(ratio), 0).astype(np.float32)


def _row(face: str, half_turned: bool, of_row: Mapping[str, int], upside_down: frozenset[str]) -> int:
    """Find the row of a face in the costs of single faces."""
    if face not in of_row:
        return -2 if face == UNSEEN else -1
    return of_row[face] + len(of_row) * (half_turned != (face in upside_down))


def _joins(faces: _OneFace, n: int) -> tuple[Indices, Indices]:
    """List the joins that come into question by either face, ascending."""
    row, poses = faces.row, np.arange(N_WAYS * n)
    pose_of = np.full(faces.costs.n, -1, dtype=np.intp)
    pose_of[row[row >= 0]] = poses[row >= 0]
    joins = [(pose_of[faces.costs.left], pose_of[faces.costs.right])]
    # Paper that is blank on this face, beside paper that is blank on the other one: neither face lists that.
    over = turned(poses, n, OVER)
    inked, blank = poses[(row >= 0) & (row[over] == -1)], poses[(row == -1) & (row[over] >= 0)]
    if len(blank):
        number, step = np.divmod(np.arange(len(inked) * min(len(blank), MOST_BLANK)), min(len(blank), MOST_BLANK))
        joins += [(inked[number], blank[(number + step) % len(blank)])]
        joins += [turned_join(*joins[-1], n, HALF_TURN)]
    joins += [turned_join(left, right, n, OVER) for left, right in joins]
    left, right = (np.concatenate(ends) for ends in zip(*joins, strict=True))
    there = (left >= 0) & (right >= 0) & (left % n != right % n)
    left, right = np.divmod(np.unique(left[there] * (N_WAYS * n) + right[there]), N_WAYS * n)
    return left, right
