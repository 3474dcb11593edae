from app.sentences.differences import Difference, differences
from app.sentences.naming import place
from core.arrangement.arrangement import Arrangement
from core.arrangement.edits import (
    MoveShreds,
    SetAside,
    SetJoin,
    ShiftJoin,
    Together,
    TurnPage,
    TurnShred,
    WriteDetails,
    WriteNote,
)
from core.arrangement.face_edits import PairFaces, PartFaces, TurnOver
from core.arrangement.page_edits import GroupPages, MovePages, NamePage, SetPageState
from core.arrangement.row_edits import PlaceRow, SetBelow
from tests.app.sentences.before import BEFORE


def test_two_states_differ_in_places_turns_answers_notes_and_details():
    after = Together(
        (MoveShreds(("b",), 1, 2), ShiftJoin("c", "d", 12), TurnShred("a", 0.5), SetJoin("a", "c", "confirmed"))
    ).apply(BEFORE)[0]
    after = Together((WriteNote("b", ""), WriteDetails({}), TurnPage(1, 2))).apply(after)[0]
    assert differences(BEFORE, after) == [
        Difference("shred c", "page 1, place 3, right of b", "page 1, place 2, right of a", "c"),
        Difference("shred b", "page 1, place 2, right of a", "page 2, place 3, right of f", "b"),
        Difference("height of shred d", "+0.00 mm", "+1.02 mm", "d"),
        Difference("turn of shred a", "0° +0.00°", "0° +0.50°", "a"),
        Difference("turn of the page of shred e", "0°", "180°", "e"),
        Difference("the join a | c", "Suggested", "Confirmed", "c"),
        Difference("note about shred b", "“torn”", "–", "b"),
        Difference("case number", "“7”", "–"),
    ]
    assert differences(BEFORE, BEFORE) == []
    assert differences(BEFORE, SetAside(("a",)).apply(BEFORE)[0])[-1].after == "the tray"


def test_of_paper_that_was_turned_over_it_is_told_what_is_seen_now():
    after, _ = TurnOver(("f",)).apply(BEFORE)
    assert place(after, "f") == "behind shred f-back"
    assert Difference("shred f-back", "behind shred f", "page 2, place 2, right of e", "f-back") in differences(
        BEFORE, after
    )
    assert "shred f" not in [difference.what for difference in differences(BEFORE, after)]


def test_a_page_that_is_turned_over_keeps_its_name():
    after, _ = TurnOver(("e", "f")).apply(BEFORE)
    assert "name" not in " ".join(difference.what for difference in differences(BEFORE, after))


def test_it_is_told_which_faces_are_paired_otherwise():
    parted, _ = PartFaces("f").apply(BEFORE)
    expected = [Difference("other face of shred f", "f-back", "–", "f")]
    assert [one for one in differences(BEFORE, parted) if one.what.startswith("other face")] == expected
    paired, _ = PairFaces("f", "x", False, 0).apply(parted)
    expected = [Difference("other face of shred f", "–", "x", "f")]
    assert [one for one in differences(parted, paired) if one.what.startswith("other face")] == expected


def test_what_is_said_of_pages_is_told_by_their_first_shreds():
    after = BEFORE
    for edit in (NamePage(1, "Form"), GroupPages((0,), "File"), SetPageState((0,), "done"), MovePages((1,), 0)):
        after, _ = edit.apply(after)
    assert differences(BEFORE, after) == [
        Difference("name of the page of shred e", "“Letter”", "“Form”", "e"),
        Difference("document of the page of shred a", "–", "“File”", "a"),
        Difference("state of the page of shred a", "–", "Done", "a"),
    ]


def test_rows_are_told_that_stand_below_another_one():
    rows = Arrangement((("a", "b"), ("c",), ("d",)), grid_places={"a": (0, 0, 0), "c": (0, 1, 0), "d": (0, 2, 0)})
    after = Together((PlaceRow(2, 0, right_px=118), SetBelow("a", "d", "confirmed"))).apply(rows)[0]
    assert differences(rows, after) == [
        Difference("row of d", "page 1, row 3, 0.0 mm from the left", "page 1, row 2, 10.0 mm from the left", "d"),
        Difference("row of c", "page 1, row 2, 0.0 mm from the left", "page 1, row 3, 0.0 mm from the left", "c"),
        Difference("d below a", "Suggested", "Confirmed", "d"),
    ]
