"""A reconstructed page as a page of a PDF: true size, marked in strips beside the paper, never on it."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple

import cv2
import numpy as np
from fpdf.enums import TextMode
from numpy.typing import NDArray
from PIL import Image

from core.arrangement.faces import page_labels
from core.arrays import Doubles
from core.case.case import Case
from core.composition.page_image import GAP_RGB, SEAM_RGB, Rendition
from core.output.page_names import described, names_of, page_name
from core.output.report.archival import CREATOR, TEXT, ArchivalDocument
from core.output.report.preparing import PreparedPage, prepared_pages
from core.progress import Progress
from core.text.page_text import Word
from core.units import MM_PER_PX


class Mark(NamedTuple):
    """What stands below a page: a word in bold, what it is of, and how a table of contents names it."""

    word: str
    of: str
    section: str


MARKS: dict[Rendition, Mark] = {
    "evidence": Mark("RECONSTRUCTION", "of shredded paper, not an original", "Reconstructed page"),
    "reading": Mark(
        "READING COPY", "of a reconstruction: rims overlap, evened, straightened; no evidence", "Reading page"
    ),
}

_STRIP_MM = 130 * MM_PER_PX
"""Height of the strips beside the paper: whole pixels, so that a screen at 300 dpi shows each pixel as it is."""

_LEAST_WIDTH_MM = 1420 * MM_PER_PX
"""Of the strip with the mark; narrower paper gets white beside it."""

_SCALE_MM = 50
_GREY = 90
NOTED_RGB = (176, 32, 32)
"""Of the frames around places that there are notes about."""


def add_pages(
    document: ArchivalDocument,
    case: Case,
    name: str,
    progress: Progress,
    *,
    seams: bool = False,
    rendition: Rendition = "evidence",
    read: Callable[[int], tuple[Word, ...]] | None = None,
    numbers: Sequence[int] | None = None,
    noted: bool = False,
) -> None:
    """Add the pages of a case, composed on all cores.

    Parameters
    ----------
    document : ArchivalDocument
        To which the pages are added; bookmarks name them, those of a document together.
    case : Case
        Whose pages; its options say whether they are lossless.
    name : str
        Of the case.
    progress : Progress
        Called for each page.
    seams, rendition, read, numbers, noted
        See `core.output.report.preparing.prepared_pages`.
    """
    numbers = range(len(case.arrangement.pages)) if numbers is None else numbers
    how: dict[str, Any] = {"seams": seams, "rendition": rendition, "read": read, "noted": noted}
    pages, arrangement = prepared_pages(case, case.options.output, progress, numbers, **how), case.arrangement
    mark, group, labels = MARKS[rendition], "", page_labels(arrangement)
    any_named = bool(arrangement.page_names or arrangement.page_documents or arrangement.other_faces)
    for number, page in zip(numbers, pages, strict=True):
        _add_page_sheet(document, page, mark, f"{name} · {described(arrangement, number)}")
        before, (group, named) = group, names_of(arrangement, number)
        if group and group != before:
            document.bookmark(group if rendition == "evidence" else f"{group}, {mark.section.lower()}s")
        numbered_so = labels[number]
        title = f"{mark.section} {numbered_so}"
        label = f"{numbered_so} {page_name(arrangement, number)}".strip() if any_named else ""
        document.bookmark(f"{title}: {named}" if named else title, int(bool(group)), label)


def _add_page_sheet(document: ArchivalDocument, page: PreparedPage, mark: Mark, caption: str) -> None:
    """Add a reconstructed page.

    Below the paper stands a strip with what it is and a scale of 50 mm, which proves on a print that the size is true.
    Where cuts are to be shown they and the gaps are a layer of its own above the paper, and the shreds' numbers stand
    in a strip above it, or left of it where the shreds lie above one another.

    Parameters
    ----------
    document : ArchivalDocument
        To which the page is added.
    page : PreparedPage
        What to add.
    mark : Mark
        What it is.
    caption : str
        Which page it is, of which case.
    """
    width, height = (side * MM_PER_PX for side in page.size_px)
    strip = 0.0 if page.seams is None else _STRIP_MM
    left, above = corner = (strip, 0.0) if page.sideways else (0.0, strip)
    sheet_width = max(left + width, _LEAST_WIDTH_MM)
    document.add_sheet(sheet_width, above + height + _STRIP_MM)
    document.place(page.image, left, above, page.size_px)
    _add_words(document, page.words, corner)
    if page.seams is not None and page.gaps is not None:
        with document.optional_content(label="Cuts, gaps and numbers of shreds"):  # a layer that can be switched off
            _add_seams(document, page.seams, page.gaps, corner)
            _add_numbers(document, page, corner)
    if page.noted:
        with document.optional_content(label="Places that there are notes about"):
            _add_noted(document, page.noted, corner)
    _add_mark(document, mark, above + height, sheet_width, caption)


def _add_mark(document: ArchivalDocument, mark: Mark, top_mm: float, width_mm: float, caption: str) -> None:
    """Write below the paper what it is."""
    margin, second = 4.0, top_mm + 6.0
    document.set_draw_color(_GREY)
    document.set_line_width(0.1)
    document.line(0, top_mm + 0.5, width_mm, top_mm + 0.5)
    document.type(TEXT, 7, "B")
    document.write_at(margin, top_mm + 2.2, mark.word)
    used = margin + document.get_string_width(mark.word) + 1.2
    document.type(TEXT, 7, grey=_GREY)
    document.write_at(used, top_mm + 2.2, mark.of)
    used += document.get_string_width(mark.of) + 6
    room = width_mm - margin - used
    document.write_at(used, top_mm + 2.2, document.shortened(caption, room), room, "R")
    _add_scale(document, margin, second + 1.9)
    document.type(TEXT, 6, grey=_GREY)
    document.write_at(margin + _SCALE_MM + 2, second, f"{_SCALE_MM} mm at 100 %")
    made = f"{CREATOR} · {document.date:%Y-%m-%d %H:%M} UTC"
    document.write_at(margin, second, made, width_mm - 2 * margin, "R")


def _add_scale(document: ArchivalDocument, x_mm: float, y_mm: float) -> None:
    """Draw a scale with a tick for each millimetre."""
    document.set_line_width(0.15)
    document.line(x_mm, y_mm, x_mm + _SCALE_MM, y_mm)
    for tick in range(_SCALE_MM + 1):
        length = 1.8 if tick % 10 == 0 else 1.2 if tick % 5 == 0 else 0.7
        document.line(x_mm + tick, y_mm, x_mm + tick, y_mm - length)


def _add_seams(
    document: ArchivalDocument,
    seams: Sequence[NDArray[np.int32]],
    gaps: NDArray[np.bool_],
    corner_mm: tuple[float, float],
) -> None:
    """Draw the cuts, and mark where no paper lies."""
    left, top = corner_mm
    height, width = gaps.shape
    marked = np.zeros((height, width, 4), np.uint8)
    marked[..., :3], marked[..., 3] = GAP_RGB, gaps * np.uint8(255)
    document.image(Image.fromarray(marked), left, top, width * MM_PER_PX, height * MM_PER_PX)
    document.set_draw_color(*SEAM_RGB)
    document.set_line_width(0.12)
    for line in seams:
        simple = cv2.approxPolyDP(line.reshape(-1, 1, 2), 0.5, closed=False).reshape(-1, 2)
        document.polyline([(left + x * MM_PER_PX, top + y * MM_PER_PX) for x, y in simple.tolist()])


def _add_numbers(document: ArchivalDocument, page: PreparedPage, corner_mm: tuple[float, float]) -> None:
    """Write the shreds' numbers beside the paper."""
    left, top = corner_mm
    document.type(TEXT, 6, grey=_GREY)
    for shred, (x, y, width, height) in page.placements.items():
        if page.sideways:
            centre = top + (y + height / 2) * MM_PER_PX
            document.line(left - 1.6, centre, left - 0.4, centre)
            document.write_at(0, centre - document.font_size / 2, shred, left - 2, "R")
            continue
        centre = (x + width / 2) * MM_PER_PX
        document.line(centre, top - 1.6, centre, top - 0.4)
        with document.rotation(90, centre, top - 2):
            document.write_at(centre, top - 2 - document.font_size / 2, shred)


