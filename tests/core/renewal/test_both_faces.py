"""A case with both faces of its paper, brought up to date: backs come later, go, are paired by hand or not at all."""

from dataclasses import replace

import pytest

from core.arrangement.edits import HalfTurn, MoveShreds, SetJoin, ShiftJoin
from core.arrangement.face_edits import PairFaces, PartFaces, TurnOver
from core.case.joins import known_shifts, nudge_px, shifts_by_hand
from core.composition.backs import with_backs
from core.options import FaceOptions, Options, SegmentationOptions
from core.renewal.mending import past_state
from core.renewal.update import remembered
from core.sheets.mends import ExcludeSheet
from core.verification.verify import verify
from tests.core.repeatable import BACKS, two_faced
from tests.core.test_pipeline import write_sheet

__all__ = ["two_faced"]

FRONT = ("1-03", "2-03", "1-04", "2-01", "1-01", "2-02")
BACK = ("4-01", "3-04", "4-03", "3-02", "4-02", "3-01")
PAIRED = dict(zip(FRONT, reversed(BACK), strict=True))


@pytest.fixture
def desk(two_faced):
    """One page with its back: two sheets, and the same two scanned from behind."""
    return two_faced(*BACKS)


def paired(desk):
    faces = desk.case.arrangement.other_faces
    return {one: other for one, (other, *_) in faces.items() if one in FRONT}


def scan(desk, name):
    """Scan a sheet from behind that was not scanned so."""
    path = write_sheet(desk.folder / f"{name}.png", BACKS[name])
    desk.sheets.append(path)
    return path


def assert_verified(desk):
    done = verify(desk.save(), desk.weights)
    assert done.holds, done.first_difference


def test_a_page_has_a_back(desk):
    assert desk.case.arrangement.pages == (FRONT,)
    assert paired(desk) == PAIRED
    assert with_backs(desk.case).arrangement.pages == (FRONT, BACK)
    assert desk.case.arrangement.set_aside == ("1-02", "3-03")


# Added


def test_backs_that_are_added_are_paired_as_if_all_had_been_read_at_once(desk, two_faced):
    later = two_faced()
    assert later.case.arrangement.other_faces == {}
    later.add(scan(later, "a back"))
    assert paired(later) == {one: PAIRED[one] for one in ("1-03", "1-04", "1-01")}
    later.add(scan(later, "b back"))
    for name in ("arrangement", "joins", "optimal", "gap", "solved"):
        assert getattr(later.case, name) == getattr(desk.case, name), name
    assert_verified(later)


def test_what_was_said_before_backs_were_added_stays(two_faced):
    desk = two_faced()
    desk.edit(SetJoin("1-03", "2-03", "confirmed"))
    desk.edit(MoveShreds(("2-02",), 0, 2))
    desk.add(scan(desk, "a back"), scan(desk, "b back"))
    assert desk.case.arrangement.has_join("2-03", "2-02"), "made by hand"
    assert desk.case.arrangement.confirmed == {("1-03", "2-03")}
    assert paired(desk) == PAIRED
    assert_verified(desk)


# Withdrawn


def test_a_sheet_of_backs_that_is_withdrawn_leaves_the_fronts_and_comes_back(desk):
    whole = desk.case.arrangement
    desk.mend(2, ExcludeSheet())
    assert desk.case.arrangement.pages == (FRONT,)
    assert paired(desk) == {one: PAIRED[one] for one in ("2-03", "2-01", "2-02")}
    desk.mend(2)
    assert desk.case.arrangement == whole
    assert_verified(desk)


def test_where_the_face_that_is_seen_is_withdrawn_its_paper_is_turned_over_with_what_was_said(desk):
    desk.edit(TurnOver(FRONT))
    desk.edit(SetJoin("4-03", "3-02", "confirmed"))
    desk.edit(ShiftJoin("4-02", "3-01", 12))
    desk.mend(2, ExcludeSheet())
    desk.mend(3, ExcludeSheet())
    assert desk.lost == ()
    assert desk.case.arrangement.pages == (FRONT,)
    assert desk.case.arrangement.confirmed == {("1-04", "2-01")}
    assert desk.case.arrangement.shift_px["2-03"] == -12
    assert_verified(desk)


# Turned over


