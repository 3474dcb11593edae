from dataclasses import replace

import numpy as np
import pytest

from core.embedding.encoder import Encoder
from core.errors import UsageError
from core.progress import Cancelled
from training.learning import listwise
from training.learning.contrastive import Contrastive, PaperRecipe
from training.learning.listwise import Recipe
from training.learning.loop import train
from training.pages.intact import Pages
from training.pages.shredding import Wear

TINY = Recipe(
    d=4,
    steps=4,
    every=2,
    pages_per_step=2,
    cuts_per_page=4,
    rows=256,
    held_out=3,
    least_ink=0.0,
)


TINY_PAPER = PaperRecipe(d=4, epochs=3, batch_size=80, pairs_per_page=20, shreds_per_page=6, least_ink=0.05, held_out=3)


GENTLE = Wear(noise=0.1, fringe=0, rim_px=0, misaligned_px=0, mirror=False, turn=False)


def assert_same_weights(one, other):
    for a, b in zip(one.get_weights(), other.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)


def without_seconds(history):
    return [{name: value for name, value in entry.items() if name != "seconds"} for entry in history]


@pytest.mark.slow
def test_training_lowers_the_loss(pages, monkeypatch, capsys):
    monkeypatch.setattr(listwise, "VALIDATION_STEPS", 4)
    _, history = train(pages, replace(TINY, steps=30, every=10), GENTLE)
    assert [entry["step"] for entry in history] == [10, 20, 30]
    assert history[-1]["validation_loss"] < 0.8 * np.log(8)
    assert history[-1]["validation_smd"] > history[0]["validation_smd"]
    assert "validation_top1" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("recipe", [TINY, TINY_PAPER])
def test_a_training_that_was_stopped_goes_on_as_if_it_had_not_been(pages, tmp_path, recipe):
    whole, history = train(pages, recipe, GENTLE)

    def stop(fraction: float, text: str) -> None:
        if fraction >= 0.5:
            raise Cancelled

    checkpoint = tmp_path / "checkpoint.npz"
    with pytest.raises(Cancelled):
        train(pages, recipe, GENTLE, checkpoint=checkpoint, progress=stop)
    resumed_from = []
    resumed, resumed_history = train(
        pages,
        recipe,
        GENTLE,
        checkpoint=checkpoint,
        resume=True,
        progress=lambda fraction, text: resumed_from.append(fraction),
    )
    assert resumed_from[0] > 0
    assert_same_weights(resumed, whole)
    assert without_seconds(resumed_history) == without_seconds(history)
    # What is finished is not done again.
    again, _ = train(pages, recipe, GENTLE, checkpoint=checkpoint, resume=True)
    assert_same_weights(again, whole)


@pytest.mark.slow
@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize(("selection", "epoch"), [("smd", 1), ("loss", 3)])
def test_the_weights_kept_are_those_of_the_best_epoch(pages, monkeypatch, selection, epoch):
    def keep(recipe):
        measures = iter([(3.0, 9.0), (2.0, 8.0), (1.0, 7.0)])  # the loss is best at last, the SMD at first
        names = ("validation_loss", "validation_smd")
        monkeypatch.setattr(Contrastive, "validate", lambda self: dict(zip(names, next(measures), strict=True)))
        return train(pages, recipe, GENTLE)[0]

    kept, last = (
        keep(replace(TINY_PAPER, selection=selection)),
        keep(replace(TINY_PAPER, epochs=epoch, selection="loss")),
    )
    assert_same_weights(kept, last)


@pytest.mark.slow
@pytest.mark.usefixtures("untraced")
def test_a_checkpoint_of_other_pages_is_refused(pages, tmp_path):
    checkpoint = tmp_path / "checkpoint.npz"
    train(pages, replace(TINY, steps=1), GENTLE, checkpoint=checkpoint)
    others = Pages(pages.names, pages.margins[::-1])
    with pytest.raises(UsageError, match="another training: pages differ"):
        train(others, replace(TINY, steps=1), GENTLE, checkpoint=checkpoint, resume=True)


@pytest.mark.slow
@pytest.mark.usefixtures("untraced")
def test_pages_of_two_sources_and_sizes_are_trained_on_together(pages):
    small = Pages(["small"] * 3, pages.margins[:3, :300, :450])
    encoder, history = train([pages, small], replace(TINY, steps=2), GENTLE, shares=[1, 1])
    assert np.isfinite(history[-1]["loss"])
    other, _ = train([pages, small], replace(TINY, steps=2), GENTLE, shares=[1, 9])
    assert any((a != b).any() for a, b in zip(encoder.get_weights(), other.get_weights(), strict=True))


@pytest.mark.slow
def test_half_precision_leaves_the_weights_in_single_precision(pages, tmp_path, monkeypatch):
    monkeypatch.setattr(listwise, "VALIDATION_STEPS", 4)
    encoder, history = train(pages, replace(TINY, steps=20, every=20, dtype="mixed_bfloat16"), GENTLE)
    assert history[0]["validation_loss"] < 0.95 * np.log(8)
    assert {weights.dtype for weights in encoder.get_weights()} == {np.dtype(np.float32)}
    encoder.save(tmp_path / "encoder.keras")
    assert {layer.compute_dtype for layer in Encoder.load(tmp_path / "encoder.keras").model.layers} == {"float32"}


@pytest.mark.slow
@pytest.mark.usefixtures("untraced")
def test_a_training_that_diverges_says_so(pages):
    with pytest.raises(UsageError, match="smaller learning rate"):
        train(pages, replace(TINY_PAPER, epochs=1, learning_rate=float("inf")))


@pytest.mark.slow
def test_the_paper_has_no_shares(pages):
    with pytest.raises(UsageError, match="no shares to choose"):
        train([pages, pages], TINY_PAPER, shares=[1, 2])
