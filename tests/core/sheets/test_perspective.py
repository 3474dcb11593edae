"""Photographs laid flat, and pictures that must stay as they are."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from core.sheets.formats.picture import Picture
from core.sheets.perspective import corners_by_tilt, focal_px, lay_flat
from tests.core.drawn_photograph import BROWN, FOCAL_35MM, YELLOW, card, photograph


def taken(tilt_deg: tuple[float, float]) -> tuple[Picture, np.ndarray]:
    pixels, matrix = photograph(card(), tilt_deg)
    return Picture(pixels, None, (72.0, 72.0), focal_35mm=FOCAL_35MM), matrix


@pytest.mark.parametrize("tilt_deg", [(0, 0), (7, -5), (-8, 12)])
def test_strips_are_straight_parallel_and_equally_wide_again(tilt_deg):
    picture, matrix = taken(tilt_deg)
    flat = lay_flat(picture)
    assert flat.dpi == pytest.approx(flat.pixels.shape[0] / 11.69, rel=0.02)
    whole = flat.matrix @ matrix
    scale = flat.pixels.shape[0] / 1754
    lefts = np.linspace(90, 1240 - 140, 8).astype(int)
    ends = np.array([[(x, y) for left in lefts for x in (left, left + 50) for y in (60, 1694)]], np.float64)
    moved = cv2.perspectiveTransform(ends, whole)[0].reshape(8, 2, 2, 2)
    angles = np.degrees(np.arctan2(moved[:, :, 1, 0] - moved[:, :, 0, 0], moved[:, :, 1, 1] - moved[:, :, 0, 1]))
    assert np.abs(angles).max() < 0.05
    widths = moved[:, 1, :, 0] - moved[:, 0, :, 0]
    np.testing.assert_allclose(widths, 50 * scale, rtol=0.02)
    np.testing.assert_allclose(widths, widths.mean(), rtol=0.01)


def test_known_corners_give_the_same_picture_bit_for_bit():
    picture, _ = taken((7, -5))
    flat = lay_flat(picture)
    np.testing.assert_array_equal(lay_flat(picture, flat.corners_px).pixels, flat.pixels)
    assert not (flat.pixels == np.array(BROWN)).all(axis=2).any(), "the table is left out"


def test_one_that_has_lost_what_its_camera_wrote_goes_by_its_support():
    picture, _ = taken((7, -5))
    assert lay_flat(replace(picture, focal_35mm=None)) is not None
    assert lay_flat(replace(picture, focal_35mm=None, dpi=(300.0, 300.0))) is None, "what a scanner wrote holds"


def test_a_card_on_a_part_of_a_photograph_is_still_of_the_shape_of_paper():
    pixels, _ = photograph(card(), (18, 0), far=1.6)
    part = np.ascontiguousarray(pixels[280:])  # its middle is no longer where the camera looked
    assert lay_flat(Picture(part, None, (72.0, 72.0), focal_35mm=FOCAL_35MM)).dpi == pytest.approx(106, abs=3)


def test_a_support_that_hardly_differs_is_looked_for_where_a_camera_says_it_took_the_picture():
    pixels, _ = photograph(card(colour=(100, 73, 56)), (7, -5))
    assert lay_flat(Picture(pixels, None, (72.0, 72.0), focal_35mm=FOCAL_35MM)) is not None
    assert lay_flat(Picture(pixels, None, None)) is None


@pytest.mark.parametrize("degrees", [0.0, 1.5, -12.0])
@pytest.mark.parametrize("dpi", [None, (300.0, 300.0)])
def test_a_pad_on_a_scanner_bed_is_a_rectangle_and_stays(degrees, dpi):
    pixels = np.full((1754, 1240, 3), 238, np.uint8)
    corners = cv2.boxPoints(((620.0, 877.0), (800.0, 1200.0), degrees))
    cv2.fillConvexPoly(pixels, np.round(corners).astype(int), YELLOW)
    pixels[500:1200, 500:540] = 250
    assert lay_flat(Picture(pixels, None, dpi)) is None


@pytest.mark.parametrize("tilt", [(0.1, 0.0), (-0.05, 0.15)])
def test_a_camera_that_is_turned_back_sees_a_rectangle(tilt):
    pixels = np.zeros((2000, 1500, 3), np.uint8)
    picture = Picture(pixels, None, None, focal_35mm=FOCAL_35MM)
    focal = focal_px(picture)
    corners = corners_by_tilt((1500, 2000), focal, tilt)
    # On a plane with that tilt the corners are those of a rectangle: rays meet it at right angles.
    rays = np.array([(x - 750, y - 1000, focal) for x, y in corners]) / focal
    points = rays / (1 - rays[:, :2] @ tilt)[:, None]
    along, across = points[1] - points[0], points[3] - points[0]
    assert abs(along @ across) < 1e-3 * np.linalg.norm(along) * np.linalg.norm(across)
    assert np.linalg.norm(across) / np.linalg.norm(along) == pytest.approx(11.69 / 8.27, rel=1e-3)
