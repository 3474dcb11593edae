import numpy as np
import pytest

from core.composition.heights import darkness
from core.composition.pose import matrix_of
from tests.core.composition.drawn_page import cut_into_strips, printed_page
from training.measuring.registration import moved, register, rigid_fit, stretched_fit


def test_a_strip_is_found_on_its_page():
    page = printed_page()
    pictures, true = cut_into_strips(page, askew_deg=1.3, n=3)
    page_ink, _ = darkness(page, np.ones(page.shape[:2], np.bool_), worn_px=0)
    for name, (pixels, mask) in pictures.items():
        found = register(pixels, mask, page_ink)
        assert found is not None
        for point in ((45, 200, 1), (45, 900, 1)):
            assert found.matrix @ point == pytest.approx(matrix_of(mask, true[name]) @ point, abs=0.5)
        assert found.off_px < 0.5


def test_a_strip_of_another_page_is_found_nowhere():
    pictures, _ = cut_into_strips(printed_page(seed=5), askew_deg=0.0, n=1)
    page = np.full((1300, 1000, 3), 240, np.uint8)
    page_ink, _ = darkness(page, np.ones(page.shape[:2], np.bool_), worn_px=0)
    assert register(*pictures["1-01"], page_ink) is None


def test_a_rigid_fit_heeds_the_many():
    rng = np.random.default_rng(0)
    here = rng.uniform(0, 1000, (30, 2))
    turn = np.radians(2)
    matrix = np.array([[np.cos(turn), -np.sin(turn), 40], [np.sin(turn), np.cos(turn), -7]])
    there = here @ matrix[:, :2].T + matrix[:, 2]
    there[:3] += 80
    assert rigid_fit(here, there) == pytest.approx(matrix, abs=0.5)


def test_a_stretched_fit_heeds_the_many():
    rng = np.random.default_rng(1)
    here = rng.uniform(0, 1000, (40, 2))
    stretched = np.array([[1.004, 0.01, 7.0], [-0.02, 0.997, -3.0]])
    where = moved(here, stretched)
    there = where.copy()
    there[:6] += 200
    found = stretched_fit(here, there)
    assert moved(here, found) == pytest.approx(where, abs=0.5)
