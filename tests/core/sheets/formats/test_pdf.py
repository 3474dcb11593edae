"""PDF files are drawn by another process: with the same pixels, and whatever they do to it."""

import io
import os
import subprocess
import sys

import img2pdf
import numpy as np
import pikepdf
import pypdfium2
import pytest
from PIL import Image

from core.errors import UnreadableInputError
from core.progress import Cancelled
from core.sheets.formats import pdf, pdf_client, pdf_worker
from core.sheets.formats.decoding import Document
from core.sheets.formats.pdf import MOST_GIVEN_UP
from core.sheets.input_file import InputFile
from core.sheets.reader import read_inputs
from core.sheets.sheet import Sheet
from tests.core.sheets.formats.encoded import DPI, GREY, RGB, assert_refused, blank_pdf, decode, saved
from tests.fuzz.endless import commands, forms, made, shades

NOISE = np.random.default_rng(0).integers(0, 256, (400, 300, 3), dtype=np.uint8)


def scan(n_pages: int = 1) -> bytes:
    """Noise, which no process gets by luck, and more of it than is read at once."""
    file = io.BytesIO()
    Image.fromarray(NOISE).save(file, "PNG", dpi=(300, 300))
    return img2pdf.convert([file.getvalue()] * n_pages)


def drawn() -> bytes:
    """A page without a scan: shapes, a letter, a turned picture."""
    document, file = pikepdf.open(io.BytesIO(scan())), io.BytesIO()
    page = document.pages[0]
    name = next(iter(page.Resources.XObject.keys())).encode()
    font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
    page.Resources.Font = pikepdf.Dictionary(F=font)
    page.MediaBox = [0, 0, 71.3, 96.7]
    page.Contents = document.make_stream(
        b"1 0 0 rg 3 4 m 60 9 l 20 50 l f q 30 20 -20 30 25 30 cm %s Do Q BT /F 9 Tf 5 80 Td (Q) Tj ET" % name
    )
    document.save(file)
    return file.getvalue()


def endless(page=forms, n_after: int = 0) -> bytes:
    return made(page, np.random.default_rng(0), n_after)


@pytest.fixture
def started(monkeypatch):
    """The processes that are started; when the test ends, none may run."""
    processes = []

    class Noted(subprocess.Popen):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            processes.append(self)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    yield processes
    assert processes
    assert all(process.returncode is not None for process in processes)
    assert all(process.stdin.closed and process.stdout.closed for process in processes)


@pytest.fixture
def opened(started):
    """Opens a file by its content, and closes it."""
    documents = []

    def open_(data):
        documents.append(Document(io.BytesIO(data), "scan", 400))
        return documents[-1]

    yield open_
    for document in documents:
        document.close()


@pytest.mark.parametrize("data", [scan(), drawn()], ids=["scan", "drawn"])
def test_the_pixels_are_those_that_pdfium_draws_in_this_process(data, opened):
    bitmap, dpi, hid = pdf_worker.draw(pypdfium2.PdfDocument(data), 0, 400, lambda *_: None)
    picture = opened(data).picture(0)
    expected = np.frombuffer(bitmap.buffer, np.uint8).reshape(bitmap.height, bitmap.width, 3)
    np.testing.assert_array_equal(picture.pixels, expected)
    assert picture.dpi == (dpi, dpi)
    assert not hid
    assert len(np.unique(picture.pixels)) > 100


