import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.faces import FacePair, other_faces
from core.faces.posed import UNSEEN, Posed, face_to_show, papers_of
from core.matching.costs import Costs

FACES = other_faces([FacePair("a", "c", True, 0)])


def costs_of(n):
    cost = np.where(np.eye(n), np.inf, np.arange(n * n).reshape(n, n)).astype(np.float32)
    blank = np.ones(n, np.float32)
    return Costs.of_all(cost, np.zeros((n, n), np.int16), blank, blank, temperature=1.0)


@pytest.fixture
def posed():
    return Posed(costs_of(8), (("a", "c"), ("b", UNSEEN)), frozenset({"c"}))


def test_paper_is_listed_once_by_its_first_face():
    assert papers_of("abc", FACES) == [("a", "c"), ("b", UNSEEN)]


def test_each_pose_shows_one_face_one_way_up(posed):
    stands = [posed.stand(pose) for pose in range(8)]
    of_a, of_b = stands[::2], stands[1::2]
    assert of_a == [("a", False), ("a", True), ("c", True), ("c", False)]
    assert of_b == [("b", False), ("b", True), (UNSEEN, False), (UNSEEN, True)]
    assert all(posed.pose_of(*stand) == pose for pose, stand in enumerate(stands) if stand[0] != UNSEEN)
    assert posed.pose_of("d", False) is None
    assert posed.name(7) == "b from behind half-turned"


def test_faces_stand_as_the_arrangement_has_turned_them(posed):
    assert posed.standing(Arrangement(half_turned=frozenset({"b", "c"}))) == {"a": 0, "b": 3, "c": 4}


def test_in_one_way_a_shred_is_its_row_whatever_its_turn():
    alone = Posed.alone("ab", costs_of(2))
    assert (alone.n_ways, alone.pose_of("b", True), alone.stand(1)) == (1, 1, ("b", False))


def test_some_of_the_paper_keeps_its_costs(posed):
    one = posed.of([1])
    assert one.papers == (("b", UNSEEN),)
    assert one.costs.cost_of(0, 3) == posed.costs.cost_of(1, 7)


def test_the_face_that_is_seen_is_the_one_before_else_one_with_ink():
    assert face_to_show(("a", "c"), {"c"}, {"a", "c"}) == "c"
    assert face_to_show(("a", "c"), set(), {"c"}) == "c"
    assert face_to_show(("a", UNSEEN), set(), set()) == "a"
