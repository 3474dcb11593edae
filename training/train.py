"""Trains the encoder on intact pages cut in software: ``python -m training.train PAGES... -o encoder.keras``.

``--recipe listwise`` (`training.listwise`) gives the better weights, ``--recipe paper`` (`training.contrastive`) those
of the publication. Beside the weights are written their card, the curves of the training and its checkpoint.

A training that was killed goes on with ``--resume`` and ends with the same weights, bit for bit, on the same machine;
on a graphics card only if its library is told to compute deterministically
(``XLA_FLAGS=--xla_gpu_deterministic_ops=true``).
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol, get_args, get_type_hints

import keras
import numpy as np

from core.errors import RejoinError, UsageError
from core.parallel import map_in_order
from core.progress import Progress, no_progress
from training.card import pages_sha256, save, versions
from training.checkpoints import Progressed, load_checkpoint, save_checkpoint
from training.contrastive import Contrastive, PaperRecipe
from training.corpus import Pages, pages_of
from training.curves import draw_curves
from training.listwise import Listwise, Recipe, compute_in
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
    recipe: Recipe | PaperRecipe,
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
        As `core.matching.encoder.build_model` makes it, with the weights that did best in validation.
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
    recipe: Recipe | PaperRecipe, wear: Wear, sources: list[Pages], shares: Sequence[float] | None, validate_on: int
) -> Training:
    """Make the networks with their initial weights, and the optimizer's state."""
    pages, held_out = split(sources, recipe.held_out, shares, validate_on=validate_on)
    training: Training
    if isinstance(recipe, Recipe):
        training = Listwise(recipe, pages, held_out, wear)
    elif shares is None:
        training = Contrastive(recipe, pages, held_out)
    else:
        raise UsageError("The paper's recipe takes every page once in an epoch, so there are no shares to choose.")
    training.model.optimizer.build(training.model.trainable_variables)
    return training


def _settings(
    recipe: Recipe | PaperRecipe, wear: Wear, sources: list[Pages], shares: Sequence[float] | None, validate_on: int
) -> dict[str, Any]:
    """List everything that decides the result: what a checkpoint must agree with."""
    settings = asdict(recipe) | {"recipe": recipe.name, "wear": asdict(wear), "versions": versions()}
    settings |= {"pages": [pages_sha256(source) for source in sources]}
    return settings | {"shares": shares, "validate_on": validate_on}


def _on_device(batch: tuple[Any, Any]) -> tuple[Any, Any]:
    """Begin sending the inputs of a step to the fast device, ahead of their use."""
    inputs, targets = batch
    return keras.tree.map_structure(keras.ops.convert_to_tensor, inputs), targets


def _show(fraction: float, text: str) -> None:
    """Show progress on a terminal, in a line that the next output overwrites."""
    if sys.stderr.isatty():
        print(f"{text} ({fraction:.0%})", end="\n" if fraction == 1 else "\r", file=sys.stderr, flush=True)


def _parse(arguments: Sequence[str] | None) -> tuple[argparse.Namespace, Recipe | PaperRecipe]:
    """Read the command line; every setting of the chosen recipe is an option."""
    recipes = {recipe.name: recipe for recipe in (Recipe, PaperRecipe)}
    first = argparse.ArgumentParser(add_help=False)
    first.add_argument("--recipe", choices=recipes, default=Recipe.name, help="default: %(default)s")
    chosen = recipes[first.parse_known_args(arguments)[0].recipe]
    parser = argparse.ArgumentParser(prog="python -m training.train", description=main.__doc__, parents=[first])
    parser.add_argument(
        "pages", type=Path, nargs="+", help="files made by training.corpus, or folders of intact pages; each a source"
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, help="weights to write, .keras; card.json and curves.png beside"
    )
    parser.add_argument(
        "--shares", type=float, nargs="+", help="part of the pages that each source supplies (default: equal parts)"
    )
    parser.add_argument("--validate-on", type=int, default=0, help="source to validate on (default: the first, 0)")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint beside the output")
    settings = parser.add_argument_group(f"settings of the recipe {chosen.name}")
    defaults = asdict(chosen())
    kinds = get_type_hints(chosen)
    for name, value in defaults.items():
        settings.add_argument(
            f"--{name.replace('_', '-')}",
            type=type(value),
            default=value,
            choices=get_args(kinds[name]) or None,
            help="default: %(default)s",
        )
    options = parser.parse_args(arguments)
    if options.output.suffix != ".keras":
        parser.error(f"weights are written to a file named .keras, not {options.output.name}")
    return options, chosen(**{name: getattr(options, name) for name in defaults})


def main(arguments: Sequence[str] | None = None) -> int:
    """Train the encoder on intact pages."""
    options, recipe = _parse(arguments)
    wear = Wear()
    try:
        sources = [pages_of(path) for path in options.pages]
        encoder, history = train(
            sources,
            recipe,
            wear,
            shares=options.shares,
            validate_on=options.validate_on,
            checkpoint=options.output.with_suffix(".checkpoint.npz"),
            resume=options.resume,
            progress=_show,
        )
        save(encoder, options.output, sources, recipe, wear, history, options.shares, options.validate_on)
        print(f"Weights written to {options.output}")
        draw_curves(history, recipe.selection, options.output.with_name("curves.png"))
    except RejoinError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        print("There is no picture of the curves, for matplotlib is missing: draw it later with training.curves.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
