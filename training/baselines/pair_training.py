"""Trains the network of the pairwise baseline; the command is `training.baselines.pairwise`."""

import hashlib
import json
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import keras
import numpy as np
from numpy.typing import NDArray

from training.baselines.pair_samples import Samples, Sampling, draw_samples
from training.baselines.squeezenet import build_judge
from training.card import write_weights
from training.corpus import Pages


@dataclass(frozen=True)
class PairRecipe:
    """What decides what is learned.

    Attributes
    ----------
    epochs : int
        In each, all pages are cut once.
    batch_size : int
        Samples of a step.
    learning_rate : float
        At the start; it falls to 0 along a cosine.
    held_out : int
        Every so-many-th page is kept for validation.
    seed : int
        Of all chance.
    """

    epochs: int = 10
    batch_size: int = 128
    learning_rate: float = 1e-3
    held_out: int = 8
    seed: int = 1


def train_judge(pages: Pages, recipe: PairRecipe) -> tuple[keras.Model, list[dict[str, float]]]:
    """Train the network on windows of seams.

    Parameters
    ----------
    pages : Pages
        Intact pages, more than `PairRecipe.held_out` of them.
    recipe : PairRecipe
        What decides the result.

    Returns
    -------
    judge : keras.Model
        As `training.baselines.squeezenet.build_judge` makes it, of the epoch that was right most often in validation.
    history : list of dict
        One entry per epoch: epoch, loss, accuracy, validation_loss, validation_accuracy, seconds.
    """
    keras.utils.set_random_seed(recipe.seed)
    judge = build_judge()
    trainer = keras.Model(judge.input, keras.layers.GlobalAveragePooling2D()(judge.output))
    held_out = np.arange(len(pages.names)) % recipe.held_out == recipe.held_out - 1
    training = pages.select(np.flatnonzero(~held_out).tolist())
    validation = draw_samples(np.random.default_rng([recipe.seed, 0]), pages.select(np.flatnonzero(held_out).tolist()))
    began = time.perf_counter()
    history: list[dict[str, float]] = []
    best_accuracy, best_weights = -1.0, judge.get_weights()
    for epoch in range(1, recipe.epochs + 1):
        samples = draw_samples(np.random.default_rng([recipe.seed, epoch]), training)
        if epoch == 1:
            steps = recipe.epochs * (len(samples.neighbours) // recipe.batch_size)
            _compile(trainer, recipe, steps)
        loss, accuracy = _train_epoch(trainer, samples, np.random.default_rng([recipe.seed, epoch, 1]), recipe)
        measured = trainer.evaluate(_inputs(validation), validation.neighbours, 256, verbose=0, return_dict=True)
        entry = {
            "epoch": epoch,
            "loss": loss,
            "accuracy": accuracy,
            "validation_loss": float(measured["loss"]),
            "validation_accuracy": float(measured["accuracy"]),
            "seconds": time.perf_counter() - began,
        }
        history.append(entry)
        print("  ".join(f"{name} {value:.4g}" for name, value in entry.items()), flush=True)
        if entry["validation_accuracy"] > best_accuracy:
            best_accuracy, best_weights = entry["validation_accuracy"], judge.get_weights()
    judge.set_weights(best_weights)
    return judge, history


def _compile(trainer: keras.Model, recipe: PairRecipe, steps: int) -> None:
    schedule = keras.optimizers.schedules.CosineDecay(
        0.0, steps, warmup_target=recipe.learning_rate, warmup_steps=min(200, steps // 10 + 1)
    )
    trainer.compile(
        keras.optimizers.Adam(schedule, clipnorm=1.0),
        loss=keras.losses.BinaryCrossentropy(from_logits=True),
        metrics=[keras.metrics.BinaryAccuracy(name="accuracy", threshold=0.0)],
    )


def _train_epoch(
    trainer: keras.Model, samples: Samples, rng: np.random.Generator, recipe: PairRecipe
) -> tuple[float, float]:
    """Go once through samples in random order; gives mean loss and accuracy."""
    order = rng.permutation(len(samples.neighbours))
    trainer.reset_metrics()
    measured = {"loss": 0.0, "accuracy": 0.0}
    for start in range(0, len(order) - recipe.batch_size + 1, recipe.batch_size):
        chosen = order[start : start + recipe.batch_size]
        batch = Samples(samples.seams[chosen], samples.neighbours[chosen])
        measured = trainer.train_on_batch(_inputs(batch), batch.neighbours, return_dict=True)
    return float(measured["loss"]), float(measured["accuracy"])


def _inputs(samples: Samples) -> NDArray[np.float32]:
    return samples.seams[..., None].astype(np.float32)


def save_judge(
    judge: keras.Model, path: Path, pages: Pages, recipe: PairRecipe, history: list[dict[str, float]]
) -> None:
    """Write weights and beside them their card: what they were trained on and how, and their hash."""
    write_weights(judge, path)
    card = {
        "weights": path.name,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "recipe": "pairwise",
        "settings": asdict(recipe),
        "sampling": asdict(Sampling()),
        "pages": {"n": len(pages.names), "sha256": hashlib.sha256(pages.margins.tobytes()).hexdigest()},
        "history": history,
        "versions": {"keras": keras.__version__, "backend": keras.backend.backend(), "numpy": np.__version__},
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
    }
    path.with_suffix(".json").write_text(json.dumps(card, indent=1) + "\n")
