import shutil

import numpy as np
import pikepdf
import pypdfium2
import pytest

from core.output.report.evidence import write_report
from core.text import tesseract
from core.text.page_text import Word

needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="Tesseract is not installed: ./install-system-packages tests"
)


def image_of(path):
    with pikepdf.open(path) as pdf:
        return pdf.pages[0].Resources.XObject["/Reconstruction"].read_raw_bytes()


def picture_of(path):
    with pypdfium2.PdfDocument(path) as pdf:
        return np.asarray(pdf[0].render(scale=2).to_pil())


def test_words_can_be_found_where_they_stand_and_are_not_seen(printed_case, tmp_path, monkeypatch):
    words = (Word("Harbour", (63, 77, 270, 50)), Word("ελληνικά", (350, 77, 240, 50)))
    monkeypatch.setattr(tesseract, "installed", lambda: True)
    monkeypatch.setattr(tesseract, "check_languages", lambda languages: None)
    monkeypatch.setattr(tesseract, "version", lambda: "tesseract 9")
    monkeypatch.setattr(tesseract, "read_words", lambda image, languages, go_on: words)
    write_report(tmp_path / "plain.pdf", printed_case)
    write_report(tmp_path / "read.pdf", printed_case, languages="eng")
    assert image_of(tmp_path / "read.pdf") == image_of(tmp_path / "plain.pdf")
    assert np.array_equal(picture_of(tmp_path / "read.pdf"), picture_of(tmp_path / "plain.pdf"))
    with pypdfium2.PdfDocument(tmp_path / "read.pdf") as pdf:
        assert "was read by tesseract 9 (eng); it can be wrong" in pdf[1].get_textpage().get_text_range()
        page = pdf[0].get_textpage()
        for word in words:
            index, count = page.search(word.text).get_next()
            left = page.get_charbox(index)[0]
            right = page.get_charbox(index + count - 1)[2]
            x, _, width, _ = (side * 72 / 300 for side in word.box_px)
            assert (left, right) == pytest.approx((x, x + width), abs=3)


@needs_tesseract
def test_tesseract_reads_a_page(printed_case, tmp_path):
    write_report(tmp_path / "read.pdf", printed_case, languages="eng")
    with pypdfium2.PdfDocument(tmp_path / "read.pdf") as pdf:
        assert "Harbour Archive" in " ".join(pdf[0].get_textpage().get_text_range().split())
        assert "no part of the evidence" in " ".join(pdf[1].get_textpage().get_text_range().split())


def test_without_tesseract_the_report_says_so(printed_case, tmp_path, monkeypatch):
    monkeypatch.setattr(tesseract, "TESSERACT", "no-such-program")
    write_report(tmp_path / "report.pdf", printed_case, languages="eng")
    with pypdfium2.PdfDocument(tmp_path / "report.pdf") as pdf:
        assert "Tesseract is not installed" in pdf[1].get_textpage().get_text_range()
