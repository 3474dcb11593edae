"""The listwise recipe: choose every border's true neighbour among all others.

A step takes some pages, cuts each along random curves, embeds both borders of every cut, forms the matrix of shift-min
costs between all of them, and asks for every border that its true neighbour be the cheapest of all. It trains on the
very thing that is used.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, ClassVar, Literal

import keras
import numpy as np

from core.embedding.encoder import build_model
from core.embedding.geometry import SAMPLE_HEIGHT_PX
from core.parallel import map_in_order
from training.learning.losses import listwise_loss, shift_min_costs, standardized_mean_difference
from training.pages.intact import Margin, copy_pages
from training.pages.mixture import Mixture
from training.pages.shredding import EDGE_PX, Cuts, Wear, draw_cuts, read_cuts

VALIDATION_STEPS = 16


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what is learned listwise.

    Attributes
    ----------
    d : int
        Dimension of the embedding.
    sample_height_px : int
        Pixel rows that an embedding describes.
    steps : int
        Steps of the optimizer.
    every : int
        Steps between two validations.
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
    selection : {"loss", "smd"}
        The weights kept are those with the smallest validation loss or with the largest standardized mean difference.
    dtype : {"float32", "mixed_bfloat16"}
        Precision in which the networks compute while they are trained; weights and costs are float32 in any case.
    seed : int
        Of all chance: initial weights, cuts, wear.
    """

    name: ClassVar[str] = "listwise"

    d: int = 32
    sample_height_px: int = SAMPLE_HEIGHT_PX
    steps: int = 2500
    every: int = 300
    pages_per_step: int = 6
    cuts_per_page: int = 16
    rows: int = 3072
    learning_rate: float = 1e-3
    max_shift_rows: int = 3
    least_ink: float = 0.002
    held_out: int = 8
    selection: Literal["loss", "smd"] = "loss"
    dtype: Literal["float32", "mixed_bfloat16"] = "float32"
    seed: int = 1


class ListwiseTrainer(keras.Model):
    """The encoder between reading the borders from the pages and comparing them, all on the fast device.

    Takes the fields of `Cuts` and the margins of the pages that they refer to; returns the logits of `listwise_loss`
    and the weight of every cut.
    """

    def __init__(self, encoder: keras.Model, max_shift_rows: int, least_ink: float) -> None:
        # Places on a page need single precision, whatever the encoder computes in.
        super().__init__(dtype="float32")
        self.encoder = encoder
        self.max_shift_rows = max_shift_rows
        self.least_ink = least_ink
        self.log_temperature = self.add_weight(shape=(), initializer=keras.initializers.Constant(3.0), name="log_t")

    def call(self, inputs: dict[str, Any]) -> tuple[Any, Any]:
        """Compute ``-cost / temperature`` for all pairs of borders of a step, and which cuts have enough ink."""
        ops = keras.ops
        cuts = Cuts(**{field.name: inputs[field.name] for field in fields(Cuts)})
        right, left = read_cuts(inputs["margins"], cuts)
        # Noise and fringes at the edge are no evidence.
        inner = ops.concatenate([right[:, :, :-EDGE_PX], left[:, :, EDGE_PX:]], axis=2)
        enough = ops.cast(ops.mean(inner, axis=(1, 2, 3)) >= self.least_ink, "float32")
        right, left = (ops.cast(embeddings, "float32") for embeddings in self.encoder([right, left]))
        costs = shift_min_costs(right, left, self.max_shift_rows)
        return -costs * ops.exp(-self.log_temperature), enough

    def compute_loss(self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None) -> Any:
        """Compute the listwise loss of a step; the outputs hold all that it needs."""
        logits, weights = y_pred
        return listwise_loss(weights, logits)


