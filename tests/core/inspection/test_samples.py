from dataclasses import fields, replace

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.embedding.geometry import rows_with_ink
from core.inspection.samples import (
    Sample,
    height_mm,
    partner_by_order,
    read_sample,
    sample_at,
    sample_frame,
    sheet_to_shred,
    turn_matrix,
)
from core.shreds.binarization import binarize
from core.shreds.borders import read_border, read_borders
from core.shreds.deskew import find_upright
from core.shreds.shred import Shred, turned, upright
from core.shreds.storage.packed import PackedShred, pack


def shred(id="1-01", *, height=400, width=90, top=0, blank=False, seed=0):
    generator = np.random.default_rng(seed)
    pixels = np.full((height, width, 3), 255, np.uint8)
    for row in range(20, height - 20, 40):
        at = int(generator.integers(0, width - 30))
        pixels[row : row + 12, at : at + 30] = 20
    pixels[100:110] = 20  # reaches both borders
    mask = np.ones((height, width), np.bool_)
    mask[:, :2] = False
    outline = np.array([[2, 0], [width - 1, 0], [width - 1, height - 1], [2, height - 1]], np.float32)
    return Shred(id, 0, (0, 0, width, height), outline, 0.0, pixels, mask, top, blank)


def test_embeddings_see_47_rows():
    border = np.zeros((400, 32), np.bool_)
    border[100, 5] = True
    # 4 j - 8 <= 100 <= 4 j + 38
    assert np.flatnonzero(rows_with_ink(border)).tolist() == list(range(16, 28))


def test_blank_shreds_do_not_widen_the_frame():
    shreds = [shred(top=10), shred("1-02", top=-50, blank=True), shred("1-03", top=14)]
    # and a margin of half the width, 45 px, as a multiple of 4
    assert sample_frame(shreds) == (10 - 48, 414 + 48)
    assert sample_frame(shreds[1:2]) == (-50 - 48, 350 + 48)


def test_the_frame_of_packed_shreds_needs_none_of_their_pixels(monkeypatch):
    plain = [shred(), shred("1-02", width=70, height=300, top=20, seed=1)]
    packed = [PackedShred(png=pack(each), **beside_pixels(each)) for each in plain]
    monkeypatch.setattr("core.shreds.storage.packed.unpack", None)
    assert sample_frame(packed) == sample_frame(plain)


def beside_pixels(shred):
    return {field.name: getattr(shred, field.name) for field in fields(shred) if field.name not in ("pixels", "mask")}


@pytest.mark.parametrize("by_deg", [-10.0, 3.0, 10.0])
def test_turned_shreds_stay_within_the_frame(by_deg):
    one = shred(top=10)
    top, bottom = sample_frame([one])
    posed = turned(one, half_turn=True, by_deg=by_deg)
    read_borders([posed], frame=(top, bottom))
    assert top <= posed.frame_top_px
    assert posed.frame_top_px + len(posed.mask) <= bottom


@pytest.mark.parametrize(("column", "side"), [(2, "left"), (30, "left"), (60, "right"), (89, "right")])
def test_the_nearer_border_is_meant(column, side):
    assert sample_at(shred(), column, 200, (0, 400)).side == side


def test_the_middle_of_the_sample_is_near_the_place():
    for row in range(60, 300, 7):
        sample = sample_at(shred(top=13), 5, row, (3, 413))
        middle = 4 * sample.row + 3 - 13 + 16
        assert abs(middle - row) <= 2
        assert height_mm(sample, shred(top=13), (3, 413)) == pytest.approx(25.4 * middle / 300)


def test_places_beyond_the_ends_give_the_last_samples():
    assert sample_at(shred(), 5, -90, (0, 400)).row == 0
    assert sample_at(shred(), 5, 900, (0, 400)).row == 92  # of 93: ((400 - 3) // 2 + 1 - 3) // 2 + 1 - 6


