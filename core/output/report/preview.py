"""A report as it will look: its pages as pictures."""

from pathlib import Path
from threading import Lock

import numpy as np
import pypdfium2
from numpy.typing import NDArray

_ONE_AT_A_TIME = Lock()
"""PDFium knows no threads. What others made is read by a process of its own; a report is ours."""


def draw_page(pdf: Path, page: int, width_px: int) -> tuple[NDArray[np.uint8], int]:
    """Draw a page of a report.

    Parameters
    ----------
    pdf : Path
        As `core.output.report.evidence.write_report` wrote it.
    page : int
        Its index; beyond the ends the first or the last.
    width_px : int
        Width of the picture.

    Returns
    -------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB.
    n_pages : int
        Of the report.
    """
    with _ONE_AT_A_TIME, pypdfium2.PdfDocument(pdf) as document:
        n_pages = len(document)
        shown = document[max(0, min(page, n_pages - 1))]
        bitmap = shown.render(scale=width_px / shown.get_width(), rev_byteorder=True)
        return bitmap.to_numpy()[..., :3].copy(), n_pages
