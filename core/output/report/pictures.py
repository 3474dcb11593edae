"""What the report shows: the sheets with the outline of every shred, and all shreds side by side."""

import io
from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from core.arrangement.faces import page_labels
from core.case.case import Case
from core.output.report.archival import MONO, TEXT, ArchivalDocument
from core.output.report.typesetting import LEFT_MM, RIGHT_MM, WIDTH_MM, Typesetter
from core.progress import Progress
from core.sheets.mends import described
from core.sheets.sheet import SheetInfo, sheet_names
from core.shreds.shred import Crumb, Shred, upright
from core.units import DPI, MM_PER_PX
from core.wording import QT_TRANSLATE_NOOP, Message, counted

_SHRED_RGB = (213, 94, 0)
_CRUMB_RGB = (170, 51, 140)
_SHEET_MM = (98.0, 116.0)
"""Width and height that the picture of a sheet may take: two stand on a page."""

_ROW_MM = 100.0
"""Height of the tallest shred in the contact sheet."""

_GAP_MM = 2.6
_LABEL_MM = 7.0
_CONTACT_DPI = 200
_BACKGROUND = 214
_QUALITY = 88


def add_sheets(setter: Typesetter, case: Case, progress: Progress) -> None:
    """Show each sheet: name, size, hashes, and the outline and number of all that was found on it.

    Parameters
    ----------
    setter : Typesetter
        Sets it.
    case : Case
        Whose sheets.
    progress : Progress
        Called for each sheet.
    """
    n = len(case.sheets)
    setter.heading("Sheets", needs_mm=150)
    setter.paragraph(
        "As they were scanned, reduced; orange lines show the outline of each shred with its number, violet ones what "
        "was left out as too small. The originals were only read. Hashes are SHA-256 of the files."
    )
    for index, sheet in enumerate(case.sheets):
        text = QT_TRANSLATE_NOOP("progress", "Showing sheet {number} of {n}")
        progress(index / n, Message(text, number=index + 1, n=n))
        _add_sheet(setter, case, index, sheet)


def _add_sheet(setter: Typesetter, case: Case, index: int, sheet: SheetInfo) -> None:
    document = setter.document
    width_px, height_px = sheet.size_px
    scale = min(_SHEET_MM[0] / width_px, _SHEET_MM[1] / height_px)
    width, height = width_px * scale, height_px * scale
    setter.y_mm += 2
    setter.need(max(height, 60.0))
    top = setter.y_mm
    document.image(_jpeg(sheet.preview), LEFT_MM, top, width, height)
    shreds = [shred for shred in case.shreds if shred.sheet == index]
    crumbs = [crumb for crumb in case.crumbs if crumb.sheet == index and crumb.reason != "frame"]
    _outline(document, crumbs, (LEFT_MM, top), scale, _CRUMB_RGB)
    _outline(document, shreds, (LEFT_MM, top), scale, _SHRED_RGB)
    for shred in shreds:
        _number(document, shred, (LEFT_MM, top), scale)
    bottom = _sheet_facts(document, case, index, (LEFT_MM + _SHEET_MM[0] + 6, top), len(shreds), len(crumbs))
    setter.y_mm = max(top + height, bottom) + 3


def _sheet_facts(
    document: ArchivalDocument, case: Case, index: int, corner_mm: tuple[float, float], n_shreds: int, n_crumbs: int
) -> float:
    """Write beside a sheet what is known of it; where it ends comes back."""
    sheet, (x, y) = case.sheets[index], corner_mm
    width = RIGHT_MM - x
    document.type(TEXT, 9.5, "B")
    y = document.write_block(x, y, f"{index + 1}  {sheet_names(case.sheets, 1)[index]}", width) + 0.8
    source = {"file": "as the file says", "given": "as given by the examiner", "estimated": "estimated"}
    width_mm, height_mm = (side * MM_PER_PX for side in sheet.size_px)
    lines = [
        f"{width_mm:.0f} × {height_mm:.0f} mm, {sheet.dpi:g} dpi ({source[sheet.dpi_source]})",
        f"{sheet.size_px[0]} × {sheet.size_px[1]} pixels at {DPI} dpi",
        f"{sheet.size_bytes:,} bytes" if sheet.size_bytes else "size of the file not noted",
        f"{counted(n_shreds, 'piece')} with a number" + (f", {n_crumbs} left out as too small" if n_crumbs else ""),
    ]
    if sheet.corners_px is not None:
        corners = ", ".join(f"({x:.1f}, {y:.1f})" for x, y in sheet.corners_px)
        lines.append(f"photograph, laid flat: {corners} of the file, in pixels, became the corners of a rectangle")
    if sheet.mends:
        lines.append(f"mended by the examiner, places in pixels at {DPI} dpi: {described(sheet.mends)}")
    document.type(TEXT, 8, grey=60)
    for line in lines:
        y = document.write_block(x, y, line, width, 1.4)
    for label, digest in (("SHA-256", sheet.sha256), ("SHA-256 of the mask beside it", sheet.mask_sha256)):
        if digest:
            document.type(TEXT, 7, grey=100)
            y = document.write_block(x, y + 1.2, label, width)
            document.type(MONO, 7.5)
            y = document.write_block(x, y, "\n".join(digest[at : at + 32] for at in range(0, len(digest), 32)), width)
    return y


