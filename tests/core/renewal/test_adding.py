"""Sheets added to a case: it is as if all had been read at once, and what was said and done of the others stays."""

from dataclasses import fields

import numpy as np
import pytest

from core.arrangement.edits import HalfTurn, MoveShreds, SetAside, SetJoin, ShiftJoin, WriteNote
from core.case.file import load
from core.case.record import check_parameters
from core.case.states import state_after
from core.errors import Duplicate, NothingFoundError, UnreadableInputError
from core.memory import Memory
from core.options import Options
from core.pipeline import reconstruct
from core.renewal.adding import add, known_inputs, read_added
from core.renewal.mending import past_state
from core.sheets.mends import ExcludeSheet
from core.sheets.sheet import SheetInfo
from core.shreds import on_sheet
from core.shreds.shred import Shred
from core.verification.verify import verify
from tests.core.repeatable import desk
from tests.core.test_comparison import encoder
from tests.core.test_memory import assert_same
from tests.core.test_pipeline import write_sheet

__all__ = ["desk", "encoder"]


@pytest.fixture
def third(tmp_path):
    """Write a sheet with the shreds that come next on the page, and a blank one."""
    return write_sheet(tmp_path / "c.png", [7, None, 6])


def assert_same_pieces(one, other):
    for mine, theirs in zip((*one.shreds, *one.sheets), (*other.shreds, *other.sheets), strict=True):
        for field in fields(Shred if isinstance(mine, Shred) else SheetInfo):
            np.testing.assert_array_equal(getattr(mine, field.name), getattr(theirs, field.name), field.name)


def test_it_is_as_if_all_sheets_had_been_read_at_once(desk, third):
    before = desk.case
    desk.add(third)
    at_once = reconstruct([*desk.sheets, third], Options(), desk.weights)
    assert_same_pieces(desk.case, at_once)
    assert_same(desk.case.costs, at_once.costs)
    for name in ("arrangement", "joins", "optimal", "gap", "solved", "unreadable", "weights_sha256"):
        assert getattr(desk.case, name) == getattr(at_once, name), name
    assert desk.case.arrangement.pages == (("1-03", "2-03", "1-04", "2-01", "1-01", "2-02", "3-03", "3-01"),)
    assert desk.case.arrangement.set_aside == ("1-02", "3-02")
    assert all(now is then for now, then in zip(desk.case.shreds, before.shreds, strict=False))


def test_only_the_new_sheets_are_read(desk, third, monkeypatch):
    read = []
    segment = on_sheet.segment_sheet
    monkeypatch.setattr(
        on_sheet, "segment_sheet", lambda sheet, *rest: read.append(sheet.info.name) or segment(sheet, *rest)
    )
    desk.add(third)
    assert read == ["c.png"]


@pytest.mark.slow
def test_costs_are_the_same_to_the_bit_with_and_without_memory(tmp_path, encoder):
    names = {"a": [4, None, 0, 2], "b": [3, 5, 1], "c": [7, None, 6], "d": [9, 8]}
    sheets = [write_sheet(tmp_path / f"{name}.png", numbers) for name, numbers in names.items()]
    memory, weights = Memory(), tmp_path / "weights.keras"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.pipeline.load_encoder", lambda weights: encoder)
        at_once = reconstruct(sheets, Options(), weights)
        case = reconstruct(sheets[:2], Options(), weights, memory=memory)
    afresh = add(case, read_added(case, sheets[2:]), lambda: encoder)
    step_by_step = add(case, read_added(case, sheets[2:3]), lambda: encoder, memory=memory)
    step_by_step = add(step_by_step, read_added(step_by_step, sheets[3:]), lambda: encoder, memory=memory)
    for added in (afresh, step_by_step):
        assert_same(added.costs, at_once.costs)
        assert added.arrangement == at_once.arrangement
        assert added.joins == at_once.joins


