"""One sheet of a case mended: what lies on the others, and all that was said and done of them, stays as it was."""

from dataclasses import replace

import numpy as np
import pytest

from core.arrangement.edits import HalfTurn, MoveShreds, SetAside, SetJoin, ShiftJoin, WriteNote
from core.arrangement.page_edits import NamePage
from core.case.file import load, save
from core.case.states import on_the_way
from core.case.values import read_mends
from core.composition.pages import compose
from core.errors import MissingOriginalError, NothingFoundError, UnreadableInputError, UsageError
from core.renewal.mending import mend, past_state
from core.sheets.mends import (
    CropSheet,
    DrawOutline,
    ExcludeSheet,
    MergeShreds,
    NotPaper,
    SplitShred,
    ThisIsAShred,
)
from tests.core.repeatable import Desk, desk

__all__ = ["desk"]


def middle(desk: Desk, shred: str):
    x, y, width, height = desk.case.shred_by_id[shred].bbox
    return x + width / 2, y + height / 2


def lengthwise(desk: Desk, shred: str):
    x, y = middle(desk, shred)
    return SplitShred(((x, y - 200), (x, y + 200)))


def on_sheet(desk: Desk, number: int):
    return [shred.id for shred in desk.case.shreds if shred.sheet == number]


def test_only_the_shreds_that_were_mended_are_other_objects(desk):
    before = desk.case
    desk.mend(0, lengthwise(desk, "1-03"))
    assert on_sheet(desk, 0) == ["1-01", "1-02", "1-04", "1-05", "1-06"]
    same = [shred for shred in desk.case.shreds if shred is before.shred_by_id.get(shred.id)]
    assert [shred.id for shred in same] == ["1-01", "1-02", "1-04", "2-01", "2-02", "2-03"]
    assert desk.case.sheets[1] is before.sheets[1]
    placed = sorted(shred for row in (*desk.case.arrangement.pages, desk.case.arrangement.set_aside) for shred in row)
    assert placed == sorted(desk.case.shred_by_id)
    assert desk.case.costs.n == len(desk.case.matched_ids)


def test_everything_said_and_done_elsewhere_stays(desk):
    assert desk.case.arrangement.pages == (("1-03", "2-03", "1-04", "2-01", "1-01", "2-02"),)
    desk.edit(SetJoin("1-03", "2-03", "confirmed"))
    desk.edit(SetJoin("2-01", "1-04", "forbidden"))
    desk.edit(MoveShreds(("2-02",), 0, 2))
    desk.edit(ShiftJoin("1-03", "2-03", 44))
    desk.edit(WriteNote("2-01", "torn"))
    desk.edit(NamePage(0, "letter"))
    desk.edit(HalfTurn(("2-01",)))
    said = desk.case.arrangement
    desk.mend(0, lengthwise(desk, "1-01"))
    now = desk.case.arrangement
    assert (now.confirmed, now.forbidden, now.notes) == (said.confirmed, said.forbidden, said.notes)
    assert "2-01" in now.half_turned & now.turned_by_hand
    assert [*now.page_names.values()] == ["letter"]
    assert now.has_join("1-03", "2-03")
    assert now.has_join("2-03", "2-02"), "a join made by hand holds"
    assert now.shift_px["2-03"] == 44
    assert desk.lost == ()


def test_what_was_said_of_a_shred_that_is_gone_is_named(desk):
    desk.edit(SetJoin("1-03", "2-03", "confirmed"))
    desk.edit(WriteNote("1-04", "stamp"))
    desk.mend(0, NotPaper(middle(desk, "1-03")), NotPaper(middle(desk, "1-04")))
    assert desk.lost == ("1-03", "1-04")
    assert desk.case.arrangement.confirmed == frozenset()
    assert desk.case.arrangement.notes == {}


def test_a_shred_set_aside_stays_aside_and_scraps_come_aside(desk):
    desk.edit(SetAside(("2-02",)))
    x, y, width, _ = desk.case.shred_by_id["1-01"].bbox
    desk.mend(0, SplitShred(((x - 9.0, y + 80.0), (x + width + 9.0, y + 80.0))))
    assert {"2-02", "1-s1"} <= set(desk.case.arrangement.set_aside)
    assert "1-05" in desk.case.arrangement.order


def test_drawn_and_merged_shreds_keep_what_was_said_of_them(desk):
    desk.edit(WriteNote("1-03", "first"))
    desk.edit(WriteNote("1-04", "second"))
    x, y, width, height = desk.case.shred_by_id["1-03"].bbox
    outline = ((x, y + 9.0), (x + width, y + 9.0), (x + width, y + height), (x, y + height))
    desk.mend(0, DrawOutline(middle(desk, "1-03"), outline))
    assert desk.case.arrangement.notes == {"1-03": "first", "1-04": "second"}
    assert desk.case.shred_by_id["1-03"].bbox[1] == pytest.approx(y + 9, abs=2)


def test_an_excluded_sheet_takes_its_shreds_along_and_comes_back(desk):
    found = desk.case.arrangement.pages
    desk.mend(1, ExcludeSheet())
    assert on_sheet(desk, 1) == []
    assert {shred.sheet for shred in desk.case.shreds} == {0}
    desk.mend(1)
    assert desk.case.arrangement.pages == found
    assert all(not sheet.mends for sheet in desk.case.sheets)


