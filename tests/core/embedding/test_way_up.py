from dataclasses import replace

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from core.embedding.way_up import WINDOWS_PER_BATCH, WayUp, all_turns, build_model, combine
from core.errors import UsageError
from core.options import BinarizationOptions
from core.progress import Cancelled
from core.shreds.shred import Shred
from core.shreds.windows import WINDOW
from core.system.places import font_path, way_up_weights_path, weights_path

TEXT = "the quick brown fox jumps over the lazy dog while every good page is read from the top down to its foot"


def shred(grey: np.ndarray) -> Shred:
    height, width = grey.shape
    pixels = np.repeat(grey[..., None], 3, axis=2)
    mask = np.ones(grey.shape, np.bool_)
    return Shred("1-01", 0, (0, 0, width, height), np.zeros((4, 2), np.float32), 0.0, pixels, mask, 0, False)


@pytest.fixture(scope="module")
def page() -> np.ndarray:
    image = Image.new("L", (900, 900), 245)
    draw = ImageDraw.Draw(image)
    font = ImageFont.truetype(str(font_path("NotoSans-Regular")), 44)
    for line in range(15):
        draw.text((10, 10 + 58 * line), f"{TEXT[5 * line :]} {TEXT}", fill=20, font=font)
    return np.array(image)


@pytest.fixture(scope="module")
def way_up() -> WayUp:
    return WayUp.load(way_up_weights_path())


def strips(page: np.ndarray) -> list[Shred]:
    return [shred(page[:, left : left + 90]) for left in range(60, 860, 90)]


def test_upright_print_is_known_as_such(way_up, page):
    log_odds = way_up.log_odds(strips(page))
    assert log_odds.shape == (9, 4)
    assert log_odds.dtype == np.float32
    assert (log_odds[:, 0] == 0).all()
    assert (log_odds.argmax(axis=1) == 0).mean() > 0.8
    total = log_odds.sum(axis=0)
    assert total[1:].max() < -5


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_turned_shreds_are_to_be_turned_back(way_up, page, turns):
    as_it_is = way_up.log_odds(strips(page))
    turned = [shred(np.ascontiguousarray(np.rot90(one.pixels[..., 0], -turns))) for one in strips(page)]
    log_odds = way_up.log_odds(turned)
    assert log_odds.sum(axis=0).argmax() == turns
    # Turning a shred moves what is said of it, and changes nothing else.
    moved = np.roll(as_it_is, turns, axis=1)
    np.testing.assert_allclose(log_odds, moved - moved[:, :1], atol=0.05)


def test_strips_along_the_lines_read_sideways(way_up, page):
    on_end = [shred(np.rot90(page[top : top + 110]).copy()) for top in range(20, 800, 110)]
    assert way_up.log_odds(on_end).sum(axis=0).argmax() == 3


def test_a_shred_is_judged_as_the_examiner_turned_it(way_up, page):
    one = strips(page)[:3]
    half_turned = [replace(each, half_turn=True) for each in one]
    log_odds, of_half_turned = way_up.log_odds(one), way_up.log_odds(half_turned)
    np.testing.assert_allclose(of_half_turned[:, 2] + log_odds[:, 2], 0, atol=0.05)


def test_a_shred_without_print_is_not_known(way_up, page):
    blank = shred(np.full((600, 80), 240, np.uint8))
    ruled = np.full((900, 90), 240, np.uint8)
    ruled[40::60] = ruled[41::60] = ruled[42::60] = 40
    log_odds = way_up.log_odds([strips(page)[0], blank, shred(ruled)])
    assert (log_odds[1:] == 0).all()
    assert np.abs(log_odds[0]).max() > 1
    assert way_up.log_odds([]).shape == (0, 4)


def test_the_same_twice_whatever_else_is_judged(way_up, page):
    some = strips(page)
    once, again = way_up.log_odds(some), way_up.log_odds(some)
    assert (once == again).all()
    assert (way_up.log_odds(some[4:6]) == once[4:6]).all()


def test_a_window_is_judged_alike_wherever_in_a_batch_it_stands(way_up):
    rng = np.random.default_rng(0)
    windows = (rng.random((WINDOWS_PER_BATCH + 3, WINDOW, WINDOW)) < 0.2).astype(np.uint8) * 255
    uprightness = way_up.uprightness(windows)
    assert uprightness.shape == (WINDOWS_PER_BATCH + 3, 4)
    np.testing.assert_array_equal(uprightness[::-1], way_up.uprightness(windows[::-1]))


def test_turns_are_counter_clockwise():
    window = np.random.default_rng(1).random((1, 5, 5))
    for turns, turned in enumerate(all_turns(window)):
        assert (turned[0] == np.rot90(window[0], turns)).all()


def test_many_windows_are_surer_than_one_and_never_entirely_sure():
    window = np.array([[1.0, 0, 0, 0]], np.float32)
    one, ten, many = (combine(np.repeat(window, n, axis=0)) for n in (1, 10, 10_000))
    assert one[1] > ten[1] > many[1] > -7
    assert (combine(np.zeros((3, 4), np.float32)) == 0).all()


def test_it_can_be_stopped(way_up, page):
    def stop(fraction: float, text: str) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        way_up.log_odds(strips(page), BinarizationOptions(), stop)


def test_other_files_are_refused(tmp_path):
    with pytest.raises(UsageError, match=r"cannot be read"):
        WayUp.load(tmp_path / "nothing.keras")
    with pytest.raises(UsageError, match="does not hold"):
        WayUp.load(weights_path())
    path = tmp_path / "own.keras"
    build_model().save(path)
    assert len(WayUp.load(path).sha256) == 64
