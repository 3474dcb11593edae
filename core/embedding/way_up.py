"""Which way up a shred is to be read, judged by its print.

A small network looks at windows of a shred and says how upright the print in each looks: one number. It looks at every
window four times, turned by quarter turns, so that turning a shred only moves its numbers. What it learned is what
scripts have in common: strokes stand on lines, lines run across, most letters are fuller on one side than on the other.

The windows of a shred say much of the same, and some show what is printed sideways, so their sum is taken for less than
it is, and neither a window nor a shred is ever believed entirely. By how much, is measured on pages held out of the
training.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import keras
import numpy as np
from keras import layers

from core.arrays import Floats, Pixels, blocks
from core.embedding.weights_file import load_network
from core.options import BinarizationOptions
from core.parallel import map_in_order
from core.progress import Progress, no_progress, part
from core.shreds.binarization import binarize
from core.shreds.shred import Shred, upright
from core.shreds.windows import WINDOW, windows_of_print
from core.system.keras_import import BATCHES_AT_A_TIME, one_at_a_time
from core.wording import QT_TRANSLATE_NOOP

_READING = QT_TRANSLATE_NOOP("progress", "Looking for print on shred {number} of {n}")
_JUDGING = QT_TRANSLATE_NOOP("progress", "Judging which way up shreds are")

N_TURNS = 4
"""By 0, 90, 180 and 270 degrees, counter-clockwise as the eye sees it."""

WINDOW_DOUBT = 0.01
"""In so many windows something else than the shred's own print decides: a stamp, a note in the margin, a picture."""

REPEATED = 0.025
"""How much of what a window says is said by every other one of the shred."""

SHRED_DOUBT = 0.015
"""On so many shreds most of the print is turned against the page's."""

WINDOWS_PER_BATCH = 128
_TAIL = np.zeros((32, WINDOW, WINDOW, 1), np.float32)
"""Ends a batch: on some processors other instructions compute its last windows, see `core.embedding.encoder`."""


def build_model() -> keras.Model:
    """Build the network, untrained.

    Returns
    -------
    keras.Model
        Takes windows of shape (n, 48, 48, 1), the share of ink, 0 to 1; returns how upright each looks, (n, 1, 1, 1):
        the logarithm of a likelihood, up to a constant.
    """
    window = keras.Input((WINDOW, WINDOW, 1), name="window")
    x = layers.Conv2D(24, 5, strides=2, activation="relu", name="conv1")(window)
    x = layers.Conv2D(32, 3, activation="relu", name="conv2")(x)
    x = layers.MaxPooling2D(2, name="pool2")(x)
    x = layers.Conv2D(64, 3, activation="relu", name="conv3")(x)
    x = layers.Conv2D(64, 3, activation="relu", name="conv4")(x)
    x = layers.MaxPooling2D(2, name="pool4")(x)
    x = layers.Conv2D(96, 3, activation="relu", name="conv5")(x)
    return keras.Model(window, layers.Conv2D(1, 1, name="upright")(x), name="way_up")


def all_turns(windows: Any) -> list[Any]:
    """Turn windows by 0, 90, 180 and 270 degrees counter-clockwise; any kind of array or tensor, (n, side, side, …)."""
    ops = keras.ops if not isinstance(windows, np.ndarray) else np
    swapped = ops.swapaxes(windows, 1, 2)
    return [windows, ops.flip(swapped, 1), ops.flip(windows, (1, 2)), ops.flip(swapped, 2)]


def combine(uprightness: Floats) -> Floats:
    """Conclude from the windows of a shred how it is to be turned.

    Parameters
    ----------
    uprightness : ndarray of shape (n, 4), float32
        Of each window as it is, and turned by 90, 180 and 270 degrees counter-clockwise.

    Returns
    -------
    ndarray of shape (4,), float32
        Logarithm of the likelihood that the shred must be turned so to be read, the first set to 0; all zeros if there
        are no windows.

    Examples
    --------
    >>> combine(np.zeros((0, 4), np.float32))
    array([0., 0., 0., 0.], dtype=float32)
    >>> combine(np.array([[0, 0, 9, 0]] * 40, np.float32)).round(1)
    array([0. , 0. , 5.6, 0. ], dtype=float32)
    """
    if not len(uprightness):
        return np.zeros(N_TURNS, np.float32)
    of_windows = _doubted(uprightness.astype(np.float64), WINDOW_DOUBT)
    of_shred = of_windows.sum(axis=0) / (1 + REPEATED * (len(uprightness) - 1))
    of_shred = _doubted(of_shred, SHRED_DOUBT)
    return np.asarray(of_shred - of_shred[..., :1], np.float32)


