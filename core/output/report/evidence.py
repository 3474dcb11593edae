"""The report on a reconstruction: its pages, and all that another examiner needs to judge and repeat them."""

import logging
import platform
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import Any

from core import __version__
from core.arrangement.details import CaseDetails
from core.arrangement.faces import numbered, page_labels
from core.case.case import Case
from core.composition.backs import with_backs
from core.composition.page_image import Rendition
from core.errors import UsageError
from core.faces.notes import notes_on_faces
from core.matching.confidence import DOUBTFUL, JoinBelow
from core.options import REPORT_SECTIONS
from core.output.page_range import described_pages
from core.output.pages import check_originals, date_of
from core.output.report.archival import ArchivalDocument
from core.output.report.page_sheet import add_pages
from core.output.report.pictures import add_contact_sheet, add_sheets
from core.output.report.prose import add_limits, add_method
from core.output.report.tables import add_history, add_joins, add_options, add_page_names, add_shreds
from core.output.report.typesetting import Typesetter
from core.output.result import made_from, title
from core.progress import Progress, in_parts, no_progress, part
from core.shreds.cross_cut.whole_set import cut_of
from core.system.files import replacing
from core.system.places import shipped_weights_sha256
from core.system.versions import installed
from core.text import tesseract
from core.text.reading import read_page
from core.text.tesseract import NOT_INSTALLED
from core.wording import counted

logger = logging.getLogger(__name__)

_SEARCHABLE = "Text to search for was read by {by} ({languages}); it can be wrong, and is no part of the evidence."
_WHAT_IT_IS = "Report on a reconstruction of shredded paper. What it shows is no original."
_WRITERS = ("fpdf2", "pikepdf", "img2pdf", "pillow")

_counted = partial(counted, thousands=",")


def write_report(
    path: Path,
    case: Case,
    *,
    name: str = "",
    appendix: Path | None = None,
    sections: Collection[str] = REPORT_SECTIONS,
    pages: Sequence[int] | None = None,
    seams: bool = False,
    reading: bool = False,
    languages: str = "",
    date: datetime | None = None,
    progress: Progress = no_progress,
) -> tuple[Path, ...]:
    """Write the report: the pages of the reconstruction at true size, then what led to them.

    Parameters
    ----------
    path : Path
        Ends in ``.pdf``.
    case : Case
        What to report on.
    name : str
        Of the case; what the pages were made from, if not given.
    appendix : Path, optional
        Gets what led to the pages as a file of its own.
    sections : collection of str
        What it holds, some of `core.options.REPORT_SECTIONS`; it says itself what was left out.
    pages : sequence of int, optional
        Indices of the pages that are shown; all, if absent. What led to them is told of all.
    seams : bool
        Whether cuts and numbers of shreds are shown, as a layer above the pages.
    reading : bool
        Whether the reading pages follow the evidence pages.
    languages : str
        Those in which Tesseract is to read the pages, "deu+eng", so that they can be searched; empty: not at all.
        Where it is not installed the report says so.
    date : datetime, optional
        Written into the files; that of the last step in the case's history, if absent.
    progress : Progress
        Called for each page.

    Returns
    -------
    tuple of Path
        The files written.

    Raises
    ------
    UsageError
        If a name does not end in ``.pdf`` or is that of a sheet, Tesseract does not know a language, or nothing is left
        to be written to a file.
    OutputError
        If it cannot be written; whatever stood there before still stands there.
    """
    paths = (path,) if appendix is None else (path, appendix)
    for each in paths:
        if each.suffix.lower() != ".pdf":
            raise UsageError(f"A report cannot be written as {each.name}. End the name in .pdf.")
    check_originals(case, paths)
    order, led_to = _order(case), [name for name in REPORT_SECTIONS if name in sections and name != "pages"]
    below, case, chosen = case.joins_below if case.below else (), with_backs(case), pages
    of_pages = enumerate(numbered(case.arrangement))
    shown = [page for page, (number, _) in of_pages if chosen is None or number - 1 in chosen]
    if not (led_to or (appendix is None and "pages" in sections)):
        raise UsageError("Nothing would be in the report. Choose at least one of its sections.")
    readable = bool(languages) and tesseract.installed()
    if readable:
        tesseract.check_languages(languages)
    details = CaseDetails.of(case.arrangement)
    name, date = details.heading(name or title(case)), date or date_of(case)
    caption = f"Report on {name}: {made_from(case).lower()}"
    with ExitStack() as stack:
        new = [stack.enter_context(replacing(each)) for each in paths]
        documents = [stack.enter_context(ArchivalDocument(caption, date, each.parent)) for each in new]
        for document in documents:
            document.describe(details)
        renditions: tuple[Rendition, ...] = ("evidence", "reading") if reading else ("evidence",)
        if "pages" in sections:
            # Both renditions ask for the same words.
            read = cache(lambda page: read_page(case, page, languages).words) if readable else None
            for rendition, of_these in in_parts(renditions, part(progress, 0, 0.6)):
                how: dict[str, Any] = {"seams": seams, "rendition": rendition, "read": read, "numbers": shown}
                add_pages(documents[0], case, name, of_these, noted=rendition == "evidence", **how)
        searchable = ""
        if languages:
            searchable = _SEARCHABLE.format(by=tesseract.version(), languages=languages) if readable else NOT_INSTALLED
        if led_to:
            setter = Typesetter(documents[-1], name)
            lacks = _left_out(case, sections, chosen)
            _add_sections(setter, case, led_to, name, searchable, lacks, order, below, part(progress, 0.6, 0.9))
        for number, (document, file) in enumerate(zip(documents, new, strict=True)):
            share = 0.1 / len(new)
            document.save(file, part(progress, 0.9 + number * share, 0.9 + (number + 1) * share))
    logger.info("A report is written: %d pages", len(case.arrangement.pages))
    return paths


