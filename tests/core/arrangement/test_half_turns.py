from dataclasses import replace

import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.edits import HalfTurn
from core.arrangement.half_turns import shifts_standing, standing_as

BEFORE = Arrangement((("a", "b", "c"), ("d",)), ("e",), {"b": 3, "c": -1}, half_turned=frozenset("b"))


def test_a_page_that_is_turned_runs_from_the_other_end_at_the_same_heights():
    after = standing_as(BEFORE, "ac")
    assert (after.pages, after.half_turned) == ((("c", "b", "a"), ("d",)), frozenset("ac"))
    assert {shred: after.shift_px[shred] for shred in "ba"} == {"b": -1, "a": 3}
    assert standing_as(after, "b").pages == BEFORE.pages
    assert standing_as(BEFORE, "b") is BEFORE


def test_it_is_what_turning_what_is_confirmed_by_hand_makes_of_it():
    said = replace(BEFORE, confirmed=frozenset({("a", "b"), ("b", "c")}))
    by_hand, _ = HalfTurn(("a",)).apply(said)
    after = standing_as(said, "ac")
    assert (after.pages, after.confirmed) == (by_hand.pages, by_hand.confirmed)
    assert after.offsets_px(0) == by_hand.offsets_px(0)


@pytest.mark.parametrize("name", ["confirmed", "forbidden", "held", "parted", "freed"])
def test_what_was_said_of_two_that_are_turned_is_said_the_other_way_round(name):
    pairs = frozenset({("a", "c"), ("a", "d"), ("", "c"), ("d", "")})
    after = standing_as(replace(BEFORE, **{name: pairs}), "abc")
    assert getattr(after, name) == {("c", "a"), ("a", "d"), ("c", ""), ("d", "")}


def test_shifts_stay_with_their_joins():
    assert shifts_standing({("a", "b"): 2, ("b", "c"): 5}, {"a", "b"}) == {("b", "a"): 2, ("b", "c"): 5}
