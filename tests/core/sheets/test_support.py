"""The corners of a support on a photograph."""

import cv2
import numpy as np
import pytest

from core.sheets.support import find_corners, rectangle_seen
from tests.core.drawn_photograph import BROWN, FOCAL_35MM, card, photograph, true_corners

pytestmark = pytest.mark.slow

FOCAL_PX = FOCAL_35MM / 43.27 * np.hypot(1500, 2000)


@pytest.mark.parametrize("tilt_deg", [(0, 0), (6, -4), (-9, 11), (14, 3)])
def test_corners_are_found_to_a_fraction_of_a_pixel(tilt_deg):
    sheet = card()
    pixels, matrix = photograph(sheet, tilt_deg)
    found = find_corners(pixels, FOCAL_PX)
    assert np.linalg.norm(found - true_corners(sheet, matrix), axis=1).max() < 0.5
    aspect, off_square_deg = rectangle_seen(found, pixels.shape[:2], FOCAL_PX)
    assert aspect == pytest.approx(1754 / 1240, rel=0.01)
    assert off_square_deg < 0.5


def test_a_strip_that_reaches_over_an_edge_does_not_move_it():
    sheet = card()
    pixels, matrix = photograph(sheet, (8, 5))
    true = true_corners(sheet, matrix)
    over = np.round(true[0] + 0.4 * (true[1] - true[0])).astype(int)
    pixels[over[1] - 60 : over[1] + 200, over[0] : over[0] + 50] = 246
    assert np.linalg.norm(find_corners(pixels, FOCAL_PX) - true, axis=1).max() < 0.5


def test_shreds_side_by_side_are_no_support():
    page = np.full((1754, 1240, 3), 246, np.uint8)
    pixels, _ = photograph(page, (8, 5))
    assert find_corners(pixels, FOCAL_PX) is None


def test_a_support_that_is_not_seen_whole_is_none():
    pixels, _ = photograph(card(), (8, 5), far=0.8)
    assert find_corners(pixels, FOCAL_PX) is None


def test_a_support_cut_askew_is_no_rectangle():
    pixels = np.full((2000, 1500, 3), BROWN, np.uint8)
    cv2.fillConvexPoly(pixels, np.array([(200, 300), (1300, 300), (1150, 1700), (400, 1750)]), (250, 200, 60))
    corners = np.array([(200, 300), (1300, 300), (1150, 1700), (50, 1700)], np.float64)
    assert rectangle_seen(corners, (2000, 1500), FOCAL_PX)[1] > 4
    assert find_corners(np.full_like(pixels, BROWN), FOCAL_PX) is None


def test_an_edge_of_a_shred_does_not_stand_for_a_side_that_is_not_seen():
    pixels, _ = photograph(card(), (14, 3))
    assert find_corners(pixels[:, :1330], FOCAL_PX) is None


@pytest.mark.parametrize("colour", [(100, 73, 56), (81, 57, 42), (92, 71, 57)])
def test_a_support_that_hardly_differs_is_found_where_that_is_asked_for(colour):
    sheet = card(colour=colour)
    pixels, matrix = photograph(sheet, (8, 5))
    assert find_corners(pixels, FOCAL_PX) is None
    found = find_corners(pixels, FOCAL_PX, faint=True)
    assert np.linalg.norm(found - true_corners(sheet, matrix), axis=1).max() < 8


def test_a_faint_support_that_is_not_seen_whole_is_none():
    pixels, _ = photograph(card(colour=(100, 73, 56)), (8, 5), far=0.8)
    assert find_corners(pixels, FOCAL_PX, faint=True) is None
    bare, _ = photograph(card(colour=BROWN), (8, 5))
    assert find_corners(bare, FOCAL_PX, faint=True) is None
