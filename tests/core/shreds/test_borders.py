from dataclasses import replace

import numpy as np
import pytest

from core.options import BorderOptions
from core.shreds.borders import read_border, read_borders
from core.shreds.shred import Shred


def make_shred(height: int = 60, width: int = 80, frame_top_px: int = 0, seed: int = 0) -> Shred:
    rng = np.random.default_rng(seed)
    pixels = np.full((height, width, 3), 230, dtype=np.uint8)
    for row in range(5, height - 5, 9):
        start = int(rng.integers(0, width - 12))
        pixels[row : row + 3, start : start + 12] = 20
    return Shred(
        id=f"1-{seed:02d}",
        sheet=0,
        bbox=(0, 0, width, height),
        outline=np.zeros((4, 2), dtype=np.float32),
        angle_deg=0.0,
        pixels=pixels,
        mask=np.ones((height, width), dtype=bool),
        frame_top_px=frame_top_px,
        blank=False,
    )


@pytest.fixture
def slanted() -> tuple[np.ndarray, np.ndarray]:
    """A strip whose contours move by one pixel a row; every pixel's ink says in which column of the strip it lies."""
    height, width, paper = 20, 70, 45
    mask = np.zeros((height, width), dtype=bool)
    ink = np.zeros_like(mask)
    for row in range(height):
        mask[row, row : row + paper] = True
        ink[row, row + 3] = True
        ink[row, row + paper - 1 - 5] = True
    return ink, mask


def test_left_border_follows_the_contour(slanted):
    border = read_border(*slanted, "left")
    assert border.shape == (20, 32)
    assert border[:, 3].all()
    assert border.sum() == 20


def test_right_border_ends_on_the_contour(slanted):
    border = read_border(*slanted, "right")
    assert border[:, 31 - 5].all()
    assert border.sum() == 20


def test_rows_without_paper_and_beyond_narrow_paper_are_white():
    mask = np.zeros((4, 50), dtype=bool)
    mask[1, 10:20] = True
    mask[2] = True
    ink = np.ones_like(mask)
    left, right = read_border(ink & mask, mask, "left"), read_border(ink & mask, mask, "right")
    assert not left[[0, 3]].any()
    assert not right[[0, 3]].any()
    assert left[1].tolist() == [True] * 10 + [False] * 22
    assert right[1].tolist() == [False] * 22 + [True] * 10


def test_shreds_are_padded_into_one_frame():
    upper, lower = make_shred(frame_top_px=-3, seed=1), make_shred(height=50, frame_top_px=20, seed=2)
    borders = read_borders([upper, lower])
    assert borders.frame_top_px == -3
    assert borders.left.shape == (2, 73, 32)
    assert not borders.left[0, 60:].any()
    assert not borders.left[1, :23].any()
    alone = read_borders([lower])
    np.testing.assert_array_equal(borders.left[1, 23:], alone.left[0])
    np.testing.assert_array_equal(borders.right[1, 23:], alone.right[0])


def test_half_turned_shred_shows_its_other_border_upside_down():
    shred = make_shred(seed=3)
    upright, turned = read_borders([shred]), read_borders([replace(shred, half_turn=True)])
    np.testing.assert_array_equal(turned.left[0], upright.right[0, ::-1, ::-1])
    np.testing.assert_array_equal(turned.right[0], upright.left[0, ::-1, ::-1])


def test_no_shreds_is_a_wrong_call():
    with pytest.raises(ValueError, match="no shreds"):
        read_borders([])


def test_worn_paper_is_skipped(slanted):
    left, right = (read_border(*slanted, side, worn_px=2) for side in ("left", "right"))
    assert left[:, 1].all()
    assert left.sum() == 20
    assert right[:, 31 - 3].all()
    assert right.sum() == 20


def test_options_reach_the_reading():
    shred = make_shred(seed=4)
    shred.pixels[:, 0] = 0  # a dark fringe along the left contour
    bare = read_borders([shred], options=BorderOptions(worn_px=0))
    trimmed = read_borders([shred], options=BorderOptions(worn_px=1))
    assert bare.left[0, :, 0].all()
    assert not trimmed.left[0, :, 0].all()
    np.testing.assert_array_equal(trimmed.left[0, :, :-1], bare.left[0, :, 1:])
