"""What joins of pieces cost."""

from itertools import pairwise

import numpy as np
import pytest

from core.embedding.piece_encoder import shipped
from core.errors import UsageError
from core.grid import costs as costs_module
from core.grid.costs import LENGTHS_PX, MOST_WAY_UP, against_chance, embed_pieces, price_across, with_way_up
from tests.core.grid.drawn_grid import as_piece, drawn_pieces


def test_most_true_neighbours_are_cheapest():
    pieces, grid = drawn_pieces(3, 5)
    costs = price_across(pieces, shipped())
    index = {piece.id: number for number, piece in enumerate(pieces)}
    true = {index[left]: index[right] for row in grid for left, right in pairwise(row)}
    cheapest = {left: min(costs.after(left), key=lambda at: costs.cost[at]) for left in true}
    found = sum(int(costs.right[at]) == true[left] for left, at in cheapest.items())
    assert found >= 0.8 * len(true)


def test_a_join_costs_the_same_with_both_half_turned():
    pieces, _ = drawn_pieces(2, 3)
    costs, n = price_across(pieces, shipped()), len(pieces)
    for left, right in ((0, 1), (2, 3), (4, n + 1)):
        turned = costs.cost_of((right + n) % (2 * n), (left + n) % (2 * n))
        assert costs.cost_of(left, right) == pytest.approx(turned, rel=1e-5)
    assert costs.cost_of(0, n) == np.inf, "no piece lies beside itself"


def test_pieces_of_other_height_are_no_neighbours():
    pieces, _ = drawn_pieces(1, 2)
    shorter = as_piece("1-009", pieces[0].pixels[: -LENGTHS_PX - 1])
    costs = price_across([*pieces, shorter], shipped())
    assert costs.cost_of(0, 2) == np.inf
    assert np.isfinite(costs.cost_of(0, 1))


def test_outermost_pixels_count_where_nothing_is_lost():
    pieces, _ = drawn_pieces(1, 2)
    worn = [as_piece(piece.id, piece.pixels) for piece in pieces]
    worn[0].mask[0, 0] = False
    (whole, _), (lost, _) = (embed_pieces(some, shipped(), "across") for some in (pieces, worn))
    assert whole.shape[2] == lost.shape[2] + 2


def test_paper_costs_nothing_beside_paper():
    blank = [as_piece(f"1-{number}", np.full((120, 60, 3), 245, np.uint8)) for number in (1, 2)]
    costs = price_across(blank, shipped())
    assert costs.cost_of(0, 1) == pytest.approx(0, abs=1e-3)
    assert costs.to_blank == pytest.approx(0, abs=1e-3)


def test_too_many_are_refused_with_their_number(monkeypatch):
    pieces, _ = drawn_pieces(1, 3)
    monkeypatch.setattr(costs_module, "MOST_PIECES", 2)
    with pytest.raises(UsageError, match="There are 3 pieces"):
        price_across(pieces, shipped())


def test_joins_of_pieces_that_stand_the_same_way_up_cost_less():
    pieces, _ = drawn_pieces(1, 3)
    n, costs = len(pieces), price_across(pieces, shipped())
    odds = np.array([9, 9, 0], np.float32)
    told = with_way_up(costs, np.concatenate([odds, -odds]))
    by = {
        join: (told.cost_of(*join) - costs.cost_of(*join)) / costs.temperature
        for join in ((0, 1), (n, n + 1), (0, n + 1), (0, 2))
    }
    assert by[0, 1] == by[n, n + 1] == pytest.approx(-np.log(2), abs=1e-2)
    assert by[0, n + 1] == pytest.approx(MOST_WAY_UP)
    assert by[0, 2] == pytest.approx(0, abs=1e-2), "nothing is known of one of them"
    np.testing.assert_array_equal(told.to_blank, costs.to_blank)


def test_a_join_that_is_as_cheap_as_all_others_is_no_likelier_than_chance():
    np.testing.assert_allclose(against_chance(np.full((5, 5), -3.0)), 0, atol=1e-5)
    likely = np.full((5, 5), -9.0)
    likely[1, 2] = -1
    odds = against_chance(likely)
    assert odds[1, 2] > 1
    assert odds[1, 3] < 0