@pytest.mark.parametrize("half_turn", [False, True])
@pytest.mark.parametrize("side", ["left", "right"])
def test_a_sample_is_the_same_as_in_the_whole_border(side, half_turn):
    one = replace(shred(top=7), half_turn=half_turn)
    pixels, mask = upright(one)
    whole = read_border(binarize(pixels, mask), mask, side, worn_px=1)
    borders = read_borders([one, shred("1-02", top=0)])
    for row in (2, 20, 23, 60):
        grey, ink = read_sample(one, Sample("1-01", side, row), (0, 407))
        assert np.array_equal(ink, whole[4 * row - 7 : 4 * row - 7 + 32])
        assert np.array_equal(ink, getattr(borders, side)[0, 4 * row : 4 * row + 32])
        assert grey.shape == (32, 32)
        assert (grey[ink] < 128).all()


def test_beyond_the_shred_a_sample_is_white():
    grey, ink = read_sample(shred(top=40), Sample("1-01", "left", 0), (0, 440))
    assert (grey == 255).all()
    assert not ink.any()


def test_what_a_sample_meets_follows_order_and_shift():
    arrangement = Arrangement((("a", "b"), ("c",)), shift_px={"b": 8})
    # b lies 8 px lower: row r of a's border meets row r - 2 of b's
    assert partner_by_order(arrangement, Sample("a", "right", 50)) == Sample("b", "left", 48)
    assert partner_by_order(arrangement, Sample("b", "left", 48)) == Sample("a", "right", 50)
    assert partner_by_order(arrangement, Sample("b", "right", 48)) is None
    assert partner_by_order(arrangement, Sample("c", "left", 48)) is None


@pytest.mark.parametrize("angle_deg", [0.0, 3.0, -2.0])
def test_places_on_the_sheet_are_found_on_the_shred(angle_deg):
    import cv2

    # A shred with a dark dot, drawn turned on a sheet, cut out by the same steps as in segmentation.
    sheet, paper = np.full((700, 400, 3), 80, np.uint8), np.zeros((700, 400), np.uint8)
    corners = cv2.boxPoints(((200.0, 350.0), (80.0, 500.0), -angle_deg)).astype(np.int32)
    cv2.fillPoly(sheet, [corners], (255, 255, 255))
    cv2.fillPoly(paper, [corners], 1)
    dot = (210, 180)
    cv2.circle(sheet, dot, 5, (0, 0, 0), -1)
    found = find_upright(paper > 0)
    pixels, mask = found.cut_out(sheet), found.cut_out_mask(paper > 0)
    outline = max(cv2.findContours(paper, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0], key=len)[:, 0]
    box = cv2.boundingRect(outline)
    one = Shred("1-01", 0, box, outline.astype(np.float32), found.angle_deg, pixels, mask, 0, False)
    for half_turn in (False, True):
        for by_deg in (0.0, 4.0, -1.5):
            posed = turned(one, half_turn=half_turn, by_deg=by_deg)
            pixels, mask = upright(posed)
            inner = cv2.erode(mask.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
            row, column = np.argwhere((pixels.max(axis=2) < 60) & inner).mean(axis=0)
            there = sheet_to_shred(one, half_turn=half_turn, by_deg=by_deg) @ (*dot, 1)
            assert there[:2] == pytest.approx((column, row), abs=1.5)


@pytest.mark.parametrize("half_turn", [False, True])
def test_a_dot_is_found_on_the_turned_shred_either_way_up(half_turn):
    found = replace(shred(), half_turn=half_turn)
    marked = np.full_like(found.pixels, 255)
    marked[100:103, 30:33] = 0
    found = replace(found, pixels=marked[::-1, ::-1] if half_turn else marked)
    posed = turned(found, half_turn=False, by_deg=4.0)
    rows, columns = np.nonzero(upright(posed)[0][..., 0] < 128)
    there = turn_matrix(found, posed, 4.0) @ (31, 101, 1)
    assert (columns.mean(), rows.mean()) == pytest.approx(tuple(there[:2]), abs=0.3)
