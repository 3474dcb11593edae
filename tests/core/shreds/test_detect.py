"""A shred that was cut out of its scan close around it."""

from pathlib import Path

import numpy as np
import pytest

from core.options import SegmentationOptions
from core.sheets.sheet import Sheet, SheetInfo
from core.shreds.detect import margin_px, with_margin, without_margin
from core.shreds.segmentation import segment

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
