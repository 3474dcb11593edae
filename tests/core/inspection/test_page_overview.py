from dataclasses import replace
from math import isnan

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.edits import SetJoin, ShiftShreds, WriteNote
from core.case.case import JoinInfo
from core.case.joins import rearranged
from core.inspection.page_overview import overview, paper_widths
from core.matching.confidence import JoinBelow
from core.options import Options, SolverOptions
from core.solver.page_breaks import page_widths


@pytest.fixture
def case(small_case, make_shred):
    """Two pages of three shreds and of two, of which the second is far too wide."""
    names = ("a", "b", "c", "d", "e")
    shreds = []
    for name in names:
        width = 300 if name in "de" else 60
        outline = np.array([[0, 0], [width, 0], [width, 1000], [0, 1000]], np.float32)
        shreds.append(replace(make_shred(name, np.ones((1000, width), np.bool_)), outline=outline))
    joins = tuple(JoinInfo(*pair, 1.0, 0, sure) for pair, sure in (("ab", 0.9), ("bc", 0.1), ("de", 0.6)))
    arrangement = Arrangement(pages=(("a", "b", "c"), ("d", "e")))
    options = Options(solver=SolverOptions(page_width_mm=25.4))
    return replace(small_case, shreds=tuple(shreds), joins=joins, arrangement=arrangement, options=options, solved=None)


def after(case, edit):
    arrangement, _ = edit.apply(case.arrangement)
    return rearranged(case, arrangement, None)


def test_pages_at_a_glance(case):
    first, second = overview(case, paper_widths(case))
    assert (first.page, second.page) == (0, 1)
    assert (first.least_sure.right, second.least_sure.right) == ("c", "e")
    assert (first.n_doubtful, second.n_doubtful) == (1, 0)
    assert (first.too_wide, second.too_wide) == (False, True)
    assert not first.edited
    assert first.noted == second.noted == ()


def test_what_was_confirmed_is_not_doubtful(case):
    first, _ = overview(after(case, SetJoin("b", "c", "confirmed")), {})
    assert first.least_sure.right == "b"
    assert first.n_doubtful == 0
    assert isnan(first.width)
    assert not first.too_wide


def test_joins_with_the_row_above_count_in_a_row(case):
    places = {"a": (0, 0, 0), "d": (0, 1, 0)}
    rows = replace(case.arrangement, grid_places=places)
    first, second = overview(replace(case, arrangement=rows, below=(JoinBelow("a", "d", 0.2),)), {})
    assert (first.least_sure.right, first.n_doubtful) == ("c", 1)
    assert (second.least_sure, second.n_doubtful) == (JoinBelow("a", "d", 0.2), 1)
    said = replace(rows, confirmed_below=frozenset({("a", "d")}))
    _, second = overview(replace(case, arrangement=said, below=(JoinBelow("a", "d", 0.2),)), {})
    assert (second.least_sure.right, second.n_doubtful) == ("e", 0)


def test_pages_that_were_changed_by_hand(case):
    changed = after(case, ShiftShreds(("e",), 3))
    assert [page.edited for page in overview(changed, {})] == [False, True]
    assert [page.edited for page in overview(after(changed, ShiftShreds(("e",), -3)), {})] == [False, False]


def test_notes_of_shreds_and_joins_are_named_as_they_stand(case):
    for about in ("b|c", "a", "b", "d", ""):
        case = after(case, WriteNote(about, "note"))
    assert [page.noted for page in overview(case, {})] == [("a", "b", "b|c"), ("d",)]


def test_widths_by_outlines_are_those_by_masks(case):
    by_mask = page_widths(case.shreds, case.options.solver.page_width_mm)
    assert list(paper_widths(case).values()) == pytest.approx(by_mask, rel=1e-6)


def test_scraps_have_no_width(case):
    shreds = (replace(case.shreds[0], scrap="sliver"), *case.shreds[1:])
    assert paper_widths(replace(case, shreds=shreds))["a"] == 0
    assert set(paper_widths(replace(case, shreds=shreds[:1])).values()) == {0.0}
