"""What is in a case besides the words on its pages is found by its name: shreds, sheets, pages and notes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from core.case.case import Case
from core.text.page_text import fold

Kind: TypeAlias = Literal["page", "shred", "sheet", "note"]


@dataclass(frozen=True)
class Finding:
    """Something that was found by its name, or a note by what is written in it.

    Attributes
    ----------
    kind : {"page", "shred", "sheet", "note"}
        What it is.
    key : int or str
        Index of a page or sheet, identifier of a shred, or what a note is about (`Arrangement.notes`).
    text : str
        Name of the page or sheet, identifier of the shred, or the note.
    """

    kind: Kind
    key: int | str
    text: str


def find_things(case: Case, sheet_names: Sequence[str], wanted: str, at_most: int | None = None) -> list[Finding]:
    """Find the pages, shreds, sheets and notes that have all words of what is wanted.

    Parameters
    ----------
    case : Case
        Where to look.
    sheet_names : sequence of str
        What each sheet is called.
    wanted : str
        One or more words, or parts of them; a number alone means the page, and the sheet, of that number.
    at_most : int, optional
        No more than so many.

    Returns
    -------
    list of Finding
        What is called exactly so before what is called so in part; of each, page by page, shreds as they stand, then
        faces that are not seen, sheets, notes.
    """
    # Identifiers and names of files tell by hyphens; what people write is compared as the words on pages are.
    plain, folded = wanted.casefold().split(), fold(wanted).split()
    exact: list[Finding] = []
    in_part: list[Finding] = []
    for finding, *names in _things(case, sheet_names, plain):
        words = folded if finding.kind in ("page", "note") else plain
        if not words:
            continue
        if " ".join(words) in names or " ".join(plain) in _numbers(finding):
            exact.append(finding)
        elif len(in_part) != at_most and any(all(word in name for word in words) for name in names):
            in_part.append(finding)
    return [*exact, *in_part][:at_most]


def _things(
    case: Case, sheet_names: Sequence[str], words: Sequence[str]
) -> Iterator[tuple[Finding, str] | tuple[Finding, str, str]]:
    """List everything that can be found, each with what it is called; of thousands of shreds those with these words."""
    arrangement = case.arrangement
    for page in range(len(arrangement.pages)):
        name, document = (arrangement.page_mark(mark, page) or "" for mark in ("page_names", "page_documents"))
        yield Finding("page", page, name or document), fold(name), fold(document)
    shreds: Sequence[str] = (*arrangement.order, *arrangement.behind) if words else ()
    for word in words:
        shreds = [shred for shred in shreds if word in shred.casefold()]
    for shred in shreds:
        yield Finding("shred", shred, shred), shred.casefold()
    for sheet, name in enumerate(sheet_names):
        yield Finding("sheet", sheet, name), name.casefold()
    for about, note in arrangement.notes.items():
        yield Finding("note", about, note), fold(note)


def _numbers(finding: Finding) -> tuple[str, ...]:
    """Return by which numbers a page or sheet is known."""
    if not isinstance(finding.key, int):
        return ()
    number = str(finding.key + 1)
    return number, f"{finding.kind} {number}"
