"""Borders: the 32 pixel wide zones along a shred's contours, all in one common vertical frame."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, TypeVar

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from core.arrays import Mask
from core.options import BinarizationOptions, BorderOptions
from core.parallel import map_in_order
from core.progress import Progress, no_progress
from core.shreds.binarization import binarize
from core.shreds.shred import BORDER_WIDTH_PX, SIDES, Shred, Side, common_frame, upright
from core.wording import QT_TRANSLATE_NOOP

READING = QT_TRANSLATE_NOOP("progress", "Reading borders of shred {number} of {n}")

_Value = TypeVar("_Value", np.bool_, np.uint8)


@dataclass(frozen=True, eq=False)
class Borders:
    """Both borders of n shreds.

    Attributes
    ----------
    left, right : ndarray of shape (n, height, 32), bool
        Ink of the left and of the right border of every shred, in the common frame.
    frame_top_px : int
        Row of the common frame (`Shred.frame_top_px`) in which row 0 of the borders lies.
    """

    left: Mask
    right: Mask
    frame_top_px: int

    @classmethod
    def blank(cls, n: int, frame: tuple[int, int]) -> Self:
        """Make white borders of shreds that are yet to be read.

        Parameters
        ----------
        n : int
            Number of shreds.
        frame : tuple of int
            First row of the common frame and the one after the last.

        Returns
        -------
        Borders
        """
        left, right = np.zeros((2, n, frame[1] - frame[0], BORDER_WIDTH_PX), dtype=np.bool_)
        return cls(left, right, frame[0])

    def put(self, index: int, frame_top_px: int, both: tuple[Mask, Mask]) -> None:
        """Put the borders of a shred in their places.

        Parameters
        ----------
        index : int
            Which shred's.
        frame_top_px : int
            Row of the common frame in which the shred begins.
        both : tuple of two ndarray of shape (h, 32), bool
            From `both_borders`.
        """
        start = frame_top_px - self.frame_top_px
        stop = start + len(both[0])
        self.left[index, start:stop], self.right[index, start:stop] = both


def read_border(ink: Mask, mask: Mask, side: Side, *, width_px: int = BORDER_WIDTH_PX, worn_px: int = 0) -> Mask:
    """Read the zone that follows a shred's contour, row by row.

    Parameters
    ----------
    ink : ndarray of shape (h, w), bool
        True where there is ink.
    mask : ndarray of shape (h, w), bool
        True where there is paper.
    side : {"left", "right"}
        Which contour to follow.
    width_px : int
        Width of the zone.
    worn_px : int
        Width of paper between the contour and the zone.

    Returns
    -------
    ndarray of shape (h, width_px), bool
        Ink. For the left border column 0 lies nearest to the contour, for the right one the last column does. White
        where a row is narrower than the zone or has no paper.

    Examples
    --------
    >>> mask = np.array([[0, 1, 1, 1, 1], [0, 0, 1, 1, 1]], np.bool_)
    >>> ink = np.array([[0, 1, 0, 0, 0], [0, 0, 1, 1, 0]], np.bool_)
    >>> read_border(ink, mask, "left", width_px=2).astype(int)
    array([[1, 0],
           [1, 1]])
    """
    return follow_contour(ink, mask, side, width_px=width_px, worn_px=worn_px, outside=0)


def follow_contour(
    values: NDArray[_Value], mask: Mask, side: Side, *, width_px: int = BORDER_WIDTH_PX, worn_px: int = 0, outside: int
) -> NDArray[_Value]:
    """Read the values of the zone that `read_border` describes from any picture of a shred.

    Parameters
    ----------
    values, mask : ndarray of shape (h, w)
        The picture, ink or grey; and where there is paper.
    side : {"left", "right"}
        Which contour to follow.
    width_px, worn_px : int
        Width of the zone, and of paper between the contour and the zone.
    outside : int
        What stands where there is no paper.

    Returns
    -------
    ndarray of shape (h, width_px)
        Of the picture's type.
    """
    width = mask.shape[1]
    if side == "left":
        start = mask.argmax(axis=1) + worn_px
    else:
        start = width - mask[:, ::-1].argmax(axis=1) - worn_px - width_px
    around = np.pad(values, ((0, 0), (width_px, width_px)), constant_values=outside)
    zones = sliding_window_view(around, width_px, axis=1)
    border = zones[np.arange(len(values)), np.clip(start + width_px, 0, width + width_px)]
    border[~mask.any(axis=1)] = outside
    return border


def both_borders(ink: Mask, mask: Mask, options: BorderOptions = BorderOptions()) -> tuple[Mask, Mask]:
    """Read both borders of a shred.

    Parameters
    ----------
    ink, mask : ndarray of shape (h, w), bool
        True where there is ink, and where there is paper.
    options : BorderOptions
        Which part of the shred is read.

    Returns
    -------
    left, right : ndarray of shape (h, 32), bool
        From `read_border`.
    """
    left, right = (read_border(ink, mask, side, worn_px=options.worn_px) for side in SIDES)
    return left, right


def read_borders(
    shreds: Sequence[Shred],
    binarization: BinarizationOptions = BinarizationOptions(),
    options: BorderOptions = BorderOptions(),
    progress: Progress = no_progress,
    *,
    frame: tuple[int, int] | None = None,
) -> Borders:
    """Binarise shreds and read both borders of each in the common frame.

    Shreds of unlike height are padded with white, not squeezed.

    Parameters
    ----------
    shreds : sequence of Shred
        At least one.
    binarization : BinarizationOptions
        How ink is found.
    options : BorderOptions
        Which part of the shreds is read.
    progress : Progress
        Fraction and text.
    frame : tuple of int, optional
        First row and the one after the last, where these shreds are only some of those to be compared; else the rows
        that they span.

    Returns
    -------
    Borders
        In the order of the shreds.

    Raises
    ------
    ValueError
        If there are no shreds.
    """
    if not shreds:
        raise ValueError("There are no shreds to read borders of.")

    def both(shred: Shred) -> tuple[Mask, Mask]:
        pixels, mask = upright(shred)
        return both_borders(binarize(pixels, mask, binarization), mask, options)

    borders = Borders.blank(len(shreds), frame or common_frame(shreds))
    for index, of_shred in enumerate(map_in_order(both, shreds, READING, progress)):
        borders.put(index, shreds[index].frame_top_px, of_shred)
    return borders
