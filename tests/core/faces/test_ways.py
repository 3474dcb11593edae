import pytest

from core.faces.ways import HALF_TURN, OVER, reverses, turned, turned_join, with_turned

N = 5


@pytest.mark.parametrize("by", range(4))
def test_every_turn_undoes_itself(by):
    for pose in range(4 * N):
        assert turned(turned(pose, N, by), N, by) == pose
        assert turned(pose, N, by) % N == pose % N
    assert turned_join(*turned_join(3, 12, N, by), N, by) == (3, 12)


def test_left_and_right_change_places_in_each_turn_but_not_in_both_together():
    assert [reverses(by) for by in (0, HALF_TURN, OVER, HALF_TURN + OVER)] == [False, True, True, False]


def test_a_join_in_all_four_ways():
    assert with_turned([(0, 1)], N, 4) == [(0, 1), (6, 5), (11, 10), (15, 16)]
