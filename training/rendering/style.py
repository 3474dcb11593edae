"""How the pages of one document look: paper, fonts, sizes, spacing."""

import random
from dataclasses import dataclass, replace
from pathlib import Path
from string import Template

from training.rendering.fonts import Fonts
from training.rendering.texts import Language

PAPERS_MM = {"letter": (215.9, 279.4), "a4": (210.0, 297.0)}

_CSS = Template(Path(__file__).with_name("style.css").read_text(encoding="utf-8"))
"""The style sheet, with names for what differs."""


@dataclass(frozen=True)
class Style:
    """The look of a page.

    Attributes
    ----------
    paper_mm : tuple of float
        Width and height.
    margins_mm : tuple of float
        Top, right, bottom, left.
    body, heading, hand, typed : str
        Font families: of the text, of headings, and of what is filled in by hand or by machine.
    size_pt : float
        Of the text.
    line_height : float
        Relative to the size.
    justified, hyphenated, indented, heading_bold, heading_capitals : bool
        Whether text is set so.
    typewriter : bool
        Whether everything is in one fixed pitch and weight.
    language : Language
        What it is written in.
    """

    paper_mm: tuple[float, float]
    margins_mm: tuple[float, float, float, float]
    body: str
    heading: str
    hand: str
    typed: str
    size_pt: float
    line_height: float
    justified: bool
    hyphenated: bool
    indented: bool
    heading_bold: bool
    heading_capitals: bool
    typewriter: bool
    language: Language

    def vary(self, rng: random.Random) -> "Style":
        """Change sizes and spacing for another page of the same document; its fonts stay, for they are embedded."""
        return replace(
            self,
            size_pt=_size(rng, self.typewriter),
            line_height=_line_height(rng, self.typewriter),
            margins_mm=_margins(rng),
            justified=not self.typewriter and rng.random() < 0.5,
            indented=rng.random() < 0.4,
        )

    @property
    def width_mm(self) -> float:
        """Width between the margins."""
        return self.paper_mm[0] - self.margins_mm[1] - self.margins_mm[3]

    def landscape(self) -> "Style":
        """Lay the paper on its side."""
        return replace(self, paper_mm=(max(self.paper_mm), min(self.paper_mm)))

    def css(self) -> str:
        """Write the style sheet."""
        width, height = self.paper_mm
        top, right, bottom, left = self.margins_mm
        lengths = {"width": width, "height": height, "top": top, "right": right, "bottom": bottom, "left": left}
        return _CSS.substitute(
            vars(self) | lengths,
            foot=f"{bottom * 0.55:.1f}",
            head=f"{top * 0.55:.1f}",
            direction="rtl" if self.language.right_to_left else "ltr",
            spacing="margin:0;text-indent:1.6em" if self.indented else "margin:0 0 0.75em",
            align="justify" if self.justified else "start",
            hyphens="auto" if self.hyphenated else "manual",
            weight="bold" if self.heading_bold else "normal",
            capitals="uppercase" if self.heading_capitals else "none",
            head_size="1.1em" if self.typewriter else "1.7em",
            subhead_size="1em" if self.typewriter else "1.25em",
        )


def draw_style(rng: random.Random, language: Language, fonts: Fonts) -> Style:
    """Draw the look of a document.

    Parameters
    ----------
    rng : Random
        Source of all chance.
    language : Language
        What it is written in; decides the fonts.
    fonts : Fonts
        What there is to choose from.

    Returns
    -------
    Style
    """
    latin = language.script == "latin"
    typewriter = latin and rng.random() < 0.28
    if latin:
        use = "typewriter" if typewriter else rng.choices(["serif", "sans", "hand"], [50, 45, 3])[0]
    else:
        use = language.script
    body = fonts.choose(rng, use)
    heading = body
    if latin and not typewriter and rng.random() < 0.6:
        heading = fonts.choose(rng, rng.choice(["sans", "serif", "display"]))
    return Style(
        paper_mm=PAPERS_MM["letter" if rng.random() < 0.6 else "a4"],
        margins_mm=_margins(rng),
        body=body,
        heading=heading,
        hand=fonts.choose(rng, "hand" if latin else use),
        typed=fonts.choose(rng, "typewriter" if latin else use),
        size_pt=_size(rng, typewriter),
        line_height=_line_height(rng, typewriter),
        justified=not typewriter and rng.random() < 0.5,
        hyphenated=not typewriter and rng.random() < 0.6,
        indented=rng.random() < 0.4,
        heading_bold=rng.random() < 0.75,
        heading_capitals=rng.random() < 0.25,
        typewriter=typewriter,
        language=language,
    )


def _size(rng: random.Random, typewriter: bool) -> float:
    """Draw the size of the text, in points: mostly 9 to 12."""
    return round(rng.choice((9, 10, 10, 12, 12)) + rng.uniform(-0.2, 0.2) if typewriter else rng.gauss(10.5, 1.5), 1)


def _line_height(rng: random.Random, typewriter: bool) -> float:
    """Draw the distance of lines, relative to the size."""
    return round(rng.choices([rng.uniform(1.05, 1.5), 2.0], [8, 2 if typewriter else 0.5])[0], 2)


def _margins(rng: random.Random) -> tuple[float, float, float, float]:
    """Draw the margins, in millimetres."""
    side = rng.uniform(12, 32)
    top, right, bottom = rng.uniform(12, 30), side * rng.uniform(0.7, 1.1), rng.uniform(14, 30)
    return round(top, 1), round(right, 1), round(bottom, 1), round(side, 1)
