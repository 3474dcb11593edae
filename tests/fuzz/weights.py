"""Tries of weights: sound, damaged, of other networks, and made to run code."""

import io
import json
import logging
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import UsageError
from tests.fuzz import damage
from tests.fuzz.pictures import zeros
from tests.fuzz.trial import Trial, check_sentence, untouched


@cache
def sound() -> bytes:
    """Save an untrained encoder of two dimensions."""
    logging.getLogger("tensorflow").setLevel(logging.ERROR)  # it warns of many networks in one process
    with tempfile.TemporaryDirectory() as folder:
        from core.embedding.encoder import build_model

        path = Path(folder, "encoder.keras")
        build_model(2).save(path)
        return path.read_bytes()


def loaded(folder: Path, data: bytes, name: str = "given.keras") -> str:
    """Load weights; nothing else may happen."""
    from core.embedding.encoder import Encoder

    path = folder / name
    path.write_bytes(data)
    with untouched(folder):
        try:
            encoder = Encoder.load(path)
        except UsageError as error:
            check_sentence(error, str(path))
            return "refused"
    assert np.isfinite(encoder.embed(np.ones((1, 64, 32), np.bool_), "left")).all()
    return "loaded"


def _entries(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _zipped(entries: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return file.getvalue()


def _with_config(change: Callable[[dict[str, Any]], None]) -> bytes:
    """Change what the file tells of the network."""
    entries = _entries(sound())
    told = json.loads(entries["config.json"])
    change(told)
    return _zipped({**entries, "config.json": json.dumps(told).encode()})


def _layer(told: dict[str, Any], kind: str, config: dict[str, Any], module: str = "keras.layers") -> None:
    """Put another layer in the place of the last one."""
    last = told["config"]["layers"][-1]
    last |= {"module": module, "class_name": kind, "config": {"name": last["name"], **config}, "registered_name": kind}


def _code(rng: np.random.Generator, folder: Path) -> bytes:
    """Weights that call something when they are loaded: a layer of Python, a function named, a file fetched."""
    target = folder / "run"
    command = f"open({str(target)!r}, 'w').write('code was run')"

    def python_layer(told: dict[str, Any]) -> None:
        import keras

        layer = keras.layers.Lambda(eval(f"lambda x: [x, {command}][0]"))
        _layer(told, "Lambda", {**keras.saving.serialize_keras_object(layer)["config"], "name": "left"})

    def named(module: str, function: str, *arguments: Any) -> Callable[[dict[str, Any]], None]:
        call = {"module": module, "class_name": "function", "config": function, "registered_name": function}

        def change(told: dict[str, Any]) -> None:
            _layer(told, "Lambda", {"function": call, "arguments": {"args": list(arguments)}, "output_shape": None})

        return change

    def whole(module: str, kind: str, config: dict[str, Any]) -> Callable[[dict[str, Any]], None]:
        whole = {"module": module, "class_name": kind, "config": config, "registered_name": None}
        return lambda told: (told.clear(), told.update(whole))[0]

    unlock = {"module": "keras.config", "class_name": "function", "config": "enable_unsafe_deserialization"}
    changes = (
        python_layer,
        named("builtins", "exec", command),
        named("os", "system", f"touch {target}"),
        named("keras.utils", "get_file", str(target), "http://192.0.2.1/x"),
        named("keras.config", "enable_unsafe_deserialization"),
        whole("builtins", "exec", {"source": command}),
        whole("os", "system", {"command": f"touch {target}"}),
        whole("pathlib", "Path", {"args": str(target)}),
        whole("keras.src.saving.serialization_lib", "enable_unsafe_deserialization", {}),
        lambda told: told["config"].update(name=unlock),
        lambda told: _layer(told, "TFSMLayer", {"filepath": str(folder / "model")}),
        lambda told: _layer(told, "TorchModuleWrapper", {"module": "gASVCgAAAAAAAABdlC4="}),
        lambda told: _layer(told, "StringLookup", {"vocabulary": "/etc/passwd"}),
        lambda told: _layer(told, "Popen", {"args": ["touch", str(target)]}, "subprocess"),
    )
    return _with_config(changes[rng.integers(0, len(changes))])


def _other_network(rng: np.random.Generator, folder: Path) -> bytes:
    """A sound file of Keras that holds another network; some have the right inputs."""
    import keras
    from keras import layers

    right, left = (keras.Input((None, 32, 1), name=f"{side}_border") for side in ("right", "left"))
    other = keras.Input((3,), name="other")
    flat = [layers.Reshape((-1, 32))(one) for one in (right, left)]
    models = (
        lambda: keras.Model(other, layers.Dense(2)(other)),
        lambda: keras.Model(
            [right, left],
            [layers.Dense(4, name=f"{side}_embedding")(one) for side, one in zip(("right", "left"), flat, strict=True)],
        ),
        lambda: keras.Model([right, left], layers.Concatenate(axis=-1)(flat)),
        lambda: keras.Model([right, left], flat),
        lambda: keras.Sequential([keras.Input((3,)), layers.Dense(1)]),
    )
    path = folder / "other.keras"
    models[rng.integers(0, len(models))]().save(path)
    data = path.read_bytes()
    path.unlink()
    return data


def _nonsense_inside(rng: np.random.Generator) -> bytes:
    """A ZIP as Keras makes it, of which one entry is damaged with its checksum made to fit, missing, or a bomb."""
    entries = _entries(sound())
    name = list(entries)[rng.integers(0, len(entries))]
    action = int(rng.integers(0, 4))
    if action == 0:
        del entries[name]
    elif action == 1:
        entries[name] = damage.cut_short(rng, entries[name])
    elif action == 2:
        entries[name] = rng.bytes(500)
    else:
        entries["../../escaped"] = b"data"
        entries["model.weights.npz"] = zeros(256 << 20)
    return _zipped(entries)


def _refused(make: Callable[[np.random.Generator, Path], bytes], name: str = "given.keras") -> Trial:
    def trial(rng: np.random.Generator, folder: Path) -> str:
        outcome = loaded(folder, make(rng, folder), name)
        assert outcome == "refused"
        return outcome

    return trial


def _sound_ones(_rng: np.random.Generator, folder: Path) -> str:
    outcome = loaded(folder, sound())
    assert outcome == "loaded"
    return outcome


def _foreign(rng: np.random.Generator, folder: Path) -> str:
    """Something else than a file of Keras, under names that might lead Keras to another reader."""
    names = ("given.keras", "given.h5", "given.hdf5", "given", "given.json", "given.pkl")
    contents = (
        b"",
        rng.bytes(500),
        b"\x89HDF\r\n\x1a\n" + rng.bytes(500),
        b"PK\3\4" + bytes(30),
        b"{}",
        b"cos\nsystem\n(S'x'\ntR.",
    )
    return loaded(folder, contents[rng.integers(0, len(contents))], names[rng.integers(0, len(names))])


KINDS: dict[str, Trial] = {
    "sound weights": _sound_ones,
    "weights cut short": _refused(lambda rng, _folder: damage.cut_short(rng, sound())),
    "weights damaged": lambda rng, folder: loaded(folder, damage.accident(rng, sound())),
    "weights with nonsense inside": lambda rng, folder: loaded(folder, _nonsense_inside(rng)),
    "weights of another network": _refused(_other_network),
    "weights that run code": _refused(_code),
    "foreign file as weights": _foreign,
}
