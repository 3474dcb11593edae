"""Lines of print that go on from row to row."""

import numpy as np

from core.grid.lines import level_costs, line_costs, profile_of
from tests.core.grid.drawn_grid import as_piece


def _ruled(first_px: int, height: int = 210, leading_px: int = 40) -> np.ndarray:
    """Draw a row with lines of print at one distance."""
    pixels = np.full((height, 90, 3), 250, np.uint8)
    for top in range(first_px, height - 8, leading_px):
        pixels[top : top + 8, ::2] = 10
    return pixels


def test_the_row_in_which_lines_go_on_costs_least():
    firsts = [12, 2, 22, 32]  # the first row is 210 px high: its lines end at 172, and the next would begin at 2
    profiles = [profile_of([as_piece("1-1", _ruled(first))]) for first in firsts]
    costs = line_costs(profiles)
    assert costs[0].argmin() == 1
    assert costs[0, 1] < 0.5 < costs[0, 2]


def test_rows_without_lines_tell_nothing():
    noise = np.random.default_rng(1).normal(size=200)
    assert not line_costs([noise, noise[::-1]]).any()


def test_pieces_whose_lines_are_level_cost_nothing():
    pieces = [as_piece(f"1-{number}", _ruled(first)) for number, first in enumerate((12, 12, 30))]
    costs = level_costs(pieces)
    assert costs is not None
    assert costs[0, 1] < 0.1
    assert costs[0, 2] > 2


def test_a_set_without_even_lines_tells_nothing_of_rows():
    rng = np.random.default_rng(4)
    pieces = [as_piece(f"1-{number}", rng.integers(0, 255, (200, 60, 3), np.uint8)) for number in range(4)]
    assert level_costs(pieces) is None
