import csv
import hashlib
import json
import os
from dataclasses import replace

import numpy as np
import pytest
import tifffile
from PIL import Image

from core.case.record import recorded
from core.composition.backs import with_backs
from core.composition.page_image import GAP_RGB, gaps, turned
from core.composition.pages import compose
from core.errors import OutputError, UsageError
from core.options import Export
from core.output.export import order, with_seams, write_export
from core.output.pages import write_pages
from core.progress import Cancelled
from core.shreds.shred import upright
from core.text import tesseract
from tests.core.composition.test_backs import case as two_faced

__all__ = ["two_faced"]


def pages_of(case):
    return [compose(case, page) for page in range(len(case.arrangement.pages))]


def test_png_pages_are_true_size_and_say_what_they_are(small_case, tmp_path):
    write_export(tmp_path / "out", small_case, Export(pages="png"))
    assert sorted(os.listdir(tmp_path / "out" / "pages")) == ["page-01.png", "page-02.png"]
    for number, page in enumerate(pages_of(small_case), start=1):
        with Image.open(tmp_path / "out" / "pages" / f"page-0{number}.png") as image:
            assert np.array_equal(np.asarray(image), page.pixels)
            assert image.info["dpi"] == pytest.approx((300, 300), abs=0.01)
            assert "not an original" in image.info["Comment"]


def test_tiff_pages_are_true_size(small_case, tmp_path):
    write_export(tmp_path / "out", small_case, Export(pages="tiff"))
    for number, page in enumerate(pages_of(small_case), start=1):
        with tifffile.TiffFile(tmp_path / "out" / "pages" / f"page-0{number}.tif") as tiff:
            assert np.array_equal(tiff.asarray(), page.pixels)
            assert tiff.pages[0].tags["XResolution"].value == (300, 1)
            assert f"page {number} of 2. Digital reconstruction" in tiff.pages[0].description
            assert "not an original" in tiff.pages[0].description


def test_shreds_are_transparent_beyond_their_paper_and_lie_as_on_the_pages(small_case, tmp_path):
    write_export(tmp_path / "out", small_case, Export(shreds=True))
    names = os.listdir(tmp_path / "out" / "shreds")
    assert sorted(names) == [f"{shred.id}.png" for shred in small_case.shreds]
    for shred in small_case.shreds:
        pixels, mask = upright(small_case.arrangement.pose(shred))
        with Image.open(tmp_path / "out" / "shreds" / f"{shred.id}.png") as image:
            rgba = np.asarray(image)
            assert image.info["dpi"] == pytest.approx((300, 300), abs=0.01)
            sheet = small_case.sheets[shred.sheet]
            assert image.info["Title"] == f"Shred {shred.id}, cut out of {sheet.name}"
            assert sheet.sha256 in image.info["Comment"]
        assert np.array_equal(rgba[..., 3] > 0, mask)
        assert np.array_equal(rgba[mask][:, :3], pixels[mask])


def test_the_order_lists_every_shred_once(small_case, tmp_path):
    notes = {"2-02": "Torn. 证据", "1-01|2-02": "A stamp, across."}
    said = replace(small_case.arrangement, notes=notes, confirmed_below=frozenset({("1-01", "2-01")}))
    case = replace(small_case, arrangement=said)
    write_export(tmp_path / "out", case, Export(order=("csv", "json")), name="Matter 7")
    with (tmp_path / "out" / "order.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["page"], row["position"], row["shred"]) for row in rows] == [
        ("1", "1", "1-01"), ("1", "2", "2-02"), ("2", "1", "2-01"), ("2", "2", "1-02"), ("", "", "1-03"),
    ]  # fmt: skip
    second = rows[1]
    assert (second["left_neighbour"], second["cost"], second["confidence"]) == ("1-01", "2.5", "0.75")
    assert (second["shift_px"], second["shift_mm"], second["state"]) == ("4", "0.339", "confirmed")
    assert (second["half_turn"], second["note_on_shred"], second["note_on_join"]) == (
        "True", "Torn. 证据", "A stamp, across.",
    )  # fmt: skip
    assert (rows[3]["cost"], rows[3]["confidence"]) == ("", "")  # was never compared
    told = json.loads((tmp_path / "out" / "order.json").read_text(encoding="utf-8"))
    assert told["order"] == list(order(case))
    assert told["case"] == "Matter 7"
    assert told["confirmed_below"] == [["1-01", "2-01"]]
    assert told["forbidden"] == [["1-01", "1-02"], ["2-01", "1-01"]]
    assert told["sheets"][1]["sha256"] == case.sheets[1].sha256
    assert "not an original" in told["about"]


