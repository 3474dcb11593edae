import numpy as np
import pytest

from core.shreds.windows import MOST_WINDOWS, WINDOW, cut_windows


def test_a_window_holds_the_share_of_ink():
    ink = np.zeros((2 * WINDOW, 2 * WINDOW), np.bool_)
    ink[20:40, 10:30] = True
    (window,) = cut_windows(ink)
    assert window.shape == (WINDOW, WINDOW)
    assert window.dtype == np.uint8
    expected = np.zeros((WINDOW, WINDOW), np.uint8)
    expected[10:20, 5:15] = 255
    assert (window == expected).all()


@pytest.mark.parametrize("size", [(500, 70), (701, 133), (97, 96)])
def test_a_turned_shred_has_the_same_windows_turned(size):
    ink = np.random.default_rng(0).random(size) < 0.2
    windows = cut_windows(ink)
    assert len(windows)
    for turns in (1, 2):
        turned = np.rot90(cut_windows(np.rot90(ink, turns)), -turns, axes=(1, 2))
        # The sums tell: the order differs, and shares are rounded.
        np.testing.assert_allclose(turned.sum(axis=0, dtype=int), windows.sum(axis=0, dtype=int), atol=len(windows))


def test_windows_without_ink_or_full_of_it_are_left_out():
    ink = np.zeros((600, 90), np.bool_)
    assert len(cut_windows(ink)) == 0
    ink[250:290] = True
    assert 1 <= len(cut_windows(ink)) <= 2
    assert len(cut_windows(np.ones((600, 96), np.bool_))) == 0


def test_of_many_windows_some_are_taken_all_over():
    ink = np.zeros((96 * 40, 96 * 3), np.bool_)
    ink[::4] = True
    ink[: 96 * 20, 0] = True  # tells the upper half
    windows = cut_windows(ink)
    assert len(windows) == MOST_WINDOWS
    assert 5 < (windows[:, 1, 0] > 0).sum() < 25


def test_a_tiny_shred_has_a_window():
    assert len(cut_windows(np.ones((3, 3), np.bool_))) == 0
    assert len(cut_windows(np.arange(1600).reshape(40, 40) % 3 == 0)) == 1