@pytest.mark.parametrize("turned", [0, 90])
@pytest.mark.parametrize(
    ("boxes", "word"),
    [
        ({"CropBox": [0, 0, 40, 96]}, "crop box"),
        ({"MediaBox": [0, 0, 40, 96]}, "beyond the page"),
        ({"MediaBox": [10, 20, 72, 96], "CropBox": [20, 30, 50, 50]}, "beyond the page"),
    ],
)
def test_nothing_of_a_scan_is_hidden(boxes, word, turned, opened):
    document, file = pikepdf.open(io.BytesIO(scan())), io.BytesIO()
    for name, box in boxes.items():
        document.pages[0][f"/{name}"] = box
    document.pages[0].Rotate = turned
    document.save(file)
    picture = opened(file.getvalue()).picture(0)
    np.testing.assert_array_equal(picture.pixels, np.rot90(NOISE, -turned // 90))
    (note,) = picture.notes
    assert word in note


def test_a_picture_that_reaches_out_too_far_is_drawn_as_far_as_the_page_reaches(opened):
    document, file = pikepdf.open(io.BytesIO(scan())), io.BytesIO()
    page = document.pages[0]
    name = next(iter(page.Resources.XObject.keys())).encode()
    draw = b"q 72 0 0 96 0 0 cm %s Do Q q 72 0 0 96 90000 0 cm %s Do Q" % (name, name)
    page.Contents = document.make_stream(draw)
    document.save(file)
    picture = opened(file.getvalue()).picture(0)
    np.testing.assert_array_equal(picture.pixels, NOISE)
    assert "far beyond the page" in picture.notes[0]


def test_pages_in_any_order_come_from_one_process(opened, started):
    document = opened(scan(3))
    for page in (2, 0, 0, 1):
        np.testing.assert_array_equal(document.picture(page).pixels, NOISE)
    assert len(started) == 1


@pytest.mark.parametrize(("page", "limit"), [(forms, "1 s"), (shades, "2 s")])
def test_an_endless_page_is_stopped_and_the_next_one_is_read(page, limit, opened, monkeypatch):
    """The size of a page, for which it is given time, is known when it is drawn; endless forms come before that."""
    document = opened(endless(page, n_after=1))
    with monkeypatch.context() as limits:
        limits.setattr(pdf, "SECONDS", 1.1)
        limits.setattr(pdf, "SECONDS_PER_MEGAPIXEL", 0.25)
        with pytest.raises(UnreadableInputError, match=rf"scan, page 1, takes longer than {limit} .*Export its pages"):
            document.picture(0)
    assert (document.picture(1).pixels == 255).all()


def test_a_damaged_page_and_a_large_one_cost_no_new_process(opened, started):
    """A file may say that it has a million pages."""
    document, file = pikepdf.open(io.BytesIO(scan())), io.BytesIO()
    document.add_blank_page(page_size=(14_400, 14_400))
    document.Root.Pages.Kids.append(document.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.Nothing)))
    document.Root.Pages.Count = 3
    document.save(file)
    opened_document = opened(file.getvalue())
    assert opened_document.n_pages == 3
    with pytest.raises(UnreadableInputError, match="scan, page 3, is damaged or incomplete"):
        opened_document.picture(2)
    with pytest.raises(UnreadableInputError, match="scan, page 2, would unpack to 60,000"):
        opened_document.picture(1)
    np.testing.assert_array_equal(opened_document.picture(0).pixels, NOISE)
    assert len(started) == 1


def test_a_file_of_endless_pages_does_not_take_for_ever(opened, started, monkeypatch):
    document = opened(scan(9))
    monkeypatch.setattr(pdf, "SECONDS", -1)
    sentences = []
    for page in range(9):
        with pytest.raises(UnreadableInputError) as caught:
            document.picture(page)
        sentences.append(str(caught.value))
    assert ["was not tried" in sentence for sentence in sentences] == [False] * MOST_GIVEN_UP + [True] * 6
    assert len(started) == MOST_GIVEN_UP


def test_cancel_stops_a_page_that_is_being_drawn(tmp_path, started):
    (tmp_path / "scan.pdf").write_bytes(endless(shades))
    told = []

    def progress(fraction, text):
        told.append((fraction, text))
        if len(told) == 20:  # a second later
            raise Cancelled

    with pytest.raises(Cancelled):
        list(read_inputs([InputFile(tmp_path / "scan.pdf")], progress=progress))
    assert set(told) == {(0.0, "Reading scan.pdf")}


def test_cancel_stops_the_opening(started):
    def progress(_fraction, _text):
        raise Cancelled

    with pytest.raises(Cancelled):
        Document(io.BytesIO(scan()), "scan", 400, progress)


