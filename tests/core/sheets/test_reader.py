"""Reading sheets: pixels at 300 dpi, what is known of them, and a sentence for whatever cannot be read."""

import hashlib
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import img2pdf
import numpy as np
import pytest
from PIL import Image

from core.errors import UnreadableInputError
from core.options import ReadingOptions
from core.progress import Cancelled
from core.sheets.formats.jpeg import WITHOUT_END
from core.sheets.input_file import InputFile
from core.sheets.inputs import find_inputs, input_file
from core.sheets.reader import read_inputs, read_sheets, reread
from tests.core.drawn_photograph import card, exif, photograph

DPI = (300, 300)


def pattern(height: int = 120, width: int = 90) -> np.ndarray:
    y, x = np.mgrid[:height, :width]
    return np.stack([y + 20, 2 * x + 20, (x + y) % 200], axis=-1).astype(np.uint8)


def read(path: Path, **options) -> list:
    return list(read_sheets(input_file(path), ReadingOptions(**options)))


def refusal(path: Path, **options) -> str:
    with pytest.raises(UnreadableInputError) as caught:
        read(path, **options)
    sentence = str(caught.value)
    assert sentence.startswith(str(path))
    assert sentence.endswith(".")
    assert sentence.count(". ") >= 1, "says what is the matter, and what to do"
    return sentence


@pytest.fixture
def put(tmp_path):
    """Save an array as a picture."""

    def put(name: str, array: np.ndarray, **options) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(array).save(path, **{"dpi": DPI, **options})
        return path

    return put


def test_a_sheet_and_what_is_known_of_it(put):
    path = put("scan.png", pattern())
    (sheet,) = read(path)
    np.testing.assert_array_equal(sheet.pixels, pattern())
    assert sheet.pixels.dtype == np.uint8
    assert sheet.mask is None
    assert sheet.info.path == path
    assert sheet.info.page == 0
    assert sheet.info.size_px == (90, 120)
    assert sheet.info.dpi == pytest.approx(300, abs=0.01)
    assert sheet.info.dpi_source == "file"
    assert sheet.info.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert sheet.info.mask_sha256 is None


def test_arrays_are_read_only_and_contiguous(put):
    alpha = np.where(np.arange(90) > 60, 255, 0).astype(np.uint8)
    (sheet,) = read(put("shred.png", np.dstack([pattern(), np.tile(alpha, (120, 1))])))
    for array in (sheet.pixels, sheet.mask, sheet.info.preview):
        assert not array.flags.writeable
        assert array.flags.c_contiguous


def test_a_file_is_never_written(put):
    path = put("scan.tif", pattern())
    path.chmod(0o400)
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    read(path)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_grey_becomes_rgb(put):
    (sheet,) = read(put("scan.png", pattern()[..., 0]))
    np.testing.assert_array_equal(sheet.pixels, np.repeat(pattern()[..., :1], 3, axis=2))


@pytest.mark.parametrize(("dpi", "expected"), [(298.6, 120), (301.4, 120), (297, 121), (304, 118), (200, 180)])
def test_resampling_begins_half_a_percent_away_from_300_dpi(put, dpi, expected):
    (sheet,) = read(put("scan.png", pattern()), dpi=dpi)
    assert sheet.pixels.shape[0] == expected
    assert sheet.info.size_px == sheet.pixels.shape[1::-1]
    assert (sheet.info.dpi, sheet.info.dpi_source) == (dpi, "given")


def test_600_dpi_is_averaged_down(put):
    fine = np.kron(pattern(), np.ones((2, 2, 1), np.uint8))
    fine[0, 0] = fine[0, 0] + 4
    (sheet,) = read(put("scan.png", fine, dpi=(600, 600)))
    expected = pattern()
    expected[0, 0] += 1
    np.testing.assert_array_equal(sheet.pixels, expected)


def test_150_dpi_is_enlarged_smoothly(put):
    (sheet,) = read(put("scan.png", pattern()[:, :60, :2].repeat(2, axis=2)[..., :3].copy(), dpi=(150, 150)))
    assert sheet.pixels.shape == (240, 120, 3)
    steps = np.diff(sheet.pixels[20:-20, 60, 0].astype(int))
    assert set(steps) <= {0, 1}


def test_unequal_resolutions_of_a_fax(put):
    (sheet,) = read(put("fax.tif", pattern()[..., 0] > 80, dpi=(204, 98), compression="group4"))
    assert sheet.info.size_px == (round(90 * 300 / 204), round(120 * 300 / 98))
    assert sheet.info.dpi == pytest.approx(204)


