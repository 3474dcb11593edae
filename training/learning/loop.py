"""The loop that trains an encoder by any recipe, validates it now and then, and keeps its best weights.

Keras' ``fit`` with BackupAndRestore and ModelCheckpoint would not do. The former keeps weights and epoch, but neither
the history nor the settings by which the checkpoint of another training is refused; the latter forgets over a restart
how good its best weights were.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import keras
import numpy as np

from core.errors import UsageError
from core.parallel import map_in_order
from core.progress import Progress, no_progress
from training.learning.card import pages_sha256, versions
from training.learning.checkpoints import Progressed, load_checkpoint, save_checkpoint
from training.learning.contrastive import Contrastive, PaperRecipe
from training.learning.listwise import Listwise, Recipe, compute_in
from training.learning.pieces import PieceRecipe, Pieces
from training.pages.intact import Pages
from training.pages.mixture import split
from training.pages.shredding import Wear

AnyRecipe: TypeAlias = Recipe | PieceRecipe | PaperRecipe

RECIPES: dict[str, type[AnyRecipe]] = {recipe.name: recipe for recipe in (Recipe, PieceRecipe, PaperRecipe)}
"""By name, the usual one first."""

Entry = dict[str, float]
"""What was measured at a validation: step, loss, validation_loss, validation_smd, seconds and more."""


class Training(Protocol):
    """What a recipe gives to `train`.

    Attributes
    ----------
    encoder : keras.Model
        Being trained.
    model : keras.Model
        The encoder and what makes a loss of it, compiled.
    steps, every : int
        Of the optimizer: all of them, and between two validations.
    """

    encoder: keras.Model
    model: keras.Model
    steps: int
    every: int

    def batch(self, step: int) -> tuple[Any, Any]:
        """Return inputs and targets of a step; nothing but the step's number decides them. Called from any thread."""

    def validate(self) -> Entry:
        """Measure the encoder on held-out pages: validation_loss, validation_smd and more."""


def print_entry(entry: Entry) -> None:
    """Print what was measured, on a line."""
    print("  ".join(f"{name} {value:.4g}" for name, value in entry.items()), flush=True)


def train(
    pages: Pages | Sequence[Pages],
    recipe: AnyRecipe,
    wear: Wear = Wear(),
    *,
    shares: Sequence[float] | None = None,
    validate_on: int = 0,
    checkpoint: Path | None = None,
    resume: bool = False,
    report: Callable[[Entry], None] = print_entry,
    progress: Progress = no_progress,
) -> tuple[keras.Model, list[Entry]]:
    """Train an encoder.

    Parameters
    ----------
    pages : Pages or sequence of Pages
        Intact pages, from one source or several.
    recipe : Recipe or PaperRecipe
        What decides the result.
    wear : Wear
        How the simulated shredder treats the paper; the paper's recipe has cuts of its own.
    shares : sequence of float, optional
        What part of the pages of a step each source supplies; equal parts if not given. The paper's recipe takes all
        pages of all sources.
    validate_on : int
        The source whose held-out pages are validated on.
    checkpoint : Path, optional
        File to which the state is written at every validation.
    resume : bool
        Go on from the checkpoint, if there is one.
    report : callable
        Called with what was measured at every validation.
    progress : Progress
        Fraction and text; raising from it stops the training.

    Returns
    -------
    encoder : keras.Model
        As `core.embedding.encoder.build_model` makes it, with the weights that did best in validation.
    history : list of dict
        An entry per validation.

    Raises
    ------
    UsageError
        If there are too few pages, shares do not fit, the checkpoint is one of another training, or training diverges.
    """
    sources = [pages] if isinstance(pages, Pages) else list(pages)
    keras.utils.set_random_seed(recipe.seed)
    training = _begin(recipe, wear, sources, shares, validate_on)
    variables = [*training.model.variables, *training.model.optimizer.variables]
    progressed, settings = Progressed(), {}
    if checkpoint is not None:
        settings = _settings(recipe, wear, sources, shares, validate_on)
        if resume and checkpoint.exists():
            progressed = load_checkpoint(checkpoint, variables, settings)

    history = progressed.history
    losses: list[float] = []
    began = time.perf_counter() - (history[-1]["seconds"] if history else 0.0)
    remaining = range(progressed.step, training.steps)
    batches = map_in_order(lambda step: _on_device(training.batch(step)), remaining)
    for step, batch in zip(remaining, batches, strict=True):
        loss = f", loss {losses[-1]:.3g}" if losses else ""
        progress(step / training.steps, f"Step {step + 1:,} of {training.steps:,}{loss}")
        losses.append(float(training.model.train_on_batch(*batch, return_dict=True)["loss"]))
        if (step + 1) % training.every == 0 or step + 1 == training.steps:
            entry = {"step": step + 1, "loss": float(np.mean(losses))} | training.validate()
            entry["seconds"] = time.perf_counter() - began
            losses.clear()
            score = entry["validation_smd"] if recipe.selection == "smd" else -entry["validation_loss"]
            progressed.add(entry, score, training.encoder)
            if checkpoint is not None:
                save_checkpoint(checkpoint, progressed, variables, settings)
            report(entry)
    progress(1.0, f"Step {training.steps:,} of {training.steps:,}")
    if not progressed.best_weights:
        raise UsageError("No validation gave a number: the training has diverged. Use a smaller learning rate.")
    compute_in(training.encoder, "float32")
    training.encoder.set_weights(progressed.best_weights)
    return training.encoder, history


def _begin(
    recipe: AnyRecipe, wear: Wear, sources: list[Pages], shares: Sequence[float] | None, validate_on: int
) -> Training:
    """Build the networks with their initial weights, and the optimizer's state."""
    pages, held_out = split(sources, recipe.held_out, shares, validate_on=validate_on)
    training: Training
    if isinstance(recipe, PieceRecipe):
        training = Pieces(recipe, pages, held_out, wear)
    elif isinstance(recipe, Recipe):
        training = Listwise(recipe, pages, held_out, wear)
    elif shares is None:
        training = Contrastive(recipe, pages, held_out)
    else:
        raise UsageError("The paper's recipe takes every page once in an epoch, so there are no shares to choose.")
    training.model.optimizer.build(training.model.trainable_variables)
    return training


def _settings(
    recipe: AnyRecipe, wear: Wear, sources: list[Pages], shares: Sequence[float] | None, validate_on: int
) -> dict[str, Any]:
    """List everything that decides the result: what a checkpoint must agree with."""
    settings = asdict(recipe) | {"recipe": recipe.name, "wear": asdict(wear), "versions": versions()}
    settings |= {"pages": [pages_sha256(source) for source in sources]}
    return settings | {"shares": shares, "validate_on": validate_on}


def _on_device(batch: tuple[Any, Any]) -> tuple[Any, Any]:
    """Begin sending the inputs of a step to the fast device, ahead of their use."""
    inputs, targets = batch
    return keras.tree.map_structure(keras.ops.convert_to_tensor, inputs), targets
