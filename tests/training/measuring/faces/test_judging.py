import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.faces import FacePair
from core.shreds.detect import Found
from training.measuring.faces.judging import JudgedPairs, judge_joins, judge_pairs
from training.measuring.faces.truth import TrueFace, TwoFaced

BOTH = ("front", "back")
FOUND = Found((), (), (), (), {})


@pytest.fixture
def data():
    """Two sheets of paper, four strips each; f0 is a front, b0 its back; of the second, F0 and B0; all lie upright."""
    faces = {
        f"{name if paper == 0 else name.upper()}{number}": TrueFace((paper, number), face, False)
        for paper in range(2)
        for number in range(4)
        for name, face in (("f", "front"), ("b", "back"))
    }
    return TwoFaced(FOUND, faces, {true.strip: frozenset(BOTH) for true in faces.values()})


def judged(data, *pages, half_turned="", faces=BOTH):
    """Judge pages written as texts; returns how many joins were made, missed, and are wrong."""
    arrangement = Arrangement(tuple(tuple(page.split()) for page in pages), half_turned=frozenset(half_turned.split()))
    found = judge_joins(arrangement, data, faces)
    return len(found.made), len(found.true - found.made), found.wrong


def test_fronts_ascend_and_backs_descend(data):
    assert judged(data, "f0 f1 f2 f3", "B3 B2 B1 B0") == (6, 0, 0)
    assert judged(data, "f3 f2 f1 f0", "B0 B1 B2 B3") == (0, 6, 6)


def test_upside_down_it_is_the_other_way_round(data):
    assert judged(data, "f3 f2 f1 f0", "B0 B1 B2 B3", half_turned="f0 f1 f2 f3 B0 B1 B2 B3") == (6, 0, 0)


def test_neighbours_that_show_different_faces_or_ways_up_are_wrong(data):
    assert judged(data, "f0 f1 b2 f3") == (1, 5, 2)
    assert judged(data, "f0 f1 f2 f3", half_turned="f2") == (1, 5, 2)


def test_how_a_shred_lay_counts_with_how_it_stands(data):
    data.faces["f1"] = TrueFace((0, 1), "front", True)
    assert judged(data, "f0 f1 f2 f3") == (1, 5, 2)
    assert judged(data, "f0 f1 f2 f3", half_turned="f1") == (3, 3, 0)


def test_where_pages_end_another_may_begin(data):
    assert judged(data, "f0 f1 f2 f3 F0 F1 F2 F3") == (6, 0, 0)
    assert judged(data, "f0 f1 f2 f3 B3 B2 B1 B0") == (6, 0, 0)
    assert judged(data, "f0 f1 f2 f3 F1 F2 F3") == (5, 1, 1)
    assert judged(data, "f0 f1 f2 f3 B0 B1 B2 B3") == (3, 3, 4)


def test_a_page_is_no_neighbour_of_itself_and_a_strip_none_of_its_other_face(data):
    assert judged(data, "f2 f3 f0 f1") == (2, 4, 1)
    assert judged(data, "f3 b3") == (0, 6, 1)


def test_beside_a_lost_strip_a_page_goes_on(data):
    del data.inked[0, 2]
    del data.faces["f2"], data.faces["b2"]
    assert judged(data, "f0 f1 f3") == (1, 3, 0)
    assert judged(data, "f0 f3") == (0, 4, 1)


def test_paper_without_ink_does_not_count(data):
    data.inked[0, 1] = frozenset()
    assert judged(data, "f0 f2 f3") == judged(data, "f0 f1 f2 f3") == (2, 3, 0)
    data.inked[0, 1] = frozenset({"back"})
    assert judged(data, "f0 f1 f2 f3") == (3, 3, 0)
    assert judged(data, "f0 f1 f2 f3", faces=("front",)) == (2, 3, 0)


def test_joins_to_what_was_not_laid_are_wrong_and_one_made_twice_counts_once(data):
    assert judged(data, "f0 x f1") == (0, 6, 2)
    assert judged(data, "f0 f1", "b1 b0") == (1, 5, 0)


def test_some_joins_are_counted_alone(data):
    joins = judge_joins(Arrangement((("f0", "f1", "F0"),)), data, BOTH)
    assert joins.share_right == pytest.approx(1 / 6)
    assert joins.share_among([join for join in joins.true if join[0][0] == 0]) == pytest.approx(1 / 3)
    assert joins.share_among([((1, 0), (1, 1))]) == 0
    assert joins.share_among([]) is None


def test_in_the_papers_measure_an_end_followed_by_another_is_right(data):
    def accuracy(*pages):
        return judge_joins(Arrangement(tuple(tuple(page.split()) for page in pages)), data, BOTH).accuracy

    assert accuracy("f0 f1 f2 f3", "B3 B2 B1 B0") == accuracy("f0 f1 f2 f3 F0 F1 F2 F3") == 1
    assert accuracy("f0 f1 f2", "f3", "F0 F1 F2 F3") == 1, "they are one long sequence"
    assert accuracy("f0 f1 f2", "F0 F1 F2 F3", "f3") == pytest.approx(5 / 7)
    assert accuracy("f0 f1 f2 f3") == pytest.approx(3 / 7), "what stands nowhere takes its joins with it"


def test_pairs_are_right_if_they_are_of_one_paper_and_turned_rightly(data):
    pairs = [
        FacePair("b0", "f0", False, 0),
        FacePair("f1", "b1", True, 0),
        FacePair("f2", "b3", False, 0),
        FacePair("F0", "x", False, 0),
    ]
    assert judge_pairs(pairs, data) == JudgedPairs(1, 3, 1, 8)
