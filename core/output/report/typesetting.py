"""Pages of text: running heads, headings, paragraphs, facts, and tables that go on with their head repeated."""

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from PIL import Image

from core.output.report.archival import CREATOR, MONO, TEXT, ArchivalDocument

LEFT_MM, RIGHT_MM = 20.0, 190.0
TOP_MM, BOTTOM_MM = 24.0, 277.0
WIDTH_MM = RIGHT_MM - LEFT_MM

_HEAD_MM, _FOOT_MM = 12.0, 284.0
_A4_MM = (210.0, 297.0)
_LOGO_MM = (60.0, 22.0)
"""Largest width and height of a laboratory's logo."""

_LINES_AT_ONCE = 20
_LONGEST_BELOW = 2_000
"""Letters of a note that stands within a table; longer ones are set as paragraphs, which may go on on other pages."""
_HEAD_MM = 6.0
"""Height of the head of a table, at most."""
GUTTER_MM = 4.0
"""Between columns."""

_GREY, _RULE_GREY = 100, 190
_TOTAL = "{number of pages}"
"""Stands in running feet for what is known at the end."""


@dataclass(frozen=True)
class Column:
    """A column of a table; numbers stand at its right (align "R"), hashes in type of even width (mono)."""

    title: str
    width_mm: float
    align: str = "L"
    mono: bool = False


@dataclass(frozen=True)
class Row:
    """A row of a table.

    Attributes
    ----------
    cells : tuple of str
        One for each column; a single one is a heading within the table.
    below : str
        What stands under the cells over all their width: a note.
    strong : bool
        Set in bold.
    """

    cells: tuple[str, ...]
    below: str = ""
    strong: bool = False


