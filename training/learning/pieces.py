"""The recipe for pieces: the listwise recipe for short borders, which are read in grey.

A step takes a row of pieces of some pages each, cut in one direction. The true neighbour of every border is to be the
cheapest among all others of the step, as they lie and half-turned: those of the same row are the hardest.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal

import keras
import numpy as np

from core.embedding.piece_encoder import build_model
from core.embedding.piece_geometry import DEPTH_PX
from training.learning.listwise import Listwise, ListwiseTrainer, Recipe
from training.learning.losses import listwise_loss, shift_min_costs
from training.pages.intact import Margin
from training.pages.shredding import EDGE_PX, Cuts, Wear, read_darkness

WEAR = Wear(lost_px=2.0, ragged_px=0.3, wave_px=1.0, misaligned_px=1.0, noise=0.05, fringe=0.1, rim_px=2)
"""Crosswise machines cut finer than others: pieces lose 0 to 2 px of each side."""

FIRST_TEMPERATURE = 20.0
"""At which training begins, of borders of the usual number of rows."""


@dataclass(frozen=True)
class PieceRecipe(Recipe):
    """Everything that decides what is learned of pieces; see `training.learning.listwise.Recipe`.

    Attributes
    ----------
    direction : {"across", "down"}
        Which cuts are learned: between pieces side by side, or between one and the next below.
    """

    name: ClassVar[str] = "pieces"

    steps: int = 5000
    every: int = 500
    pages_per_step: int = 8
    cuts_per_page: int = 48
    rows: int = 480
    max_shift_rows: int = 2
    dtype: Literal["float32", "mixed_bfloat16"] = "mixed_bfloat16"
    direction: Literal["across", "down"] = "across"


class PieceTrainer(ListwiseTrainer):
    """The encoder of pieces between reading the borders from the pages and comparing them.

    Returns the logits of joins as they lie, with the right one half-turned, and with the left one half-turned, and the
    weight of every cut.
    """

    def call(self, inputs: dict[str, Any]) -> tuple[Any, ...]:
        """Compute ``-cost / temperature`` for all pairs of borders of a step, and which cuts have enough ink."""
        ops = keras.ops
        right, left = read_darkness(
            inputs["margins"], Cuts(**{field.name: inputs[field.name] for field in fields(Cuts)}), DEPTH_PX
        )
        inner = ops.concatenate([right[:, :, EDGE_PX:], left[:, :, EDGE_PX:]], axis=2)
        enough = ops.cast(ops.mean(inner, axis=(1, 2, 3)) >= self.least_ink, "float32")
        # A half-turned piece shows the border that was its right one on its left, upside down.
        before = ops.concatenate([right, ops.flip(left, 1), ops.zeros_like(right[:1])])
        behind = ops.concatenate([left, ops.flip(right, 1), ops.zeros_like(left[:1])])
        before, behind = (ops.cast(embeddings, "float32") for embeddings in self.encoder([before, behind]))
        before, behind = before[:-1] - before[-1:], behind[:-1] - behind[-1:]
        n = right.shape[0]
        pairs = (before[:n], behind[:n]), (before[:n], behind[n:]), (before[n:], behind[:n])
        costs = [shift_min_costs(*pair, self.max_shift_rows) for pair in pairs]
        # No piece lies beside itself.
        never = 1e9 * ops.eye(n)
        as_they_lie, *turned = (-cost * ops.exp(-self.log_temperature) for cost in costs)
        return as_they_lie, *(logits - never for logits in turned), enough

    def compute_loss(self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None) -> Any:
        """Compute the listwise loss of a step; the outputs hold all that it needs."""
        as_they_lie, right_turned, left_turned, weights = y_pred
        return listwise_loss(weights, as_they_lie, right_turned, left_turned)


class Pieces(Listwise):
    """The recipe for pieces as `training.learning.loop.train` runs it."""

    recipe: PieceRecipe

    def _networks(self, recipe: Recipe) -> tuple[keras.Model, keras.Model]:
        encoder = build_model(recipe.d)
        model = PieceTrainer(encoder, recipe.max_shift_rows, recipe.least_ink)
        # Costs are sums along the cut: those of short borders are smaller.
        model.log_temperature.assign(np.log(FIRST_TEMPERATURE * recipe.rows / PieceRecipe.rows))
        return encoder, model

    def _as_cut(self, pages: Sequence[Margin]) -> list[Margin]:
        return [page.T for page in pages] if self.recipe.direction == "down" else list(pages)
