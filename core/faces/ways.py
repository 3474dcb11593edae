"""The ways in which paper can stand, and what a join is when both its shreds are turned.

A way is a number: 1 for a half-turn, plus 2 for paper that is turned over about its upright axis. Two such turns one
after the other are one, and each undoes itself: so the ways are combined by exclusive or.
"""

from collections.abc import Iterable
from typing import TypeVar

from core.arrays import Indices
from core.matching.costs import Join

HALF_TURN = 1
OVER = 2

Pose = TypeVar("Pose", int, Indices)


def turned(pose: Pose, n: int, by: int) -> Pose:
    """Return the pose of the same paper after a turn.

    Parameters
    ----------
    pose : int or ndarray of intp
        Of n pieces of paper.
    n : int
        How many there are.
    by : int
        The turn.

    Returns
    -------
    int or ndarray of intp
        Turned once more it is the same again.

    Examples
    --------
    Paper 1 of 3, as it was found, is half-turned, and turned over besides.

    >>> turned(1, 3, HALF_TURN), turned(1, 3, HALF_TURN + OVER)
    (4, 10)
    """
    return pose % n + n * ((pose // n) ^ by)


def reverses(by: int) -> bool:
    """Tell whether left and right change places in a turn; of half-turned paper that is turned over they do not."""
    return by in (HALF_TURN, OVER)


def turned_join(left: Pose, right: Pose, n: int, by: int) -> tuple[Pose, Pose]:
    """Return what a join is after a turn of both its shreds together.

    Parameters
    ----------
    left, right : int or ndarray of intp
        Poses of n pieces of paper.
    n : int
        How many there are.
    by : int
        The turn.

    Returns
    -------
    left, right : int or ndarray of intp
        The poses then.
    """
    one, other = turned(left, n, by), turned(right, n, by)
    return (other, one) if reverses(by) else (one, other)


def with_turned(joins: Iterable[Join], n: int, n_ways: int) -> list[Join]:
    """Add to joins of poses what they are when all paper is turned.

    Parameters
    ----------
    joins : iterable of (int, int)
        Of poses.
    n, n_ways : int
        How many pieces of paper there are, and in how many ways they stand.

    Returns
    -------
    list of (int, int)
        Sorted, each once.

    Examples
    --------
    Shred 0 of 3 as it lies is followed by shred 1 half-turned.

    >>> with_turned([(0, 4)], 3, 2)
    [(0, 4), (1, 3)]
    """
    return sorted({turned_join(left, right, n, by) for left, right in joins for by in range(n_ways)})
