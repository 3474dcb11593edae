"""Trains the encoder on intact pages cut in software: ``python -m training.train PAGES... -o encoder.keras``.

A training that was killed goes on with ``--resume`` and ends with the same weights, bit for bit, on the same machine; on
a graphics card only if its library is told to compute deterministically
(``XLA_FLAGS=--xla_gpu_deterministic_ops=true``).
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

import keras
import numpy as np

from core.encoder import build_model
from core.errors import RejoinError
from core.parallel import map_in_order
from core.progress import Progress, no_progress
from training.card import pages_sha256, save, versions
from training.checkpoints import Progressed, load_checkpoint, save_checkpoint
from training.corpus import Pages, find_pages, load_pages, read_pages
from training.listwise import Listwise, Recipe
from training.mixture import split
from training.shredding import Wear

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
        """Give inputs and targets of a step; nothing but the step's number decides them. Called from any thread."""

    def validate(self) -> Entry:
        """Measure the encoder on held-out pages: validation_loss, validation_smd and more."""


def print_entry(entry: Entry) -> None:
    """Print what was measured, on a line."""
    print("  ".join(f"{name} {value:.4g}" for name, value in entry.items()), flush=True)


def train(
    pages: Pages | Sequence[Pages],
    recipe: Recipe,
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
    recipe : Recipe
        What decides the result.
    wear : Wear
        How the simulated shredder treats the paper.
    shares : sequence of float, optional
        What part of the pages of a step each source supplies; equal parts if not given.
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
        As `core.encoder.build_model` makes it, with the weights that did best in validation.
    history : list of dict
        An entry per validation.

    Raises
    ------
    UsageError
        If there are too few pages, or the checkpoint is one of another training.
    """
    sources = [pages] if isinstance(pages, Pages) else list(pages)
    keras.utils.set_random_seed(recipe.seed)
    training = Listwise(recipe, *split(sources, recipe.held_out, shares, validate_on=validate_on), wear)
    training.model.optimizer.build(training.model.trainable_variables)
    variables = [*training.model.variables, *training.model.optimizer.variables]
    settings: dict[str, Any] = {}
    if checkpoint is not None:
        given = {"shares": list(shares or []), "validate_on": validate_on}
        given |= {"pages": [pages_sha256(source) for source in sources], "versions": versions()}
        settings = asdict(recipe) | {"wear": list(map(str, asdict(wear).items()))} | given
    progressed = Progressed()
    if checkpoint is not None and resume and checkpoint.exists():
        progressed = load_checkpoint(checkpoint, variables, settings)

    def prepare(step: int) -> tuple[Any, Any]:
        inputs, targets = training.batch(step)
        return keras.tree.map_structure(keras.ops.convert_to_tensor, inputs), targets

    began = time.perf_counter() - (progressed.history[-1]["seconds"] if progressed.history else 0.0)
    losses: list[float] = []
    remaining = range(progressed.step, training.steps)
    for step, batch in zip(remaining, map_in_order(prepare, remaining), strict=True):
        progress(step / training.steps, f"Training, step {step + 1} of {training.steps}")
        losses.append(float(training.model.train_on_batch(*batch, return_dict=True)["loss"]))
        if (step + 1) % training.every == 0 or step + 1 == training.steps:
            entry = {"step": step + 1, "loss": float(np.mean(losses))} | training.validate()
            entry["seconds"] = time.perf_counter() - began
            losses.clear()
            report(entry)
            progressed.step = step + 1
            progressed.history.append(entry)
            score = entry["validation_smd"] if recipe.selection == "smd" else -entry["validation_loss"]
            if score > progressed.best_score:
                progressed.best_score, progressed.best_weights = score, training.encoder.get_weights()
            if checkpoint is not None:
                save_checkpoint(checkpoint, progressed, variables, settings)
    progress(1.0, "Training")
    encoder = build_model(recipe.d)
    encoder.set_weights(progressed.best_weights)
    return encoder, progressed.history


def _show(fraction: float, text: str) -> None:
    """Show progress on a terminal, in a line that is overwritten."""
    if sys.stderr.isatty():
        print(f"\r{text} ({fraction:.0%})", end="\n" if fraction == 1 else "", file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Train the encoder on intact pages."""
    defaults = Recipe()
    parser = argparse.ArgumentParser(prog="python -m training.train", description=main.__doc__)
    parser.add_argument(
        "pages", type=Path, nargs="+", help="files made by training.corpus, or folders of intact pages; each a source"
    )
    parser.add_argument("-o", "--output", type=Path, required=True, help="weights to write, .keras; card.json beside")
    parser.add_argument(
        "--shares", type=float, nargs="+", help="part of the pages that each source supplies (default: equal parts)"
    )
    parser.add_argument("--validate-on", type=int, default=0, help="source to validate on (default: the first, 0)")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint beside the output")
    for name, value in asdict(defaults).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value, help="default: %(default)s")
    options = vars(parser.parse_args(arguments))
    paths, output, shares, validate_on, resume = (
        options.pop(name) for name in ("pages", "output", "shares", "validate_on", "resume")
    )
    recipe, wear = Recipe(**options), Wear()
    checkpoint = output.with_suffix(".checkpoint.npz")
    try:
        sources = [load_pages(path) if path.is_file() else read_pages(find_pages(path)) for path in paths]
        encoder, history = train(
            sources,
            recipe,
            wear,
            shares=shares,
            validate_on=validate_on,
            checkpoint=checkpoint,
            resume=resume,
            progress=_show,
        )
        save(encoder, output, sources, recipe, wear, history, shares=shares)
    except RejoinError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    print(f"Weights written to {output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
