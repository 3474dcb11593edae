"""How shreds, pages and notes are named in sentences."""

from collections.abc import Sequence

from app.wording import translate
from core.arrangement.arrangement import Arrangement
from core.arrangement.grid import number_of
from core.arrangement.noted import subject_of

FEW = 3
"""So many are named; of more how many there are."""

_LONGEST = 60


def place(arrangement: Arrangement, shred: str) -> str:
    """Say where a shred stands: "page 4, place 2", "the tray", or "behind shred 3-12"."""
    if (seen := arrangement.seen(shred)) != shred:
        return translate("sentences", "behind {shred}").format(shred=listed((seen,)))
    page, at = arrangement.places[shred]
    if page == len(arrangement.pages):
        return translate("sentences", "the tray")
    text = translate("sentences", "{page}, place {place}")
    return text.format(page=pages(arrangement, [page]), place=at + 1)


def pages(arrangement: Arrangement, numbers: Sequence[int]) -> str:
    """Name pages: "page 4", "pages 4, 5 and 9 more"; rows of pieces "page 1, row 2; page 1, row 3"."""
    rows = [(page + 1, row) for page, row in (number_of(arrangement, number) for number in numbers[:FEW])]
    n_more = len(numbers) - len(rows)
    shown, text = ", ".join(str(page) for page, _ in rows), translate("sentences", "pages {n}")
    if any(row is not None for _, row in rows):
        of_page, of_row = translate("sentences", "page {n}"), translate("sentences", "page {n}, row {row}")
        shown = "; ".join((of_page if row is None else of_row).format(n=page, row=1 + (row or 0)) for page, row in rows)
        text = "{n}"
    elif len(numbers) == 1:
        text = translate("sentences", "page {n}")
    if n_more > 0:
        text = translate("sentences", "{pages} and {n_more} more").format(pages=text, n_more=n_more)
    return text.format(n=shown)


def first_upper(text: str) -> str:
    """Let a text begin with a capital letter."""
    return text[:1].upper() + text[1:]


def listed(shreds: Sequence[str]) -> str:
    """Name shreds: "shred 3-12", "shreds 3-12, 3-13 and 4 more"."""
    if len(shreds) == 1:
        return translate("sentences", "shred {id}").format(id=shreds[0])
    shown, n_more = ", ".join(shreds[:FEW]), len(shreds) - FEW
    text = translate("sentences", "shreds {ids} and {n} more") if n_more > 0 else translate("sentences", "shreds {ids}")
    return text.format(ids=shown, n=n_more)


def about(key: str) -> str:
    """Name what a note is about."""
    shreds, place_px = subject_of(key)
    if len(shreds) == 2:
        return translate("sentences", "the join {left} | {right}").format(left=shreds[0], right=shreds[1])
    if place_px is not None:
        return translate("sentences", "a place on {shred}").format(shred=listed(shreds))
    return listed(shreds) if shreds else translate("sentences", "the case")


def quoted(text: str) -> str:
    """Quote a text so that it has room in a line."""
    line = " ".join(text.split())
    return f"“{line}”" if len(line) <= _LONGEST else f"“{line[:_LONGEST]}…”"
