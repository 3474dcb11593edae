import numpy as np
import pytest

from core.errors import NothingFoundError
from core.options import SegmentationOptions
from core.shreds.ground.background import find_background
from core.shreds.ground.paper import is_printed, is_within, part_whitest
from core.shreds.ground.surfaces import even_surfaces, reduced
from core.shreds.segmentation import segment
from tests.core.drawn_sheets import Scene, draw, row_of_strips

WHITE = (250, 248, 244)
BLUE = (138, 200, 250)
PASTEL = (225, 240, 222)


@pytest.mark.parametrize(
    ("paper", "surface"),
    [
        (BLUE, (250, 240, 170)),
        (BLUE, (240, 240, 238)),
        ((250, 225, 100), (205, 222, 240)),
        ((250, 150, 165), (182, 247, 60)),
        (PASTEL, (252, 252, 252)),
    ],
    ids=["cream card", "white lid", "pale blue card", "lime card", "pastel on a lid"],
)
def test_coloured_paper_may_lie_on_what_is_paler(paper: tuple[int, int, int], surface: tuple[int, int, int]) -> None:
    sheet, masks = draw(Scene(row_of_strips(5), surface=surface, paper=paper))
    background = find_background(sheet.pixels)
    assert background is not None
    np.testing.assert_allclose(background.paper, paper, atol=8)
    np.testing.assert_allclose(background.colour, surface, atol=8)
    shreds = segment(sheet, 0, SegmentationOptions()).shreds
    assert len(shreds) == 5
    for shred, mask in zip(shreds, masks, strict=True):
        assert shred.mask.sum() == pytest.approx(mask.sum(), rel=0.06)
        assert not shred.blank


def test_it_stays_paper_in_uneven_light() -> None:
    sheet, _ = draw(Scene(row_of_strips(5), surface=(250, 240, 170), paper=BLUE, light=0.3))
    background = find_background(sheet.pixels)
    assert background is not None
    assert np.ptp(background.light) > 0.2
    assert background.paper.argmax() == 2
    assert background.colour.argmin() == 2
    assert len(segment(sheet, 0, SegmentationOptions()).shreds) == 5


def test_white_paper_with_the_lid_beside_stays_paper() -> None:
    sheet, _ = draw(Scene(row_of_strips(4), surface=(138, 200, 250), lid_px=60))
    background = find_background(sheet.pixels)
    assert background is not None
    np.testing.assert_allclose(background.paper, WHITE, atol=8)
    np.testing.assert_allclose(background.colour, BLUE, atol=8)


def test_blank_strips_of_colour_do_not_make_white_a_surface() -> None:
    """Nothing says which of both is paper: the whiter one is, as always."""
    sheet, masks = draw(Scene(row_of_strips(4), surface=WHITE, paper=WHITE, shadow=0))
    pixels = sheet.pixels.copy()
    pixels[np.any(masks, axis=0)] = BLUE
    background = find_background(pixels)
    assert background is not None
    np.testing.assert_allclose(background.paper, WHITE, atol=8)


@pytest.mark.parametrize("surface", [(211, 214, 208), (203, 214, 215)])
def test_paper_is_parted_from_a_surface_that_is_nearly_white(surface: tuple[int, int, int]) -> None:
    sheet, _ = draw(Scene(row_of_strips(5), surface=surface))
    small = reduced(sheet.pixels).astype(np.float32)
    assert len(even_surfaces(small)) == 1
    paper, card = sorted(part_whitest(small, even_surfaces(small)), key=lambda mode: -mode[0].min())
    np.testing.assert_allclose(paper[0], WHITE, atol=8)
    np.testing.assert_allclose(card[0], surface, atol=8)
    assert paper[1] + card[1] == pytest.approx(even_surfaces(small)[0][1])
    assert len(segment(sheet, 0, SegmentationOptions()).shreds) == 5


def test_what_lies_within_and_is_narrow_is_no_surface() -> None:
    where = np.zeros((300, 400), np.bool_)
    where[50:250, 100:130] = True
    assert is_within(where)
    where[50:250, 100:160] = True
    assert not is_within(where)
    where[:, 130:] = False
    assert is_within(where)
    where[:, 100:130] = True
    assert not is_within(where)


def test_paper_in_two_lights_is_one() -> None:
    """A page that is half in shadow bears print in both halves."""
    sheet, _ = draw(Scene(row_of_strips(9, gap=0), surface=WHITE))
    pixels = sheet.pixels.copy()
    pixels[600:] = pixels[600:] * 0.84
    small = reduced(pixels).astype(np.float32)
    assert len(part_whitest(small, even_surfaces(small))) == len(even_surfaces(small))
    with pytest.raises(NothingFoundError):
        segment(draw(Scene([], surface=WHITE))[0], 0, SegmentationOptions())


def test_what_bears_print_is_paper_unless_it_is_broader_than_shreds() -> None:
    colour = np.full(3, 200, np.float32)
    flat = np.full((120, 120, 3), 200, np.float32)
    flat[::12, 20:40] = 20
    strip, card = np.zeros((120, 120), np.bool_), np.ones((120, 120), np.bool_)
    strip[:, 18:42] = True
    assert is_printed(strip & (flat[..., 0] > 100), flat, colour)
    assert not is_printed(strip, np.full_like(flat, 200), colour)
    assert not is_printed(card & (flat[..., 0] > 100), flat, colour)
