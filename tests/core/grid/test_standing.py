import numpy as np
import pytest

from core.arrangement.faces import FacePair, other_faces
from core.faces.joint import posed_papers
from core.faces.posed import Posed
from core.faces.ways import HALF_TURN, OVER
from core.grid.standing import Standing, turned_run
from core.matching.costs import Costs
from tests.core.grid.drawn_grid import as_piece


def face(name, *, print_px=30):
    pixels = np.full((120, 60, 3), 255, np.uint8)
    pixels[10 : 10 + print_px, 20:40] = 10
    return as_piece(name, pixels)


def costs_of(n):
    cost, blank = np.ones((2 * n, 2 * n), np.float32), np.ones(2 * n, np.float32)
    return Costs.of_all(cost, cost.astype(np.int16), blank, blank, 1.0, upright=np.zeros(2 * n, np.float32))


@pytest.fixture
def two_faced():
    """Paper a with another face b, which lies upside down to it; paper c with a blank one; and d, scanned once."""
    shreds = {name: face(name, print_px=0 if name == "blank" else 30) for name in ("a", "b", "c", "blank", "d")}
    faces = other_faces([FacePair("a", "b", True, 0), FacePair("c", "blank", False, 0)])
    compared = ["a", "b", "c", "d"]
    return Standing(posed_papers(shreds, compared, costs_of(4), faces), shreds)


@pytest.mark.parametrize(
    ("by", "expected"), [(0, (0, 1, 5)), (HALF_TURN, (2, 4, 3)), (OVER, (11, 7, 6)), (HALF_TURN + OVER, (9, 10, 8))]
)
def test_a_run_is_turned_as_one_and_back_again(by, expected):
    run = (0, 1, 5)
    assert turned_run(run, 3, by) == expected
    assert turned_run(expected, 3, by) == run


def test_both_faces_add_up_what_they_tell(two_faced):
    assert [shred.id for shred in two_faced.faces] == ["a", "b", "c", "d"]
    told = np.arange(64, dtype=np.float32).reshape(8, 8)
    joint = two_faced.by_all_faces(told)
    a, c, d = 0, 1, 2
    b_upright, b = 1 + 4, 1
    assert joint[a, c] == told[0, 2], "the other face of c is blank"
    assert joint[a, d] == told[0, 3], "that of d is not known"
    over = 2 * 3
    assert joint[a, a + 3] == told[0, 4] + told[b_upright, b]
    np.testing.assert_array_equal(joint[over:, over:], joint[:over, :over])


def test_pieces_with_one_face_stand_for_themselves():
    shreds = {name: face(name) for name in "ac"}
    pieces = Standing(Posed.alone("ac", costs_of(2)), shreds)
    told = np.arange(16, dtype=np.float32).reshape(4, 4)
    np.testing.assert_array_equal(pieces.by_all_faces(told), told)


def test_what_is_seen_stands_as_its_pose_says(two_faced):
    n = two_faced.posed.n
    assert [(shred.id, shred.half_turn) for shred in two_faced.seen((0, 2 * n, 2 * n + 1, 3 * n + 2, 2))] == [
        ("a", False),
        ("b", True),
        ("d", False),
    ]
    assert two_faced.paper(2 * n + 2).id == "d"
    values = np.arange(8, dtype=np.float32)
    assert two_faced.of_seen(values)[[0, 2 * n, 2 * n + 1]].tolist() == [0, 5, 0]
