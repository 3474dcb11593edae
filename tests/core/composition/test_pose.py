import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.composition.pose import Pose, draw, matrix_of, picture, plain_poses

MASK = np.ones((101, 41), np.bool_)
GREY = np.full((101, 41, 3), 120, np.uint8)


def test_a_pose_says_where_the_middle_lies_and_turns_counter_clockwise():
    matrix = matrix_of(MASK, Pose(300.0, 500.0, 90.0))
    assert matrix @ (20, 50, 1) == pytest.approx((300, 500))
    assert matrix @ (40, 50, 1) == pytest.approx((300, 480)), "what lay right lies above now"


def test_a_shred_that_is_hardly_turned_is_not_resampled():
    noise = np.random.default_rng(0).integers(0, 255, GREY.shape).astype(np.uint8)
    drawn = draw(noise, MASK, Pose(30.4, 70.0, 0.02))
    assert (drawn.pixels == noise).all()
    assert (drawn.x_px, drawn.y_px) == (10, 20)
    assert drawn.matrix @ (0, 0, 1) == pytest.approx((10, 20))


def test_a_turned_shred_is_all_there():
    drawn = draw(GREY, MASK, Pose(30.25, 70.5, 2.0))
    assert drawn.paper.sum() == pytest.approx(MASK.sum(), rel=0.01)
    assert (drawn.pixels[~drawn.paper] >= 120).all()
    rows, columns = np.nonzero(drawn.paper)
    assert columns.mean() + drawn.x_px == pytest.approx(30.25, abs=0.05)
    assert rows.mean() + drawn.y_px == pytest.approx(70.5, abs=0.05)


def test_what_an_arrangement_says_of_poses(make_shred):
    shreds = {name: make_shred(name, MASK, frame_top_px=top) for name, top in (("1-01", 3), ("1-02", 0))}
    arrangement = Arrangement(
        pages=(("1-01", "1-02"),), shift_px={"1-02": 8}, turned_deg={"1-02": 0.5}, half_turned=frozenset({"1-01"})
    )
    poses = plain_poses(shreds, arrangement, 0)
    assert [(pose.y_px, pose.angle_deg) for pose in poses.values()] == [(53, 0), (58, 0.5)]
    assert not any(np.isfinite(pose.y_error_px) for pose in poses.values())
    assert (picture(shreds["1-01"], arrangement.half_turned)[0] == shreds["1-01"].pixels[::-1, ::-1]).all()
    assert picture(shreds["1-02"], arrangement.half_turned)[0] is shreds["1-02"].pixels
