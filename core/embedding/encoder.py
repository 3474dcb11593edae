"""The encoder: f_left and f_right map borders into one metric space.

The network is the paper's: SqueezeNet 1.1 up to fire3, then a convolution over 7 × 7 positions to d channels, one
embedding every 4 pixel rows (Paixão et al., CVPR 2020, section 3.2; Iandola et al., arXiv:1602.07360). It is applied
to the whole height of a border at once. Only `keras` is used, so the same code runs on TensorFlow and on JAX.

A border is thought of as lying in an endless field of blank paper. So every embedding depends on 47 pixel rows alone,
and windows without ink, whose embedding is a constant of the network, need not be computed.
"""

from functools import cached_property, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self

import keras
import numpy as np
from keras import layers

from core.arrays import Floats, Mask
from core.embedding import geometry
from core.embedding.geometry import ROWS_ABOVE, SAMPLE_HEIGHT_PX, STRIDE_PX, n_embedding_rows
from core.embedding.weights_file import load_network
from core.parallel import map_in_order
from core.progress import Progress, no_progress
from core.shreds.shred import BORDER_WIDTH_PX, Side
from core.system.keras_import import BATCHES_AT_A_TIME, on_a_card, one_at_a_time
from core.system.places import way_up_weights_path, weights_path
from core.wording import QT_TRANSLATE_NOOP

BLOCK_ROWS = 64
"""Embeddings in a block of a border, which is computed at once."""

BLOCKS_PER_BATCH = 32
ON_A_CARD = 1024
"""The shape of a batch never changes, so that the network is compiled once; a graphics card takes more at once.

One more that is empty ends it: processors without AVX-512 compute the last of a batch by other instructions, and no
embedding may depend on what it is computed with.
"""

if TYPE_CHECKING:
    from core.embedding.way_up import WayUp

_EMBEDDING: dict[Side, str] = {
    "left": QT_TRANSLATE_NOOP("progress", "Embedding left borders"),
    "right": QT_TRANSLATE_NOOP("progress", "Embedding right borders"),
}


def _fire(inputs: Any, squeeze: int, expand: int, name: str) -> Any:
    squeezed = layers.Conv2D(squeeze, 1, activation="relu", name=f"{name}_squeeze")(inputs)
    one = layers.Conv2D(expand, 1, activation="relu", name=f"{name}_expand1")(squeezed)
    three = layers.Conv2D(expand, 3, padding="same", activation="relu", name=f"{name}_expand3")(squeezed)
    return layers.Concatenate(name=f"{name}_concatenate")([one, three])


def _tower(border: Any, d: int, side: Side, activation: str, sample_height_px: int) -> Any:
    """Embed a batch of borders; the first two and the last two rows suffer from the padding and are cut off.

    The last convolution is as wide as what it goes over, so it is one along rows of 7 × 128 numbers: the same sums, in
    a form that processors compute several times as fast.
    """
    x = layers.Conv2D(64, 3, strides=2, activation="relu", name=f"{side}_conv1")(border)
    x = layers.MaxPooling2D(3, strides=2, name=f"{side}_pool1")(x)
    x = _fire(x, 16, 64, f"{side}_fire2")
    x = _fire(x, 16, 64, f"{side}_fire3")
    x = layers.Cropping2D(((2, 2), (0, 0)), name=f"{side}_crop")(x)
    x = layers.Reshape((-1, 7 * 128), name=f"{side}_rows")(x)
    x = layers.Conv1D(d, geometry.kernel_rows(sample_height_px), activation=activation, name=f"{side}_embedding")(x)
    return layers.Identity(name=side)(x)


def build_model(d: int, activation: str = "linear", sample_height_px: int = SAMPLE_HEIGHT_PX) -> keras.Model:
    """Build both networks, untrained, as one model.

    Parameters
    ----------
    d : int
        Dimension of the embedding; 128 in the paper.
    activation : {"linear", "sigmoid"}
        Of the last layer; the paper's is the sigmoid.
    sample_height_px : int
        Height of a sample, s_y of the paper: a multiple of 4.

    Returns
    -------
    keras.Model
        Takes ``[right, left]``, borders of shape (n, rows, 32, 1) with 1 for ink and 0 for paper; returns the list of
        their embeddings, each of shape (n, (rows - 43) // 4, d) for samples of 32 pixels.
    """
    sides: tuple[Side, Side] = ("right", "left")
    inputs = [keras.Input((None, BORDER_WIDTH_PX, 1), name=f"{side}_border") for side in sides]
    towers = [_tower(border, d, side, activation, sample_height_px) for border, side in zip(inputs, sides, strict=True)]
    return keras.Model(inputs, towers, name="encoder")


def _blocks_with_ink(borders: Mask, sample_height_px: int) -> list[tuple[int, int]]:
    """Find blocks of `BLOCK_ROWS` embeddings that together cover every embedding whose window holds ink.

    A block is its border and its first row.
    """
    blocks: list[tuple[int, int]] = []
    for border, ink in enumerate(borders):
        covered_to = 0
        for row in np.flatnonzero(geometry.rows_with_ink(ink, sample_height_px)):
            if row >= covered_to:
                blocks.append((border, int(row)))
                covered_to = int(row) + BLOCK_ROWS
    return blocks


