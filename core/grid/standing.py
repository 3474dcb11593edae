"""Pieces in every pose in which they can stand, runs of them, and what is told of them by both faces together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.arrays import Floats, Indices
from core.faces.posed import UNSEEN, Posed
from core.faces.ways import OVER, reverses, turned
from core.shreds.shred import Shred

Run = tuple[int, ...]
"""Poses from left to right; `EMPTY` where a piece without print is to stand."""

EMPTY = -1
"""In place of a pose: the last entry of what is told of all poses, and behind it of nothing."""


def turned_run(run: Run, n: int, by: int) -> Run:
    """Return what a run of pieces is after a turn of all of it.

    Parameters
    ----------
    run : Run
        Poses of n pieces.
    n : int
        How many there are.
    by : int
        The turn, see `core.faces.ways`.

    Returns
    -------
    Run
        Turned once more it is the same again.

    Examples
    --------
    >>> turned_run((0, 1), 3, 1)
    (4, 3)
    """
    poses = tuple(pose if pose == EMPTY else turned(pose, n, by) for pose in run)
    return poses[::-1] if reverses(by) else poses


def inked(run: Run) -> Run:
    """Return the poses of a run, without what is empty."""
    return tuple(pose for pose in run if pose != EMPTY)


@dataclass(frozen=True, eq=False)
class Standing:
    """Pieces as they can stand: of n pieces with one face each in two ways, with two faces in four.

    Attributes
    ----------
    posed : Posed
        The n pieces.
    shreds : mapping of str to Shred
        All faces, by identifier.
    """

    posed: Posed
    shreds: Mapping[str, Shred]

    @cached_property
    def faces(self) -> tuple[Shred, ...]:
        """The k faces that bear print: those by which pieces are compared."""
        known = (self.shreds[face] for paper in self.posed.papers for face in paper if face != UNSEEN)
        return tuple(shred for shred in known if shred.compared)

    @cached_property
    def _row(self) -> Indices:
        """Of each pose the face that is seen, among the k as they lie and then half-turned; -1 where none is known."""
        number = {shred.id: row for row, shred in enumerate(self.faces)}
        rows = []
        for pose in range(self.posed.costs.n):
            face, half_turned = self.posed.stand(pose)
            rows.append(number[face] + len(number) * half_turned if face in number else -1)
        return np.array(rows, np.intp)

    def by_all_faces(self, told: Floats) -> Floats:
        """Add up what the faces that are seen tell of two pieces, and what their other faces do.

        Parameters
        ----------
        told : ndarray of shape (2k, 2k), float32
            Of two faces, one above or beside the other whichever is first; of faces as they lie, then half-turned.

        Returns
        -------
        ndarray of shape (ways · n, ways · n), float32
            Of all poses; a face of which nothing is known tells nothing.
        """
        padded = np.pad(told, ((0, 1), (0, 1)))
        seen = padded[np.ix_(self._row, self._row)]
        if self.posed.n_ways <= OVER:
            return seen
        over = turned(np.arange(self.posed.costs.n), self.posed.n, OVER)
        return seen + seen[np.ix_(over, over)]

    def of_seen(self, values: Floats) -> Floats:
        """Return of all poses what is told of the face that is seen, of faces as `by_all_faces` takes them; else 0."""
        return np.concatenate([values, np.zeros((1, *values.shape[1:]), values.dtype)])[self._row]

    def seen(self, run: Sequence[int]) -> list[Shred]:
        """Return faces with print of a run as they stand; those of which nothing is known are left out."""
        known = [self.posed.stand(pose) for pose in run if self._row[pose] >= 0]
        return [_stands(self.shreds[face], half_turned) for face, half_turned in known]

    def paper(self, pose: int) -> Shred:
        """Return a face of the piece in a pose, whichever was scanned: either tells how large it is."""
        face, _ = self.posed.stand(pose)
        return self.shreds[face if face != UNSEEN else self.posed.papers[pose % self.posed.n][0]]


def _stands(shred: Shred, half_turned: bool) -> Shred:
    """Return a shred that is half-turned against how it was found, or not."""
    return shred.changed(half_turn=half_turned != shred.half_turn)
