import cv2
import numpy as np
import pytest
from skimage.filters import threshold_sauvola

from core.options import BinarizationOptions
from core.shreds.binarization import binarize, is_blank, sauvola_threshold


def grey_page(seed: int = 0) -> np.ndarray:
    """Dark strokes on paper that is lit unevenly, with scanner noise."""
    rng = np.random.default_rng(seed)
    paper = np.linspace(150, 240, 120)[None, :] + np.zeros((90, 1))
    paper[30:36, 10:110] -= 90
    paper[50:70, 20:24] -= 90
    return np.clip(paper + rng.normal(0, 3, paper.shape), 0, 255).astype(np.uint8)


def test_threshold_follows_sauvolas_formula():
    grey = grey_page()
    options = BinarizationOptions(window_px=15, k=0.2)
    window = grey[40 - 7 : 40 + 8, 60 - 7 : 60 + 8].astype(float)
    expected = window.mean() * (1 + 0.2 * (window.std() / 128 - 1))
    assert abs(sauvola_threshold(grey, options)[40, 60] - expected) < 1e-3


@pytest.mark.parametrize("size", [(90, 120), (300, 37), (20, 9), (1, 7), (1, 1)])
@pytest.mark.parametrize(("window_px", "k"), [(25, 0.3), (3, 0.01), (199, 1.0)])
def test_threshold_is_the_librarys_bit_for_bit(size, window_px, k):
    rng = np.random.default_rng(0)
    for grey in (rng.integers(0, 256, size), np.where(rng.random(size) < 0.1, 20, 240), np.full(size, 255)):
        grey = grey.astype(np.uint8)
        expected = threshold_sauvola(grey, window_size=window_px, k=k, r=128.0).astype(np.float32)
        np.testing.assert_array_equal(sauvola_threshold(grey, BinarizationOptions(window_px, k)), expected)


def test_ink_is_found_under_uneven_light():
    grey = grey_page()
    mask = np.ones(grey.shape, dtype=bool)
    ink = binarize(cv2.cvtColor(grey, cv2.COLOR_GRAY2RGB), mask)
    assert ink[31:35, 12:108].all()
    assert not ink[5:20].any()
    assert not ink[75:].any()


def test_nothing_beyond_the_paper_is_ink():
    grey = grey_page()
    mask = np.ones(grey.shape, dtype=bool)
    mask[:, :40] = False
    grey[:, :40] = 0
    ink = binarize(cv2.cvtColor(grey, cv2.COLOR_GRAY2RGB), mask)
    assert not ink[:, :40].any()
    # White beyond the paper: the dark background must not drown the stroke that begins at the edge.
    assert ink[31:35, 40:100].all()


def test_an_even_window_is_widened_to_the_next_odd_one():
    grey = grey_page()
    even = sauvola_threshold(grey, BinarizationOptions(window_px=14))
    odd = sauvola_threshold(grey, BinarizationOptions(window_px=15))
    np.testing.assert_array_equal(even, odd)


WHITE = (248, 248, 250)
PAPERS = {
    "white": WHITE,
    "yellow": (255, 240, 165),
    "pink": (250, 200, 212),
    "blue": (185, 208, 240),
    "green": (195, 230, 190),
    "recycled": (215, 212, 200),
}
INKS = {
    "print at 62 %": (110, 110, 112),
    "faint print": (150, 150, 150),
    "pencil": (185, 185, 188),
    "thermal print": (205, 202, 205),
    "red ball-pen": (215, 80, 90),
    "light blue ball-pen": (140, 185, 240),
    "pale stamp": (240, 195, 200),
    "green ink": (150, 215, 160),
    "yellow marker": (252, 250, 130),
}


