import numpy as np
import pytest

from core.inspection.neighbours import HEIGHT_ROWS, Neighbour, distance_between
from core.inspection.samples import Sample
from training.experiments.__main__ import main
from training.experiments.neighbours import RANKS, rank_of, recall
from training.experiments.true_samples import TruePair, draw_pairs, followers, ink_of, partner_of, read_index


@pytest.fixture(scope="module")
def indexed(data_set, weights):
    return read_index(data_set, weights)


def pair(row: int) -> TruePair:
    return TruePair(Sample("1-01", "right", row), Neighbour(Sample("2-01", "left", row), 0.5))


def test_the_true_partner_lies_on_the_true_shred_at_about_the_height():
    asked = pair(100)
    elsewhere = Neighbour(Sample("3-01", "left", 100), 0.1)
    far = Neighbour(Sample("2-01", "left", 100 + HEIGHT_ROWS + 1), 0.2)
    near = Neighbour(Sample("2-01", "left", 100 - HEIGHT_ROWS), 0.3)
    assert rank_of(asked, [elsewhere, far, near]) == 3
    assert rank_of(asked, [elsewhere, far]) == 0
    assert recall([asked, asked], [[elsewhere, near], []]) == ["0.0%"] + ["50.0%"] * (len(RANKS) - 1)


@pytest.mark.slow
def test_pairs_are_drawn_from_true_joins(indexed):
    data, index = indexed
    following = followers(data)
    assert len(following) == 6
    pairs = draw_pairs(data, index, 20, np.random.default_rng(1))
    assert len(pairs) == 20
    for drawn in pairs:
        assert drawn.left.sample.shred == following[drawn.right.shred]
        assert abs(drawn.left.sample.row - drawn.right.row) <= HEIGHT_ROWS
        assert ink_of(index, drawn.right).mean() >= 0.1
    again = draw_pairs(data, index, 20, np.random.default_rng(1))
    assert [one.right for one in again] == [one.right for one in pairs]


def test_the_nearest_partner_is_taken(indexed):
    data, index = indexed
    drawn = draw_pairs(data, index, 1, np.random.default_rng(2))[0]
    distances = {}
    for row in range(drawn.right.row - HEIGHT_ROWS, drawn.right.row + HEIGHT_ROWS + 1):
        distance = distance_between(index, drawn.right, Sample(drawn.left.sample.shred, "left", row))
        if distance is not None:
            distances[row] = distance
    assert drawn.left.distance == pytest.approx(min(distances.values()))
    assert drawn.left.sample.row == min(distances, key=distances.get)
    assert partner_of(index, drawn.right, "none") is None


@pytest.mark.slow
def test_the_command_draws_neighbours(data_set, weights, tmp_path):
    few = ["--queries", "3", "--neighbours", "4", "--measured", "10"]
    assert main(["neighbours", str(data_set), "--weights", str(weights), *few, "-o", str(tmp_path)]) == 0
    text = (tmp_path / "neighbours.md").read_text()
    assert "10 r-samples drawn by chance" in text
    assert "of 8 shreds" in text
    assert "| of all shreds at about the same height |" in text
    assert (tmp_path / "neighbours.png").stat().st_size > 5000
    assert (tmp_path / "neighbours-height.png").stat().st_size > 5000
