"""Trains the encoder on intact pages cut in software: ``python -m training.train PAGES -o encoder.keras``.

The listwise recipe: a step takes some pages, cuts each along random curves, embeds both borders of every cut, forms the
matrix of shift-min costs between all of them, and asks for every border that its true neighbour be the cheapest of all.
It trains on the very thing that is used.
"""

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import keras
import numpy as np

from core.encoder import build_model
from core.parallel import map_in_order
from training.corpus import Pages, find_pages, load_pages, read_pages
from training.losses import listwise_loss, shift_min_costs
from training.shredding import EDGE_PX, Cuts, Wear, draw_cuts, read_cuts

VALIDATION_STEPS = 16


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what is learned.

    Attributes
    ----------
    d : int
        Dimension of the embedding.
    steps : int
        Steps of the optimizer.
    pages_per_step, cuts_per_page, rows : int
        Size of a step: so many pages, cut so often, borders of so many pixel rows.
    learning_rate : float
        At the start; it falls to 0 along a cosine.
    max_shift_rows : int
        Largest vertical shift in the costs.
    least_ink : float
        Cuts with a smaller share of ink in both borders together are left out of the loss.
    held_out : int
        Every so-many-th page is kept for validation.
    seed : int
        Of all chance: initial weights, cuts, wear.
    """

    d: int = 32
    steps: int = 2500
    pages_per_step: int = 6
    cuts_per_page: int = 16
    rows: int = 3072
    learning_rate: float = 1e-3
    max_shift_rows: int = 3
    least_ink: float = 0.002
    held_out: int = 8
    seed: int = 1


class ListwiseTrainer(keras.Model):
    """The encoder with a learned temperature on top: gives the logits of `listwise_loss`."""

    def __init__(self, encoder: keras.Model, max_shift_rows: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.max_shift_rows = max_shift_rows
        self.log_temperature = self.add_weight(shape=(), initializer=keras.initializers.Constant(3.0), name="log_t")

    def call(self, inputs: Any) -> Any:
        """Give ``-cost / temperature`` for all pairs of borders of a step."""
        right, left = self.encoder(inputs)
        costs = shift_min_costs(right, left, self.max_shift_rows)
        return -costs * keras.ops.exp(-self.log_temperature)


class Top1(keras.metrics.Metric):
    """Share of right borders whose cheapest left border is the true one, over cuts that count."""

    def __init__(self) -> None:
        super().__init__(name="top1")
        self.right = self.add_weight(name="right", initializer="zeros")
        self.total = self.add_weight(name="total", initializer="zeros")

    def update_state(self, weights: Any, logits: Any, sample_weight: Any = None) -> None:
        """Count one step."""
        ops = keras.ops
        hit = ops.cast(ops.argmax(logits, axis=1) == ops.arange(logits.shape[0]), "float32")
        self.right.assign_add(ops.sum(hit * weights))
        self.total.assign_add(ops.sum(weights))

    def result(self) -> Any:
        """Give the share so far."""
        return self.right / keras.ops.maximum(self.total, 1.0)


class Batches:
    """Draws the steps' borders from pages; step number and seed decide everything."""

    def __init__(self, pages: Pages, recipe: Recipe, wear: Wear, stream: int) -> None:
        self.recipe, self.wear, self.stream = recipe, wear, stream
        self.size = pages.margins.shape[1:]
        self.n_pages = len(pages.margins)
        self.margins = keras.ops.convert_to_tensor(pages.margins)

    def draw(self, step: int) -> Cuts:
        """Draw the cuts of a step, on the processor."""
        rng = np.random.default_rng([self.recipe.seed, self.stream, step])
        per_step = self.recipe.pages_per_step
        pages = rng.choice(self.n_pages, per_step, replace=self.n_pages < per_step).astype(np.int32)
        return draw_cuts(rng, self.size, pages, self.recipe.cuts_per_page, self.recipe.rows, self.wear)

    def read(self, cuts: Cuts) -> tuple[list[Any], Any]:
        """Read the borders of a step, right and left, and the weight of every cut, on the device."""
        right, left = read_cuts(self.margins, cuts)
        # Noise and fringes at the edge are no evidence.
        inner = keras.ops.concatenate([right[:, :, :-EDGE_PX], left[:, :, EDGE_PX:]], axis=2)
        enough = keras.ops.mean(inner, axis=(1, 2, 3)) >= self.recipe.least_ink
        return [right, left], keras.ops.cast(enough, "float32")


