import numpy as np
import pytest

import core.matching.candidates.find
import core.matching.candidates.pooled
from core.matching.candidates.find import find_candidates, learn_laying
from core.matching.candidates.pooled import Rough
from core.matching.laying import Laying
from core.matching.poses import Edges, edges_as_they_lie, edges_of_poses, in_both_poses
from core.progress import Cancelled, no_progress
from core.system.disk_cache import DiskCache
from core.system.interim import NOWHERE, Interim

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


def found_within(edges, max_shift_rows, progress=no_progress, interim=NOWHERE):
    laying = Laying(float(max_shift_rows), max_shift_rows)
    n = len(edges.right) // 2
    return find_candidates(Rough(edges, [], n), np.zeros(n, np.float32), laying, progress, interim=interim)


def joins(candidates):
    return set(zip(candidates.left.tolist(), candidates.right.tolist(), strict=True))


def test_an_edge_is_the_other_poses_edge_upside_down(edges):
    right, left = in_both_poses(edges.right[:N], edges.left[:N])
    halves = np.roll(right[N:], 4, axis=2)
    np.testing.assert_array_equal(edges.right[N:], halves)
    np.testing.assert_array_equal(edges.left[N:], np.roll(left[N:], 4, axis=2))


def test_neighbours_are_found_at_their_shift_and_once(edges):
    found = found_within(edges, 20)
    assert {(shred, shred + 1) for shred in range(N - 1)} <= joins(found)
    for left, right, shift in zip(found.left, found.right, found.shift_rows, strict=True):
        if right == left + 1 < N:
            assert shift == 10
    assert not joins(found) & {(right + N, left + N) for left, right in joins(found) if left < N and right < N}


def test_no_shred_is_a_candidate_beside_itself(edges):
    assert all(left % N != right % N for left, right in joins(found_within(edges, 4)))


def test_few_of_many_are_kept_and_the_neighbours_are_among_them(edges, monkeypatch):
    everything = found_within(edges, 20)
    monkeypatch.setattr(core.matching.candidates.find, "PER_BORDER", 1)
    monkeypatch.setattr(core.matching.candidates.find, "TILE_POSES", 2)
    few = found_within(edges, 20)
    assert {(shred, shred + 1) for shred in range(N - 1)} <= joins(few)
    assert len(few.left) < len(everything.left) / 2


def test_who_is_stopped_anywhere_goes_on_from_what_was_kept(edges, monkeypatch, tmp_path):
    monkeypatch.setattr(core.matching.candidates.find, "PER_BORDER", 1)
    monkeypatch.setattr(core.matching.candidates.find, "TILE_POSES", 2)
    monkeypatch.setattr("core.system.interim.EVERY_S", 0.0)
    at_once, interim = found_within(edges, 20), Interim(DiskCache(tmp_path))
    fractions = []

    def stop_later_each_time(fraction, text):
        fractions.append(fraction)
        if fraction > fractions[0] + 0.3:
            raise Cancelled

    n_stopped, found = 0, None
    while found is None:
        fractions.clear()
        try:
            found = found_within(edges, 20, stop_later_each_time, interim)
        except Cancelled:
            n_stopped += 1
            assert n_stopped < 10, "it goes on where it was"
    assert n_stopped >= 2
    np.testing.assert_array_equal(found.left, at_once.left)
    np.testing.assert_array_equal(found.right, at_once.right)
    np.testing.assert_array_equal(found.shift_rows, at_once.shift_rows)


def test_values_stand_at_the_twins_as_well(edges):
    found = found_within(edges, 4)
    left, right, which = found.with_twins(N)
    matrix = np.full((2 * N, 2 * N), np.inf)
    matrix[left, right] = which
    np.testing.assert_array_equal(matrix, np.roll(matrix.T, (N, N), (0, 1)))
    assert (np.diff(left * 2 * N + right) > 0).all()
    np.testing.assert_array_equal(matrix[found.left, found.right], np.arange(len(found.left)))


def test_left_edges_some_at_a_time_are_compared_as_all_together(edges, monkeypatch):
    rough = Rough(edges, [], N)
    together = rough.compare(np.array([0, 3]), 12)
    monkeypatch.setattr(core.matching.candidates.pooled, "COMPARED_AT_ONCE", 5)
    for one, other in zip(rough.compare(np.array([0, 3]), 12), together, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)