class Listwise:
    """The listwise recipe as `training.learning.loop.train` runs it.

    Attributes
    ----------
    encoder : keras.Model
        Being trained.
    model : keras.Model
        The encoder and what makes a loss of it, compiled.
    steps, every : int
        Of the optimizer: all of them, and between two validations.
    """

    def __init__(self, recipe: Recipe, training: Mixture, validation: Mixture, wear: Wear) -> None:
        self.recipe = recipe
        # Mirrored and upside-down pages serve training; validation is on pages as they are.
        self._training, self._validation = (training, wear), (validation, replace(wear, mirror=False, turn=False))
        self.steps, self.every = recipe.steps, recipe.every
        self.encoder, self.model = self._networks(recipe)
        compute_in(self.encoder, recipe.dtype)
        self.model.compile(optimizer(recipe.learning_rate, recipe.steps, most_warmup=100))

    def _networks(self, recipe: Recipe) -> tuple[keras.Model, keras.Model]:
        """Build the encoder, and the model that makes a loss of it."""
        encoder = build_model(recipe.d, sample_height_px=recipe.sample_height_px)
        return encoder, ListwiseTrainer(encoder, recipe.max_shift_rows, recipe.least_ink)

    def batch(self, step: int) -> tuple[dict[str, Any], None]:
        """Return the inputs of a step; there are no targets."""
        return self._draw(*self._training, stream=0, step=step), None

    def _draw(self, pages: Mixture, wear: Wear, stream: int, step: int) -> dict[str, Any]:
        """Draw the cuts of a step and copy the pages that they go through; step number and seed decide everything.

        Returns
        -------
        dict
            What `ListwiseTrainer` takes.
        """
        rng = np.random.default_rng([self.recipe.seed, stream, step])
        drawn = self._as_cut(pages.draw(rng, self.recipe.pages_per_step))
        places = np.arange(len(drawn), dtype=np.int32)
        sizes = [page.shape for page in drawn]
        cuts = draw_cuts(rng, sizes, places, self.recipe.cuts_per_page, self.recipe.rows, wear)
        inputs = {field.name: getattr(cuts, field.name) for field in fields(Cuts)}
        (largest,) = self._as_cut([np.empty(pages.size, np.int8)])
        return inputs | {"margins": copy_pages(drawn, largest.shape)}

    def _as_cut(self, pages: Sequence[Margin]) -> list[Margin]:
        """Return pages as cuts go down them."""
        return list(pages)

    def validate(self) -> dict[str, float]:
        """Measure the encoder on held-out pages, the same cuts each time.

        Returns
        -------
        dict of float
            The mean loss; the share of right borders whose cheapest left border is the true one; the standardized mean
            difference between costs of wrong and of right joins; the temperature.
        """
        losses, hits, right, wrong = [], [], [], []
        draw = partial(self._draw, *self._validation, 1)
        for inputs in map_in_order(draw, range(VALIDATION_STEPS)):
            logits, *others, weights = self.model.predict_on_batch(inputs)
            losses.append(float(listwise_loss(weights, logits, *others)))
            counts = weights > 0
            logits = logits[counts][:, counts]
            true = np.eye(len(logits), dtype=np.bool_)
            hits.append(logits.argmax(axis=1) == np.arange(len(logits)) if len(logits) else np.zeros(0))
            right.append(-logits[true])
            wrong.append(-logits[~true])
        return {
            "validation_loss": float(np.mean(losses)),
            "validation_top1": float(np.concatenate(hits).mean()),
            "validation_smd": standardized_mean_difference(np.concatenate(right), np.concatenate(wrong)),
            "temperature": float(np.exp(keras.ops.convert_to_numpy(self.model.log_temperature))),
        }


def optimizer(learning_rate: float, steps: int, *, most_warmup: int) -> keras.optimizers.Optimizer:
    """Build an optimizer whose learning rate rises for a tenth of the steps at most, then falls along a cosine."""
    warmup = min(most_warmup, steps // 10 + 1)
    schedule = keras.optimizers.schedules.CosineDecay(0.0, steps, warmup_target=learning_rate, warmup_steps=warmup)
    return keras.optimizers.Adam(schedule, clipnorm=1.0)


def compute_in(encoder: keras.Model, dtype: str) -> None:
    """Choose the precision in which the layers of an encoder compute; the weights stay float32."""
    for layer in encoder.layers:
        layer.dtype_policy = dtype
