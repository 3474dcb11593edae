"""The four borders of pieces."""

from dataclasses import replace

import numpy as np

from core.grid.borders import darkness, read_piece_borders
from core.shreds.shred import Shred
from tests.core.grid.drawn_grid import as_piece


def _marked() -> Shred:
    """Draw a piece with a bar at its right cut, a little below the top, and one at its bottom."""
    pixels = np.full((60, 40, 3), 250, np.uint8)
    pixels[10:14, 30:] = 20
    pixels[50:, 5:9] = 20
    return as_piece("1-001", pixels)


def test_print_is_dark_and_paper_is_not():
    dark, mask = darkness(_marked())
    assert mask.all()
    assert (dark[10:14, 30:] > 150).all()
    assert (dark[20:45, :20] == 0).all()


def test_each_border_begins_at_its_cut():
    borders = read_piece_borders([_marked()])
    assert np.flatnonzero(borders.right[0, :, 0] > 150).tolist() == [10, 11, 12, 13]
    assert not borders.left[0, :40].any()
    assert np.flatnonzero(borders.bottom[0, :, 0] > 150).tolist() == [5, 6, 7, 8]
    assert not borders.top[0, :25, :8].any()


def test_half_turned_its_borders_change_places():
    piece = _marked()
    as_it_lies, turned = read_piece_borders([piece]), read_piece_borders([replace(piece, half_turn=True)])
    for end in ("right", "left", "bottom", "top"):
        assert (getattr(as_it_lies, end)[1] == getattr(turned, end)[0]).all()
    assert np.flatnonzero(as_it_lies.left[1, :, 0] > 150).tolist() == [46, 47, 48, 49]


def test_smaller_pieces_are_padded_with_paper():
    borders = read_piece_borders([_marked(), as_piece("1-002", np.full((31, 25, 3), 20, np.uint8))])
    assert borders.right.shape == (4, 60, 24)
    assert borders.bottom.shape == (4, 40, 24)
    assert not borders.right[1, 31:].any()
