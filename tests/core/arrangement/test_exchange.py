import random
from dataclasses import replace
from itertools import pairwise

import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.edit import InvalidEditError
from core.arrangement.exchange import Exchange, all_of, exchanges

BEFORE = Arrangement((("a", "b", "c"), ("d", "e", "f"), ("g", "h")), ("x",), {"c": 2, "f": 3, "h": 4})
AFTER = Arrangement((("a", "b", "f"), ("d", "e", "c"), ("g",), ("h",)), ("x",), {"c": 5, "f": 6})


def joins(arrangement):
    return set(arrangement.joins())


def random_arrangement(rng, shreds):
    shuffled, cuts = rng.sample(shreds, len(shreds)), sorted(rng.sample(range(1, len(shreds)), 3))
    return Arrangement(tuple(tuple(shuffled[a:b]) for a, b in pairwise((0, *cuts, len(shreds)))))


def test_joins_that_share_a_border_are_one_part_and_the_rest_stays():
    crossed, parted = exchanges(BEFORE, AFTER)
    assert crossed == Exchange((("b", "f"), ("e", "c")), (("b", "c"), ("e", "f")), {"c": 2, "f": 3})
    assert parted == Exchange((), (("g", "h"),), {"h": 4})
    back, _ = crossed.apply(AFTER)
    assert back.pages == (("a", "b", "c"), ("d", "e", "f"), ("g",), ("h",))
    assert (back.shift_px["c"], back.shift_px["f"]) == (2, 3)
    assert crossed.is_done(back)
    assert not parted.is_done(back)
    again, _ = crossed.back_to(AFTER).apply(back)
    assert again == replace(AFTER, shift_px=again.shift_px)
    assert (again.shift_px["c"], again.shift_px["f"]) == (5, 6)


def test_equal_joins_leave_nothing_to_refuse():
    assert exchanges(BEFORE, replace(BEFORE, pages=BEFORE.pages[::-1])) == ()


def test_each_part_can_be_refused_by_itself_and_all_together_lead_back():
    rng, n_parts = random.Random(0), 0
    shreds = [f"{number:02}" for number in range(14)]
    for _ in range(300):
        before, after = random_arrangement(rng, shreds), random_arrangement(rng, shreds)
        parts = exchanges(before, after)
        n_parts += len(parts)
        for part in parts:
            refused, inverse = part.apply(after)
            assert joins(refused) == joins(after) - set(part.undone) | set(part.made)
            assert inverse.apply(refused)[0] == after
        assert joins(all_of(parts).apply(after)[0]) == joins(before)
    assert n_parts > 600, "many of several parts"


def test_a_shred_that_was_turned_over_keeps_its_joins_together_and_is_turned_back():
    before = Arrangement((("a", "b", "c"), ("d", "e")))
    after = Arrangement((("c", "b", "a"), ("d",), ("e",)), half_turned=frozenset("abc"))
    over, parted = exchanges(before, after)
    assert over.half_turned == ("a", "b", "c")
    assert parted.made == (("d", "e"),)
    back, _ = over.apply(after)
    assert (back.pages[0], back.half_turned, back.turned_by_hand) == (("a", "b", "c"), frozenset(), frozenset("abc"))


def test_a_shred_that_was_aside_comes_on_the_page_it_is_joined_to():
    placed, _ = Exchange((("b", "c"),), (("b", "x"), ("x", "c"))).apply(BEFORE)
    assert (placed.pages[0], placed.set_aside) == (("a", "b", "x", "c"), ())


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        (Exchange((("a", "c"),), ()), "no neighbours any more"),
        (Exchange((), (("a", "z"),)), "no shred z"),
        (Exchange((), (("a", "c"),)), "another neighbour"),
        (Exchange((), (("c", "a"),)), "no margin"),
        (Exchange((("a", "b"),), ()), "confirmed"),
    ],
)
def test_what_cannot_stand_in_rows_is_refused(part, reason):
    with pytest.raises(InvalidEditError, match=reason):
        part.apply(replace(BEFORE, confirmed=frozenset({("a", "b")})))
