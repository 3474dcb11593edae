import numpy as np
import pytest

import core.matching.candidates.card
import core.matching.candidates.find
from core.matching.candidates.card import best_of_tile_on_a_card, products_on_a_card
from core.matching.candidates.find import find_candidates, learn_laying
from core.matching.candidates.pooled import Rough
from core.matching.candidates.products import products_of
from core.matching.candidates.tiles import RoughTile, Tile, best_of_tile
from core.matching.laying import Laying
from core.matching.layout import log_ratio_of_lines
from core.matching.poses import edges_of_poses
from core.progress import Cancelled, no_progress
from core.system.interim import NOWHERE

N, N_ROWS, D = 12, 60, 4


@pytest.fixture
def edges():
    """Shred k + 1 continues shred k, 6 rows lower, nearly."""
    rng = np.random.default_rng(0)
    right, left = rng.normal(0, 1, (2, N, N_ROWS, D)).astype(np.float32)
    for shred in range(N - 1):
        left[shred + 1] = np.roll(right[shred], -6, axis=0) + rng.normal(0, 0.3, (N_ROWS, D))
    turned = left[:, ::-1] + np.float32(0.1), right[:, ::-1] - np.float32(0.1)
    blank = rng.normal(0, 1, D).astype(np.float32)
    return edges_of_poses((right, left), turned, (blank, np.zeros(D, np.float32)))


@pytest.fixture
def lines():
    rng = np.random.default_rng(1)
    profiles = np.abs(rng.normal(0, 1, (2, 2 * N, N_ROWS))).astype(np.float32)
    return tuple(profiles / np.linalg.norm(profiles, axis=2, keepdims=True))


@pytest.fixture
def on_a_card(monkeypatch):
    """Keras computes on the processor here; what it computes is the same."""
    monkeypatch.setattr(core.matching.candidates.find, "POSES_WORTH_A_CARD", 0)
    monkeypatch.setattr(core.matching.candidates.find, "TILE_ON_A_CARD", 10)
    monkeypatch.setattr(core.matching.candidates.find, "on_a_card", lambda: True)


def found_in(edges, lines, progress=no_progress):
    rough = Rough(edges, [(*lines, log_ratio_of_lines)], N)
    upright = np.linspace(-3, 3, N, dtype=np.float32)
    return find_candidates(rough, upright, learn_laying(rough, 4, 12), progress)


def test_a_tile_is_compared_as_on_the_processor(edges, lines):
    rng = np.random.default_rng(2)
    rough = Rough(edges, [(*lines, log_ratio_of_lines)], N).tile(slice(0, 10), slice(3, 20))
    assert isinstance(rough, RoughTile)
    upright = rng.normal(0, 2, 10).astype(np.float32), rng.normal(0, 2, 17).astype(np.float32)
    tile = Tile(rough, np.arange(10), 100 + np.arange(17), rng.random((10, 17)) < 0.3, 12, Laying(3.0, 12), upright)
    there, here = (
        sorted(zip(*(values.tolist() for values in best((tile, 20), no_progress)), strict=True))
        for best in (best_of_tile_on_a_card, best_of_tile)
    )
    assert [join[:2] for join in there] == [join[:2] for join in here]
    assert len(here) == (~tile.ruled_out).sum()
    np.testing.assert_allclose([join[2] for join in there], [join[2] for join in here], rtol=1e-4, atol=1e-3)
    assert [join[3] for join in there] == [join[3] for join in here]


def test_of_each_edge_the_cheapest_few_come_back(edges):
    rough = Rough(edges, [], N).tile(slice(0, 10), slice(0, 2 * N))
    tile = Tile(rough, np.arange(10), 100 + np.arange(2 * N), np.zeros((10, 2 * N), np.bool_), 12)
    cost, _ = rough.compare(12)
    one, other, *_ = best_of_tile_on_a_card((tile, 2), no_progress)
    cheapest = {(row, column) for row in range(10) for column in np.argsort(cost[row])[:2].tolist()}
    cheapest |= {(row, column) for column in range(2 * N) for row in np.argsort(cost[:, column])[:2].tolist()}
    assert set(zip(one.tolist(), (other - 100).tolist(), strict=True)) == cheapest


def test_candidates_and_their_products_are_those_of_the_processor(edges, lines, on_a_card, monkeypatch):
    there = found_in(edges, lines)
    products = products_of(there, edges.right, edges.left, (0, -1, 1, -2, 2), no_progress, "ink", NOWHERE)
    of_lines = products_of(there, *lines, (0, -1, 1), no_progress, "lines", NOWHERE)
    monkeypatch.setattr(core.matching.candidates.find, "on_a_card", lambda: False)
    here = found_in(edges, lines)
    for name in ("left", "right", "shift_rows"):
        np.testing.assert_array_equal(getattr(there, name), getattr(here, name))
    again = products_of(here, edges.right, edges.left, (0, -1, 1, -2, 2), no_progress, "ink", NOWHERE)
    np.testing.assert_allclose(products, again, rtol=1e-4, atol=1e-4)
    again = products_of(here, *lines, (0, -1, 1), no_progress, "lines", NOWHERE)
    np.testing.assert_allclose(of_lines, again, rtol=1e-4, atol=1e-5)


def test_what_is_held_and_read_at_a_time_does_not_matter(edges, monkeypatch):
    rng = np.random.default_rng(3)
    left, right = np.sort(rng.integers(0, 2 * N, 70)), rng.integers(0, 2 * N, 70)
    joins = left, right, rng.integers(-9, 10, 70).astype(np.int16)
    released = []

    def products():
        return products_on_a_card(joins, edges.right, edges.left, (0, -1, 1), no_progress, lambda: released.append(1))

    at_once = products()
    of_pose = N_ROWS * 2 * D * 4
    monkeypatch.setattr(core.matching.candidates.card, "HELD_BYTES", 5 * of_pose)
    monkeypatch.setattr(core.matching.candidates.card, "READ_BYTES", 2 * of_pose)
    np.testing.assert_allclose(products(), at_once, rtol=1e-5, atol=1e-5)
    assert len(released) == 1 + 5 * 5


def test_cancelling_stops_it(edges, lines, on_a_card):
    def stop(fraction, text):
        raise Cancelled

    with pytest.raises(Cancelled):
        found_in(edges, lines, stop)