def _add_sections(
    setter: Typesetter,
    case: Case,
    sections: Sequence[str],
    name: str,
    searchable: str,
    lacks: Sequence[tuple[str, str]],
    order: str,
    below: Sequence[JoinBelow],
    progress: Progress,
) -> None:
    """Add what led to the pages."""
    if "summary" not in sections:
        setter.title(name, _WHAT_IT_IS)
        setter.facts(lacks)
        _add_signature(setter, case)
    add: dict[str, Callable[[], None]] = {
        "summary": lambda: _add_summary(setter, case, name, searchable, lacks, order, below),
        "sheets": lambda: add_sheets(setter, case, part(progress, 0, 0.3)),
        "shreds": lambda: add_shreds(setter, case),
        "order": lambda: add_joins(setter, case, below),
        "pictures": lambda: add_contact_sheet(setter, case, part(progress, 0.5, 0.9)),
        "options": lambda: add_options(setter, case),
        "history": lambda: add_history(setter, case),
        "software": lambda: _add_software(setter, case),
        "method": lambda: add_method(setter, cut_of(case.shreds) == "cross"),
        "limits": lambda: add_limits(setter, case.weights_sha256, case.versions.get("rejoin", "")),
    }
    for section in sections:
        add[section]()


def _left_out(case: Case, sections: Collection[str], shown: Sequence[int] | None) -> list[tuple[str, str]]:
    """Say what a report lacks that it could hold."""
    lacks = [name for name in REPORT_SECTIONS if name not in sections and name != "pages"]
    n, facts = numbered(case.arrangement)[-1][0] if case.arrangement.pages else 0, []
    if shown is not None and len(shown) < n and "pages" in sections:
        facts.append(("Pages shown here", f"{described_pages(shown)} of {n}"))
    return [*facts, ("Left out here", ", ".join(lacks))] if lacks else facts


def _add_summary(
    setter: Typesetter,
    case: Case,
    name: str,
    searchable: str,
    lacks: Sequence[tuple[str, str]],
    order: str,
    below: Sequence[JoinBelow],
) -> None:
    arrangement, details = case.arrangement, CaseDetails.of(case.arrangement)
    setter.title(name, _WHAT_IT_IS, details.logo_png)
    pages = numbered(arrangement)
    n_backs = sum(is_back for _, is_back in pages)
    placed = sum(len(page) for page, (_, is_back) in zip(arrangement.pages, pages, strict=True) if not is_back)
    backs = {shred for page, (_, is_back) in zip(arrangement.pages, pages, strict=True) if is_back for shred in page}
    joins = [join for join in case.joins if join.left not in backs]  # seen from behind each is the same one
    states = Counter(arrangement.state(join.left, join.right) for join in joins)
    doubtful = sum(join.doubtful for join in joins)
    facts = [
        *details.lines(),
        *lacks,
        ("Made from", f"{_counted(len(case.sheets), 'sheet')}, {_pieces(case)}"),
        ("Pages", f"{len(pages) - n_backs}, of {_counted(placed, 'shred')}"),
        *([("Pages with a back", str(n_backs))] if n_backs else []),
        ("Set aside", _set_aside(case)),
        (
            "Joins",
            f"{len(joins)}: {states['confirmed']} confirmed by the examiner, {states['suggested']} suggested"
            + (f", {states['forbidden']} forbidden and standing all the same" if states["forbidden"] else ""),
        ),
        ("Doubtful joins", f"{doubtful} (less than {100 * DOUBTFUL:.0f} % sure)"),
        *([("From row to row", _from_row_to_row(case, below))] if below else []),
        ("Forbidden pairs", str(len(arrangement.forbidden))),
        *([("Pinned to their page", ", ".join(sorted(arrangement.pinned)))] if arrangement.pinned else []),
        ("Order", order),
        ("Images", "lossless" if case.options.output.lossless else f"JPEG, quality {case.options.output.jpeg_quality}"),
    ]
    turned = [(page, turns) for page in range(len(arrangement.pages)) if (turns := case.quarter_turns(page))]
    if turned:
        labels = page_labels(arrangement)
        told = ", ".join(f"page {labels[page]} by {90 * turns}°" for page, turns in turned)
        facts.append(("Turned to be read", f"{told}, counter-clockwise"))
    fronts = [page for page, (_, is_back) in enumerate(pages) if not is_back]
    slopes = [(pages[page][0], arrangement.page_mark("page_slopes", page)) for page in fronts]
    if any(slope_deg for _, slope_deg in slopes):
        told = ", ".join(f"page {number} by {slope_deg:+.2f}°" for number, slope_deg in slopes if slope_deg)
        facts.append(("Levelled by hand", f"{told.replace('-', '−')}, counter-clockwise"))
    if case.history:
        people = sorted({entry.who for entry in case.history if entry.who})
        facts += [
            ("Worked on by" if details.examiner else "Examiner", ", ".join(people) or "not named"),
            ("Worked on", f"{case.history[0].when} to {case.history[-1].when}; this report bears the last time"),
            *(("Marked", entry.text) for entry in case.history if entry.what == "marked"),
            ("Last hash of history", case.history[-1].sha256),
        ]
    setter.facts(facts, mono=("Last hash of history",))
    add_page_names(setter, case)
    if searchable:
        setter.paragraph(searchable)
    for sentence in case.unreadable:
        setter.paragraph(f"Left out: {sentence}")
    for sentence in notes_on_faces(case.shreds, arrangement, case.sheets):
        setter.paragraph(sentence)
    if arrangement.notes.get(""):
        setter.subheading("Note of the examiner")
        setter.paragraph(arrangement.notes[""])
    _add_signature(setter, case)


