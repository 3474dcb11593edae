from dataclasses import replace

import numpy as np
import pytest

from core.embedding.geometry import n_embedding_rows, rows_with_ink
from core.inspection.sample_index import index_samples
from core.options import BorderOptions
from core.shreds.borders import read_borders
from tests.core.inspection.conftest import shred

FRAME = (-40, 240)


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