def scanned(pixels: np.ndarray, *, noise: float = 2.5, quality: int = 85, seed: int = 0) -> np.ndarray:
    """Add grain, and save as JPEG with colours at half the resolution."""
    grainy = pixels + np.random.default_rng(seed).normal(0, noise, pixels.shape)
    grainy = np.clip(grainy, 0, 255).astype(np.uint8)[..., ::-1]
    packed = cv2.imencode(".jpg", grainy, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.ascontiguousarray(cv2.imdecode(packed, cv2.IMREAD_COLOR)[..., ::-1])


def written(ink: tuple[int, int, int], paper: tuple[int, int, int] = WHITE, rows: int = 1200) -> np.ndarray:
    """A strip of paper with three lines of writing."""
    pixels = np.full((rows, 120, 3), paper, np.uint8)
    for y in (300, 400, 500):
        cv2.putText(pixels, "Hbe", (8, y), cv2.FONT_HERSHEY_SIMPLEX, 1.6, ink, 5, cv2.LINE_AA)
    return pixels


def strokes() -> np.ndarray:
    """Where the writing is."""
    return written((0, 0, 0), (255, 255, 255))[..., 0] < 128


WHOLE = np.ones((1200, 120), np.bool_)


@pytest.mark.parametrize("ink", INKS.values(), ids=list(INKS))
def test_ink_of_any_colour_is_found(ink):
    pixels = scanned(written(ink))
    found, true = binarize(pixels, WHOLE), strokes()
    assert not is_blank(pixels, WHOLE)
    assert found[true].mean() > 0.85
    assert found[~cv2.dilate(true.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(bool)].mean() < 0.001


@pytest.mark.parametrize("paper", PAPERS.values(), ids=list(PAPERS))
@pytest.mark.parametrize("contrast", [0.25, 0.85])
def test_ink_is_found_on_paper_of_any_colour(paper, contrast):
    ink = tuple(round(value * (1 - contrast)) for value in paper)
    pixels = scanned(written(ink, paper))
    assert not is_blank(pixels, WHOLE)
    assert binarize(pixels, WHOLE)[strokes()].mean() > 0.85


@pytest.mark.parametrize("light", [0.35, 0.5, 0.8, 0.93])
def test_paper_along_the_cut_is_no_ink_however_dark_the_scan(light):
    pixels, mask = scanned(written((30, 30, 30))), np.zeros(WHOLE.shape, np.bool_)
    mask[:, 20:100] = True
    dark = np.where(mask[..., None], np.rint(pixels * light).astype(np.uint8), np.uint8(255))
    found, away = binarize(dark, mask), mask & (cv2.dilate(strokes().astype(np.uint8), np.ones((5, 5), np.uint8)) == 0)
    assert found[mask & strokes()].mean() > 0.85
    assert found[away].mean() < 0.001


def test_black_print_is_what_sauvola_says_bit_for_bit():
    pixels = scanned(written((30, 30, 30)))
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.uint8)
    np.testing.assert_array_equal(binarize(pixels, WHOLE), grey <= sauvola_threshold(grey))


def test_a_faint_note_beside_black_print_is_found():
    pixels = written((30, 30, 30))
    pixels[600:1200] = written((140, 185, 240))[:600]
    found = binarize(scanned(pixels), WHOLE)
    assert found[strokes()].mean() > 0.85
    assert found[600:1200][strokes()[:600]].mean() > 0.85


def test_print_under_a_marker_stays_legible():
    pixels = written((30, 30, 30))
    plain = binarize(pixels, WHOLE)
    pixels[250:520] = np.minimum(pixels[250:520], (252, 250, 130))
    marked = binarize(pixels, WHOLE)
    assert (plain != marked).mean() < 0.01


def test_faint_ink_reaches_to_the_cut():
    pixels = np.full((600, 120, 3), WHITE, np.uint8)
    for y in range(100, 500, 60):
        pixels[y : y + 8] = (185, 185, 188)
    mask = np.zeros((600, 120), np.bool_)
    mask[:, 20:100] = True
    pixels[~mask] = 255
    found = binarize(scanned(pixels, noise=1.0), mask)
    assert found[103:105, 20:100].all()


def test_a_photograph_is_no_faint_ink():
    rng = np.random.default_rng(3)
    tones = cv2.resize(rng.uniform(110, 190, (30, 4)).astype(np.float32), (120, 700), interpolation=cv2.INTER_CUBIC)
    pixels = np.full((1200, 120, 3), WHITE, np.uint8)
    pixels[300:1000] = np.clip(tones, 0, 255)[..., None]
    pixels[300:1000:90] = 40
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.uint8)
    np.testing.assert_array_equal(binarize(pixels, WHOLE), grey <= sauvola_threshold(grey))
    assert not is_blank(pixels, WHOLE)


