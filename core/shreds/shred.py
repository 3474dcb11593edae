"""A shred as it was found, turned as it is to be read, and as it is drawn."""

import hashlib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from core.arrays import Floats, Mask, Pixels

Box: TypeAlias = tuple[int, int, int, int]
"""x, y, width, height, in pixels."""

Side: TypeAlias = Literal["left", "right"]

SIDES: tuple[Side, Side] = ("left", "right")

Scrap: TypeAlias = Literal["", "sliver", "crumb"]
"""Why a piece of paper is too small to be compared: too narrow, or too short; empty for a shred that is not."""

BORDER_WIDTH_PX = 32
"""Width s of a border (paper, section 3)."""


_COMPUTED = ("content_sha256", "paper_px", "mask_bits")


@dataclass(frozen=True, eq=False)
class Shred:
    """One strip of paper, or one piece of paper that was cut both ways, upright.

    Attributes
    ----------
    id : str
        Number of the sheet and of the shred on it, from left to right, then as mended: ``"2-07"``; slivers and crumbs
        are counted by themselves: ``"2-s1"``. Unique within a case.
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
        No ink at all (`core.shreds.binarization.is_blank`): no evidence to place it.
    half_turn : bool
        It is to be read upside down, see `upright`.
    scrap : {"", "sliver", "crumb"}
        Why it is too small to be compared with others; only the examiner can place it.
    cross_cut : bool
        It was cut on all four sides: its top and bottom are cuts too, not the paper's ends.
    """

    id: str
    sheet: int
    bbox: Box
    outline: Floats
    angle_deg: float
    pixels: Pixels
    mask: Mask
    frame_top_px: int
    blank: bool
    half_turn: bool = False
    scrap: Scrap = ""
    cross_cut: bool = False

    @property
    def height_px(self) -> int:
        """Number of rows."""
        return len(self.mask)

    @property
    def width_px(self) -> int:
        """Number of columns."""
        return self.mask.shape[1]

    @property
    def compared(self) -> bool:
        """Whether it is compared with others and given a place: it bears ink, and is large enough."""
        return not (self.blank or self.scrap)

    @cached_property
    def paper_px(self) -> tuple[int, int]:
        """Rows that bear paper, and pixels of paper; counted once, as a packed shred is unpacked for it."""
        return int(np.count_nonzero(self.mask.any(axis=1))), int(np.count_nonzero(self.mask))

    @cached_property
    def content_sha256(self) -> str:
        """SHA-256 of its pixels and mask, as it was found; computed once."""
        digest = hashlib.sha256(repr(self.mask.shape).encode())
        digest.update(np.ascontiguousarray(self.pixels).data)
        digest.update(np.ascontiguousarray(self.mask).data)
        return digest.hexdigest()

    @cached_property
    def mask_bits(self) -> bytes:
        """The mask, compressed: by it a packed shred's mask is at hand without its pixels.

        A bit a pixel, and of each row what is not as in the one above: little, since contours go on.
        """
        rows = np.packbits(self.mask, axis=1)
        rows[1:] ^= rows[:-1].copy()
        return zlib.compress(rows.data, 1)

    @property
    def known(self) -> dict[str, Any]:
        """What was computed of its pixels and mask; it can be given to another shred with the same."""
        return {name: value for name, value in vars(self).items() if name in _COMPUTED}

    def changed(self, **values: Any) -> "Shred":
        """Return the same shred with other values of fields, but for pixels and mask.

        Parameters
        ----------
        **values
            By the fields' names.

        Returns
        -------
        Shred
            As packed as this one.
        """
        return replace(self, **values)


@dataclass(frozen=True, eq=False)
class Crumb:
    """A piece of paper that is no shred to be placed: shown, counted, not used.

    Attributes
    ----------
    sheet : int
        Index of the sheet among the case's sheets.
    bbox : tuple of int
        x, y, width, height on the sheet, in pixels at 300 dpi.
    outline : ndarray of shape (k, 2), float32
        Its contour on the sheet, (x, y).
    reason : str
        "sliver", too narrow to be placed by anybody; "crumb", too short; or "frame", the scanner's lid or frame at
        the edge of the sheet.
    """

    sheet: int
    bbox: Box
    outline: Floats
    reason: str


def upright(shred: Shred) -> tuple[Pixels, Mask]:
    """Return a shred's pixels and mask as they are to be read: turned by 180° where the examiner says so.

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


def rgba(pixels: Pixels, mask: Mask) -> Pixels:
    """Stack pixels and mask to a picture that is transparent beyond the paper.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB.
    mask : ndarray of shape (h, w), bool
        True where there is paper.

    Returns
    -------
    ndarray of shape (h, w, 4), uint8
        RGBA; the opacity is 255 on paper and 0 beyond it.

    Examples
    --------
    >>> rgba(np.full((1, 2, 3), 9, np.uint8), np.array([[True, False]]))
    array([[[  9,   9,   9, 255],
            [  9,   9,   9,   0]]], dtype=uint8)
    """
    return np.dstack([pixels, mask.astype(np.uint8) * np.uint8(255)])


def turned(shred: Shred, *, half_turn: bool, by_deg: float) -> Shred:
    """Turn a shred, as it was found, about its own centre; its centre keeps its place in the common frame.

    Parameters
    ----------
    shred : Shred
        As it was found.
    half_turn : bool
        Whether to turn it upside down, see `upright`.
    by_deg : float
        A small turn besides, in degrees, counter-clockwise positive as the eye sees it. Pixels are resampled
        (bicubic) if it is not 0.

    Returns
    -------
    Shred
        Its `pixels` and `mask` have room for all of the turned paper; `angle_deg`, how it lay on the sheet, stays.
    """
    if by_deg == 0:
        return shred.changed(half_turn=not shred.half_turn) if half_turn else shred
    # Imported here: training reads this module for the border's width, on machines without OpenCV.
    import cv2

    height, width = shred.mask.shape
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), by_deg, 1.0)
    across, along = abs(float(matrix[0, 0])), abs(float(matrix[0, 1]))
    # The margins are alike on both sides, so that the centre stays the centre.
    more_rows = max(0, int(np.ceil((across * height + along * width - height) / 2)))
    more_columns = max(0, int(np.ceil((across * width + along * height - width) / 2)))
    matrix[:, 2] += (more_columns, more_rows)
    size_px = (width + 2 * more_columns, height + 2 * more_rows)
    pixels = cv2.warpAffine(shred.pixels, matrix, size_px, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpAffine(shred.mask.astype(np.uint8) * 255, matrix, size_px, flags=cv2.INTER_LINEAR) >= 128
    pixels[~mask] = 255
    return replace(
        shred,
        pixels=np.asarray(pixels, np.uint8),
        mask=np.asarray(mask, np.bool_),
        frame_top_px=shred.frame_top_px - more_rows,
        half_turn=shred.half_turn != half_turn,
    )


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
    return top, max(shred.frame_top_px + shred.height_px for shred in shreds)