def test_a_note_is_no_formula(small_case, tmp_path):
    notes = {"2-02": "=1+1", "1-01|2-02": "-2 mm"}
    case = replace(small_case, arrangement=replace(small_case.arrangement, notes=notes))
    write_export(tmp_path / "out", case, Export(order=("csv", "json")))
    with (tmp_path / "out" / "order.csv").open(encoding="utf-8-sig", newline="") as file:
        second = list(csv.DictReader(file))[1]
    assert (second["note_on_shred"], second["note_on_join"]) == ("'=1+1", "'-2 mm")
    assert json.loads((tmp_path / "out" / "order.json").read_text(encoding="utf-8"))["notes"] == notes


def test_seams_are_pictures_of_their_own_with_numbers_above_the_paper(small_case, tmp_path):
    write_export(tmp_path / "out", small_case, Export(pages="png", seams=True))
    page = pages_of(small_case)[0]
    with Image.open(tmp_path / "out" / "pages" / "page-01.png") as image:
        assert np.array_equal(np.asarray(image), page.pixels)
    drawn = with_seams(page)
    with Image.open(tmp_path / "out" / "seams" / "page-01.png") as image:
        assert np.array_equal(np.asarray(image), drawn)
    strip, paper = drawn[:130], drawn[130:]
    assert (strip < 100).any()
    nothing = gaps(page)
    seams = (paper == (0, 114, 178)).all(axis=2)
    assert 0 < seams.mean() < 0.2
    assert (paper[nothing & ~seams] == GAP_RGB).all()
    assert (paper[~nothing & ~seams] == page.pixels[~nothing & ~seams]).all()


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_numbers_stand_beside_the_shreds_of_a_turned_page(small_case, turns):
    page = pages_of(small_case)[0]
    plain, back = with_seams(page), np.rot90(with_seams(turned(page, turns)), -turns)
    assert back.shape == plain.shape
    assert (back[130:] == plain[130:]).all()
    assert (back[:100] < 100).any(), "the numbers"


def test_nothing_half_written_is_left(small_case, tmp_path, monkeypatch):
    everything = Export("tiff", ("csv",), shreds=True, seams=True)

    def cancel(fraction, _text):
        if fraction > 0.6:
            raise Cancelled

    with pytest.raises(Cancelled):
        write_export(tmp_path / "out", small_case, everything, progress=cancel)

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("PIL.Image.Image.save", full)
    with pytest.raises(OutputError, match="No space left on device"):
        write_export(tmp_path / "out", small_case, everything)
    with pytest.raises(UsageError, match="nothing to export"):
        write_export(tmp_path / "out", small_case, Export())
    assert not os.listdir(tmp_path)


def test_the_hashes_of_all_files_are_listed(small_case, tmp_path):
    write_export(tmp_path / "out", small_case, Export("png", ("csv",)))
    listed = dict(line.split("  ")[::-1] for line in (tmp_path / "out" / "SHA256SUMS").read_text().splitlines())
    assert sorted(listed) == ["ABOUT.txt", "order.csv", "pages/page-01.png", "pages/page-02.png"]
    for name, sha256 in listed.items():
        assert hashlib.sha256((tmp_path / "out" / name).read_bytes()).hexdigest() == sha256


def test_the_folder_says_what_it_holds_and_what_that_was_made_from(small_case, tmp_path):
    case = recorded(small_case, "Ada", "saved", "saved", when="2026-01-02T03:04:05Z")
    write_export(tmp_path / "out", case, Export(order=("csv",)), name="Matter 7")
    told = (tmp_path / "out" / "ABOUT.txt").read_text(encoding="utf-8")
    assert told.startswith("Matter 7\nDigital reconstruction of shredded paper; not an original.")
    assert "state of 2026-01-02 03:04:05 UTC" in told
    for part in (case.history[-1].sha256, case.weights_sha256, *(sheet.sha256 for sheet in case.sheets)):
        assert part in told


