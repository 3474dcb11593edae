import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.faces import FacePair, join_from_behind, other_faces, shifts_as_seen, turned_over

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


@pytest.mark.parametrize("turned", [frozenset(), frozenset({"1-02", "2-04"})], ids=["as found", "half-turned"])
def test_a_join_from_behind_has_the_other_faces_the_other_way_round(turned):
    before = Arrangement((("1-01", "x", "1-02"),), half_turned=turned, other_faces=FACES)
    behind = join_from_behind(before, "1-01", "1-02", 7)
    assert behind.pages == (("2-04", "2-05"),)
    # 2-04 lies 2 px lower than it shows its paper, which stood 7 px lower; 2-05 lies 3 px lower.
    assert behind.shift_px == {"2-05": (0 - 3) - (7 - 2)}
    assert {"2-05"} <= behind.half_turned
    assert ("2-04" in behind.half_turned) == ("1-02" in turned)
    back = join_from_behind(behind, "2-04", "2-05", behind.shift_px["2-05"])
    assert (back.pages, back.shift_px) == ((("1-01", "1-02"),), {"1-02": 7})


def test_a_join_of_a_shred_with_one_face_is_not_seen_from_behind():
    assert join_from_behind(Arrangement((("1-01", "x"),), other_faces=FACES), "1-01", "x", 0) is None


def test_shifts_are_told_of_the_faces_that_are_seen():
    before = Arrangement((("1-01", "1-02"), ("x", "1-01b")), other_faces=FACES)
    shifts_px = {("1-01", "1-02"): 7, ("x", "1-01b"): 4}
    assert shifts_as_seen(shifts_px, before, {"1-01", "1-02", "x", "1-01b"}) == shifts_px
    assert shifts_as_seen(shifts_px, before, {"2-04", "2-05"}) == {("2-04", "2-05"): -8, ("x", "1-01b"): 4}
    assert shifts_as_seen(shifts_px, before, {"2-04", "1-01"}) == shifts_px, "one from behind, one not: no such join"
