import pytest

from core.arrangement.arrangement import Arrangement

ARRANGEMENT = Arrangement((("c", "a"), ("b", "d", "e")), ("x", "y"), confirmed=frozenset({("b", "d"), ("x", "y")}))


def test_every_shred_has_a_place():
    assert ARRANGEMENT.order == ("c", "a", "b", "d", "e", "x", "y")
    assert sorted(ARRANGEMENT.places, key=ARRANGEMENT.places.__getitem__) == list(ARRANGEMENT.order)
    assert ARRANGEMENT.places["d"] == (1, 1)
    assert ARRANGEMENT.places["y"] == (2, 1)
    assert [ARRANGEMENT.page_of(shred) for shred in ("a", "b", "x", "z")] == [0, 1, None, None]


def test_joins_are_within_pages():
    names = (*ARRANGEMENT.order, "z")
    has = [(left, right) for left in names for right in names if ARRANGEMENT.has_join(left, right)]
    assert sorted(has) == sorted(ARRANGEMENT.joins()) == [("b", "d"), ("c", "a"), ("d", "e")]


def test_confirmed_joins_hold_groups_together_also_those_set_aside():
    assert ARRANGEMENT.group("d") == ("b", "d")
    assert ARRANGEMENT.group("e") == ("e",)
    assert ARRANGEMENT.group("y") == ("x", "y")
    with pytest.raises(ValueError, match="no shred z"):
        ARRANGEMENT.group("z")


def test_a_shred_stands_in_one_place_only():
    with pytest.raises(ValueError, match="twice: b"):
        Arrangement((("a", "b"),), ("b",))


def test_of_paper_with_two_faces_one_is_seen():
    arrangement = Arrangement((("a", "b"),), other_faces={"a": ("a2", False, 0, 1.0), "a2": ("a", False, 0, 1.0)})
    assert [arrangement.seen(shred) for shred in ("a", "a2", "b", "nowhere")] == ["a", "a", "b", "nowhere"]
