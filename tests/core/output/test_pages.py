import hashlib
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pikepdf
import pypdfium2
import pytest
import tifffile
from PIL import Image

from core.arrangement.arrangement import Arrangement
from core.case.history import append
from core.composition.page_image import GAP_RGB, gaps
from core.composition.pages import compose
from core.errors import NothingFoundError, OutputError, UsageError
from core.options import CompositionOptions, Options, OutputOptions
from core.output.pages import date_of, write_pages
from core.progress import Cancelled

DATE = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


def expected_pages(case):
    return [compose(case, page).pixels for page in range(len(case.arrangement.pages))]


def only_image(page):
    ((_, image),) = page.Resources.XObject.items()
    return image


def test_pdf_pages_are_lossless_at_true_size_with_metadata(small_case, tmp_path):
    assert write_pages(tmp_path / "pages.pdf", small_case, date=DATE) == (tmp_path / "pages.pdf",)
    with pikepdf.open(tmp_path / "pages.pdf") as pdf:
        assert len(pdf.pages) == 2
        for page, pixels in zip(pdf.pages, expected_pages(small_case), strict=True):
            assert np.array_equal(np.asarray(pikepdf.PdfImage(only_image(page)).as_pil_image()), pixels)
            height, width, _ = pixels.shape
            left, bottom, right, top = (float(value) for value in page.trimbox)
            assert (right - left, top - bottom) == pytest.approx((width / 300 * 72, height / 300 * 72), abs=0.001)
        with pdf.open_metadata() as metadata:
            assert metadata["dc:title"] == "Reconstructed from scan 0.png and scan 1.png, page 2"
            assert metadata["xmp:CreatorTool"].startswith("Rejoin ")
            assert metadata["xmp:CreateDate"] == metadata["xmp:ModifyDate"] == "2024-05-06T07:08:09+00:00"
        assert str(pdf.docinfo["/Title"]) == "Reconstructed from scan 0.png and scan 1.png, page 2"


def rendered(path, page, dpi=300):
    with pypdfium2.PdfDocument(path) as pdf:
        return np.asarray(pdf[page].render(scale=dpi / 72).to_pil())


def test_the_mark_stands_beside_the_paper_and_never_on_it(small_case, tmp_path):
    white = tuple(replace(shred, pixels=np.full_like(shred.pixels, 255)) for shred in small_case.shreds)
    write_pages(tmp_path / "pages.pdf", replace(small_case, shreds=white), name="Matter 7")
    height = len(expected_pages(small_case)[0])
    drawn = rendered(tmp_path / "pages.pdf", 0)
    assert (drawn[:height] == 255).all()
    assert (drawn[height:] < 128).sum() > 500
    with pypdfium2.PdfDocument(tmp_path / "pages.pdf") as pdf:
        text = pdf[0].get_textpage().get_text_range()
    assert "RECONSTRUCTION of shredded paper, not an original" in text.replace("\r\n", " ")
    assert "Matter 7 · page 1 of 2" in text


def test_the_scale_below_the_paper_is_50_mm_long(small_case, tmp_path):
    write_pages(tmp_path / "pages.pdf", small_case)
    dpi = 1200
    dark = rendered(tmp_path / "pages.pdf", 0, dpi)[-dpi // 4 :, : dpi * 60 // 25, 0] < 128
    lengths = [np.ptp(np.flatnonzero(row)) / dpi * 25.4 for row in dark if row.mean() > 0.6]
    assert lengths == pytest.approx([50.15] * len(lengths), abs=0.1)  # with the ends of the line
    assert lengths


def test_seams_in_a_pdf_are_a_layer_and_leave_the_pixels_alone(small_case, tmp_path):
    case = replace(small_case, options=Options(composition=CompositionOptions(show_seams=True)))
    write_pages(tmp_path / "pages.pdf", case)
    with pikepdf.open(tmp_path / "pages.pdf") as pdf:
        page = pdf.pages[0]
        assert np.array_equal(
            np.asarray(pikepdf.PdfImage(page.Resources.XObject.Reconstruction).as_pil_image()),
            expected_pages(small_case)[0],
        )
        (layer,) = pdf.Root.OCProperties.OCGs
        assert layer.Name == "Cuts, gaps and numbers of shreds"
    with pypdfium2.PdfDocument(tmp_path / "pages.pdf") as pdf:
        assert "2-02" in pdf[0].get_textpage().get_text_range()


def test_gaps_are_marked_in_the_layer_and_nowhere_else(small_case, tmp_path):
    composed = compose(small_case, 0)
    nothing = gaps(composed)
    assert 0 < nothing.mean() < 1
    case = replace(small_case, options=Options(composition=CompositionOptions(show_seams=True)))
    write_pages(tmp_path / "pages.pdf", case)
    drawn = rendered(tmp_path / "pages.pdf", 0)[130 : 130 + len(nothing), : nothing.shape[1]]
    marked = (np.abs(drawn.astype(int) - GAP_RGB) <= 2).all(axis=2)
    seams = (np.abs(drawn.astype(int) - composed.pixels) > 2).any(axis=2) & ~marked
    assert (marked <= nothing).all()
    assert (nothing & ~marked & ~seams).sum() == 0


def test_an_empty_case_has_no_pages_to_write(small_case, tmp_path):
    empty = replace(small_case, arrangement=Arrangement(set_aside=tuple(shred.id for shred in small_case.shreds)))
    with pytest.raises(NothingFoundError, match="all shreds are set aside"):
        write_pages(tmp_path / "pages.pdf", empty)


def test_the_date_is_that_of_the_last_step(small_case):
    history = append(
        (), when="2026-01-02T03:04:05Z", who="A", what="saved", text="saved", parameters={},
        arrangement=small_case.arrangement,
    )  # fmt: skip
    assert date_of(replace(small_case, history=history)) == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_jpeg_pages_are_close(small_case, tmp_path):
    case = replace(small_case, options=Options(output=OutputOptions(lossless=False, jpeg_quality=100)))
    write_pages(tmp_path / "pages.pdf", case)
    with pikepdf.open(tmp_path / "pages.pdf") as pdf:
        image = only_image(pdf.pages[0])
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
        assert all("page 2 of 2" in page.description for page in tiff.pages[1:])
        assert all("not an original" in page.description for page in tiff.pages)


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


def test_no_sheet_is_written_over(small_case, tmp_path):
    scan, link = tmp_path / "scan.pdf", tmp_path / "link.pdf"
    scan.write_bytes(b"an original")
    link.symlink_to(scan)
    case = replace(small_case, sheets=(replace(small_case.sheets[0], path=scan), small_case.sheets[1]))
    for path in (scan, link):
        with pytest.raises(UsageError, match="would be overwritten"):
            write_pages(path, case)
    assert scan.read_bytes() == b"an original"
