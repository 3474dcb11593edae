"""The distance of lines of print."""

import numpy as np
import pytest

from core.sheets.print_pitch import line_pitch_px


def page(pitch: int, width: int = 400, offset: int = 0) -> np.ndarray:
    """Draw lines of words of letters."""
    pixels, rng = np.full((1500, width), 250, np.uint8), np.random.default_rng(0)
    for top in range(60 + offset, 1400, pitch):
        for left in range(0, width, 9):
            if rng.random() < 0.8:
                height = int(rng.choice([pitch // 3, pitch // 2]))
                pixels[top + pitch // 2 - height : top + pitch // 2, left : left + 5] = rng.integers(0, 90)
    return pixels


@pytest.mark.parametrize("pitch", [20, 33, 60, 110])
def test_a_page(pitch):
    assert line_pitch_px(page(pitch)) == pytest.approx(pitch, abs=1)
    assert line_pitch_px(np.dstack([page(pitch)] * 3)) == pytest.approx(pitch, abs=1)


def test_shreds_that_lie_higher_and_lower():
    shreds = np.hstack([page(50, 60, offset) for offset in (0, 13, 31, 44, 7)])
    assert line_pitch_px(shreds) == pytest.approx(50, abs=1)


@pytest.mark.parametrize("pixels", [np.full((900, 60), 250, np.uint8), np.zeros((1, 1), np.uint8)])
def test_nothing_to_measure(pixels):
    assert line_pitch_px(pixels) is None


def test_noise_has_no_lines():
    noise = np.random.default_rng(0).integers(0, 256, (900, 60), dtype=np.uint8)
    assert line_pitch_px(noise) is None
