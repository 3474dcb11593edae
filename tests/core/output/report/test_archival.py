import io
from datetime import UTC, datetime

import cv2
import numpy as np
import pikepdf
import pypdfium2
import pytest
from PIL import Image

from core.errors import OutputError
from core.output.report import archival
from core.output.report.archival import MONO, ArchivalDocument

DATE = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


def written(tmp_path, *lines, title="Title"):
    with ArchivalDocument(title, DATE, tmp_path) as document:
        document.add_page()
        y = 10.0
        for line in lines:
            y = document.write_block(10, y, line, 180)
        document.type(MONO, 8)
        document.write_at(10, y, "0123abc")
        document.save(tmp_path / "document.pdf")
    return tmp_path / "document.pdf"


def text_of(path):
    with pypdfium2.PdfDocument(path) as pdf:
        return "\n".join(page.get_textpage().get_text_range() for page in pdf)


def test_it_says_that_it_is_pdfa_and_has_what_that_needs(tmp_path):
    with pikepdf.open(written(tmp_path, "Plain.", "مرحبا", "证据")) as pdf:
        with pdf.open_metadata() as metadata:
            assert (metadata["pdfaid:part"], metadata["pdfaid:conformance"]) == ("2", "B")
            assert metadata.pdfa_status == "2B"
        (intent,) = pdf.Root.OutputIntents
        assert intent.S == "/GTS_PDFA1"
        assert b"RGB" in intent.DestOutputProfile.read_bytes()[:40]
        assert pdf.trailer.ID is not None
        assert not pdf.is_encrypted
        assert "/JavaScript" not in pdf.Root.get("/Names", {})
        fonts = [
            thing
            for thing in pdf.objects
            if isinstance(thing, pikepdf.Dictionary) and thing.get("/Type") == "/FontDescriptor"
        ]
        assert len(fonts) == 4
        assert all("/FontFile2" in font for font in fonts)


def test_scripts_and_signs_are_drawn_and_what_cannot_be_drawn_shows_its_code(tmp_path):
    path = written(tmp_path, "Prüfung Проверка ελ", "证据 第3页 한국어", "क\u202ex\x07\ud800")
    text = text_of(path)
    assert "Prüfung Проверка ελ" in text
    assert "证据 第3页 한국어" in text
    assert "‹U+0915›‹U+202E›x‹U+0007›‹U+D800›" in text


def test_arabic_letters_are_joined_from_right_to_left(tmp_path):
    with pypdfium2.PdfDocument(written(tmp_path, "سلام")) as pdf:
        drawn = np.asarray(pdf[0].render(scale=10, grayscale=True).to_pil())
    line = drawn[10 * 28 : 14 * 28] < 128
    assert cv2.connectedComponents(line.astype(np.uint8))[0] - 1 == 2  # three letters are joined, the last stands apart
    assert np.flatnonzero(line.any(axis=0)).min() > line.shape[1] / 2  # at the right


def test_the_same_content_gives_the_same_bytes(tmp_path):
    first = written(tmp_path, "Plain.").read_bytes()
    assert written(tmp_path, "Plain.").read_bytes() == first
    assert written(tmp_path, "Plain!").read_bytes() != first


def test_a_page_that_pdfa_does_not_know_is_refused(tmp_path):
    with ArchivalDocument("Title", DATE, tmp_path) as document:
        document.add_sheet(5079, 297)
        with pytest.raises(OutputError, match=r"6\.0 m × 0\.3 m is larger"):
            document.add_sheet(6000, 297)


def test_long_names_are_cut_in_their_middle(tmp_path):
    with ArchivalDocument("Title", DATE, tmp_path) as document:
        assert document.shortened("short", 50) == "short"
        name = document.shortened("a" * 200 + "end.jpg", 50)
        assert name.startswith("aaa")
        assert name.endswith("end.jpg")
        assert document.get_string_width(name) <= 50


def test_images_that_wait_on_disk_or_in_memory_give_the_same_file(tmp_path, monkeypatch):
    image = io.BytesIO()
    Image.fromarray(np.random.default_rng(1).integers(0, 255, (40, 30, 3), np.uint8)).save(image, "png")
    written = []
    for small in (0, 1 << 20):
        monkeypatch.setattr(archival, "_SMALL_BYTES", small)
        with ArchivalDocument("Title", DATE, tmp_path) as document:
            document.add_sheet(100, 100)
            document.place(image.getvalue(), 0, 0, (30, 40))
            document.save(tmp_path / "document.pdf")
        written.append((tmp_path / "document.pdf").read_bytes())
    assert written[0] == written[1]
    with pikepdf.open(tmp_path / "document.pdf") as pdf:
        (page,) = pdf.pages
        assert [float(value) for value in page.trimbox] == pytest.approx([0, 283.46 - 9.6, 7.2, 283.46], abs=0.01)
