import numpy as np
import pytest

from core.inspection.view_tones import INKS, ViewTones, toned

PAPER, BLACK, RED, BLUE = (245, 240, 225), (30, 30, 35), (190, 40, 50), (40, 60, 170)
PICTURE = np.array([[PAPER, BLACK, RED, BLUE]], np.uint8)
WHITE = [255, 255, 255]


def test_tones_as_they_are_change_nothing():
    assert not ViewTones()
    np.testing.assert_array_equal(toned(PICTURE, ViewTones()), PICTURE)


@pytest.mark.parametrize(("ink", "kept"), [("black", 1), ("red", 2), ("blue", 3), ("green", None), ("violet", None)])
def test_ink_of_one_colour_is_shown_alone(ink, kept):
    shown = toned(PICTURE, ViewTones(ink=ink))[0].tolist()
    assert shown == [PICTURE[0, at].tolist() if at == kept else WHITE for at in range(4)]


def test_every_ink_that_is_offered_can_be_shown():
    for ink in INKS:
        assert toned(PICTURE, ViewTones(ink=ink)).shape == PICTURE.shape


def test_brightness_moves_tones_and_contrast_spreads_them():
    grey = np.full((1, 1, 3), 140, np.uint8)
    assert toned(grey, ViewTones(brightness=20))[0, 0, 0] == 191
    assert toned(grey, ViewTones(contrast=100))[0, 0, 0] == 252
    assert toned(grey, ViewTones(contrast=-100))[0, 0, 0] == 129
    assert toned(grey, ViewTones(brightness=-100, contrast=100))[0, 0, 0] == 0


def test_a_threshold_leaves_two_tones():
    shown = toned(PICTURE, ViewTones(threshold=128))[0]
    assert shown.tolist() == [WHITE, [0, 0, 0], [0, 0, 0], [0, 0, 0]]


def test_what_is_given_stays_as_it_is():
    before = PICTURE.copy()
    toned(PICTURE, ViewTones(10, 10, 100, "red"))
    np.testing.assert_array_equal(PICTURE, before)
