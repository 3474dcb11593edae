import numpy as np
import pytest

from core.composition.heights import PARTS, darkness, differences, profiles_of
from tests.core.composition.drawn_page import cut_into_strips, printed_page


def test_darkness_is_measured_against_the_paper_and_not_at_its_rim():
    pixels = np.full((40, 40, 3), 200, np.uint8)
    pixels[18:22] = 100
    mask = np.zeros((40, 40), np.bool_)
    mask[5:35, 5:35] = True
    dark, inner = darkness(pixels, mask)
    assert inner.sum() == (30 - 2 * 3) ** 2
    assert dark[20, 20] == pytest.approx((200 - 12 - 100) / 200)
    assert dark[10, 20] == dark[20, 6] == 0
    assert darkness(pixels, mask, worn_px=0)[0][20, 6] > 0.4


def test_differences_are_told_to_a_fraction_of_a_pixel():
    pictures, true = cut_into_strips(printed_page(), askew_deg=0.0, n=4)
    profiles = profiles_of(list(pictures.values()))
    assert profiles.shred.tolist() == [shred for shred in range(4) for _ in range(PARTS)]
    assert (np.diff(profiles.lever_px.reshape(4, PARTS)) > 20).all()
    measured = differences(profiles, np.zeros(4 * PARTS), reach=2, search_px=14)
    y = np.array([pose.y_px for pose in true.values()])
    expected = y[profiles.shred[measured.left]] - y[profiles.shred[measured.right]]
    assert len(expected) > 50
    assert np.median(np.abs(measured.drop_px - expected)) < 0.2
    assert (profiles.shred[measured.right] - profiles.shred[measured.left]).max() == 2
    assert (measured.error_px > 0.3).all()
    assert np.median(measured.error_px) < 1


def test_blank_paper_tells_nothing():
    blank = np.full((400, 60, 3), 240, np.uint8), np.ones((400, 60), np.bool_)
    assert len(differences(profiles_of([blank, blank]), np.zeros(2 * PARTS), reach=1, search_px=5).drop_px) == 0
