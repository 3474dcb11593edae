from math import log

import numpy as np
import pytest

from core.matching.costs import Costs
from core.matching.layout import (
    ALIKE_BY_RIGHT,
    INDEPENDENT_ROWS,
    NEAR_PX,
    ROWS,
    add_margins,
    ink_by_row,
    line_costs,
    profiles,
    rows_near_cuts,
)
from core.options import SolverOptions
from core.solver.solver import solve


def page(pitch_px, first_px, height_px=1200, x_height_px=16):
    """Draw a border that bears lines of print at even distances."""
    border = np.zeros((height_px, 32), dtype=np.bool_)
    for top in range(first_px, height_px - 80, pitch_px):
        border[top : top + x_height_px, 4:12] = True
    return border


def lines_of(right, left, max_shift_rows=6):
    return line_costs(profiles(ink_by_row(right)), profiles(ink_by_row(left)), max_shift_rows)


@pytest.fixture
def two_pages():
    """Give right and left borders of four shreds: two of a page with wide lines, two of one with narrow lines."""
    wide, narrow = page(62, 100), page(47, 130)
    return np.stack([wide, wide, narrow, narrow]), np.stack([wide, wide, narrow, narrow])


def test_shreds_of_one_page_gain_and_others_do_not(two_pages):
    cost = lines_of(*two_pages)
    assert cost.shape == (4, 4)
    assert cost[0, 1] == pytest.approx(log(ALIKE_BY_RIGHT), abs=1e-3)
    assert cost[2, 3] == pytest.approx(log(ALIKE_BY_RIGHT), abs=1e-3)
    assert (cost[:2, 2:] > -2).all()
    assert (cost[2:, :2] > -2).all()


def test_the_gain_is_the_bounded_likelihood_ratio():
    rng = np.random.default_rng(3)
    right, left = (np.repeat(rng.random((2, 1200, 1)) < share, 32, axis=2) for share in (0.3, 0.4))
    left[1, :900] = right[0, :900]
    cost = lines_of(right, left, max_shift_rows=0)
    by_row = [np.minimum(32 * ink[:, :, 0], 12.0) for ink in (right, left)]
    offsets = np.arange(-12, 13)
    kernel = np.exp(-0.5 * (offsets / 3) ** 2)
    kernel /= kernel.sum()
    (r, _), (_, other) = (
        [np.convolve(np.pad(one, 12, mode="symmetric"), kernel, mode="valid")[::4] for one in both] for both in by_row
    )
    rho = np.corrcoef(r, other)[0, 1]
    assert 0.3 < rho < 0.9
    expected = log(ALIKE_BY_RIGHT + (1 - ALIKE_BY_RIGHT) * (1 - rho**2) ** (INDEPENDENT_ROWS / 2))
    assert cost[0, 1] == pytest.approx(expected, rel=0.03)  # specks and rounding


def test_lines_are_found_at_other_heights(two_pages):
    right, left = two_pages
    lower = np.roll(left, 12, axis=1)
    assert lines_of(right, lower, max_shift_rows=3)[0, 1] == pytest.approx(log(ALIKE_BY_RIGHT), abs=1e-3)
    assert lines_of(right, lower, max_shift_rows=0)[0, 1] > -1


def test_borders_without_print_have_no_say(two_pages):
    right, left = (borders.copy() for borders in two_pages)
    right[0] = left[1] = False
    right[0, 300:302, 5] = True  # a speck
    cost = lines_of(right, left)
    assert np.abs(cost[0]).max() < 0.01
    assert (cost[:, 1] == 0).all()


def test_one_shred_and_a_shift_larger_than_the_border():
    borders = page(62, 10, height_px=100)[None]
    assert lines_of(borders, borders, max_shift_rows=50)[0, 0] < -1


def test_borders_of_different_shapes_are_refused(two_pages):
    right, left = two_pages
    with pytest.raises(ValueError, match=r"shapes \(p, rows\) and \(q, rows\)"):
        lines_of(right, left[:, :400])


def test_what_lines_say_is_added_in_the_unit_of_the_costs():
    n = 3
    costs = Costs.of_all(
        np.full((n, n), 7, np.float32), np.zeros((n, n), np.int16), np.ones(n, np.float32), np.ones(n, np.float32), 2.0
    )
    says = np.full(n * (n - 1), -1.5, np.float32)
    added = costs.plus("lines", says)
    np.testing.assert_array_equal(added.lines, np.full(6, -3))
    np.testing.assert_array_equal(added.cost, np.full(6, 4))
    np.testing.assert_array_equal(added.to_blank, costs.to_blank)
    assert added.temperature == 2.0
    np.testing.assert_array_equal(added.of([2, 0]).lines, np.full(2, -3))


@pytest.fixture
def costs():
    """Price a blank shred, a text and its end, which blank paper fits on either side."""
    cost = np.array([[np.inf, 5, 90], [90, np.inf, 2], [5, 90, np.inf]], np.float32)
    return Costs.of_all(cost, np.zeros((3, 3), np.int16), np.full(3, 5, np.float32), np.full(3, 5, np.float32), 2.0)


def borders(rows_of_ink, column):
    ink = np.zeros((len(rows_of_ink), 1000, 32), np.bool_)
    for border, rows in zip(ink, rows_of_ink, strict=True):
        border[:rows, column] = True
    return ink


def test_each_row_of_ink_at_the_cut_makes_an_end_dearer(costs):
    dearer = add_margins(costs, *rows_near_cuts(borders([0, 0, 500], 31), borders([0, 250, 0], 0)))
    np.testing.assert_allclose(dearer.to_blank, [5, 5, 5 + 2.0 * 500 / ROWS])
    np.testing.assert_allclose(dearer.from_blank, [5, 5 + 2.0 * 250 / ROWS, 5])
    assert (dearer.cost is costs.cost, dearer.temperature) == (True, costs.temperature)


def test_ink_farther_inside_changes_nothing(costs):
    dearer = add_margins(costs, *rows_near_cuts(borders([900] * 3, 31 - NEAR_PX), borders([900] * 3, NEAR_PX)))
    np.testing.assert_array_equal(dearer.to_blank, costs.to_blank)
    np.testing.assert_array_equal(dearer.from_blank, costs.from_blank)


def test_the_blank_shred_goes_where_the_text_begins_at_the_cut(costs):
    at_the_left = add_margins(costs, *rows_near_cuts(borders([0, 0, 0], 31), borders([0, 700, 0], 0)))
    at_the_right = add_margins(costs, *rows_near_cuts(borders([0, 0, 700], 31), borders([0, 0, 0], 0)))
    options = SolverOptions(n_pages=1)
    assert list(map(list, solve(at_the_left, options).pages)) == [[0, 1, 2]]
    assert list(map(list, solve(at_the_right, options).pages)) == [[1, 2, 0]]
