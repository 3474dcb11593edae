import numpy as np
import pytest

import core.matching.candidates
from core.matching.candidates import Edges, edges_of_poses, find_candidates, in_both_poses, unlike_ways_up

N = 6


@pytest.fixture
def edges():
    """Shred k + 1 continues shred k, 10 rows lower; both networks see the same."""
    rng = np.random.default_rng(0)
    right, left = rng.normal(0, 1, (2, N, 80, 4)).astype(np.float32)
    for shred in range(N - 1):
        left[shred + 1] = np.roll(right[shred], -10, axis=0)
    blank = np.zeros(4, np.float32)
    return edges_of_poses((right, left), (left[:, ::-1], right[:, ::-1]), (blank, blank))


def joins(candidates):
    return set(zip(candidates.left.tolist(), candidates.right.tolist(), strict=True))


def test_an_edge_is_the_other_poses_edge_upside_down(edges):
    right, left = in_both_poses(edges.right[:N], edges.left[:N])
    halves = np.roll(right[N:], 4, axis=2)
    np.testing.assert_array_equal(edges.right[N:], halves)
    np.testing.assert_array_equal(edges.left[N:], np.roll(left[N:], 4, axis=2))


def test_neighbours_are_found_at_their_shift_and_once(edges):
    found = find_candidates(edges, np.zeros(N, np.float32), 20)
    assert {(shred, shred + 1) for shred in range(N - 1)} <= joins(found)
    for left, right, shift in zip(found.left, found.right, found.shift_rows, strict=True):
        if right == left + 1 < N:
            assert shift == 10
    assert not joins(found) & {(right + N, left + N) for left, right in joins(found) if left < N and right < N}


def test_no_shred_is_a_candidate_beside_itself(edges):
    assert all(left % N != right % N for left, right in joins(find_candidates(edges, np.zeros(N, np.float32), 4)))


def test_few_of_many_are_kept_and_the_neighbours_are_among_them(edges, monkeypatch):
    everything = find_candidates(edges, np.zeros(N, np.float32), 20)
    monkeypatch.setattr(core.matching.candidates, "PER_BORDER", 1)
    monkeypatch.setattr(core.matching.candidates, "TILE_POSES", 2)
    few = find_candidates(edges, np.zeros(N, np.float32), 20)
    assert {(shred, shred + 1) for shred in range(N - 1)} <= joins(few)
    assert len(few.left) < len(everything.left) / 2


def test_values_stand_at_the_twins_as_well(edges):
    found = find_candidates(edges, np.zeros(N, np.float32), 4)
    matrix = found.everywhere(np.arange(len(found.left), dtype=np.float32), N, np.inf)
    np.testing.assert_array_equal(matrix, np.roll(matrix.T, (N, N), (0, 1)))


def test_what_tells_nothing_of_the_way_up_speaks_neither_for_nor_against():
    odds = np.array([0, 3, -3], np.float32)
    unlike = unlike_ways_up(odds[:, None], odds)
    np.testing.assert_allclose(unlike[0], 0, atol=1e-6)
    assert unlike[1, 1] < 0 < unlike[1, 2]


def test_blank_edges_cost_what_blank_paper_costs():
    blank = np.array([1, 2], np.float32)
    edges = Edges(np.zeros((2, 5, 2), np.float32), np.zeros((2, 5, 2), np.float32), blank)
    assert edges.of_blank == 5
    assert all(not rows.any() for rows in edges.above_blank)
