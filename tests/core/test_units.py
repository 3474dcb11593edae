import pytest

from core.units import DPI, MM_PER_PX, PX_PER_MM, mm_to_px, px_to_mm


def test_an_inch_is_an_inch():
    assert (px_to_mm(DPI), mm_to_px(25.4)) == (25.4, DPI)
    assert pytest.approx(25.4) == DPI * MM_PER_PX
    assert pytest.approx(DPI) == 25.4 * PX_PER_MM


def test_there_and_back():
    assert mm_to_px(px_to_mm(1234)) == pytest.approx(1234)
