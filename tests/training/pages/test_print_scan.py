from dataclasses import replace

import numpy as np
import pytest

from training.pages.print_scan import Copy, Treatment, draw_treatment, print_and_scan

FAITHFUL = Treatment(
    angle_deg=0.0,
    scale=1.0,
    screen_px=4.0,
    screen_deg=45.0,
    needles=False,
    print_blur_px=0.4,
    gain=0.0,
    softness=0.5,
    roughness=0.0,
    unevenness=0.0,
    specks=0.0,
    holes=0.0,
    copies=(),
    shadows=0,
    ink=0.0,
    paper=255.0,
    bleed=0.0,
    bleed_blur_px=2.0,
    light=0.0,
    scan_blur_px=0.4,
    sharpening=0.0,
    grain=0.0,
    grain_px=0.0,
    white=255.0,
    black=0.0,
    jpeg=0,
)
"""Nearly nothing happens."""


@pytest.fixture
def clean() -> np.ndarray:
    """A page with bars of 3 to 12 pixels."""
    grey = np.full((240, 320), 255, np.uint8)
    for x, width in ((40, 3), (100, 5), (160, 8), (220, 12)):
        grey[40:200, x : x + width] = 0
    return grey


def scan(clean, behind=None, **changes):
    return print_and_scan(clean, replace(FAITHFUL, **changes), np.random.default_rng(1), behind)


def ink_share(grey):
    return float(np.mean(grey < 128))


def test_a_faithful_print_and_scan_keeps_the_page(clean):
    result = scan(clean)
    assert result.dtype == np.uint8
    np.testing.assert_array_equal(result < 128, clean < 128)


def test_the_generator_decides_everything(clean):
    def treated(seed):
        rng = np.random.default_rng(seed)
        return print_and_scan(clean, draw_treatment(rng), rng)

    np.testing.assert_array_equal(treated(3), treated(3))
    assert (treated(3) != treated(4)).any()


def test_drawn_treatments_leave_the_text_on_the_page(clean):
    for seed in range(30):
        rng = np.random.default_rng(seed)
        treatment = replace(draw_treatment(rng), angle_deg=0.0, scale=1.0, needles=False, shadows=0)
        result = print_and_scan(clean, treatment, rng).astype(int)
        bar, paper = result[60:180, 222:230].mean(), result[60:180, 260:300].mean()
        assert paper - bar > 80, (seed, treatment)


def test_strokes_gain_and_lose(clean):
    shares = [ink_share(scan(clean, gain=gain, print_blur_px=1.0)) for gain in (-0.3, 0.0, 0.3)]
    assert 0 < shares[0] < shares[1] < shares[2]


def test_specks_are_as_many_as_asked_and_holes_only_show_in_ink(clean):
    blank = np.full((1000, 1000), 255, np.uint8)
    counts = [np.count_nonzero(scan(blank, specks=rate) < 128) for rate in (0.0, 50.0, 500.0)]
    assert counts[0] == 0 < counts[1] < counts[2]
    holed = scan(clean, holes=100.0)
    assert ink_share(holed) < ink_share(scan(clean))
    np.testing.assert_array_equal(holed[clean == 255] < 128, False)


def test_grey_areas_become_dots_of_the_same_mean_and_letters_stay(clean):
    clean[60:180, 240:310] = 128
    result = scan(clean)
    area = result[70:170, 250:300]
    assert np.mean((area < 60) | (area > 195)) > 0.4
    assert abs(area.mean() - 128) < 25
    np.testing.assert_array_equal(result[:, :90] < 128, clean[:, :90] < 128)


def test_a_matrix_printer_parts_strokes_into_dots(clean):
    clean[100, 20:300] = 0
    clean[40:200, 160:168] = 0
    dots = scan(clean, needles=True)
    column = dots[45:195, 160:168].min(axis=1) < 128
    assert 0.2 < ink_share(dots[45:195, 160:168]) < 1
    assert column.any()


@pytest.mark.parametrize("resolution", [0.67, 1.0, 1.33])
def test_a_copy_keeps_thin_strokes_even_where_their_ink_is_weak(clean, resolution):
    copy = Copy(resolution=resolution, blur_px=1.0, threshold=0.5, noise=0.0)
    result = scan(clean, print_blur_px=1.5, gain=-0.15, copies=(copy,))
    assert (result[60:180, 40:43].min(axis=1) < 128).all()
    assert (result[60:180, 60:90] > 200).all()


def test_the_other_side_shines_through_mirrored(clean):
    blank = np.full_like(clean, 255)
    behind = blank.copy()
    behind[100:140, 20:60] = 0
    result = scan(blank, behind, bleed=0.2)
    assert abs(float(result[110:130, 270:290].mean()) - 0.8 * 255) < 3
    assert result[110:130, 30:50].min() == 255
    smaller = scan(blank, behind[:200, :300], bleed=0.2)
    assert smaller[120, 280] < 210
    assert smaller[120, 40] == 255


def test_the_page_is_turned_and_scaled():
    clean = np.full((400, 400), 255, np.uint8)
    clean[198:202, 20:380] = 0
    rows = np.arange(400)

    def middle(grey, column):
        dark = 255 - grey[:, column].astype(float)
        return (dark * rows).sum() / dark.sum()

    turned = scan(clean, angle_deg=2.0)
    assert (middle(turned, 100) - middle(turned, 300)) / 200 == pytest.approx(np.tan(np.radians(2.0)), abs=0.003)
    assert np.ptp(np.flatnonzero(scan(clean, scale=0.9)[200] < 128)) == pytest.approx(0.9 * 360, abs=4)


def test_light_grain_contrast_and_jpeg(clean):
    blank = np.full((300, 300), 255, np.uint8)
    assert scan(blank, paper=235.0).mean() == pytest.approx(235, abs=1)
    assert scan(blank, paper=235.0, white=230.0).min() == 255
    assert scan(blank, paper=200.0, grain=4.0).std() == pytest.approx(4, abs=0.3)
    assert np.ptp(scan(blank, paper=235.0, light=20.0)) > 3
    assert 0 < np.abs(scan(clean, jpeg=60).astype(int) - scan(clean)).mean() < 10


def test_shadows_are_dark(clean):
    assert ink_share(scan(np.full((1200, 900), 255, np.uint8), shadows=3)) > 0
