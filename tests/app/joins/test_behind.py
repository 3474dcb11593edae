"""Two shreds, and what lies behind them."""

from dataclasses import replace

from app.joins.behind import Seen, seen
from core.arrangement.arrangement import Arrangement
from core.arrangement.faces import FacePair, other_faces


def test_from_behind_the_other_faces_change_sides_and_keep_their_height(opened):
    faces = other_faces([FacePair("1-01", "3-01", True, 7), FacePair("1-02", "3-02", False, 5)])
    arrangement = Arrangement((("1-01", "1-02", "2-01"),), other_faces=faces)
    case, pair = replace(opened.session.document.case, arrangement=arrangement), ("1-01", "1-02")
    assert seen(case, pair, 3, behind=False) == Seen(case, pair, 3)
    behind = seen(case, pair, 3, behind=True)
    assert behind.pair == ("3-02", "3-01")
    assert behind.shift_px == -7 - (3 - 5)
    assert behind.case.arrangement.half_turned == {"3-01"}
    assert seen(case, ("1-02", "2-01"), 0, behind=True) is None
