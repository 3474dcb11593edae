import numpy as np
import pytest

from core.inspection.neighbours import Neighbour, distance_between, nearest
from core.inspection.sample_index import BorderSamples, SampleIndex, levelled
from core.inspection.samples import Sample
from tests.core.inspection.conftest import samples, shred


def test_nearest_of_each_shred_at_any_height(index):
    # a's own sample at distance 0 is left out; b's best is (1, 0), although two more of its samples are near
    assert nearest(index, Sample("a", "right", 5), 3) == (
        Neighbour(Sample("b", "left", 40), 1.0),
        Neighbour(Sample("d", "left", 5), 10.0),
    )
    assert nearest(index, Sample("a", "right", 5), 1) == (Neighbour(Sample("b", "left", 40), 1.0),)


def test_at_the_same_height_only_shifts_count(index):
    assert nearest(index, Sample("a", "right", 5), 3, "height") == (
        Neighbour(Sample("b", "left", 6), 2.0),
        Neighbour(Sample("d", "left", 5), 10.0),
    )


def test_on_the_same_sheet(index):
    assert [found.sample.shred for found in nearest(index, Sample("a", "right", 5), 3, "sheet")] == ["b"]
    assert [found.sample.shred for found in nearest(index, Sample("c", "right", 5), 3, "sheet")] == ["d"]


def test_the_reverse_direction(index):
    assert nearest(index, Sample("d", "left", 9), 3) == (
        Neighbour(Sample("a", "right", 9), 1.0),
        Neighbour(Sample("c", "right", 5), pytest.approx(np.hypot(7, 11))),
    )


def test_blank_samples_have_no_neighbours(index):
    for sample in (Sample("a", "right", 6), Sample("b", "right", 5), Sample("blank", "left", 5)):
        assert index.is_blank(sample)
        assert nearest(index, sample, 3) == ()
    assert not index.is_blank(Sample("a", "right", 5))


def test_equally_near_ones_come_in_the_order_of_the_shreds():
    shreds = tuple(shred(name) for name in "abcd")
    index = SampleIndex(
        shreds,
        (0, 200),
        samples({1: (0, 0)}, {}, {}, {}),
        samples({}, {1: (0, 5)}, {1: (5, 0)}, {1: (3, 4)}),
    )
    found = nearest(index, Sample("a", "right", 1), 2)
    assert [(each.sample.shred, each.distance) for each in found] == [("b", 5.0), ("c", 5.0)]


def test_a_sample_that_lies_near_everything_comes_no_nearer_than_others():
    # The r-samples of b to g have their l-samples, of c to h, at distance 2; that of a lies at 1.4 from all of them.
    axes = np.eye(6, dtype=np.float32)[:, None]
    shreds = tuple(shred(name) for name in "abcdefgh")
    hub, nothing, rows = np.zeros((1, 6), np.float32), np.zeros((0, 6), np.float32), [[1]] * 6
    right = BorderSamples.of([nothing, *(1.4 * axes), nothing], [np.array(row, np.intp) for row in ([], *rows, [])])
    left = BorderSamples.of([hub, nothing, *(3.4 * axes)], [np.array(row, np.intp) for row in ([1], [], *rows)])
    asked = Sample("b", "right", 1)
    plain = nearest(SampleIndex(shreds, (0, 200), right, left), asked, 2)
    assert [found.sample.shred for found in plain] == ["a", "c"]
    level = SampleIndex(shreds, (0, 200), *levelled(right, left))
    assert [found.sample.shred for found in nearest(level, asked, 2)] == ["c", "a"]
    found = nearest(level, asked, 1)[0]
    assert distance_between(level, asked, found.sample) == pytest.approx(found.distance)
    assert min(level.left.level.min(), level.right.level.min()) == 0


def test_distance_of_any_two(index):
    assert distance_between(index, Sample("a", "right", 5), Sample("b", "left", 5)) == 5.0
    assert distance_between(index, Sample("a", "right", 5), Sample("b", "left", 7)) is None
