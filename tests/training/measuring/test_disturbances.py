from dataclasses import replace

import numpy as np
import pytest

from core.shreds.detect import Found
from training.measuring.disturbances import Disturbance, disturbed
from training.measuring.documents import DataSet, Document


@pytest.fixture
def data(make_shred):
    shreds = [make_shred(f"1-{number:02}", np.ones((3400, 30), np.bool_), frame_top_px=40) for number in range(6)]
    documents = (Document("a", (0, 1, 2), (0, 1, 2), 3), Document("b", (3, 4, 5), (3, 4, 5), 3))
    return DataSet(Found((), tuple(shreds), (), ()), documents)


def test_as_they_lie_nothing_changes(data):
    same = disturbed(data, Disturbance())
    assert same.documents == data.documents
    assert same.found.shreds == data.found.shreds


def test_half_of_them_are_turned_about_their_centres(data):
    turned = disturbed(data, Disturbance(half_turned=0.5))
    assert len(turned.upside_down) == 3
    for before, after in zip(data.found.shreds, turned.found.shreds, strict=True):
        expected = before.pixels[::-1, ::-1] if before.id in turned.upside_down else before.pixels
        np.testing.assert_array_equal(after.pixels, expected)


def test_what_runs_off_the_bed_is_cut(data):
    laid = disturbed(data, Disturbance(laid_off_mm=10, seed=1)).found.shreds
    assert len({shred.frame_top_px for shred in laid}) > 1
    assert min(len(shred.mask) for shred in laid) < 3400
    bed_px = max(shred.frame_top_px + len(shred.mask) for shred in laid) - min(shred.frame_top_px for shred in laid)
    assert bed_px <= 3508


def test_a_page_is_as_many_documents_as_there_are_parts_between_gaps(data):
    rest = disturbed(data, Disturbance(missing=1 / 3, seed=0))
    assert len(rest.found.shreds) == 4
    assert rest.n_true == 4
    for run in rest.truth:
        numbers = [int(shred[-2:]) for shred in run]
        assert numbers == list(range(numbers[0], numbers[0] + len(run)))


def test_the_same_seed_lays_the_same(data):
    one, other = (disturbed(data, Disturbance(0.5, 5, 0.2, seed=3)) for _ in range(2))
    assert one.upside_down == other.upside_down
    assert [shred.frame_top_px for shred in one.found.shreds] == [shred.frame_top_px for shred in other.found.shreds]


def test_less_light_makes_white_grey_and_leaves_black(make_shred):
    mask = np.ones((3400, 30), np.bool_)
    mask[:, :2] = False
    shred = make_shred("1-01", mask)
    pixels = np.where(mask[..., None], shred.pixels, np.uint8(255))
    pixels[5, 5:7] = [[0] * 3, [200] * 3]
    data = DataSet(Found((), (replace(shred, pixels=pixels),), (), ()), (Document("a", (0,), (0,), 1),))
    (dark,) = disturbed(data, Disturbance(light=0.5)).found.shreds
    assert [dark.pixels[5, column, 0] for column in (0, 5, 6)] == [255, 0, 100]
