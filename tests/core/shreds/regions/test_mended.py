"""Mends made on a sheet of drawn strips: what comes out is cut out and straightened as any shred is."""

from dataclasses import replace

import numpy as np
import pytest

from core.errors import NothingFoundError
from core.options import SegmentationOptions
from core.sheets.mends import (
    CropSheet,
    DrawOutline,
    ExcludeSheet,
    MergeShreds,
    NotPaper,
    PickBackground,
    SplitShred,
    ThisIsAShred,
)
from core.shreds.regions.mended import preview
from core.shreds.segmentation import segment
from tests.core.drawn_sheets import Scene, Strip, draw, row_of_strips

OPTIONS = SegmentationOptions()


@pytest.fixture(scope="module")
def sheet():
    return draw(Scene(row_of_strips(4)))[0]


@pytest.fixture(scope="module")
def plain(sheet):
    return segment(sheet, 0, OPTIONS)


def mended(sheet, *mends):
    return segment(replace(sheet, info=replace(sheet.info, mends=mends)), 0, OPTIONS)


def middle(shred):
    x, y, width, height = shred.bbox
    return x + width / 2, y + height / 2


def ids(found):
    return [shred.id for shred in found.shreds]


def box(shred, by=0.0):
    x, y, width, height = shred.bbox
    return ((x - by, y - by), (x + width + by, y - by), (x + width + by, y + height + by), (x - by, y + height + by))


def test_a_shred_is_split_along_a_line(sheet, plain):
    x, y = middle(plain.shreds[1])
    found = mended(sheet, SplitShred(((x - 90, y), (x + 90, y + 9))))
    assert ids(found) == ["1-01", "1-03", "1-04", "1-05", "1-06"], "the others keep their numbers"
    upper, lower = sorted(found.shreds[3:], key=lambda shred: shred.bbox[1])
    assert upper.mask.sum() + lower.mask.sum() == pytest.approx(plain.shreds[1].mask.sum(), rel=0.02)
    assert upper.bbox[1] + upper.bbox[3] == pytest.approx(y, abs=8)
    for was, now in zip((plain.shreds[0], *plain.shreds[2:]), found.shreds[:3], strict=True):
        assert np.array_equal(was.pixels, now.pixels)


def test_a_bent_line_goes_on_and_on_to_either_end_too(sheet, plain):
    x, y = middle(plain.shreds[1])
    left, right = x - plain.shreds[1].bbox[2], x + plain.shreds[1].bbox[2]
    bends = (x, y - 300), (x, y - 300), (x, y + 300)  # a click may come twice
    found = mended(sheet, SplitShred(((left, y - 300), *bends, (right, y + 300))))
    upper, lower = sorted(found.shreds[3:], key=lambda shred: shred.bbox[1])
    assert upper.bbox[1] + upper.bbox[3] == pytest.approx(y + 300, abs=8)
    assert lower.bbox[1] == pytest.approx(y - 300, abs=8)
    loop = SplitShred(((x, y - 90), (x, y + 90), (x + 40, y), (x - 40, y)))
    assert "crosses itself" in mended(sheet, loop).refused[0]


def test_parts_are_merged_to_what_they_were(sheet, plain):
    x, y = middle(plain.shreds[1])
    split = SplitShred(((x - 90, y), (x + 90, y)))
    found = mended(sheet, split, MergeShreds(((x, y - 100), (x, y + 100))))
    assert ids(found) == ["1-01", "1-03", "1-04", "1-05"]
    assert np.array_equal(found.shreds[3].pixels, plain.shreds[1].pixels)
    assert np.array_equal(found.shreds[3].mask, plain.shreds[1].mask)


def test_neighbours_are_merged_and_the_largest_gives_its_number(sheet, plain):
    found = mended(sheet, MergeShreds((middle(plain.shreds[1]), middle(plain.shreds[2]))))
    assert len(found.shreds) == 3
    merged = found.shreds[-1]
    assert merged.id in ("1-02", "1-03")
    assert merged.bbox[2] > plain.shreds[1].bbox[2] + plain.shreds[2].bbox[2]


