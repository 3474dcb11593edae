from core.arrangement.arrangement import PAGE_MARKS, Arrangement
from core.arrangement.placing import carried_marks, in_order_before

BEFORE = Arrangement(
    pages=(("a", "b", "c"), ("d", "e", "f")), page_names={"a": "one", "d": "two"}, page_documents={"d": "file"}
)


def test_where_nothing_was_said_nothing_is_carried():
    assert carried_marks(Arrangement(pages=(("a",),)), [("a",)]) == {name: {} for name in PAGE_MARKS}


def test_marks_stand_under_the_first_shreds_of_the_pages_that_go_on():
    marks = carried_marks(BEFORE, [("e", "f", "a"), ("c", "b", "d")])
    assert marks["page_names"] == {"c": "one", "e": "two"}
    assert marks["page_documents"] == {"e": "file"}


def test_of_two_that_become_one_the_left_one_goes_on():
    marks = carried_marks(BEFORE, [("d", "e", "f", "a", "b", "c")])
    assert marks["page_names"] == {"d": "one"}
    assert marks["page_documents"] == {"d": "file"}


def test_pages_of_which_nothing_is_left_are_gone():
    assert carried_marks(BEFORE, [("a", "b", "c")])["page_names"] == {"a": "one"}


def test_rows_below_one_that_is_gone_move_up():
    rows = Arrangement((("a", "b"), ("c",), ("d",)), grid_places={"a": (0, 0, 3), "c": (0, 1, 0), "d": (0, 2, 5)})
    assert carried_marks(rows, [("a", "b", "c"), ("d",)])["grid_places"] == {"a": (0, 0, 3), "d": (0, 1, 5)}


def test_pages_found_again_stand_where_most_of_their_shreds_stood():
    page_before = {"a": 0, "b": 0, "c": 1, "d": 1, "e": 2}
    pages = [("c", "d", "a"), ("e", "x"), ("y",), ("b",)]
    assert in_order_before(page_before, pages) == (("b",), ("c", "d", "a"), ("e", "x"), ("y",))
