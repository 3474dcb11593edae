"""Rows put into pages."""

import numpy as np

from core.embedding.piece_encoder import shipped
from core.grid.stacking import stack_rows
from core.options import SolverOptions
from tests.core.grid.drawn_grid import drawn_pieces


def test_rows_of_a_drawn_page_come_in_their_order():
    pieces, grid = drawn_pieces(3, 8, seed=5)
    index = {piece.id: number for number, piece in enumerate(pieces)}
    rows = [tuple(index[name] for name in row) for row in grid]
    upright = np.ones(len(pieces), np.float32)
    options = SolverOptions(n_pages=1)
    stacked = stack_rows([rows[1], rows[2], rows[0]], pieces, upright, shipped(), options)
    assert stacked.rows == tuple(rows)
    assert [place[:2] for place in stacked.places] == [(0, 0), (0, 1), (0, 2)]
    assert not stacked.half_turned
    assert max(right_px for _, _, right_px in stacked.places) <= 4


def test_a_row_upside_down_is_turned():
    pieces, grid = drawn_pieces(2, 8, seed=6)
    index = {piece.id: number for number, piece in enumerate(pieces)}
    rows = [tuple(index[name] for name in row) for row in grid]
    pieces = [piece.changed(half_turn=index[piece.id] in rows[1]) for piece in pieces]
    upright = np.array([-1.0 if one in rows[1] else 1.0 for one in range(len(pieces))], np.float32)
    stacked = stack_rows([rows[0], rows[1][::-1]], pieces, upright, shipped(), SolverOptions(n_pages=1))
    assert stacked.rows == tuple(rows)
    assert stacked.half_turned == frozenset(rows[1])


def test_whole_rows_begin_at_one_edge():
    pieces, grid = drawn_pieces(3, 8, seed=5)
    index = {piece.id: number for number, piece in enumerate(pieces)}
    rows = [tuple(index[name] for name in row) for row in grid]
    upright = np.ones(len(pieces), np.float32)
    options = SolverOptions(n_pages=1)
    stacked = stack_rows([rows[2], rows[0], rows[1]], pieces, upright, shipped(), options, complete=True)
    assert stacked.rows == tuple(rows)
    assert {right_px for _, _, right_px in stacked.places} == {0}
