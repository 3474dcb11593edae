"""Mends: what the examiner corrects of what is found on a sheet; each names places in pixels, and never a shred.

So they hold when the sheet is read again, in other ways or by another version.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self, TypeAlias

import numpy as np

from core.arrays import Doubles

Point: TypeAlias = tuple[float, float]
"""x and y on the sheet, in pixels at 300 dpi."""

Polygon: TypeAlias = tuple[Point, ...]


@dataclass(frozen=True)
class Mend:
    """Any mend."""

    def moved(self, x: float, y: float) -> Self:
        """Return the same mend as seen from another corner.

        Parameters
        ----------
        x, y : float
            Added to the places that it names.

        Returns
        -------
        Mend
            Of the same kind.
        """
        return replace(self, **{one.name: _moved(getattr(self, one.name), x, y) for one in fields(self)})


@dataclass(frozen=True)
class SplitShred(Mend):
    """What lies under the line is two shreds: it is cut apart along the line, on and on to either end.

    The line is straight, or bent where it has more than two points.
    """

    line: Polygon


@dataclass(frozen=True)
class MergeShreds(Mend):
    """What lies at these points is one shred."""

    points: Polygon


@dataclass(frozen=True)
class DrawOutline(Mend):
    """The shred at a point is what lies within this outline, and nothing else."""

    at: Point
    outline: Polygon


@dataclass(frozen=True)
class NotPaper(Mend):
    """What lies at a point is no paper."""

    at: Point


@dataclass(frozen=True)
class ThisIsAShred(Mend):
    """What lies within this outline is a shred."""

    outline: Polygon


@dataclass(frozen=True)
class ExcludeSheet(Mend):
    """Nothing on the sheet is used."""


@dataclass(frozen=True)
class PickBackground(Mend):
    """The shreds lie on what shows at a point."""

    at: Point


@dataclass(frozen=True)
class CropSheet(Mend):
    """Nothing is looked for beyond this rectangle, told by two opposite corners."""

    corners: tuple[Point, Point]


OF_THE_SHEET = (ExcludeSheet, PickBackground, CropSheet)
"""Kinds that are about the sheet as a whole: of each the last one counts."""

Mends: TypeAlias = tuple[Mend, ...]
"""Of one sheet, in the order in which they are made."""

MendsOfSheets: TypeAlias = Mapping[tuple[str, int], Mends]
"""Mends by the SHA-256 of the file and the page within it: they hold wherever the file lies."""


def mends_of(sheets: Iterable[Any]) -> dict[tuple[str, int], Mends]:
    """Collect the mends of sheets, to read these again.

    Parameters
    ----------
    sheets : iterable of SheetInfo
        Some of them mended.

    Returns
    -------
    dict
        Of the mended ones.
    """
    return {(sheet.sha256, sheet.page): sheet.mends for sheet in sheets if sheet.mends}


def with_mend(mends: Mends, mend: Mend, n_applied: int = 0) -> Mends:
    """Add a mend to those of a sheet.

    Parameters
    ----------
    mends : tuple of Mend
        Those there are.
    mend : Mend
        One about the sheet as a whole takes the place of an earlier one of its kind; excluding what is excluded takes
        that back. An outline of what was drawn last takes the place of that outline.
    n_applied : int
        So many of them were made before, and are not replaced by another outline.

    Returns
    -------
    tuple of Mend
        With it.

    Examples
    --------
    >>> with_mend((PickBackground((3.0, 4.0)), NotPaper((5.0, 6.0))), PickBackground((7.0, 8.0)))
    (NotPaper(at=(5.0, 6.0)), PickBackground(at=(7.0, 8.0)))
    >>> with_mend((ExcludeSheet(),), ExcludeSheet())
    ()
    """
    if mend in mends and isinstance(mend, ExcludeSheet):
        return tuple(other for other in mends if other != mend)
    if isinstance(mend, OF_THE_SHEET):
        mends = tuple(other for other in mends if type(other) is not type(mend))
    last = mends[-1] if len(mends) > n_applied else None
    if isinstance(mend, DrawOutline) and isinstance(last, DrawOutline | ThisIsAShred) and _within(last, mend.at):
        return (*mends[:-1], replace(last, outline=mend.outline))
    return (*mends, mend)


def is_excluded(mends: Mends) -> bool:
    """Check whether a sheet is withdrawn: nothing on it is used.

    Parameters
    ----------
    mends : tuple of Mend
        Of the sheet.

    Returns
    -------
    bool
    """
    return any(isinstance(mend, ExcludeSheet) for mend in mends)


def with_exclusion(mends: Mends, excluded: bool) -> Mends:
    """Withdraw a sheet, or take it back in; what else was mended on it stays.

    Parameters
    ----------
    mends : tuple of Mend
        Of the sheet.
    excluded : bool
        Whether nothing on it is to be used.

    Returns
    -------
    tuple of Mend

    Examples
    --------
    >>> with_exclusion((NotPaper((5.0, 5.0)),), True)
    (NotPaper(at=(5.0, 5.0)), ExcludeSheet())
    >>> with_exclusion((ExcludeSheet(),), False)
    ()
    """
    others = tuple(mend for mend in mends if not isinstance(mend, ExcludeSheet))
    return (*others, ExcludeSheet()) if excluded else others


def crosses_itself(outline: Polygon) -> bool:
    """Check whether two sides of a closed outline cross.

    Parameters
    ----------
    outline : tuple of (x, y)
        Its corners.

    Returns
    -------
    bool

    Examples
    --------
    >>> crosses_itself(((0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 4.0)))
    True
    >>> crosses_itself(((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)))
    False
    """
    starts = np.array(outline, np.float64).reshape(-1, 2)
    sides = np.stack([starts, np.roll(starts, -1, axis=0)], axis=1)
    return any(_crossed(sides[at], sides[at + 2 : len(sides) - (at == 0)]) for at in range(len(sides)))


def described(mends: Mends) -> str:
    """Say what was mended on a sheet, for the report.

    Parameters
    ----------
    mends : tuple of Mend
        Of the sheet.

    Returns
    -------
    str
        "split along (10, 20) to (10, 900); no paper at (55, 60)".
    """
    return "; ".join(map(_described, mends))


def _described(mend: Mend) -> str:
    match mend:
        case SplitShred(line):
            return f"a shred split along {' to '.join(map(_place, line))}"
        case MergeShreds(points):
            return f"what lies at {' and '.join(map(_place, points))} made one shred"
        case DrawOutline(at, outline):
            return f"the outline of the shred at {_place(at)} drawn with {len(outline)} corners"
        case NotPaper(at):
            return f"what lies at {_place(at)} said to be no paper"
        case ThisIsAShred(outline):
            return f"a shred drawn with {len(outline)} corners from {_place(outline[0])} on"
        case PickBackground(at):
            return f"the background picked at {_place(at)}"
        case CropSheet(corners):
            return f"nothing looked for beyond {_place(corners[0])} to {_place(corners[1])}"
    return "excluded as a whole"


def _place(point: Point) -> str:
    return f"({point[0]:.0f}, {point[1]:.0f})"


def _moved(value: Any, x: float, y: float) -> Any:
    """Move a point, or all points of a tuple; a mend of the whole sheet may name none."""
    if value and isinstance(value[0], tuple):
        return tuple(_moved(point, x, y) for point in value)
    return value[0] + x, value[1] + y


def _within(drawn: DrawOutline | ThisIsAShred, at: Point) -> bool:
    """Check whether a place lies within an outline that was drawn."""
    corners = np.array(drawn.outline, np.float64).reshape(-1, 2) - at
    (x, y), (next_x, next_y) = corners.T, np.roll(corners, -1, axis=0).T
    spans = (y > 0) != (next_y > 0)
    return bool(((x * (next_y - y) - y * (next_x - x) > 0) == (next_y > y))[spans].sum() % 2)


def _crossed(side: Doubles, others: Doubles) -> bool:
    """Check whether one side, (2, 2), crosses or touches any of others, (k, 2, 2)."""

    def turns(line: Doubles, points: Doubles) -> Doubles:
        start, along = line[..., 0, :], line[..., 1, :] - line[..., 0, :]
        off = points - start
        return np.asarray(along[..., 0] * off[..., 1] - along[..., 1] * off[..., 0])

    one = turns(side, others[:, 0]) * turns(side, others[:, 1])
    other = turns(others, side[0]) * turns(others, side[1])
    low = np.maximum(side.min(axis=0), others.min(axis=1))
    high = np.minimum(side.max(axis=0), others.max(axis=1))
    return bool(((one <= 0) & (other <= 0) & (low <= high).all(axis=1)).any())
