import hashlib
import json
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pikepdf
import pytest
import tifffile
from PIL import Image

from core.composition import compose_page
from core.errors import OutputError, UsageError
from core.options import Options, OutputOptions
from core.progress import Cancelled
from core.report import result, title, write_pages, write_result

DATE = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


def expected_pages(case):
    shreds = {shred.id: shred for shred in case.shreds}
    return [compose_page(shreds, case.arrangement, page).pixels for page in range(len(case.arrangement.pages))]


def test_pdf_pages_are_lossless_at_true_size_with_metadata(small_case, tmp_path):
    assert write_pages(tmp_path / "pages.pdf", small_case, date=DATE) == (tmp_path / "pages.pdf",)
    with pikepdf.open(tmp_path / "pages.pdf") as pdf:
        assert len(pdf.pages) == 2
        for page, pixels in zip(pdf.pages, expected_pages(small_case), strict=True):
            ((_, image),) = page.Resources.XObject.items()
            assert np.array_equal(np.asarray(pikepdf.PdfImage(image).as_pil_image()), pixels)
            height, width, _ = pixels.shape
            assert [float(value) for value in page.MediaBox] == pytest.approx(
                [0, 0, width / 300 * 72, height / 300 * 72], abs=0.01
            )
        assert str(pdf.docinfo["/Title"]) == "Reconstructed from scan 0.png and scan 1.png, page 2"
        assert str(pdf.docinfo["/Creator"]).startswith("Rejoin ")
        assert str(pdf.docinfo["/CreationDate"]) == "D:20240506070809Z"


def test_jpeg_pages_are_close(small_case, tmp_path):
    case = replace(small_case, options=Options(output=OutputOptions(lossless=False, jpeg_quality=100)))
    write_pages(tmp_path / "pages.pdf", case)
    with pikepdf.open(tmp_path / "pages.pdf") as pdf:
        ((_, image),) = pdf.pages[0].Resources.XObject.items()
        assert image.Filter in ("/DCTDecode", [pikepdf.Name.DCTDecode])
        difference = np.asarray(pikepdf.PdfImage(image).as_pil_image()).astype(int) - expected_pages(case)[0]
        assert abs(difference).max() <= 6


@pytest.mark.parametrize("suffix", [".pdf", ".tif"])
def test_the_same_case_and_date_give_the_same_bytes(small_case, tmp_path, suffix):
    digests = set()
    for name in ("one", "two"):
        (path,) = write_pages(tmp_path / f"{name}{suffix}", small_case, date=DATE)
        digests.add(hashlib.sha256(path.read_bytes()).hexdigest())
    assert len(digests) == 1


def test_png_pages_are_numbered(small_case, tmp_path):
    paths = write_pages(tmp_path / "pages.png", small_case)
    assert [path.name for path in paths] == ["pages-01.png", "pages-02.png"]
    for path, pixels in zip(paths, expected_pages(small_case), strict=True):
        with Image.open(path) as image:
            assert image.info["dpi"] == pytest.approx((300, 300), abs=0.01)
            assert np.array_equal(np.asarray(image), pixels)


def test_tiff_holds_all_pages(small_case, tmp_path):
    (path,) = write_pages(tmp_path / "pages.TIFF", small_case, date=DATE)
    with tifffile.TiffFile(path) as tiff:
        for page, pixels in zip(tiff.pages, expected_pages(small_case), strict=True):
            assert np.array_equal(page.asarray(), pixels)
            assert page.tags["XResolution"].value == (300, 1)
        assert tiff.pages[0].tags["DateTime"].value == "2024:05:06 07:08:09"


def test_other_suffixes_are_refused_before_anything_is_written(small_case, tmp_path):
    with pytest.raises(UsageError, match=r"pages\.doc"):
        write_pages(tmp_path / "pages.doc", small_case)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["pages.pdf", "pages.png", "pages.tif"])
def test_a_failed_or_cancelled_write_leaves_what_stood_there(small_case, tmp_path, name, monkeypatch):
    before = {path: path.read_bytes() for path in write_pages(tmp_path / name, small_case)}

    def cancel(fraction, _text):
        if fraction > 0.4:
            raise Cancelled

    with pytest.raises(Cancelled):
        write_pages(tmp_path / name, small_case, progress=cancel)

    def full(_file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OutputError, match="No space left on device"):
        write_pages(tmp_path / name, small_case)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_folder_that_is_not_there_and_one_in_the_way_are_named(small_case, tmp_path):
    with pytest.raises(OutputError, match="there is no folder"):
        write_pages(tmp_path / "nowhere" / "pages.pdf", small_case)
    (tmp_path / "pages.pdf").mkdir()
    with pytest.raises(OutputError, match="a file is needed there"):
        write_pages(tmp_path / "pages.pdf", small_case)


def test_the_result_has_the_fields_that_other_programs_read(small_case, tmp_path):
    write_result(tmp_path / "result.json", small_case)
    told = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert told == result(small_case)
    assert told["shreds"][3] == {
        "id": "2-01", "sheet": 2, "bbox": [5, 6, 33, 90], "angle_deg": 0.25, "half_turn": False, "blank": False,
    }  # fmt: skip
    assert told["pages"] == [["1-01", "2-02"], ["2-01", "1-02"]]
    assert told["set_aside"] == ["1-03"]
    assert told["joins"][0] == {
        "left": "1-01", "right": "2-02", "cost": 2.5, "shift_px": 4, "confidence": 0.75,
        "ink": 2.5, "contour": 0.0, "tone": 0.0,
    }  # fmt: skip
    assert told["joins"][1]["cost"] is None
    assert told["seconds"] == {"load": 0.5, "total": 1.235}
    assert (told["optimal"], told["gap"], told["weights_sha256"]) == (True, 0.0, "ab" * 32)


def test_titles_stay_short(small_case):
    one, two = small_case.sheets
    assert title(replace(small_case, sheets=(one,))) == "Reconstructed from scan 0.png"
    assert title(replace(small_case, sheets=(one, two, one))).endswith("scan 0.png, scan 1.png, page 2 and scan 0.png")
    assert title(replace(small_case, sheets=(one, two) * 3)) == "Reconstructed from scan 0.png and 5 other sheets"
