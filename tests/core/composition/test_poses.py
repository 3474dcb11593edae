from dataclasses import replace

import numpy as np
import pytest

from core.composition.cuts import Cuts
from core.composition.pose import Pose, matrix_of
from core.composition.poses import find_poses
from core.composition.reading import compose_reading_page
from tests.core.composition.drawn_page import cut_into_strips, printed_page

CLEAN = Cuts(0.0, 0.5)


def said(true, pictures, steps_px=4):
    """What an arrangement says of poses: heights against the first shred in steps of 4 px, and no angles."""
    first = next(iter(true.values())).y_px
    middle = (len(next(iter(pictures.values()))[1]) - 1) / 2
    return {
        name: Pose(0.0, middle + steps_px * round((pose.y_px - first) / steps_px), 0.0) for name, pose in true.items()
    }


def off_px(found, true):
    """How far poses are off once the page as a whole lies as well as it can: along lines, across them."""
    names = list(found)
    here, there = (np.array([(poses[name].x_px, poses[name].y_px) for name in names]) for poses in (found, true))
    return (here - here.mean(axis=0)) - (there - there.mean(axis=0))


@pytest.mark.parametrize("askew_deg", [-3.0, -0.8, 0.0, 1.7, 3.0])
def test_poses_are_found_to_a_quarter_of_a_pixel(askew_deg):
    pictures, true = cut_into_strips(printed_page(), askew_deg=askew_deg)
    found = find_poses(pictures, said(true, pictures), CLEAN, {}, ())
    off = off_px(found, true)
    assert np.abs(off[:, 1]).max() < 0.25
    assert np.abs(off[:, 0]).max() < 1.0
    angles = [found[name].angle_deg for name in found]
    assert np.mean(angles) == pytest.approx(askew_deg, abs=0.1)
    assert np.std(angles) < 0.1
    errors = np.array([found[name].y_error_px for name in found])
    assert (errors > 0).all()
    assert (errors < 1).all()


def test_poses_are_counted_from_the_corner_of_the_reading_page():
    pictures, true = cut_into_strips(printed_page(), askew_deg=1.0, n=4)
    found = find_poses(pictures, said(true, pictures), CLEAN, {}, ())
    page = compose_reading_page(pictures, found)
    for name, (_, mask) in pictures.items():
        assert page.maps[name] == pytest.approx(matrix_of(mask, found[name]))


def test_what_was_nudged_is_moved_by_as_much():
    pictures, true = cut_into_strips(printed_page(), askew_deg=0.5)
    before = find_poses(pictures, said(true, pictures), CLEAN, {}, ())
    after = find_poses(pictures, said(true, pictures), CLEAN, {"1-04": 9}, ())
    moved = {name: after[name].y_px - before[name].y_px for name in before}
    assert moved["1-04"] - moved["1-01"] == pytest.approx(9)
    assert all(moved[name] == pytest.approx(moved["1-01"]) for name in moved if name != "1-04")


def test_what_was_turned_by_hand_turns_only_as_the_page_does():
    pictures, true = cut_into_strips(printed_page(), askew_deg=1.5)
    by_hand = said(true, pictures)
    by_hand["1-05"] = replace(by_hand["1-05"], angle_deg=0.7)
    found = find_poses(pictures, by_hand, CLEAN, {}, {"1-05"})
    assert found["1-05"].angle_deg == pytest.approx(0.7 + 1.5, abs=0.15)


def test_blank_shreds_stay_where_the_arrangement_has_them():
    pictures, true = cut_into_strips(printed_page(), askew_deg=0.0, n=5)
    for name, (pixels, mask) in pictures.items():
        pictures[name] = np.full_like(pixels, 250), mask
    poses = said(true, pictures)
    found = find_poses(pictures, poses, CLEAN, {}, ())
    for name in poses:
        down = found[name].y_px - found["1-01"].y_px
        assert down == pytest.approx(poses[name].y_px - poses["1-01"].y_px, abs=1.5)
        assert found[name].angle_deg == pytest.approx(0, abs=1e-6)
        assert not np.isfinite(found[name].y_error_px)


def test_worn_rims_reach_over_one_another():
    pictures, true = cut_into_strips(printed_page(), askew_deg=0.0, n=3)
    found = find_poses(pictures, said(true, pictures), Cuts(4.0, 2.0), {}, ())
    x = [pose.x_px for pose in found.values()]
    assert np.diff(x) == pytest.approx([86, 86], abs=0.2)
    assert [pose.x_error_px for pose in found.values()] == [0.0, 2.0, 2.0]


def test_what_lies_below_another_begins_where_that_does():
    mask = np.ones((120, 40), np.bool_)
    white = np.full((120, 40, 3), 255, np.uint8)
    pictures = {"1-01": (np.full((260, 40, 3), 255, np.uint8), np.ones((260, 40), np.bool_))}
    pictures |= {"1-02": (white, mask), "1-03": (white, mask)}
    poses = {"1-01": Pose(0, 129.5, 0), "1-02": Pose(0, 59.5, 0), "1-03": Pose(0, 199.5, 0)}
    found = find_poses(pictures, poses, CLEAN, {}, ())
    assert found["1-02"].x_px == pytest.approx(found["1-03"].x_px, abs=0.01)
    assert found["1-02"].x_px - found["1-01"].x_px == pytest.approx(40, abs=0.01)


@pytest.mark.parametrize("shapes", [[(3, 2)], [(1, 1), (1, 1)], [(500, 40), (2, 300), (900, 1)]], ids=str)
def test_specks_have_a_place_too(shapes):
    pictures = {
        f"1-{at}": (np.full((*shape, 3), 90, np.uint8), np.ones(shape, np.bool_)) for at, shape in enumerate(shapes)
    }
    poses = {name: Pose(0.0, len(mask) / 2, 0.0) for name, (_, mask) in pictures.items()}
    found = find_poses(pictures, poses, Cuts(3.0, 2.0), {}, ())
    placements = compose_reading_page(pictures, found).placements
    assert [placement[2:] for placement in placements.values()] == [shape[::-1] for shape in shapes]


@pytest.mark.parametrize("lines_across", [True, False])
def test_shreds_of_all_breadths_lie_edge_to_edge(lines_across):
    breadths = {"1-01": 40, "1-02": 90, "1-03": 60}
    pictures = {
        name: (np.full((300, w, 3), 245, np.uint8), np.ones((300, w), np.bool_)) for name, w in breadths.items()
    }
    poses = {name: Pose((w - 1) / 2, 149.5, 0.0) for name, w in breadths.items()}
    found = find_poses(pictures, poses, CLEAN, {}, (), lines_across=lines_across)
    page = compose_reading_page(pictures, found)
    assert {name: x for name, (x, _, _, _) in page.placements.items()} == {"1-01": 0, "1-02": 40, "1-03": 130}


@pytest.mark.parametrize("off_by_px", [-20, 12, 20])
def test_a_join_that_is_said_to_stand_half_a_line_off_does_not_part_the_page(off_by_px):
    pictures, true = cut_into_strips(printed_page(), askew_deg=0.8)
    poses = said(true, pictures)
    for name in list(poses)[4:]:
        poses[name] = replace(poses[name], y_px=poses[name].y_px + off_by_px)
    found = find_poses(pictures, poses, CLEAN, {}, ())
    assert np.abs(off_px(found, true)[:, 1]).max() < 0.25
