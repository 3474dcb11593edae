import cv2
import numpy as np
import pytest
from skimage.filters import threshold_sauvola

from core.options import BinarizationOptions
from core.shreds.binarization import binarize, sauvola_threshold


def grey_page(seed: int = 0) -> np.ndarray:
    """Dark strokes on paper that is lit unevenly, with scanner noise."""
    rng = np.random.default_rng(seed)
    paper = np.linspace(150, 240, 120)[None, :] + np.zeros((90, 1))
    paper[30:36, 10:110] -= 90
    paper[50:70, 20:24] -= 90
    return np.clip(paper + rng.normal(0, 3, paper.shape), 0, 255).astype(np.uint8)


def test_threshold_follows_sauvolas_formula():
    grey = grey_page()
    options = BinarizationOptions(window_px=15, k=0.2)
    window = grey[40 - 7 : 40 + 8, 60 - 7 : 60 + 8].astype(float)
    expected = window.mean() * (1 + 0.2 * (window.std() / 128 - 1))
    assert abs(sauvola_threshold(grey, options)[40, 60] - expected) < 1e-3


@pytest.mark.parametrize("size", [(90, 120), (300, 37), (20, 9), (1, 7), (1, 1)])
@pytest.mark.parametrize(("window_px", "k"), [(25, 0.3), (3, 0.01), (199, 1.0)])
def test_threshold_is_the_librarys_bit_for_bit(size, window_px, k):
    rng = np.random.default_rng(0)
    for grey in (rng.integers(0, 256, size), np.where(rng.random(size) < 0.1, 20, 240), np.full(size, 255)):
        grey = grey.astype(np.uint8)
        expected = threshold_sauvola(grey, window_size=window_px, k=k, r=128.0).astype(np.float32)
        np.testing.assert_array_equal(sauvola_threshold(grey, BinarizationOptions(window_px, k)), expected)


def test_ink_is_found_under_uneven_light():
    grey = grey_page()
    mask = np.ones(grey.shape, dtype=bool)
    ink = binarize(cv2.cvtColor(grey, cv2.COLOR_GRAY2RGB), mask)
    assert ink[31:35, 12:108].all()
    assert not ink[5:20].any()
    assert not ink[75:].any()


def test_nothing_beyond_the_paper_is_ink():
    grey = grey_page()
    mask = np.ones(grey.shape, dtype=bool)
    mask[:, :40] = False
    grey[:, :40] = 0
    ink = binarize(cv2.cvtColor(grey, cv2.COLOR_GRAY2RGB), mask)
    assert not ink[:, :40].any()
    # White beyond the paper: the dark background must not drown the stroke that begins at the edge.
    assert ink[31:35, 40:100].all()


def test_an_even_window_is_widened_to_the_next_odd_one():
    grey = grey_page()
    even = sauvola_threshold(grey, BinarizationOptions(window_px=14))
    odd = sauvola_threshold(grey, BinarizationOptions(window_px=15))
    np.testing.assert_array_equal(even, odd)
