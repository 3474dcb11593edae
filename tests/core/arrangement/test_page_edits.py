from dataclasses import replace

import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.edits import HalfTurn, InvalidEditError, MergePages, MoveShreds, SetAside, ShiftShreds, SplitPage
from core.arrangement.page_edits import GroupPages, LevelPage, MovePages, NamePage, PinShreds, SetPageState

PLAIN = Arrangement(pages=(("a", "b", "c"), ("d", "e"), ("f", "g", "h")), shift_px={"b": 3, "e": 5}, set_aside=("x",))


def after(arrangement, *edits):
    for edit in edits:
        arrangement, _ = edit.apply(arrangement)
    return arrangement


def names(arrangement):
    return [arrangement.page_mark("page_names", page) for page in range(len(arrangement.pages))]


NAMED = after(PLAIN, NamePage(0, "one"), NamePage(1, "two"), NamePage(2, "three"))


@pytest.mark.parametrize(
    ("pages", "before", "order"),
    [((2,), 0, "fad"), ((0,), 3, "dfa"), ((0,), 2, "daf"), ((0, 2), 2, "daf"), ((2, 0), 0, "afd"), ((1,), 2, "adf")],
)
def test_pages_move_as_they_are(pages, before, order):
    moved = after(PLAIN, MovePages(pages, before))
    assert "".join(page[0] for page in moved.pages) == order
    assert {*moved.pages} == {*PLAIN.pages}
    assert moved.shift_px == PLAIN.shift_px
    assert moved.pages_ordered == (moved.pages != PLAIN.pages)


def test_shreds_are_pinned_to_the_page_on_which_they_stand():
    pinned, inverse = PinShreds(("b", "d")).apply(PLAIN)
    assert pinned.pinned == {"b", "d"}
    assert pinned.pages == PLAIN.pages
    assert inverse.apply(pinned)[0] == PLAIN
    assert after(pinned, PinShreds(("b",), pinned=False)).pinned == {"d"}
    assert after(pinned, MoveShreds(("b",), 1), SetAside(("d",))).pinned == {"b"}, "what is set aside is on no page"
    with pytest.raises(InvalidEditError, match="x stands on no page"):
        PinShreds(("a", "x")).apply(PLAIN)


def test_a_name_goes_with_its_page():
    assert names(NAMED) == ["one", "two", "three"]
    assert names(after(NAMED, MovePages((2,), 0))) == ["three", "one", "two"]
    assert names(after(NAMED, NamePage(1, ""))) == ["one", None, "three"]


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (MoveShreds(("a",), 1, 0), ["one", "two", "three"]),
        (MoveShreds(("d",), 0, 0), ["one", "two", "three"]),
        (MoveShreds(("d", "e"), 0, 0), ["one", "three"]),
        (MoveShreds(("a", "b"), 3), [None, "two", "three", "one"]),
        (SetAside(("a",)), ["one", "two", "three"]),
        (SetAside(("d", "e")), ["one", "three"]),
        (SplitPage("b"), [None, "one", "two", "three"]),
        (SplitPage("e"), ["one", "two", None, "three"]),
        (MergePages(0), ["one", "three"]),
        (HalfTurn(("a", "c")), ["one", "two", "three"]),
    ],
)
def test_a_name_stays_where_most_of_the_page_stays(edit, expected):
    assert names(after(NAMED, edit)) == expected
    done, back = edit.apply(NAMED)
    assert after(done, back) == NAMED


def test_a_name_stays_when_confirmed_neighbours_turn_and_another_shred_comes_first():
    confirmed = replace(NAMED, confirmed=frozenset({("a", "b"), ("b", "c")}))
    turned = after(confirmed, HalfTurn(("a",)))
    assert turned.pages[0] == ("c", "b", "a")
    assert turned.page_names == {"c": "one", "d": "two", "f": "three"}


def test_pages_are_grouped_into_documents():
    grouped = after(PLAIN, GroupPages((0, 2), "file"))
    assert grouped.page_documents == {"a": "file", "f": "file"}
    assert after(grouped, GroupPages((2,), "")).page_documents == {"a": "file"}


def test_a_page_that_was_done_says_when_it_has_been_changed():
    done = after(PLAIN, SetPageState((0, 1), "done"), SetPageState((2,), "reviewed"))
    assert [done.page_state(page) for page in range(3)] == [("done", False), ("done", False), ("reviewed", False)]
    moved = after(done, MoveShreds(("c",), 1, 0))
    assert [moved.page_state(page) for page in range(3)] == [("done", True), ("done", True), ("reviewed", False)]
    assert after(moved, MoveShreds(("c",), 0, 2)).page_state(0) == ("done", False), "as it was when that was said"
    nudged = after(done, ShiftShreds(("g",), 1))
    assert nudged.page_state(2) == ("reviewed", True)
    assert after(nudged, SetPageState((2,), "done")).page_state(2) == ("done", False)
    assert after(done, SetPageState((0,), "new")).page_states.keys() == {"d", "f"}
    assert after(done, MovePages((0,), 3)).page_state(2) == ("done", False), "the order of pages is no part of a page"


@pytest.mark.parametrize(
    "edit",
    [
        MovePages((3,), 0),
        MovePages((), 0),
        MovePages((0,), 4),
        NamePage(3, "x"),
        GroupPages((0, -1), "x"),
        SetPageState((0,), "lost"),
    ],
)
def test_what_is_not_there_is_refused(edit):
    with pytest.raises(InvalidEditError):
        edit.apply(PLAIN)


def test_a_page_is_levelled_and_the_angle_goes_with_most_of_its_shreds():
    levelled, back = LevelPage(0, -1.5).apply(PLAIN)
    assert levelled.page_mark("page_slopes", 0) == -1.5
    assert back.apply(levelled)[0] == PLAIN
    assert LevelPage(0, 0.0).apply(levelled)[0] == PLAIN
    with pytest.raises(InvalidEditError, match="by at most 15°"):
        LevelPage(0, 20.0).apply(PLAIN)


def test_a_page_that_is_levelled_after_it_was_done_has_changed_since():
    done = SetPageState((0,), "done").apply(PLAIN)[0]
    assert done.page_state(0) == ("done", False)
    levelled, back = LevelPage(0, 1.0).apply(done)
    assert levelled.page_state(0) == ("done", True)
    assert back.apply(levelled)[0].page_state(0) == ("done", False)
