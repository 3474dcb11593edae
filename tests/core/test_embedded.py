from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest

from core import border_blocks
from core import embedded as embedding
from core.comparison import compare
from core.embedded import embed
from core.embedding.encoder import Encoder
from core.options import BinarizationOptions, CostOptions, Options
from core.shreds.detect import find_shreds
from core.system import spool
from core.system.disk_cache import DiskCache
from core.system.places import weights_path
from tests.core.drawn_sheets import write_sheets

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def encoder():
    return Encoder.load(weights_path())


@pytest.fixture(scope="module")
def shreds(tmp_path_factory):
    paths = write_sheets(tmp_path_factory.mktemp("sheets"), 2)
    found = [shred for shred in find_shreds(paths, Options()).shreds if shred.compared][:12]
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


def never(*_arguments):
    raise AssertionError("it is read again")


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


def test_what_is_kept_of_borders_is_not_read_again_and_gives_the_same(shreds, encoder, monkeypatch, tmp_path):
    monkeypatch.setattr(embedding, "BLOCK_SHREDS", 5)
    cache, without = DiskCache(tmp_path), embed(shreds, encoder, Options())
    assert_same(embed(shreds, encoder, Options(), cache=cache), without)
    n_blocks = 3
    assert len(list(tmp_path.iterdir())) == 2 * n_blocks, "as they lie, and half-turned"
    with monkeypatch.context() as patched:
        patched.setattr(border_blocks, "_read_block", never)
        patched.setattr(encoder, "embed", never)
        assert_same(embed(shreds, encoder, Options(), cache=DiskCache(tmp_path)), without)
    first = min(tmp_path.iterdir())
    first.write_bytes(first.read_bytes()[:-1])
    assert_same(embed(shreds, encoder, Options(), cache=cache), without)


@pytest.mark.parametrize("changed", ["option", "pixel", "place", "encoder"])
def test_what_was_kept_of_others_is_not_believed(shreds, encoder, monkeypatch, tmp_path, changed):
    cache, options = DiskCache(tmp_path), Options(cost=CostOptions(try_half_turns=False))
    embed(shreds[:3], encoder, options, cache=cache)
    others = list(shreds[:3])
    if changed == "option":
        options = replace(options, binarization=BinarizationOptions(k=0.2))
    elif changed == "pixel":
        pixels = others[0].pixels.copy()
        pixels[100, 20] ^= 1
        others[0] = replace(others[0], pixels=pixels)
    elif changed == "place":
        others[0] = others[0].changed(frame_top_px=others[0].frame_top_px + 1)
    else:
        monkeypatch.setattr(encoder, "sha256", "0" * 64)
    monkeypatch.setattr(border_blocks, "_read_block", never)
    with pytest.raises(AssertionError, match="read again"):
        embed(others, encoder, options, cache=cache)
