"""The bundled sample, laid on the scanner in other ways, must come out as it does when it is laid with care."""

from dataclasses import fields, replace

import cv2
import numpy as np
import pytest

from core.comparison import compare
from core.composition.pages import compose
from core.embedded import embed
from core.embedding.encoder import Encoder
from core.matching.costs import Costs
from core.options import CostOptions, Options
from core.pipeline import arrange
from core.shreds.detect import find_shreds
from core.shreds.shred import common_frame
from core.system.disk_cache import DiskCache
from core.system.places import sample_paths, weights_path
from core.units import mm_to_px
from tests.core.composition.drawn_page import cut_into_strips, printed_page

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def encoder():
    return Encoder.load(weights_path())


@pytest.fixture(scope="module")
def shreds(sample_cache):
    return find_shreds(sample_paths(), Options(), cache=sample_cache).shreds


@pytest.fixture(scope="module")
def in_order(shreds, encoder):
    """The pages, from shreds laid with care."""
    embedded = embed(shreds, encoder, Options())
    assert embedded.turned is None, "all is compared as it lies"
    arranged = arrange(shreds, compare(embedded, Options()).costs, Options())
    return arranged.arrangement.pages


def laid(shreds, turned=(), off_mm=0.0):
    """Lay some shreds upside down, and all up to so much too high or low; what runs off the bed is cut."""
    top, bottom = common_frame(shreds)
    off_px = np.rint(mm_to_px(off_mm) * np.random.default_rng(0).uniform(-1, 1, len(shreds))).astype(int)
    anew = []
    for shred, off in zip(shreds, off_px.tolist(), strict=True):
        ways = slice(None, None, -1 if shred.id in turned else 1)
        start = shred.frame_top_px + off
        rows = slice(max(0, top - start), len(shred.mask) - max(0, start + len(shred.mask) - bottom))
        pixels, mask = (array[ways, ways][rows] for array in (shred.pixels, shred.mask))
        anew.append(replace(shred, pixels=pixels.copy(), mask=mask.copy(), frame_top_px=start + rows.start))
    return tuple(anew)


def found(shreds, encoder, options=Options()):
    costs = compare(embed(shreds, encoder, options), options).costs
    return arrange(shreds, costs, options).arrangement


def every_second(pages):
    return frozenset(shred for page in pages for shred in page[::2])


@pytest.mark.parametrize("off_mm", [0, 5])
def test_every_second_shred_upside_down_and_all_up_to_5_mm_off(shreds, in_order, encoder, off_mm):
    turned = every_second(in_order)
    arrangement = found(laid(shreds, turned, off_mm=off_mm), encoder)
    assert set(arrangement.pages) == set(in_order)
    assert arrangement.half_turned == turned


def test_all_up_to_10_mm_off(shreds, in_order, encoder):
    arrangement = found(laid(shreds, off_mm=10), encoder)
    assert set(arrangement.pages) == set(in_order)
    assert not arrangement.half_turned


def test_costs_that_took_long_are_taken_from_the_cache(shreds, encoder, monkeypatch, tmp_path):
    monkeypatch.setattr("core.comparison.EVERY_S", 0.0)
    cache, embedded = DiskCache(tmp_path), embed(shreds[:12], encoder, Options())
    fresh = compare(embedded, Options(), cache=cache)
    monkeypatch.setattr("core.comparison._compare_as_they_lie", None)
    again = compare(embedded, Options(), cache=cache)
    for one in fields(Costs):
        np.testing.assert_array_equal(getattr(again.costs, one.name), getattr(fresh.costs, one.name))
        assert np.asarray(getattr(again.costs, one.name)).dtype == np.asarray(getattr(fresh.costs, one.name)).dtype
    otherwise = replace(Options(), cost=CostOptions(use_tone=False))
    with pytest.raises(TypeError):
        compare(embedded, otherwise, cache=cache)
    with pytest.raises(TypeError):
        compare(embedded.of(range(11)), Options(), cache=cache)


def test_one_shred_and_a_whole_page_upside_down(shreds, in_order, encoder):
    turned = frozenset(in_order[0]) | {in_order[1][4]}
    arrangement = found(laid(shreds, turned), encoder)
    assert set(arrangement.pages) == set(in_order)
    assert arrangement.half_turned == turned


def test_nothing_is_found_out_if_that_is_not_wanted(shreds, encoder):
    options = replace(Options(), cost=CostOptions(try_half_turns=False))
    turned = laid(shreds[:8], {shred.id for shred in shreds[:8:2]})
    assert embed(turned, encoder, options).turned is None
    assert not found(turned, encoder, options).half_turned


@pytest.mark.parametrize("way", [-1, 1], ids=["on its right side", "on its left side"])
def test_a_page_cut_along_its_lines_comes_out_to_be_read(small_case, make_shred, encoder, way):
    page = printed_page(1300, 1000)
    pictures, _ = cut_into_strips(np.ascontiguousarray(np.rot90(page, way)), askew_deg=0.0, n=9)
    shreds = tuple(replace(make_shred(name, mask), pixels=pixels) for name, (pixels, mask) in pictures.items())
    costs = compare(embed(shreds, encoder, Options()), Options()).costs
    arranged = arrange(shreds, costs, Options())
    case = replace(small_case, options=Options(), shreds=shreds, costs=costs, arrangement=arranged.arrangement)
    case = replace(case, solved=None, joins=arranged.joins)
    assert len(case.arrangement.pages) == 1
    assert case.quarter_turns(0) == 1
    composed = compose(case, 0, "reading")
    for x, y, wide, high in composed.placements.values():
        line = composed.pixels[y : y + high, x : x + wide, 0]
        assert likeness(line, page) > 0.8
        assert likeness(line[::-1, ::-1], page) < 0.6


def likeness(part, whole):
    """Correlate a shred with the best place of the page that it was cut from."""
    small, large = (
        cv2.resize(one, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for one in (part, whole[..., 0])
    )
    return float(cv2.matchTemplate(large, small, cv2.TM_CCOEFF_NORMED).max())