def _doubted(log_likelihood: Any, doubt: float) -> Any:
    """Normalise over the four turns, and let none be less likely than a quarter of the doubt."""
    likelihood = np.exp(log_likelihood - log_likelihood.max(axis=-1, keepdims=True))
    return np.log((1 - doubt) * likelihood / likelihood.sum(axis=-1, keepdims=True) + doubt / N_TURNS)


class WayUp:
    """The trained network.

    Attributes
    ----------
    model : keras.Model
        As `build_model` makes it.
    sha256 : str
        Of the weights file; empty for a model that was never saved.
    """

    def __init__(self, model: keras.Model, sha256: str = "") -> None:
        if tuple(model.inputs[0].shape[1:]) != (WINDOW, WINDOW, 1):
            raise ValueError("it looks at windows of another size")
        self.model = model
        self.sha256 = sha256
        self._turn = one_at_a_time()

    @classmethod
    def load(cls, path: Path) -> Self:
        """Load weights from a ``.keras`` file; nothing in the file is run as code.

        Parameters
        ----------
        path : Path
            The file.

        Returns
        -------
        WayUp
            Ready to judge.

        Raises
        ------
        UsageError
            If there is no such file, or it holds something else.
        """
        remedy = "Install Rejoin anew."
        otherwise = f"does not hold what tells which way up shreds are. {remedy}"
        return load_network(path, cls, ["window"], otherwise=otherwise, remedy=remedy)

    def log_odds(
        self,
        shreds: Sequence[Shred],
        binarization: BinarizationOptions = BinarizationOptions(),
        progress: Progress = no_progress,
    ) -> Floats:
        """Judge which way up shreds are to be read.

        Parameters
        ----------
        shreds : sequence of Shred
            n of them, judged as `core.shreds.shred.upright` gives them.
        binarization : BinarizationOptions
            How ink is found.
        progress : Progress
            Fraction and text.

        Returns
        -------
        ndarray of shape (n, 4), float32
            ``[i, k]`` is the natural logarithm of how much likelier it is that shred ``i`` must be turned by k quarter
            turns counter-clockwise, as the eye sees it, to be read, than that it must not be turned. All zeros for a
            shred without print: it is not known. For a page, add up those of its shreds.
        """

        def read(shred: Shred) -> Pixels:
            pixels, mask = upright(shred)
            return windows_of_print(pixels, mask, binarize(pixels, mask, binarization))

        windows = list(map_in_order(read, shreds, _READING, part(progress, 0.0, 0.7)))
        return self.log_odds_of_windows(windows, part(progress, 0.7, 1.0))

    def log_odds_of_windows(self, windows: Sequence[Pixels], progress: Progress = no_progress) -> Floats:
        """Judge shreds of which the windows have been cut.

        Parameters
        ----------
        windows : sequence of ndarray of shape (m, 48, 48), uint8
            Of n shreds, from `windows_of_print`.
        progress : Progress
            Fraction and text.

        Returns
        -------
        ndarray of shape (n, 4), float32
            As of `log_odds`.
        """
        if not windows:
            return np.zeros((0, N_TURNS), np.float32)
        ends = np.cumsum([len(of_shred) for of_shred in windows])
        uprightness = self.uprightness(np.concatenate(windows), progress)
        return np.stack([combine(of_shred) for of_shred in np.split(uprightness, ends[:-1])])

    def uprightness(self, windows: Pixels, progress: Progress = no_progress) -> Floats:
        """Compute how upright windows look as they are, and turned by 90, 180 and 270 degrees counter-clockwise.

        Parameters
        ----------
        windows : ndarray of shape (n, 48, 48), uint8
            From `windows_of_print`.
        progress : Progress
            Fraction and text.

        Returns
        -------
        ndarray of shape (n, 4), float32
            Logarithms of likelihoods, up to a constant for each window.
        """

        def judged(some: Pixels) -> Floats:
            # The shape of a batch never changes, so that the network is compiled once.
            batch = np.zeros((WINDOWS_PER_BATCH, WINDOW, WINDOW, 1), np.float32)
            batch[: len(some), ..., 0] = some / np.float32(255)
            inputs = np.concatenate((*all_turns(batch), _TAIL))
            with self._turn:
                outputs = self.model.predict_on_batch(inputs)[: -len(_TAIL)]
            return np.asarray(outputs, np.float32).reshape(N_TURNS, WINDOWS_PER_BATCH).T[: len(some)]

        batches = [windows[some] for some in blocks(len(windows), WINDOWS_PER_BATCH)]
        results = map_in_order(judged, batches, _JUDGING, progress, BATCHES_AT_A_TIME)
        return np.concatenate([np.zeros((0, N_TURNS), np.float32), *results])
