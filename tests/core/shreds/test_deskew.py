import cv2
import numpy as np
import pytest

from core.shreds.deskew import find_upright, long_axis_deg, row_extents


def turned_strip(angle_deg: float) -> np.ndarray:
    mask = np.zeros((1200, 1200), np.uint8)
    mask[150:1050, 550:650] = 1
    matrix = cv2.getRotationMatrix2D((600, 600), angle_deg, 1)
    return cv2.warpAffine(mask, matrix, (1200, 1200)) > 0


@pytest.mark.parametrize("angle_deg", [-60.0, -5.0, -0.4, 0.0, 0.4, 3.0, 44.0, 88.0])
def test_measures_the_turn(angle_deg: float) -> None:
    """Counter-clockwise positive, as OpenCV turns."""
    assert long_axis_deg(turned_strip(angle_deg)) == pytest.approx(angle_deg, abs=0.03)


def test_a_torn_corner_does_not_turn_a_strip() -> None:
    mask = turned_strip(2.0)
    mask[:450, 600:] = False
    assert long_axis_deg(mask) == pytest.approx(2, abs=0.15)


def test_a_strip_cut_off_by_the_sheet_is_measured_by_its_sides() -> None:
    assert long_axis_deg(turned_strip(3.0)[300:900]) == pytest.approx(3, abs=0.05)


@pytest.mark.parametrize("angle_deg", [-5.0, 0.0, 3.0])
def test_there_and_back(angle_deg: float) -> None:
    mask = turned_strip(angle_deg)
    upright = find_upright(mask[100:, 400:]).within(400, 100)
    straight = upright.cut_out_mask(mask)
    assert straight.shape == upright.size_px[::-1]
    rows, first, last = row_extents(straight)
    assert (len(rows), np.median(last - first + 1)) == (pytest.approx(900, abs=3), pytest.approx(100, abs=2))
    corners = np.float32([[0, 0], [99, 899]])
    on_sheet = upright.back(corners)
    back_again = np.column_stack([on_sheet, [1, 1]]) @ upright.matrix.T
    np.testing.assert_allclose(back_again, corners, atol=1e-2)
    assert upright.top_px == pytest.approx(150, abs=3)
    assert np.linalg.norm(on_sheet.mean(axis=0) - (600, 600)) < 3


def test_pixels_turn_with_the_mask() -> None:
    mask = turned_strip(4.0)
    pixels = np.where(mask[:, :, None], np.uint8(200), np.uint8(10)).repeat(3, axis=2)
    upright = find_upright(mask)
    straight = upright.cut_out_mask(mask)
    inner = cv2.erode(straight.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    assert (upright.cut_out(pixels)[inner] > 190).all()


def test_crumbs_have_an_axis_too() -> None:
    assert -90 <= long_axis_deg(np.ones((3, 3), np.bool_)) <= 90
