import random
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.edit import Restore
from core.arrangement.edits import (
    FreeJoin,
    FreeMargin,
    HalfTurn,
    InvalidEditError,
    MergePages,
    MoveShreds,
    Replace,
    SetAside,
    SetJoin,
    SetMargin,
    ShiftJoin,
    ShiftShreds,
    SplitPage,
    Together,
    TurnPage,
    TurnShred,
    WriteNote,
)
from core.arrangement.page_edits import GroupPages, MovePages, NamePage, SetPageState

PLAIN = Arrangement(
    pages=(("a", "b", "c", "d"), ("e", "f", "g")),
    set_aside=("x", "y"),
    shift_px={"b": 1, "c": 2, "d": 4, "f": 8, "g": 0},
)
GROUPED = Arrangement(PLAIN.pages, PLAIN.set_aside, PLAIN.shift_px, frozenset({("b", "c"), ("f", "g")}))


def after(edit, arrangement=PLAIN, shift_of=lambda left, right: None):
    return edit.apply(arrangement, shift_of)[0]


def random_edit(rng: random.Random, arrangement: Arrangement):
    shreds = [shred for row in (*arrangement.pages, arrangement.set_aside) for shred in row]
    some = tuple(rng.sample(shreds, rng.randint(1, 3)))
    page = rng.randint(0, len(arrangement.pages))
    length = len(arrangement.pages[page]) if page < len(arrangement.pages) else 0
    return rng.choice(
        [
            MoveShreds(some, page, rng.randint(0, length), break_joins=rng.random() < 0.3),
            MoveShreds(some, page, new_page=True),
            SetAside(some, break_joins=rng.random() < 0.3),
            SplitPage(some[0]),
            MergePages(page),
            ShiftShreds(some, rng.randint(-3, 3)),
            ShiftJoin(some[0], some[-1], rng.randint(-3, 3)),
            HalfTurn(some),
            TurnShred(some[0], rng.choice([0.0, 0.3, -1.5])),
            TurnPage(page, rng.randint(-1, 4)),
            SetJoin(some[0], some[-1], rng.choice(["suggested", "confirmed", "forbidden"])),
            SetMargin(some[0], rng.choice(["left", "right"])),
            MovePages((rng.randrange(len(arrangement.pages) or 1),), page),
            NamePage(page, rng.choice(["", "letter", "form"])),
            GroupPages((0, page), rng.choice(["", "file"])),
            SetPageState((page,), rng.choice(["new", "reviewed", "done"])),
            SetJoin(*rng.choice(arrangement.joins() or [("a", "b")]), "confirmed"),
        ]
    )


@pytest.mark.parametrize("seed", range(20))
def test_hundreds_of_edits_are_taken_back_exactly(seed):
    rng = random.Random(seed)
    shifts = {}
    states, inverses = [PLAIN], []
    while len(inverses) < 300:
        try:
            new, inverse = random_edit(rng, states[-1]).apply(
                states[-1], lambda left, right: shifts.setdefault((left, right), rng.choice([None, -5, 0, 7]))
            )
        except InvalidEditError:
            continue
        assert {s for row in (*new.pages, new.set_aside) for s in row} == set("abcdefgxy")
        assert all(new.pages), "no page is empty"
        states.append(new)
        inverses.append(inverse)
    for before, now, inverse in zip(reversed(states[:-1]), reversed(states), reversed(inverses), strict=False):
        undone, redo = inverse.apply(now)
        assert undone == before
        assert inverse.inverse(now) == redo == Restore.between(before, now)
        assert redo.apply(undone)[0] == now
    whole = Restore({})
    for inverse in reversed(inverses):
        whole = whole.then(inverse)
    assert whole.apply(states[-1])[0] == PLAIN


@pytest.mark.parametrize("seed", range(10))
def test_confirmed_neighbours_stay_neighbours_whatever_is_done_to_them(seed):
    rng = random.Random(seed)
    now = GROUPED
    kinds = (MoveShreds, SetAside, SplitPage, MergePages, ShiftShreds, HalfTurn)
    for _ in range(300):
        edit = random_edit(rng, now)
        if not isinstance(edit, kinds) or getattr(edit, "break_joins", False):
            continue
        try:
            now = after(edit, now)
        except InvalidEditError:
            continue
        rows = [*now.pages, now.set_aside]
        assert len(now.confirmed) == 2
        assert all(any((left, right) in pairwise(row) for row in rows) for left, right in now.confirmed)