def test_progress_stands_still_while_a_page_is_drawn(tmp_path, started):
    (tmp_path / "scans.pdf").write_bytes(scan(2))
    told = []
    sheets = list(read_inputs([InputFile(tmp_path / "scans.pdf")], progress=lambda *one: told.append(one)))
    assert len(sheets) == 2
    assert [fraction for fraction, _ in told] == sorted(fraction for fraction, _ in told)
    assert {text for _, text in told} == {
        "Reading scans.pdf",
        "Reading scans.pdf, page 1 of 2",
        "Reading scans.pdf, page 2 of 2",
    }


def test_a_process_that_is_killed_is_a_sentence_and_the_next_page_is_read(opened, started):
    document = opened(scan(2))
    started[0].kill()
    with pytest.raises(UnreadableInputError, match=r"scan, page 1, cannot be drawn: PDFium.* \(SIGKILL\).*Export"):
        document.picture(0)
    np.testing.assert_array_equal(document.picture(1).pixels, NOISE)
    assert len(started) == 2


@pytest.mark.parametrize(
    "code",
    [
        "",
        "import os; os.kill(os.getpid(), 11)",
        "print('no JSON')",
        "print('[' * 9_000_000)",
        'print(\'{"pages": "many"}\')',
        "print('{\"read\": [-5, 10]}'); input()",
        "print('{}')",
        "print('{\"pages\": 1}'); print('{\"size\": [10, 10], \"dpi\": 300}'); print('too short')",
        "print('{\"pages\": 1}'); print('{\"size\": [10, 10]}')",
        'print(\'{"pages": 1}\'); print(\'{"size": "large"}\')',
    ],
)
def test_a_process_that_does_not_do_what_it_should_is_a_sentence(code, opened, monkeypatch):
    monkeypatch.setattr(pdf_client, "drawing_command", lambda: [sys.executable, "-c", code])
    with pytest.raises(UnreadableInputError, match=r"scan cannot be drawn: PDFium.*\((SIG\w+|code \d)\)"):
        opened(scan()).picture(0)


def test_a_process_that_wants_more_than_is_allowed_gets_nothing(opened, monkeypatch):
    code = 'print(\'{"pages": 1}\'); print(\'{"size": [100000, 100000], "dpi": 300}\', flush=True); input()'
    monkeypatch.setattr(pdf_client, "drawing_command", lambda: [sys.executable, "-c", code])
    with pytest.raises(UnreadableInputError, match="Largest sheet"):
        opened(scan()).picture(0)


def test_no_process_is_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(pdf_client, "drawing_command", lambda: [str(tmp_path / "gone")])
    with pytest.raises(UnreadableInputError, match=r"scan cannot be drawn: .*does not start.*try again"):
        Document(io.BytesIO(scan()), "scan", 400)


@pytest.mark.skipif(sys.platform != "linux", reason="no other system holds a process to its memory")
@pytest.mark.parametrize(
    ("data", "what"),
    [
        pytest.param(
            endless(commands), r"broke down over it \(SIG\w+\), or took more memory", id="refused by the system"
        ),
        pytest.param(scan(), "takes more memory to draw than a scan needs", id="found afterwards"),
    ],
)
def test_a_page_may_not_take_all_of_the_memory(data, what, opened, monkeypatch):
    little = "from core.sheets.formats import pdf_worker as p; p.MEMORY_BYTES, p.MEMORY_BYTES_PER_PIXEL = 1 << 27, 0"
    little += "; p.main()"
    monkeypatch.setattr(pdf_client, "drawing_command", lambda: [sys.executable, "-c", little])
    with pytest.raises(UnreadableInputError, match=what):
        opened(data).picture(0)


def test_what_is_drawn_is_what_was_opened_whatever_lies_there_now(tmp_path, started):
    path = tmp_path / "scan.pdf"
    path.write_bytes(scan(2))
    sheets = read_inputs([InputFile(path)])
    first = next(sheets)
    (tmp_path / "other.pdf").write_bytes(drawn())
    os.replace(tmp_path / "other.pdf", path)
    second = next(sheets)
    assert isinstance(first, Sheet)
    assert isinstance(second, Sheet)
    np.testing.assert_array_equal(first.pixels, second.pixels)
    assert list(sheets) == []


