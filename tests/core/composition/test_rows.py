"""Rows of pieces as whole pages."""

from dataclasses import replace

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.composition.backs import with_backs
from core.composition.pages import compose, poses_of
from core.composition.rows import by_rows, corners_px, grid_of, joins_of, numbers_in_rows, rows_of, with_whole_pages
from core.output.result import result

N = 5


@pytest.fixture
def case(small_case, make_shred):
    """A page of two rows, of which the lower begins further right, and one of a single row."""
    paper = np.ones((60, 40), np.bool_)
    shreds = tuple(replace(make_shred(f"1-{one:03d}", paper), cross_cut=True) for one in range(1, N + 1))
    arrangement = Arrangement(
        pages=(("1-001", "1-002"), ("1-003", "1-004"), ("1-005",)),
        grid_places={"1-001": (0, 0, 0), "1-003": (0, 1, 8), "1-005": (1, 0, 0)},
    )
    options = replace(small_case.options, composition=replace(small_case.options.composition, level=False))
    return replace(
        small_case, shreds=shreds, arrangement=arrangement, options=options, costs=None, joins=(), solved=None
    )


def test_rows_of_one_page_are_put_together(case):
    whole = with_whole_pages(case).arrangement
    assert whole.pages == (("1-001", "1-002", "1-003", "1-004"), ("1-005",))
    assert rows_of(whole, 0) == [("1-001", "1-002"), ("1-003", "1-004")]
    assert corners_px(whole, 0, [60, 60]) == [(0, 0), (8, 60)]
    assert by_rows(with_whole_pages(case), 0).arrangement.pages == case.arrangement.pages[:2]


def test_the_end_of_a_row_is_no_neighbour_of_the_next_one(case):
    assert joins_of(with_whole_pages(case).arrangement, 0) == [("1-001", "1-002"), ("1-003", "1-004")]
    assert joins_of(case.arrangement, 1) == [("1-003", "1-004")]


def test_rows_come_in_their_order_from_the_top(case):
    places = {"1-001": (0, 1, 0), "1-003": (0, 0, 8), "1-005": (1, 0, 0)}
    case = replace(case, arrangement=replace(case.arrangement, grid_places=places))
    assert rows_of(with_whole_pages(case).arrangement, 0) == [("1-003", "1-004"), ("1-001", "1-002")]


def test_parts_of_a_row_with_a_hole_between_lie_level(case):
    places = {"1-001": (0, 0, 0), "1-003": (0, 0, 120), "1-005": (0, 1, 0)}
    whole = with_whole_pages(replace(case, arrangement=replace(case.arrangement, grid_places=places))).arrangement
    assert corners_px(whole, 0, [60, 66, 60]) == [(0, 0), (120, 0), (0, 66)]
    assert grid_of(whole, 0) == [["1-001", "1-002", "1-003", "1-004"], ["1-005"]]
    assert numbers_in_rows(whole, 0)["1-004"] == (1, 4)
    assert numbers_in_rows(whole, 0)["1-005"] == (2, 1)


def test_a_page_of_one_row_needs_no_numbers_of_rows(case):
    assert numbers_in_rows(with_whole_pages(case).arrangement, 1) == {}


def test_where_each_page_is_one_row_nothing_changes(case):
    strips = replace(case, arrangement=replace(case.arrangement, grid_places={}))
    assert with_whole_pages(strips) is strips
    assert with_backs(strips) is strips


@pytest.mark.parametrize("rendition", ["evidence", "reading"])
def test_the_lower_row_lies_below_and_to_the_right(case, rendition):
    page = compose(with_backs(case), 0, rendition)
    left = {name: placement[0] for name, placement in page.placements.items()}
    top = {name: placement[1] for name, placement in page.placements.items()}
    assert left["1-003"] - left["1-001"] == pytest.approx(8, abs=2)
    assert top["1-003"] >= top["1-001"] + 58
    assert page.pixels.shape[0] >= 118
    poses = poses_of(with_backs(case), 0)
    assert poses["1-003"].y_px > poses["1-001"].y_px + 50


def test_programs_are_told_the_grid(case):
    told = result(case)
    assert told["grid"] == [[["1-001", "1-002"], ["1-003", "1-004"]], [["1-005"]]]
    assert told["pages"] == [["1-001", "1-002", "1-003", "1-004"], ["1-005"]]
    assert "grid" not in result(replace(case, shreds=tuple(replace(one, cross_cut=False) for one in case.shreds)))