def test_shreds_move_in_front_of_the_one_at_the_position():
    assert after(MoveShreds(("d",), 0, 1)).pages[0] == ("a", "d", "b", "c")
    assert after(MoveShreds(("a",), 0, 4)).pages[0] == ("b", "c", "d", "a")
    assert after(MoveShreds(("b", "f"), 1, 2)).pages == (("a", "c", "d"), ("e", "b", "f", "g"))
    assert after(MoveShreds(("a",), 2)).pages == (("b", "c", "d"), ("e", "f", "g"), ("a",))
    assert after(MoveShreds(("a",), 1, new_page=True)).pages == (("b", "c", "d"), ("a",), ("e", "f", "g"))


def test_a_page_without_shreds_vanishes():
    assert after(MoveShreds(("e", "f", "g"), 0, 0)).pages == (("e", "f", "g", "a", "b", "c", "d"),)


def test_a_shred_that_stays_where_it_is_changes_nothing():
    assert after(MoveShreds(("b",), 0, 1)) == after(MoveShreds(("b",), 0, 2)) == PLAIN


def test_new_neighbours_take_the_shift_of_the_costs_and_old_ones_keep_theirs():
    costs = {("a", "c"): -7, ("e", "b"): 30, ("b", "f"): -40}
    moved = after(MoveShreds(("b",), 1, 1), PLAIN, lambda left, right: costs.get((left, right)))
    assert moved.pages == (("a", "c", "d"), ("e", "b", "f", "g"))
    assert moved.shift_px == {"c": -7, "d": 4, "b": 30, "f": -40, "g": 0}


def test_beside_a_blank_shred_the_height_follows_from_the_neighbour_beyond():
    costs = {("a", "b"): 5}
    moved = after(MoveShreds(("x",), 0, 1), PLAIN, lambda left, right: costs.get((left, right)))
    assert moved.pages[0] == ("a", "x", "b", "c", "d")
    assert moved.offsets_px(0) == {"a": 0, "x": 0, "b": 5, "c": 7, "d": 11}


def test_what_is_confirmed_moves_as_one():
    assert after(MoveShreds(("c",), 1, 0), GROUPED).pages == (("a", "d"), ("b", "c", "e", "f", "g"))
    assert after(SetAside(("f",)), GROUPED).set_aside == ("x", "y", "f", "g")
    with pytest.raises(InvalidEditError, match="b and c are confirmed neighbours: nothing can stand between"):
        after(MoveShreds(("a",), 0, 2), GROUPED)
    with pytest.raises(InvalidEditError, match="no page can begin between them"):
        after(SplitPage("c"), GROUPED)


def test_confirmations_can_be_broken_on_purpose():
    moved = after(MoveShreds(("c",), 1, 2, break_joins=True), GROUPED)
    assert moved.pages == (("a", "b", "d"), ("e", "f", "c", "g"))
    assert moved.confirmed == frozenset()
    assert after(SetAside(("b",), break_joins=True), GROUPED).confirmed == {("f", "g")}


def test_pages_are_split_and_merged():
    split = after(SplitPage("c"))
    assert split.pages == (("a", "b"), ("c", "d"), ("e", "f", "g"))
    assert split.shift_px == {"b": 1, "d": 4, "f": 8, "g": 0}
    merged = after(MergePages(0), split, lambda left, right: 2)
    assert merged == PLAIN
    with pytest.raises(InvalidEditError, match="no page after page 2"):
        after(MergePages(1))


