"""Paper in every pose in which it can stand: as it was found, half-turned, turned over, and both.

Of n pieces of paper pose ``paper + n * way`` is one of them in one of the ways of `core.faces.ways`. With one face
there are two ways, or one where shreds were compared as they lie; with two faces there are four.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from core.arrangement.arrangement import Arrangement, OtherFace
from core.arrangement.faces import showing
from core.arrangement.half_turns import standing_as
from core.faces.ways import OVER
from core.matching.costs import Costs
from core.shreds.shred import Shred

UNSEEN = ""
"""Stands for a face that was not scanned."""

Paper = tuple[str, str]
"""What is seen of a piece of paper as it was found, and turned over; `UNSEEN` where that was not scanned."""


@dataclass(frozen=True, eq=False)
class Posed:
    """Costs of the joins of paper in all its poses.

    Attributes
    ----------
    costs : Costs
        Of n pieces of paper in each way.
    papers : tuple of Paper
        The n pieces.
    upside_down : frozenset of str
        Faces that stand upside down, against how they were found, when their paper is turned over.
    """

    costs: Costs
    papers: tuple[Paper, ...]
    upside_down: frozenset[str] = frozenset()

    @classmethod
    def alone(cls, ids: Iterable[str], costs: Costs) -> "Posed":
        """Take shreds with one face each.

        Parameters
        ----------
        ids : iterable of str
            Of n shreds.
        costs : Costs
            Of them as they lie, or in both ways up.

        Returns
        -------
        Posed
            In their order.
        """
        return cls(costs, tuple((shred, UNSEEN) for shred in ids))

    @property
    def n(self) -> int:
        """How many pieces of paper there are."""
        return len(self.papers)

    @property
    def n_ways(self) -> int:
        """In how many ways each can stand: 1, 2 or 4."""
        return self.costs.n // self.n if self.n else 1

    @cached_property
    def index(self) -> Mapping[str, tuple[int, int]]:
        """Of each face its paper, and whether that is turned over for it: 0 or `OVER`."""
        return {
            face: (number, OVER * over)
            for number, paper in enumerate(self.papers)
            for over, face in enumerate(paper)
            if face != UNSEEN
        }

    def pose_of(self, shred: str, half_turned: bool) -> int | None:
        """Find the pose in which a shred stands.

        Parameters
        ----------
        shred : str
            A face.
        half_turned : bool
            Whether it stands upside down, against how it was found; of no account where there is one way.

        Returns
        -------
        int or None
            None if it is not among these.
        """
        at = self.index.get(shred)
        if at is None or self.n_ways == 1:
            return at and at[0]
        return at[0] + self.n * (int(half_turned != (shred in self.upside_down)) + at[1])

    def stand(self, pose: int) -> tuple[str, bool]:
        """Tell what is seen of paper in a pose, and whether that stands upside down.

        Parameters
        ----------
        pose : int
            Of `costs`.

        Returns
        -------
        tuple of str and bool
            A face, `UNSEEN` if it was not scanned; against how it was found.
        """
        way, paper = divmod(pose, self.n)
        face = self.papers[paper][way // OVER]
        return face, bool(way % OVER) != (face in self.upside_down)

    def name(self, pose: int) -> str:
        """Return what the examiner calls a pose."""
        face, upside_down = self.stand(pose)
        name = face if face != UNSEEN else f"{self.papers[pose % self.n][0]} from behind"
        return f"{name} half-turned" if upside_down else name

    def standing(self, arrangement: Arrangement) -> dict[str, int]:
        """Find the poses of all faces, turned as they are in an arrangement.

        Parameters
        ----------
        arrangement : Arrangement
            Its half-turns count.

        Returns
        -------
        dict of str to int
            Of each face.
        """
        found = {shred: self.pose_of(shred, shred in arrangement.half_turned) for shred in self.index}
        return {shred: pose for shred, pose in found.items() if pose is not None}

    def by_hand(self, arrangement: Arrangement) -> dict[int, int]:
        """Find the poses of paper that the examiner turned.

        Parameters
        ----------
        arrangement : Arrangement
            In which it stands.

        Returns
        -------
        dict of int to int
            Of each such paper, by its number.
        """
        stands = self.standing(arrangement)
        return {stands[shred] % self.n: stands[shred] for shred in arrangement.turned_by_hand if shred in stands}

    def said_of(self, arrangement: Arrangement, pose: Sequence[int]) -> Arrangement:
        """Return what an arrangement is when paper stands in other poses.

        Parameters
        ----------
        arrangement : Arrangement
            What was said in it of shreds as they stand there.
        pose : sequence of int
            Of each paper.

        Returns
        -------
        Arrangement
            It is said of the faces that are seen, and of joins as they are now. Where there is one way, shreds stand as
            in the arrangement.
        """
        stands = [self.stand(one) for one in pose]
        shown = showing(arrangement, {face for face, _ in stands})
        if self.n_ways == 1:
            return shown
        upside_down = {face for face, half_turned in stands if half_turned and face != UNSEEN}
        return standing_as(shown, upside_down | (shown.half_turned - self.index.keys()))

    def of(self, papers: Sequence[int]) -> "Posed":
        """Select some of the paper.

        Parameters
        ----------
        papers : sequence of int
            Which.

        Returns
        -------
        Posed
            Of these, in their order.
        """
        poses = [paper + self.n * way for way in range(self.n_ways) for paper in papers]
        return replace(self, costs=self.costs.of(poses), papers=tuple(self.papers[paper] for paper in papers))


def papers_of(ids: Iterable[str], faces: Mapping[str, OtherFace]) -> list[Paper]:
    """List the paper that shreds are the faces of.

    Parameters
    ----------
    ids : iterable of str
        Of all shreds of a case.
    faces : mapping of str to OtherFace
        See `Arrangement.other_faces`.

    Returns
    -------
    list of Paper
        In the order of their first faces.
    """
    listed: set[str] = set()
    papers = []
    for shred in ids:
        if shred not in listed:
            paper = (shred, faces[shred][0]) if shred in faces else (shred, UNSEEN)
            listed.update(paper)
            papers.append(paper)
    return papers


def one_of_each(shreds: Sequence[Shred], faces: Mapping[str, OtherFace]) -> list[Shred]:
    """Return of every piece of paper the face that comes first.

    Parameters
    ----------
    shreds : sequence of Shred
        Of a case.
    faces : mapping of str to OtherFace
        See `papers_of`.

    Returns
    -------
    list of Shred
        All of them where none is paired.
    """
    firsts = {one for one, _ in papers_of((shred.id for shred in shreds), faces)}
    return [shred for shred in shreds if shred.id in firsts]


def face_to_show(paper: Paper, shown: Collection[str], compared: Collection[str]) -> str:
    """Choose which face of a piece of paper is seen.

    Parameters
    ----------
    paper : Paper
        With one face at least.
    shown, compared : collection of str
        Faces that are seen already, and those that bear ink.

    Returns
    -------
    str
        The one that is seen already; else the first that bears ink; else the first.
    """
    known = [face for face in paper if face != UNSEEN]
    return next((face for preferred in (shown, compared) for face in known if face in preferred), known[0])
