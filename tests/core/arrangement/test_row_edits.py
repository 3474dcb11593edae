import pytest

from core.arrangement.arrangement import MARGIN, Arrangement
from core.arrangement.edit import InvalidEditError
from core.arrangement.edits import HalfTurn
from core.arrangement.faces import showing
from core.arrangement.half_turns import standing_as
from core.arrangement.row_edits import PlaceRow, SetBelow, turn_row

ROWS = Arrangement(
    pages=(("a", "b"), ("c", "d"), ("e", "f"), ("g",)),
    grid_places={"a": (0, 0, 0), "c": (0, 1, 10), "e": (1, 0, 0)},
)


def after(arrangement, *edits):
    for edit in edits:
        before, (arrangement, inverse) = arrangement, edit.apply(arrangement)
        assert inverse.apply(arrangement)[0] == before
    return arrangement


def places(arrangement):
    return {"".join(row): arrangement.grid_places.get(row[0]) for row in arrangement.pages}


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (PlaceRow(2, 0), {"ab": (0, 0, 0), "ef": (0, 1, 0), "cd": (0, 2, 10), "g": None}),
        (PlaceRow(2, 0, above=True, right_px=-7), {"ef": (0, 0, 0), "ab": (0, 1, 7), "cd": (0, 2, 17), "g": None}),
        (PlaceRow(0, 1), {"cd": (0, 0, 0), "ab": (0, 1, 0), "ef": (1, 0, 0), "g": None}),
        (PlaceRow(0, None), {"cd": (0, 0, 0), "ab": None, "ef": (1, 0, 0), "g": None}),
        (PlaceRow(2, 3, right_px=5), {"ab": (0, 0, 0), "cd": (0, 1, 10), "g": (1, 0, 0), "ef": (1, 1, 5)}),
        (PlaceRow(3, 1, right_px=2), {"ab": (0, 0, 0), "cd": (0, 1, 10), "g": (0, 2, 12), "ef": (1, 0, 0)}),
    ],
)
def test_a_row_is_put_beside_another_or_on_a_page_of_its_own(edit, expected):
    moved = after(ROWS, edit)
    assert places(moved) == expected
    assert list(places(moved)) == list(expected)


def test_of_a_row_in_two_parts_one_is_moved():
    parts = Arrangement((("a",), ("b",), ("c",)), grid_places={"a": (0, 0, 0), "b": (0, 0, 90), "c": (0, 1, 0)})
    assert places(after(parts, PlaceRow(1, 2))) == {"a": (0, 0, 0), "c": (0, 1, 0), "b": (0, 2, 0)}
    assert places(after(parts, PlaceRow(2, 1, above=True))) == {"c": (0, 0, 90), "a": (0, 1, 0), "b": (0, 1, 90)}


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (PlaceRow(4, 0), "no row 5"),
        (PlaceRow(0, 9), "no row 10"),
        (PlaceRow(1, 1), "below itself"),
        (SetBelow("a", "x", "confirmed"), "no shred x"),
        (SetBelow("a", "a", "forbidden"), "own neighbour"),
    ],
)
def test_what_is_not_there_is_refused(edit, reason):
    with pytest.raises(InvalidEditError, match=reason):
        edit.apply(ROWS)


def test_what_is_said_of_two_pieces_replaces_what_was_said_before():
    confirmed = after(ROWS, SetBelow("a", "c", "confirmed"))
    assert confirmed.state_below("a", "c") == "confirmed"
    assert confirmed.state("a", "c") == "suggested", "side by side they are something else"
    forbidden = after(confirmed, SetBelow("a", "c", "forbidden"))
    assert (forbidden.confirmed_below, forbidden.state_below("a", "c")) == (frozenset(), "forbidden")
    assert after(forbidden, SetBelow("a", "c", "suggested")) == ROWS


@pytest.mark.parametrize(
    ("pair", "reason"), [(("a", "d"), "c is confirmed to stand below a"), (("b", "c"), "above c"), (("e", "a"), "too")]
)
def test_a_confirmation_that_contradicts_another_is_refused(pair, reason):
    said = after(ROWS, SetBelow("a", "c", "confirmed"), SetBelow("c", "e", "confirmed"))
    with pytest.raises(InvalidEditError, match=reason):
        SetBelow(*pair, "confirmed").apply(said)


