"""The resolution of a scan: what the file says if that is believable, else what fits a usual paper size."""

from collections.abc import Sequence
from typing import Literal

from core.options import ReadingOptions
from core.sheets.formats.refusal import Refusal

DpiSource = Literal["file", "given", "estimated"]

ELONGATED = 2.5
"""A picture so many times as long as wide shows one shred: no scanner's bed is so narrow."""

_BELIEVABLE_DPI = (50.0, 4800.0)
_PLACEHOLDERS_DPI = (72.0, 96.0)  # written by programs that do not know
_PLACEHOLDER_TOLERANCE_DPI = 0.6
_MAX_ASPECT = 2.5  # fax: 204 × 98 dpi
STANDARD_DPI = (75, 100, 150, 200, 240, 300, 400, 600, 1200)
"""Those that scanners have."""

_BEDS_IN = ((8.27, 11.69), (8.5, 11.0), (8.5, 11.69), (11.69, 16.54))  # A4, Letter, a flat bed for both, A3
_BED_TOLERANCE = 0.04
_SHRED_LENGTHS_IN = (10.6, 12.0)  # along A4 or Letter, a little worn or with a little of the support


def resolution(
    size_px: tuple[int, int],
    stated_dpi: tuple[float, float] | None,
    options: ReadingOptions,
    otherwise: tuple[float, DpiSource] | None = None,
) -> tuple[tuple[float, float], DpiSource]:
    """Determine the resolution of a picture.

    Where the file does not say it, it is estimated: from width and height for a sheet, from the length for a shred.

    Parameters
    ----------
    size_px : tuple of int
        Width and height.
    stated_dpi : tuple of float, or None
        Horizontal and vertical resolution from the file. 72 and 96 dpi, and values no scanner has, do not count.
    options : ReadingOptions
        `dpi` overrules the file.
    otherwise : tuple of float and str, optional
        The resolution that holds where the file does not say it, and where that one comes from.

    Returns
    -------
    dpi : tuple of float
        Horizontal and vertical resolution.
    source : {"file", "given", "estimated"}
        Where it comes from.

    Raises
    ------
    Refusal
        If the file does not say it and no usual paper size fits.

    Examples
    --------
    >>> resolution((2480, 3508), (300.0, 300.0), ReadingOptions())
    ((300.0, 300.0), 'file')
    >>> resolution((1654, 2339), (72.0, 72.0), ReadingOptions())  # A4; 72 dpi is what programs write that do not know
    ((200.0, 200.0), 'estimated')
    """
    if options.dpi is not None:
        return (options.dpi, options.dpi), "given"
    if stated_dpi is not None and is_believable(*stated_dpi):
        return (float(stated_dpi[0]), float(stated_dpi[1])), "file"
    if otherwise is not None:
        return (otherwise[0], otherwise[0]), otherwise[1]
    elongated = max(size_px) >= ELONGATED * min(size_px)
    estimate = shred_dpi(max(size_px)) if elongated else sheet_dpi(*size_px)
    if estimate is None:
        kind = "length" if elongated else "size"
        raise Refusal(
            f"does not say at which resolution it was scanned, and its {kind} of {size_px[0]} × {size_px[1]} "
            "pixels fits no usual paper at a usual resolution. Say the resolution (“Resolution”, dpi), e.g. 300."
        )
    return (float(estimate), float(estimate)), "estimated"


def fits_bed(size_px: tuple[int, int]) -> bool:
    """Check whether a picture is as large as a scanner's bed at a resolution that scanners have.

    Parameters
    ----------
    size_px : tuple of int
        Width and height.

    Returns
    -------
    bool
    """
    return sheet_dpi(*size_px) is not None


def choose_stated(size_px: tuple[int, int], stated: Sequence[tuple[float, float] | None]) -> tuple[float, float] | None:
    """Choose among several resolutions that one file states, as JFIF and EXIF may do.

    Parameters
    ----------
    size_px : tuple of int
        Width and height.
    stated : sequence of tuple of float, or None
        The likelier to be true first.

    Returns
    -------
    tuple of float, or None
        The first believable one; among several, one at which the picture is as large as a scanner's bed.

    Examples
    --------
    >>> choose_stated((2100, 3508), [(72, 72), (300, 300)])
    (300, 300)
    """
    all_stated = [dpi for dpi in stated if dpi is not None]
    believable = [dpi for dpi in all_stated if is_believable(*dpi)]
    fitting = [dpi for dpi in believable if _misfit(*size_px, dpi) <= _BED_TOLERANCE]
    return next(iter([*fitting, *believable, *all_stated]), None)


def is_believable(x_dpi: float, y_dpi: float) -> bool:
    """Check that a scanner may have these resolutions, and that no program wrote them for want of better.

    Parameters
    ----------
    x_dpi, y_dpi : float
        Horizontal and vertical resolution, any number.

    Returns
    -------
    bool
    """
    low, high = _BELIEVABLE_DPI
    if not (low <= x_dpi <= high and low <= y_dpi <= high) or max(x_dpi, y_dpi) > _MAX_ASPECT * min(x_dpi, y_dpi):
        return False
    return all(abs(x_dpi - placeholder) > _PLACEHOLDER_TOLERANCE_DPI for placeholder in _PLACEHOLDERS_DPI)


def sheet_dpi(width_px: int, height_px: int) -> int | None:
    """Find the standard resolution at which a picture best fits a scanner's bed, upright or across.

    Parameters
    ----------
    width_px, height_px : int
        Of the picture.

    Returns
    -------
    int or None
        None where there is none.
    """
    best = min(STANDARD_DPI, key=lambda dpi: _misfit(width_px, height_px, (dpi, dpi)))
    return best if _misfit(width_px, height_px, (best, best)) <= _BED_TOLERANCE else None


def _misfit(width_px: int, height_px: int, dpi: tuple[float, float]) -> float:
    """Compute by which share a picture differs from the bed that it is most like."""
    short, long = sorted((width_px / dpi[0], height_px / dpi[1]))
    return min(max(abs(short / w - 1), abs(long / h - 1)) for w, h in _BEDS_IN)


def shred_dpi(length_px: int) -> int | None:
    """Find the standard resolution at which a shred is as long as a page.

    Parameters
    ----------
    length_px : int
        Of the shred.

    Returns
    -------
    int or None
        None where there is none.
    """
    low, high = _SHRED_LENGTHS_IN
    return next((dpi for dpi in STANDARD_DPI if low <= length_px / dpi <= high), None)