def fibres(pixels: np.ndarray, rng: np.random.Generator) -> None:
    for _ in range(20):
        x, y = int(rng.integers(0, 120)), int(rng.integers(0, 1200))
        end = (x + int(rng.integers(-60, 60)), y + int(rng.integers(-60, 60)))
        cv2.line(pixels, (x, y), end, tuple(int(0.75 * value) for value in pixels[5, 5]), 1, cv2.LINE_AA)


def specks(pixels: np.ndarray, rng: np.random.Generator) -> None:
    for _ in range(40):
        centre = int(rng.integers(0, 120)), int(rng.integers(0, 1200))
        cv2.circle(pixels, centre, int(rng.integers(1, 3)), tuple(int(0.7 * value) for value in pixels[5, 5]), -1)


def streaks(pixels: np.ndarray, rng: np.random.Generator) -> None:
    for width in (1, 3, 5):
        x = 20 * width + int(rng.integers(-8, 8))
        cv2.line(pixels, (x, 0), (x + 15, 1199), tuple(int(0.8 * value) for value in pixels[5, 5]), width)


def shadow(pixels: np.ndarray, rng: np.random.Generator) -> None:
    del rng
    for column, light in enumerate((0.6, 0.7, 0.8, 0.9)):
        for at in (column, -1 - column):
            pixels[:, at] = np.rint(pixels[:, at] * light)


def fading_light(pixels: np.ndarray, rng: np.random.Generator) -> None:
    del rng
    pixels[:] = np.rint(pixels * np.linspace(1, 0.85, len(pixels))[:, None, None])


def nothing(pixels: np.ndarray, rng: np.random.Generator) -> None:
    del pixels, rng


@pytest.mark.parametrize("paper", PAPERS.values(), ids=list(PAPERS))
@pytest.mark.parametrize("dirt", [nothing, fibres, specks, streaks, shadow, fading_light])
@pytest.mark.parametrize(("noise", "quality"), [(0.0, 100), (5.0, 90), (3.0, 60)])
def test_paper_without_ink_is_blank(paper, dirt, noise, quality):
    pixels = np.full((1200, 120, 3), paper, np.uint8)
    dirt(pixels, np.random.default_rng(1))
    assert is_blank(scanned(pixels, noise=noise, quality=quality), WHOLE)


def test_a_full_stop_is_ink_and_a_pale_dot_is_not():
    for ink, blank in (((30, 30, 30), False), ((200, 200, 200), True)):
        pixels = np.full((1200, 120, 3), WHITE, np.uint8)
        cv2.circle(pixels, (60, 600), 3, ink, -1)
        assert is_blank(pixels, WHOLE) == blank


def test_paper_that_is_black_all_over_is_not_blank():
    assert not is_blank(np.full((300, 60, 3), 20, np.uint8), np.ones((300, 60), np.bool_))


def test_hardly_any_paper_is_blank():
    assert is_blank(np.full((3, 1, 3), 240, np.uint8), np.ones((3, 1), np.bool_))


def test_squares_in_the_largest_window_are_summed_without_overflow():
    grey = np.random.default_rng(5).integers(250, 256, (300, 120), np.uint8)
    window = np.pad(grey, 99, mode="reflect")[150:349, 60:259].astype(np.float64)
    expected = window.mean() * (1 + 0.3 * (window.std() / 128 - 1))
    found = sauvola_threshold(grey, BinarizationOptions(window_px=199, k=0.3))
    assert found[150, 60] == pytest.approx(expected, abs=1e-4)
