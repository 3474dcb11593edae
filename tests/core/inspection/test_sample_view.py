from dataclasses import replace

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.edits import MoveShreds
from core.arrangement.faces import FacePair, other_faces
from core.inspection.sample_index import SampleIndex
from core.inspection.sample_view import Poses, beside, draw, inspect, joined, look_at
from core.inspection.samples import Sample, sample_box
from core.options import Options
from tests.core.inspection.conftest import samples, shred


@pytest.fixture
def index():
    shreds = tuple(shred(name, seed=1) for name in "abc")
    right = samples({13: (0, 0)}, {13: (0, 1)}, {13: (5, 5)})
    left = samples({13: (9, 9)}, {14: (0, 3)}, {13: (1, 0)})
    return SampleIndex(shreds, (0, 200), right, left)


def test_everything_about_a_sample(index):
    arrangement = Arrangement((("a", "b", "c"),), shift_px={"b": -4})
    seen = inspect(index, arrangement, Options(), Sample("a", "right", 13), 3, "all")
    assert [(one.neighbour.sample.shred, one.neighbour.distance, one.by_order) for one in seen.found] == [
        ("c", 1.0, False),
        ("b", 3.0, True),
    ]
    assert seen.partner == Sample("b", "left", 14)
    assert seen.partner_distance == 3.0
    assert not seen.blank
    assert Sample("b", "left", 14) in seen.height.samples
    assert seen.look.height_mm == pytest.approx((52 + 16) * 25.4 / 300)
    assert np.flatnonzero(seen.look.ink.any(axis=1)).tolist() == list(range(8, 18))  # rows 60 to 69 of the shred


def test_a_blank_sample_has_looks_but_no_neighbours(index):
    seen = inspect(index, Arrangement((("a", "b"),)), Options(), Sample("a", "right", 30), 3, "all")
    assert seen.blank
    assert seen.found == ()
    assert seen.partner == Sample("b", "left", 30)
    assert seen.partner_distance is None
    assert (seen.look.grey == 255).all()


def test_pairs_are_laid_as_borders_meet(index):
    ours = look_at(index.shreds[0], Sample("a", "right", 13), index.frame)
    other = look_at(index.shreds[1], Sample("b", "left", 30), index.frame)
    for query, answer in ((ours, other), (other, ours)):
        grey, ink = joined(query, answer)
        assert grey.shape == ink.shape == (32, 64, 3)
        assert ink[:, :32].min() == 0
        assert ink[:, 32:].min() == 255  # the l-sample is blank, and stands on the right
    assert (draw(ours.ink)[8:18] == 0).all()


@pytest.mark.parametrize(("side", "x"), [("left", 0), ("right", 48)])
def test_box_of_a_sample_lies_on_its_border(index, side, x):
    assert sample_box(index.shreds[0], Sample("a", side, 13), index.frame) == (x, 52, 32, 32)


def test_only_what_was_turned_since_is_a_new_object(index):
    poses, order = Poses(), (("a", "b", "c"),)
    once = poses.of(index.shreds, Arrangement(order, half_turned=frozenset("b"), turned_deg={"c": 1.0}))
    assert once[0] is index.shreds[0]
    assert once[1].half_turn
    again = poses.of(index.shreds, Arrangement(order, half_turned=frozenset("ab"), turned_deg={"c": 1.0}))
    assert again[0].half_turn
    assert again[1:] == once[1:]
    assert poses.of(index.shreds, Arrangement(order)) == index.shreds


def test_trying_a_join_puts_the_shred_beside():
    arrangement = Arrangement((("a", "b"), ("c", "d")), ("e",))
    for sample, expected in (
        (Sample("a", "right", 5), (("a", "d", "b"), ("c",))),
        (Sample("a", "left", 5), (("d", "a", "b"), ("c",))),
        (Sample("c", "right", 5), (("a", "b"), ("c", "d"))),
    ):
        edit = beside(arrangement, sample, "d")
        assert edit is not None
        assert edit.apply(arrangement)[0].pages == expected
    assert beside(arrangement, Sample("e", "right", 5), "d") is None


def two_faced(index):
    """Paper "a" and "b" with "c" behind the first and "d" behind the second; "c" stands upside down when it is seen."""
    faces = other_faces([FacePair("a", "c", True, 0), FacePair("b", "d", False, 0)])
    arrangement = Arrangement((("a", "b"),), shift_px={"b": 8}, other_faces=faces)
    return replace(index, shreds=tuple(shred(name, seed=1) for name in "abcd"), right=TWO, left=TWO), arrangement


TWO = samples({13: (0, 0)}, {13: (0, 1)}, {13: (5, 5)}, {13: (5, 6)})


def test_a_face_that_is_not_seen_is_inspected_as_it_stands_when_it_is_turned_over(index):
    index, arrangement = two_faced(index)
    poses = Poses().of(index.shreds, arrangement)
    assert [one.half_turn for one in poses] == [False, False, True, False]
    seen = inspect(index, arrangement, Options(), Sample("d", "right", 15), 3, "all")
    assert seen.partner == Sample("c", "left", 17), "what was right is left, and the right one was 8 px lower"
    found = inspect(index, arrangement, Options(), Sample("d", "right", 13), 3, "all").found
    assert [(one.look.sample.shred, one.by_order, one.behind) for one in found] == [("c", True, "a"), ("a", False, "")]


def test_what_meets_from_behind_is_put_together_from_the_front(index):
    _, arrangement = two_faced(index)
    alone = replace(arrangement, pages=(("a",),), set_aside=("b",))
    assert beside(alone, Sample("c", "left", 13), "d") == MoveShreds(("b",), 0, 1)
    assert beside(alone, Sample("c", "right", 13), "d") == MoveShreds(("b",), 0, 0)
    assert beside(alone, Sample("a", "right", 13), "b") == MoveShreds(("b",), 0, 1)
