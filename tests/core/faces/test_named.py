from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.arrangement.faces import FacePair
from core.faces.named import pairs_by_name


@pytest.fixture
def named(small_case, make_shred):
    """Make pictures of single shreds by their names, and what is found on them."""

    def make(*names, single=True, heights=()):
        heights = heights or [80] * len(names)
        sheets = [replace(small_case.sheets[0], path=Path(name), page=0, single_shred=single) for name in names]
        shreds = [
            make_shred(f"{number + 1}-01", np.ones((height, 30), np.bool_), sheet=number)
            for number, height in enumerate(heights)
        ]
        return shreds, sheets

    return make


@pytest.mark.parametrize(
    "names",
    [
        ("000a.png", "001b.png", "001a.png", "000b.png"),
        ("x 1 front.png", "x 2 back.png", "x 2 front.png", "x 1 back.png"),
        ("3_Recto.tif", "4_verso.tif", "4_recto.tif", "3_verso.tif"),
        ("x/7v.png", "8r.png", "8v.png", "x/7r.png"),
    ],
)
def test_names_tell_the_faces_of_a_paper(named, names):
    pairs = pairs_by_name(*named(*names))
    found = {frozenset((pair.one, pair.other)) for pair in pairs}
    assert found == {frozenset(("1-01", "4-01")), frozenset(("2-01", "3-01"))}
    assert {(pair.half_turn, pair.lower_px, pair.confidence) for pair in pairs} == {(False, 0, 1.0)}


def test_the_first_letter_is_the_one(named):
    assert pairs_by_name(*named("1b.png", "1a.png")) == (FacePair("2-01", "1-01", False, 0),)


@pytest.mark.parametrize(
    "names",
    [
        ("000a.png", "001a.png", "002a.png", "000b.png"),  # most have no partner
        ("panda.png", "pandb.png"),  # a word is no number
        ("x/1a.png", "y/1b.png"),
        ("1.png", "2.png"),
    ],
)
def test_names_that_mean_something_else_pair_nothing(named, names):
    assert pairs_by_name(*named(*names)) == ()


def test_of_another_size_or_among_others_on_a_sheet_no_names_count(named):
    assert pairs_by_name(*named("1a.png", "1b.png", heights=(80, 90))) == ()
    assert pairs_by_name(*named("1a.png", "1b.png", single=False)) == ()
