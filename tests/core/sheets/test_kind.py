"""Sheets and single shreds told apart by what is to be seen."""

import numpy as np
import pytest

from core.sheets.kind import (
    cut_out,
    cut_out_on_a_colour,
    is_elongated,
    is_paper_all_over,
    is_single_shred,
    on_support,
    shows_bands,
    shows_strips,
)

YELLOW = (250, 200, 60)


def strip(height: int = 900, width: int = 80, colour: object = 248) -> np.ndarray:
    """Draw a strip from edge to edge, with words on it that run over its edges."""
    pixels = np.full((height, width, 3), colour, np.uint8)
    rng = np.random.default_rng(0)
    for top in range(40, height - 40, 30):
        for left in range(-4, width, 14):
            if rng.random() < 0.8:
                pixels[top : top + 12, max(0, left) : max(0, left + 9) : 2] = 30
    return pixels


def slanting(colour: object = YELLOW, degrees: float = 2.0) -> np.ndarray:
    """Draw a strip that lies askew on something and was cut out along the rectangle around it."""
    y, x = np.mgrid[:900, :110]
    left = 25 - (y - 450) * np.tan(np.radians(degrees))
    on_paper = (x >= left) & (x < left + 60)
    return np.where(on_paper[..., None], strip(900, 110), np.uint8(colour)).astype(np.uint8)


def test_long_pictures():
    assert is_elongated((72, 180))
    assert is_elongated((3000, 100))
    assert not is_elongated((2480, 3508))


@pytest.mark.parametrize("colour", [248, (250, 245, 220), (160, 200, 160), 120])
def test_paper_of_any_colour_from_edge_to_edge(colour):
    assert is_paper_all_over(strip(colour=colour))
    assert is_paper_all_over(strip(colour=colour).swapaxes(0, 1))
    assert is_paper_all_over(strip(colour=colour)[..., 0])


def test_a_strip_of_a_photograph():
    y, x = np.mgrid[:359, :32]
    photograph = np.stack([y / 2, 100 + 80 * np.sin(y / 40 + x / 9), 200 - y / 3], axis=-1).astype(np.uint8)
    assert is_paper_all_over(photograph)


@pytest.mark.parametrize("colour", [YELLOW, (20, 20, 20), (0, 90, 200), (225, 90, 40)])
def test_something_around_the_paper(colour):
    framed = np.full((960, 130, 3), colour, np.uint8)
    framed[30:930, 25:105] = strip()
    assert not is_paper_all_over(framed)


@pytest.mark.parametrize("degrees", [-2.0, 2.0])
def test_something_in_the_corners_of_a_slanting_shred(degrees):
    assert not is_paper_all_over(slanting(degrees=degrees))


def piece(*boxes: tuple[int, int, int, int]) -> np.ndarray:
    alpha = np.zeros((900, 600), np.uint8)
    for top, bottom, left, right in boxes:
        alpha[top:bottom, left:right] = 255
    return alpha


def test_what_opacity_leaves():
    assert cut_out(piece((10, 880, 200, 260))) == "shred"
    assert cut_out(piece((10, 880, 200, 260), (890, 892, 500, 503))) == "shred", "a speck is none"
    assert cut_out(piece((10, 300, 200, 400))) == "shred", "torn off, and nothing like a sheet"
    assert cut_out(piece((10, 880, 200, 260), (10, 880, 300, 360))) == "shreds"
    assert cut_out(piece((10, 890, 10, 590))) == "sheet"
    holes = piece((0, 900, 0, 600))
    holes[100:110, 100:110] = 0
    assert cut_out(holes) == "sheet"


def test_the_support_is_unlike_the_paper():
    alpha = piece((10, 880, 200, 260), (10, 880, 300, 360))
    for colour in (250, (240, 200, 70), (30, 100, 190)):
        pixels = np.full((900, 600, 3), colour, np.uint8)
        lying = on_support(pixels, alpha)
        np.testing.assert_array_equal(lying[alpha > 0], pixels[alpha > 0])
        assert np.abs(lying[0, 0].astype(int) - pixels[0, 0]).max() > 100


@pytest.mark.parametrize("colour", [(0, 0, 0), (0, 255, 0), (255, 0, 255), (128, 128, 128)])
@pytest.mark.parametrize("degrees", [-2.0, 2.0])
def test_a_cut_out_that_a_program_filled_up_with_one_colour(colour, degrees):
    filled = slanting(colour, degrees)
    paper = cut_out_on_a_colour(filled)
    y, x = np.mgrid[:900, :110]
    left = 25 - (y - 450) * np.tan(np.radians(degrees))
    on_paper = (x >= left) & (x < left + 60)
    assert (paper & on_paper).sum() >= 0.97 * on_paper.sum()
    assert not (paper & ~on_paper).any()
    assert is_single_shred(filled)


