"""Units: every stage after reading works at one resolution, so that lengths in pixels and millimetres are the same."""

DPI = 300
"""Resolution at which every stage after reading works."""

MM_PER_INCH = 25.4

MM_PER_PX = MM_PER_INCH / DPI

PX_PER_MM = DPI / MM_PER_INCH


def px_to_mm(px: float) -> float:
    """Convert a length from pixels to millimetres.

    Parameters
    ----------
    px : float
        At `DPI`.

    Returns
    -------
    float
        Rounded once less than by `MM_PER_PX`, so that the last digit may be another.

    Examples
    --------
    >>> px_to_mm(300)
    25.4
    """
    return px * MM_PER_INCH / DPI


def mm_to_px(mm: float) -> float:
    """Convert a length from millimetres to pixels.

    Parameters
    ----------
    mm : float
        On paper.

    Returns
    -------
    float
        At `DPI`, not rounded to whole pixels.

    Examples
    --------
    >>> mm_to_px(25.4)
    300.0
    """
    return mm / MM_PER_INCH * DPI