def test_an_outline_drawn_is_what_the_shred_is(sheet, plain):
    x, y, width, height = plain.shreds[2].bbox
    outline = ((x, y + 100.0), (x + width, y + 100.0), (x + width, y + height), (x, y + height))
    found = mended(sheet, DrawOutline(middle(plain.shreds[2]), outline))
    assert ids(found) == ["1-01", "1-02", "1-04", "1-03"], "it keeps its number"
    assert found.shreds[-1].bbox[1] == pytest.approx(y + 100, abs=2)
    assert found.shreds[-1].mask.all(axis=1).mean() > 0.9, "within the outline all is paper"


def test_what_is_no_paper_is_gone_and_what_is_a_shred_is_there(sheet, plain):
    at = middle(plain.shreds[0])
    assert ids(mended(sheet, NotPaper(at))) == ["1-02", "1-03", "1-04"]
    again = mended(sheet, NotPaper(at), ThisIsAShred(box(plain.shreds[0])))
    assert ids(again) == ["1-02", "1-03", "1-04", "1-05"]
    assert again.shreds[-1].bbox == pytest.approx(plain.shreds[0].bbox, abs=2)


def test_what_an_outline_takes_belongs_to_no_other(sheet, plain):
    one, other = plain.shreds[0], plain.shreds[1]
    outline = (box(one)[0], (middle(other)[0], box(one)[1][1]), (middle(other)[0], box(one)[2][1]), box(one)[3])
    found = mended(sheet, DrawOutline(middle(one), outline))
    assert sorted(ids(found)) == ["1-01", "1-02", "1-03", "1-04"]
    narrower = next(shred for shred in found.shreds if shred.id == "1-02")
    assert narrower.bbox[2] < 0.7 * other.bbox[2]


def test_nothing_is_looked_for_beyond_a_crop(sheet, plain):
    second, third = plain.shreds[1].bbox, plain.shreds[2].bbox
    left, right = second[0] - 20.0, third[0] + third[2] + 20.0
    found = mended(sheet, CropSheet(((right, 1200.0), (left, 0.0))))
    assert ids(found) == ["1-01", "1-02"]
    assert [shred.bbox for shred in found.shreds] == [second, third]
    assert np.array_equal(found.shreds[0].outline.min(axis=0), plain.shreds[1].outline.min(axis=0))
    assert found.shreds[0].frame_top_px == plain.shreds[1].frame_top_px
    split = SplitShred(((left, 600.0), (middle(plain.shreds[1])[0] + 60, 600.0)))
    assert len(mended(sheet, CropSheet(((right, 1200.0), (left, 0.0))), split).shreds) == 3


def test_the_background_is_what_was_picked():
    """Brown paper on a white bed: by itself the finder takes the white for paper."""
    scene = Scene(row_of_strips(4, ink=False), surface=(250, 250, 250), paper=(190, 160, 120), shadow=0.0)
    sheet, truth = draw(scene)
    found = mended(sheet, PickBackground((10.0, 10.0)))
    assert len(found.shreds) == 4
    area = sum(int(shred.mask.sum()) for shred in found.shreds)
    assert area == pytest.approx(sum(int(mask.sum()) for mask in truth), rel=0.05)
    assert len(segment(sheet, 0, OPTIONS).shreds) != 4


def test_where_nothing_is_told_from_the_bed_a_shred_is_drawn():
    sheet, _ = draw(Scene(row_of_strips(2, ink=False), surface=(250, 248, 244), shadow=0.0))
    with pytest.raises(NothingFoundError):
        segment(sheet, 0, OPTIONS)
    strip = row_of_strips(2)[0]
    x, y = strip.x - strip.width / 2, strip.y - strip.length / 2
    outline = ((x, y), (x + strip.width, y), (x + strip.width, y + strip.length), (x, y + strip.length))
    assert ids(mended(sheet, ThisIsAShred(outline))) == ["1-01"]


