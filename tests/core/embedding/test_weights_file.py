"""Nothing but an encoder's layers is built of a file of weights."""

import io
import json
import zipfile
from functools import cache

import pytest

from core.embedding.weights_file import check_weights
from core.system.places import weights_path


@cache
def entries() -> dict[str, bytes]:
    with zipfile.ZipFile(weights_path()) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(content: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return file.getvalue()


def with_last_layer(**changes: object) -> bytes:
    told = json.loads(entries()["config.json"])
    told["config"]["layers"][-1].update(changes)
    return zipped(entries() | {"config.json": json.dumps(told).encode()})


def test_what_ships_passes():
    check_weights(weights_path().read_bytes())
    check_weights(with_last_layer())


@pytest.mark.parametrize(
    "changes",
    [
        {"class_name": "Lambda"},
        {"class_name": "TFSMLayer"},
        {"module": "builtins", "class_name": "exec"},
        {"module": "keras.src.utils.file_utils"},
        {"config": {"name": {"module": "keras.config", "class_name": "function"}}},
        {"config": {"name": {"class_name": ["Identity"]}}},
    ],
)
def test_what_is_no_part_of_an_encoder_is_refused(changes):
    with pytest.raises(ValueError, match="no part of an encoder"):
        check_weights(with_last_layer(**changes))


@pytest.mark.parametrize("name", ["../escaped", "model.weights.npz", "assets/vocabulary.txt"])
def test_other_entries_are_refused(name):
    with pytest.raises(ValueError, match="something else than weights"):
        check_weights(zipped(entries() | {name: b"data"}))


def test_missing_and_huge_entries_are_refused():
    with pytest.raises(ValueError, match="something else than weights"):
        check_weights(zipped({"config.json": b"{}"}))
    with pytest.raises(ValueError, match="more than weights need"):
        check_weights(zipped(entries() | {"config.json": bytes(5 << 20)}))
    with pytest.raises(zipfile.BadZipFile):
        check_weights(b"no weights")
