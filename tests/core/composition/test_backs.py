from dataclasses import replace

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.faces import FacePair, back_of, numbered, other_faces, page_labels
from core.case.case import JoinInfo
from core.composition.backs import holes_px, registered, with_backs
from core.composition.page_image import PageImage, turned
from core.composition.pages import compose
from core.composition.rows import rows_of
from core.matching.costs import Costs

FACES = other_faces([FacePair("1-01", "2-01", False, 0), FacePair("1-02", "2-02", True, 2)])
N = 5


@pytest.fixture
def case(small_case, make_shred):
    """Two pages: one of two pieces of paper with two faces, one of a piece with one."""
    paper = np.ones((300, 40), dtype=np.bool_)
    shreds = tuple(make_shred(shred, paper) for shred in ("1-01", "1-02", "1-03", "2-01", "2-02"))
    cost = np.where(np.eye(2 * N), np.inf, 5).astype(np.float32)
    blank = np.full(2 * N, 9, np.float32)
    upright = np.zeros(2 * N, np.float32)
    costs = Costs.of_all(cost, np.zeros(cost.shape, np.int16), blank, blank, 1.0, upright=upright)
    arrangement = Arrangement(
        pages=(("1-01", "1-02"), ("1-03",)),
        shift_px={"1-02": 4},
        page_names={"1-01": "letter"},
        other_faces=FACES,
    )
    joins = (JoinInfo("1-01", "1-02", 3.0, 4, 0.9, contour=0.5),)
    return replace(small_case, shreds=shreds, costs=costs, arrangement=arrangement, joins=joins, solved=None)


def test_each_back_follows_its_front(case):
    both = with_backs(case)
    assert both.arrangement.pages == (("1-01", "1-02"), ("2-02", "2-01"), ("1-03",))
    assert both.arrangement.half_turned == {"2-02"}
    assert both.arrangement.offsets_px(1) == {"2-02": 0, "2-01": -4 + 2}
    assert numbered(both.arrangement) == [(1, False), (1, True), (2, False)]
    assert page_labels(both.arrangement) == ["1", "1 back", "2"]
    assert [back_of(both.arrangement, page) for page in range(3)] == [1, 0, None]
    assert [both.arrangement.page_mark("page_names", page) for page in range(3)] == ["letter", "letter", None]


def test_a_join_is_as_sure_from_behind(case):
    front, back = with_backs(case).joins
    assert front == case.joins[0]
    assert back == replace(front, left="2-02", right="2-01", shift_px=-2)


def test_where_all_paper_has_one_face_nothing_is_added(case):
    plain = replace(case, arrangement=replace(case.arrangement, other_faces={}))
    assert with_backs(plain) is plain
    both = with_backs(case)
    assert with_backs(both) is both


def test_a_back_that_was_printed_upside_down_is_turned_to_be_read(case):
    upright = case.costs.upright.copy()
    upright[[3, 4 + N]] = -5  # as the backs stand
    upside_down = replace(case, costs=replace(case.costs, upright=upright))
    both = with_backs(upside_down)
    assert [both.quarter_turns(page) for page in range(3)] == [0, 2, 0]
    by_hand = replace(upside_down, arrangement=replace(case.arrangement, page_turns={"1-01": 1}))
    assert [with_backs(by_hand).quarter_turns(page) for page in range(3)] == [1, 1, 0]


@pytest.mark.parametrize("rendition", ["evidence", "reading"])
def test_front_and_back_are_of_one_size(case, rendition):
    both = with_backs(case)
    front, back = (compose(both, page, rendition) for page in (0, 1))
    assert front.pixels.shape == back.pixels.shape


def page(width, height, **placements):
    return PageImage(np.full((height, width, 3), 7, np.uint8), placements, {}, {}, {})


def test_each_lies_behind_the_other_when_the_sheet_is_turned_over():
    faces = other_faces([FacePair("a", "b", False, 0), FacePair("c", "d", False, 0)])
    arrangement = Arrangement(other_faces=faces)
    front = page(100, 60, a=(0, 2, 40, 50), c=(41, 5, 50, 50))
    back = page(93, 64, d=(1, 7, 50, 50), b=(53, 4, 40, 50))
    one, other = registered(front, back, arrangement), registered(back, front, arrangement)
    assert one.pixels.shape == other.pixels.shape
    width = one.pixels.shape[1]
    for face, behind in (("a", "b"), ("c", "d")):
        (x, y, w, h), (x_, y_, w_, h_) = one.placements[face], other.placements[behind]
        assert abs((width - x_ - w_ / 2) - (x + w / 2)) <= 1
        assert abs((y_ + h_ / 2) - (y + h / 2)) <= 1
    assert (one.pixels == 7).all(axis=2).sum() == 100 * 60
    assert turned(one, 2).pixels.shape == one.pixels.shape


@pytest.fixture
def with_hole(case):
    """Three pieces of paper on one page; of the middle one the other face was not scanned."""
    page = ("1-01", "1-03", "1-02")
    joins = (JoinInfo("1-01", "1-03", 3.0, 0, 0.9), JoinInfo("1-03", "1-02", 3.0, 4, 0.9))
    arrangement = replace(case.arrangement, pages=(page,), confirmed=frozenset({("1-01", "1-03")}))
    return with_backs(replace(case, arrangement=arrangement, joins=joins))


