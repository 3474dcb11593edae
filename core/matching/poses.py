"""Both poses of every shred, and their edges as the networks see them.

Every shred takes part twice: as it lies, a *pose* with the shred's own number, and half-turned about the middle of the
common frame, with that number plus n. The right edge of the one pose is the left edge of the other, upside down; so the
join of i with j is the join of j's other pose with i's, seen upside down, and is reckoned once.

Both networks look at every edge, one at it as it lies, the other at it half-turned. Their embeddings side by side make
one of 2 d numbers, and the distance of two such is that of the two views together.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.arrays import Doubles, Floats, Indices
from core.parallel import in_blocks
from core.progress import Progress, in_parts, no_progress
from core.system.spool import let_go, room_for
from core.wording import QT_TRANSLATE_NOOP

Value = TypeVar("Value", np.float32, np.int16, np.bool_)

Pose = TypeVar("Pose", int, Indices)

ONE = np.float32(1)

PREPARING = QT_TRANSLATE_NOOP("progress", "Preparing the comparison")
"""Shown while what was read is brought into the shape in which it is compared."""


@dataclass(frozen=True, eq=False)
class Edges:
    """What is compared of poses: embeddings of both edges, without those of blank paper.

    Of n shreds as they lie there are n poses and d numbers, of both ways up 2 n and 2 d.

    Attributes
    ----------
    right, left : ndarray of shape (n, h', d), float32, or BothViews
        0 where there is no ink.
    blank : ndarray of shape (2 d,), float32
        How the embeddings of blank paper differ, right from left.
    """

    right: "Floats | BothViews"
    left: "Floats | BothViews"
    blank: Floats

    @property
    def n_rows(self) -> int:
        """How many rows an edge has."""
        return self.right.shape[1]

    @property
    def of_blank(self) -> float:
        """Distance of a row of blank paper from another."""
        return float(np.square(self.blank, dtype=np.float64).sum())

    @cached_property
    def above_blank(self) -> tuple[Doubles, Doubles]:
        """By how much the first 0 … h' rows are dearer beside blank paper than blank paper is: (2 n, h' + 1) twice."""
        up_to = np.zeros((2, len(self.right), self.n_rows + 1))
        for up_to_row, edges, sign in ((up_to[0], self.right, 2), (up_to[1], self.left, -2)):

            def add_up(
                block: slice, up_to_row: Doubles = up_to_row, edges: Floats | BothViews = edges, sign: int = sign
            ) -> None:
                some = edges[block]
                rows = np.einsum("nhd,nhd->nh", some, some) + sign * some @ self.blank
                np.cumsum(rows, axis=1, dtype=np.float64, out=up_to_row[block, 1:])

            in_blocks(add_up, len(edges), PREPARING, after_each=self.let_go)
        return up_to[0], up_to[1]

    def let_go(self) -> None:
        """Let the system take back the memory of what is mapped."""
        for edges in (self.right, self.left):
            let_go(*(edges.arrays if isinstance(edges, BothViews) else (edges,)))


@dataclass(frozen=True, eq=False)
class BothViews:
    """Embeddings of one edge of 2 n poses in both views, side by side; they are put together when they are asked for.

    Attributes
    ----------
    views : tuple of two ndarray of shape (n, h', d), float32
        Of the shreds as they lie: those of the edge as it lies, and those of it half-turned, where the first row is the
        last.
    turned : tuple of two ndarray of shape (n, h', d), float32
        Likewise of the half-turned shreds.
    """

    views: tuple[Floats, Floats]
    turned: tuple[Floats, Floats]

    def __len__(self) -> int:
        return 2 * len(self.views[0])

    @property
    def shape(self) -> tuple[int, int, int]:
        """That of the array that would hold all of them."""
        n, n_rows, d = self.views[0].shape
        return 2 * n, n_rows, 2 * d

    def __getitem__(self, poses: slice | Indices) -> Floats:
        """Return those of some poses, (k, h', 2 d)."""
        n = len(self.views[0])
        if not isinstance(poses, slice):
            found = np.empty((len(poses), *self.shape[1:]), dtype=np.float32)
            for place, pose in zip(found, poses.tolist(), strict=True):
                as_it_lies, half_turned = self.views if pose < n else self.turned
                place[:, : as_it_lies.shape[2]] = as_it_lies[pose % n]
                place[:, as_it_lies.shape[2] :] = half_turned[pose % n, ::-1]
            return found
        start, stop, _ = poses.indices(2 * n)
        if start < n < stop:
            return np.concatenate([self[start:n], self[n:stop]])
        as_it_lies, half_turned = self.views if start < n else self.turned
        some = slice(start % n, start % n + stop - start)
        return np.concatenate([as_it_lies[some], half_turned[some, ::-1]], axis=2)

    @property
    def arrays(self) -> tuple[Floats, ...]:
        """What they are put together from."""
        return *self.views, *self.turned


def twin(pose: Pose, n: int) -> Pose:
    """Return the other pose of the same shred.

    Parameters
    ----------
    pose : int or ndarray of intp
        Below 2 n.
    n : int
        How many shreds there are.

    Returns
    -------
    int or ndarray of intp
        Below 2 n.
    """
    return (pose + n) % (2 * n)


def edges_as_they_lie(right: Floats, left: Floats, blank: tuple[Floats, Floats]) -> Edges:
    """Take what the networks see of shreds as they lie.

    Parameters
    ----------
    right, left : ndarray of shape (n, h', d), float32
        Embeddings of the right and left borders.
    blank : tuple of ndarray of shape (d,), float32
        Embeddings of blank paper, right and left.

    Returns
    -------
    Edges
        Of n poses and d numbers.
    """
    return Edges(_above(right, blank[0]), _above(left, blank[1]), blank[0] - blank[1])


def edges_of_poses(
    as_they_lie: tuple[Floats, Floats],
    half_turned: tuple[Floats, Floats],
    blank: tuple[Floats, Floats],
    progress: Progress = no_progress,
) -> Edges:
    """Put the embeddings of all edges side by side, in both views and both poses.

    Parameters
    ----------
    as_they_lie : tuple of two ndarray of shape (n, h', d), float32
        Embeddings of the right and the left borders.
    half_turned : tuple of two ndarray of shape (n, h', d), float32
        Those of the same shreds, half-turned as a whole sheet is: the first row is the last.
    blank : tuple of two ndarray of shape (d,), float32
        Of blank paper, right and left.

    Returns
    -------
    Edges
        Scaled so that distances are means over both views.
    """
    scale = np.float32(np.sqrt(0.5))
    arrays = list(zip((*as_they_lie, *half_turned), 2 * blank, strict=True))
    above = [_above(values, of_blank, scale, of_array) for (values, of_blank), of_array in in_parts(arrays, progress)]
    right, left, turned_right, turned_left = above
    difference = (blank[0] - blank[1]) * scale
    return Edges(
        BothViews((right, turned_left), (turned_right, left)),
        BothViews((left, turned_right), (turned_left, right)),
        np.concatenate([difference, -difference]),
    )


def _above(values: Floats, of_blank: Floats, scale: np.float32 = ONE, progress: Progress = no_progress) -> Floats:
    """Compute by how much embeddings differ from that of blank paper."""
    above = room_for(values.shape)

    def fill(block: slice) -> None:
        above[block] = (values[block] - of_blank) * scale

    in_blocks(fill, len(values), PREPARING, progress, lambda: let_go(values, above))
    return above


def in_both_poses(right: NDArray[Value], left: NDArray[Value]) -> tuple[NDArray[Value], NDArray[Value]]:
    """Return values along the edges of n shreds for both poses of each.

    Parameters
    ----------
    right, left : ndarray of shape (n, rows, …)
        Along the right and the left edges, as the shreds lie.

    Returns
    -------
    right, left : ndarray of shape (2 n, rows, …)
        Those of the half-turned poses are the other edge's, in reversed order.
    """
    return np.concatenate([right, left[:, ::-1]]), np.concatenate([left, right[:, ::-1]])