def _from_row_to_row(case: Case, below: Sequence[JoinBelow]) -> str:
    """Count the joins of pieces that stand directly below each other."""
    confirmed, doubtful = (
        sum(join.pair in case.arrangement.confirmed_below for join in below),
        sum(join.doubtful for join in below),
    )
    return f"{len(below)}: {confirmed} confirmed by the examiner; {doubtful} doubtful"


def _add_signature(setter: Typesetter, case: Case) -> None:
    """Leave room for who answers for the report."""
    examiner = CaseDetails.of(case.arrangement).examiner
    setter.lines_to_fill_in((("Examiner", examiner), ("Place and date", ""), ("Signature", "")))


def _pieces(case: Case) -> str:
    """Count the paper: of two faces one counts."""
    n_both = len(case.arrangement.other_faces) // 2
    pieces = f"{_counted(len(case.shreds) - n_both, 'piece')} of paper"
    if 2 * n_both == len(case.shreds):
        return f"{pieces}, scanned on both faces"
    return f"{pieces}, {n_both:,} of them scanned on both faces" if n_both else pieces


def _set_aside(case: Case) -> str:
    numbered = _counted(len(case.arrangement.set_aside), "piece") if case.arrangement.set_aside else "none"
    n_small = sum(crumb.reason != "frame" for crumb in case.crumbs)
    return numbered + (f"; {_counted(n_small, 'piece')} without a number, too small or too narrow" if n_small else "")


def _order(case: Case) -> str:
    """Say how the order came about; where rows or backs were put into pages, nothing tells any more."""
    if case.by_hand:
        return "changed by hand after it was found"
    if case.arrangement.grid_places:
        return "found; that no other order of these pieces fits better is not proved"
    if case.optimal:
        return "proved to be the cheapest"
    return f"may be up to {case.gap_percent:.2g} % dearer than the cheapest"


def _add_software(setter: Typesetter, case: Case) -> None:
    setter.heading("Software")
    setter.facts(sorted(case.versions.items()))
    setter.facts(_changed_software(case))
    shipped = shipped_weights_sha256() == case.weights_sha256
    facts = [
        ("Model", "the encoder that ships with Rejoin" if shipped else "another encoder than this version ships with"),
        ("Its SHA-256", case.weights_sha256),
    ]
    if case.piece_weights_sha256:
        facts.append(("Pieces, SHA-256", case.piece_weights_sha256.replace("+", " ")))
    setter.facts(facts, mono=("Its SHA-256", "Pieces, SHA-256"))
    there = installed(_WRITERS)  # a bundle may leave out what describes packages
    writers = ", ".join(f"{library} {there.get(library, '(unknown version)')}" for library in _WRITERS)
    setter.facts([("This report", f"Rejoin {__version__}, Python {platform.python_version()}, {writers}")])


def _changed_software(case: Case) -> Iterator[tuple[str, str]]:
    """Find from which step on other versions or another model were used than at first."""
    before: dict[str, str] = case.versions
    for entry in case.history[1:]:
        now: dict[str, str] = entry.parameters.get("versions", before)
        other = [
            f"{name} {now.get(name, 'absent')}" for name in sorted(before | now) if before.get(name) != now.get(name)
        ]
        if "sheets" not in entry.parameters and "weights_sha256" in entry.parameters:
            other.append(f"model {entry.parameters['weights_sha256']}")
        if other:
            yield f"From step {entry.number} on", ", ".join(other)
        before = now
