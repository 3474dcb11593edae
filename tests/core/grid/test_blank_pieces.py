"""Pieces without print."""

import numpy as np

from core.faces.posed import Posed
from core.grid.blank_pieces import with_blank_pieces
from core.grid.standing import EMPTY, Standing
from core.matching.costs import Costs
from tests.core.grid.drawn_grid import as_piece


def _piece(name: str, height: int, width: int, blank: bool = False):
    return as_piece(name, np.full((height, width, 3), 240, np.uint8)).changed(blank=blank)


def _standing(sizes: list[tuple[int, int]]) -> Standing:
    pieces = [_piece(f"1-{at:03}", *size) for at, size in enumerate(sizes)]
    n = len(pieces)
    cost, blank = np.ones((2 * n, 2 * n), np.float32), np.ones(2 * n, np.float32)
    posed = Posed.alone([one.id for one in pieces], Costs.of_all(cost, cost.astype(np.int16), blank, blank, 1.0))
    return Standing(posed, {one.id: one for one in pieces})


def test_blank_pieces_stand_where_they_are_as_large_as_their_neighbours():
    # The second row is lower, the second column narrower.
    standing = _standing([(40, 30), (40, 20), (40, 30), (25, 30), (25, 30)])
    rows = [(0, 1, 2), (3, EMPTY, 4 + 5)]
    blank = [_piece("2-001", 25, 20, blank=True)]
    filled, places = with_blank_pieces(rows, [(0, 0, 0), (0, 1, 0)], standing, blank)
    assert filled == [(0, 1, 2), (3, 5, 4 + 6)]  # of six pieces now; what stood upside down still does
    assert places == ((0, 0, 0), (0, 1, 0))
    rows, blank = [(0, 1, 2), (3, EMPTY, EMPTY)], [_piece("2-001", 25, 30, True), _piece("2-002", 25, 20, True)]
    filled, _ = with_blank_pieces(
        rows, [(0, 0, 0), (0, 1, 0)], _standing([(40, 30), (40, 20), (40, 30), (25, 30)]), blank
    )
    assert filled == [(0, 1, 2), (3, 5, 4)]


def test_rows_of_blank_pieces_alone_are_the_last_ones_of_the_shortest_pages():
    standing = _standing([(40, 30)] * 6)
    blank = [_piece(f"2-{at}", 40, 30, True) for at in range(2)]
    filled, places = with_blank_pieces([(0, 1), (2, 3), (4, 5)], [(0, 0, 0), (0, 1, 0), (1, 0, 0)], standing, blank)
    assert filled == [(0, 1), (2, 3), (4, 5), (6, 7)]
    assert places == ((0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0))
