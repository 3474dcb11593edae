import keras
import numpy as np
import pytest

from core.options import CostOptions
from tests.core.matching.test_ink import compute_costs
from training.learning.losses import contrastive_loss, listwise_loss, shift_min_costs, standardized_mean_difference


def loss(weights, logits) -> float:
    return float(
        listwise_loss(np.array(weights, np.float32), keras.ops.convert_to_tensor(np.array(logits, np.float32)))
    )


def test_an_encoder_that_knows_nothing_loses_log_k():
    assert loss([1, 1, 1, 1], np.zeros((4, 4))) == pytest.approx(np.log(4))


def test_an_encoder_that_is_sure_and_right_loses_nothing():
    assert loss([1, 1, 1], 50 * np.eye(3)) == pytest.approx(0, abs=1e-6)


def test_worked_by_hand():
    # Row 0: log(e^1 + e^0) - 1; row 1: log(e^0 + e^2) - 2; columns are the same since the matrix is symmetric.
    expected = (np.log(np.e + 1) - 1 + np.log(1 + np.e**2) - 2) / 2
    assert loss([1, 1], [[1, 0], [0, 2]]) == pytest.approx(expected, rel=1e-5)


def test_rows_and_columns_count_alike():
    # Rows: log(e^1 + e^0) - 1 and log(e^3 + e^2) - 2; columns: log(e^1 + e^3) - 1 and log(e^0 + e^2) - 2.
    by_row = np.log(np.e + 1) - 1 + np.log(np.e**3 + np.e**2) - 2
    by_column = np.log(np.e + np.e**3) - 1 + np.log(1 + np.e**2) - 2
    assert loss([1, 1], [[1, 0], [3, 2]]) == pytest.approx((by_row + by_column) / 4, rel=1e-5)


def test_cuts_without_ink_do_not_count():
    only_first = np.log(np.e + 1) - 1
    assert loss([1, 0], [[1, 0], [0, 2]]) == pytest.approx(only_first, rel=1e-5)
    assert loss([0, 0], [[1, 0], [0, 2]]) == 0


def test_costs_in_training_are_those_of_the_application():
    rng = np.random.default_rng(0)
    right, left = rng.normal(0, 1, (2, 5, 20, 4)).astype(np.float32)
    blank = np.zeros(4, np.float32)
    used = compute_costs(right, left, blank, blank, CostOptions(max_shift_rows=2)).cost
    trained = keras.ops.convert_to_numpy(shift_min_costs(*map(keras.ops.convert_to_tensor, (right, left)), 2))
    off_diagonal = ~np.eye(5, dtype=bool)
    np.testing.assert_allclose(trained[off_diagonal], used, rtol=1e-4)


def test_costs_are_exact_far_from_the_origin_too():
    rng = np.random.default_rng(0)
    right, left = rng.normal(0, 1, (2, 3, 12, 4)).astype(np.float32)
    near = keras.ops.convert_to_numpy(shift_min_costs(right, left, 1))
    far = keras.ops.convert_to_numpy(shift_min_costs(right + np.float32(1000), left + np.float32(1000), 1))
    np.testing.assert_allclose(far, near, rtol=1e-3)


def contrastive(same, distances, margin=1.0) -> float:
    squared = keras.ops.convert_to_tensor(np.square(np.array(distances, np.float32)))
    return float(contrastive_loss(np.array(same, np.float32), squared, margin))


def test_pairs_that_belong_together_lose_half_their_squared_distance():
    assert contrastive([1], [0.6]) == pytest.approx(0.36 / 2)
    assert contrastive([1], [3.0]) == pytest.approx(9 / 2)
    assert contrastive([1], [0.0]) == 0


def test_other_pairs_lose_half_the_square_of_what_is_missing_to_the_margin():
    assert contrastive([0], [0.6]) == pytest.approx(0.16 / 2)
    assert contrastive([0], [1.5]) == 0
    assert contrastive([0], [0.0]) == pytest.approx(1 / 2, rel=1e-5)
    assert contrastive([0], [1.5], margin=2.0) == pytest.approx(0.25 / 2)


def test_contrastive_loss_is_a_mean_over_pairs():
    assert contrastive([1, 0], [0.6, 0.6]) == pytest.approx((0.36 + 0.16) / 4)


def test_standardized_mean_difference_worked_by_hand():
    # Means 2 and 6, variances 1 and 4, pooled (2 · 1 + 2 · 4) / 4 = 2.5.
    assert standardized_mean_difference([1, 2, 3], [4, 6, 8]) == pytest.approx(4 / np.sqrt(2.5))
    assert standardized_mean_difference([4, 6, 8], [1, 2, 3]) == pytest.approx(-4 / np.sqrt(2.5))
    assert standardized_mean_difference([1, 2, 3], [2, 2]) == 0
    assert standardized_mean_difference([1], [4, 6, 8]) == 0
