from dataclasses import replace

import numpy as np
import pytest

from core.inspection.sample_index import (
    BorderSamples,
    Neighbour,
    SampleIndex,
    distance_between,
    index_samples,
    levelled,
    map_height,
    nearest,
)
from core.inspection.samples import Sample, n_embedding_rows, rows_with_ink
from core.options import BorderOptions
from core.shreds.borders import read_borders
from core.shreds.shred import Shred

FRAME = (-40, 240)


def shred(id, sheet=0, *, ink=True, height=200, seed=0):
    pixels = np.full((height, 80, 3), 255, np.uint8)
    if ink:
        first = 40 + 20 * seed
        pixels[first : first + 10] = 20
    outline = np.zeros((0, 2), np.float32)
    mask = np.ones((height, 80), np.bool_)
    return Shred(id, sheet, (0, 0, 80, height), outline, 0.0, pixels, mask, 0, not ink)


def samples(*of_each):
    """Of each shred a dict of row to vector."""
    return BorderSamples.of(
        [np.array(list(each.values()), np.float32).reshape(-1, 2) for each in of_each],
        [np.array(list(each), np.intp) for each in of_each],
    )


@pytest.fixture
def index():
    shreds = (shred("a"), shred("b"), shred("c", 1), shred("d", 1))
    right = samples({5: (0, 0), 9: (10, 10)}, {}, {5: (3, 0)}, {})
    left = samples({5: (0, 0)}, {5: (3, 4), 6: (0, 2), 40: (1, 0)}, {}, {5: (6, 8), 9: (10, 11)})
    return SampleIndex(shreds, (0, 200), right, left)


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


def test_map_keeps_distances_that_lie_in_a_plane(index):
    drawn = map_height(index, 5, also=[Sample("b", "left", 6), Sample("b", "left", 6), Sample("a", "left", 30)])
    assert drawn.samples == (
        Sample("a", "right", 5),
        Sample("c", "right", 5),
        Sample("a", "left", 5),
        Sample("b", "left", 5),
        Sample("d", "left", 5),
        Sample("b", "left", 6),
    )
    assert drawn.share == pytest.approx(1)
    place = dict(zip(drawn.samples, drawn.points, strict=True))
    for one, other in [(("a", "right", 5), ("b", "left", 5)), (("b", "left", 5), ("b", "left", 6))]:
        expected = distance_between(index, Sample(*one), Sample(*other))
        assert np.linalg.norm(place[Sample(*one)] - place[Sample(*other)]) == pytest.approx(expected, rel=1e-5)


def test_a_height_without_ink_gives_an_empty_map(index):
    assert map_height(index, 30).samples == ()


class CountingEncoder:
    """Embeds a sample as (rows with ink seen, 1 for the right side); blank paper as (0, 0)."""

    def __init__(self, sample_height_px=32):
        self.sample_height_px = sample_height_px
        self.embedded = 0

    def blank(self, side):
        return np.zeros(2, np.float32)

    def embed(self, borders, side, progress):
        out = np.zeros((len(borders), n_embedding_rows(borders.shape[1], self.sample_height_px), 2), np.float32)
        for border, embedding in zip(borders, out, strict=True):
            seen = rows_with_ink(border, self.sample_height_px)
            embedding[seen] = (border.any(axis=1).sum(), side == "right")
        progress(1.0, "")
        self.embedded += len(borders)
        return out


def test_index_holds_every_sample_with_ink_and_no_other(monkeypatch):
    monkeypatch.setattr("core.inspection.sample_index._SHREDS_AT_ONCE", 2)
    shreds = [shred(f"1-0{number}", seed=number, ink=number != 2) for number in range(1, 6)]
    told = []
    index = index_samples(shreds, FRAME, CountingEncoder(), progress=lambda fraction, text: told.append(fraction))
    assert [one.id for one in index.shreds] == ["1-01", "1-03", "1-04", "1-05"]
    borders = read_borders(index.shreds, frame=FRAME)
    for number in range(4):
        expected = np.flatnonzero(rows_with_ink(borders.right[number]))
        first, last = index.right.start[number : number + 2]
        assert index.right.row[first:last].tolist() == expected.tolist()
    assert told == sorted(told)
    assert told[-1] == 1


def test_a_higher_sample_counts_where_its_middle_lies():
    index = index_samples([shred("1-01", seed=3), shred("1-02", seed=1)], FRAME, CountingEncoder(96))
    borders = read_borders(index.shreds, frame=FRAME)
    rows = index.right.row[: index.right.start[1]]
    n = n_embedding_rows(borders.right.shape[1], 96)
    # What has ink only above or below its middle is left out: nothing of it is shown.
    assert rows.tolist() == [row for row in np.flatnonzero(rows_with_ink(borders.right[0])) if 8 <= row < 8 + n]
    assert len(rows) < rows_with_ink(borders.right[0], 96).sum()
    # The bar lies in rows 140 to 149 of the frame; the middles of the samples that see it lie around it.
    assert (4 * rows.min() + 16 + 4 * rows.max() + 16) / 2 == pytest.approx(144.5, abs=4)


def test_only_what_was_turned_is_embedded_again():
    shreds = [shred(f"1-0{number}", seed=number) for number in range(1, 6)]
    encoder = CountingEncoder()
    first = index_samples(shreds, FRAME, encoder)
    assert encoder.embedded == 10
    turned = [replace(one, half_turn=True) if one.id == "1-03" else one for one in shreds]
    assert first.holds(shreds, *first.read_with)
    assert not first.holds(turned, *first.read_with)
    encoder.embedded = 0
    second = index_samples(turned, FRAME, encoder, previous=first)
    assert encoder.embedded == 2
    anew = index_samples(turned, FRAME, encoder)
    assert second.holds(turned, *second.read_with)
    for side in ("left", "right"):
        for name in ("start", "row", "vectors", "squares"):
            assert np.array_equal(getattr(second.of(side), name), getattr(anew.of(side), name))
    assert not np.array_equal(first.right.row, second.right.row)


def test_other_options_make_the_index_stale():
    shreds = [shred("1-01"), shred("1-02", seed=1)]
    encoder = CountingEncoder()
    first = index_samples(shreds, FRAME, encoder)
    encoder.embedded = 0
    index_samples(shreds, FRAME, encoder, border=BorderOptions(worn_px=3), previous=first)
    assert encoder.embedded == 4
