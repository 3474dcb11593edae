"""How the paper on a sheet was cut: into strips, or both ways into pieces; what was torn by hand is refused."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import cv2
import numpy as np

from core.arrays import Doubles
from core.errors import CrossCutError, TornError
from core.sheets.resolution import STANDARD_DPI
from core.sheets.sheet import SheetInfo
from core.shreds.pieces import Piece
from core.units import DPI, MM_PER_PX, mm_to_px
from core.wording import counted

COUNTED_MM2 = 4.0
"""Less paper than this is dust: the smallest pieces of the finest machines are as large."""

CROSS_CUT_MM2 = 350.0
"""Machines that cut both ways leave pieces no larger than this (DIN 66399, P-3 and finer)."""

CROSS_CUT_MM = 85.0
"""They are no longer than this."""

MANY = 20
"""Fewer small pieces than this may as well be the ends of strips."""

CUT_FILL = 0.7
"""What was cut fills at least this part of the rectangle around it; blots do not."""

ROWS = 1.8
"""Strips lie side by side; pieces lie over and beside each other, in more rows than this."""

TORN_ELONGATION = 3.0
"""Pieces torn by hand are not longer than this many times their breadth."""

TORN_MM = 12.0
"""They are broader than this."""

TORN_FILL = 0.85
"""They fill no more than this part of the rectangle around them."""

FEW_TORN = 4
"""Fewer pieces than this do not tell how paper was destroyed."""

WHOLE_SHARE = 0.85
"""A piece shorter than this part of the usual one is a bit of one."""

LEAST_ACROSS, LEAST_ALONG = 0.4, 0.5
"""Bits narrower, or shorter, than this part of the usual piece are slivers and crumbs."""

ROW_SHARE, ROW_SPREAD = 0.04, 0.05
"""But if so many of all are as short, within so much, they are the last row of a page: its length is no multiple of
that of a piece."""

FEW_IN_A_ROW = 5
"""Fewer than this are no row."""

BIT_SHARE = 0.2
"""What has less paper than this part of what half of the paper is in is a bit of a piece."""

ALIKE_SPREAD = 0.15
"""Pieces have as much paper as each other, within so much."""

LYING = 1.2
"""Bits shorter than this many times their breadth do not tell which way they stand."""

SCAN_PX = 32.0
"""Pieces narrower than this on the scan tell too little."""

WORKING_PX = 20.0
"""Nor do pieces narrower than this at the resolution at which Rejoin works, however finely they were scanned."""

SheetCut: TypeAlias = Literal["strip", "cross", "either"]
"""How the paper on a sheet was cut; "either" where it is too little to tell."""


@dataclass(frozen=True)
class Kind:
    """How the paper on a sheet was cut.

    Attributes
    ----------
    cut : {"strip", "cross", "either"}
        "either" where it is too little to tell.
    width_px, length_px : float
        Of the usual piece, at 300 dpi; 0 where there is none.
    fill : float
        Which part of the rectangle around it the usual piece fills.
    least_px : tuple of float
        What is narrower is a sliver, and what is shorter a crumb, if it is cross-cut.
    """

    cut: SheetCut
    width_px: float = 0.0
    length_px: float = 0.0
    fill: float = 1.0
    least_px: tuple[float, float] = (0.0, 0.0)

    @property
    def area_px(self) -> float:
        """How much paper the usual piece has."""
        return self.width_px * self.length_px * self.fill


STRIPS = Kind("strip")
"""Paper cut into strips, of whose size nothing is known."""


def kind_of(pieces: Sequence[Piece], info: SheetInfo, wanted: str = "auto") -> Kind:
    """Find out how the paper on a sheet was cut.

    Parameters
    ----------
    pieces : sequence of Piece
        The connected pieces of paper on a sheet.
    info : SheetInfo
        Of the sheet.
    wanted : {"auto", "strip", "cross"}
        How the examiner says that it was cut.

    Returns
    -------
    Kind

    Raises
    ------
    TornError
        If it was torn by hand, unless it is said to be cross-cut.
    CrossCutError
        If it is cross-cut, and was scanned too coarsely, or too finely cut.
    """
    sizes = np.array([_size_px(piece) for piece in pieces if _area_px(piece) >= COUNTED_MM2 / MM_PER_PX**2])
    if not len(sizes):
        return Kind(cut_of_single((0, 0), wanted))
    along, (width, length, usual, filled) = sizes[:, 3], _usual(sizes)
    least = min(LEAST_ALONG * length, (1 - ROW_SPREAD) * _last_row(along, width, length))
    small = usual * MM_PER_PX**2 <= CROSS_CUT_MM2 and length * MM_PER_PX <= CROSS_CUT_MM and filled >= CUT_FILL
    cut: SheetCut = "either" if small else "strip"
    if wanted == "strip":
        cut = "strip"
    elif wanted == "cross" or (small and len(sizes) >= MANY and _rows(sizes, length) > ROWS):
        cut = "cross"
    if cut != "cross":
        _refuse_torn(sizes, info)
    elif (reason := _too_coarse(width, info)) is not None:
        raise CrossCutError(f"{info.place} shows {_counted('cross-cut paper', along, width, length)}. {reason}")
    return Kind(cut, width, length, filled, (LEAST_ACROSS * width, least))


def _refuse_torn(sizes: Doubles, info: SheetInfo) -> None:
    """Refuse paper that was torn by hand."""
    across, along, area = sizes[:, 2], sizes[:, 3], sizes[:, 4]
    # Half of the paper is in pieces of at least this size: dust and bits have no say.
    width, length, filled = (_weighted_median(values, area) for values in (across, along, area / (across * along)))
    torn = length < TORN_ELONGATION * width and width >= mm_to_px(TORN_MM) and filled <= TORN_FILL
    if torn and len(sizes) >= FEW_TORN:
        raise TornError(
            f"{info.place} shows {_counted('paper that look torn by hand', along, width, length)}. Rejoin puts "
            "together what was cut; torn pieces it only counts, and makes no page of them. Leave the sheet out; if "
            "they were cut both ways, say so (“Cut”, --cut cross)."
        )


def _usual(sizes: Doubles) -> tuple[float, float, float, float]:
    """Measure the usual piece, width, length, area, and which part of its rectangle it fills: most are as large.

    Several that touch have more paper, but no two such heaps as much. Bits do not count.
    """
    area = sizes[:, 4]
    order = np.argsort(area, kind="stable")
    order = order[area[order] >= BIT_SHARE * _weighted_median(area, area)]
    upto = np.searchsorted(area[order], area[order] * (1 + ALIKE_SPREAD), side="right")
    first = int((upto - np.arange(len(order))).argmax())
    across, along, area = sizes[order[first : upto[first]], 2:].T
    width, length, usual, filled = (
        float(np.median(values)) for values in (across, along, area, area / (across * along))
    )
    return width, length, usual, filled


def cut_of_single(size_px: tuple[int, int], wanted: str) -> SheetCut:
    """Find out how paper was cut of which one shred alone is seen.

    Parameters
    ----------
    size_px : tuple of int
        Its width and height at 300 dpi.
    wanted : {"auto", "strip", "cross"}
        How the examiner says that it was cut.

    Returns
    -------
    {"strip", "cross", "either"}
        "either" where it is short.
    """
    if wanted == "auto":
        return "either" if max(size_px) <= mm_to_px(CROSS_CUT_MM) else "strip"
    return "cross" if wanted == "cross" else "strip"


def _too_coarse(width: float, info: SheetInfo) -> str | None:
    """Say why pieces of a width in pixels at 300 dpi cannot be put together, if so, and what to do."""
    on_scan, width_mm = width * info.dpi / DPI, width * MM_PER_PX
    if width < WORKING_PX:
        return (
            f"They are {width_mm:.1f} mm wide, {width:.0f} pixels at the {DPI} dpi at which Rejoin works, whatever the "
            f"resolution of the scan; it takes {WORKING_PX:.0f} pixels, {WORKING_PX * MM_PER_PX:.1f} mm, to put pieces "
            "together. Leave the sheet out."
        )
    if on_scan >= SCAN_PX:
        return None
    enough = next((dpi for dpi in STANDARD_DPI if width * dpi / DPI >= SCAN_PX), STANDARD_DPI[-1])
    return (
        f"They are {width_mm:.1f} mm wide, only {on_scan:.0f} pixels on this scan of {info.dpi:.0f} dpi; it takes "
        f"{SCAN_PX:.0f} to put pieces together. Scan them again at {enough} dpi or more."
    )


def _counted(what: str, along: Doubles, width: float, length: float) -> str:
    """Count pieces, and bits of them."""
    n = int((along >= WHOLE_SHARE * length).sum())
    bits = f", and {counted(len(along) - n, 'smaller bit')}" if n < len(along) else ""
    return f"{counted(n, 'piece')} of {what}, about {width * MM_PER_PX:.0f} × {length * MM_PER_PX:.0f} mm each{bits}"


def _last_row(along: Doubles, width: float, length: float) -> float:
    """Find how short pieces are of which there are so many of one length that they are a row of their own."""
    lengths = np.sort(along[along > LYING * width])
    alike = np.searchsorted(lengths, lengths * (1 + ROW_SPREAD), side="right") - np.arange(len(lengths))
    rows = lengths[alike >= max(FEW_IN_A_ROW, ROW_SHARE * len(lengths))]
    return float(rows[0]) if len(rows) else length


def _area_px(piece: Piece) -> int:
    """Count the pixels of a piece's paper."""
    return int(np.count_nonzero(piece.mask))


def _size_px(piece: Piece) -> tuple[float, ...]:
    """Measure a piece: where its centre lies, breadth and length of the rectangle around it, and its area."""
    contours, _ = cv2.findContours(piece.mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    (x, y), sides, _ = cv2.minAreaRect(np.concatenate(contours))
    across, along = sorted(side + 1 for side in sides)
    return piece.bbox[0] + x, piece.bbox[1] + y, across, along, float(_area_px(piece))


def _weighted_median(values: Doubles, weights: Doubles) -> float:
    """Find the value below which half of the weight lies."""
    order = np.argsort(values, kind="stable")
    total = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(total, total[-1] / 2)])


def _rows(sizes: Doubles, length: float) -> float:
    """Measure over how many lengths of a piece all of them spread, in the direction in which they spread less."""
    return float(np.ptp(sizes[:, :2], axis=0).min() + length) / length