def test_pages_are_as_many_as_before_unless_much_paper_is_gone(desk):
    desk.edit(MoveShreds(("2-02", "1-01"), 0, 0, new_page=True))
    n_pages = len(desk.case.arrangement.pages)
    assert n_pages == 2
    desk.mend(0, lengthwise(desk, "1-04"))
    assert len(desk.case.arrangement.pages) == n_pages


def test_a_crop_leaves_out_what_lies_beyond(desk):
    x = desk.case.shred_by_id["1-03"].bbox[0]
    desk.mend(0, CropSheet(((0.0, 0.0), (x - 20.0, 2000.0))))
    assert on_sheet(desk, 0) == ["1-01", "1-02"]


@pytest.mark.parametrize(
    ("mends", "kind"),
    [
        ((SplitShred(((2.0, 2.0), (5.0, 5.0))),), UsageError),
        ((MergeShreds(((2.0, 2.0), (5.0, 5.0))),), UsageError),
        ((ThisIsAShred(((0.0, 0.0), (90.0, 90.0), (90.0, 0.0), (0.0, 90.0))),), UsageError),
        ((CropSheet(((3.0, 3.0), (3.0, 900.0))),), NothingFoundError),
        ((CropSheet(((0.0, 0.0), (30.0, 900.0))),), NothingFoundError),
    ],
)
def test_what_cannot_be_mended_changes_nothing(desk, mends, kind):
    before = desk.case
    with pytest.raises(kind):
        mend(before, 0, mends, desk.encoder)
    assert desk.case is before


def test_nothing_is_left_to_put_in_order(desk):
    desk.mend(1, ExcludeSheet())
    with pytest.raises(NothingFoundError, match="put in order"):
        desk.mend(0, ExcludeSheet())


def test_a_file_that_is_another_one_is_not_mended(desk):
    desk.sheets[0].write_bytes(desk.sheets[1].read_bytes())
    with pytest.raises(UnreadableInputError):
        desk.mend(0, lengthwise(desk, "1-03"))


def test_mends_are_in_the_case_file_and_a_case_without_is_as_it_was(desk):
    plain = desk.save("plain.rejoin")
    assert b'"mends"' not in plain.read_bytes()
    mends = lengthwise(desk, "1-03"), ThisIsAShred(((0.0, 0.0), (50.0, 0.0), (50.0, 700.0), (0.0, 700.0)))
    desk.mend(0, *mends)
    case = load(desk.save("mended.rejoin"))
    assert [sheet.mends for sheet in case.sheets] == [mends, ()]
    assert [sheet.mends for sheet in load(plain).sheets] == [(), ()]
    save(case, desk.folder / "again.rejoin")
    assert load(desk.folder / "again.rejoin").sheets[0].mends == mends


def test_the_state_before_is_shown_again(desk):
    from core.case.states import state_after

    desk.edit(SetJoin("1-03", "2-03", "forbidden"))
    x, y, width, height = desk.case.shred_by_id["1-01"].bbox
    outline = ((x, y + 4.0), (x + width, y + 4.0), (x + width, y + height), (x, y + height))
    desk.mend(0, DrawOutline(middle(desk, "1-01"), outline))
    desk.edit(MoveShreds(("2-02",), 0, 2))
    assert state_after(desk.case, 3).arrangement == replace(desk.states[3].arrangement)
    assert np.array_equal(state_after(desk.case, 3).costs.cost, desk.states[3].costs.cost)


def test_states_before_a_mend_are_found_again_with_the_shreds_of_then(desk):
    desk.edit(ShiftJoin("1-03", "2-03", 44))
    desk.edit(MoveShreds(("1-03",), 0, 4))
    desk.case = replace(desk.case, states=on_the_way(desk.case))
    desk.mend(0, lengthwise(desk, "1-03"))
    desk.mend(0, *desk.case.sheets[0].mends, NotPaper(middle(desk, "1-01")))
    case = load(desk.save())
    for number in range(1, len(case.history)):
        then, was = past_state(case, number), desk.states[number]
        assert then.arrangement == was.arrangement
        assert then.sheets[0].mends == was.sheets[0].mends
        plain = replace(was.options, composition=replace(was.options.composition, level=False))
        shown, seen = compose(then, 0), compose(replace(was, options=plain), 0)
        if number < 5:
            assert then.costs is None
            assert np.array_equal(shown.pixels, seen.pixels)
        else:
            assert then.shreds is case.shreds
    assert past_state(desk.case, 4).shred_by_id.keys() == desk.states[4].shred_by_id.keys()


def test_a_state_before_a_mend_whose_sheet_is_gone_says_so(desk):
    desk.mend(0, lengthwise(desk, "1-03"))
    desk.sheets[0].unlink()
    with pytest.raises(MissingOriginalError, match="Name the folder"):
        past_state(desk.case, 1)
    assert past_state(desk.case, 2).shreds is desk.case.shreds


@pytest.mark.parametrize("place", [[1e300, 3.0], [2e6, 3.0], ["1", 3.0], [None, 3.0], [3.0], 3.0])
def test_a_file_that_names_no_place_on_a_sheet_is_refused(place):
    with pytest.raises((ValueError, TypeError)):
        read_mends([{"mend": "NotPaper", "at": place}])
    with pytest.raises(ValueError, match="on no sheet"):
        read_mends([{"mend": "ThisIsAShred", "outline": [[1.0, 2.0]] * 50_000}])
    with pytest.raises(KeyError):
        read_mends([{"at": [3.0, 4.0]}])
    with pytest.raises(ValueError, match="no mend"):
        read_mends([{"mend": "Burn"}])