class Encoder:
    """A trained pair of networks.

    Attributes
    ----------
    model : keras.Model
        As `build_model` makes it.
    d : int
        Dimension of the embedding.
    sha256 : str
        Of the weights file; empty for a model that was never saved.
    sample_height_px : int
        Height of a sample.
    """

    def __init__(self, model: keras.Model, sha256: str = "") -> None:
        self.model = model
        self._path: Path | None = None
        self.d = int(model.outputs[0].shape[-1])
        self.sha256 = sha256
        self.sample_height_px = STRIDE_PX * (int(model.get_layer("right_embedding").kernel_size[0]) + 1)
        ends = zip(("right", "left"), model.inputs, model.outputs, strict=True)
        self._side = {side: keras.Model(border, embedding) for side, border, embedding in ends}
        self._turn = one_at_a_time()
        self._blocks_per_batch = ON_A_CARD if on_a_card() else BLOCKS_PER_BATCH
        nothing = np.zeros((1, BLOCK_ROWS * STRIDE_PX, BORDER_WIDTH_PX), dtype=np.bool_)
        self._blank = {side: self._compute(nothing, side)[0, 0] for side in ("right", "left")}

    @classmethod
    def load(cls, path: Path) -> Self:
        """Load weights from a ``.keras`` file; nothing in the file is run as code.

        Parameters
        ----------
        path : Path
            The file.

        Returns
        -------
        Encoder
            Ready to embed.

        Raises
        ------
        UsageError
            If there is no such file, or it holds something else.
        """
        otherwise = "holds no weights of Rejoin's encoder. Give a .keras file made by it."
        inputs = ["right_border", "left_border"]
        encoder = load_network(path, cls, inputs, otherwise=otherwise, remedy="Give another file.")
        encoder._path = path
        return encoder

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the file of weights, or nothing of those that ship, which are there wherever the program is."""
        if self._path is None:
            raise TypeError("an encoder that was not loaded from a file cannot be sent")
        shipped = self._path == weights_path()
        return _loaded, (self.sha256, None if shipped else self._path.read_bytes())

    @cached_property
    def way_up(self) -> "WayUp":
        """What judges which way up shreds are, as it ships; loaded when it is first asked for."""
        from core.embedding.way_up import WayUp  # here, since machines that train lack OpenCV, which it needs

        return WayUp.load(way_up_weights_path())

    def blank(self, side: Side) -> Floats:
        """Return the embedding of blank paper.

        Parameters
        ----------
        side : {"left", "right"}
            Which network's.

        Returns
        -------
        ndarray of shape (d,), float32
            The same wherever no ink is near.
        """
        return self._blank[side]

    def embed(self, borders: Mask, side: Side, progress: Progress = no_progress) -> Floats:
        """Embed borders; windows of blank paper are not computed.

        Parameters
        ----------
        borders : ndarray of shape (n, height, 32), bool
            Ink.
        side : {"left", "right"}
            Which borders these are.
        progress : Progress
            Fraction and text.

        Returns
        -------
        ndarray of shape (n, h', d), float32
            With h' from `n_embedding_rows`.
        """
        n, height, _ = borders.shape
        n_rows = n_embedding_rows(height, self.sample_height_px)
        embeddings = np.broadcast_to(self._blank[side], (n, n_rows, self.d)).copy()
        blocks = _blocks_with_ink(borders, self.sample_height_px)
        block_px = STRIDE_PX * (BLOCK_ROWS - 1) + geometry.receptive_rows(self.sample_height_px)
        n_at_once = self._blocks_per_batch
        batches = [blocks[start : start + n_at_once] for start in range(0, len(blocks), n_at_once)]

        def run(batch: list[tuple[int, int]]) -> Floats:
            inputs = np.zeros((n_at_once + 1, block_px, BORDER_WIDTH_PX, 1), dtype=np.float32)
            for position, (border, first_row) in enumerate(batch):
                top = first_row * STRIDE_PX - ROWS_ABOVE
                rows = borders[border, max(0, top) : top + block_px]
                inputs[position, max(0, -top) : max(0, -top) + len(rows), :, 0] = rows
            return self._run(inputs, side)

        results = map_in_order(run, batches, _EMBEDDING[side], progress, BATCHES_AT_A_TIME)
        for batch, outputs in zip(batches, results, strict=True):
            for position, (border, first_row) in enumerate(batch):
                stop = min(n_rows, first_row + BLOCK_ROWS)
                embeddings[border, first_row:stop] = outputs[position, : stop - first_row]
        return embeddings

    def _compute(self, borders: Mask, side: Side) -> Floats:
        """Embed borders with nothing left out: what `embed` must agree with."""
        height = borders.shape[1]
        n_rows = n_embedding_rows(height, self.sample_height_px)
        below = max(0, (n_rows - 1) * STRIDE_PX + geometry.rows_below(self.sample_height_px) + 1 - height)
        padded = np.pad(borders, ((0, 0), (ROWS_ABOVE, below), (0, 0)))
        return self._run(padded[..., None].astype(np.float32), side)[:, :n_rows]

    def _run(self, inputs: Floats, side: Side) -> Floats:
        with self._turn:
            return np.asarray(self._side[side].predict_on_batch(inputs), dtype=np.float32)


@lru_cache(maxsize=1)
def _loaded(sha256: str, content: bytes | None) -> Encoder:
    """Load weights that another process sent, once for all tasks."""
    if content is None:
        return Encoder.load(weights_path())
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{sha256}.keras"
        path.write_bytes(content)
        return Encoder.load(path)
