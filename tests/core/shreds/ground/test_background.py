import numpy as np
import pytest

from core.shreds.ground.background import Background, coverage, find_background, nearest_surface
from core.shreds.ground.paper import Surface
from core.shreds.ground.surfaces import reduced
from tests.core.drawn_sheets import SURFACES, Scene, draw, row_of_strips


@pytest.mark.parametrize("name", SURFACES)
def test_finds_surface_and_paper(name: str) -> None:
    sheet, _ = draw(Scene(row_of_strips(4), surface=SURFACES[name]))
    background = find_background(sheet.pixels)
    assert background is not None
    np.testing.assert_allclose(background.colour, SURFACES[name], atol=6)
    np.testing.assert_allclose(background.paper, (250, 248, 244), atol=6)
    assert [surface.coloured for surface in background.surfaces] == [name not in ("black", "grey lid")]


@pytest.mark.parametrize("paper", [(250, 240, 180), (200, 198, 190), (235, 225, 215)])
def test_paper_need_not_be_white(paper: tuple[int, int, int]) -> None:
    sheet, _ = draw(Scene(row_of_strips(5), surface=SURFACES["blue"], paper=paper))
    background = find_background(sheet.pixels)
    assert background is not None
    np.testing.assert_allclose(background.paper, paper, atol=8)
    np.testing.assert_allclose(background.colour, SURFACES["blue"], atol=6)


def test_nothing_but_white_has_no_background() -> None:
    assert find_background(np.full((400, 300, 3), 250, np.uint8)) is None
    assert find_background(np.zeros((400, 300, 3), np.uint8) + np.uint8(255)) is None


def one_surface(colour: tuple[float, ...], paper: tuple[float, ...], pixels: np.ndarray) -> Background:
    """The background of a sheet in even light, as if it had been found."""
    small = reduced(pixels).astype(np.float32)
    surface = Surface(np.array(colour, np.float32), coloured=max(colour) - min(colour) > 30)
    nowhere = np.zeros(small.shape[:2], np.uint8)
    return Background((surface,), np.array(paper, np.float32), nowhere, nowhere.astype(np.float32) + 1, small)


def test_coverage_measures_the_mixture() -> None:
    """A pixel that mixes paper and background half and half is half covered, also where paper is printed."""
    pixels = np.full((64, 64, 3), (250, 248, 244), np.uint8)
    pixels[:, :32] = (250, 200, 68)
    pixels[10, 40] = (250, 224, 156)
    pixels[20, 40] = (20, 20, 20)
    covered = coverage(pixels, one_surface((250, 200, 68), (250, 248, 244), pixels))
    assert covered[30, 10] == pytest.approx(1, abs=0.02)
    assert covered[30, 50] == pytest.approx(0, abs=0.05)
    assert covered[10, 40] == pytest.approx(0.5, abs=0.05)
    assert covered[20, 40] == pytest.approx(0, abs=0.05)


def test_two_surfaces_at_once() -> None:
    sheet, truth = draw(Scene(row_of_strips(5), surface=SURFACES["orange"], shadow=0))
    bare = ~np.any(truth, axis=0)
    pixels = sheet.pixels.copy()
    lower = np.zeros_like(bare)
    lower[650:] = True
    pixels[bare & lower] = (30, 60, 140)
    background = find_background(pixels)
    assert background is not None
    assert len(background.surfaces) == 2
    nearest = nearest_surface(background, bare.shape)
    assert nearest[100, 20] != nearest[-100, 20]
    covered = coverage(pixels, background)
    for half in (lower, ~lower):
        assert np.median(covered[bare & half]) == pytest.approx(1, abs=0.1)
        assert np.median(covered[~bare & half]) == pytest.approx(0, abs=0.1)


def test_a_picture_on_the_paper_is_no_surface() -> None:
    sheet, truth = draw(Scene(row_of_strips(5), surface=SURFACES["orange"]))
    pixels = sheet.pixels.copy()
    for mask in truth[:3]:
        columns = np.flatnonzero(mask.any(axis=0))
        pixels[400:800, columns.min() + 45 : columns.max() - 45] = (60, 90, 170)
    background = find_background(pixels)
    assert background is not None
    assert len(background.surfaces) == 1


@pytest.mark.parametrize("surface", ["orange", "black"])
def test_a_shadow_is_no_surface_and_hides_no_paper(surface: str) -> None:
    sheet, truth = draw(Scene(row_of_strips(5), surface=SURFACES[surface], shadow=0))
    shade = np.ones(sheet.pixels.shape[1])
    shade[500:] = 0.6
    pixels = (sheet.pixels * np.convolve(np.pad(shade, 40, "edge"), np.ones(81) / 81, "valid")[:, None]).astype(
        np.uint8
    )
    background = find_background(pixels)
    assert background is not None
    covered = coverage(pixels, background)
    paper = np.any(truth, axis=0)
    assert (covered[paper] < 0.5).mean() > 0.85  # the rest is ink, which is dark on black as well
    assert (covered[~paper] > 0.5).mean() > 0.98


def test_a_dark_scan_of_pale_card() -> None:
    sheet, truth = draw(Scene(row_of_strips(5, ink=False), surface=(205, 205, 203), shadow=0.1))
    dark = (sheet.pixels * 0.5).astype(np.uint8)
    background = find_background(dark)
    assert background is not None
    np.testing.assert_allclose(background.paper, (125, 124, 122), atol=5)
    assert background.is_pale(background.surfaces[0])
    covered = coverage(dark, background)
    assert ((covered < 0.5) == np.any(truth, axis=0)).mean() > 0.98


def test_coverage_follows_the_light() -> None:
    sheet, truth = draw(Scene(row_of_strips(5), surface=SURFACES["orange"], light=0.4, shadow=0))
    background = find_background(sheet.pixels)
    assert background is not None
    covered = coverage(sheet.pixels, background)
    bare = ~np.any(truth, axis=0)
    bare[:, :10] = bare[:, -10:] = False
    for corner in (np.s_[:100, :100], np.s_[-100:, -100:]):
        assert np.median(covered[corner][bare[corner]]) == pytest.approx(1, abs=0.1)


def test_ink_is_told_from_a_grey_surface_but_not_from_black() -> None:
    pixels = np.full((64, 64, 3), 250, np.uint8)
    grey, black = (one_surface((value,) * 3, (250, 250, 250), pixels) for value in (150, 25))
    assert grey.ink_coverage(grey.surfaces[0]) > 1.2
    assert black.ink_coverage(black.surfaces[0]) < 1
