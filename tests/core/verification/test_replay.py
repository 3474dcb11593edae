import re
from dataclasses import replace

import numpy as np
import pytest

from core.arrangement.edits import (
    FreeJoin,
    HalfTurn,
    MoveShreds,
    SetAside,
    SetJoin,
    ShiftJoin,
    ShiftShreds,
    SplitPage,
    WriteNote,
)
from core.arrangement.page_edits import GroupPages, MovePages, NamePage, PinShreds, SetPageState
from core.case.history import append
from core.case.record import recorded
from core.errors import UnverifiedError
from core.options import CompositionOptions, CostOptions, Options, ReadingOptions, SegmentationOptions, SolverOptions
from core.sheets.mends import ExcludeSheet, SplitShred
from core.verification.differences import different_pages
from core.verification.replay import replay
from tests.core.repeatable import Desk, desk

pytestmark = pytest.mark.slow

__all__ = ["desk"]


def repeat(desk: Desk):
    return replay(desk.case.history, desk.originals, desk.weights)


def assert_repeats(desk: Desk):
    again, case = repeat(desk), desk.case
    assert again.arrangement == case.arrangement
    assert again.joins == case.joins
    assert again.options == case.options
    assert (again.optimal, again.gap) == (case.optimal, case.gap)
    assert np.array_equal(again.costs.cost, case.costs.cost)
    assert different_pages(case, again) is None


def test_a_reconstruction_is_repeated(desk):
    assert_repeats(desk)


def test_edits_and_what_was_taken_back_are_repeated(desk):
    desk.edit(MoveShreds(("1-03",), 0, 4))
    desk.edit(ShiftShreds(("1-04",), 9))
    desk.edit(WriteNote("1-04", "torn"))
    desk.back_to(2)
    desk.back_to(1)
    desk.back_to(2, "redone")
    desk.edit(SplitPage("2-01"))
    desk.edit(HalfTurn(("2-02",)))
    desk.note("exported")
    assert len(desk.case.arrangement.pages) == 2
    assert_repeats(desk)


def test_what_was_said_of_pages_is_repeated(desk):
    desk.edit(SplitPage("2-01"))
    desk.edit(NamePage(0, "letter"))
    desk.edit(GroupPages((0, 1), "file"))
    desk.edit(SetPageState((1,), "done"))
    desk.edit(MovePages((1,), 0))
    desk.edit(MoveShreds(("1-03",), 0, 1))
    left, right = desk.case.arrangement.pages[0][0], "1-03"
    desk.edit(FreeJoin(left, right))
    desk.edit(PinShreds(("1-03", left)))
    desk.solve()
    assert desk.case.arrangement.page_of("1-03") == desk.case.arrangement.page_of(left)
    assert desk.case.arrangement.page_names
    assert desk.case.arrangement.page_states
    assert_repeats(desk)


def test_solving_again_is_repeated_and_taken_back(desk):
    desk.edit(SetJoin("1-03", "2-03", "forbidden"))
    desk.edit(SetAside(("1-01",)))
    desk.edit(ShiftJoin("1-04", "2-01", 20))
    desk.solve()
    assert desk.case.solved is None
    assert_repeats(desk)
    desk.edit(HalfTurn(("2-02",)))
    desk.back_to(4)
    assert_repeats(desk)
    assert desk.case.solved is not None


def test_mended_sheets_are_repeated_also_when_they_are_read_again(desk):
    desk.edit(SetJoin("1-03", "2-03", "forbidden"))
    at = desk.case.shred_by_id["1-04"].bbox
    middle = at[0] + at[2] / 2, at[1] + at[3] / 2
    bent = ((middle[0], middle[1] - 60), (middle[0] + 4, middle[1]), (middle[0], middle[1] + 60))
    desk.mend(0, SplitShred(bent))
    assert [shred.id for shred in desk.case.shreds if shred.sheet == 0] == ["1-01", "1-02", "1-03", "1-05", "1-06"]
    desk.mend(1, ExcludeSheet())
    assert_repeats(desk)
    desk.back_to(3)
    desk.edit(MoveShreds(("1-03",), 0, 0))
    desk.edit(PinShreds(("1-03",)))
    desk.read_again(Options(segmentation=SegmentationOptions(min_length_mm=20.0)))
    assert [len(sheet.mends) for sheet in desk.case.sheets] == [1, 0]
    assert "mends" in desk.case.history[-1].parameters
    assert desk.case.arrangement.pinned == {"1-03"}
    assert_repeats(desk)
    mended = desk.case.history[2]
    others = replace(mended, parameters={"mends": [mended.parameters["mends"][0] | {"page": 7}]})
    with pytest.raises(UnverifiedError, match="3"):
        replay((*desk.case.history[:2], others), desk.originals, desk.weights)


def test_other_options_are_repeated(desk):
    desk.change(Options(solver=SolverOptions(n_pages=2)))
    assert len(desk.case.arrangement.pages) == 2
    desk.change(Options(solver=SolverOptions(n_pages=2), cost=CostOptions(max_shift_rows=5)))
    desk.change(replace(desk.case.options, composition=CompositionOptions(show_seams=True)))
    assert_repeats(desk)
    desk.back_to(1)
    assert desk.case.options == Options()
    assert_repeats(desk)


def test_reading_the_sheets_again_keeps_what_was_said(desk):
    desk.edit(SetJoin("1-03", "2-03", "forbidden"))
    desk.read_again(Options(reading=ReadingOptions(max_megapixels=50)))
    assert desk.case.arrangement.forbidden == {("1-03", "2-03")}
    assert_repeats(desk)


def test_what_was_restored_after_a_crash_is_repeated(desk):
    desk.edit(MoveShreds(("1-03",), 0, 4))
    after = desk.case.arrangement
    desk.back_to(1)
    desk.restore(after)
    assert_repeats(desk)


def test_a_step_that_gives_something_else_is_named(desk):
    desk.edit(ShiftJoin("1-03", "2-03", 7), "a nudge")
    desk.edit(SplitPage("2-01"), "a split")
    first, second, third = desk.case.history
    history = append(
        (first,),
        when=second.when,
        who=second.who,
        what=second.what,
        text=second.text,
        parameters={"edit": {**second.parameters["edit"], "shift_px": 8}},
        arrangement=desk.states[2].arrangement,
    )
    desk.case = replace(desk.case, history=(*history, third))
    with pytest.raises(UnverifiedError, match=re.escape('Entry 2 of the history ("a nudge"), repeated, gives another')):
        repeat(desk)


@pytest.mark.parametrize(
    "parameters",
    [
        {"edit": {"edit": "SplitPage", "shred": "9-99"}},
        {"edit": {"edit": "__import__"}},
        {"edit": None},
        {"to": 9},
        {"to": [1]},
        {"options": {}},
        {"arrangement": {"pages": []}},
        {"sheets": [{"sha256": "0" * 64}]},
    ],
)
def test_a_step_that_cannot_be_repeated_is_named(desk, parameters):
    desk.case = recorded(desk.case, "Eve", "edited", "odd", parameters)
    with pytest.raises(UnverifiedError, match=re.escape('Entry 2 of the history ("odd") cannot be repeated')):
        repeat(desk)


def test_a_history_that_begins_elsewhere_cannot_be_repeated(desk):
    for history in (
        (),
        desk.case.history[1:],
        recorded(replace(desk.case, history=()), "Ada", "saved", "saved").history,
    ):
        with pytest.raises(UnverifiedError, match="does not begin with a reconstruction"):
            replay(history, desk.originals, desk.weights)
