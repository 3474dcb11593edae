import json
from dataclasses import replace
from datetime import UTC, datetime

import pikepdf
import pypdfium2
import pytest

from core.options import Export
from core.output.export import write_export
from core.output.page_names import file_stems
from core.output.pages import write_pages
from core.output.report.evidence import write_report

DATE = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


@pytest.fixture
def named(small_case):
    """A case of two pages: both belong to a document, and the second one has a name."""
    (first, *_), (second, *_) = small_case.arrangement.pages
    names, documents = {second: "Signatures"}, {first: "Lease 7/12", second: "Lease 7/12"}
    arrangement = replace(small_case.arrangement, page_names=names, page_documents=documents, page_slopes={first: -1.5})
    return replace(small_case, arrangement=arrangement)


def outline_of(path):
    def titles(items):
        return [(str(item.title), titles(item.children)) if item.children else str(item.title) for item in items]

    with pikepdf.open(path) as pdf, pdf.open_outline() as outline:
        return titles(outline.root)


def text_of(path, page):
    with pypdfium2.PdfDocument(path) as pdf:
        return " ".join(pdf[page].get_textpage().get_text_range().split()), pdf.get_page_label(page)


def test_names_stand_in_bookmarks_labels_and_below_the_paper(named, tmp_path):
    write_pages(tmp_path / "pages.pdf", named, name="Matter", date=DATE)
    pages = ["Reconstructed page 1", "Reconstructed page 2: Signatures"]
    assert outline_of(tmp_path / "pages.pdf") == [("Lease 7/12", pages)]
    text, label = text_of(tmp_path / "pages.pdf", 1)
    assert "7/12: Signatures" in text, "on such narrow paper the middle of the line is left out"
    assert label == "2 Lease 7/12: Signatures"
    assert text_of(tmp_path / "pages.pdf", 0)[1] == "1 Lease 7/12"


def test_names_stand_in_the_report(named, tmp_path):
    write_report(tmp_path / "report.pdf", named, sections=("pages", "summary", "order"), reading=True, date=DATE)
    groups = dict(item for item in outline_of(tmp_path / "report.pdf") if isinstance(item, tuple))
    assert list(groups) == ["Lease 7/12", "Lease 7/12, reading pages", "Report"]
    assert groups["Lease 7/12, reading pages"][1] == "Reading page 2: Signatures"
    summary, label = text_of(tmp_path / "report.pdf", 4)
    assert "as the examiner called them page document name 1 Lease 7/12 2 Lease 7/12 Signatures" in summary
    assert "Levelled by hand page 1 by −1.50°, counter-clockwise" in summary
    assert label == "5"
    assert "Page 2: 2 shreds · Lease 7/12: Signatures" in summary, "the order begins on the same page"


def test_names_stand_in_files_for_other_programs(named, tmp_path):
    write_export(tmp_path / "out", named, Export("png", ("json",)), date=DATE)
    files = {file.name for file in (tmp_path / "out" / "pages").iterdir()}
    assert files == {"page-01 Lease 7 12.png", "page-02 Lease 7 12 Signatures.png"}
    assert json.loads((tmp_path / "out" / "order.json").read_text())["pages"] == [
        {"page": 1, "name": "", "document": "Lease 7/12"},
        {"page": 2, "name": "Signatures", "document": "Lease 7/12"},
    ]
    assert [path.name for path in write_pages(tmp_path / "x.png", named, date=DATE)] == [
        "x-01 Lease 7 12.png",
        "x-02 Lease 7 12 Signatures.png",
    ]


def test_no_name_leads_out_of_a_folder(small_case):
    first = small_case.arrangement.pages[0][0]
    for name in ("../../etc/x", "..", "a\u202egnp\n", "x" * 300, "頁" * 300):
        (stem, _) = file_stems(replace(small_case.arrangement, page_names={first: name}))
        assert not {"/", "\\", "\n", "\u202e"} & set(stem)
        assert len(stem.encode()) < 140
        assert not stem.endswith(".")
