from datetime import UTC, datetime

import pypdfium2
import pytest

from core.output.report.archival import TEXT, ArchivalDocument
from core.output.report.tables import _JOINS
from core.output.report.typesetting import BOTTOM_MM, Column, Row, Typesetter

COLUMNS = (Column("name", 30), Column("number", 20, "R"))


@pytest.fixture
def document(tmp_path):
    with ArchivalDocument("Title", datetime(2024, 5, 6, tzinfo=UTC), tmp_path) as document:
        yield document


def pages_of(document, path):
    document.save(path)
    with pypdfium2.PdfDocument(path) as pdf:
        return [page.get_textpage().get_text_range().replace("\r\n", "\n") for page in pdf]


def test_a_table_goes_on_with_its_head_and_keeps_headings_with_their_rows(document, tmp_path):
    setter = Typesetter(document, "Matter 7")
    setter.begin_page()
    rows = [row for n in range(90) for row in (Row((f"group {n}",)), Row((f"row {n}", str(n))))]
    setter.table(COLUMNS, rows)
    pages = pages_of(document, tmp_path / "table.pdf")
    assert len(pages) > 2
    for number, page in enumerate(pages, start=1):
        assert "name number" in page.replace("\n", " ")
        assert f"{number} of {len(pages)}" in page
        lines = [line for line in page.split("\n") if line.startswith(("group", "row"))]
        assert lines[0].startswith("group")
        assert lines[-1].startswith("row")


def test_the_head_of_a_table_stays_with_its_first_row(document, tmp_path):
    setter = Typesetter(document, "Matter 7")
    setter.begin_page()
    setter.y_mm = BOTTOM_MM - 25
    setter.table(COLUMNS, [Row(("first", "1"), below="word " * 300), Row(("second", "2"))])
    before, after = pages_of(document, tmp_path / "table.pdf")
    assert "name" not in before
    assert "name number" in after.replace("\n", " ")


def test_numbers_of_a_doubtful_join_stand_in_one_line(document):
    cells = "112-34", "112-34", "12,345.6", "12,345.6", "−1,234.5", "−223.4", "−223.4", "−223.4", "−12.34", "< 1 % ?"
    document.type(TEXT, 7.5, "B")
    for column, cell in zip(_JOINS, (*cells, "suggested"), strict=True):
        assert document.get_string_width(document.shown(cell)) <= column.width_mm, column.title


def test_long_cells_and_notes_make_their_row_higher(document):
    setter = Typesetter(document, "Matter 7")
    setter.begin_page()
    heights = []
    for row in (
        Row(("short", "1")),
        Row(("a name that is far too long for its column", "1")),
        Row(("short", "1"), "note"),
    ):
        before = setter.y_mm
        setter.table(COLUMNS, [row])
        heights.append(setter.y_mm - before)
    assert heights[1] > heights[0] + 3
    assert heights[2] > heights[0] + 2


def test_what_needs_more_room_than_is_left_begins_a_page(document):
    setter = Typesetter(document, "Matter 7")
    setter.begin_page()
    assert not setter.need(BOTTOM_MM - setter.y_mm)
    assert setter.need(BOTTOM_MM - setter.y_mm + 0.1)
    assert document.page == 2


def test_what_begins_a_page_has_the_type_of_its_paragraph(document, monkeypatch):
    setter = Typesetter(document, "Matter 7")
    setter.begin_page()
    written = []
    real = document.write_block

    def write(x, y, text, *how):
        written.append((text, document.font_size_pt, document.font_family))
        return real(x, y, text, *how)

    monkeypatch.setattr(document, "write_block", write)
    setter.y_mm = BOTTOM_MM - 1
    setter.paragraph("a paragraph", 9)
    setter.y_mm = BOTTOM_MM - 1
    setter.facts([("hash", "abcd")], mono=("hash",))
    assert document.page == 3
    assert ("a paragraph", 9, "text") in written
    assert ("abcd", 8, "mono") in written


@pytest.mark.slow
def test_no_word_of_a_long_note_is_lost(document, tmp_path):
    setter = Typesetter(document, "Matter 7")
    setter.begin_page()
    words = [f"word{n}" for n in range(2_500)]
    setter.paragraph(" ".join(words))
    setter.table(COLUMNS, [Row(("row", "1"), below=" ".join(f"note{n}" for n in range(1_500))), Row(("last", "2"))])
    pages = pages_of(document, tmp_path / "long.pdf")
    assert len(pages) > 5
    text = " ".join(pages).split()
    assert [word for word in text if word.startswith("word")] == words
    assert [word for word in text if word.startswith("note")] == [f"note{n}" for n in range(1_500)]
    assert "last" in text
    assert "row, 1: note0 note1" in " ".join(text)
