from dataclasses import replace

import keras
import numpy as np
import pytest

from core.embedding.encoder import Encoder, build_model
from core.errors import UsageError
from training.learning.contrastive import Contrastive, PairTrainer, PaperRecipe
from training.pages.intact import PAPER_MARGIN, Pages
from training.pages.mixture import split

TINY = PaperRecipe(d=4, epochs=2, batch_size=32, pairs_per_page=20, shreds_per_page=4, held_out=3)


@pytest.fixture
def pages() -> Pages:
    """Three pages of random blots."""
    blots = np.random.default_rng(0).random((3, 25, 20)) < 0.5
    ink = np.kron(blots, np.ones((1, 8, 8))) > 0
    return Pages(["a", "b", "c"], np.where(ink, -20, PAPER_MARGIN).astype(np.int8))


@pytest.mark.slow
@pytest.mark.parametrize("height_px", [32, 48])
def test_a_sample_is_embedded_as_the_application_embeds_that_part_of_a_border(height_px):
    keras.utils.set_random_seed(3)
    model = build_model(4, "sigmoid", height_px)
    samples = np.random.default_rng(0).random((5, 2, height_px, 32)) < 0.3
    squared = PairTrainer(model, 1.0).predict_on_batch(samples.astype(np.uint8))

    # The samples in a border of blank paper, far enough apart: 40 embedding rows to each.
    encoder = Encoder(model)
    borders = np.zeros((2, 5 * 160, 32), dtype=np.bool_)
    for number, pair in enumerate(samples):
        borders[:, number * 160 + 80 : number * 160 + 80 + height_px] = pair
    right, left = (encoder._compute(borders[i][None], side)[0, 20::40] for i, side in ((0, "right"), (1, "left")))
    np.testing.assert_allclose(squared, np.square(right - left).sum(axis=1), rtol=1e-4)
    assert squared.std() > 0


def test_an_epoch_takes_every_pair_once_in_an_order_of_its_own(pages):
    task = Contrastive(TINY, *split([pages], 3))
    assert (task.every, task.steps) == (3, 6)
    epochs = [[task.batch(step) for step in range(first, first + 3)] for first in (0, 3)]
    for batches in epochs:
        assert [len(same) for _, same in batches] == [32, 32, 16]
        assert np.concatenate([same for _, same in batches]).sum() == 40
    first, second = (np.concatenate([samples for samples, _ in batches]) for batches in epochs)
    assert (first != second).any()
    assert sorted(map(bytes, first)) == sorted(map(bytes, second))
    assert first.shape == (80, 2, 32, 32)


@pytest.mark.slow
def test_training_lowers_the_loss_and_the_measures_are_those_of_the_distances(pages):
    task = Contrastive(replace(TINY, learning_rate=0.5), *split([pages], 3))
    before = task.validate()
    losses = [task.model.train_on_batch(*task.batch(0), return_dict=True)["loss"] for _ in range(30)]
    assert losses[-1] < 0.8 * losses[0]
    after = task.validate()
    assert before.keys() == {"validation_loss", "validation_smd", "right_distance", "wrong_distance"}
    assert after["wrong_distance"] != before["wrong_distance"]


def test_pages_without_ink_are_refused(pages):
    blank = Pages(pages.names, np.full_like(pages.margins, PAPER_MARGIN))
    with pytest.raises(UsageError, match="too little ink"):
        Contrastive(TINY, *split([blank], 3))
