"""A case as a folder of files for other programs: pages, the order as a table, each shred cut out."""

import csv
import json
from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime
from math import ceil, isfinite
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import tifffile
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from core import __version__
from core.arrangement.arrangement import SAID_BELOW
from core.arrangement.details import CaseDetails
from core.arrangement.faces import numbered
from core.case.case import Case
from core.composition.backs import with_backs
from core.composition.page_image import GAP_RGB, SEAM_RGB, PageImage, Rendition, gaps, seam_lines, turned
from core.composition.pages import compose, without_seams
from core.composition.rows import joins_of, numbers_in_rows
from core.errors import UsageError
from core.matching.costs import CUES
from core.options import ABOUT, SUMS, Export, OrderFormat, OutputOptions, PageFormat
from core.output.page_names import described, file_stems, names_of
from core.output.pages import add_to_tiff, date_of
from core.output.report.archival import CREATOR, SUBJECT, SUBJECTS
from core.output.report.preparing import described_png, encode
from core.output.result import finite, title
from core.parallel import map_in_order
from core.progress import Progress, in_parts, no_progress
from core.sheets.sheet import sheet_names
from core.shreds.shred import Shred, rgba, upright
from core.system.files import file_sha256, new_folder
from core.system.places import font_path
from core.text import tesseract
from core.text.reading import read_pages
from core.units import DPI, MM_PER_PX
from core.wording import QT_TRANSLATE_NOOP

_STRIP_PX = 130
_NUMBER_PX = 30


def write_export(
    folder: Path,
    case: Case,
    wanted: Export,
    *,
    name: str = "",
    date: datetime | None = None,
    progress: Progress = no_progress,
) -> Path:
    """Write a case as a folder: all of it, or nothing. It says of itself what it is, and lists the hashes of its files.

    Parameters
    ----------
    folder : Path
        Must not be there yet, or be empty.
    case : Case
        What to export.
    wanted : Export
        Which parts.
    name : str
        Of the case; what it was made from, if not given.
    date : datetime, optional
        Written into TIFF files; that of the last step in the case's history, if absent.
    progress : Progress
        Called for each page and shred.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    UsageError
        If nothing is wanted, or text where Tesseract is not installed or does not know a language.
    OutputError
        If it cannot be written; then nothing of it is left.
    """
    if wanted.text:
        _check_readable(wanted.text)
    case = with_backs(case)
    date = date or date_of(case)
    name = name or title(case)
    of_pages: tuple[Case, PageFormat, datetime] = case, wanted.pages or "png", date
    possible: list[tuple[Any, Callable[[Path, Progress], None]]] = [
        (wanted.pages, lambda new, progress: _write_pages(new / "pages", *of_pages, progress)),
        (wanted.reading, lambda new, progress: _write_pages(new / "reading", *of_pages, progress, rendition="reading")),
        (wanted.seams, lambda new, progress: _write_pages(new / "seams", *of_pages, progress, seams=True)),
        (wanted.shreds, lambda new, progress: _write_shreds(new / "shreds", case, progress)),
        (wanted.text, lambda new, progress: _write_text(new / "text", case, wanted.text, progress)),
        (wanted.order, lambda new, progress: _write_order(new, case, wanted.order, name)),
    ]
    steps = [write for is_wanted, write in possible if is_wanted]
    if not steps:
        raise UsageError("There is nothing to export. Choose pages, reading pages, order, shreds, seams or text.")
    with new_folder(folder) as new:
        for step, of_step in in_parts(steps, progress):
            step(new, of_step)
        _write_about(new / ABOUT, case, name, date, wanted.text)
        _write_sums(new)
    progress(1.0, QT_TRANSLATE_NOOP("progress", "Exported"))
    return folder


def _write_pages(
    folder: Path,
    case: Case,
    suffix: PageFormat,
    date: datetime,
    progress: Progress,
    *,
    seams: bool = False,
    rendition: Rendition = "evidence",
) -> None:
    """Write one file for each page."""
    folder.mkdir()
    plain, stems = without_seams(case), file_stems(case.arrangement)

    def write(page: int) -> None:
        composed = compose(plain, page, rendition)
        pixels = with_seams(composed) if seams else composed.pixels
        about = f"{title(case)}, {described(case.arrangement, page)}"
        stem = stems[page]
        if suffix == "png":
            (folder / f"{stem}.png").write_bytes(encode(pixels, OutputOptions(), about, SUBJECTS[rendition]))
            return
        with tifffile.TiffWriter(folder / f"{stem}.tif") as tiff:
            add_to_tiff(tiff, pixels, about, date, rendition)

    writing = QT_TRANSLATE_NOOP("progress", "Writing page {number} of {n}")
    list(map_in_order(write, range(len(stems)), writing, progress))


