from datetime import UTC, datetime

import pypdfium2
import pytest

from core.report.archival import ArchivalDocument
from core.report.typesetting import BOTTOM_MM, Column, Row, Typesetter

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
