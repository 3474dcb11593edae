import numpy as np
import pytest

from core.shreds.surfaces import LIGHTNESS_WEIGHT, even_surfaces, lab, reduced


def test_reduces_by_averaging() -> None:
    pixels = np.zeros((80, 40, 3), np.uint8)
    pixels[:, ::2] = 200
    small = reduced(pixels)
    assert small.shape == (20, 10, 3)
    np.testing.assert_allclose(small, 100, atol=1)


def test_lightness_counts_less_than_chroma() -> None:
    white = lab(np.full((1, 1, 3), 255, np.float32))[0, 0]
    np.testing.assert_allclose(white, (100 * LIGHTNESS_WEIGHT, 0, 0), atol=0.1)


def test_lists_even_surfaces_by_size() -> None:
    small = np.full((100, 100, 3), (250, 200, 70), np.float32)
    small[:, 70:] = 245
    small[:10, :30] = (20, 40, 120)
    found = even_surfaces(small)
    assert [tuple(np.round(colour)) for colour, _ in found] == [(250, 200, 70), (245, 245, 245), (20, 40, 120)]
    assert sum(share for _, share in found) == pytest.approx(1)


def test_what_is_rough_is_no_surface() -> None:
    rough = np.indices((60, 60)).sum(axis=0)[..., None].repeat(3, axis=2) % 2 * 255
    assert even_surfaces(rough.astype(np.float32)) == []
