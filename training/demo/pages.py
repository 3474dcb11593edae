"""The two intact pages behind the bundled sample: a letter, and a form with a table, in the project's own words."""

import tomllib
from collections.abc import Sequence
from itertools import pairwise
from math import atan2, cos, pi, sin
from pathlib import Path

import matplotlib
from PIL import Image, ImageDraw, ImageFont

from core.units import DPI, mm_to_px

PAGE_SIZE_PX = (2480, 3508)
"""A4 at 300 dpi."""

INK = 28
PAPER = 255

LEADING = 1.36
"""From line to line, relative to the size of the font."""

_TEXTS = tomllib.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))
LETTER, FORM = _TEXTS["letter"], _TEXTS["form"]


class Canvas:
    """A white page to write on, from the top downwards; lengths in millimetres."""

    def __init__(self, margin_mm: float):
        self.image = Image.new("L", PAGE_SIZE_PX, PAPER)
        self.draw = ImageDraw.Draw(self.image)
        self.left, self.right = px(margin_mm), PAGE_SIZE_PX[0] - px(margin_mm)
        self.y = px(14)

    def text(self, x: float, y: float, text: str, font: ImageFont.FreeTypeFont, anchor: str = "ls") -> None:
        """Write one line."""
        self.draw.text((x, y), text, INK, font, anchor)

    def rule(self, y: float, width: int = 3, left: float | None = None, right: float | None = None) -> None:
        """Draw a horizontal line."""
        self.draw.line([(left or self.left, y), (right or self.right, y)], INK, width)

    def paragraphs(self, texts: Sequence[str], font: ImageFont.FreeTypeFont, gap_mm: float, indent: int = 0) -> None:
        """Write paragraphs as wide as the page, and go down below each."""
        for text in texts:
            for line in wrap(text, font, self.right - self.left - indent):
                self.y += round(font.size * LEADING)
                self.text(self.left + indent, self.y, line, font)
            self.y += px(gap_mm)


def px(length_mm: float) -> int:
    """Convert millimetres to pixels at 300 dpi."""
    return round(mm_to_px(length_mm))


def font(face: str, size_pt: float) -> ImageFont.FreeTypeFont:
    """Load one of the DejaVu faces that come with matplotlib: "Serif", "Sans-Bold"."""
    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return ImageFont.truetype(folder / f"DejaVu{face}.ttf", round(size_pt / 72 * DPI))


