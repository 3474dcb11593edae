from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from core import embedded as embedding
from core.comparison import compare
from core.embedded import embed
from core.embedding.encoder import Encoder
from core.options import Options
from core.shreds.detect import find_shreds
from core.system import spool
from core.system.places import sample_paths, weights_path

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def encoder():
    return Encoder.load(weights_path())


@pytest.fixture(scope="module")
def shreds():
    found = [shred for shred in find_shreds(sample_paths(), Options()).shreds if shred.compared][:12]
    return [shred.changed(half_turn=number % 3 == 0) for number, shred in enumerate(found)]


def assert_same(one, other, what="embedded"):
    """Compare all arrays within, bit for bit."""
    if isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, other, what)
    elif isinstance(one, tuple):
        for number, (value, its) in enumerate(zip(one, other, strict=True)):
            assert_same(value, its, f"{what}[{number}]")
    elif is_dataclass(one):
        for field in fields(one):
            if field.name not in ("seconds", "shreds"):
                assert_same(getattr(one, field.name), getattr(other, field.name), f"{what}.{field.name}")
    else:
        assert one == other, what


def test_in_small_blocks_on_the_disk_all_comes_out_as_in_memory(shreds, encoder, monkeypatch):
    at_once = embed(shreds, encoder, Options())
    assert at_once.turned is not None
    assert type(at_once.right) is np.ndarray
    monkeypatch.setattr(embedding, "BLOCK_SHREDS", 5)
    monkeypatch.setattr(spool, "LARGE_BYTES", 1)
    in_blocks = embed(shreds, encoder, Options())
    assert isinstance(in_blocks.right, np.memmap)
    assert isinstance(in_blocks.borders.left, np.memmap)
    assert_same(in_blocks, at_once)
    mapped = compare(in_blocks, Options())
    assert_same(mapped.costs, compare(at_once, Options()).costs)
