from dataclasses import replace

import keras
import numpy as np
import pytest

from core.embedding.way_up import WayUp, build_model
from core.shreds.windows import WINDOW
from training.learning.way_up import WayUpRecipe, losses_of, set_sureness, train, validate

TINY = WayUpRecipe(steps=2, every=1, strips_per_step=2, windows_per_strip=3, held_out=3, validation_strips=6, seed=5)


@pytest.mark.slow
@pytest.mark.usefixtures("untraced")
def test_the_same_training_twice_gives_the_same_weights(pages, monkeypatch):
    monkeypatch.setattr("core.embedding.way_up.WINDOWS_PER_BATCH", 32)  # blank ones fill a batch up
    entries = []
    network, history = train([pages, pages], TINY, [0.7, 0.3], report=entries.append)
    assert history == entries
    assert [entry["step"] for entry in history] == [1, 2, 2]
    assert history[0].keys() >= {"loss", "validation_loss", "loss_1", "right_1", "windows_right", "seconds"}
    assert history[-1]["validation_loss"] <= min(entry["validation_loss"] for entry in history[:-1]) + 1e-3
    again, _ = train([pages, pages], TINY, [0.7, 0.3], report=entries.append)
    for one, other in zip(network.get_weights(), again.get_weights(), strict=True):
        np.testing.assert_array_equal(one, other)
    other, _ = train([pages, pages], replace(TINY, seed=6), report=entries.append)
    assert (other.get_weights()[0] != network.get_weights()[0]).any()


def test_losses_are_those_of_upright_strips():
    unknown, right, wrong = np.zeros(4), np.array([0, -9, -9, -9.0]), np.array([0, 9.0, 0, 0])
    losses = losses_of(np.stack([unknown, right, wrong]).astype(np.float32))
    assert losses == pytest.approx([np.log(4), 0, 9], abs=1e-3)


def test_sureness_is_set_to_what_comes_true():
    keras.utils.set_random_seed(3)
    network = build_model()
    rng = np.random.default_rng(0)
    strips = [[(rng.random((5, WINDOW, WINDOW)) < 0.2).astype(np.uint8) * 255 for _ in range(20)]]
    last = network.get_layer("upright")
    last.set_weights([100 * weights for weights in last.get_weights()])
    before = validate(network, strips)["validation_loss"]
    assert set_sureness(network, strips) < 0.5  # it knows nothing
    after = validate(network, strips)["validation_loss"]
    assert after < before
    assert after == pytest.approx(np.log(4), abs=0.2)
    assert WayUp(network).log_odds_of_windows(strips[0]).shape == (20, 4)
