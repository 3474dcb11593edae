"""Pieces that are no strips: cut both ways or torn by hand they are recognised and counted, and no page is made."""

from collections.abc import Sequence

import cv2
import numpy as np

from core.arrays import Doubles
from core.errors import CrossCutError, NothingFoundError, TornError
from core.shreds.pieces import Piece
from core.units import MM_PER_PX

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


def refusal_of_pieces(pieces: Sequence[Piece], place: str) -> NothingFoundError | None:
    """Recognise a sheet of cross-cut or torn pieces, and build the error that says how many they are.

    Parameters
    ----------
    pieces : sequence of Piece
        The connected pieces of paper on a sheet.
    place : str
        What the sentence calls the sheet.

    Returns
    -------
    NothingFoundError or None
        None where there may be strips.
    """
    sizes = np.array([_size_mm(piece) for piece in pieces if _area_mm2(piece) >= COUNTED_MM2])
    if len(sizes) < FEW_TORN:
        return None
    across, along, area = sizes[:, 2], sizes[:, 3], sizes[:, 4]
    # Half of the paper is in pieces of at least this size: dust and bits have no say.
    width, length, usual_mm2 = (_weighted_median(values, area) for values in (across, along, area))
    n = int((along >= WHOLE_SHARE * length).sum())
    bits = "" if n == len(sizes) else f", and {len(sizes) - n} smaller bits"
    filled = _weighted_median(area / (across * along), area)
    small = usual_mm2 <= CROSS_CUT_MM2 and length <= CROSS_CUT_MM and filled >= CUT_FILL
    if len(sizes) >= MANY and small and _rows(sizes, length) > ROWS:
        return CrossCutError(
            f"{place} shows {n} pieces of cross-cut paper, about {width:.0f} × {length:.0f} mm each{bits}. "
            "Rejoin puts strips in order; pieces that were cut both ways it only counts, and makes no page of them. "
            "Leave the sheet out."
        )
    torn = length < TORN_ELONGATION * width and width >= TORN_MM and filled <= TORN_FILL
    if torn and n >= FEW_TORN:
        return TornError(
            f"{place} shows {n} pieces of paper that look torn by hand, about {width:.0f} × {length:.0f} mm each"
            f"{bits}. Rejoin puts strips in order; torn pieces it only counts, and makes no page of them. "
            "Leave the sheet out."
        )
    return None


def _area_mm2(piece: Piece) -> float:
    """Measure the paper of a piece."""
    return float(np.count_nonzero(piece.mask)) * MM_PER_PX**2


def _size_mm(piece: Piece) -> tuple[float, ...]:
    """Measure a piece: where its centre lies, breadth and length of the rectangle around it, and its area."""
    contours, _ = cv2.findContours(piece.mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    (x, y), sides, _ = cv2.minAreaRect(np.concatenate(contours))
    across, along = sorted((side + 1) * MM_PER_PX for side in sides)
    return (piece.bbox[0] + x) * MM_PER_PX, (piece.bbox[1] + y) * MM_PER_PX, across, along, _area_mm2(piece)


def _weighted_median(values: Doubles, weights: Doubles) -> float:
    """Find the value below which half of the weight lies."""
    order = np.argsort(values, kind="stable")
    total = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(total, total[-1] / 2)])


def _rows(sizes: Doubles, length: float) -> float:
    """Measure over how many lengths of a piece all of them spread, in the direction in which they spread less."""
    return float(np.ptp(sizes[:, :2], axis=0).min() + length) / length