def test_everything_said_and_done_stays(desk, third):
    desk.edit(SetJoin("1-03", "2-03", "confirmed"))
    desk.edit(SetJoin("2-01", "1-04", "forbidden"))
    desk.edit(MoveShreds(("2-02",), 0, 2))
    desk.edit(ShiftJoin("1-03", "2-03", 44))
    desk.edit(WriteNote("2-01", "torn"))
    desk.edit(HalfTurn(("2-01",)))
    desk.edit(SetAside(("1-01",)))
    said = desk.case.arrangement
    desk.add(third)
    now = desk.case.arrangement
    assert (now.confirmed, now.forbidden, now.notes) == (said.confirmed, said.forbidden, said.notes)
    assert "2-01" in now.half_turned & now.turned_by_hand
    assert now.has_join("1-03", "2-03")
    assert now.has_join("2-03", "2-02"), "a join made by hand holds"
    assert now.shift_px["2-03"] == 44
    assert "1-01" in now.set_aside
    assert {"3-01", "3-03"} <= {shred for page in now.pages for shred in page}


def test_pages_that_were_split_by_hand_stay_split(desk, third):
    desk.edit(MoveShreds(("2-02", "1-01"), 0, 0, new_page=True))
    assert len(desk.case.arrangement.pages) == 2
    desk.add(third)
    assert len(desk.case.arrangement.pages) == 2


def test_the_step_is_verified_and_repeated(desk, third, tmp_path):
    desk.edit(SetJoin("1-03", "2-03", "confirmed"))
    desk.add(third)
    desk.edit(SetJoin("3-03", "3-01", "confirmed"))
    desk.mend(2, ExcludeSheet())
    desk.back_to(3)
    path = desk.save()
    done = verify(path, desk.weights)
    assert done.holds, done.first_difference
    added = desk.case.history[2]
    assert [file["name"] for file in added.parameters["added"]] == ["c.png"]
    check_parameters(desk.case.history)
    assert load(path).states


def test_a_sheet_that_is_another_by_now_is_not_verified(desk, third):
    desk.add(third)
    path = desk.save()
    write_sheet(third, [6, 7])
    done = verify(path, desk.weights)
    assert not done.holds
    assert "c.png" in done.first_difference


def test_states_before_sheets_were_added_can_be_seen_again(desk, third):
    desk.edit(SetJoin("1-03", "2-03", "confirmed"))
    desk.edit(MoveShreds(("2-02",), 0, 2))
    desk.add(third)
    assert state_after(desk.case, 4).arrangement == desk.case.arrangement
    for number in (1, 2, 3):
        then = past_state(desk.case, number)
        assert then.arrangement == desk.states[number].arrangement
        assert then.arrangement.places.keys() < then.shred_by_id.keys()


# What is not new


def test_files_of_the_case_are_known_by_their_hash(desk, third, tmp_path):
    copy = tmp_path / "sub" / "copy of b.png"
    copy.parent.mkdir()
    copy.write_bytes(desk.sheets[1].read_bytes())
    new, known = known_inputs(desk.case.sheets, [desk.sheets[0], copy.parent, third, tmp_path / "gone.png"])
    assert [file.path for file in new] == [third, tmp_path / "gone.png"]
    assert {file.path: number for file, number in known.items()} == {desk.sheets[0]: 0, copy: 1}


def test_what_shows_the_same_as_a_sheet_of_the_case_is_left_out_and_noted(desk, third, tmp_path):
    from PIL import Image

    again = tmp_path / "again.tif"
    Image.open(desk.sheets[0]).save(again, dpi=(300, 300))
    desk.add(again, third)
    assert [sheet.name for sheet in desk.case.sheets] == ["a.png", "b.png", "c.png"]
    (note,) = desk.case.unreadable
    assert isinstance(note, Duplicate)
    with pytest.raises(UnreadableInputError, match="shows the same sheet"):
        read_added(desk.case, [again])


def test_what_is_damaged_is_told_apart_from_what_is_remarkable(desk, third, tmp_path):
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG broken")
    found = read_added(desk.case, [broken, third])
    assert found.damaged == found.unreadable
    assert "broken.png" in found.damaged[0]
    assert [sheet.name for sheet in found.sheets] == ["c.png"]


def test_a_sheet_of_blank_shreds_can_be_added_and_an_empty_one_cannot(desk, tmp_path):
    desk.add(write_sheet(tmp_path / "blank.png", [None, None]))
    assert desk.case.arrangement.set_aside == ("1-02", "3-01", "3-02")
    with pytest.raises(NothingFoundError):
        read_added(desk.case, [write_sheet(tmp_path / "empty.png", [])])
