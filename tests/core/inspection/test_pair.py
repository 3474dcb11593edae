import numpy as np
import pytest

from core.inspection.pair import MEETINGS, close_up


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
    for shred in pair:
        shred.pixels[:] = 250
    blank = close_up(*pair, 0)
    assert blank.runs() == []
    assert blank.telling_row(50) == 100