def test_a_drive_that_goes_away_is_a_sentence(started):
    class Drive(io.BytesIO):
        gone = False

        def read(self, size=-1, /):
            if self.gone:
                raise OSError(5, "Input/output error")
            return super().read(size)

    drive = Drive(scan(2))
    document = Document(drive, "scan", 400)
    drive.gone = True
    with pytest.raises(UnreadableInputError, match=r"scan is damaged or incomplete .*Input/output error"):
        document.picture(0)
    drive.gone = False
    np.testing.assert_array_equal(document.picture(1).pixels, NOISE)
    document.close()


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="only here does the system tell")
def test_many_files_leave_neither_processes_nor_descriptors(started):
    before = len(os.listdir("/proc/self/fd"))
    for data in [scan(), drawn(), b"%PDF-1.7\n%%EOF"] * 2:
        try:
            document = Document(io.BytesIO(data), "scan", 400)
        except UnreadableInputError:
            continue
        document.picture(0)
        document.close()
    assert len(started) == 6
    assert len(os.listdir("/proc/self/fd")) == before


def test_an_abandoned_file_is_closed(tmp_path, started):
    (tmp_path / "scans.pdf").write_bytes(scan(2))
    sheets = read_inputs([InputFile(tmp_path / "scans.pdf")])
    next(sheets)
    sheets.close()


def test_pdf_is_rendered_at_the_resolution_of_its_scan():
    layout = img2pdf.get_fixed_dpi_layout_fun((200, 200))
    pdf = img2pdf.convert([saved(Image.fromarray(RGB), "PNG"), saved(Image.fromarray(GREY), "PNG")], layout_fun=layout)
    first, second = decode(pdf)
    np.testing.assert_array_equal(first.pixels, RGB)
    np.testing.assert_array_equal(second.pixels[..., 0], GREY)
    assert first.dpi == pytest.approx((200, 200))
    assert first.alpha is None


@pytest.mark.parametrize("dpi", [100, 203.98, 300, 600])
def test_pdf_pixels_are_those_of_the_scan_at_any_resolution(dpi):
    layout = img2pdf.get_fixed_dpi_layout_fun((dpi, dpi))
    noise = np.random.default_rng(0).integers(0, 256, (351, 248, 3), dtype=np.uint8)
    (picture,) = decode(img2pdf.convert(saved(Image.fromarray(noise), "PNG"), layout_fun=layout))
    np.testing.assert_array_equal(picture.pixels, noise)


def test_pdf_turned_by_its_page_entry():
    pdf = pikepdf.open(io.BytesIO(img2pdf.convert(saved(Image.fromarray(RGB), "PNG", dpi=DPI))))
    pdf.pages[0].rotate(90, relative=False)
    turned = io.BytesIO()
    pdf.save(turned)
    np.testing.assert_array_equal(decode(turned.getvalue())[0].pixels, np.rot90(RGB, -1))


def test_pdf_without_scan_is_rendered_at_300_dpi():
    (picture,) = decode(blank_pdf())
    assert picture.pixels.shape == (600, 300, 3)
    assert (picture.pixels == 255).all()


def test_pdf_with_password():
    locked = blank_pdf(encryption=pikepdf.Encryption(user="secret", owner="secret"))
    assert_refused(locked, "password", "Save a copy")


def test_pdf_without_pages():
    pdf, file = pikepdf.new(), io.BytesIO()
    pdf.save(file)
    assert_refused(file.getvalue(), "without pages", "Scan or export it again")


def test_pdf_that_is_damaged():
    whole = img2pdf.convert(saved(Image.fromarray(RGB), "PNG", dpi=DPI))
    assert_refused(whole[: len(whole) // 2], "damaged or incomplete")
    assert_refused(b"%PDF-1.7\n" + b"x" * 500 + b"%%EOF", "damaged or incomplete")
