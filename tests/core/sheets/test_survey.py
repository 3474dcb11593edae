"""A first look at heaps of files."""

from functools import cache
from pathlib import Path

import img2pdf
import numpy as np
import pytest
from PIL import Image

from core.options import ReadingOptions
from core.progress import Cancelled
from core.sheets.input_file import InputFile
from core.sheets.reader import read_inputs
from core.sheets.sheet import SheetInfo
from core.sheets.survey import survey
from tests.core.drawn_photograph import card, exif, photograph

YELLOW = (250, 200, 60)


@cache
def page(height: int = 1754, width: int = 1240, pitch: int = 30) -> np.ndarray:
    """Draw a page of lines at 150 dpi."""
    pixels, rng = np.full((height, width), 250, np.uint8), np.random.default_rng(0)
    for top in range(pitch, height - pitch, pitch):
        for left in range(40, width - 40, 9):
            if rng.random() < 0.8:
                pixels[top : top + int(rng.choice([8, 12])), left : left + 5] = 20
    return pixels


@pytest.fixture
def put(tmp_path):
    """Save an array as a picture."""

    def put(name: str, array: np.ndarray, **options) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(array).save(path, **options)
        return path

    return put


@pytest.fixture
def strips(put):
    """Write the strips of a page, from edge to edge."""

    def strips(folder: str, n: int = 10, **options) -> None:
        for number, strip in enumerate(np.array_split(page(), n, axis=1)):
            put(f"{folder}/{number}.png", strip, **options)

    return strips


@pytest.mark.parametrize("folder", ["strips", "a heap/of/anything", "shreds"])
def test_a_folder_of_strips_of_any_name(tmp_path, strips, folder):
    strips(folder)
    found = survey([tmp_path])
    assert (found.n_sheets, found.n_single_shreds) == (0, 10)
    assert [file.dpi for file in found.files] == [150.0] * 10
    first, second = found.sentences()
    assert first == "Found 10 single shreds."
    assert second.startswith("10 files do not say their resolution: taken as 150 dpi, so that the shreds are as long")
    assert not found.is_certain
    sheets = list(read_inputs(found.files))
    assert all(sheet.mask.all() for sheet in sheets)
    assert {(sheet.info.size_px[1], sheet.info.dpi, sheet.info.dpi_source) for sheet in sheets} == {
        (3508, 150.0, "estimated")
    }


def test_shreds_with_masks_that_say_their_resolution_leave_no_question(put, tmp_path):
    put("shreds/1.png", np.full((900, 60), 250, np.uint8), dpi=(150, 150))
    put("masks/1.png", np.full((900, 60), 255, np.uint8))
    found = survey([tmp_path])
    assert found.n_single_shreds == 1
    assert found.is_certain


def test_strips_on_a_support_are_sheets(put, tmp_path):
    for number in range(4):
        lying = np.full((1800, 200, 3), YELLOW, np.uint8)
        lying[20:1774, 60:160] = page()[:, 100 * number : 100 * number + 100, None]
        lying = np.clip(lying + np.random.default_rng(0).normal(0, 5, lying.shape), 0, 255).astype(np.uint8)
        put(f"{number}.png", lying, dpi=(150, 150))
    found = survey([tmp_path])
    assert (found.n_sheets, found.n_single_shreds, found.is_certain) == (4, 0, True)
    assert list(found.sentences()) == ["Found 4 sheets."]


def test_one_strip_that_looks_otherwise_goes_with_its_folder(put, tmp_path, strips):
    strips("strips")
    odd = np.random.default_rng(0).integers(5, 30, (1754, 124), dtype=np.uint8)
    odd[:, 20:100] = 250
    put("strips/odd.png", odd)
    put("alone/odd.png", odd)
    kinds = {str(look.file.path.relative_to(tmp_path)): look.single_shred for look in survey([tmp_path]).looks}
    assert kinds["strips/odd.png"]
    assert not kinds["alone/odd.png"]


def test_a_short_piece_goes_with_the_long_ones(put, tmp_path, strips):
    strips("strips")
    put("strips/short.png", page()[:200, 200:324])
    put("alone/short.png", page()[:200, 200:324])
    kinds = {str(look.file.path.relative_to(tmp_path)): look.single_shred for look in survey([tmp_path]).looks}
    assert kinds["strips/short.png"]
    assert not kinds["alone/short.png"]


