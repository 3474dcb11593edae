import numpy as np
import pytest

from core.shreds.background import Background, coverage, find_background
from tests.core.drawn_sheets import SURFACES, Scene, draw, row_of_strips


@pytest.mark.parametrize("name", SURFACES)
def test_finds_surface_and_paper(name: str) -> None:
    sheet, _ = draw(Scene(row_of_strips(4), surface=SURFACES[name]))
    background = find_background(sheet.pixels)
    assert background is not None
    np.testing.assert_allclose(background.colour, SURFACES[name], atol=6)
    np.testing.assert_allclose(background.paper, (250, 248, 244), atol=6)
    assert background.coloured == (name not in ("black", "grey lid"))


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


def test_coverage_measures_the_mixture() -> None:
    """A pixel that mixes paper and background half and half is half covered, also where paper is printed."""
    background = Background(np.float32([250, 200, 68]), np.float32([250, 248, 244]), coloured=True)
    pixels = np.full((64, 64, 3), 250, np.uint8)
    pixels[:, :32] = (250, 200, 68)
    pixels[10, 40] = (250, 224, 156)
    pixels[20, 40] = (20, 20, 20)
    covered = coverage(pixels, background)
    assert covered[30, 10] == pytest.approx(1, abs=0.02)
    assert covered[30, 50] == pytest.approx(0, abs=0.05)
    assert covered[10, 40] == pytest.approx(0.5, abs=0.05)
    assert covered[20, 40] == pytest.approx(0, abs=0.05)


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
    paper = np.float32([250, 250, 250])
    assert Background(np.float32([150, 150, 150]), paper, coloured=False).ink_coverage > 1.2
    assert Background(np.float32([25, 25, 25]), paper, coloured=False).ink_coverage < 1