def _add_noted(document: ArchivalDocument, noted: Mapping[int, Doubles], corner_mm: tuple[float, float]) -> None:
    """Frame the places that there are notes about, and write their numbers beside them."""
    left, top = corner_mm
    document.set_draw_color(*NOTED_RGB)
    document.set_line_width(0.3)
    for number, corners in noted.items():
        frame = [(left + x * MM_PER_PX, top + y * MM_PER_PX) for x, y in corners.tolist()]
        document.polygon(frame)
        document.type(TEXT, 7, "B")
        document.write_at(frame[1][0] + 0.6, frame[1][1] - 1.0, str(number))


def _add_words(document: ArchivalDocument, words: Sequence[Word], corner_mm: tuple[float, float]) -> None:
    """Write unseen what was read, each word as wide as it stands on the paper."""
    if not words:
        return
    left, top = corner_mm
    with document.local_context(text_mode=TextMode.INVISIBLE):  # to be searched and copied
        for word in words:
            x, y, width, height = (side * MM_PER_PX for side in word.box_px)
            document.type(TEXT, max(1, ceil(height / 0.3528)))
            text = document.shown(word.text)
            natural = document.get_string_width(text)
            if natural > 0 and width > 0:
                document.set_stretching(100 * width / natural)
                document.write_at(left + x, top + y, text, width)
                document.set_stretching(100)
