import numpy as np
import pytest

from core.shreds.windows import MOST_WINDOWS, WINDOW, cut_windows, windows_of_print


def test_a_window_holds_the_share_of_ink():
    slanted = np.eye(WINDOW, dtype=np.uint8) + np.eye(WINDOW, k=1, dtype=np.uint8)
    (window,) = cut_windows(np.kron(slanted, np.ones((2, 2), np.uint8)) > 0)
    assert window.dtype == np.uint8
    assert (window == slanted * 255).all()


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
    ink[250:290, :40] = np.arange(40)[:, None] % 20 == np.arange(40) % 20  # slanted strokes
    ink[250:290, 1:41] |= ink[250:290, :40]
    assert 1 <= len(cut_windows(ink)) <= 2
    assert len(cut_windows(np.ones((600, 96), np.bool_))) == 0


def test_of_many_windows_some_are_taken_all_over():
    ink = np.zeros((96 * 40, 96 * 3), np.bool_)
    ink[::12, ::5] = ink[1::12, ::5] = True
    ink[: 96 * 20, :8] = True  # tells the upper half
    windows = cut_windows(ink)
    assert len(windows) == MOST_WINDOWS
    assert 5 < (windows[:, 2, :4] > 0).all(axis=1).sum() < 15


@pytest.mark.parametrize("tilt", [0.0, 0.015])
def test_lines_alone_are_no_print(tilt):
    row, column = np.mgrid[:900, :90]
    ruled = (row + np.round(tilt * column)).astype(int) % 60 < 4
    framed = ruled | (np.abs(column - 40) < 3)
    for ink in (ruled, framed, ruled.T, framed.T):
        assert len(cut_windows(ink)) <= (tilt > 0)
    framed[100:130, 50:80] = (
        np.eye(30, dtype=np.bool_) | np.eye(30, k=3, dtype=np.bool_) | np.eye(30, k=-3, dtype=np.bool_)
    )
    assert 1 <= len(cut_windows(framed)) <= 2


def test_a_tiny_shred_has_a_window():
    assert len(cut_windows(np.ones((3, 3), np.bool_))) == 0
    assert len(cut_windows(np.random.default_rng(0).random((40, 40)) < 0.3)) == 1


def test_what_shades_draw_says_nothing_of_which_way_up():
    rng = np.random.default_rng(0)
    y, x = np.mgrid[:900, :90]
    shades = 128 + 90 * np.sin(y / 9 + np.sin(x / 7)) + 30 * np.sin(y / 200) + rng.normal(0, 6, y.shape)
    picture = np.clip(shades, 0, 255).astype(np.uint8)
    paper, ink = np.ones(picture.shape, np.bool_), picture < 110
    assert len(windows_of_print(picture, paper, ink)) == 0
    assert len(windows_of_print(np.repeat(picture[..., None], 3, axis=2), paper, ink)) == 0
    # Printed black as densely, the same lines say what they look like.
    printed = np.where(ink, 30, 240).astype(np.uint8)
    assert len(windows_of_print(printed, paper, ink)) > 0
    assert len(windows_of_print(picture, np.zeros_like(paper), np.zeros_like(ink))) == 0
