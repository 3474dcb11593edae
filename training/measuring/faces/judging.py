"""Which pairs of faces are right, and which joins between papers are, whichever of their faces is seen."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.arrangement.arrangement import Arrangement
from core.arrangement.faces import FacePair
from training.measuring.faces.truth import Join, Strip, TwoFaced


@dataclass(frozen=True)
class JudgedPairs:
    """How many pairs of faces are right.

    Attributes
    ----------
    right, wrong : int
        Of those that were found; the wrong ones are faces of different papers, or of one paper turned over wrongly.
    turned_wrongly : int
        How many of the wrong ones are faces of one paper.
    n : int
        How many there are in truth, with those a face of which was not found.
    """

    right: int
    wrong: int
    turned_wrongly: int
    n: int


def judge_pairs(pairs: Sequence[FacePair], data: TwoFaced) -> JudgedPairs:
    """Count the pairs of faces that are right.

    Parameters
    ----------
    pairs : sequence of FacePair
        As they were found.
    data : TwoFaced
        The truth.

    Returns
    -------
    JudgedPairs
    """
    true = {frozenset((pair.one, pair.other)): pair.half_turn for pair in data.pairs()}
    found = [(frozenset((pair.one, pair.other)), pair.half_turn) for pair in pairs]
    of_one_paper = [(both, half_turn) for both, half_turn in found if both in true]
    right = sum(true[both] == half_turn for both, half_turn in of_one_paper)
    return JudgedPairs(right, len(found) - right, len(of_one_paper) - right, len(data.inked))


@dataclass(frozen=True)
class JudgedJoins:
    """How many joins of an arrangement are right.

    Attributes
    ----------
    made : frozenset of Join
        True joins that were made.
    true : frozenset of Join
        All true joins.
    wrong : int
        Joins that were made between papers that are no neighbours, or that are seen from different faces or different
        ways up. The end of a page, or what lies beside a lost shred, followed by another such end is not counted.
    accuracy : float
        The paper's measure, see `training.measuring.accuracy`: the share of right joins of one long sequence of all
        pages, 0 to 1; an end followed by another is right.
    """

    made: frozenset[Join]
    true: frozenset[Join]
    wrong: int
    accuracy: float

    @property
    def share_right(self) -> float:
        """Share of the true joins that were made, 0 to 1."""
        return len(self.made) / max(1, len(self.true))

    def share_among(self, joins: Collection[Join]) -> float | None:
        """Compute the share of some of the true joins that were made, 0 to 1; None if there are none of them."""
        return len(self.made.intersection(joins)) / len(joins) if joins else None


def judge_joins(arrangement: Arrangement, data: TwoFaced, faces: Collection[str]) -> JudgedJoins:
    """Count the joins of an arrangement that are right.

    A join is right if both papers show the same face the same way up, and are neighbours as this face shows them.

    Parameters
    ----------
    arrangement : Arrangement
        Of the shreds that were found, or of those that show one face.
    data : TwoFaced
        The truth.
    faces : collection of str
        Which faces the arrangement was made of: papers without ink on any of them do not count.

    Returns
    -------
    JudgedJoins
    """
    runs = data.runs(faces)
    true = frozenset(join for run in runs for join in pairwise(run))
    run_of = {strip: run for run in runs for strip in run}
    pages = [
        [one for one in (_Shown.of(shred, arrangement, data) for shred in page) if one is None or one.strip in run_of]
        for page in arrangement.pages
    ]

    def fits(left: _Shown | None, right: _Shown | None) -> bool:
        if left is None or right is None:
            return False
        return _on_front(left, right) in true or _ends_meet(left, right, run_of)

    sequence = [one for page in pages for one in page]
    joins = [join for page in pages for join in pairwise(page)]
    return JudgedJoins(
        made=true.intersection(_on_front(*join) for join in joins),
        true=true,
        wrong=sum(not fits(*join) for join in joins),
        accuracy=sum(fits(*join) for join in pairwise(sequence)) / max(1, len(run_of) - 1, len(sequence) - 1),
    )


@dataclass(frozen=True)
class _Shown:
    """What stands on a page: a face of a strip, and whether it stands upside down."""

    strip: Strip
    face: str
    upside_down: bool

    @classmethod
    def of(cls, shred: str, arrangement: Arrangement, data: TwoFaced) -> "_Shown | None":
        """Return what a shred shows; None for one that was found where none was laid."""
        true = data.faces.get(shred)
        if true is None:
            return None
        return cls(true.strip, true.face, true.upside_down != (shred in arrangement.half_turned))

    @property
    def ascends(self) -> bool:
        """Whether the next strip of its paper, counted as the front shows them, belongs to its right."""
        return (self.face == "front") != self.upside_down


def _on_front(left: _Shown | None, right: _Shown | None) -> Join | None:
    """Return a join as the front shows it, upright; None where different faces or ways up meet."""
    if left is None or right is None or (left.face, left.upside_down) != (right.face, right.upside_down):
        return None
    return (left.strip, right.strip) if left.ascends else (right.strip, left.strip)


def _ends_meet(left: _Shown, right: _Shown, run_of: Mapping[Strip, Sequence[Strip]]) -> bool:
    """Tell whether paper ends, or some is lost, between both: they are of different pages, or on two sides of a gap."""
    one, other = run_of[left.strip], run_of[right.strip]
    return (
        one is not other
        and left.strip == one[-1 if left.ascends else 0]
        and right.strip == other[0 if right.ascends else -1]
    )
