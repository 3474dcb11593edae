"""An outline bent by its corners: what lies between others stays as it was found."""

import numpy as np
import pytest

from core.sheets.bent_outline import BentOutline

WAVY = [(0.0, 0.0), (100.0, 0.0), (102.0, 30.0), (99.0, 60.0), (100.0, 90.0), (0.0, 90.0), (0.0, 0.0)]


@pytest.fixture
def bent():
    return BentOutline.of(WAVY)


def test_corners_are_where_the_outline_turns(bent):
    assert bent.points == tuple(WAVY[:-1])
    assert bent.corners == ((0.0, 0.0), (100.0, 0.0), (100.0, 90.0), (0.0, 90.0))
    blunt = BentOutline.of([(0, 0), (200, 2), (400, 0), (400, 50), (0, 50)])
    assert (200.0, 2.0) in blunt.corners, "somebody put it there"


def test_a_corner_takes_its_two_sides_along_alone(bent):
    assert bent.moved(3, (5.0, 95.0)).points == (*WAVY[:5], (5.0, 95.0))
    assert bent.moved(1, (90.0, 5.0)).points == ((0.0, 0.0), (90.0, 5.0), (100.0, 90.0), (0.0, 90.0))
    assert bent.moved(0, (2.0, 2.0)).points == ((2.0, 2.0), *WAVY[1:6])


def test_a_corner_is_made_on_the_outline_and_taken_away(bent):
    more, at = bent.added((104.0, 45.0))
    assert more.corners[at] == pytest.approx((100.5, 44.7), abs=0.2)
    assert np.abs(np.array(more.points)[:, None] - np.array(bent.points)).max(axis=2).min(axis=0).max() == 0
    assert more.removed(at).corners == bent.corners
    closing, at = bent.added((-3.0, 40.0))
    assert (at, closing.corners[at]) == (4, (0.0, 40.0))
    three = bent.removed(3)
    assert three.removed(0) == three, "three are left at least"
    assert bent.distance_px((-3.0, 40.0)) == pytest.approx(3)