def test_an_unknown_resolution_is_estimated_and_marked(put):
    (sheet,) = read(put("scan.png", np.full((1754, 1240), 255, np.uint8), dpi=(72, 72)))
    assert (sheet.info.dpi, sheet.info.dpi_source) == (150.0, "estimated")
    assert sheet.info.size_px == (2480, 3508)


def test_an_unknown_resolution_that_fits_nothing_is_asked_for(put):
    path = put("scan.png", pattern(), dpi=(72, 72))
    assert "Say the resolution" in refusal(path)
    assert read(path, dpi=300.0)[0].info.dpi_source == "given"


@pytest.mark.parametrize(("size", "expected"), [((1600, 1200), (800, 600)), ((85, 3510), (19, 800)), ((9, 7), (9, 7))])
def test_preview(put, size, expected):
    (sheet,) = read(put("scan.png", np.full((size[1], size[0], 3), 99, np.uint8)))
    assert sheet.info.preview.shape == (expected[1], expected[0], 3)
    assert (sheet.info.preview == 99).all()


def test_pages_of_a_tiff_come_one_by_one(tmp_path):
    path, pages = tmp_path / "scans.tif", [Image.fromarray(pattern() + n) for n in range(3)]
    pages[0].save(path, save_all=True, append_images=pages[1:], dpi=DPI)
    sheets = read(path)
    assert [sheet.info.page for sheet in sheets] == [0, 1, 2]
    assert [sheet.info.name for sheet in sheets] == ["scans.tif", "scans.tif, page 2", "scans.tif, page 3"]
    for n, sheet in enumerate(sheets):
        np.testing.assert_array_equal(sheet.pixels, pattern() + n)


def test_pdf_of_a_scan_at_200_dpi(put, tmp_path):
    scan = put("scan.png", pattern(), dpi=(200, 200))
    path = tmp_path / "scan.pdf"
    path.write_bytes(img2pdf.convert(str(scan)))
    (sheet,) = read(path)
    assert sheet.info.dpi == pytest.approx(200, abs=0.01)
    assert sheet.info.dpi_source == "file"
    assert sheet.info.size_px == (135, 180)
    assert sheet.mask is None
    (as_is,) = read(path, dpi=300.0)
    np.testing.assert_array_equal(as_is.pixels, pattern())


def test_a_shred_with_opacity(put):
    alpha = np.zeros((120, 90), np.uint8)
    alpha[10:-10, 20:-20] = 255
    (sheet,) = read(put("shred.png", np.dstack([pattern(), alpha])))
    np.testing.assert_array_equal(sheet.mask, alpha == 255)
    np.testing.assert_array_equal(sheet.pixels, np.where(alpha[..., None] == 255, pattern(), 255))


def test_a_shred_with_a_mask_beside_it(put, tmp_path):
    paper = np.zeros((120, 90), bool)
    paper[10:-10, 20:-20] = True
    put("shreds/1.png", pattern())
    mask_path = put("masks/1.png", paper)
    (sheet,) = read_inputs(find_inputs([tmp_path]))
    np.testing.assert_array_equal(sheet.mask, paper)
    np.testing.assert_array_equal(sheet.pixels, pattern())
    assert sheet.info.mask_sha256 == hashlib.sha256(mask_path.read_bytes()).hexdigest()


def test_a_mask_is_resampled_with_its_shred(put):
    paper = np.kron(pattern()[..., 0] > 80, np.ones((2, 2), bool))
    put("a_mask.png", paper)
    (sheet,) = read(put("a.png", np.kron(pattern(), np.ones((2, 2, 1), np.uint8)), dpi=(600, 600)))
    np.testing.assert_array_equal(sheet.mask, paper[::2, ::2])


def test_a_mask_of_another_size_is_refused(put):
    mask_path = put("a_mask.png", np.ones((12, 9), bool))
    sentence = refusal(put("a.png", pattern()))
    assert "90 × 120" in sentence
    assert "9 × 12." in sentence
    assert str(mask_path) in sentence


def test_a_broken_mask_is_named(put, tmp_path):
    put("a.png", pattern())
    (tmp_path / "a_mask.png").write_bytes(b"")
    (error,) = read_inputs([input_file(tmp_path / "a.png")])
    assert str(error).startswith(str(tmp_path / "a_mask.png"))


