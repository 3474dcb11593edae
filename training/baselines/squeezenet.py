"""SqueezeNet 1.1 as a judge of two borders laid side by side (Iandola et al., arXiv:1602.07360)."""

from typing import Any

import keras
from keras import layers

from core.shreds.shred import BORDER_WIDTH_PX

ROW_STEP_PX = 16
"""Pixel rows from one row of logits to the next."""

DROPOUT = 0.5


def _convolution(inputs: Any, channels: int, size: int, name: str, **others: Any) -> Any:
    # He's initial weights: with Keras' own the signal fades in so many layers, and nothing is learned.
    layer = layers.Conv2D(channels, size, activation="relu", kernel_initializer="he_normal", name=name, **others)
    return layer(inputs)


def _fire(inputs: Any, squeeze: int, expand: int, number: int) -> Any:
    squeezed = _convolution(inputs, squeeze, 1, f"fire{number}_squeeze")
    one = _convolution(squeezed, expand, 1, f"fire{number}_expand1")
    three = _convolution(squeezed, expand, 3, f"fire{number}_expand3", padding="same")
    return layers.Concatenate(name=f"fire{number}_concatenate")([one, three])


def build_judge() -> keras.Model:
    """Build the network, untrained.

    The publication has two classes and their softmax. One logit, the difference of theirs, says the same.

    Returns
    -------
    keras.Model
        Takes seams of shape (n, rows, 64, 1), at least 32 rows: a right border beside a left one, 1 for ink and 0 for
        paper. Gives logits of shape (n, rows / 16 - 1, 3, 1), positive where the two seem to belong together.
    """
    seam = keras.Input((None, 2 * BORDER_WIDTH_PX, 1), name="seam")
    x = _convolution(seam, 64, 3, "conv1", strides=2)
    x = layers.MaxPooling2D(3, strides=2, name="pool1")(x)
    x = _fire(_fire(x, 16, 64, 2), 16, 64, 3)
    x = layers.MaxPooling2D(3, strides=2, name="pool3")(x)
    x = _fire(_fire(x, 32, 128, 4), 32, 128, 5)
    x = layers.MaxPooling2D(3, strides=2, name="pool5")(x)
    x = _fire(_fire(x, 48, 192, 6), 48, 192, 7)
    x = _fire(_fire(x, 64, 256, 8), 64, 256, 9)
    x = layers.Dropout(DROPOUT, name="drop9")(x)
    return keras.Model(seam, layers.Conv2D(1, 1, name="conv10")(x), name="judge")
