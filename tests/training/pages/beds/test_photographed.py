"""Photographs drawn of a sheet: where it is seen, and what the file says."""

import cv2
import numpy as np
import pytest
from PIL.ExifTags import IFD
from PIL.ExifTags import Base as Tag

from training.pages.beds import photographed
from training.pages.beds.photographed import take_photograph

SHEET = np.full((700, 500, 3), (250, 200, 60), np.uint8)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(photographed, "SIZE_PX", (800, 600))


@pytest.mark.parametrize("tilt_deg", [0.0, 15.0])
def test_the_sheet_is_seen_where_the_homography_says(tilt_deg):
    taken = take_photograph(SHEET, tilt_deg, np.random.default_rng(0))
    assert taken.pixels.shape == (800, 600, 3)
    seen = cv2.warpPerspective(np.ones((700, 500), np.uint8), taken.matrix, (600, 800)) > 0
    yellow = taken.pixels[..., 0].astype(int) - taken.pixels[..., 2] > 100
    assert (yellow == seen).mean() > 0.98
    assert not seen[0].any()
    assert not seen[:, 0].any()


def test_a_tilted_camera_sees_no_rectangle():
    ends = np.array([[(0, 0), (500, 0), (500, 700), (0, 700)]], np.float64)
    lengths = []
    for tilt_deg in (0.0, 12.0):
        matrix = take_photograph(SHEET, tilt_deg, np.random.default_rng(0)).matrix
        corners = cv2.perspectiveTransform(ends, matrix)[0]
        lengths.append(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1))
    straight, tilted = lengths
    assert straight[0] == pytest.approx(straight[2], rel=1e-6)
    assert abs(tilted[0] / tilted[2] - 1) + abs(tilted[1] / tilted[3] - 1) > 0.05


def test_over_one_the_corners_lie_outside():
    taken = take_photograph(SHEET, 5.0, np.random.default_rng(0), fills=1.2)
    corners = cv2.perspectiveTransform(np.array([[(0, 0), (500, 700)]], np.float64), taken.matrix)[0]
    assert ((corners < 0) | (corners > (600, 800))).any(axis=1).all()


def test_the_file_says_through_which_lens_it_was_taken():
    taken = take_photograph(SHEET, 5.0, np.random.default_rng(0))
    assert taken.exif().get_ifd(IFD.Exif)[Tag.FocalLengthIn35mmFilm] == taken.focal_35mm
