"""Rows packed into rows of one length."""

import numpy as np

from core.grid.packing import likely_length, packed


def test_a_length_is_likely_of_which_there_are_several_rows_that_all_pieces_fill():
    assert likely_length([range(6), range(6), range(5), range(7)]) == 6
    assert likely_length([range(6), range(6), range(5)]) is None, "17 pieces fill no rows of six"
    assert likely_length([range(6), range(5), range(7)]) is None
    assert likely_length([range(2), range(2)]) is None
    assert likely_length([range(6)]) is None


def test_rows_are_broken_where_least_speaks_for_them_and_put_together_beside_what_fits():
    seams = np.zeros((12, 12))
    for left in range(11):
        seams[left, left + 1] = -3
    seams[3, 4] = 1
    rows = packed([(0, 1, 2, 3, 4, 5, 6), (7, 8), (9, 10, 11)], 4, seams)
    assert sorted(map(len, rows)) == [4, 4, 4]
    assert sorted(piece for row in rows for piece in row) == list(range(12))
    assert (0, 1, 2, 3) in rows


def test_of_rows_that_fit_nowhere_one_is_broken():
    rows = packed([(0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11)], 4, np.zeros((12, 12)))
    assert sorted(map(len, rows)) == [4, 4, 4]
    assert sorted(piece for row in rows for piece in row) == list(range(12))
