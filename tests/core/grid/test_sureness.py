"""How sure it is what stands below what."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.faces.posed import Posed
from core.faces.ways import HALF_TURN, turned
from core.grid.standing import Standing
from core.grid.sureness import Downwards, how_sure_below, with_sides
from core.matching.costs import Costs
from tests.core.grid.drawn_grid import drawn_pieces

N_ROWS, N_COLUMNS, SURE = 3, 5, 0.95


@pytest.fixture(scope="module")
def drawn():
    return drawn_pieces(N_ROWS, N_COLUMNS, seed=5)


def page_of(grid):
    places = {row[0]: (0, number, 0) for number, row in enumerate(grid)}
    return Arrangement(pages=tuple(map(tuple, grid)), grid_places=places)


def told_of(drawn, told=4.0, mute=()):
    """Tell so much of each true join downwards, of others that they are none; and nothing of some pieces."""
    pieces, grid = drawn
    ids = [piece.id for piece in pieces]
    n = len(ids)
    costs = Costs.of_all(
        np.ones((2 * n, 2 * n), np.float32), np.zeros((2 * n, 2 * n), np.int16), *np.ones((2, 2 * n), np.float32), 1.0
    )
    prices = np.full((2 * n, 2 * n), 0.4, np.float32)
    for upper, lower in pairwise(grid):
        for above, below in zip(upper, lower, strict=True):
            if above not in mute and below not in mute:
                one, other = ids.index(above), ids.index(below)
                prices[one, other] = prices[turned(other, n, HALF_TURN), turned(one, n, HALF_TURN)] = -told
    return Downwards(Standing(Posed.alone(ids, costs), {piece.id: piece for piece in pieces}), prices)


def how_sure(told, arrangement, beside=SURE):
    sides = dict.fromkeys(arrangement.joins(), beside)
    return {join.pair: join.confidence for join in how_sure_below(told, arrangement, sides)}


def test_what_borders_tell_makes_joins_sure_and_what_they_do_not_tell_leaves_them_open(drawn):
    arrangement = page_of(drawn[1])
    much, nothing = (how_sure(told_of(drawn, told), arrangement) for told in (4.0, -0.4))
    standing = [pair for upper, lower in pairwise(drawn[1]) for pair in zip(upper, lower, strict=True)]
    assert min(much[pair] for pair in standing) > 0.99
    assert all(0.1 < nothing[pair] < much[pair] for pair in standing)


def test_a_piece_beside_tells_of_one_that_tells_nothing_as_far_as_it_is_sure_that_it_stands_there(drawn):
    arrangement, told = page_of(drawn[1]), told_of(drawn, mute=(drawn[1][1][2],))
    pair = drawn[1][0][2], drawn[1][1][2]
    assert how_sure(told, arrangement)[pair] > 0.95
    assert how_sure(told, arrangement, beside=0.01)[pair] < 0.5


def test_pieces_in_each_others_place_are_far_from_sure(drawn):
    grid = [list(row) for row in drawn[1]]
    grid[1][1], grid[1][3] = grid[1][3], grid[1][1]
    arrangement, told = page_of(grid), told_of(drawn, 6.0)
    sides = dict.fromkeys(arrangement.joins(), 0.02)  # none is beside what it was cut from
    found = {join.pair: join.confidence for join in how_sure_below(told, arrangement, sides)}
    assert found[grid[0][1], grid[1][1]] < 0.3 < 0.9 < found[grid[0][0], grid[1][0]]
    # Whole rows all begin at one edge, so that another column is out of the question.
    assert (grid[0][1], grid[1][3]) not in found


def test_what_stands_instead_is_listed_where_rows_begin_anywhere(drawn):
    _, grid = drawn
    arrangement = page_of([grid[0], grid[2][1:], grid[1]])
    found = how_sure(told_of(drawn), arrangement)
    above, below = grid[0][1], grid[1][1]
    assert found[above, grid[2][2]] < 0.25 < found[above, below]
    assert sum(sure for pair, sure in found.items() if pair[0] == above) <= 1 + 1e-9


def test_what_the_examiner_said_holds(drawn):
    _, grid = drawn
    arrangement, told, pair = page_of(grid), told_of(drawn, -0.4), (grid[0][0], grid[1][0])
    open_ = how_sure(told, arrangement)[pair]
    assert how_sure(told, replace(arrangement, confirmed_below=frozenset({pair})))[pair] > max(0.99, open_)
    assert how_sure(told, replace(arrangement, forbidden_below=frozenset({pair})))[pair] < min(0.01, open_)


def test_an_answer_tells_of_the_pieces_beside_as_far_as_it_is_sure_that_they_stand_there(drawn):
    _, grid = drawn
    arrangement, told, said, beside = (
        page_of(grid),
        told_of(drawn, -0.4),
        (grid[0][0], grid[1][0]),
        (grid[0][1], grid[1][1]),
    )
    yes, no = (replace(arrangement, **{name: frozenset({said})}) for name in ("confirmed_below", "forbidden_below"))
    assert how_sure(told, no)[beside] < 0.05 < how_sure(told, arrangement)[beside] < 0.99 < how_sure(told, yes)[beside]
    assert how_sure(told, yes, beside=0.01)[beside] < 0.9


def test_turned_as_a_whole_a_page_is_as_sure(drawn):
    told, arrangement = told_of(drawn), page_of(drawn[1])
    over = page_of([row[::-1] for row in drawn[1][::-1]])
    over = replace(over, half_turned=frozenset(over.order))
    found, found_over = how_sure(told, arrangement), how_sure(told, over)
    assert {pair[::-1]: sure for pair, sure in found_over.items()} == pytest.approx(found)


def test_blank_pieces_have_no_confidence_and_nothing_to_place_gives_nothing(drawn):
    told, (_, grid) = told_of(drawn), drawn
    blank = [["b-1", *row[1:]] if number == 1 else row for number, row in enumerate(grid)]
    arrangement = page_of(blank)
    wide = drawn[0][0]
    shreds = {**told.pieces.shreds, "b-1": wide.changed(id="b-1")}
    found = how_sure_below(replace(told, pieces=Standing(told.pieces.posed, shreds)), arrangement, {})
    assert not any("b-1" in join.pair for join in found)
    assert how_sure_below(told, Arrangement(), {}) == ()


def test_neighbours_of_neighbours_tell_less_and_less():
    told = np.zeros((6, 6))
    told[2, 5] = 8.0
    sides = {(0, 1): 0.5, (1, 2): 0.5, (3, 4): 0.5, (4, 5): 0.5}
    summed = with_sides(told, [(0, 1, 2), (3, 4, 5)], sides)
    assert [summed[at, 3 + at] for at in range(3)] == [0.5, 2.0, 8.0]
