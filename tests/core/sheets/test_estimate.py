"""A resolution that no file says."""

import pytest

from core.sheets.estimate import estimate_dpi


def shreds(width_in: float, length_in: float, dpi: float, n: int) -> list[tuple[int, int]]:
    return [(round(width_in * dpi / n), round(length_in * dpi))] * n


@pytest.mark.parametrize("dpi", [75, 150, 200, 300, 600])
@pytest.mark.parametrize("paper", [(8.27, 11.69), (8.5, 11.0)])
@pytest.mark.parametrize("n", [15, 30])
def test_shreds_of_a_page(dpi, paper, n):
    assert estimate_dpi(shreds(*paper, dpi, n)).dpi == dpi
    assert estimate_dpi(shreds(*paper, dpi, n), 0.2 * dpi).dpi == dpi


def test_shreds_of_several_pages_go_by_their_length():
    assert estimate_dpi(shreds(8.27, 11.69, 200, 30) * 3, 36.0).dpi == 200


def test_shreds_cut_along_the_lines():
    assert estimate_dpi(shreds(11.69, 8.27, 200, 40), 40.0).dpi == 200, "150 would fit Letter, but for the print"


def test_a_resolution_that_no_scanner_has():
    assert estimate_dpi(shreds(8.27, 11.69, 167, 19), 34.0).dpi == pytest.approx(167, abs=2)


def test_a_picture_as_wide_as_a_page():
    estimate = estimate_dpi([(32, 359)] * 20)
    assert (estimate.dpi, estimate.reason) == (75, "so that the shreds together are as wide as a page")


def test_short_pieces_go_by_their_area():
    assert estimate_dpi([(72, 180)] * 209).dpi == pytest.approx(167, abs=2)


def test_equal_pieces_of_several_pages_fill_each_of_them_upright():
    estimate = estimate_dpi([(72, 180)] * 418)
    assert (estimate.dpi, estimate.reason) == (167, "so that the shreds together are as large as 2 pages")
    assert estimate_dpi([(72, 180)] * 417).dpi == pytest.approx(236, abs=4), (
        "no whole rows: some are missing, or are of others"
    )
    worn = [(72 + number % 5, 180) for number in range(418)]
    assert estimate_dpi(worn).reason == "so that the shreds together are as large as a page"


def test_other_files_know_better():
    assert estimate_dpi([(60, 700)], None, [300.0, 300.1]).dpi == 300
    assert estimate_dpi([], None, [300.0, 600.0]) is None
    assert estimate_dpi(shreds(8.27, 11.69, 150, 20), 30.0, [300.0]).dpi == 150, "but not against the length of a page"


@pytest.mark.parametrize(("pitch_px", "dpi"), [(30.0, 150), (62.0, 300), (127.0, 600)])
def test_lines_of_print_alone(pitch_px, dpi):
    assert estimate_dpi([], pitch_px).dpi == dpi
    assert estimate_dpi([(100, 1500)], pitch_px).dpi == dpi


def test_nothing_to_rest_on():
    assert estimate_dpi([]) is None
    assert estimate_dpi([(30, 100)] * 2) is None


@pytest.mark.parametrize("pitch_px", [119.0, 250.0])
def test_double_spaced_lines_and_pictures_do_not_outdo_the_length(pitch_px):
    assert estimate_dpi(shreds(8.27, 11.69, 300, 25), pitch_px).dpi == 300
