"""Trains the network of the pairwise baseline; the command is `training.baselines.pairwise`.

Samples are those that the CVPR paper trains on, too (`training.pages.samples`); with fewer pages, others are taken of
them in every epoch. Noise beside the cut must not be ink, which real cuts do not add: with salt and pepper, and
neighbours misaligned by up to 2 px, the network distrusts the columns that tell most, and D1 falls by 13 points.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import keras
import numpy as np
from numpy.typing import NDArray

from core.errors import UsageError
from training.baselines.squeezenet import build_judge
from training.learning.card import describe, save_with_card
from training.learning.listwise import optimizer
from training.learning.loop import print_entry
from training.pages.intact import Pages
from training.pages.samples import Pairs, concatenate, extract_pairs


@dataclass(frozen=True)
class PairRecipe:
    """What decides what is learned.

    Attributes
    ----------
    epochs : int
        In each, samples are taken of all pages anew.
    batch_size : int
        Samples of a step.
    learning_rate : float
        At the start; it falls to 0 along a cosine.
    least_ink : float
        Pairs of samples in which a smaller share of all pixels is ink are discarded.
    held_out : int
        Every so-many-th page is kept for validation.
    seed : int
        Of all chance.
    """

    name: ClassVar[str] = "pairwise"

    epochs: int = 20
    batch_size: int = 128
    learning_rate: float = 1e-3
    least_ink: float = 0.1
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

    Raises
    ------
    UsageError
        If the pages are too few or have too little ink.
    """
    keras.utils.set_random_seed(recipe.seed)
    judge = build_judge()
    trainer = keras.Model(judge.input, keras.layers.GlobalAveragePooling2D()(judge.output))
    held_out = np.arange(len(pages.names)) % recipe.held_out == recipe.held_out - 1
    training, kept = (pages.select(np.flatnonzero(chosen).tolist()) for chosen in (~held_out, held_out))
    validation = _draw_pairs(np.random.default_rng([recipe.seed, 0]), kept, recipe)
    began = time.perf_counter()
    history: list[dict[str, float]] = []
    best_accuracy, best_weights = -1.0, judge.get_weights()
    for epoch in range(1, recipe.epochs + 1):
        pairs = _draw_pairs(np.random.default_rng([recipe.seed, epoch]), training, recipe)
        if epoch == 1:
            _compile(trainer, recipe, recipe.epochs * (len(pairs.same) // recipe.batch_size))
        entry = {"epoch": epoch} | _train_epoch(trainer, pairs, np.random.default_rng([recipe.seed, epoch, 1]), recipe)
        measured = trainer.evaluate(*_seams(validation), 256, verbose=0, return_dict=True)
        entry |= {f"validation_{name}": float(measured[name]) for name in ("loss", "accuracy")}
        entry["seconds"] = time.perf_counter() - began
        history.append(entry)
        print_entry(entry)
        if entry["validation_accuracy"] > best_accuracy:
            best_accuracy, best_weights = entry["validation_accuracy"], judge.get_weights()
    judge.set_weights(best_weights)
    return judge, history


def _draw_pairs(rng: np.random.Generator, pages: Pages, recipe: PairRecipe) -> Pairs:
    """Draw pairs of samples from all pages."""
    of_pages = [extract_pairs(rng, margins <= 0, least_ink=recipe.least_ink) for margins in pages.margins]
    if sum(len(pairs.same) for pairs in of_pages) < recipe.batch_size:
        raise UsageError(
            f"{len(pages.names)} pages give too few samples, in training or validation: "
            f"they are few, or have little ink. Give more pages."
        )
    return concatenate(of_pages)


def _compile(trainer: keras.Model, recipe: PairRecipe, steps: int) -> None:
    trainer.compile(
        optimizer(recipe.learning_rate, steps, most_warmup=200),
        loss=keras.losses.BinaryCrossentropy(from_logits=True),
        metrics=[keras.metrics.BinaryAccuracy(name="accuracy", threshold=0.0)],
    )


def _train_epoch(trainer: keras.Model, pairs: Pairs, rng: np.random.Generator, recipe: PairRecipe) -> dict[str, float]:
    """Go once through pairs in random order; returns mean loss and accuracy."""
    order = rng.permutation(len(pairs.same))
    measured = []
    for start in range(0, len(order) - recipe.batch_size + 1, recipe.batch_size):
        of_batch = trainer.train_on_batch(*_seams(pairs, order[start : start + recipe.batch_size]), return_dict=True)
        measured.append((float(of_batch["loss"]), float(of_batch["accuracy"])))
    loss, accuracy = np.mean(measured, axis=0)
    return {"loss": float(loss), "accuracy": float(accuracy)}


def _seams(pairs: Pairs, indices: NDArray[np.intp] | None = None) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Lay the samples of pairs side by side, shape (n, 32, 64, 1), and say which belong together."""
    indices = np.arange(len(pairs.same)) if indices is None else indices
    return np.concatenate(pairs.samples(indices), axis=2)[..., None].astype(np.float32), pairs.same[indices]


def save_judge(
    judge: keras.Model, path: Path, pages: Pages, recipe: PairRecipe, history: list[dict[str, float]]
) -> None:
    """Write weights and beside them their card: what they were trained on and how, and their hash."""
    save_with_card(judge, path, path.with_suffix(".json"), recipe, history, {"pages": describe(pages)})
