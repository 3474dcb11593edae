import numpy as np
import pytest

from core.composition.cuts import SPREAD_PX, WORN, WORN_OVERLAP_PX, contours, measure_cuts
from tests.core.composition.drawn_page import cut_into_strips, printed_page


def worn(pixels, share, px=3, seed=0):
    """Take a share of the print away at both rims."""
    pixels = pixels.copy()
    lost = np.random.default_rng(seed).random((len(pixels), 1)) < share
    for rim in (pixels[:, :px], pixels[:, -px:]):
        rim[np.broadcast_to(lost, rim.shape[:2])] = 255
    return pixels


@pytest.mark.parametrize("share", [0.0, 0.4, 0.9])
def test_neighbours_reach_over_one_another_as_far_as_print_is_worn(share):
    pictures, _ = cut_into_strips(printed_page(), askew_deg=0.0)
    cuts = measure_cuts((worn(pixels, share), mask) for pixels, mask in pictures.values())
    assert cuts.overlap_px == pytest.approx(WORN_OVERLAP_PX * min(share / WORN, 1), abs=0.8)
    assert cuts.spread_px == SPREAD_PX


def test_blank_shreds_tell_nothing_of_cuts():
    blank = np.full((400, 60, 3), 240, np.uint8), np.ones((400, 60), np.bool_)
    assert measure_cuts([blank]).overlap_px == 0
    assert measure_cuts([]).overlap_px == 0


def test_contours_are_followed_on_the_page():
    mask = np.zeros((90, 30), np.bool_)
    mask[:, 4:20] = True
    left, right = contours(mask, np.array([[1.0, 0, 100], [0, 1, 7]]))
    assert (left[:, 0] == 104).all()
    assert (right[:, 0] == 120).all()
    assert left[:, 1].tolist() == list(range(10, 94))