def test_where_one_face_was_scanned_the_back_has_a_hole_of_its_width(with_hole):
    assert with_hole.arrangement.pages == (("1-01", "1-03", "1-02"), ("2-02", "2-01"))
    assert holes_px(with_hole.arrangement, 1, with_hole.shred_by_id) == {"2-01": 40}
    assert holes_px(with_hole.arrangement, 0, with_hole.shred_by_id) == {}
    for rendition in ("evidence", "reading"):
        front, back = (compose(with_hole, page, rendition) for page in (0, 1))
        assert front.pixels.shape == back.pixels.shape
        width = front.pixels.shape[1]
        for face, behind in (("1-01", "2-01"), ("1-02", "2-02")):
            (x, _, w, _), (x_, _, w_, _) = front.placements[face], back.placements[behind]
            assert abs((width - x_ - w_ / 2) - (x + w / 2)) <= 2, (rendition, face)
        x, _, w, _ = front.placements["1-03"]
        hole = back.pixels[:, width - x - w + 6 : width - x - 6]
        assert (hole == 255).all(), "nothing is painted in"


def test_beside_a_hole_there_is_no_join_that_was_compared(with_hole):
    *_, over_hole = with_hole.joins
    assert (over_hole.left, over_hole.right, over_hole.cost) == ("2-02", "2-01", np.inf)


def test_where_paper_lacks_at_a_side_the_back_is_of_the_size_of_its_front_all_the_same(case):
    arrangement = replace(case.arrangement, pages=(("1-03", "1-01", "1-02"),))
    joins = (JoinInfo("1-03", "1-01", 3.0, 0, 0.9), JoinInfo("1-01", "1-02", 3.0, 4, 0.9))
    both = with_backs(replace(case, arrangement=arrangement, joins=joins))
    assert holes_px(both.arrangement, 1, both.shred_by_id) == {}
    front, back = (compose(both, page) for page in (0, 1))
    assert front.pixels.shape == back.pixels.shape
    (x, _, w, _), (x_, _, w_, _) = front.placements["1-01"], back.placements["2-01"]
    assert abs((front.pixels.shape[1] - x_ - w_ / 2) - (x + w / 2)) <= 1


def test_a_blank_back_is_a_page_too(case, make_shred):
    paper = np.ones((300, 40), dtype=np.bool_)
    blank = [make_shred(shred, paper, blank=True) for shred in ("2-01", "2-02")]
    n = 3
    cost = np.where(np.eye(2 * n), np.inf, 5).astype(np.float32)
    edge = np.full(2 * n, 9, np.float32)
    costs = Costs.of_all(cost, np.zeros(cost.shape, np.int16), edge, edge, 1.0)
    both = with_backs(replace(case, shreds=(*case.shreds[:3], *blank), costs=costs))
    assert both.arrangement.pages == (("1-01", "1-02"), ("2-02", "2-01"), ("1-03",))
    assert both.quarter_turns(1) == 0
    assert both.joins[1].confidence == both.joins[0].confidence, "its front tells"
    front, back = (compose(both, page, "reading") for page in (0, 1))
    assert front.pixels.shape == back.pixels.shape


def test_what_was_said_of_a_join_holds_from_behind(case):
    said = replace(case.arrangement, confirmed=frozenset({("1-01", "1-02")}), held=frozenset({("1-01", "1-02")}))
    both = with_backs(replace(case, arrangement=said)).arrangement
    assert both.confirmed == both.held == {("1-01", "1-02"), ("2-02", "2-01")}


def test_the_rows_of_a_page_of_pieces_run_the_other_way_on_its_back(case, make_shred):
    paper, wide = np.ones((60, 40), np.bool_), np.ones((60, 50), np.bool_)
    fronts, backs = ("1-01", "1-02", "1-03"), ("2-01", "2-02", "2-03")
    shreds = tuple(make_shred(name, wide if name[2:] == "03" else paper) for name in (*fronts, *backs))
    cost, blank = np.where(np.eye(12), np.inf, 5).astype(np.float32), np.full(12, 9, np.float32)
    upright = np.zeros(12, np.float32)
    costs = Costs.of_all(cost, np.zeros(cost.shape, np.int16), blank, blank, 1.0, upright=upright)
    arrangement = Arrangement(
        pages=(("1-01", "1-02"), ("1-03",)),
        grid_places={"1-01": (0, 0, 0), "1-03": (0, 1, 20)},
        other_faces=other_faces([FacePair(one, other, False, 0) for one, other in zip(fronts, backs, strict=True)]),
    )
    both = with_backs(replace(case, shreds=shreds, costs=costs, arrangement=arrangement))
    pairs = [(join.left, join.right) for join in both.joins]
    assert pairs == [("1-01", "1-02"), ("2-02", "2-01")], "the end of a row is no neighbour of the next one's beginning"
    assert both.arrangement.pages == (("1-01", "1-02", "1-03"), ("2-02", "2-01", "2-03"))
    assert rows_of(both.arrangement, 1) == [("2-02", "2-01"), ("2-03",)]
    assert with_backs(both) is both
    front, back = compose(both, 0), compose(both, 1)
    for one, other in zip(fronts, backs, strict=True):
        (x, y, width, _), (behind_x, behind_y, *_) = front.placements[one], back.placements[other]
        assert behind_x == front.pixels.shape[1] - x - width
        assert behind_y == y


def test_a_piece_without_another_face_leaves_a_gap_in_its_row_alone(case):
    alone = replace(case.arrangement, grid_places={"1-01": (0, 0, 0), "1-03": (0, 1, 0)})
    both = with_backs(replace(case, arrangement=alone))
    assert both.arrangement.pages == (("1-01", "1-02", "1-03"), ("2-02", "2-01"))
    assert [(join.left, join.right) for join in both.joins] == [("1-01", "1-02"), ("2-02", "2-01")]
    assert {*compose(both, 1).placements} == {"2-01", "2-02"}