def test_no_row_parts_what_is_confirmed():
    said = after(ROWS, SetBelow("a", "c", "confirmed"))
    for parting in (PlaceRow(2, 0), PlaceRow(0, None), PlaceRow(1, 2), PlaceRow(1, 0, right_px=9)):
        with pytest.raises(InvalidEditError, match="c is confirmed to stand directly below a"):
            parting.apply(said)
    assert places(after(said, PlaceRow(2, 1))) == {"ab": (0, 0, 0), "cd": (0, 1, 10), "ef": (0, 2, 10), "g": None}


def test_what_was_put_so_by_hand_holds_until_it_is_put_elsewhere():
    held = after(ROWS, PlaceRow(2, 1, held=(("c", "e"), ("e", MARGIN))))
    assert held.held_below == {("c", "e"), ("e", MARGIN)}
    assert after(held, PlaceRow(3, 1, held=(("d", "g"),))).held_below == {("d", "g"), ("e", MARGIN)}
    assert after(held, PlaceRow(2, None)).held_below == frozenset()
    assert after(held, SetBelow("c", "e", "suggested")).held_below == {("e", MARGIN)}


def test_pieces_that_are_half_turned_with_their_rows_change_places():
    said = after(ROWS, SetBelow("a", "c", "confirmed"), SetBelow("b", "d", "forbidden"))
    assert after(said, HalfTurn(("a", "c"))).confirmed_below == {("c", "a")}
    assert after(said, HalfTurn(("a",))).confirmed_below == {("a", "c")}
    turned = standing_as(said, "abcd")
    assert (turned.confirmed_below, turned.forbidden_below) == ({("c", "a")}, {("d", "b")})
    back = standing_as(turned, ())
    assert (back.confirmed_below, back.forbidden_below) == (said.confirmed_below, said.forbidden_below)


def test_pieces_that_are_turned_over_keep_their_height():
    faces = {"a": ("A", False, 0, 1.0), "A": ("a", False, 0, 1.0), "c": ("C", False, 0, 1.0), "C": ("c", False, 0, 1.0)}
    said = Arrangement((("a",), ("c",)), other_faces=faces, confirmed_below=frozenset({("a", "c")}))
    assert showing(said, "AC").confirmed_below == {("A", "C")}
    assert showing(showing(said, "AC"), "ac") == said


def test_a_row_is_turned_upside_down_where_it_stands():
    placed = after(ROWS, PlaceRow(1, 0, right_px=10, held=(("a", "c"),)))
    turned = after(placed, turn_row(placed, 1, lambda shred: 10))
    assert turned.pages == (("a", "b"), ("d", "c"), ("e", "f"), ("g",))
    assert turned.half_turned == turned.turned_by_hand == {"c", "d"}
    assert places(turned) == {"ab": (0, 0, 0), "dc": (0, 1, 10), "ef": (1, 0, 0), "g": None}
    assert turned.held_below == {("b", "d")}, "that one stands there now, and is to stay"
    alone = after(ROWS, turn_row(ROWS, 3, lambda shred: 10))
    assert alone.half_turned == {"g"}
    assert alone.pages == ROWS.pages


def test_joins_of_a_row_that_is_turned_stay_confirmed_and_what_is_confirmed_below_keeps_it():
    confirmed = Arrangement((("a", "b", "c"), ("d", "e")), confirmed=frozenset({("b", "c")}))
    turned = after(confirmed, turn_row(confirmed, 0, lambda shred: 10))
    assert turned.pages[0] == ("c", "b", "a")
    assert turned.confirmed == {("c", "b")}
    below = Arrangement(
        (("a", "b"), ("c", "d")),
        grid_places={"a": (0, 0, 0), "c": (0, 1, 0)},
        confirmed_below=frozenset({("a", "c")}),
    )
    with pytest.raises(InvalidEditError, match="c is confirmed to stand directly below a"):
        turn_row(below, 1, lambda shred: 10)
