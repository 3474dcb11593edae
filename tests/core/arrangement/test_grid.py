import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.grid import page_or_row, pieces_below, place_of_row, rows_beside, stands_below, whole_page


def test_the_rows_of_a_page_of_pieces_are_one_sheet_of_paper():
    rows = Arrangement(
        (("a", "b"), ("c",), ("d", "e"), ("f",)), grid_places={"a": (0, 0, 0), "c": (1, 0, 0), "d": (0, 1, 3)}
    )
    assert [rows_beside(rows, page) for page in range(4)] == [[0, 2], [1], [0, 2], [3]]
    assert [whole_page(rows, page) for page in range(4)] == [("a", "b", "d", "e"), ("c",), ("a", "b", "d", "e"), ("f",)]
    assert [page_or_row(rows, page) for page in range(4)] == [
        "page 1, row 1",
        "page 2, row 1",
        "page 1, row 2",
        "page 3",
    ]


@pytest.mark.parametrize(("row", "place"), [(0, (2, 1, 7)), (1, (-2, 0, 0))])
def test_a_row_that_was_put_nowhere_is_a_page_by_itself(row, place):
    rows = Arrangement((("a", "b"), ("c",)), grid_places={"a": (2, 1, 7)})
    assert place_of_row(rows, row) == place


def test_what_stands_in_the_row_below_is_told():
    rows = Arrangement((("a", "b"), ("c", "d"), ("e",)), grid_places={"a": (0, 0, 0), "c": (0, 1, 0), "e": (0, 2, 0)})
    assert stands_below(rows, "a", "d")
    assert not stands_below(rows, "a", "e")
    assert not stands_below(rows, "c", "a")
    assert not stands_below(rows, "a", "x")
    assert not stands_below(Arrangement((("a",), ("b",))), "a", "b"), "they are pages by themselves"


def test_below_a_piece_stands_the_one_that_it_lies_over_most():
    places = {"a": (0, 0, 30), "d": (0, 1, 0), "g": (0, 1, 250)}
    rows = Arrangement((("a", "b", "c"), ("d", "e"), ("g",)), grid_places=places)
    assert pieces_below(rows, 0, lambda piece: 100) == {"a": "d", "b": "e", "c": "g"}
    assert pieces_below(rows, 1, lambda piece: 100) == {}
    assert pieces_below(rows, 0, lambda piece: 40) == {"a": "e"}, "under the others there is next to nothing"
