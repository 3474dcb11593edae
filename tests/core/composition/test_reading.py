import numpy as np
import pytest

from core.composition.cuts import Cuts
from core.composition.pose import Pose, matrix_of
from core.composition.poses import find_poses
from core.composition.reading import WHITE, compose_reading_page, evened
from tests.core.composition.drawn_page import cut_into_strips, printed_page


def test_a_page_cut_clean_is_whole_again():
    page = printed_page()
    pictures, true = cut_into_strips(page, askew_deg=0.0)
    composed = compose_reading_page(pictures, true)
    left, top = (matrix_of(pictures["1-05"][1], true["1-05"]) - composed.maps["1-05"])[:, 2].round().astype(int)
    there = page[top : top + len(composed.pixels), left : left + composed.pixels.shape[1]]
    inked = (there < 128).all(axis=2)
    again = (composed.pixels[: len(there)] < 128).all(axis=2)
    assert (inked & again).sum() / (inked | again).sum() > 0.8


def test_where_rims_lie_over_one_another_the_darker_pixel_is_seen():
    mask = np.ones((40, 30), np.bool_)
    left, right = (np.full((40, 30, 3), 250, np.uint8) for _ in range(2))
    left[10:14], right[20:24] = 20, 20
    poses = {"1-01": Pose(14.5, 19.5, 0), "1-02": Pose(40.5, 19.5, 0)}
    composed = compose_reading_page({"1-01": (left, mask), "1-02": (right, mask)}, poses)
    assert composed.pixels.shape == (40, 56, 3)
    dark = (composed.pixels < 60).all(axis=2)
    assert dark[10:14, :30].all()
    assert dark[20:24, 26:].all()
    assert dark.sum() == 2 * 4 * 30


def test_nothing_is_drawn_where_no_shred_has_ink():
    pictures, true = cut_into_strips(printed_page(), askew_deg=1.0, n=4)
    blank = {name: (np.full_like(pixels, 245), mask) for name, (pixels, mask) in pictures.items()}
    found = find_poses(pictures, true, Cuts(4.0, 2.0), {}, ())
    assert compose_reading_page(blank, found).pixels.min() >= WHITE - 2


def test_paper_is_made_even_and_print_stays_dark():
    mask = np.ones((200, 60), np.bool_)
    pixels = np.full((200, 60, 3), (230, 225, 200), np.uint8)
    pixels[:, :2] = pixels[:, -2:] = (200, 190, 120)
    pixels[50:60] = 30
    even = evened({"1-01": (pixels, mask)})["1-01"]
    assert np.abs(even[100].astype(int) - WHITE).max() <= 1
    assert even[55].max() < 45
    mask[:, 40:] = False
    assert (evened({"1-01": (pixels, mask)})["1-01"][:, 40:] == 255).all()


def test_a_picture_is_not_taken_for_paper():
    mask = np.ones((200, 60), np.bool_)
    picture = np.random.default_rng(0).integers(0, 200, (200, 60, 3)).astype(np.uint8)
    assert np.abs(evened({"1-01": (picture, mask)})["1-01"].astype(int) - picture).max() <= 1
    page = np.full((200, 60, 3), 200, np.uint8)
    beside = evened({"1-01": (picture, mask), "1-02": (page, mask)})
    assert (beside["1-02"] == WHITE).all()
    assert np.abs(beside["1-01"].astype(int) - np.minimum(picture * 1.25, 255)).max() <= 1


def test_maps_take_a_shred_to_its_place():
    mask = np.ones((40, 30), np.bool_)
    pixels = np.full((40, 30, 3), 250, np.uint8)
    poses = {"1-01": Pose(14.5, 19.5, 0), "1-02": Pose(44.0, 25.0, 2.0)}
    composed = compose_reading_page({"1-01": (pixels, mask), "1-02": (pixels, mask)}, poses)
    assert composed.maps["1-02"] @ (14.5, 19.5, 1) == pytest.approx((44.0, 25.0), abs=1)
    x, y, w, h = composed.placements["1-02"]
    assert composed.papers["1-02"].shape == (h, w)
    assert (x + (w - 1) / 2, y + (h - 1) / 2) == pytest.approx((44, 25), abs=1)