def test_shreds_without_masks_are_paper_all_over(put, tmp_path):
    put("shreds/1.jpg", np.full((3510, 85, 3), 250, np.uint8), dpi=(0, 0))
    (sheet,) = read_inputs(find_inputs([tmp_path]))
    assert sheet.mask.shape == (3510, 85)
    assert sheet.mask.all()
    assert (sheet.info.dpi, sheet.info.dpi_source) == (300.0, "estimated")


def test_a_sheet_in_a_folder_called_shreds_is_still_a_sheet(put, tmp_path):
    put("shreds/scan.png", pattern())
    (sheet,) = read_inputs(find_inputs([tmp_path / "shreds"]))
    assert sheet.mask is None


def test_what_cannot_be_read_does_not_stop_the_others(put, tmp_path):
    for number in (1, 4):
        put(f"{number}.png", pattern())
    (tmp_path / "2.png").write_bytes(b"")
    (tmp_path / "3.jpg").write_text("Dear Sir,")
    outcomes = list(read_inputs(find_inputs([tmp_path, tmp_path / "gone.tif"])))
    good = [outcome.info.name for outcome in outcomes if not isinstance(outcome, UnreadableInputError)]
    bad = [str(outcome) for outcome in outcomes if isinstance(outcome, UnreadableInputError)]
    assert good == ["1.png", "4.png"]
    assert [Path(sentence.split(" ")[0]).name for sentence in bad] == ["2.png", "3.jpg", "gone.tif"]


def test_a_page_that_is_too_large_does_not_stop_the_others(tmp_path):
    path, pages = tmp_path / "scans.tif", [Image.new("L", (90, 120)), Image.new("L", (2000, 2000))]
    pages[0].save(path, save_all=True, append_images=[pages[1], pages[0]], dpi=DPI)
    outcomes = list(read_inputs([InputFile(path)], ReadingOptions(max_megapixels=2.0)))
    assert [isinstance(outcome, UnreadableInputError) for outcome in outcomes] == [False, True, False]
    assert str(outcomes[1]).startswith(f"{path}, page 2,")


def test_missing_empty_and_foreign_files(tmp_path):
    assert "does not exist" in refusal(tmp_path / "gone.png")
    assert "never uses the network" in refusal(Path("smb://server/scans/scan.png"))
    (tmp_path / "empty.png").write_bytes(b"")
    assert "is empty (0 bytes)" in refusal(tmp_path / "empty.png")
    (tmp_path / "letter.docx").write_bytes(b"PK\3\4" + bytes(100))
    assert "save it as TIFF or PNG" in refusal(tmp_path / "letter.docx")
    assert "could not be opened" in refusal(tmp_path / ("x" * 300))


