import numpy as np
import pytest

import core.matching.ink
from core.matching.costs import Costs
from core.matching.ink import Ink
from core.options import CostOptions
from core.progress import Cancelled, no_progress
from tests.core.matrices import matrix


def compute_costs(right, left, blank_right, blank_left, options=CostOptions(), progress=no_progress) -> Costs:
    """Compare every right border of a few shreds with every left border, and both with blank paper."""
    ink = Ink(right, left, blank_right, blank_left, options.max_shift_rows)
    n = len(right)
    cost, shift_px = np.empty((n, n), dtype=np.float32), np.empty((n, n), dtype=np.int16)
    for i, j, of_tile, shift_of_tile_px in ink.tiles(progress):
        cost[i, j], shift_px[i, j] = of_tile, shift_of_tile_px
    return Costs.of_all(cost, shift_px, ink.to_blank, ink.from_blank)


def reference(right, left, blank_right, blank_left, max_shift):
    """Equations 3 to 6 written out: a loop over pairs, over shifts, over rows."""
    n, n_rows, _ = right.shape
    rows = n_rows - max_shift

    def distance(right_row, left_row, shift):
        a, b = max(0, shift), max(0, -shift)
        total = 0.0
        for k in range(rows):
            difference = right_row[a + k].astype(np.float64) - left_row[b + k].astype(np.float64)
            total += float(difference @ difference)
        return total

    def best(right_row, left_row):
        return min(
            (distance(right_row, left_row, shift), abs(shift), shift) for shift in range(-max_shift, max_shift + 1)
        )

    cost = np.full((n, n), np.inf)
    shift = np.zeros((n, n), dtype=int)
    for i in range(n):
        for j in range(n):
            if i != j:
                cost[i, j], _, shift[i, j] = best(right[i], left[j])
    paper_right, paper_left = np.tile(blank_right, (n_rows, 1)), np.tile(blank_left, (n_rows, 1))
    to_blank = np.array([best(right[i], paper_left)[0] for i in range(n)])
    from_blank = np.array([best(paper_right, left[i])[0] for i in range(n)])
    return cost, shift * 4, to_blank, from_blank


@pytest.fixture
def embeddings():
    """Left borders that continue right ones at known shifts, far from the origin to provoke rounding."""
    rng = np.random.default_rng(3)
    right = rng.normal(20, 1, (7, 25, 4)).astype(np.float32)
    left = rng.normal(20, 1, (7, 25, 4)).astype(np.float32)
    for i, shift in enumerate([0, 1, -1, 2, -2, 3]):
        left[i + 1] = np.roll(right[i], -shift, axis=0) + rng.normal(0, 0.3, (25, 4))
    return right, left, np.full(4, 20.1, np.float32), np.full(4, 19.9, np.float32)


@pytest.mark.parametrize("max_shift", [0, 1, 3])
@pytest.mark.parametrize("tile", [1024, 3])
def test_agrees_with_the_equations(embeddings, max_shift, tile, monkeypatch):
    monkeypatch.setattr(core.matching.ink, "TILE_SHREDS", tile)
    costs = compute_costs(*embeddings, CostOptions(max_shift_rows=max_shift))
    cost, shift, to_blank, from_blank = reference(*embeddings, max_shift)
    np.testing.assert_allclose(matrix(costs), cost, rtol=1e-4)
    np.testing.assert_allclose(costs.to_blank, to_blank, rtol=1e-4)
    np.testing.assert_allclose(costs.from_blank, from_blank, rtol=1e-4)
    off_diagonal = ~np.eye(7, dtype=bool)
    np.testing.assert_array_equal(costs.shift_px, shift[off_diagonal])


def test_known_shifts_and_neighbours_are_found(embeddings):
    costs = compute_costs(*embeddings, CostOptions(max_shift_rows=6))
    assert matrix(costs)[:6].argmin(axis=1).tolist() == [1, 2, 3, 4, 5, 6]
    assert [int(costs.shift_of(i, i + 1)) for i in range(6)] == [0, 4, -4, 8, -8, 12]


def test_single_shred_has_only_blank_neighbours(embeddings):
    right, left, blank_right, blank_left = embeddings
    costs = compute_costs(right[:1], left[:1], blank_right, blank_left)
    assert len(costs.cost) == 0
    assert np.isfinite(costs.to_blank).all()
    assert np.isfinite(costs.from_blank).all()


def test_borders_shorter_than_the_shift_are_compared_unshifted(embeddings):
    right, left, blank_right, blank_left = embeddings
    costs = compute_costs(right[:, :1], left[:, :1], blank_right, blank_left)
    expected = ((right[:, None, 0] - left[None, :, 0]) ** 2).sum(axis=2)
    off_diagonal = ~np.eye(7, dtype=bool)
    np.testing.assert_allclose(costs.cost, expected[off_diagonal], rtol=1e-4, atol=1e-5)


def test_unlike_shapes_are_a_wrong_call(embeddings):
    right, left, blank_right, blank_left = embeddings
    with pytest.raises(ValueError, match="same shape"):
        compute_costs(right, left[:3], blank_right, blank_left)


def test_cancel(embeddings):
    def cancel(fraction: float, text: str) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        compute_costs(*embeddings, progress=cancel)
