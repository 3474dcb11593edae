import numpy as np
import pytest

from core.faces.posed import Posed
from core.grid.margins import MOST, MOST_AT_END, Margins, end_costs, margin_costs
from core.grid.standing import Standing
from core.matching.costs import Costs
from tests.core.grid.drawn_grid import as_piece

WIDTH, HEIGHT = 60, 120


def rows_of(*spans, odds=0.0):
    """Rows of three pieces each, with a line of print from one column to another; None for a blank row."""
    shreds, runs = {}, []
    for number, span in enumerate(spans):
        paper = np.full((HEIGHT, 3 * WIDTH, 3), 255, np.uint8)
        if span is not None:
            paper[40:60, span[0] : span[1]] = 10
        for column in range(3):
            name = f"{number}-{column}"
            shreds[name] = as_piece(name, paper[:, column * WIDTH : (column + 1) * WIDTH])
        runs.append(tuple(range(3 * number, 3 * number + 3)))
    n = len(shreds)
    cost, blank = np.ones((2 * n, 2 * n), np.float32), np.ones(2 * n, np.float32)
    upright = np.repeat(np.array([odds, -odds], np.float32), n)
    costs = Costs.of_all(cost, cost.astype(np.int16), blank, blank, 1.0, upright=upright)
    return runs, Margins(Standing(Posed.alone(shreds, costs), shreds))


def test_text_is_measured_from_both_ends_of_a_row():
    runs, margins = rows_of((12, 170), (70, 110), None)
    assert [tuple(margins.of_row(run)) for run in runs] == [(12, 10), (70, 70), (np.inf, np.inf)]


def test_half_turned_the_ends_change_places():
    (run,), margins = rows_of((12, 170))
    turned = tuple(pose + 3 for pose in run[::-1])
    assert tuple(margins.of_row(turned)) == (10, 12)


def test_rows_whose_text_begins_and_ends_alike_cost_nothing():
    runs, margins = rows_of((12, 170), (12, 170), (20, 178), (20, 170), (13, 170), None)
    costs = margin_costs(runs, margins)
    assert costs[0].tolist() == pytest.approx([0, 0, 2 * MOST, MOST, 1 / 8, 0])
    np.testing.assert_array_equal(costs, costs.T)


def test_a_row_begins_with_a_piece_whose_text_begins_where_it_does_elsewhere():
    (first, *runs), margins = rows_of((12, 170), (12, 170), (12, 170), (12, 170), odds=9.0)
    begins, ends = end_costs(runs, margins)
    n = margins.pieces.posed.n
    assert begins[first[0]] == ends[first[2]] == pytest.approx(0, abs=1e-3)
    assert begins[first[1]] == ends[first[1]] == pytest.approx(MOST_AT_END), "print goes through it"
    turned = first[2] + n
    assert begins[turned] == pytest.approx(0, abs=1e-3), "upside down its row ends there"
    assert begins[first[0] + n] == pytest.approx(MOST_AT_END)


def test_of_a_blank_piece_nothing_is_known():
    (first, *runs), margins = rows_of((70, 170), (12, 170), (12, 170), odds=9.0)
    begins, _ = end_costs(runs, margins)
    assert begins[first[0]] == 0
