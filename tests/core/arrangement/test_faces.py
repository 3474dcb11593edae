import pytest

from core.arrangement.faces import FacePair, other_faces, turned_over

FACES = other_faces([FacePair("1-01", "2-05", True, 3), FacePair("1-02", "2-04", False, 2)])


@pytest.mark.parametrize("half_turned", [False, True])
@pytest.mark.parametrize("shred", list(FACES))
def test_turned_over_twice_it_stands_as_before(shred, half_turned):
    over = turned_over(shred, half_turned, FACES)
    assert over is not None
    assert over[0] != shred
    assert turned_over(*over, FACES) == (shred, half_turned)


def test_what_lay_upside_down_is_half_turned():
    assert turned_over("1-01", False, FACES) == ("2-05", True)
    assert turned_over("1-02", True, FACES) == ("2-04", True)


def test_of_a_shred_with_one_face_nothing_is_known():
    assert turned_over("1-03", False, FACES) is None


def test_what_is_lower_on_one_face_is_higher_seen_from_the_other():
    assert (FACES["1-02"][2], FACES["2-04"][2]) == (2, -2)