def _outline(
    document: ArchivalDocument,
    pieces: Iterable[Shred | Crumb],
    corner_mm: tuple[float, float],
    scale: float,
    rgb: tuple[int, int, int],
) -> None:
    document.set_draw_color(*rgb)
    document.set_line_width(0.2)
    for piece in pieces:
        outline = np.asarray(piece.outline, np.float32).reshape(-1, 1, 2)
        if len(outline) > 2:
            points = cv2.approxPolyDP(outline, 3.0, closed=True).reshape(-1, 2) * scale + corner_mm
            document.polygon([(float(x), float(y)) for x, y in points])


def _number(document: ArchivalDocument, shred: Shred, corner_mm: tuple[float, float], scale: float) -> None:
    """Write a shred's number upon it, on a patch of white."""
    x, y, width, height = (value * scale for value in shred.bbox)
    document.type(TEXT, 5.5, "B")
    label = shred.id.split("-", 1)[-1]
    wide = document.get_string_width(label)
    left, top = corner_mm[0] + x + width / 2 - wide / 2, corner_mm[1] + y + min(3.0, height / 3)
    document.set_fill_color(255)
    document.rect(left - 0.3, top - 0.2, wide + 0.6, 2.2, style="F")
    document.write_at(left, top, label)


def add_contact_sheet(setter: Typesetter, case: Case, progress: Progress) -> None:
    """Show all shreds side by side, page by page, and those without a place.

    Parameters
    ----------
    setter : Typesetter
        Sets it.
    case : Case
        Whose shreds.
    progress : Progress
        Called for each page.
    """
    setter.heading("All shreds", needs_mm=150)
    tallest = max((shred.mask.shape[0] for shred in case.shreds), default=1) * MM_PER_PX
    scale = min(1.0, _ROW_MM / tallest)
    setter.paragraph(
        f"Straightened, as they stand on the pages, reduced to {100 * scale:.0f} %; grey shows where paper ends. "
        "Those set aside come last."
    )
    groups = [
        (f"Page {label}", page)
        for label, page in zip(page_labels(case.arrangement), case.arrangement.pages, strict=True)
    ]
    groups.append(("Set aside", case.arrangement.set_aside))
    for number, (title, ids) in enumerate(groups):
        text = Message(QT_TRANSLATE_NOOP("progress", "Showing shreds of {what}"), what=title.lower())
        progress(number / len(groups), text)
        if ids:
            shreds = [case.arrangement.pose(case.shred_by_id[each]) for each in ids]
            _add_group(setter, f"{title}: {len(ids)}", shreds, scale)
    progress(1.0, QT_TRANSLATE_NOOP("progress", "Showing shreds"))


def _add_group(setter: Typesetter, title: str, shreds: Sequence[Shred], scale: float) -> None:
    document = setter.document
    heights = [shred.height_px * MM_PER_PX * scale for shred in shreds]
    setter.subheading(title, needs_mm=max(heights) + _LABEL_MM + 8)
    document.set_draw_color(190)
    document.set_line_width(0.08)
    x, row_height = LEFT_MM, 0.0
    for shred, height in zip(shreds, heights, strict=True):
        width = shred.width_px * MM_PER_PX * scale
        if x > LEFT_MM and x + width > RIGHT_MM:
            setter.y_mm += row_height
            x, row_height = LEFT_MM, 0.0
        if x == LEFT_MM:
            setter.need(height + _LABEL_MM + 1)
        document.type(TEXT, 5.5, grey=60)
        centre = x + width / 2
        with document.rotation(90, centre, setter.y_mm + _LABEL_MM - 0.8):
            document.write_at(centre, setter.y_mm + _LABEL_MM - 0.8 - document.font_size / 2, shred.id)
        document.image(_reduced(shred, scale), x, setter.y_mm + _LABEL_MM, min(width, WIDTH_MM), height)
        document.rect(x, setter.y_mm + _LABEL_MM, min(width, WIDTH_MM), height)
        row_height = max(row_height, height + _LABEL_MM + 2)
        x += width + _GAP_MM
    setter.y_mm += row_height


def _reduced(shred: Shred, scale: float) -> io.BytesIO:
    """Return a small picture of a shred."""
    pixels, mask = upright(shred)
    shown = np.where(mask[..., None], pixels, np.uint8(_BACKGROUND)).astype(np.uint8)
    factor = scale * _CONTACT_DPI / DPI
    size = tuple(max(1, round(side * factor)) for side in mask.shape[::-1])
    return _jpeg(np.asarray(cv2.resize(shown, size, interpolation=cv2.INTER_AREA), np.uint8))


def _jpeg(pixels: NDArray[np.uint8]) -> io.BytesIO:
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "jpeg", quality=_QUALITY)
    buffer.seek(0)
    return buffer
