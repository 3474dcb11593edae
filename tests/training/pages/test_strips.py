from dataclasses import replace

import numpy as np
import pytest

from training.pages.intact import PAPER_MARGIN
from training.pages.strips import AS_SCANNED, Soiling, draw_scribble, draw_strip


@pytest.fixture
def bars() -> np.ndarray:
    """A page of bars that run across, 8 px of every 40."""
    page = np.full((900, 700), PAPER_MARGIN, np.int8)
    page[np.arange(900) % 40 < 8] = -40
    return page


def test_strips_are_cut_down_the_page_or_along_its_lines(bars):
    rng = np.random.default_rng(0)
    narrow = replace(AS_SCANNED, wide=0.0, angle_deg=0.0)
    down = [draw_strip(rng, bars, replace(narrow, across=0.0)) for _ in range(5)]
    assert {len(ink) for ink in down} == {900}
    assert all(30 <= ink.shape[1] <= 140 for ink in down)
    along = [draw_strip(rng, bars, replace(narrow, across=1.0)) for _ in range(5)]
    assert {ink.shape[1] for ink in along} == {700}
    for ink in down + along:  # either way the print stays upright
        inner = ink[20:-20, 20:-20]
        if inner.size and inner.any():
            assert inner.all(axis=1).any()


def test_the_same_seed_cuts_the_same_strip(bars):
    one, other, another = (draw_strip(np.random.default_rng(seed), bars) for seed in (1, 1, 2))
    assert (one == other).all()
    assert one.shape != another.shape or (one != another).any()


def test_long_strips_are_shortened_and_print_is_scaled(bars):
    short = replace(AS_SCANNED, across=0.0, scale=(1.5, 1.5), angle_deg=0.0, longest_px=400)
    ink = draw_strip(np.random.default_rng(0), bars, short)
    assert len(ink) == 400
    middle = ink[:, ink.shape[1] // 2]
    starts = np.flatnonzero(middle[1:] & ~middle[:-1])
    assert np.diff(starts) == pytest.approx(60, abs=1)


def test_rims_bear_no_ink_and_specks_come_where_there_is_none():
    blank = np.full((900, 700), PAPER_MARGIN, np.int8)
    assert not draw_strip(np.random.default_rng(0), blank, AS_SCANNED).any()
    much = replace(AS_SCANNED, pepper=1.0, most_pepper=0.5)
    shares = [draw_strip(np.random.default_rng(seed), blank, much).mean() for seed in range(5)]
    assert 0.001 < max(shares) < 0.5
    full = np.full((900, 700), -40, np.int8)
    rim = replace(AS_SCANNED, across=0.0, rim_px=6.0, wave_px=5.0)
    widths = draw_strip(np.random.default_rng(1), full, rim).sum(axis=1)
    assert widths.max() - widths.min() >= 1


def test_strokes_gain_and_lose(bars):
    inked = {}
    for name, soiling in (("bold", replace(AS_SCANNED, bold=1.0)), ("thin", replace(AS_SCANNED, thin=1.0))):
        inked[name] = draw_strip(np.random.default_rng(4), bars, soiling).mean()
    assert inked["thin"] < draw_strip(np.random.default_rng(4), bars, AS_SCANNED).mean() < inked["bold"]


def test_scribbles_are_of_many_kinds():
    drawn = [draw_scribble(np.random.default_rng(seed)) for seed in range(20)]
    assert all(ink.any() for ink in drawn)
    assert len({ink.shape[0] > ink.shape[1] for ink in drawn}) == 2
    assert Soiling().width_px[0] <= min(min(ink.shape) for ink in drawn)
