"""The encoder of pieces: networks that map the four borders of a cross-cut piece into metric spaces.

Two pairs of networks: one for cuts down the page, between a piece and the one to its right, and one for cuts across it,
between a piece and the one below. A piece's borders are short, so they are read finer than those of strips: grey, each
two pixels along the cut.
"""

from functools import lru_cache
from typing import Any, Self

import keras
import numpy as np
from keras import layers

from core.arrays import Floats, Pixels
from core.embedding.piece_geometry import DARKEST, DEPTH_PX, DIRECTIONS, Direction
from core.embedding.weights_file import load_network
from core.parallel import map_in_order
from core.progress import Progress, no_progress
from core.system.keras_import import one_at_a_time
from core.system.places import piece_weights_path
from core.wording import QT_TRANSLATE_NOOP

_PER_BATCH = 32
_EMBEDDING = QT_TRANSLATE_NOOP("progress", "Embedding borders of pieces")


def _tower(border: Any, d: int, end: str) -> Any:
    """Embed a batch of borders; every layer keeps the rows, or halves them once, and makes the border shallower."""
    x = layers.Conv2D(32, 5, padding="same", activation="relu", name=f"{end}_conv1")(border)
    x = layers.Conv2D(48, 3, strides=(1, 2), padding="same", activation="relu", name=f"{end}_conv2")(x)
    x = layers.Conv2D(64, 3, strides=2, padding="same", activation="relu", name=f"{end}_conv3")(x)
    x = layers.Conv2D(96, 3, strides=(1, 2), padding="same", activation="relu", name=f"{end}_conv4")(x)
    x = layers.Conv2D(128, 3, strides=(1, 3), padding="same", activation="relu", name=f"{end}_conv5")(x)
    x = layers.Conv2D(128, (5, 1), padding="same", activation="relu", name=f"{end}_conv6")(x)
    x = layers.Conv2D(d, 1, name=f"{end}_embedding")(x)
    return layers.Reshape((-1, d), name=end)(x)


def build_model(d: int) -> keras.Model:
    """Build both networks of a direction, untrained, as one model.

    Parameters
    ----------
    d : int
        Dimension of the embedding.

    Returns
    -------
    keras.Model
        Takes ``[right, left]``, the borders before and behind a cut, of shape (n, rows, 24, 1), 0 for paper to 1 for
        print, column 0 at the cut; returns the list of their embeddings, each of shape (n, (rows + 1) // 2, d).
    """
    ends = ("right", "left")
    inputs = [keras.Input((None, DEPTH_PX, 1), name=f"{end}_border") for end in ends]
    towers = [_tower(border, d, end) for border, end in zip(inputs, ends, strict=True)]
    return keras.Model(inputs, towers, name="piece_encoder")


class PieceEncoder:
    """The trained networks of both directions.

    Attributes
    ----------
    d : int
        Dimension of the embeddings.
    sha256 : str
        Of both weights files.
    """

    def __init__(self, models: dict[Direction, keras.Model], sha256: str = "") -> None:
        self.d = int(models["across"].outputs[0].shape[-1])
        self.sha256 = sha256
        self._networks = {
            (direction, end): keras.Model(border, embedding)
            for direction, model in models.items()
            for end, border, embedding in zip(("right", "left"), model.inputs, model.outputs, strict=True)
        }
        self._turn = one_at_a_time()

    @classmethod
    def load(cls) -> Self:
        """Load the weights that ship.

        Returns
        -------
        PieceEncoder
            Ready to embed.

        Raises
        ------
        UsageError
            If a file is missing or damaged.
        """
        models, hashes = {}, []
        for direction in DIRECTIONS:
            models[direction], sha256 = load_network(
                piece_weights_path(direction),
                lambda model, sha256: (model, sha256),
                ["right_border", "left_border"],
                otherwise="holds no weights of Rejoin's encoder of pieces.",
                remedy="Install Rejoin again.",
            )
            hashes.append(sha256)
        return cls(models, "+".join(hashes))

    def embed(self, borders: Pixels, direction: Direction, end: str, progress: Progress = no_progress) -> Floats:
        """Embed borders.

        Parameters
        ----------
        borders : ndarray of shape (n, rows, 24), uint8
            0 for paper to 255 for print, column 0 at the cut; n may be 0.
        direction : {"across", "down"}
            Of the join.
        end : {"right", "left"}
            Whether these are borders before the cut (right or bottom ones) or behind it (left or top ones).
        progress : Progress
            Fraction and text.

        Returns
        -------
        ndarray of shape (n, rows / 2, d), float32
            Against the embedding of blank paper: 0 where no print is near.
        """
        blank = self._run(np.zeros((1, *borders.shape[1:]), np.uint8), direction, end)
        batches = [borders[start : start + _PER_BATCH] for start in range(0, len(borders), _PER_BATCH)]
        results = map_in_order(lambda some: self._run(some, direction, end) - blank, batches, _EMBEDDING, progress)
        return np.concatenate([blank[:0], *results])

    def _run(self, borders: Pixels, direction: Direction, end: str) -> Floats:
        # Batches of one size: on some processors other instructions compute the last borders of a batch.
        inputs = np.zeros((_PER_BATCH, *borders.shape[1:], 1), np.float32)
        inputs[: len(borders), ..., 0] = borders / np.float32(DARKEST)
        with self._turn:
            return np.asarray(self._networks[direction, end].predict_on_batch(inputs), np.float32)[: len(borders)]


@lru_cache(maxsize=1)
def shipped() -> PieceEncoder:
    """Return the encoder of pieces that ships, loaded when it is first asked for."""
    return PieceEncoder.load()
