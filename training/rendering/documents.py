"""Invented documents: a language, a look, some pages of several kinds, one PDF file."""

import logging
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from training.rendering import CREATOR, articles, forms, letters
from training.rendering.blocks import note_by_hand, running_lines
from training.rendering.drawings import stamp
from training.rendering.fonts import Fonts, installed_fonts
from training.rendering.style import Style, draw_style
from training.rendering.texts import Author, draw_language

PAGES_PER_DOCUMENT = 4
"""They share their fonts, which makes the file small."""

KINDS: dict[Callable[[Author, Style], str], float] = {
    letters.letter: 12,
    letters.memo: 9,
    letters.electronic_mail: 5,
    letters.note: 5,
    letters.fax_cover: 3,
    letters.code_listing: 2.5,
    forms.form: 10,
    forms.invoice: 7,
    forms.budget: 5,
    forms.questionnaire: 5,
    forms.resume: 5,
    forms.schedule: 5,
    articles.news_article: 7,
    articles.report: 10,
    articles.plain_text: 4,
    articles.paper: 7,
    articles.contract: 4,
    articles.notice: 3,
    articles.figures: 4,
    articles.contents: 2,
}
"""Kinds of pages, and how often each is drawn, relative."""

WIDE_KINDS = {forms.budget, forms.schedule, articles.figures, articles.notice}
"""Some of these lie on their side."""


def draw_pages(seed: int, number: int, n_pages: int, fonts: Fonts, script: str = "") -> list[str]:
    """Write the pages of a document.

    Parameters
    ----------
    seed, number : int
        Decide everything: which collection, and which document of it.
    n_pages : int
        How many pages.
    fonts : Fonts
        What there is to set them in.
    script : str
        The one that they are written in; empty for any.

    Returns
    -------
    list of str
        HTML, one page each.
    """
    rng = random.Random(f"{seed}/{number}")
    language = draw_language(rng, set(fonts.families), script)
    style = draw_style(rng, language, fonts)
    author = Author(language, rng)
    kinds, weights = list(KINDS), list(KINDS.values())
    return [_page(author, style.vary(rng), rng.choices(kinds, weights)[0]) for _ in range(n_pages)]


def _page(author: Author, style: Style, kind: Callable[[Author, Style], str]) -> str:
    """Write one page."""
    rng = author.rng
    if kind in WIDE_KINDS and rng.random() < 0.2:
        style = style.landscape()
    extras = running_lines(author)
    extras += "".join(stamp(rng, author) for _ in range(rng.choice((0, 0, 0, 1, 1, 2))))
    extras += note_by_hand(author, style) if rng.random() < 0.2 else ""
    return (
        f'<html lang="{author.language.code}"><head><meta charset="utf-8"><meta name="generator" content="{CREATOR}">'
        f"<style>{style.css()}</style></head><body>{kind(author, style)}{extras}</body></html>"
    )


def typeset(pages: list[str], path: Path, font_configuration: Any) -> None:
    """Set pages into a PDF file; what does not fit on a page is left out.

    Parameters
    ----------
    pages : list of str
        HTML.
    path : Path
        PDF file to write.
    font_configuration : weasyprint.text.fonts.FontConfiguration
        Made once, since that takes time.
    """
    from weasyprint import HTML

    documents = [HTML(string=page).render(font_config=font_configuration) for page in pages]
    documents[0].copy([document.pages[0] for document in documents]).write_pdf(path)


def render_document(number: int, *, seed: int, n_pages: int, folder: Path, scripts: Sequence[str] = ()) -> int:
    """Write and typeset one document of a collection in the installed fonts.

    Parameters
    ----------
    number : int
        Which document of the collection.
    seed : int
        Decides the collection.
    n_pages : int
        Size of the whole collection: the last document has what is left.
    folder : Path
        Where the PDF file goes.
    scripts : sequence of str
        Taken in turn, each into a folder of its own that bears its name; any script, if there are none.

    Returns
    -------
    int
        Size of the file in bytes.
    """
    from weasyprint.text.fonts import FontConfiguration

    for library in ("weasyprint", "fontTools"):  # they warn of every oddity of a font
        logging.getLogger(library).setLevel(logging.ERROR)
    script = scripts[number % len(scripts)] if scripts else ""
    path = folder / script / f"document_{seed}_{number:05}.pdf"
    path.parent.mkdir(parents=True, exist_ok=True)
    n_here = min(PAGES_PER_DOCUMENT, n_pages - number * PAGES_PER_DOCUMENT)
    pages = draw_pages(seed, number, n_here, installed_fonts(), script)
    typeset(pages, path, FontConfiguration())
    return path.stat().st_size
