import shutil
from dataclasses import replace

import numpy as np
import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageDraw, ImageFont

from core.arrangement.arrangement import Arrangement
from core.case.record import recorded
from core.errors import UsageError
from core.output import text_layer
from core.output.report.evidence import write_report
from core.output.text_layer import Word, check_languages
from core.system.places import font_path

TABLE = """\
level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext
1\t1\t0\t0\t0\t0\t0\t0\t900\t200\t-1\t
5\t1\t1\t1\t1\t1\t40\t50\t210\t33\t96.1\tquoted"
5\t1\t1\t1\t1\t2\t270\t50\t90\t33\t91.0\t 
5\t1\t1\t1\t1\t3\t400\t50\t90\t33\t12.5\tпроба
"""  # noqa: W291

needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="Tesseract is not installed: ./install-system-packages tests"
)


def test_words_come_from_the_table_with_their_place():
    assert text_layer._words(TABLE) == (
        Word('quoted"', (40, 50, 210, 33)),
        Word("проба", (400, 50, 90, 33)),
    )


@pytest.fixture
def printed_case(small_case, make_shred):
    """Make a case of one shred on which two words are printed."""
    image = Image.new("RGB", (900, 200), "white")
    ImageDraw.Draw(image).text((60, 60), "Harbour Archive", "black", ImageFont.truetype(font_path("NotoSans-Bold"), 64))
    shred = replace(make_shred("1-01", np.ones((200, 900), np.bool_)), pixels=np.asarray(image))
    case = replace(
        small_case, shreds=(shred,), costs=None, joins=(), arrangement=Arrangement(pages=(("1-01",),)), solved=None
    )
    return recorded(case, "Ada", "reconstructed", "1 page", when="2026-11-28T09:00:00Z")  # else pages show the clock


def image_of(path):
    with pikepdf.open(path) as pdf:
        return pdf.pages[0].Resources.XObject["/Reconstruction"].read_raw_bytes()


def picture_of(path):
    with pypdfium2.PdfDocument(path) as pdf:
        return np.asarray(pdf[0].render(scale=2).to_pil())


def test_words_can_be_found_where_they_stand_and_are_not_seen(printed_case, tmp_path, monkeypatch):
    words = (Word("Harbour", (63, 77, 270, 50)), Word("ελληνικά", (350, 77, 240, 50)))
    monkeypatch.setattr(text_layer, "installed", lambda: True)
    monkeypatch.setattr(text_layer, "check_languages", lambda languages: None)
    monkeypatch.setattr(text_layer, "version", lambda: "tesseract 9")
    monkeypatch.setattr(text_layer, "read_words", lambda image, languages: words)
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


@needs_tesseract
def test_a_language_that_is_not_installed_is_named():
    with pytest.raises(UsageError, match='no data for the language "xyz"'):
        check_languages("eng+xyz")


def test_without_tesseract_the_report_says_so(printed_case, tmp_path, monkeypatch):
    monkeypatch.setattr(text_layer, "TESSERACT", "no-such-program")
    write_report(tmp_path / "report.pdf", printed_case, languages="eng")
    with pypdfium2.PdfDocument(tmp_path / "report.pdf") as pdf:
        assert "Tesseract is not installed" in pdf[1].get_textpage().get_text_range()
