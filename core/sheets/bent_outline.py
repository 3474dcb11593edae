"""An outline that can be bent: its corners are grasped, added and taken away, and all between others stays as it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import cv2
import numpy as np

from core.sheets.mends import Point, Polygon

COARSE_PX = 6.0
"""What lies nearer to the straight line between its neighbours is no corner."""

LONG_PX = 120.0
"""Where two sides as long as this meet is a corner, however blunt: somebody put it there."""


@dataclass(frozen=True)
class BentOutline:
    """A closed outline, in stretches from corner to corner.

    Attributes
    ----------
    stretches : tuple of tuple of (x, y)
        Each begins with a corner, and has all points before the next.
    """

    stretches: tuple[Polygon, ...]

    @classmethod
    def of(cls, outline: Sequence[Point]) -> "BentOutline":
        """Find the corners of an outline.

        Parameters
        ----------
        outline : sequence of (x, y)
            Its points, around.

        Returns
        -------
        BentOutline
            With the same points, each once.

        Examples
        --------
        >>> BentOutline.of([(0, 0), (90, 0), (90, 90), (46, 92), (0, 90)]).corners
        ((0.0, 0.0), (90.0, 0.0), (90.0, 90.0), (0.0, 90.0))
        """
        points = np.array(outline, np.float32).reshape(-1, 2)
        points = points[np.abs(points - np.roll(points, -1, axis=0)).max(axis=1) > 0]
        coarse = {*map(tuple, cv2.approxPolyDP(points[:, None], COARSE_PX, closed=True)[:, 0].tolist())}
        longs = np.hypot(*(points - np.roll(points, 1, axis=0)).T) >= LONG_PX
        blunt = longs & np.roll(longs, -1)
        named: Polygon = tuple((x, y) for x, y in points.tolist())
        at = [row for row, point in enumerate(named) if point in coarse or blunt[row]]
        stretches = [named[start:stop] for start, stop in pairwise(at)]
        return cls((*stretches, (*named[at[-1] :], *named[: at[0]])))

    @property
    def points(self) -> Polygon:
        """All points, around."""
        return tuple(chain.from_iterable(self.stretches))

    @property
    def corners(self) -> Polygon:
        """What can be grasped, around."""
        return tuple(stretch[0] for stretch in self.stretches)

    def moved(self, at: int, to: Point) -> "BentOutline":
        """Move a corner: the sides on to its neighbours become straight.

        Parameters
        ----------
        at : int
            Which one.
        to : (x, y)
            Where it is to lie.

        Returns
        -------
        BentOutline
            With the same corners else.
        """
        stretches = [*self.stretches]
        stretches[at - 1] = stretches[at - 1][:1]
        stretches[at] = (to,)
        return BentOutline(tuple(stretches))

    def removed(self, at: int) -> "BentOutline":
        """Take a corner away: a straight side leads from the one before to the one after.

        Parameters
        ----------
        at : int
            Which one.

        Returns
        -------
        BentOutline
            The same, if it has three corners only.
        """
        if len(self.stretches) <= 3:
            return self
        stretches = [*self.stretches]
        stretches[at - 1] = stretches[at - 1][:1]
        del stretches[at]
        return BentOutline(tuple(stretches))

    def added(self, near: Point) -> tuple["BentOutline", int]:
        """Make a corner of the place of the outline that is nearest to another.

        Parameters
        ----------
        near : (x, y)
            A place beside it.

        Returns
        -------
        outline : BentOutline
            As it was, with the corner.
        at : int
            Which one that is.
        """
        row, place, _ = self._nearest(near)
        for at, stretch in enumerate(self.stretches):
            if row < len(stretch):
                parts = stretch[: row + 1], (place, *stretch[row + 1 :])
                return BentOutline((*self.stretches[:at], *parts, *self.stretches[at + 1 :])), at + 1
            row -= len(stretch)
        raise AssertionError("every point is in a stretch")

    def distance_px(self, to: Point) -> float:
        """Measure how far a place lies from the outline.

        Parameters
        ----------
        to : (x, y)
            The place.

        Returns
        -------
        float
            In pixels.
        """
        return self._nearest(to)[2]

    def _nearest(self, to: Point) -> tuple[int, Point, float]:
        """Find the nearest place of the outline, behind which point it lies, and how far off."""
        starts = np.array(self.points, np.float64)
        along = np.roll(starts, -1, axis=0) - starts
        share = ((to - starts) * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-9)
        places = starts + np.clip(share, 0, 1)[:, None] * along
        apart = np.hypot(*(places - to).T)
        row = int(apart.argmin())
        return row, (round(float(places[row, 0]), 1), round(float(places[row, 1]), 1)), float(apart[row])
