"""A shred, and how its borders are read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Side: TypeAlias = Literal["left", "right"]

SIDES: tuple[Side, Side] = ("left", "right")

DPI = 300
"""Resolution at which every stage after reading works."""

BORDER_WIDTH_PX = 32
"""Width s of a border (paper, section 3)."""


@dataclass(frozen=True, eq=False)
class Shred:
    """One strip of paper, upright.

    Attributes
    ----------
    id : str
        Number of the sheet and of the shred on it, from left to right: ``"2-07"``. Unique within a case.
    sheet : int
        Index of the sheet among the case's sheets.
    bbox : tuple of int
        x, y, width, height of the shred on the sheet, in pixels at 300 dpi.
    outline : ndarray of shape (k, 2), float32
        The paper's contour on the sheet, (x, y) in pixels at 300 dpi.
    angle_deg : float
        By how much the shred lay turned on the sheet, in degrees, counter-clockwise positive as the eye sees it.
    pixels : ndarray of shape (h, w, 3), uint8
        RGB, straightened; 255 beyond the paper.
    mask : ndarray of shape (h, w), bool
        True where there is clean paper.
    frame_top_px : int
        Row of the common vertical frame in which row 0 of `pixels` lies; may be negative.
    blank : bool
        No ink at all (no grey value under 127 after a 5 × 5 Gaussian blur): no evidence to place it.
    half_turn : bool
        The examiner turned the shred upside down.
    """

    id: str
    sheet: int
    bbox: tuple[int, int, int, int]
    outline: NDArray[np.float32]
    angle_deg: float
    pixels: NDArray[np.uint8]
    mask: NDArray[np.bool_]
    frame_top_px: int
    blank: bool
    half_turn: bool = False


def upright(shred: Shred) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Give a shred's pixels and mask as they are to be read: turned by 180° where the examiner says so.

    The shred turns about its own centre and keeps its place in the common frame.

    Parameters
    ----------
    shred : Shred
        Of h rows and w columns.

    Returns
    -------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB.
    mask : ndarray of shape (h, w), bool
        Where there is paper.
    """
    if shred.half_turn:
        return shred.pixels[::-1, ::-1], shred.mask[::-1, ::-1]
    return shred.pixels, shred.mask


def common_frame(shreds: Sequence[Shred]) -> tuple[int, int]:
    """Find the rows of the common frame that shreds span.

    Parameters
    ----------
    shreds : sequence of Shred
        At least one.

    Returns
    -------
    top, bottom : int
        The first row with a shred and the one after the last, counted as `Shred.frame_top_px`.
    """
    top = min(shred.frame_top_px for shred in shreds)
    return top, max(shred.frame_top_px + len(shred.mask) for shred in shreds)
