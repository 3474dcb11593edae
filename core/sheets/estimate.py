"""The resolution of files none of which says it: what fits paper, other files of the heap, and lines of print."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats
from core.sheets.resolution import STANDARD_DPI, shred_dpi
from core.units import MM_PER_INCH

_A4_IN, _LETTER_IN = (8.27, 11.69), (8.5, 11.0)
_SNAP = 0.035
_ASPECT_TOLERANCE = 0.06
_WIDTH_TOLERANCE = 0.03
_LONGEST_IN = 17.0
_LOWEST_DPI, _HIGHEST_DPI = 60.0, 2400.0
_PITCH_MM, _PITCH_SPREAD = 5.2, 0.55
_WITHOUT_PRINT = 0.6
_DOUBLE_SPACED = 0.8
_NO_LINES = 0.5
_EQUAL = 1.02
_LEAST_ON_A_PAGE = 20


@dataclass(frozen=True)
class Estimate:
    """A resolution that nobody has stated.

    Attributes
    ----------
    dpi : float
        In both directions.
    reason : str
        What it rests on: "…, as the other files say"; to be put behind a comma.
    """

    dpi: float
    reason: str


def estimate_dpi(
    shreds_px: Sequence[tuple[int, int]], pitch_px: float | None = None, others_dpi: Sequence[float] = ()
) -> Estimate | None:
    """Estimate the resolution of single shreds, or of sheets, that were scanned together.

    Parameters
    ----------
    shreds_px : sequence of tuple of int
        Width and length of each single shred; none for sheets.
    pitch_px : float or None
        Distance of the lines of print, if there are any.
    others_dpi : sequence of float
        What other files of the heap say.

    Returns
    -------
    Estimate or None
        None if there is nothing that it could rest on.

    Examples
    --------
    >>> estimate_dpi([(85, 3510)] * 29, pitch_px=84.0)
    Estimate(dpi=300, reason='so that the shreds are as long as a page')
    >>> estimate_dpi([(72, 1980)] * 19, pitch_px=68.0)
    Estimate(dpi=167, reason='so that the shreds together are as large as a page')
    """
    guesses = [*_from_others(others_dpi), *_from_shreds(shreds_px), *_from_print(pitch_px)]
    possible = [(weight, guess) for weight, guess in guesses if _LOWEST_DPI <= guess.dpi <= _HIGHEST_DPI]
    return max(possible, key=lambda weighed: weighed[0] * _likeliness(weighed[1].dpi, pitch_px), default=(0, None))[1]


def _likeliness(dpi: float, pitch_px: float | None) -> float:
    """Compute how usual the distance of the lines would be on paper: 1 for that of most letters.

    Lines may be double-spaced, and what was measured may be something else: pictures, tables.
    """
    if pitch_px is None:
        return _WITHOUT_PRINT
    single, double = (
        math.exp(-0.5 * (math.log(pitch_px / spacing / dpi * MM_PER_INCH / _PITCH_MM) / _PITCH_SPREAD) ** 2)
        for spacing in (1, 2)
    )
    return max(single, _DOUBLE_SPACED * double, _NO_LINES)


def _from_others(others_dpi: Sequence[float]) -> Iterator[tuple[float, Estimate]]:
    """Guess that a heap was scanned at one resolution."""
    if others_dpi and max(others_dpi) <= (1 + _SNAP) * min(others_dpi):
        yield 0.95, Estimate(_rounded(float(np.median(others_dpi))), "as the other files say")


def _from_shreds(shreds_px: Sequence[tuple[int, int]]) -> Iterator[tuple[float, Estimate]]:
    """Guess from the shreds' length, from their widths together, and from the area of many short ones."""
    if not shreds_px:
        return
    widths, lengths = np.array(shreds_px, float).T
    length, width = float(np.percentile(lengths, 90)), float(widths.sum())
    if dpi := shred_dpi(round(length)):
        yield 1.0, Estimate(dpi, "so that the shreds are as long as a page")
    as_a_page = "so that the shreds together are as large as a page"
    for short, long in (_A4_IN, _LETTER_IN):
        for across, along in ((short, long), (long, short)):
            misfit = abs(width / length / (across / along) - 1)
            if misfit <= _ASPECT_TOLERANCE:
                yield 0.9 - misfit, Estimate(_rounded(math.sqrt(width * length / (short * long))), as_a_page)
    if len(shreds_px) > 3:
        for paper in (_LETTER_IN[0], _A4_IN[0]):
            dpi_of_width = _rounded(width / paper)
            if dpi_of_width in STANDARD_DPI and length / dpi_of_width <= _LONGEST_IN:
                yield 0.5, Estimate(dpi_of_width, "so that the shreds together are as wide as a page")
        if width > 10 * length:
            area = float((widths * lengths).sum())
            n_pages = _n_pages(widths, lengths)
            as_pages = as_a_page if n_pages == 1 else f"so that the shreds together are as large as {n_pages} pages"
            yield 0.4, Estimate(_rounded(math.sqrt(area / n_pages / math.prod(_A4_IN))), as_pages)


def _n_pages(widths: Floats, lengths: Floats) -> int:
    """Count the pages that pieces make: of equal ones, the fewest upright ones that they fill in whole rows."""
    if widths.max() > _EQUAL * widths.min() or lengths.max() > _EQUAL * lengths.min():
        return 1
    for n_pages in range(1, len(widths) // _LEAST_ON_A_PAGE + 1):
        n, rest = divmod(len(widths), n_pages)
        for n_rows in range(1, n + 1) if not rest else ():
            aspect = n / n_rows * widths[0] / (n_rows * lengths[0])
            misfits = [abs(aspect / (short / long) - 1) for short, long in (_A4_IN, _LETTER_IN)]
            if n % n_rows == 0 and min(misfits) <= _ASPECT_TOLERANCE:
                return n_pages
    return 1


def _from_print(pitch_px: float | None) -> Iterator[tuple[float, Estimate]]:
    """Guess that lines stand as far apart as in most letters."""
    if pitch_px is not None:
        wanted = pitch_px / _PITCH_MM * MM_PER_INCH
        nearest = min(STANDARD_DPI, key=lambda dpi: abs(math.log(dpi / wanted)))
        yield 0.15, Estimate(nearest, "so that lines of print are as far apart as usual")


def _rounded(dpi: float) -> float:
    """Round to a resolution that scanners have if one is near, else to a whole number."""
    nearest = min(STANDARD_DPI, key=lambda standard: abs(standard / dpi - 1))
    return nearest if abs(nearest / dpi - 1) <= _SNAP else round(dpi)
