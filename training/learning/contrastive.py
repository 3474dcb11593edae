"""The paper's recipe: pairs of samples that belong together come close, others are pushed apart.

Paixão et al., CVPR 2020, sections 3 and 4.2: contrastive loss with margin 1, stochastic gradient descent with a
learning rate of 0.1 and batches of 256 pairs for 100 epochs, sigmoid embeddings; kept are the weights of the epoch with
the largest standardized mean difference on the pages held out, a tenth of all.

A sample is embedded as `core.embedding.encoder.Encoder` embeds a border of its height: lying in blank paper. So the
weights serve for whole borders as they are.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal

import keras
import numpy as np
from numpy.typing import NDArray

from core.embedding.encoder import build_model
from core.embedding.geometry import ROWS_ABOVE, SAMPLE_HEIGHT_PX, rows_below
from core.errors import UsageError
from core.parallel import map_in_order
from training.learning.losses import contrastive_loss, standardized_mean_difference
from training.pages.mixture import Mixture
from training.pages.samples import Noise, Pairs, concatenate, extract_pairs


@dataclass(frozen=True)
class PaperRecipe:
    """Everything that decides what is learned from pairs of samples; the defaults are the paper's.

    Attributes
    ----------
    d : int
        Dimension of the embedding.
    sample_height_px : int
        Height of a sample.
    epochs : int
        How often every pair is seen.
    batch_size : int
        Pairs of a step.
    learning_rate : float
        It stays the same.
    margin : float
        Distance to which pairs that do not belong together are pushed apart.
    shreds_per_page, pairs_per_page, stride_px, least_ink, noise_px, noise
        See `training.pages.samples.extract_pairs`.
    activation : {"sigmoid", "linear"}
        Of the last layer.
    held_out : int
        Every so-many-th page is kept for validation.
    selection : {"smd", "loss"}
        The weights kept are those with the largest standardized mean difference or with the smallest validation loss.
    seed : int
        Of all chance: initial weights, samples, their order.
    """

    name: ClassVar[str] = "paper"

    d: int = 128
    sample_height_px: int = SAMPLE_HEIGHT_PX
    epochs: int = 100
    batch_size: int = 256
    learning_rate: float = 0.1
    margin: float = 1.0
    shreds_per_page: int = 30
    pairs_per_page: int = 1000
    stride_px: int = 2
    least_ink: float = 0.2
    noise_px: int = 2
    noise: Noise = "paper"
    activation: Literal["sigmoid", "linear"] = "sigmoid"
    held_out: int = 10
    selection: Literal["loss", "smd"] = "smd"
    seed: int = 1


class PairTrainer(keras.Model):
    """Computes the squared distances of pairs of samples."""

    def __init__(self, encoder: keras.Model, margin: float) -> None:
        super().__init__()
        self.encoder = encoder
        self.margin = margin

    def call(self, samples: Any) -> Any:
        """Embed r-samples and l-samples, shape (n, 2, height, 32), and return their squared distances, shape (n,)."""
        ops = keras.ops
        height_px = samples.shape[2]
        around = [(0, 0), (ROWS_ABOVE, rows_below(height_px) + 1 - height_px), (0, 0), (0, 0)]
        borders = [ops.pad(ops.cast(samples[:, side], "float32")[..., None], around) for side in (0, 1)]
        right, left = self.encoder(borders)
        return ops.sum(ops.square(right - left), axis=(1, 2))

    def compute_loss(self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None) -> Any:
        """Compute the contrastive loss; the targets are 1 for pairs that belong together."""
        return contrastive_loss(y, y_pred, self.margin)


class Contrastive:
    """The paper's recipe as `training.learning.loop.train` runs it.

    Attributes
    ----------
    encoder : keras.Model
        Being trained.
    model : keras.Model
        The encoder and what makes a loss of it, compiled.
    steps, every : int
        Of the optimizer: all of them, and those of an epoch.
    """

    def __init__(self, recipe: PaperRecipe, training: Mixture, validation: Mixture) -> None:
        self.recipe = recipe
        self.encoder = build_model(recipe.d, recipe.activation, recipe.sample_height_px)
        # The initial values of the authors' program.
        rng = np.random.default_rng([recipe.seed, 0])
        for side in ("right", "left"):
            kernel = self.encoder.get_layer(f"{side}_embedding").kernel
            kernel.assign(rng.normal(0, 0.01, kernel.shape))
        self.model = PairTrainer(self.encoder, recipe.margin)
        self.model.compile(keras.optimizers.SGD(recipe.learning_rate))
        self._training = _pairs_of(training, recipe, stream=1)
        self._validation = _pairs_of(validation, recipe, stream=2)
        if not len(self._training.same) or not len(self._validation.same):
            raise UsageError(
                "The pages have too little ink to take samples from, in training or validation. Give more pages."
            )
        self.every = -(-len(self._training.same) // recipe.batch_size)
        self.steps = recipe.epochs * self.every
        self._order = lru_cache(maxsize=2)(self._shuffle)

    def _shuffle(self, epoch: int) -> NDArray[np.int_]:
        return np.random.default_rng([self.recipe.seed, 3, epoch]).permutation(len(self._training.same))

    def batch(self, step: int) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """Return the samples of a step, shape (n, 2, height, 32), and which pairs belong together."""
        epoch, place = divmod(step, self.every)
        start = place * self.recipe.batch_size
        return _take(self._training, self._order(epoch)[start : start + self.recipe.batch_size])

    def validate(self) -> dict[str, float]:
        """Measure the encoder on the pairs of held-out pages: loss, standardized mean difference, mean distances."""
        n, size = len(self._validation.same), self.recipe.batch_size
        batches = (np.arange(start, min(start + size, n)) for start in range(0, n, size))
        distances = np.concatenate([self.model.predict_on_batch(_take(self._validation, one)[0]) for one in batches])
        same = self._validation.same
        return {
            "validation_loss": float(contrastive_loss(same.astype(np.float32), distances, self.recipe.margin)),
            "validation_smd": standardized_mean_difference(distances[same], distances[~same]),
            "right_distance": float(np.sqrt(distances[same]).mean()),
            "wrong_distance": float(np.sqrt(distances[~same]).mean()),
        }


def _take(pairs: Pairs, indices: NDArray[np.int_]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    samples = np.ascontiguousarray(np.moveaxis(pairs.samples(indices), 0, 1))
    return samples, pairs.same[indices].astype(np.float32)


def _pairs_of(pages: Mixture, recipe: PaperRecipe, stream: int) -> Pairs:
    """Extract the pairs of all pages."""
    of_sources = zip(pages.sources, pages.indices, strict=True)
    margins = [source.margins[index] for source, indices in of_sources for index in indices]

    def extract(number: int) -> Pairs:
        return extract_pairs(
            np.random.default_rng([recipe.seed, stream, number]),
            margins[number] <= 0,
            sample_height_px=recipe.sample_height_px,
            n_shreds=recipe.shreds_per_page,
            n_pairs=recipe.pairs_per_page,
            stride_px=recipe.stride_px,
            least_ink=recipe.least_ink,
            noise_px=recipe.noise_px,
            noise=recipe.noise,
        )

    return concatenate(list(map_in_order(extract, range(len(margins)))))
