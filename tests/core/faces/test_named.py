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


def test_the_first_letter_is_the_one(named):
    assert pairs_by_name(*named("1b.png", "1a.png")) == (FacePair("2-01", "1-01", False, 0),)


def test_of_another_size_or_among_others_on_a_sheet_no_names_count(named):
    assert pairs_by_name(*named("1a.png", "1b.png", heights=(80, 90))) == ()
    assert pairs_by_name(*named("1a.png", "1b.png", single=False)) == ()