def test_turning_a_page_over_is_no_other_order(desk):
    desk.edit(TurnOver(FRONT))
    assert desk.case.arrangement.pages == (BACK,)
    assert not desk.case.by_hand
    assert desk.case.placed_by_hand == remembered(desk.case).parted == frozenset()
    desk.solve()
    assert desk.case.arrangement.pages == (BACK,), "the faces that are to be seen stay so"
    desk.edit(MoveShreds(("3-01",), 0, 0))
    assert desk.case.by_hand
    assert ("3-01", "4-01") in remembered(desk.case).held
    desk.solve()
    assert desk.case.arrangement.has_join("3-01", "4-01")
    assert_verified(desk)


def test_paper_that_was_turned_over_is_not_said_to_stand_upside_down_by_hand(desk):
    desk.edit(TurnOver(FRONT))
    assert set(BACK) <= desk.case.arrangement.turned_by_hand, "it stays so when the order is found again"
    assert not any(map(desk.case.turned_by_hand, BACK))
    desk.edit(HalfTurn(("3-02",)))
    assert [shred for shred in BACK if desk.case.turned_by_hand(shred)] == ["3-02"]
    assert desk.case.turned_by("3-02") in ("hand", "")
    desk.edit(TurnOver(BACK))
    assert [shred for shred in FRONT if desk.case.turned_by_hand(shred)] == [FRONT[2]]
    desk.edit(TurnOver(FRONT))
    desk.solve()
    assert {desk.case.turned_by(shred) for shred in BACK if shred in desk.case.arrangement.half_turned} == {"paper"}


def test_paper_that_is_turned_over_where_it_stands_is_nudged_by_nobody(desk):
    over = PAIRED["1-04"]
    desk.edit(TurnOver(("1-04",)))
    others_fit = [nudge_px(desk.case, shred, lambda left, right: 13) for shred in desk.case.arrangement.pages[0]]
    assert others_fit == [0, -13, 0, 0, -13, -13], "beside what was turned over costs tell nothing of the height"
    desk.edit(ShiftJoin("2-03", over, 7))
    assert nudge_px(desk.case, over, known_shifts(desk.case)) == 7
    assert shifts_by_hand(desk.case) == {("2-03", over): 7}
    desk.edit(PartFaces("2-02"))
    assert nudge_px(desk.case, "2-02", lambda left, right: 13) == 0


def test_states_in_which_paper_lay_otherwise_can_be_seen_again(desk):
    desk.edit(TurnOver(FRONT))
    desk.edit(PartFaces("3-04"))
    desk.edit(PairFaces("1-01", "3-03", True, 5))
    desk.mend(3, ExcludeSheet())
    for number in range(1, 6):
        assert past_state(desk.case, number).arrangement == desk.states[number].arrangement, number


# Paired otherwise


def test_without_pairing_each_face_stands_for_itself_and_with_it_all_is_as_before(desk):
    whole = desk.case.arrangement
    desk.change(Options(faces=FaceOptions(pair=False)))
    placed = {shred for page in desk.case.arrangement.pages for shred in page}
    assert desk.case.arrangement.other_faces == {}
    assert placed == {*FRONT, *BACK}
    assert len(desk.case.arrangement.pages) == 2
    desk.change(Options())
    assert desk.case.arrangement == whole
    assert_verified(desk)


def test_pairs_by_hand_hold_when_all_is_read_anew(desk):
    desk.edit(PartFaces("1-01"))
    assert desk.case.arrangement.set_aside == ("1-02", "3-03", "3-04")
    desk.edit(PairFaces("1-01", "3-03", True, 5))
    desk.solve()
    desk.read_again(replace(Options(), segmentation=SegmentationOptions(min_length_mm=24)))
    assert desk.case.arrangement.other_faces["3-03"] == ("1-01", True, -5, 1.0)
    assert "3-04" in {*desk.case.arrangement.set_aside}
    assert_verified(desk)


def test_faces_paired_by_hand_count_after_all_was_compared_both_ways_up(two_faced):
    desk = two_faced()
    assert not desk.case.both_ways
    desk.edit(PairFaces("1-01", "1-02", False, 0))
    assert desk.case.arrangement.set_aside == ()
    desk.edit(TurnOver(("1-01",)))
    assert desk.case.arrangement.pages == ((*FRONT[:4], "1-02", "2-02"),)
    desk.solve()
    assert desk.case.both_ways
    assert_verified(desk)
