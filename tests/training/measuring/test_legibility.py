import json

import cv2
import numpy as np
import pytest

from core.errors import UsageError
from core.text.tesseract import installed
from tests.core.composition.drawn_page import printed_page
from training.measuring.legibility import DocumentLegibility, Legibility, legibility, slope_deg, words_on


def turned(page, angle_deg):
    matrix = cv2.getRotationMatrix2D((page.shape[1] / 2, page.shape[0] / 2), -angle_deg, 1.0)
    return cv2.warpAffine(page, matrix, page.shape[1::-1], borderValue=(255, 255, 255))


@pytest.mark.parametrize("angle_deg", [-1.53, 0.0, 0.21])
def test_slopes_are_measured_on_the_lines_of_print(angle_deg):
    assert slope_deg(turned(printed_page(), angle_deg)) == pytest.approx(angle_deg, abs=0.03)


def test_what_was_measured_is_summed_up():
    one = DocumentLegibility(
        "letter/a",
        {"intact": 10, "true": 8, "reading": 9, "evidence": 4},
        [0.1],
        np.array([[3.0, 4.0], [0, 1]]),
        np.array([[0.3, 0.4], [0, 0.5]]),
        [0.5],
    )
    two = DocumentLegibility("handwritten/b", {}, [-0.3], np.zeros((2, 2)), np.zeros((2, 2)), [0.7])
    found = Legibility([one, two])
    summary = found.summary()
    assert (summary["reading"], summary["evidence"], summary["true"]) == (0.9, 0.4, 0.8)
    assert (summary["slope_deg_median"], summary["slope_deg_worst"]) == (0.2, 0.3)
    assert summary["displacement_px_median"] == 0.5
    assert summary["across_lines_px"][0] == 0.5
    assert summary["stretched_px"] == [0.25, 0.5]
    assert "reading page 90.0%" in str(found)
    assert json.dumps(summary)


@pytest.mark.skipif(not installed(), reason="Tesseract is not installed")
def test_words_of_three_letters_and_more_are_counted():
    page = printed_page()
    read = words_on(page)
    assert read["wizards"] > 5
    assert all(len(word) >= 3 for word in read)


@pytest.mark.skipif(not installed(), reason="Tesseract is not installed")
def test_a_folder_without_intact_pages_is_refused(tmp_path):
    with pytest.raises(UsageError, match="intact page"):
        legibility(tmp_path)
