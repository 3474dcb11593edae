import numpy as np
import pytest

from core.shreds.ground.surfaces import (
    LIGHTNESS_WEIGHT,
    beside_hue,
    even_surfaces,
    lab,
    reduced,
    under_marker,
)


def test_reduces_by_averaging() -> None:
    pixels = np.zeros((80, 40, 3), np.uint8)
    pixels[:, ::2] = 200
    small = reduced(pixels)
    assert small.shape == (20, 10, 3)
    np.testing.assert_allclose(small, 100, atol=1)


def test_lightness_counts_less_than_chroma() -> None:
    white = lab(np.full((1, 1, 3), 255, np.float32))[0, 0]
    np.testing.assert_allclose(white, (100 * LIGHTNESS_WEIGHT, 0, 0), atol=0.1)


def test_lists_even_surfaces_by_size() -> None:
    small = np.full((100, 100, 3), (250, 200, 70), np.float32)
    small[:, 70:] = 245
    small[:10, :30] = (20, 40, 120)
    found = even_surfaces(small)
    assert [tuple(np.round(colour)) for colour, _ in found] == [(250, 200, 70), (245, 245, 245), (20, 40, 120)]
    assert sum(share for _, share in found) == pytest.approx(1)


def test_what_is_rough_is_no_surface() -> None:
    rough = np.indices((60, 60)).sum(axis=0)[..., None].repeat(3, axis=2) % 2 * 255
    assert even_surfaces(rough.astype(np.float32)) == []


def test_a_marker_on_paper_is_told_from_card_of_nearly_its_hue() -> None:
    paper, card, marker = (
        np.array(colour, np.float32) for colour in ((250, 248, 244), (250, 200, 68), (248, 244, 120))
    )
    direction = beside_hue(card - paper)
    assert direction is not None
    assert (card - paper) @ direction == pytest.approx(direction @ direction)
    pixels = np.tile(paper, (60, 90, 1))
    pixels[:, 60:] = card
    pixels[20:40, :60] = marker
    hue = (pixels - paper) @ (card - paper) / float((card - paper) @ (card - paper))
    found = under_marker(hue, (pixels - paper) @ direction / float(direction @ direction))
    assert found[22:38, 5:55].all()
    assert not found[:18].any()
    assert not found[:, 64:].any()


def test_a_hue_without_a_second_mark_is_told_from_no_other() -> None:
    assert beside_hue(np.array((-180, -20, -18), np.float32)) is None
