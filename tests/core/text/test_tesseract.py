import io
import shutil
import time
from pathlib import Path

import pytest
from PIL import Image

from core.errors import UsageError
from core.progress import Cancelled
from core.text import tesseract
from core.text.page_text import Word
from core.text.tesseract import check_languages, read_words, usable

TABLE = """\
level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext
1\t1\t0\t0\t0\t0\t0\t0\t900\t200\t-1\t
5\t1\t1\t1\t1\t1\t40\t50\t210\t33\t96.5\tquoted"
5\t1\t1\t1\t1\t2\t270\t50\t90\t33\t91.0\t 
5\t1\t2\t1\t3\t1\t400\t50\t90\t33\t12.5\tпроба
"""  # noqa: W291

needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="Tesseract is not installed: ./install-system-packages tests"
)


def test_words_come_from_the_table_with_their_place():
    assert tesseract._words(TABLE) == (
        Word('quoted"', (40, 50, 210, 33), 0.965, (1, 1, 1)),
        Word("проба", (400, 50, 90, 33), 0.125, (2, 1, 3)),
    )


def test_what_is_installed_is_told(tesseract_stub):
    assert tesseract.installed()
    assert tesseract.version() == "tesseract 9.9"
    assert tesseract.languages() == ("deu", "eng")


def test_without_tesseract_there_are_no_languages(monkeypatch):
    monkeypatch.setattr(tesseract, "TESSERACT", "no-such-program")
    assert not tesseract.installed()
    assert tesseract.languages() == ()


def test_only_languages_that_are_there_are_read_in():
    assert usable("fra+deu", ("deu", "eng")) == "deu"
    assert usable("fra", ("deu", "eng")) == "eng"
    assert usable("fra", ()) == ""


def test_a_language_that_is_not_installed_is_named(tesseract_stub):
    check_languages("deu+eng")
    with pytest.raises(UsageError, match='no data for the language "xyz" here; it has deu, eng'):
        check_languages("eng+xyz")


def test_a_failure_is_told_in_its_own_words(tesseract_stub, tmp_path):
    tesseract_stub().with_name("tesseract.tsv").unlink()
    with pytest.raises(UsageError, match=r"could not read a page: .*No such file"):
        read_words(b"P6 1 1 255\n...", "eng")


def test_reading_ends_when_it_is_cancelled(tmp_path, monkeypatch):
    program = tmp_path / "tesseract"
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o755)
    monkeypatch.setattr(tesseract, "TESSERACT", str(program))
    calls = iter([None, None])

    def go_on():
        if next(calls, "stop") == "stop":
            raise Cancelled

    began = time.monotonic()
    with pytest.raises(Cancelled):
        read_words(bytes(10_000_000), "eng", go_on)
    assert time.monotonic() - began < 300


@needs_tesseract
def test_tesseract_reads_a_page(printed_case):
    file = io.BytesIO()
    Image.fromarray(printed_case.shreds[0].pixels).save(file, "ppm")
    first, second = read_words(file.getvalue(), "eng")
    assert (first.text, second.text) == ("Harbour", "Archive")
    assert first.box_px[0] == pytest.approx(66, abs=6)
    assert first.line == second.line
    assert first.confidence > 0.8


def test_it_is_found_where_installers_put_it(tesseract_stub, monkeypatch):
    program = Path(tesseract.TESSERACT)
    monkeypatch.setattr(tesseract, "TESSERACT", program.name)
    monkeypatch.setattr(tesseract, "_PLACES", ("/no/such/place", str(program.parent)))
    monkeypatch.setenv("PATH", "/usr/share")
    assert tesseract.installed()
    monkeypatch.setattr(tesseract, "_PLACES", ())
    assert not tesseract.installed()