def split(pages: Pages, held_out: int) -> tuple[Pages, Pages]:
    """Part pages into those to train on and every `held_out`-th, to validate on."""
    indices = np.arange(len(pages.names))
    validation = indices % held_out == held_out - 1
    return pages.select(indices[~validation]), pages.select(indices[validation])


def train(pages: Pages, recipe: Recipe, wear: Wear, *, every: int = 300) -> tuple[keras.Model, list[dict[str, float]]]:
    """Train an encoder.

    Parameters
    ----------
    pages : Pages
        Intact pages.
    recipe : Recipe
        What decides the result.
    wear : Wear
        How the simulated shredder treats the paper.
    every : int
        Steps between two validations.

    Returns
    -------
    encoder : keras.Model
        As `core.encoder.build_model` makes it, with the weights that did best in validation.
    history : list of dict
        One entry per validation: step, loss, top1, validation_loss, validation_top1, seconds.
    """
    keras.utils.set_random_seed(recipe.seed)
    encoder = build_model(recipe.d)
    model = ListwiseTrainer(encoder, recipe.max_shift_rows)
    schedule = keras.optimizers.schedules.CosineDecay(
        0.0, recipe.steps, warmup_target=recipe.learning_rate, warmup_steps=min(100, recipe.steps // 10 + 1)
    )
    model.compile(keras.optimizers.Adam(schedule, clipnorm=1.0), loss=listwise_loss, metrics=[Top1()])
    train_pages, validation_pages = split(pages, recipe.held_out)
    batches = Batches(train_pages, recipe, wear, stream=0)
    validation = Batches(validation_pages, recipe, replace(wear, mirror=False, turn=False), stream=1)

    validation_cuts = list(map_in_order(validation.draw, range(VALIDATION_STEPS)))

    history: list[dict[str, float]] = []
    best_loss, best_weights = float("inf"), encoder.get_weights()
    began = time.perf_counter()
    for step, cuts in enumerate(map_in_order(batches.draw, range(recipe.steps))):
        measured = model.train_on_batch(*batches.read(cuts), return_dict=True)
        if (step + 1) % every == 0 or step + 1 == recipe.steps:
            results = [model.test_on_batch(*validation.read(cuts), return_dict=True) for cuts in validation_cuts]
            entry = {
                "step": step + 1,
                "loss": float(measured["loss"]),
                "top1": float(measured["top1"]),
                "validation_loss": float(np.mean([result["loss"] for result in results])),
                "validation_top1": float(results[-1]["top1"]),
                "temperature": float(np.exp(keras.ops.convert_to_numpy(model.log_temperature))),
                "seconds": time.perf_counter() - began,
            }
            model.reset_metrics()
            history.append(entry)
            print("  ".join(f"{name} {value:.4g}" for name, value in entry.items()), flush=True)
            if entry["validation_loss"] < best_loss:
                best_loss, best_weights = entry["validation_loss"], encoder.get_weights()
    encoder.set_weights(best_weights)
    return encoder, history


def save(
    encoder: keras.Model, path: Path, pages: Pages, recipe: Recipe, wear: Wear, history: list[dict[str, float]]
) -> None:
    """Write weights and beside them their card: what they were trained on and how, and their hash."""
    encoder.save(path)
    card = {
        "weights": path.name,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "recipe": "listwise",
        "settings": asdict(recipe),
        "wear": asdict(wear),
        "pages": {"n": len(pages.names), "sha256": hashlib.sha256(pages.margins.tobytes()).hexdigest()},
        "history": history,
        "versions": {"keras": keras.__version__, "backend": keras.backend.backend(), "numpy": np.__version__},
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
    }
    path.with_name("card.json").write_text(json.dumps(card, indent=1) + "\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Train the encoder on intact pages."""
    defaults = Recipe()
    parser = argparse.ArgumentParser(prog="python -m training.train", description=main.__doc__)
    parser.add_argument("pages", type=Path, help="folder of intact pages, or a file made by training.corpus")
    parser.add_argument("-o", "--output", type=Path, required=True, help="weights to write, .keras; card.json beside")
    for name, value in asdict(defaults).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value, help="default: %(default)s")
    options = vars(parser.parse_args(arguments))
    path, output = options.pop("pages"), options.pop("output")
    recipe, wear = Recipe(**options), Wear()
    pages = load_pages(path) if path.is_file() else read_pages(find_pages(path))
    encoder, history = train(pages, recipe, wear)
    save(encoder, output, pages, recipe, wear, history)
    print(f"Weights written to {output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