def test_what_a_scanner_sees_is_no_fill():
    noise = np.random.default_rng(0).normal(0, 5, (900, 110, 3))
    scanned = np.clip(slanting() + noise, 0, 255).astype(np.uint8)
    assert cut_out_on_a_colour(scanned) is None
    assert not is_single_shred(scanned)
    assert cut_out_on_a_colour(strip()) is None


def test_a_white_rim_around_a_dark_picture_is_paper():
    pixels = np.full((900, 90, 3), 255, np.uint8)
    pixels[100:800, 10:80] = np.random.default_rng(0).integers(0, 120, (700, 70, 1))
    assert is_paper_all_over(pixels)


def test_several_shreds_on_one_colour_are_not_one():
    drawn = np.full((300, 900, 3), YELLOW, np.uint8)
    for left in range(40, 800, 150):
        drawn[20:280, left : left + 60] = strip(260, 60)
    assert cut_out_on_a_colour(drawn) is None
    assert not is_single_shred(drawn)


@pytest.mark.parametrize("colour", [(255, 248, 180), YELLOW, (30, 60, 40), 150])
@pytest.mark.parametrize("slope", [0.0, 0.02])
def test_a_part_of_a_scan_on_which_strips_reach_over_both_long_sides(colour, slope):
    y, x = np.mgrid[:1600, :480]
    on_paper = ((x + slope * y).astype(int) % 100 < 66) & (y > 90)
    part = np.where(on_paper[..., None], strip(1600, 480), np.uint8(colour)).astype(np.uint8)
    part[:, [*range(20), *range(460, 480)]] = strip(1600, 40)
    assert shows_bands(part)
    assert shows_bands(part.swapaxes(0, 1))
    assert not is_single_shred(part)


def test_a_wide_part_of_a_scan_on_which_many_strips_lie_close_together():
    y, x = np.mgrid[:3508, :1349]
    on_paper = (x + 0.01 * y).astype(int) % 96 < 71
    part = np.where(on_paper[..., None], strip(3508, 1349), np.uint8(YELLOW)).astype(np.uint8)
    part[:, [*range(20), *range(1329, 1349)]] = strip(3508, 40)
    assert not is_single_shred(part)


def test_lines_of_print_along_a_strip_are_no_bands():
    pixels = np.full((1800, 180), 250, np.uint8)
    rng = np.random.default_rng(0)
    for left in range(6, 170, 36):
        for top in range(30, 1770, 14):
            if rng.random() < 0.85:
                pixels[top : top + 9, left : left + 20][:: rng.integers(1, 3)] = 25
    assert not shows_bands(pixels)
    assert is_single_shred(pixels)


@pytest.mark.parametrize("colour", [(255, 248, 180), YELLOW, (30, 60, 40), 150])
@pytest.mark.parametrize("slope", [0.0, 0.05])
@pytest.mark.parametrize("lefts", [(200,), (330,), (60, 300)])
def test_a_part_of_a_scan_on_which_a_strip_or_two_lie(colour, slope, lefts):
    y, x = np.mgrid[:1600, :480]
    on_paper = np.zeros(y.shape, bool)
    for left in lefts:  # at (330, 0.05) it runs off the part
        on_paper |= (x >= left + slope * y) & (x < left + 70 + slope * y) & (y > 90)
    part = np.where(on_paper[..., None], strip(1600, 480), np.uint8(colour)).astype(np.uint8)
    assert shows_strips(part)
    assert shows_strips(part.swapaxes(0, 1))
    assert not is_single_shred(part)


def test_a_strip_between_two_colours_is_on_a_part_of_a_scan():
    part = np.full((1600, 300, 3), YELLOW, np.uint8)
    part[:, 190:] = 30, 60, 140
    part[80:1500, 110:190] = strip(1420, 80)
    assert shows_strips(part)


@pytest.mark.parametrize("colour", [248, (250, 245, 220), (160, 200, 160), 120])
def test_shadows_along_the_cuts_are_nothing_that_a_shred_lies_on(colour):
    pixels = strip(colour=colour)
    pixels[:, :4] = pixels[:, -4:] = 70
    assert not shows_strips(pixels)
    pixels = strip(width=200, colour=colour)
    pixels[200:600, :60] = pixels[200:600, 140:] = 70  # and neither is what is printed
    assert not shows_strips(pixels)