def test_only_the_shreds_named_move_up_or_down():
    before, moved = PLAIN, after(ShiftShreds(("b", "c"), 3))
    for shred, by_px in {"a": 0, "b": 3, "c": 3, "d": 0}.items():
        assert moved.offsets_px(0)[shred] == before.offsets_px(0)[shred] + by_px
    first = after(ShiftShreds(("a",), 3)).offsets_px(0)
    assert first == {"a": 0, "b": -2, "c": 0, "d": 4}
    assert after(ShiftJoin("a", "b", 10)).offsets_px(0) == {"a": 0, "b": 10, "c": 12, "d": 16}
    with pytest.raises(InvalidEditError, match="no neighbours"):
        after(ShiftJoin("a", "c", 10))
    with pytest.raises(InvalidEditError, match="set aside"):
        after(ShiftShreds(("x",), 1))


def test_nudges_become_one():
    assert ShiftShreds(("b",), 2).goes_on_in(ShiftShreds(("b",), -5))
    assert not ShiftShreds(("b",), 2).goes_on_in(ShiftShreds(("c",), 1))
    assert TurnShred("b", 0.1).goes_on_in(TurnShred("b", 0.2))
    assert not TurnShred("b", 0.1).goes_on_in(TurnShred("c", 0.2))
    assert ShiftJoin("a", "b", 1).goes_on_in(ShiftJoin("a", "b", 9))
    assert not ShiftJoin("a", "b", 1).goes_on_in(ShiftJoin("b", "c", 9))
    turns = [Together((TurnShred("a", angle), TurnShred("b", angle + 1))) for angle in (0.1, 0.2)]
    assert turns[0].goes_on_in(turns[1])
    assert not turns[0].goes_on_in(Together((TurnShred("b", 1), TurnShred("a", 1))))
    assert not turns[0].goes_on_in(TurnShred("a", 1))
    assert not MoveShreds(("b",), 0, 0).goes_on_in(MoveShreds(("b",), 0, 2))


def test_a_confirmed_group_turns_about_its_middle():
    group = Arrangement(
        (("p", "a", "b", "c", "q"),), (), {"a": 9, "b": 1, "c": 2, "q": 5}, frozenset({("a", "b"), ("b", "c")})
    )
    turned = after(HalfTurn(("b",)), group)
    assert turned.pages == (("p", "c", "b", "a", "q"),)
    assert turned.confirmed == {("c", "b"), ("b", "a")}
    assert turned.half_turned == {"a", "b", "c"}
    was, now = group.offsets_px(0), turned.offsets_px(0)
    assert [now[s] for s in "abc"] == [was["a"] + was["c"] - was[s] for s in "abc"]
    assert now["q"] == was["q"]
    again = after(HalfTurn(("a",)), turned)
    assert again == replace(group, turned_by_hand=frozenset("abc"))


def test_single_shreds_turn_where_they_stand():
    turned = after(HalfTurn(("b", "x")))
    assert turned.half_turned == {"b", "x"}
    assert turned.pages == PLAIN.pages
    assert after(TurnShred("b", 0.4)).turned_deg == {"b": 0.4}
    assert after(TurnShred("b", 0.0), after(TurnShred("b", 0.4))) == PLAIN
    with pytest.raises(InvalidEditError, match="at most 10°"):
        after(TurnShred("b", np.nan))


def test_a_page_stays_turned_while_the_shred_that_was_its_first_is_on_it():
    turned = after(TurnPage(0, 1))
    assert turned.page_turns == {"a": 1}
    assert [turned.turned_by_hand_to(page) for page in (0, 1)] == [1, None]
    moved = after(MoveShreds(("x",), 0, 0), turned)
    assert moved.turned_by_hand_to(0) == 1
    assert after(TurnPage(0, -1), moved).page_turns == {"x": 3}
    assert after(TurnPage(0, 4), turned).page_turns == {"a": 0}, "so turned by hand, whatever print says"
    with pytest.raises(InvalidEditError, match="no page 3"):
        after(TurnPage(2, 1))


def test_joins_are_confirmed_forbidden_and_taken_back():
    confirmed = after(SetJoin("a", "b", "confirmed"))
    assert confirmed.state("a", "b") == "confirmed"
    forbidden = after(SetJoin("a", "b", "forbidden"), confirmed)
    assert (forbidden.confirmed, forbidden.forbidden) == (frozenset(), {("a", "b")})
    assert forbidden.state("a", "b") == "forbidden"
    assert after(SetJoin("a", "b", "suggested"), forbidden) == PLAIN


