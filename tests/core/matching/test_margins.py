import numpy as np
import pytest

from core.matching.costs import Costs
from core.matching.margins import NEAR_PX, ROWS, add_margins
from core.options import SolverOptions
from core.solver.solver import solve


@pytest.fixture
def costs():
    """Price a blank shred, a text and its end, which blank paper fits on either side."""
    cost = np.array([[np.inf, 5, 90], [90, np.inf, 2], [5, 90, np.inf]], np.float32)
    return Costs(cost, np.zeros((3, 3), np.int16), np.full(3, 5, np.float32), np.full(3, 5, np.float32), 2.0)


def borders(rows_of_ink, column):
    ink = np.zeros((len(rows_of_ink), 1000, 32), np.bool_)
    for border, rows in zip(ink, rows_of_ink, strict=True):
        border[:rows, column] = True
    return ink


def test_each_row_of_ink_at_the_cut_makes_an_end_dearer(costs):
    dearer = add_margins(costs, borders([0, 0, 500], 31), borders([0, 250, 0], 0))
    np.testing.assert_allclose(dearer.to_blank, [5, 5, 5 + 2.0 * 500 / ROWS])
    np.testing.assert_allclose(dearer.from_blank, [5, 5 + 2.0 * 250 / ROWS, 5])
    assert (dearer.cost is costs.cost, dearer.temperature) == (True, costs.temperature)


def test_ink_farther_inside_changes_nothing(costs):
    dearer = add_margins(costs, borders([900] * 3, 31 - NEAR_PX), borders([900] * 3, NEAR_PX))
    np.testing.assert_array_equal(dearer.to_blank, costs.to_blank)
    np.testing.assert_array_equal(dearer.from_blank, costs.from_blank)


def test_the_blank_shred_goes_where_the_text_begins_at_the_cut(costs):
    at_the_left = add_margins(costs, borders([0, 0, 0], 31), borders([0, 700, 0], 0))
    at_the_right = add_margins(costs, borders([0, 0, 700], 31), borders([0, 0, 0], 0))
    options = SolverOptions(n_pages=1)
    assert list(map(list, solve(at_the_left, options).pages)) == [[0, 1, 2]]
    assert list(map(list, solve(at_the_right, options).pages)) == [[1, 2, 0]]
