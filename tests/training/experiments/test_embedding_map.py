import numpy as np
import pytest

from training.experiments.__main__ import main
from training.experiments.embedding_map import distances, lay_out, spread_out


def test_distances_of_true_pairs_stand_apart():
    right, left = np.array([[0.0, 0.0], [10.0, 0.0]]), np.array([[0.0, 3.0], [10.0, 4.0]])
    true, others = distances(np.concatenate([right, left]).astype(np.float32))
    np.testing.assert_allclose(true, [3, 4], atol=1e-5)
    np.testing.assert_allclose(others, np.sqrt([116, 109]), atol=1e-5)


def test_pictures_are_spread_out():
    points = np.array([[0, 0], [0.1, 0], [5, 0], [2.6, 0]], dtype=np.float32)
    assert spread_out(points, 3) == [0, 2, 3]
    assert spread_out(points, 9) == [0, 2, 3, 1]
    assert spread_out(points[:0], 3) == []


@pytest.mark.slow
def test_the_map_keeps_groups_together_and_is_the_same_again():
    rng = np.random.default_rng(0)
    vectors = np.concatenate([rng.normal(centre, 0.1, (15, 4)) for centre in (0, 8)]).astype(np.float32)
    points = lay_out(vectors, 5, seed=1)
    centres = points[:15].mean(axis=0), points[15:].mean(axis=0)
    within = max(
        np.linalg.norm(points[:15] - centres[0], axis=1).mean(), np.linalg.norm(points[15:] - centres[1], axis=1).mean()
    )
    assert np.linalg.norm(centres[0] - centres[1]) > 2 * within
    np.testing.assert_array_equal(points, lay_out(vectors, 5, seed=1))


@pytest.mark.slow
def test_the_command_draws_a_map(data_set, weights, tmp_path):
    few = ["--pairs", "20", "--pictures", "4"]
    assert main(["map", str(data_set), "--weights", str(weights), *few, "-o", str(tmp_path)]) == 0
    text = (tmp_path / "map.md").read_text()
    assert "d2: 20 r-samples" in text
    assert "| true pairs |" in text
    assert (tmp_path / "map.png").stat().st_size > 10_000
