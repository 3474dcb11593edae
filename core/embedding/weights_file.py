"""What may stand in a file of weights, looked at before Keras builds anything of it.

Keras builds what the file names, in its safe mode all but what it knows to be dangerous. Here it is nothing but the
layers of which Rejoin's encoder is made.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from core.errors import UsageError

Network = TypeVar("Network")

_MOST_BYTES = {"metadata.json": 1 << 20, "config.json": 4 << 20, "model.weights.h5": 256 << 20}
"""Names of all entries, and how large each may be."""

_LAYERS = ("InputLayer", "Conv1D", "Conv2D", "MaxPooling2D", "Concatenate", "Cropping2D", "Reshape", "Identity")
_KINDS = {(None, "__keras_tensor__"), ("keras", "DTypePolicy"), ("keras.src.models.functional", "Functional")}
_KINDS |= {("keras.layers", name) for name in _LAYERS}
_KINDS |= {("keras.initializers", name) for name in ("GlorotUniform", "Zeros")}


def load_network(
    path: Path, build: Callable[[Any, str], Network], inputs: list[str], *, otherwise: str, remedy: str
) -> Network:
    """Load weights from a ``.keras`` file; nothing in the file is run as code.

    Parameters
    ----------
    path : Path
        The file.
    build : callable
        Takes the model and the SHA-256 of the file.
    inputs : list of str
        Names of the model's inputs.
    otherwise : str
        What is said, behind the path, of a file that holds something else.
    remedy : str
        What is to be done about a file that cannot be read.

    Returns
    -------
    object
        What `build` made.

    Raises
    ------
    UsageError
        If there is no such file, or it holds something else.
    """
    import keras  # here, since it takes seconds

    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"The weights {path} cannot be read ({error.strerror}). {remedy}") from error
    try:
        check_weights(content)
        model = keras.saving.load_model(path, compile=False, safe_mode=True)
        if [str(tensor.name) for tensor in model.inputs] != inputs:
            raise ValueError("it holds another network")
        return build(model, hashlib.sha256(content).hexdigest())
    except Exception as error:  # Keras raises almost anything on what it does not expect
        raise UsageError(f"{path} {otherwise}") from error


def check_weights(content: bytes) -> None:
    """Check that a file is one of weights and names nothing but the layers of an encoder.

    Parameters
    ----------
    content : bytes
        Of a ``.keras`` file.

    Raises
    ------
    zipfile.BadZipFile, ValueError
        If it is something else.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = archive.infolist()
        if sorted(entry.filename for entry in entries) != sorted(_MOST_BYTES):
            raise ValueError("it holds something else than weights")
        if any(entry.file_size > _MOST_BYTES[entry.filename] for entry in entries):
            raise ValueError("it would unpack to more than weights need")
        config = json.loads(archive.read("config.json"))
    if odd := set(_kinds(config)) - _KINDS:
        raise ValueError(f"it names what is no part of an encoder, {sorted(map(str, odd))[0][:80]}")


def _kinds(config: Any) -> Iterator[tuple[str | None, str]]:
    """List every kind of object that Keras would build, module and class."""
    if isinstance(config, dict):
        if "class_name" in config or "module" in config:
            module = config.get("module")
            # What is neither text nor nothing becomes text, so that it is compared like any.
            yield None if module is None else str(module), str(config.get("class_name"))
        config = list(config.values())
    if isinstance(config, list):
        for part in config:
            yield from _kinds(part)
