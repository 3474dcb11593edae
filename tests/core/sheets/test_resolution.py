"""The resolution of a scan."""

import pytest

from core.options import ReadingOptions
from core.sheets.formats.refusal import Refusal
from core.sheets.resolution import resolution

UNKNOWN = ReadingOptions()


@pytest.mark.parametrize("stated", [(300, 300), (200, 200), (204, 98), (73.0, 73.0), (97.5, 97.5), (50, 50)])
def test_believable_values_from_the_file_are_taken(stated):
    assert resolution((2480, 3508), stated, UNKNOWN) == (stated, "file")


NONSENSE = [(0, 0), (1, 1), (300, 1), (9e9, 9e9), (float("nan"), 300.0), (float("inf"), 300.0)]
DEFAULTS = [(72, 72), (96, 96), (71.98, 71.98), (96.012, 96.012), (300, 72)]


@pytest.mark.parametrize("stated", [None, *NONSENSE, *DEFAULTS])
def test_placeholders_from_the_file_count_as_unknown(stated):
    assert resolution((2480, 3508), stated, UNKNOWN) == ((300.0, 300.0), "estimated")


def test_what_the_examiner_says_overrules_the_file():
    assert resolution((10, 10), (300, 300), ReadingOptions(dpi=240.0)) == ((240.0, 240.0), "given")


@pytest.mark.parametrize("dpi", [100, 150, 200, 240, 300, 400, 600, 1200])
@pytest.mark.parametrize("paper_in", [(8.27, 11.69), (8.5, 11.0), (8.5, 11.7), (11.69, 8.27), (11.69, 16.54)])
def test_a_sheet_is_estimated_from_width_and_height(dpi, paper_in):
    size_px = (round(paper_in[0] * dpi), round(paper_in[1] * dpi))
    assert resolution(size_px, None, UNKNOWN) == ((dpi, dpi), "estimated")


@pytest.mark.parametrize("dpi", [100, 150, 200, 240, 300, 400, 600, 1200])
@pytest.mark.parametrize("length_in", [10.9, 11.0, 11.52, 11.69])
def test_a_shred_is_estimated_from_its_length(dpi, length_in):
    expected = ((dpi, dpi), "estimated")
    assert resolution((round(0.4 * dpi), round(length_in * dpi)), None, UNKNOWN) == expected


@pytest.mark.parametrize("size_px", [(2000, 3000), (500, 500), (100, 1500), (100, 4200), (1, 1)])
def test_a_size_that_fits_no_paper_is_asked_for(size_px):
    with pytest.raises(Refusal, match=r"^does not say .* Say the resolution"):
        resolution(size_px, None, UNKNOWN)
