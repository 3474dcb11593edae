"""The recipe for pieces."""

from dataclasses import replace

import numpy as np
import pytest

from training.learning.loop import train
from training.learning.losses import listwise_loss
from training.learning.pieces import WEAR, PieceRecipe

TINY = PieceRecipe(
    d=4, steps=2, every=2, pages_per_step=2, cuts_per_page=6, rows=64, held_out=3, least_ink=0.0, dtype="float32"
)


@pytest.mark.slow
@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("direction", ["across", "down"])
def test_both_directions_are_trained_alike_each_time(pages, direction):
    recipe = replace(TINY, direction=direction)
    (one, history), (other, _) = (train(pages, recipe, WEAR) for _ in range(2))
    assert np.isfinite(history[-1]["validation_loss"])
    for a, b in zip(one.get_weights(), other.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)


def test_half_turned_strangers_count_in_the_loss():
    logits, none = np.zeros((3, 3), np.float32), np.full((3, 3), -1e9, np.float32)
    assert float(listwise_loss(np.ones(3), logits, none, none)) == pytest.approx(np.log(3), rel=1e-5)
    assert float(listwise_loss(np.ones(3), logits, logits, logits)) == pytest.approx(np.log(6), rel=1e-5)
