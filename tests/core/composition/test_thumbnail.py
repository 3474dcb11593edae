from dataclasses import replace

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.edits import HalfTurn, TurnPage
from core.composition.pages import compose, without_seams
from core.composition.thumbnail import compose_thumbnail
from core.options import CompositionOptions, Options
from tests.core.composition.drawn_page import cut_into_strips, printed_page

PLAIN = Options(composition=CompositionOptions(level=False))


@pytest.fixture(scope="module")
def strips():
    return cut_into_strips(printed_page(), askew_deg=0.0, n=6)


@pytest.fixture
def case(small_case, strips, make_shred):
    pictures, _ = strips
    shreds = tuple(replace(make_shred(name, mask), pixels=pixels) for name, (pixels, mask) in pictures.items())
    arrangement = Arrangement(pages=(tuple(pictures),), shift_px={list(pictures)[2]: 24})
    return replace(small_case, shreds=shreds, arrangement=arrangement, costs=None, joins=(), options=PLAIN)


def reduced(pixels, reduction):
    height, width = (side // reduction * reduction for side in pixels.shape[:2])
    blocks = pixels[:height, :width].reshape(height // reduction, reduction, width // reduction, reduction, 3)
    return blocks.mean(axis=(1, 3))


@pytest.mark.parametrize("reduction", [2, 4, 8])
def test_it_is_the_page_made_smaller(case, reduction):
    page, small = compose(without_seams(case), 0).pixels, compose_thumbnail(case, 0, reduction)
    assert small.shape[0] == pytest.approx(page.shape[0] / reduction, abs=1)
    assert small.shape[1] == pytest.approx(page.shape[1] / reduction, abs=len(case.shreds))
    expected = reduced(page, reduction)
    h, w = (min(one, other) for one, other in zip(expected.shape[:2], small.shape[:2], strict=True))
    rows, small_rows = expected[:h].mean(axis=(1, 2)), small[:h].mean(axis=(1, 2))
    assert np.corrcoef(rows, small_rows)[0, 1] > 0.95, "lines of print stand where they stand"
    assert small[:, : w // 2].mean() == pytest.approx(expected[:, : w // 2].mean(), abs=4)


def test_it_is_turned_as_the_page_is(case):
    before = compose_thumbnail(case, 0, 8)
    turned, _ = TurnPage(0, 1).apply(case.arrangement)
    assert (compose_thumbnail(replace(case, arrangement=turned), 0, 8) == np.rot90(before)).all()
    upside_down, _ = HalfTurn(case.arrangement.pages[0]).apply(case.arrangement)
    assert (compose_thumbnail(replace(case, arrangement=upside_down), 0, 8) != before).any()


def test_an_empty_page_has_none(case):
    with pytest.raises(ValueError, match="empty"):
        compose_thumbnail(replace(case, arrangement=Arrangement(pages=((),))), 0, 8)