def lying(step_rows, n=40, seed=3):
    """Make edges of shreds of which each continues the one before, so many rows lower."""
    rng = np.random.default_rng(seed)
    right, left = rng.normal(0, 1, (2, n, 160, 4)).astype(np.float32)
    for shred in range(n - 1):
        left[shred + 1] = np.roll(right[shred], -step_rows, axis=0)
    blank = np.zeros(4, np.float32)
    return edges_as_they_lie(right, left, (blank, blank))


@pytest.mark.parametrize(("step_rows", "off"), [(0, False), (2, False), (16, True), (-30, True)])
def test_how_far_off_shreds_lie_is_learned_from_the_set(step_rows, off):
    laying = learn_laying(Rough(lying(step_rows), []), 6, 60)
    assert laying.off == off
    assert laying.spread_rows == pytest.approx(max(1, abs(step_rows)), abs=2)
    assert laying.max_shift_rows >= abs(step_rows)


def test_shreds_that_fit_nowhere_speak_against_nothing():
    edges = lying(0)
    rng = np.random.default_rng(4)
    strangers = Edges(edges.right, rng.permutation(edges.left, axis=1), edges.blank)
    assert not learn_laying(Rough(strangers, []), 6, 60).off
    assert not learn_laying(Rough(Edges(edges.right[:1], edges.left[:1], edges.blank), []), 6, 60).off


def test_contours_and_lines_bring_in_what_bears_no_ink(edges, monkeypatch):
    monkeypatch.setattr(core.matching.candidates.find, "PER_BORDER", 1)
    without_ink = Edges(edges.right[:], edges.left[:], edges.blank)
    for pose in (2, 2 + N):
        without_ink.right[pose] = without_ink.left[pose] = 0
    correlated = np.zeros((2, 2 * N, 80), np.float32)
    waves = np.random.default_rng(5).normal(0, 1, (2 * N, 80)).astype(np.float32)
    for left in range(N - 1):
        correlated[0, left] = correlated[1, left + 1] = waves[left]
        correlated[0, left + 1 + N] = correlated[1, left + N] = waves[left][::-1]
    rough = Rough(without_ink, [(correlated[0], correlated[1], np.negative)], N)
    found = find_candidates(rough, np.zeros(N, np.float32), Laying(1.0, 6))
    assert {(1, 2), (2, 3)} <= joins(found)


def test_blank_edges_cost_what_blank_paper_costs():
    blank = np.array([1, 2], np.float32)
    edges = Edges(np.zeros((2, 5, 2), np.float32), np.zeros((2, 5, 2), np.float32), blank)
    assert edges.of_blank == 5
    assert all(not rows.any() for rows in edges.above_blank)


def test_shreds_of_shorter_pages_are_found_at_the_heights_of_their_paper():
    """Half-turned about the middle of a frame that is 40 rows longer than a page, a shred lies 40 rows lower."""
    n, rng = 40, np.random.default_rng(6)
    right, left = np.zeros((2, n, 160, 4), np.float32)
    right[:, :120] = rng.normal(0, 1, (n, 120, 4))
    left[1:, :120] = right[:-1, :120]
    blank = np.zeros(4, np.float32)
    upside_down = np.arange(1, n, 2)
    turned = left[upside_down, :120][:, ::-1], right[upside_down, :120][:, ::-1]
    right[upside_down, :120], left[upside_down, :120] = turned
    edges = edges_of_poses((right, left), (left[:, ::-1], right[:, ::-1]), (blank, blank))
    heights = np.repeat(np.array([20, -20], np.int16), n)
    rough = Rough(edges, [], n)
    in_frame, by_paper = learn_laying(rough, 6, 60), learn_laying(rough, 6, 60, heights=heights)
    assert in_frame.max_shift_rows > 40, "shreds are looked for far off"
    assert by_paper.max_shift_rows == 6
    np.testing.assert_array_equal(by_paper.heights, heights)
    found = find_candidates(rough, np.zeros(n, np.float32), by_paper)
    shifts = dict(zip(zip(found.left.tolist(), found.right.tolist(), strict=True), found.shift_rows, strict=True))
    assert shifts[0, n + 1] == -40, "half-turned, shred 1 lies 40 rows too low in the frame"
    assert learn_laying(Rough(lying(0), []), 6, 60, heights=np.arange(40, dtype=np.int16)).heights is None
