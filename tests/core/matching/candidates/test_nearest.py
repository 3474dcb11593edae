import numpy as np
import pytest

import core.matching.candidates.nearest
from core.matching.candidates.nearest import Nearest


def every_tile(score, size):
    n = len(score)
    for i in range(0, n, size):
        for j in range(0, n, size):
            yield np.arange(i, min(i + size, n)), np.arange(j, min(j + size, n))


def best_of(score, n_kept):
    """List the joins that are among the lowest of their row or their column."""
    rows = np.argsort(score, axis=1, kind="stable")[:, :n_kept]
    columns = np.argsort(score, axis=0, kind="stable")[:n_kept].T
    found = {(row, int(column)) for row, best in enumerate(rows) for column in best}
    found |= {(int(row), column) for column, best in enumerate(columns) for row in best}
    return sorted(join for join in found if score[join] != np.inf)


@pytest.mark.parametrize("n_sorted", [100, 200_000])
@pytest.mark.parametrize("n_waiting", [1, 200, 4_000_000])
def test_the_best_of_every_edge_are_kept_whatever_the_tiles(monkeypatch, n_waiting, n_sorted):
    monkeypatch.setattr(core.matching.candidates.nearest, "KEPT_AT_ONCE", n_waiting)
    monkeypatch.setattr(core.matching.candidates.nearest, "SORTED_AT_ONCE", n_sorted)
    n = 40
    score = np.random.default_rng(1).permutation(n * n).reshape(n, n).astype(np.float32)
    np.fill_diagonal(score, np.inf)
    nearest = Nearest(2 * n, 5)
    for i, j in every_tile(score, 7):
        nearest.add(i, n + j, score[np.ix_(i, j)], [10 * score[np.ix_(i, j)]])
    left, right, kept, values = nearest.kept()
    assert list(zip(left.tolist(), (right - n).tolist(), strict=True)) == best_of(score, 5)
    np.testing.assert_array_equal(kept, score[left, right - n])
    np.testing.assert_array_equal(values, 10 * kept)


def test_what_is_worse_than_the_best_of_both_its_edges_does_not_wait(monkeypatch):
    monkeypatch.setattr(core.matching.candidates.nearest, "KEPT_AT_ONCE", 2)
    nearest, edges = Nearest(4, 1), [np.array([0, 1]), np.array([2, 3])]
    nearest.add_joins([*edges, np.array([1, 2], np.float32)])
    nearest.add_joins([*edges, np.array([3, 4], np.float32)])
    pruned = []
    monkeypatch.setattr(nearest, "_prune", lambda: pruned.append(True))
    for _ in range(9):
        nearest.add_joins([*edges, np.array([5, 6], np.float32)])
    assert not pruned