def test_sheets_with_names_that_are_no_text_are_named_all_the_same(small_case, tmp_path):
    sheets = tuple(replace(sheet, path=sheet.path.with_name("\udcff größe.png")) for sheet in small_case.sheets)
    case = replace(small_case, sheets=sheets)
    for pages in ("png", "tiff"):
        write_export(tmp_path / pages, case, Export(pages=pages, order=("csv", "json"), shreds=True, seams=True))
        write_pages(tmp_path / f"pages.{pages}", case)
    with Image.open(tmp_path / "png" / "pages" / "page-01.png") as image:
        assert "\\udcff größe.png" in image.info["Title"]
    with tifffile.TiffFile(tmp_path / "pages.tiff") as tiff:
        assert all("\\udcff größe.png" in page.description for page in tiff.pages)


def test_text_is_written_beside_the_pages_and_its_origin_is_told(small_case, tmp_path, tesseract_stub):
    tesseract_stub(("Grüße", 1, 40), ("zweitens", 1, 40), line_by_line=True)
    write_export(tmp_path / "out", small_case, Export(text="deu+eng"))
    assert sorted(os.listdir(tmp_path / "out" / "text")) == ["page-01.txt", "page-02.txt"]
    assert (tmp_path / "out" / "text" / "page-02.txt").read_bytes() == "Grüße\nzweitens\n".encode()
    about = (tmp_path / "out" / "ABOUT.txt").read_text(encoding="utf-8")
    assert "text/ was read by tesseract 9.9 (deu+eng); it can be wrong" in about
    assert "text/page-01.txt" in (tmp_path / "out" / "SHA256SUMS").read_text()


def test_text_that_cannot_be_read_is_refused_before_anything_is_written(
    small_case, tmp_path, tesseract_stub, monkeypatch
):
    with pytest.raises(UsageError, match='no data for the language "fra"'):
        write_export(tmp_path / "out", small_case, Export(pages="png", text="fra"))
    monkeypatch.setattr(tesseract, "TESSERACT", "no-such-program")
    with pytest.raises(UsageError, match=r"Tesseract is not installed .* or export without text"):
        write_export(tmp_path / "out", small_case, Export(pages="png", text="eng"))
    assert not os.listdir(tmp_path)


def test_backs_are_exported_behind_their_fronts(two_faced, tmp_path, tesseract_stub):
    tesseract_stub(("word", 1, 9))
    write_export(tmp_path / "out", two_faced, Export(pages="png", order=("csv",), shreds=True, text="eng"))
    names = os.listdir(tmp_path / "out" / "pages")
    assert sorted(names) == ["page-01 back letter.png", "page-01 letter.png", "page-02.png"]
    assert len(os.listdir(tmp_path / "out" / "text")) == 3
    assert len(os.listdir(tmp_path / "out" / "shreds")) == 5
    with open(tmp_path / "out" / "order.csv", encoding="utf-8-sig", newline="") as file:
        rows = [(row["page"], row["position"], row["shred"], row["face"]) for row in csv.DictReader(file)]
    assert rows == [
        ("1", "1", "1-01", "front"), ("1", "2", "1-02", "front"),
        ("1", "1", "2-02", "back"), ("1", "2", "2-01", "back"),
        ("2", "1", "1-03", ""),
    ]  # fmt: skip
    sizes = {}
    for name in names:
        with Image.open(tmp_path / "out" / "pages" / name) as image:
            sizes[name] = image.size
    assert sizes["page-01 letter.png"] == sizes["page-01 back letter.png"]


def test_both_faces_of_paper_that_is_set_aside_have_a_row(two_faced):
    aside = replace(two_faced.arrangement, pages=(("1-02",),), set_aside=("1-01", "1-03"))
    rows = list(order(with_backs(replace(two_faced, arrangement=aside, joins=()))))
    assert [(row["page"], row["shred"], row["other_face"]) for row in rows] == [
        (1, "1-02", "2-02"), (1, "2-02", "1-02"), (None, "1-01", "2-01"), (None, "1-03", None), (None, "2-01", "1-01"),
    ]  # fmt: skip


def test_the_first_piece_of_a_row_has_no_left_neighbour(small_case):
    rows = replace(small_case.arrangement, grid_places={"1-01": (0, 0, 0), "2-01": (0, 1, 0)})
    told = list(order(with_backs(replace(small_case, arrangement=rows))))
    placed = {row["shred"]: row.get("left_neighbour") for row in told if row.get("page")}
    assert placed == {"1-01": None, "2-02": "1-01", "2-01": None, "1-02": "2-01"}
    assert [(row["row"], row["position"]) for row in told if row.get("page")] == [(1, 1), (1, 2), (2, 1), (2, 2)]
