from itertools import pairwise

import cv2
import numpy as np
import pytest

from training.demo.sheets import cut_out, draw_strips
from training.pages.sack import GAP_PX, Lying, coloured, drawn_sheets, lay, strip_path, write_sheet


@pytest.fixture
def strips():
    """Three strips of a white page with a black rule, as grey values and cover."""
    page = np.full((300, 210, 1), 255, np.float32)
    page[100:104] = 20
    return [np.rint(cut_out(page, strip)).astype(np.uint8) for strip in draw_strips((300, 210), 3, rng(1))]


def rng(seed):
    return np.random.default_rng(seed)


def test_all_strips_but_those_that_are_lost_lie_on_one_sheet_each_mixed():
    cut = [Lying(page, number, False) for page in range(10) for number in range(20)]
    sheets = drawn_sheets(cut, 0.1, 0.05, 24, 7)
    laid = [(shred.page, shred.number) for sheet in sheets for shred in sheet]
    assert len(laid) == len(set(laid)) == 190
    assert sum(shred.half_turned for sheet in sheets for shred in sheet) == 19
    assert [len(sheet) for sheet in sheets] == [24] * 7 + [22]
    assert all(len({shred.page for shred in sheet}) > 5 for sheet in sheets)
    assert sheets == drawn_sheets(cut, 0.1, 0.05, 24, 7) != drawn_sheets(cut, 0.1, 0.05, 24, 8)


def test_a_shred_lies_where_it_is_said_to_lie(strips):
    shreds = [coloured(strip, Lying(0, number, False), 1) for number, strip in enumerate(strips)]
    sheet, boxes = lay(shreds, 10, rng(2))
    white = (sheet.min(axis=2) > 200).astype(np.uint8)
    rest = white.copy()
    for x, y, width, height in boxes:
        assert rest[y : y + height, x : x + width].mean() > 0.8
        rest[y : y + height, x : x + width] = 0
    assert not rest.any(), "there is no paper elsewhere"
    assert all(after[0] - (before[0] + before[2]) >= GAP_PX - 2 for before, after in pairwise(boxes))


def test_a_half_turned_shred_lies_upside_down(strips):
    as_it_was, turned = (coloured(strips[1], Lying(0, 1, False, half_turned), 1) for half_turned in (False, True))
    np.testing.assert_array_equal(turned, as_it_was[::-1, ::-1])
    assert as_it_was[101, 30, :3].max() < 60


def test_the_same_seed_writes_the_same_sheet(strips, tmp_path):
    for number, strip in enumerate(strips):
        np.save(strip_path(tmp_path, 0, number), strip)
    shreds = [Lying(0, number, False, number == 1) for number in range(3)]
    first = write_sheet(tmp_path / "sheet_1.jpg", shreds, tmp_path, 1.0, 5)
    before = (tmp_path / "sheet_1.jpg").read_bytes()
    assert first == write_sheet(tmp_path / "sheet_1.jpg", shreds, tmp_path, 1.0, 5)
    assert before == (tmp_path / "sheet_1.jpg").read_bytes()
    assert cv2.imread(str(tmp_path / "sheet_1.jpg")).shape[0] > 300 + 2 * GAP_PX
