"""What is remembered of borders gives, bit for bit, what reading all of them again would give."""

from dataclasses import replace

import numpy as np
import pytest

from core import border_blocks
from core import memory as memory_module
from core.comparison import match
from core.memory import Memory
from core.options import BinarizationOptions, CostOptions, Options
from core.shreds.detect import find_shreds
from tests.core.drawn_sheets import write_sheets
from tests.core.test_comparison import encoder, laid

__all__ = ["encoder"]

pytestmark = pytest.mark.slow

NAMES = ("cost", "shift_px", "to_blank", "from_blank", "contour", "tone", "lines", "upright", "along")


@pytest.fixture(scope="module")
def shreds(tmp_path_factory):
    """A few small shreds: what is remembered of a border is alike however many there are, and however long it is."""
    return find_shreds(write_sheets(tmp_path_factory.mktemp("sheets"), 2), Options()).shreds[:8]


def every_second(shreds):
    return frozenset(shred.id for shred in shreds[::2])


def assert_same(costs, others, what=""):
    for name in NAMES:
        np.testing.assert_array_equal(getattr(costs, name), getattr(others, name), err_msg=f"{what} {name}")
    assert costs.temperature == others.temperature


OTHER_WAYS = [{"use_contour": False, "use_lines": False}, {"max_shift_rows": 9, "expect_margins": False}]


def test_another_way_to_compare_reads_no_border_again(shreds, encoder, monkeypatch):
    for laid_so in (shreds, laid(shreds, every_second(shreds))):
        memory = Memory()
        memory.match(laid_so, encoder, Options())
        with monkeypatch.context() as patched:
            patched.setattr(border_blocks, "_read_block", None)
            remembered = [memory.match(laid_so, encoder, Options(cost=CostOptions(**way))).costs for way in OTHER_WAYS]
        for way, costs in zip(OTHER_WAYS, remembered, strict=True):
            afresh = match(laid_so, encoder, Options(cost=CostOptions(**way))).costs
            assert_same(costs, afresh, way)


@pytest.mark.parametrize("changed", ["k", "turn_pages", "shreds"])
def test_what_was_read_otherwise_is_read_again(shreds, encoder, monkeypatch, changed):
    memory, options, others = Memory(), Options(), shreds
    memory.match(shreds, encoder, options)
    if changed == "k":
        options = Options(binarization=BinarizationOptions(k=0.2))
    elif changed == "turn_pages":
        options = Options(cost=CostOptions(turn_pages=False))
    else:
        others = (replace(shreds[0], half_turn=True), *shreds[1:])
    monkeypatch.setattr(border_blocks, "_read_block", None)
    with pytest.raises(TypeError, match="callable"):
        memory.match(others, encoder, options)


def test_a_full_disk_only_costs_the_memory(shreds, encoder, monkeypatch, caplog):
    def full(value):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(memory_module, "on_disk", full)
    memory = Memory()
    assert memory.match(shreds, encoder, Options()).costs.cost.size
    assert "No space left" in caplog.text
    assert memory.match(shreds, encoder, Options()).costs.cost.size


def test_what_was_read_ahead_is_not_read_again(shreds, encoder, monkeypatch):
    memory = Memory()
    memory.read(shreds, encoder, Options())
    monkeypatch.setattr(border_blocks, "_read_block", None)
    memory.read(shreds, encoder, Options())
    costs = memory.match(shreds, encoder, Options()).costs
    monkeypatch.undo()
    assert_same(costs, match(shreds, encoder, Options()).costs)


# Some shreds are others


def another(shred, rows):
    """The same shred without its last rows, as if it had been mended."""
    return replace(shred, pixels=shred.pixels[:-rows].copy(), mask=shred.mask[:-rows].copy())


@pytest.mark.parametrize("upside_down", [False, True])
def test_of_shreds_that_are_others_these_alone_are_read(shreds, encoder, monkeypatch, upside_down):
    first = laid(shreds, every_second(shreds)) if upside_down else tuple(shreds)
    with_ink = [at for at, shred in enumerate(first) if shred.compared]
    changed, gone = with_ink[2], with_ink[5]
    second = tuple(another(s, 40) if at == changed else s for at, s in enumerate(first) if at != gone)
    second = (*second, replace(first[gone], id="9-99"))
    read = []
    really = border_blocks._read_block

    def counting(frame, some, *others):
        read.append(len(some))
        return really(frame, some, *others)

    memory = Memory()
    memory.match(first, encoder, Options())
    with monkeypatch.context() as patched:
        patched.setattr(border_blocks, "_read_block", counting)
        remembered = memory.match(second, encoder, Options())
        assert read == [2]
        assert_same(memory.match(second, encoder, Options()).costs, remembered.costs)
        fewer = memory.match(second[3:], encoder, Options())
        assert read == [2], "those that are gone cost nothing"
    assert_same(remembered.costs, match(second, encoder, Options()).costs)
    assert_same(fewer.costs, match(second[3:], encoder, Options()).costs)


def test_in_another_common_frame_all_are_read_again(shreds, encoder):
    memory = Memory()
    memory.match(shreds, encoder, Options())
    lower = replace(shreds[0], frame_top_px=shreds[0].frame_top_px + 400)
    others = (lower, *shreds[1:])
    assert_same(memory.match(others, encoder, Options()).costs, match(others, encoder, Options()).costs)