def test_a_folder_without_pictures(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing")
    (error,) = read_inputs(find_inputs([tmp_path]))
    assert str(error).startswith(f"{tmp_path} is a folder in which no readable file lies")


def test_content_counts_and_not_the_name(put, tmp_path):
    misnamed = put("scan.png", pattern()).rename(tmp_path / "scan.tif")
    np.testing.assert_array_equal(read(misnamed)[0].pixels, pattern())


def test_links_in_a_circle(tmp_path):
    os.symlink(tmp_path / "circle.png", tmp_path / "circle.png")
    assert "leads in a circle" in refusal(tmp_path / "circle.png")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this system")
@pytest.mark.timeout(10)
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.png")
    assert "no regular file" in refusal(tmp_path / "pipe.png")


@pytest.fixture
def as_ordinary_user():
    """Give up the rights of root, who may read everything, for the time of a test."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    yield
    os.seteuid(0)


@pytest.mark.skipif(os.name == "nt", reason="permissions work otherwise there")
def test_no_permission(put, request):
    path = put("scan.png", pattern())
    path.chmod(0)
    request.getfixturevalue("as_ordinary_user")
    assert "permission denied" in refusal(path)


@pytest.mark.skipif(os.name == "nt", reason="permissions work otherwise there")
def test_no_permission_for_a_folder(tmp_path, request):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0)
    request.getfixturevalue("as_ordinary_user")
    (error,) = read_inputs(find_inputs([locked]))
    assert str(error).startswith(f"{locked} may not be read: permission denied")


def test_the_limit_holds_at_300_dpi_too(put):
    path = put("scan.png", pattern(500, 400))
    with pytest.raises(UnreadableInputError, match=r"at 300 dpi would unpack to 2,400 × 3,000 pixels.*Largest sheet"):
        read(path, dpi=50.0, max_megapixels=1.0)


def test_reread(put, tmp_path):
    path = put("scan.png", pattern())
    (sheet,) = read(path)
    again = reread(sheet.info)
    np.testing.assert_array_equal(again.pixels, sheet.pixels)
    assert again.info.sha256 == sheet.info.sha256
    put("scan.png", pattern() + 1)
    with pytest.raises(UnreadableInputError, match="has changed since it was first read"):
        reread(sheet.info)
    path.unlink()
    with pytest.raises(UnreadableInputError, match="does not exist"):
        reread(sheet.info)


def test_reread_of_a_page_and_of_a_shred_with_mask(put, tmp_path):
    path, pages = tmp_path / "scans.tif", [Image.fromarray(pattern() + n) for n in range(3)]
    pages[0].save(path, save_all=True, append_images=pages[1:], dpi=DPI)
    np.testing.assert_array_equal(reread(read(path)[2].info).pixels, pattern() + 2)

    put("a_mask.png", pattern()[..., 0] > 80)
    (shred,) = read(put("a.png", pattern()))
    np.testing.assert_array_equal(reread(shred.info).mask, shred.mask)
    put("a_mask.png", pattern()[..., 0] > 90)
    with pytest.raises(UnreadableInputError, match="its mask has changed"):
        reread(shred.info)


def test_progress_rises_and_cancels(tmp_path):
    path, pages = tmp_path / "scans.tif", [Image.fromarray(pattern()) for _ in range(4)]
    pages[0].save(path, save_all=True, append_images=pages[1:], dpi=DPI)
    fractions, texts = [], []

    def record(fraction: float, text: str) -> None:
        fractions.append(fraction)
        texts.append(text)

    assert len(list(read_inputs([InputFile(path)] * 2, progress=record))) == 8
    assert fractions == sorted(fractions)
    assert (fractions[0], fractions[-1]) == (0.0, 1.0)
    assert "Reading scans.tif, page 3 of 4" in texts

    def cancel(fraction: float, text: str) -> None:
        if fraction > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        list(read_inputs([InputFile(path)], progress=cancel))


def test_an_abandoned_file_is_closed(put):
    sheets = read_sheets(InputFile(put("scan.tif", pattern())))
    next(sheets)
    sheets.close()  # ResourceWarning is an error here


@pytest.mark.slow
def test_many_threads_read_every_format_alike(put, tmp_path):
    paths = [put(f"scan.{kind}", pattern()) for kind in ("png", "tif", "bmp", "jpg")]
    paths.append(tmp_path / "scan.pdf")
    paths[-1].write_bytes(img2pdf.convert(str(paths[0])))
    expected = {path: read(path)[0].pixels for path in paths}
    start = threading.Barrier(4)

    def read_all(_: int) -> bool:
        start.wait()
        return all(np.array_equal(read(path)[0].pixels, expected[path]) for path in paths * 5)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(read_all, range(4)))


def test_size_and_mask_of_a_file_are_noted(tmp_path):
    Image.new("RGB", (60, 400), "white").save(tmp_path / "one.png", dpi=(300, 300))
    Image.new("L", (60, 400), 255).save(tmp_path / "one_mask.png")
    (sheet,) = read_sheets(input_file(tmp_path / "one.png"))
    assert sheet.info.size_bytes == (tmp_path / "one.png").stat().st_size
    assert sheet.info.mask_path == tmp_path / "one_mask.png"
    assert sheet.info.single_shred


def test_several_cut_outs_on_one_picture_are_a_sheet(put):
    alpha = np.zeros((400, 300), np.uint8)
    alpha[20:380, 30:90] = alpha[20:380, 150:210] = 255
    paper = np.full((400, 300, 3), 250, np.uint8)
    (sheet,) = read(put("shreds.png", np.dstack([paper, alpha])))
    assert sheet.mask is None
    assert not sheet.info.single_shred
    np.testing.assert_array_equal(sheet.pixels[alpha > 0], 250)
    beyond = sheet.pixels[alpha == 0]
    assert (beyond == beyond[0]).all()
    assert np.ptp(beyond[0]) > 100, "a colour from which paper can be told"


def test_a_sheet_whose_corners_are_transparent_is_a_sheet(put):
    y, x = np.mgrid[:400, :300]
    alpha = np.where((x + y > 60) & (x + y < 640), 255, 0).astype(np.uint8)
    (sheet,) = read(put("sheet.png", np.dstack([np.full((400, 300, 3), (250, 200, 60), np.uint8), alpha])))
    assert sheet.mask is None
    np.testing.assert_array_equal(sheet.pixels, np.broadcast_to(np.uint8([250, 200, 60]), (400, 300, 3)))


@pytest.mark.parametrize("kind", ["tif", "png"])
def test_a_fourth_channel_that_is_no_opacity_makes_no_shred_of_a_sheet(put, kind):
    infrared = np.random.default_rng(0).integers(60, 230, (120, 90), dtype=np.uint8)
    (sheet,) = read(put(f"scan.{kind}", np.dstack([pattern(), infrared])))
    assert sheet.mask is None
    np.testing.assert_array_equal(sheet.pixels, pattern())


def test_what_the_examiner_says_of_a_file_holds(put):
    path = put("scan.png", pattern())
    (as_shred,) = read_sheets(InputFile(path, single_shred=True))
    assert as_shred.mask.all()
    assert as_shred.info.single_shred
    long = put("long.png", np.full((600, 60, 3), 250, np.uint8), dpi=None)
    (as_sheet,) = read_sheets(InputFile(long, single_shred=False, dpi=150.0, dpi_source="given"))
    assert as_sheet.mask is None
    assert (as_sheet.info.size_px, as_sheet.info.dpi, as_sheet.info.dpi_source) == ((120, 1200), 150.0, "given")
    again = reread(as_sheet.info)
    assert (again.info.size_px, again.mask) == ((120, 1200), None)


def test_a_strip_from_edge_to_edge_is_one_shred_and_one_on_a_support_is_not(put):
    strip = np.full((600, 60, 3), 250, np.uint8)
    strip[100:110, 5:50] = 0
    (alone,) = read(put("a.png", strip))
    assert alone.mask.all()
    lying = np.full((640, 120, 3), (250, 200, 60), np.uint8)
    lying[20:620, 30:90] = strip
    scanned = np.clip(lying + np.random.default_rng(0).normal(0, 5, lying.shape), 0, 255).astype(np.uint8)
    assert read(put("b.png", scanned))[0].mask is None
    (cut_out,) = read(put("c.png", lying))
    assert cut_out.mask.sum() == pytest.approx(600 * 60, rel=0.01), "no scanner sees a colour like that"


def test_a_missing_end_marker_is_told_of(put):
    path = put("scan.jpg", pattern())
    path.write_bytes(path.read_bytes()[:-2])
    (sheet,) = read(path)
    assert sheet.notes == (f"{path} {WITHOUT_END}",)


def test_a_photograph_is_laid_flat_and_comes_out_alike_when_read_again(put):
    pixels, _ = photograph(card(), (8, -6))
    path = put("IMG_1.jpg", pixels, exif=exif(), quality=92)
    before = path.read_bytes()
    (sheet,) = read(path)
    assert len(sheet.info.corners_px) == 4
    assert sheet.info.dpi_source == "estimated", "what a camera states as resolution is none"
    assert sheet.info.size_px == pytest.approx((2480, 3508), rel=0.02)
    assert "laid flat by the corners of what the shreds lie on" in sheet.notes[0]
    assert sheet.focal_px is None
    np.testing.assert_array_equal(reread(sheet.info).pixels, sheet.pixels)
    assert path.read_bytes() == before
    (given,) = read(path, dpi=200.0)
    assert (given.info.dpi, given.info.corners_px) == (200.0, sheet.info.corners_px)


def test_a_photograph_of_nothing_that_has_a_size_asks_for_its_resolution(put):
    path = put("IMG_2.jpg", np.full((1500, 1200, 3), 90, np.uint8), exif=exif())
    assert "is a photograph, and nothing tells how large things on it are" in refusal(path)
    (sheet,) = read(path, dpi=150.0)
    assert sheet.info.corners_px is None
    assert sheet.focal_px == pytest.approx(26 / 43.27 * np.hypot(1500, 1200) * 2)


def test_the_same_picture_from_a_scanner_stays_as_it_is(put):
    pixels, _ = photograph(card(), (8, -6))
    (sheet,) = read(put("scan.png", pixels))
    np.testing.assert_array_equal(sheet.pixels, pixels)
    assert (sheet.info.corners_px, sheet.focal_px) == (None, None)