def test_a_heap_of_short_pieces(put, tmp_path):
    for number in range(20):
        put(f"{number}.png", page()[10 * number : 10 * number + 100, 100:180])
    assert survey([tmp_path]).n_single_shreds == 20


@pytest.mark.parametrize("single", [True, False])
def test_short_pieces_that_are_added_are_what_most_of_the_sheets_before_are(put, tmp_path, single):
    put("late/piece.png", page()[:100, 100:180])
    none = np.zeros((1, 1, 3), np.uint8)
    before = [SheetInfo(tmp_path / "0.png", 0, "", (80, 100), 300.0, "file", none, single_shred=single)]
    assert survey([tmp_path / "late"], known=before).n_single_shreds == int(single)


def test_of_paper_with_two_faces_one_counts_for_the_size_of_a_page(put, tmp_path):
    pieces = [piece for row in np.array_split(page(), 10) for piece in np.array_split(row, 16, axis=1)]
    for number, piece in enumerate(pieces):
        put(f"{number:03}a.png", piece)
    (one_face,) = {file.dpi for file in survey([tmp_path]).files}
    assert one_face == pytest.approx(150, abs=5)
    for number, piece in enumerate(pieces):
        put(f"{number:03}b.png", piece)
    assert {file.dpi for file in survey([tmp_path]).files} == {one_face}


def test_pages_and_what_only_its_decoder_opens_are_counted(put, tmp_path):
    pages = [Image.fromarray(page()) for _ in range(3)]
    pages[0].save(tmp_path / "scans.tif", save_all=True, append_images=pages[1:], dpi=(150, 150))
    scan = put("scan.png", page(), dpi=(150, 150))
    (tmp_path / "scan.pdf").write_bytes(img2pdf.convert(str(scan)))
    (tmp_path / "broken.jpg").write_bytes(b"\xff\xd8\xff nothing")
    assert list(survey([tmp_path]).sentences()) == ["Found 4 sheets and 2 PDF or other files."]


def test_resolution_goes_by_the_other_files_or_by_lines_of_print(put, tmp_path):
    put("lost.png", page()[:1500, :1000])
    assert survey([tmp_path]).estimate.dpi == 150
    assert "lines of print" in survey([tmp_path]).estimate.reason
    put("a.png", page(), dpi=(200, 200))
    found = survey([tmp_path])
    assert found.estimate.dpi == 200
    assert [file.dpi for file in found.files] == [None, 200.0]


def test_a_resolution_that_was_given_is_not_estimated(tmp_path, strips):
    strips("strips")
    found = survey([tmp_path], ReadingOptions(dpi=150.0))
    assert found.estimate is None
    assert not found.without_resolution
    assert list(found.sentences()) == ["Found 10 single shreds."]


def test_what_is_known_stays_and_what_is_answered_holds(tmp_path, strips):
    strips("strips", n=3)
    known = InputFile(tmp_path / "strips/0.png", single_shred=False, dpi=100.0, dpi_source="given")
    assert survey([known]).files == (known,)
    found = survey([tmp_path])
    answered = found.answered([True, False, True], 120.0)
    assert [(file.single_shred, file.dpi, file.dpi_source) for file in answered] == [
        (True, 120.0, "given"),
        (False, 120.0, "given"),
        (True, 120.0, "given"),
    ]
    assert survey(answered).files == answered
    assert [file.dpi_source for file in found.answered([True] * 3, None)] == ["estimated"] * 3


def test_it_can_be_cancelled(tmp_path, strips):
    strips("strips", n=3)

    def cancel(fraction: float, text: str) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        survey([tmp_path], progress=cancel)


def test_a_photograph_goes_by_its_support_and_is_asked_about(put):
    pixels, _ = photograph(card(), (8, -6))
    found = survey([put("IMG_1.jpg", pixels, exif=exif())])
    (look,) = found.looks
    assert look.by_support
    assert look.file.dpi == pytest.approx(look.size_px[1] / 11.69, rel=0.02)
    assert not found.is_certain
    assert list(found.sentences()) == [
        "Found 1 sheet.",
        "1 photograph: taken as if what the shreds lie on were of A4 or Letter size. "
        "If that is wrong, give the right one (“Resolution”, --dpi).",
    ]
