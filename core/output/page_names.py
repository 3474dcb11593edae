"""What the examiner called pages, as it stands in what is written: headings, bookmarks, names of files."""

import re
import unicodedata
from collections.abc import Sequence

from core.arrangement.arrangement import Arrangement
from core.arrangement.faces import numbered, page_labels

_UNSAFE = re.compile(r'[\\/:*?"<>|\s]+')
"""What one system or another takes in no name of a file."""

_LONGEST = 120
"""Bytes: with what stands before it no system finds the name of a file too long."""


def names_of(arrangement: Arrangement, page: int) -> tuple[str, str]:
    """Return the names of the document that a page belongs to and of the page itself.

    Parameters
    ----------
    arrangement : Arrangement
        Holds them.
    page : int
        Its index.

    Returns
    -------
    document, name : str
        Empty where the examiner gave none.
    """
    document, name = (arrangement.page_mark(mark, page) or "" for mark in ("page_documents", "page_names"))
    return document, name


def page_name(arrangement: Arrangement, page: int) -> str:
    """Return what the examiner called a page, in one line.

    Parameters
    ----------
    arrangement : Arrangement
        See `names_of`.
    page : int
        Its index.

    Returns
    -------
    str
        Empty if neither it nor a document of it was named.

    Examples
    --------
    >>> named = Arrangement((("a",), ("b",)), page_names={"a": "Back"}, page_documents={"a": "Letter", "b": "Bill"})
    >>> page_name(named, 0), page_name(named, 1)
    ('Letter: Back', 'Bill')
    """
    return ": ".join(filter(None, names_of(arrangement, page)))


def described(arrangement: Arrangement, page: int) -> str:
    """Return which of how many pages one is, and what it is called.

    Parameters
    ----------
    arrangement : Arrangement
        See `names_of`.
    page : int
        Its index.

    Returns
    -------
    str
        In one line.

    Examples
    --------
    >>> described(Arrangement((("a",), ("b",)), page_names={"b": "Invoice"}), 1)
    'page 2 of 2, Invoice'
    """
    n_pages = numbered(arrangement)[-1][0]
    of_all = f"page {page_labels(arrangement)[page]} of {n_pages}"
    return ", ".join(filter(None, (of_all, page_name(arrangement, page))))


def file_stems(arrangement: Arrangement, beginning: str = "page") -> Sequence[str]:
    """Name a file for each page: by its number first, so that all stand in their order.

    Parameters
    ----------
    arrangement : Arrangement
        See `names_of`.
    beginning : str
        With what each begins.

    Returns
    -------
    sequence of str
        Without an ending; what systems take in no name of a file is left out.

    Examples
    --------
    >>> file_stems(Arrangement((("a",), ("b",)), page_documents={"b": "Bill 7/12"}, page_names={"b": "Back"}))
    ['page-01', 'page-02 Bill 7 12 Back']
    """
    pages = numbered(arrangement)
    digits = max(2, len(str(pages[-1][0] if pages else 0)))
    stems = (f"{beginning}-{number:0{digits}}" + " back" * is_back for number, is_back in pages)
    names = (_safe(" ".join(names_of(arrangement, page))) for page in range(len(pages)))
    return [f"{stem} {name}".strip() for stem, name in zip(stems, names, strict=True)]


def _safe(name: str) -> str:
    """Leave out what cannot be seen, or would mean a folder, or more than any system takes."""
    seen = "".join(" " if unicodedata.category(letter)[0] in "CZ" else letter for letter in name)
    return _UNSAFE.sub(" ", seen).strip().encode()[:_LONGEST].decode(errors="ignore").strip(" .")