def wrap(text: str, font: ImageFont.FreeTypeFont, width_px: float) -> list[str]:
    """Break a text into lines."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if font.getlength(longer) <= width_px or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def letter() -> Image.Image:
    """Draw the letter: a grey page, black on white."""
    page = Canvas(margin_mm=17)
    body, head, small = font("Serif", 10.2), font("Serif-Bold", 20), font("Sans", 7.6)
    page.text(PAGE_SIZE_PX[0] / 2, px(24), LETTER["head"], head, "ms")
    page.rule(px(28), 5, px(9), PAGE_SIZE_PX[0] - px(9))
    page.rule(px(29), 2, px(9), PAGE_SIZE_PX[0] - px(9))
    for row, line in enumerate(LETTER["address"]):
        page.text(page.left, px(44) + row * px(5.4), line, body)
    page.text(page.right, px(44), "Northbridge, 9 March", body, "rs")
    page.text(page.right, px(49.4), "Our reference: HSA / 114 / 07", body, "rs")
    page.text(page.left, px(78), LETTER["subject"], font("Serif-Bold", 10.6))
    page.y = px(82)
    page.paragraphs(LETTER["paragraphs"], body, 2.6)
    for number, point in enumerate(LETTER["points"], start=1):
        page.text(page.left + px(4), page.y + round(body.size * LEADING), f"{number}.", body)
        page.paragraphs([point], body, 1.2, indent=px(11))
    page.y += px(1.6)
    page.paragraphs(LETTER["closing"], body, 2.6)
    _sign(page, page.left + px(3), page.y + px(12))
    page.y += px(21)
    for line in LETTER["signed"]:
        page.text(page.left, page.y, line, body)
        page.y += px(5.4)
    page.rule(px(284), 2, px(9), PAGE_SIZE_PX[0] - px(9))
    page.text(PAGE_SIZE_PX[0] / 2, px(289), LETTER["foot"], small, "ms")
    return page.image


def form() -> Image.Image:
    """Draw the form: a grey page, black on white."""
    page = Canvas(margin_mm=11)
    label, value, cell = font("Sans", 7.4), font("SansMono", 10.4), font("Sans", 9.2)
    page.text(page.left, px(22), FORM["head"], font("Sans-Bold", 19))
    page.text(page.right, px(22), "Form 3-B, page 1 of 1", font("Sans", 9), "rs")
    page.y = px(28)
    for row in FORM["fields"]:
        _fields(page, row, label, value)
    page.y += px(10)
    page.text(page.left, page.y, "Contents of the box", font("Sans-Bold", 11.5))
    page.y += px(3.5)
    _table(page, cell, font("Sans-Bold", 9.2))
    page.y += px(9)
    for question in FORM["questions"]:
        _question(page, **question, font=cell)
    page.y += px(1)
    page.paragraphs(FORM["remarks"], font("Sans", 9.4), 3)
    line = page.y + px(21)
    for left, caption in ((page.left, "Place and date"), (page.left + px(98), "Signature of the submitting party")):
        page.rule(line, 3, left, left + px(86))
        page.text(left, line + px(4), caption, label)
    page.text(page.left + px(2), line - px(2), "Northbridge, 14 March", value)
    _sign(page, page.left + px(104), line - px(3))
    return page.image


def _fields(
    page: Canvas, row: Sequence[tuple[str, str]], label: ImageFont.FreeTypeFont, value: ImageFont.FreeTypeFont
) -> None:
    """Draw boxes side by side, each with a small label and a typed value."""
    height, split = px(13), page.left + round((page.right - page.left) * 0.62)
    for (name, text), left, right in zip(row, (page.left, split), (split, page.right), strict=True):
        page.draw.rectangle([left, page.y, right, page.y + height], outline=INK, width=3)
        page.text(left + px(1.6), page.y + px(3.8), name, label)
        page.text(left + px(3), page.y + px(10.4), text, value)
    page.y += height


def _table(page: Canvas, cell: ImageFont.FreeTypeFont, head: ImageFont.FreeTypeFont) -> None:
    """Draw the table with all its lines."""
    height, width, top = px(8), page.right - page.left, page.y
    shares, rows = FORM["table_shares"], FORM["table"]
    lefts = [page.left + round(width * sum(shares[:k])) for k in range(len(shares) + 1)]
    for index, row in enumerate((FORM["table_head"], *rows)):
        page.rule(page.y, 5 if index in (0, 1, len(rows)) else 2)
        for column, text in enumerate(row):
            face = head if index in (0, len(rows)) else cell
            x, anchor = (lefts[column + 1] - px(2), "rs") if column in (3, 4, 6) else (lefts[column] + px(2), "ls")
            page.text(x, page.y + px(5.6), text, face, anchor)
        page.y += height
    page.rule(page.y, 5)
    for x in lefts:
        page.draw.line([(x, top), (x, page.y)], INK, 3)


def _question(page: Canvas, question: str, answers: Sequence[str], ticked: int, font: ImageFont.FreeTypeFont) -> None:
    """Write a question and a box to tick before each answer."""
    page.text(page.left, page.y, question, font)
    x, side = page.left + px(78), px(4)
    for index, answer in enumerate(answers):
        box = [x, page.y - side, x + side, page.y]
        page.draw.rectangle(box, outline=INK, width=3)
        if index == ticked:
            page.draw.line([box[0] + 6, box[1] + 6, box[2] - 6, box[3] - 6], INK, 5)
            page.draw.line([box[0] + 6, box[3] - 6, box[2] - 6, box[1] + 6], INK, 5)
        page.text(x + px(6), page.y, answer, font)
        x += px(10) + round(font.getlength(answer))
    page.y += px(8.5)


def _sign(page: Canvas, x: float, y: float) -> None:
    """Write the keeper's name by hand: loops of a pen of changing width."""
    points = []
    for step in range(400):
        t = step / 399
        height = px(7) * (1 - 0.75 * t) * (0.6 + 0.4 * cos(5 * pi * t))
        points.append((x + px(46) * t + px(3) * sin(26 * t), y - height * sin(34 * t) - px(1.5) * t))
    for (x1, y1), (x2, y2) in pairwise(points):
        page.draw.line([x1, y1, x2, y2], INK, 4 + round(3 * abs(cos(atan2(y2 - y1, x2 - x1)))))
