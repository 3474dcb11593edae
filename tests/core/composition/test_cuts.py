import numpy as np
import pytest

from core.composition.cuts import (
    SPREAD_PX,
    WORN,
    WORN_OVERLAP_PX,
    Cuts,
    breadth_px,
    contours,
    measure_cuts,
    usual_breadth_px,
)
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


def strip(breadth, height=400):
    mask = np.zeros((height, 120), np.bool_)
    mask[:, 10 : 10 + breadth] = True
    return mask


def test_a_page_of_broader_strips_overlaps_by_as_much_more():
    usual = [strip(90), strip(84)] * 10
    cuts = Cuts(3.0, 2.0, usual_breadth_px(usual))
    assert cuts.breadth_px == pytest.approx(87)
    assert cuts.overlap_of(usual) == pytest.approx(3.0)
    broader = [strip(91), strip(85)] * 5
    assert cuts.overlap_of([strip(40), *broader, strip(60)]) == pytest.approx(4.0), "the outermost do not count"


def test_strips_of_another_machine_or_few_overlap_as_usual():
    cuts = Cuts(3.0, 2.0, 87.0)
    assert cuts.overlap_of([strip(70)] * 12) == 3.0
    assert cuts.overlap_of([strip(91)] * 12) == 3.0
    assert cuts.overlap_of([strip(88)] * 3) == 3.0
    assert Cuts(0.0, 2.0, 87.0).overlap_of([strip(88)] * 12) == 0.0, "cut clean"
    assert Cuts(3.0, 2.0).overlap_of([strip(88)] * 12) == 3.0


def test_how_broad_strips_are_is_told_by_those_alike():
    assert usual_breadth_px([strip(90), strip(20), strip(91), strip(0)]) == pytest.approx(90.5)
    assert np.isnan(usual_breadth_px([]))
    assert np.isnan(breadth_px(strip(0)))
