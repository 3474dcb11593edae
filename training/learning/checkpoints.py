"""The state of a training, written at every validation, so that one that was killed goes on as if it had not been."""

import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import keras
import numpy as np
from numpy.typing import NDArray

from core.errors import UsageError
from core.system.files import replacing


@dataclass
class Progressed:
    """How far a training is.

    Attributes
    ----------
    step : int
        Steps done.
    history : list of dict
        An entry per validation.
    best_score : float
        Of the best validation so far; larger is better.
    best_weights : list of ndarray
        The encoder's weights then.
    """

    step: int = 0
    history: list[dict[str, float]] = field(default_factory=list)
    best_score: float = float("-inf")
    best_weights: list[NDArray[Any]] = field(default_factory=list)

    def add(self, entry: dict[str, float], score: float, encoder: keras.Model) -> None:
        """Record a validation, and of the encoder's weights if its score is the best so far."""
        self.step = int(entry["step"])
        self.history.append(entry)
        if score > self.best_score:
            self.best_score, self.best_weights = score, encoder.get_weights()


def save_checkpoint(path: Path, progressed: Progressed, variables: Sequence[Any], settings: dict[str, Any]) -> None:
    """Write a checkpoint; it is whole or not there.

    Parameters
    ----------
    path : Path
        File to write, .npz.
    progressed : Progressed
        How far the training is.
    variables : sequence of keras.Variable
        Everything that training changes: weights, the optimizer's state.
    settings : dict
        What must be the same when the training goes on; JSON.

    Raises
    ------
    OutputError
        If the file cannot be written.
    """
    state = {
        "settings": settings,
        "step": progressed.step,
        "history": progressed.history,
        "best_score": progressed.best_score,
    }
    arrays = {f"variable_{number}": keras.ops.convert_to_numpy(variable) for number, variable in enumerate(variables)}
    arrays |= {f"best_{number}": weights for number, weights in enumerate(progressed.best_weights)}
    with replacing(path) as new, new.open("wb") as file:
        np.savez(file, state=np.array(json.dumps(state)), **arrays)


def load_checkpoint(path: Path, variables: Sequence[Any], settings: dict[str, Any]) -> Progressed:
    """Read a checkpoint and set the variables to what they were.

    Parameters
    ----------
    path : Path
        Written by `save_checkpoint`.
    variables : sequence of keras.Variable
        As for `save_checkpoint`; they are set.
    settings : dict
        Those of the training that is to go on.

    Returns
    -------
    Progressed
        How far it was.

    Raises
    ------
    UsageError
        If the file is no checkpoint, or one of a training with other settings or pages.
    """
    try:
        with np.load(path, allow_pickle=False) as content:
            state = json.loads(str(content["state"]))
            arrays = {name: content[name] for name in content.files}
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise UsageError(f"{path} is no checkpoint of a training. Start anew, without --resume.") from error
    saved, wanted = state["settings"], json.loads(json.dumps(settings))
    differing = sorted(name for name in saved.keys() | wanted.keys() if saved.get(name) != wanted.get(name))
    if differing:
        raise UsageError(
            f"{path} is the checkpoint of another training: {', '.join(differing)} differ. "
            "Give the settings and pages that it began with, or start anew, without --resume."
        )
    for number, variable in enumerate(variables):
        variable.assign(arrays[f"variable_{number}"])
    best = [arrays[f"best_{number}"] for number in range(sum(name.startswith("best_") for name in arrays))]
    return Progressed(state["step"], state["history"], state["best_score"], best)
