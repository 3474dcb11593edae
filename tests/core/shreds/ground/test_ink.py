import numpy as np
import pytest

from core.options import SegmentationOptions
from core.shreds.ground.background import coverage, find_background
from core.shreds.ground.ink import ink_coverages, off_hue
from core.shreds.segmentation import segment
from tests.core.drawn_sheets import as_sheet


def strips_on_card(ink: int | tuple[int, ...], card: int | tuple[int, ...] = 120) -> np.ndarray:
    """Two printed strips on card, ruled from cut to cut."""
    rng, pixels = np.random.default_rng(0), np.full((1200, 500, 3), card, np.uint8)
    for left in (100, 300):
        pixels[60:1140, left : left + 90] = 245
        for top in range(100, 1100, 60):
            for column in left + 15 + rng.permutation(60)[:3]:
                pixels[top : top + 20, column : column + 8] = ink
        for top in (330, 690):
            pixels[top : top + 5, left : left + 90] = ink
    return pixels


@pytest.mark.parametrize("ink", [25, 110, 125])
def test_ink_may_be_no_darker_than_the_card(ink: int) -> None:
    pixels = strips_on_card(ink)
    background = find_background(pixels)
    assert background is not None
    (limit,) = ink_coverages(pixels, coverage(pixels, background), background)
    assert limit == pytest.approx(1.33 if ink == 25 else 0.4, abs=0.01)
    shreds = segment(as_sheet(pixels), 0, SegmentationOptions()).shreds
    assert [shred.bbox for shred in shreds] == [(100, 60, 90, 1080), (300, 60, 90, 1080)]
    for shred in shreds:
        assert shred.mask.mean() > 0.99


@pytest.mark.parametrize(
    ("ink", "card"),
    [
        ((190, 40, 45), (150, 105, 65)),
        ((45, 65, 165), (15, 95, 75)),
        ((190, 40, 45), (245, 192, 214)),
        ((45, 65, 165), (197, 213, 233)),
    ],
    ids=["red on brown", "blue on green", "red on pink", "blue on sky"],
)
def test_ink_of_a_hue_of_its_own_stays_on_the_paper(ink: tuple[int, ...], card: tuple[int, ...]) -> None:
    shreds = segment(as_sheet(strips_on_card(ink, card)), 0, SegmentationOptions()).shreds
    assert [shred.bbox for shred in shreds] == [(100, 60, 90, 1080), (300, 60, 90, 1080)]
    for shred in shreds:
        assert shred.mask.mean() > 0.99
        for top in (270, 630):  # of the rules, from cut to cut
            assert shred.mask[top : top + 5].all()


@pytest.mark.parametrize("ink", [30, (250, 245, 240)], ids=["black ink", "no ink"])
def test_without_ink_of_its_own_hue_nothing_is_looked_for(ink: int | tuple[int, ...]) -> None:
    pixels = strips_on_card(ink, (150, 105, 65))
    background = find_background(pixels)
    assert background is not None
    assert off_hue(pixels, background) is None


def test_hue_is_measured_from_the_line_between_paper_and_card() -> None:
    pixels = strips_on_card((45, 65, 165), (15, 95, 75))
    background = find_background(pixels)
    assert background is not None
    off = off_hue(pixels, background)
    assert off is not None
    assert off.shape == pixels.shape[:2]
    assert off[5, 5] < 0.7  # card
    assert off[75, 110] < 0.2  # paper
    assert off[332, 150] > 1  # a rule


def test_what_does_not_look_like_ink_needs_no_limit() -> None:
    pixels = strips_on_card(110)
    pixels[(pixels == 120).all(axis=2)] = (40, 160, 90)
    background = find_background(pixels)
    assert background is not None
    assert ink_coverages(pixels, coverage(pixels, background), background) == [np.inf]


def test_where_there_is_little_ink_it_is_taken_for_black() -> None:
    pixels = strips_on_card(110)
    pixels[(pixels == 110).all(axis=2)] = 245
    background = find_background(pixels)
    assert background is not None
    (surface,) = background.surfaces
    assert ink_coverages(pixels, coverage(pixels, background), background) == [background.ink_coverage(surface)]