def test_an_excluded_sheet_has_nothing(sheet):
    found = mended(sheet, ExcludeSheet())
    assert (found.shreds, found.scraps, found.crumbs) == ((), (), ())


def test_a_small_shred_that_is_drawn_is_a_scrap():
    sheet, _ = draw(Scene([*row_of_strips(3), Strip(1020, 150, 60, 120)], size=(1100, 1200)))
    plain = segment(sheet, 0, OPTIONS)
    assert [scrap.id for scrap in plain.scraps] == ["1-s1"]
    at = middle(plain.scraps[0])
    outline = box(plain.scraps[0])
    assert [scrap.id for scrap in mended(sheet, DrawOutline(at, outline)).scraps] == ["1-s1"]


@pytest.mark.parametrize(
    ("mend", "why"),
    [
        (SplitShred(((2.0, 5.0), (2.0, 900.0))), "crosses no shred"),
        (SplitShred(((2.0, 5.0), (2.0, 5.0))), "two points"),
        (NotPaper((2.0, 2.0)), "no shred at 2, 2 px"),
        (ThisIsAShred(((0.0, 0.0), (90.0, 900.0), (90.0, 0.0), (0.0, 900.0))), "crosses itself"),
        (ThisIsAShred(((0.0, 0.0), (90.0, 900.0))), "three corners"),
        (ThisIsAShred(((0.0, 0.0), (9.0, 0.0), (9.0, 9.0))), "too small"),
        (ThisIsAShred(((-90.0, 0.0), (-9.0, 0.0), (-9.0, 900.0))), "too small"),
    ],
)
def test_what_cannot_be_mended_is_refused_in_a_sentence(sheet, plain, mend, why):
    found = mended(sheet, mend)
    assert why in found.refused[0]
    assert ids(found) == ids(plain)


def test_shreds_are_refused_that_are_one_or_far_apart(sheet, plain):
    first, last = middle(plain.shreds[0]), middle(plain.shreds[3])
    assert "alone" in mended(sheet, MergeShreds((first, (first[0], first[1] + 30)))).refused[0]
    assert "25 mm apart" in mended(sheet, MergeShreds((first, last))).refused[0]
    through = tuple(middle(shred) for shred in plain.shreds)
    assert mended(sheet, MergeShreds(through)).refused == (), "each is near to the next"
    x, y, _, height = plain.shreds[0].bbox
    beside = SplitShred(((x + 1.0, y + 1.0), (x + 1.0, y + height / 3)))
    assert "one side" in mended(sheet, beside).refused[0] or mended(sheet, beside).refused == ()


def test_outlines_show_beforehand_what_will_come_of_it(sheet, plain):
    shape = sheet.pixels.shape
    x, y = middle(plain.shreds[1])
    mends = SplitShred(((x - 90, y), (x + 90, y))), NotPaper(middle(plain.shreds[0])), NotPaper((2.0, 2.0))
    shown, refused = preview((*plain.shreds, *plain.crumbs), mends, shape)
    assert [one for one, _ in shown] == [*plain.shreds[2:], None, None]
    real = mended(sheet, *mends)
    for (_, outline), shred in zip(shown[2:], real.shreds[2:], strict=True):
        assert outline.min(axis=0) == pytest.approx(shred.bbox[:2], abs=3)
    assert len(refused) == 1


def test_a_file_of_one_shred_is_mended_within_its_mask(sheet):
    mask = np.zeros(sheet.pixels.shape[:2], np.bool_)
    mask[100:1000, 60:160] = True
    single = replace(sheet, mask=mask)
    assert [shred.bbox for shred in mended(single).shreds] == [(60, 100, 100, 900)]
    split = SplitShred(((50.0, 500.0), (170.0, 500.0)))
    assert [shred.bbox[1] for shred in mended(single, split).shreds] == [100, 501]
    cropped = mended(single, CropSheet(((0.0, 300.0), (500.0, 800.0))), split)
    assert [scrap.bbox for scrap in cropped.scraps] == [(60, 300, 100, 201)]
    assert [shred.bbox for shred in cropped.shreds] == [(60, 501, 100, 299)]