class Typesetter:
    """Sets text on A4 pages of a document, from top to bottom.

    Parameters
    ----------
    document : ArchivalDocument
        To which pages are added.
    head : str
        What stands at the top of each: the name of the case.
    """

    def __init__(self, document: ArchivalDocument, head: str) -> None:
        self.document = document
        self.y_mm = BOTTOM_MM
        self._head = head
        document.alias_nb_pages(_TOTAL)

    def begin_page(self) -> None:
        """Begin a page with its running head and foot."""
        document = self.document
        document.add_sheet(*_A4_MM)
        self._rule(_HEAD_MM + 4.2, _RULE_GREY)
        document.type(TEXT, 7.5, grey=_GREY)
        document.write_at(LEFT_MM, _HEAD_MM, document.shortened(self._head, WIDTH_MM - 60))
        document.write_at(LEFT_MM, _HEAD_MM, "Report on a reconstruction", WIDTH_MM, "R")
        document.write_at(LEFT_MM, _FOOT_MM, f"{CREATOR} · {document.date:%Y-%m-%d %H:%M} UTC")
        document.write_at(RIGHT_MM - 12, _FOOT_MM, f"{document.page} of {_TOTAL}")
        self.y_mm = TOP_MM

    def need(self, height_mm: float) -> bool:
        """Begin a page unless there is so much room on this one; tell whether one was begun.

        Parameters
        ----------
        height_mm : float
            Of what is to be set.

        Returns
        -------
        bool
            True if a page was begun.
        """
        if self.y_mm + height_mm <= BOTTOM_MM:
            return False
        self.begin_page()
        return True

    def title(self, text: str, below: str, logo: bytes = b"") -> None:
        """Set the title of the whole.

        Parameters
        ----------
        text : str
            Of the whole.
        below : str
            A line that explains it.
        logo : bytes
            A PNG that stands above it; none, if empty.
        """
        self.begin_page()
        self.document.start_section("Report")
        if logo:
            self._set_logo(logo)
        self.y_mm += 10
        self.document.type(TEXT, 22, "B")
        self.y_mm = self.document.write_block(LEFT_MM, self.y_mm, text, WIDTH_MM, 1.2) + 1.5
        self.document.type(TEXT, 10, grey=_GREY)
        self.y_mm = self.document.write_block(LEFT_MM, self.y_mm, below, WIDTH_MM) + 8

    def _set_logo(self, png: bytes) -> None:
        """Draw a logo at the right, as large as there is room for it, on white where it lets through."""
        try:
            logo = Image.open(io.BytesIO(png)).convert("RGBA")
        except (OSError, SyntaxError, ValueError):  # whole, and yet no picture
            return
        white = Image.alpha_composite(Image.new("RGBA", logo.size, "white"), logo).convert("RGB")
        scale = min(most / side for most, side in zip(_LOGO_MM, logo.size, strict=True))
        width, height = (side * scale for side in logo.size)
        self.document.image(white, RIGHT_MM - width, self.y_mm, width, height)
        self.y_mm += height

    def heading(self, text: str, needs_mm: float = 40.0) -> None:
        """Set a heading that stays with what follows; readers list it among the bookmarks.

        Parameters
        ----------
        text : str
            Of the section.
        needs_mm : float
            Room that must be left on the page.
        """
        self.y_mm += 7
        if self.need(needs_mm):
            self.y_mm += 1
        self.document.set_y(self.y_mm)
        self.document.start_section(text, level=1)
        self.document.type(TEXT, 14, "B")
        self.y_mm = self.document.write_block(LEFT_MM, self.y_mm, text, WIDTH_MM) + 2.2

    def subheading(self, text: str, needs_mm: float = 25.0) -> None:
        """Set a heading within a section.

        Parameters
        ----------
        text : str
            Of what follows.
        needs_mm : float
            Room that must be left on the page.
        """
        self.y_mm += 3
        self.need(needs_mm)
        self.document.type(TEXT, 9.5, "B")
        self.y_mm = self.document.write_block(LEFT_MM, self.y_mm, text, WIDTH_MM) + 1

    def paragraph(self, text: str, size_pt: float = 9, grey: int = 0, style: str = "") -> None:
        """Set a paragraph; one that is longer than a page goes on on the next.

        Parameters
        ----------
        text : str
            Line feeds part paragraphs.
        size_pt : float
            Size of type.
        grey : int
            0 to 255.
        style : {"", "B"}
            Upright or bold.
        """
        for block in text.split("\n"):
            self.document.type(TEXT, size_pt, style, grey)
            for piece, height_mm in self._pieces(block):
                self.need(height_mm)
                self.document.type(TEXT, size_pt, style, grey)  # a page's head and foot have a type of their own
                self.y_mm = self.document.write_block(LEFT_MM, self.y_mm, piece, WIDTH_MM, 1.45)
            self.y_mm += 1.6

    def _pieces(self, block: str) -> Iterator[tuple[str, float]]:
        """Part what does not fit on a page; each part with its height in mm."""
        height_mm = self.document.block_height(block, WIDTH_MM, 1.45)
        if height_mm <= BOTTOM_MM - TOP_MM:
            yield block, height_mm
            return
        lines = self.document.lines_of(block, WIDTH_MM)
        for at in range(0, len(lines), _LINES_AT_ONCE):
            piece = "\n".join(lines[at : at + _LINES_AT_ONCE])
            yield piece, self.document.block_height(piece, WIDTH_MM, 1.45)

    def facts(self, facts: Iterable[tuple[str, str]], mono: Sequence[str] = ()) -> None:
        """Set what is known as labels and values; the values of some labels are hashes.

        Parameters
        ----------
        facts : iterable of (str, str)
            Labels and values.
        mono : sequence of str
            Labels of hashes.
        """
        column = 42.0
        for label, value in facts:
            kind = (MONO, 8) if label in mono else (TEXT, 9)
            self.document.type(*kind)
            self.need(self.document.block_height(value, WIDTH_MM - column, 1.4))
            self.document.type(*kind)
            end = self.document.write_block(LEFT_MM + column, self.y_mm, value, WIDTH_MM - column, 1.4)
            self.document.type(TEXT, 9, grey=_GREY)
            self.document.write_block(LEFT_MM, self.y_mm, label, column - 3, 1.4)
            self.y_mm = max(end, self.y_mm + 4.5) + 0.6

    def lines_to_fill_in(self, fields: Sequence[tuple[str, str]]) -> None:
        """Set lines side by side that are filled in by hand, once the report is printed.

        Parameters
        ----------
        fields : sequence of (str, str)
            What belongs on each line, and what stands there already.
        """
        self.need(26)
        self.y_mm += 18
        width_mm = (WIDTH_MM - (len(fields) - 1) * GUTTER_MM) / len(fields)
        self.document.set_draw_color(_GREY)
        for number, (label, value) in enumerate(fields):
            x_mm = LEFT_MM + number * (width_mm + GUTTER_MM)
            self.document.line(x_mm, self.y_mm, x_mm + width_mm, self.y_mm)
            self.document.type(TEXT, 9)
            self.document.write_at(x_mm, self.y_mm - 5, self.document.shortened(value, width_mm))
            self.document.type(TEXT, 7.5, grey=_GREY)
            self.document.write_at(x_mm, self.y_mm + 1.2, label)
        self.y_mm += 8

    def table(self, columns: Sequence[Column], rows: Iterable[Row], size_pt: float = 7.5) -> None:
        """Set a table; where it goes on on another page, its head stands there again.

        Parameters
        ----------
        columns : sequence of Column
            From left to right.
        rows : iterable of Row
            From top to bottom.
        size_pt : float
            Size of type.
        """
        self.y_mm += 1.2
        listed = list(rows)
        first = [row for row in listed[:1] if len(row.below) <= _LONGEST_BELOW]
        self.need(max(18, _HEAD_MM + sum(self._row_height(columns, row, size_pt) for row in first)))
        self._table_head(columns, size_pt)
        for row, following in pairwise([*listed, None]):
            assert row is not None
            apart = ""
            if len(row.below) > _LONGEST_BELOW:
                apart, row = f"{', '.join(row.cells[:2])}: {row.below}", replace(row, below="")
            height = self._row_height(columns, row, size_pt)
            # A heading within the table stays with the row that follows it.
            kept = following if len(row.cells) == 1 else None
            if self.need(height + (self._row_height(columns, kept, size_pt) if kept else 0.0)):
                self._table_head(columns, size_pt)
            self._table_row(columns, row, size_pt, height)
            self.y_mm += height
            if apart:
                self.paragraph(apart, size_pt, grey=60)
                self._table_head(columns, size_pt)
        self.y_mm += 3

    def _table_head(self, columns: Sequence[Column], size_pt: float) -> None:
        self.document.type(TEXT, size_pt - 0.5, grey=_GREY)
        for x, column in _placed(columns):
            self.document.write_at(x, self.y_mm, column.title, column.width_mm, column.align)
        self.y_mm += self.document.font_size * 1.5
        self._rule(self.y_mm, 90)
        self.y_mm += 0.8

    def _row_height(self, columns: Sequence[Column], row: Row, size_pt: float) -> float:
        heights = [0.0]
        for column, cell in zip(columns, row.cells, strict=False):
            width = WIDTH_MM if len(row.cells) == 1 else column.width_mm
            self._cell_type(column, row, size_pt)
            fits = "\n" not in cell and self.document.get_string_width(self.document.shown(cell)) <= width
            heights.append(self.document.font_size * 1.3 if fits else self.document.block_height(cell, width))
        if row.below:
            self.document.type(TEXT, size_pt)
            heights.append(max(heights) + self.document.block_height(row.below, WIDTH_MM - 8) + 0.4)
        return max(heights) + (2.6 if len(row.cells) == 1 else 1.2)

    def _table_row(self, columns: Sequence[Column], row: Row, size_pt: float, height_mm: float) -> None:
        if len(row.cells) == 1:
            self.document.type(TEXT, size_pt, "B")
            self.document.write_at(LEFT_MM, self.y_mm + 1.4, row.cells[0])
            return
        bottom = self.y_mm
        for (x, column), cell in zip(_placed(columns), row.cells, strict=True):
            self._cell_type(column, row, size_pt)
            if "\n" not in cell and self.document.get_string_width(self.document.shown(cell)) <= column.width_mm:
                self.document.write_at(x, self.y_mm, cell, column.width_mm, column.align)
                bottom = max(bottom, self.y_mm + self.document.font_size * 1.3)
            else:
                bottom = max(bottom, self.document.write_block(x, self.y_mm, cell, column.width_mm))
        if row.below:
            self.document.type(TEXT, size_pt, grey=60)
            self.document.write_block(LEFT_MM + 8, bottom + 0.4, row.below, WIDTH_MM - 8)
        self._rule(self.y_mm + height_mm - 0.7, 225)

    def _cell_type(self, column: Column, row: Row, size_pt: float) -> None:
        style = "B" if row.strong or len(row.cells) == 1 else ""
        self.document.type(MONO if column.mono else TEXT, size_pt - column.mono, "" if column.mono else style)

    def _rule(self, y_mm: float, grey: int) -> None:
        self.document.set_draw_color(grey)
        self.document.set_line_width(0.1)
        self.document.line(LEFT_MM, y_mm, RIGHT_MM, y_mm)


def _placed(columns: Sequence[Column]) -> Iterator[tuple[float, Column]]:
    """Return where each column begins."""
    x = LEFT_MM
    for column in columns:
        yield x, column
        x += column.width_mm + GUTTER_MM
