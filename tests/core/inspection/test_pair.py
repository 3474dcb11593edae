from dataclasses import replace

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.embedding.geometry import n_embedding_rows
from core.inspection.pair import MEETINGS, close_up, close_up_below, read_seam
from core.matching.shifts import overlap
from core.options import CostOptions, Options
from core.shreds.borders import read_borders


@pytest.fixture
def pair(make_shred):
    """Two shreds of 200 rows; bars run out of the left one at 60 and 140, into the right one at 50 and 170."""

    def barred(shred_id, tops):
        shred = make_shred(shred_id, np.ones((200, 40), dtype=np.bool_))
        shred.pixels[:] = 250
        for top in tops:
            shred.pixels[top : top + 12] = 20
        return shred

    return barred("1-01", (60, 140)), barred("1-02", (50, 170))


def what_at(seen, row):
    return MEETINGS[int(seen.ink[row])]


def test_bars_meet_at_their_shift(pair):
    seen = close_up(*pair, 10)
    assert seen.pixels.shape == (210, 80, 3)
    assert seen.placements == {"1-01": (0, 0, 40, 200), "1-02": (40, 10, 40, 200)}
    assert what_at(seen, 66) == "both"
    assert what_at(seen, 146) == "left"
    assert what_at(seen, 186) == "right"
    assert what_at(seen, 100) == "none"
    assert (seen.left_edge_px[:200] == 39).all()
    assert (seen.left_edge_px[200:] == -1).all()
    assert (seen.right_edge_px[10:] == 40).all()
    assert (seen.right_edge_px[:10] == -1).all()


def test_pieces_below_each_other_are_seen_with_those_beside_them(make_shred):
    names = [f"{row}-{number:02}" for row in "ab" for number in range(12)]
    shreds = {name: make_shred(name, np.ones((60, 40), dtype=np.bool_)) for name in names}
    places = {names[0]: (0, 0, 0), names[12]: (0, 1, 40)}
    arrangement = Arrangement((tuple(names[:12]), tuple(names[12:])), grid_places=places)
    seen = close_up_below(shreds, arrangement, "a-06", "b-05")
    assert seen.below
    assert seen.placements["a-06"][:2] == (4 * 40, 0)
    assert seen.placements["b-05"][:2] == (4 * 40, 60), "the lower row begins a piece further right"
    assert seen.pixels.shape == (120, 9 * 40, 3)
    assert seen.runs() == []
    at_edge = close_up_below(shreds, arrangement, "a-01", "b-00")
    assert (at_edge.placements["a-01"][:2], at_edge.placements["b-00"][:2]) == ((40, 0), (40, 60))


def test_runs_say_the_same_as_the_rows(pair):
    seen = close_up(*pair, 10)
    again = np.zeros_like(seen.ink)
    for start, stop, what in seen.runs():
        assert stop > start
        again[start:stop] = MEETINGS.index(what)
    np.testing.assert_array_equal(again, seen.ink)
    assert [what for _, _, what in close_up(*pair, 10).runs()].count("both") == 1


def test_ink_beyond_the_other_shred_meets_nothing(pair):
    seen = close_up(*pair, 100)
    assert what_at(seen, 66) == "none"
    assert what_at(seen, 270) == "none"


def test_the_telling_place_is_where_most_ink_is(pair):
    seen = close_up(*pair, 10)
    assert abs(seen.telling_row(20) - 66) < 20 or abs(seen.telling_row(20) - 146) < 20
    blank = close_up(*(replace(shred, pixels=np.full_like(shred.pixels, 250)) for shred in pair), 0)
    assert blank.runs() == []
    assert blank.telling_row(50) == 100


def test_ink_is_sought_once_however_many_others_a_shred_is_seen_beside(pair, monkeypatch):
    left, right = pair
    first = close_up(left, right, 10)
    monkeypatch.setattr("core.inspection.pair.binarize", None)
    np.testing.assert_array_equal(close_up(left, right, 10).ink, first.ink)
    assert what_at(close_up(right, left, 10), 60) == "left"
    with pytest.raises(TypeError):
        close_up(left, replace(right, half_turn=True), 10)


HEIGHT = 240


class Encoder:
    """Sees nothing but how much ink there is in the rows of a sample."""

    sample_height_px = 32

    def embed(self, borders, side, progress):
        progress(1.0, f"Embedding {side} borders")
        n_rows = n_embedding_rows(borders.shape[1])
        ink = borders.mean(axis=2)
        rows = [[ink[i, 4 * k : 4 * k + 32].sum() for k in range(n_rows)] for i in range(len(borders))]
        return np.array(rows, dtype=np.float32)[..., None]


@pytest.fixture
def shreds(make_shred):
    """Two shreds with a bar across: that of the right one lies 10 px higher; and a taller shred."""

    def barred(shred_id, top, **others):
        shred = make_shred(shred_id, np.ones((HEIGHT, 60), dtype=np.bool_), **others)
        shred.pixels[:] = 250
        shred.pixels[top : top + 16] = 20
        return shred

    return [
        barred("1-01", 120),
        barred("1-02", 110),
        make_shred("1-03", np.ones((300, 60), dtype=np.bool_), frame_top_px=-20),
    ]


def seam_at(shreds, shift_px, options=Options()):
    return read_seam(shreds[0], shreds[1], shift_px, shreds, Encoder(), options)


def test_borders_agree_at_the_shift_at_which_the_bars_meet(shreds):
    costs = [seam_at(shreds, shift).ink_cost for shift in range(-4, 25)]
    assert range(-4, 25)[int(np.argmin(costs))] == 10
    assert min(costs) == 0


def test_disagreement_lies_where_the_bars_are(shreds):
    seam = seam_at(shreds, 0)
    assert seam.shift_px == 0
    wrong = seam.distance > 0
    assert wrong.any()
    assert seam.top_px[wrong].min() >= 110 - 32
    assert seam.top_px[wrong].max() <= 136
    assert seam.inked[wrong].all()
    assert not seam.inked[np.abs(seam.top_px - 120) > 90].any()
    assert (np.diff(seam.top_px) == 4).all()
    assert seam.top_px[0] == -20, "the common frame begins above the left shred"


def test_rows_of_the_left_shred_are_told_also_when_it_lies_low_in_the_frame(shreds):
    low = [replace(shred, frame_top_px=shred.frame_top_px + 8) for shred in shreds[:2]]
    seam = read_seam(*low, 0, [*low, shreds[2]], Encoder(), Options())
    assert seam.top_px[0] == -28
    before = seam_at(shreds, 0)
    np.testing.assert_array_equal(seam.top_px[seam.distance > 0], before.top_px[before.distance > 0])


@pytest.mark.parametrize("shift_px", [-24, -8, 0, 4, 12])
def test_the_ink_costs_what_it_does_in_the_costs(shreds, shift_px):
    options = Options(cost=CostOptions(max_shift_rows=6))
    borders = read_borders(shreds)
    right = Encoder().embed(borders.right, "right", lambda *_: None)[0]
    left = Encoder().embed(borders.left, "left", lambda *_: None)[1]
    of_right, of_left = overlap(shift_px // 4, len(right) - 6)
    assert seam_at(shreds, shift_px, options).ink_cost == pytest.approx(
        float(np.square(right[of_right] - left[of_left]).sum())
    )


def test_shifts_beyond_those_tried_compare_what_overlaps(shreds):
    far = seam_at(shreds, 4 * n_embedding_rows(320))
    assert len(far.distance) == 0
    assert far.ink_cost == 0