def with_seams(composed: PageImage) -> NDArray[np.uint8]:
    """Draw the cuts of a page, mark where no paper lies, and write the shreds' numbers above, or beside.

    Parameters
    ----------
    composed : PageImage
        The page; it stays as it is.

    Returns
    -------
    ndarray of shape (h + 130, w, 3) or (h, w + 130, 3), uint8
        RGB at 300 dpi.
    """
    # Drawn on the page as it was before it was turned; then numbers beside shreds that lie across are level.
    turns = composed.quarter_turns
    before, label_deg = turned(composed, -turns), (0 if composed.sideways else 90) - 90 * turns
    width = before.pixels.shape[1]
    strip = Image.new("RGB", (width, _STRIP_PX), "white")
    draw, font = ImageDraw.Draw(strip), ImageFont.truetype(font_path("NotoSans-Regular"), _NUMBER_PX)
    for shred, (x, _, wide, _) in before.placements.items():
        label = Image.new("RGB", (min(_STRIP_PX, ceil(font.getlength(shred))), _NUMBER_PX + 8), "white")
        ImageDraw.Draw(label).text((0, 0), shred, "black", font)
        centre = x + wide // 2
        label = label.rotate(label_deg, expand=True)
        strip.paste(label, (centre - _NUMBER_PX // 2 - 4, _STRIP_PX - 24 - label.height))
        draw.line([(centre, _STRIP_PX - 20), (centre, _STRIP_PX - 4)], SEAM_RGB, 2)
    drawn = np.concatenate([np.asarray(strip), before.pixels])
    drawn[_STRIP_PX:][gaps(before)] = GAP_RGB
    for line in seam_lines(before):
        below = line + np.array([0, _STRIP_PX], np.int32)
        cv2.polylines(drawn, [below.reshape(-1, 1, 2)], False, SEAM_RGB, 2)
    return np.ascontiguousarray(np.rot90(drawn, turns), np.uint8)


def _write_shreds(folder: Path, case: Case, progress: Progress) -> None:
    """Write each shred as a PNG that is transparent beyond its paper."""
    folder.mkdir()
    names = sheet_names(case.sheets)

    def write(shred: Shred) -> None:
        sheet = case.sheets[shred.sheet]
        info = described_png(
            f"Shred {shred.id}, cut out of {names[shred.sheet]}",
            f"SHA-256 of the sheet: {sheet.sha256}. The shred lay turned by {shred.angle_deg:.2f}°.",
        )
        picture = Image.fromarray(rgba(*upright(case.arrangement.pose(shred))))
        picture.save(folder / f"{shred.id}.png", dpi=(DPI, DPI), compress_level=2, pnginfo=info)

    list(map_in_order(write, case.shreds, QT_TRANSLATE_NOOP("progress", "Writing shred {number} of {n}"), progress))


def _check_readable(languages: str) -> None:
    """Check that Tesseract is there and knows the languages."""
    if not tesseract.installed():
        raise UsageError(f"{tesseract.NOT_INSTALLED} Install it (on Debian: tesseract-ocr), or export without text.")
    tesseract.check_languages(languages)


def _write_text(folder: Path, case: Case, languages: str, progress: Progress) -> None:
    """Write what is read on each page."""
    folder.mkdir()
    stems = file_stems(case.arrangement)
    for page, text in read_pages(case, range(len(stems)), languages, progress):
        (folder / f"{stems[page]}.txt").write_text(text.text + "\n", encoding="utf-8", newline="\n")


def _write_order(folder: Path, case: Case, formats: Collection[OrderFormat], name: str) -> None:
    """Write the order for people's tables and for programs."""
    rows = list(order(case))
    if "csv" in formats:
        with (folder / "order.csv").open("w", encoding="utf-8-sig", newline="") as file:  # with a mark, for Excel
            writer = csv.DictWriter(file, fieldnames=_COLUMNS)
            writer.writeheader()
            writer.writerows({name: _inert(value) for name, value in row.items()} for row in rows)
    if "json" in formats:
        values = {
            "about": SUBJECT,
            "case": name,
            **({"details": details} if (details := CaseDetails.of(case.arrangement).values()) else {}),
            "rejoin": __version__,
            "sheets": [
                {"number": number, "name": name, "sha256": sheet.sha256}
                for number, (sheet, name) in enumerate(zip(case.sheets, sheet_names(case.sheets), strict=True), start=1)
            ],
            **({"pages": pages} if (pages := _pages_called(case)) else {}),
            "order": rows,
            "forbidden": sorted(map(list, case.arrangement.forbidden)),
            **{name: sorted(map(list, pairs)) for name in SAID_BELOW if (pairs := getattr(case.arrangement, name))},
            "notes": dict(sorted(case.arrangement.notes.items())),
            "history_sha256": case.history[-1].sha256 if case.history else None,
        }
        text = json.dumps(values, indent=1, ensure_ascii=False, allow_nan=False)
        (folder / "order.json").write_text(text + "\n", encoding="utf-8", errors="backslashreplace")


def _pages_called(case: Case) -> list[dict[str, Any]]:
    """List the pages that have a name or belong to a document."""
    pages = enumerate(numbered(case.arrangement))
    named = [(number, names_of(case.arrangement, page)) for page, (number, is_back) in pages if not is_back]
    return [{"page": page, "name": name, "document": document} for page, (document, name) in named if document or name]


def _inert(value: Any) -> Any:
    """Quote a note that a spreadsheet would carry out: it takes "=…" for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


def _write_about(file: Path, case: Case, name: str, date: datetime, languages: str) -> None:
    """Write what lies in the folder, and what it was made from."""
    lines = [
        name,
        SUBJECT,
        *(f"{label}: {value}" for label, value in CaseDetails.of(case.arrangement).lines()),
        "",
        f"{CREATOR}; state of {date.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC",
        f"SHA-256 of the last entry of the history: {case.history[-1].sha256 if case.history else 'none'}",
        f"SHA-256 of the model: {case.weights_sha256}",
        *([f"SHA-256 of the model of pieces: {case.piece_weights_sha256}"] if case.piece_weights_sha256 else []),
        "",
        "Made from:",
        *(f"{number}  {sheet.place}  SHA-256 {sheet.sha256}" for number, sheet in enumerate(case.sheets, start=1)),
        "",
        f"{SUMS} lists the SHA-256 of all files here. Where pages/ shows plain white (255, 255, 255) no paper lies;",
        "seams/ marks that in pale blue. reading/ is made to be read: rims of cuts lie over one another there,",
        "strips that lay bent are straight, and paper is made even. The report says how pages are made, and how sure",
        "each join is.",
    ]
    if languages:
        by = f"text/ was read by {tesseract.version()} ({languages})"
        lines.append(f"{by}; it can be wrong, and is no part of the evidence.")
    file.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="backslashreplace", newline="\n")


def _write_sums(folder: Path) -> None:
    """List the SHA-256 of all files, as ``sha256sum --check`` reads them."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    lines = [f"{file_sha256(path)}  {path.relative_to(folder).as_posix()}\n" for path in files]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8", newline="\n")


_COLUMNS = (
    "page", "row", "position", "shred", "sheet", "half_turn", "turned_deg", "blank", "left_neighbour", "cost", "ink",
    "contour", "tone", "lines", "laying", "shift_px", "shift_mm", "confidence", "state", "note_on_join",
    "note_on_shred", "face", "other_face",
)  # fmt: skip


def order(case: Case) -> Iterator[dict[str, Any]]:
    """Describe for each shred where it stands, and its join with its left neighbour; those set aside come last.

    With backs (`core.composition.backs.with_backs`) each face has one. On a page of several rows of pieces positions
    are counted in each of them.

    Parameters
    ----------
    case : Case
        With an arrangement.

    Yields
    ------
    dict
        With the columns of ``order.csv``; None where there is nothing to say.
    """
    joins = {(join.left, join.right): join for join in case.joins}
    arrangement = case.arrangement
    for number, (page, is_back) in enumerate(numbered(arrangement)):
        ids = arrangement.pages[number]
        neighbours = {right: left for left, right in joins_of(arrangement, number)}
        in_rows = numbers_in_rows(arrangement, number)
        for at, shred in enumerate(ids, start=1):
            face = {"face": "back" if is_back else "front"} if shred in arrangement.other_faces else {}
            in_row, position = in_rows.get(shred, (None, at))
            row = _row(case, shred) | {"page": page, "row": in_row, "position": position} | face
            if shred in neighbours:
                join = joins[neighbours[shred], shred]
                row |= {
                    "left_neighbour": join.left,
                    "cost": finite(join.cost),
                    "ink": finite(join.ink),
                    **{name: getattr(join, name) for name in (*CUES, "shift_px")},
                    "shift_mm": round(join.shift_px * MM_PER_PX, 3),
                    "confidence": join.confidence if isfinite(join.cost) else None,
                    "state": arrangement.state(join.left, join.right),
                    "note_on_join": arrangement.notes.get(f"{join.left}|{join.right}"),
                }
            yield row
    seen = arrangement.places.keys()
    behind = [shred.id for shred in case.shreds if shred.id in arrangement.other_faces and shred.id not in seen]
    for shred in (*arrangement.set_aside, *behind):  # of blank paper both faces
        yield _row(case, shred)


def _row(case: Case, shred: str) -> dict[str, Any]:
    half_turn, turned_deg = case.arrangement.turn_of(shred)
    faces = case.arrangement.other_faces
    return dict.fromkeys(_COLUMNS) | {
        "shred": shred,
        "sheet": case.shred_by_id[shred].sheet + 1,
        "half_turn": half_turn,
        "turned_deg": turned_deg,
        "blank": case.shred_by_id[shred].blank,
        "note_on_shred": case.arrangement.notes.get(shred),
        "other_face": faces[shred][0] if shred in faces else None,
    }
