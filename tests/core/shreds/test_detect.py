"""A shred that was cut out of its scan close around it."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.errors import NothingFoundError
from core.options import Options, ReadingOptions, SegmentationOptions
from core.sheets.reader import reread
from core.sheets.sheet import Sheet, SheetInfo
from core.shreds.detect import find_shreds
from core.shreds.regions.long_picture import margin_px, segment_sheet, with_margin, without_margin
from core.shreds.segmentation import segment
from tests.core.drawn_photograph import card, exif, photograph

pytestmark = pytest.mark.slow

YELLOW, BLACK = (250, 200, 60), (25, 25, 28)
HEIGHT, WIDTH = 900, 110


def crop(support: tuple[int, int, int], degrees: float, margin: int = 0) -> Sheet:
    """Draw a strip 60 px wide that lies askew, with hardly more than the rectangle around it."""
    rng = np.random.default_rng(0)
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    left = 25 - (y - HEIGHT / 2) * np.tan(np.radians(degrees))
    on_paper = (x >= left) & (x < left + 60) & (y >= margin) & (y < HEIGHT - margin)
    pixels = np.where(on_paper[..., None], 246, np.array(support)) + rng.normal(0, 2, (HEIGHT, WIDTH, 3))
    for top in range(40, HEIGHT - 40, 30):
        pixels[top : top + 10, 40:70:3] = np.where(
            on_paper[top : top + 10, 40:70:3, None], 30, pixels[top : top + 10, 40:70:3]
        )
    image = np.clip(pixels, 0, 255).astype(np.uint8)
    return sheet(image)


def sheet(image: np.ndarray, mask: np.ndarray | None = None) -> Sheet:
    size = image.shape[1], image.shape[0]
    return Sheet(SheetInfo(Path("1.png"), 0, "", size, 300.0, "file", image), image, mask)


@pytest.mark.parametrize("support", [YELLOW, BLACK])
@pytest.mark.parametrize("degrees", [-1.5, 0.0, 1.5])
def test_the_shred_is_found_where_it_lies(support, degrees):
    close = crop(support, degrees)
    margin = margin_px(close)
    found = without_margin(segment(with_margin(close, margin), 0, SegmentationOptions()), close, margin)
    (shred,) = found.shreds
    x, y, width, height = shred.bbox
    spread = abs(round(HEIGHT * np.tan(np.radians(degrees))))
    assert (x, width) == pytest.approx((max(0, 25 - spread / 2), min(WIDTH, 60 + spread)), abs=6)
    assert (y, y + height) == pytest.approx((0, HEIGHT), abs=6)
    assert shred.outline.min() >= 0
    assert (shred.outline <= (WIDTH - 1, HEIGHT - 1)).all()
    assert shred.angle_deg == pytest.approx(degrees, abs=0.3) or shred.angle_deg == pytest.approx(-degrees, abs=0.3)
    assert shred.mask.sum() == pytest.approx(60 * HEIGHT, rel=0.08)


def test_the_margin_is_of_the_same_make():
    close = crop(YELLOW, 1.0)
    wide = with_margin(close, 50)
    np.testing.assert_array_equal(wide.pixels[50:-50, 50:-50], close.pixels)
    np.testing.assert_allclose(wide.pixels[:50].reshape(-1, 3).mean(axis=0), YELLOW, atol=3)
    assert wide.pixels[:50].std() > 1
    np.testing.assert_array_equal(wide.pixels, with_margin(close, 50).pixels)


def test_only_long_pictures_of_a_shred_on_something_get_one():
    assert margin_px(sheet(np.full((900, 60, 3), 250, np.uint8))) == 0
    assert margin_px(sheet(np.full((900, 700, 3), YELLOW, np.uint8))) == 0
    close = crop(YELLOW, 1.0)
    assert margin_px(close) == 55
    assert margin_px(sheet(close.pixels, np.ones((HEIGHT, WIDTH), bool))) == 0


@pytest.mark.parametrize("support", [YELLOW, BLACK])
@pytest.mark.parametrize("degrees", [0.0, 1.5, 4.0])
@pytest.mark.parametrize("lid_px", [0, 150])
def test_a_strip_on_a_long_part_of_a_scan(support, degrees, lid_px):
    rng = np.random.default_rng(0)
    y, x = np.mgrid[:1800, :400]
    left = 160 - (y - 900) * np.tan(np.radians(degrees))
    on_paper = (x >= left) & (x < left + 70) & (y >= 260) & (y < 1640)
    lid = (y < lid_px + 20 * np.sin(x / 60)) & (lid_px > 0)
    pixels = np.where((on_paper | lid)[..., None], 246, np.array(support)) + rng.normal(0, 2, (*y.shape, 3))
    for top in range(300, 1600, 30):
        where = on_paper[top : top + 10] & (x[top : top + 10] % 9 < 3)
        pixels[top : top + 10][where] = 30
    part = sheet(np.clip(pixels, 0, 255).astype(np.uint8))
    (shred,) = segment_sheet(part, 0, SegmentationOptions()).shreds
    assert shred.mask.sum() == pytest.approx(np.count_nonzero(on_paper), rel=0.05)


def photographed(path: Path, tilt_deg: tuple[float, float], n: int = 14) -> Path:
    """Write a photograph, without a table around it, of strips on a card that is larger than the picture."""
    strips = card(n)
    larger = np.full((3754, 3240, 3), YELLOW, np.uint8)
    larger[1000:-1000, 1000:-1000] = strips
    pixels, _ = photograph(larger, tilt_deg, far=0.6)
    Image.fromarray(pixels).save(path, exif=exif(), quality=92)
    return path


def test_a_photograph_without_corners_is_laid_flat_by_the_edges_of_the_shreds(tmp_path):
    path = photographed(tmp_path / "IMG_1.jpg", (10, -8))
    found = find_shreds([path], Options(ReadingOptions(dpi=200)))
    (sheet,) = found.sheets
    assert len(sheet.corners_px) == 4
    assert "laid flat by the shreds' long edges" in found.unreadable[0]
    widths = np.array([shred.mask.shape[1] for shred in found.shreds])
    assert len(widths) == 14
    assert np.ptp(widths) < 0.08 * widths.mean()
    assert np.ptp([shred.angle_deg for shred in found.shreds]) < 0.6
    again = reread(sheet, ReadingOptions(dpi=200))
    assert again.info.size_px == sheet.size_px
    np.testing.assert_array_equal(again.info.preview, sheet.preview)


def test_one_from_straight_above_stays_as_it_is(tmp_path):
    found = find_shreds([photographed(tmp_path / "IMG_1.jpg", (0.5, 0.5))], Options(ReadingOptions(dpi=200)))
    assert (found.sheets[0].corners_px, len(found.shreds), found.unreadable) == (None, 14, ())


def test_two_shreds_do_not_tell_how_a_camera_was_held(tmp_path):
    with pytest.raises(NothingFoundError, match="nothing tells how the camera was held"):
        find_shreds([photographed(tmp_path / "IMG_1.jpg", (10, -8), n=2)], Options(ReadingOptions(dpi=200)))


def test_shreds_that_reach_beyond_a_tilted_picture_are_not_made_longer(tmp_path):
    path = photographed(tmp_path / "IMG_1.jpg", (10, -8))
    with Image.open(path) as image:
        image.crop((0, 400, 1500, 2000)).save(path, exif=exif(), quality=92)
    with pytest.raises(NothingFoundError, match="reaches beyond the picture"):
        find_shreds([path], Options(ReadingOptions(dpi=200)))


def test_progress_tells_files_of_one_name_apart(tmp_path):
    for folder in ("D1", "D2"):
        (tmp_path / folder).mkdir()
        Image.fromarray(card(2 if folder == "D1" else 3)).save(tmp_path / folder / "scan.png")
    texts = []
    find_shreds([tmp_path], Options(ReadingOptions(dpi=200)), progress=lambda _fraction, text: texts.append(str(text)))
    assert {text for text in texts if "scan" in text} == {
        f"{doing} {folder}/scan.png"
        for doing in ("Looking at", "Reading", "Finding shreds on")
        for folder in ("D1", "D2")
    }