@pytest.mark.parametrize(
    ("pair", "why"),
    [
        (("b", "d"), "b has a confirmed right neighbour, c"),
        (("a", "c"), "c has a confirmed left neighbour, b"),
        (("c", "b"), "lead from b to c already"),
        (("a", "a"), "its own neighbour"),
        (("a", "z"), "no shred z"),
    ],
)
def test_contradicting_confirmations_are_refused(pair, why):
    with pytest.raises(InvalidEditError, match=why):
        after(SetJoin(*pair, "confirmed"), GROUPED)


def test_another_arrangement_of_the_same_shreds_is_put_in_place():
    new = Arrangement((("a", "c", "b", "d", "e", "f", "g"),), ("y", "x"))
    got, inverse = Replace(new).apply(PLAIN)
    assert got is new
    assert inverse.apply(got)[0] == PLAIN
    with pytest.raises(InvalidEditError, match="other shreds"):
        after(Replace(Arrangement((("a",),))))


def test_several_edits_are_one_step():
    both = Together((MoveShreds(("e",), 0, 1), SetJoin("a", "e", "confirmed")))
    got, inverse = both.apply(PLAIN)
    assert got.pages[0][:2] == ("a", "e")
    assert got.confirmed == {("a", "e")}
    assert inverse.apply(got)[0] == PLAIN


@pytest.mark.parametrize(
    "edit",
    [
        MoveShreds(("a",), 3),
        MoveShreds(("a",), 0, 9),
        MoveShreds((), 0),
        SplitPage("x"),
        SetAside(("z",)),
        MergePages(-1),
    ],
)
def test_what_is_not_there_is_refused(edit):
    with pytest.raises(InvalidEditError):
        after(edit)


def test_a_margin_that_was_said_is_taken_back():
    said = after(SetMargin("b", "right"), after(SetMargin("b", "left"), PLAIN))
    freed, inverse = FreeMargin("b", "right").apply(said)
    assert freed.held == {("", "b")}
    assert inverse.apply(freed)[0] == said
    assert FreeMargin("c", "left").apply(said)[0] == said


def test_a_margin_is_said_of_one_side_and_a_confirmed_join_stands_against_it():
    ended, inverse = SetMargin("b", "right").apply(PLAIN)
    assert ended.pages == PLAIN.pages
    assert ("b", "") in ended.held
    assert inverse.apply(ended)[0] == PLAIN
    begun, _ = SetMargin("b", "left").apply(ended)
    assert {("b", ""), ("", "b")} <= begun.held
    with pytest.raises(InvalidEditError, match="confirmed right neighbour"):
        SetMargin("b", "right").apply(GROUPED)


def test_notes_are_written_and_taken_away():
    noted = after(WriteNote("a|b", "a staple hole"), after(WriteNote("", "wet"), after(WriteNote("x", "torn"))))
    assert noted.notes == {"x": "torn", "": "wet", "a|b": "a staple hole"}
    assert after(WriteNote("x", "worn"), noted).notes["x"] == "worn"
    gone, inverse = WriteNote("a|b", "").apply(noted)
    assert gone.notes == {"x": "torn", "": "wet"}
    assert inverse.apply(gone)[0] == noted


@pytest.mark.parametrize("about", ["q", "a|q", "a|b|c", "|"])
def test_a_note_is_about_what_is_there(about):
    with pytest.raises(InvalidEditError):
        after(WriteNote(about, "odd"))


def test_a_join_made_by_hand_is_released_once_the_order_was_found_with_it():
    held = replace(PLAIN, held=frozenset({("a", "b")}))
    assert after(FreeJoin("a", "b"), held).held == frozenset()
    assert after(FreeJoin("b", "c"), held).held == held.held
    with pytest.raises(InvalidEditError, match="no neighbours"):
        FreeJoin("a", "c").apply(held)


def test_a_join_made_by_moving_is_released_at_once_until_it_is_parted():
    freed, inverse = FreeJoin("a", "b").apply(PLAIN)
    assert freed.freed == {("a", "b")}
    assert inverse.apply(freed)[0] == PLAIN
    assert after(MoveShreds(("b",), 0, 3), freed).freed == frozenset()
