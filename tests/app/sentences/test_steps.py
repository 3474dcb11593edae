import pytest

from app.sentences.naming import pages
from app.sentences.steps import sentence
from core.arrangement.arrangement import Arrangement
from core.arrangement.edit import Edit, Restore
from core.arrangement.edits import (
    FreeJoin,
    FreeMargin,
    HalfTurn,
    MergePages,
    MoveShreds,
    Replace,
    SetAside,
    SetJoin,
    SetMargin,
    ShiftJoin,
    ShiftShreds,
    SplitPage,
    Together,
    TurnPage,
    TurnShred,
    WriteDetails,
    WriteNote,
)
from core.arrangement.exchange import Exchange
from core.arrangement.face_edits import PairFaces, PartFaces, TurnOver
from core.arrangement.page_edits import GroupPages, LevelPage, MovePages, NamePage, PinShreds, SetPageState
from core.arrangement.row_edits import PlaceRow, SetBelow, turn_row
from tests.app.sentences.before import BEFORE

SAID = [
    (MoveShreds(("b",), 1, 2), "Moved shred b from page 1, place 2 to page 2, place 3"),
    (MoveShreds(("e",), 0, 0), "Moved shreds e, f from page 2, place 1 to page 1, place 1"),
    (MoveShreds(("a", "b", "c", "d"), 1, 2), "Moved shreds a, b, c and 1 more from page 1, place 1 to page 1, place 3"),
    (MoveShreds(("x",), 2), "Moved shred x from the tray to page 3, place 1"),
    (SetAside(("c",)), "Set aside shred c, from page 1, place 3"),
    (SplitPage("c"), "Page 2 begins with shred c, which stood on page 1, place 3"),
    (MergePages(0), "Merged page 2 (2 shreds, from e on) into page 1"),
    (MovePages((1,), 0), "Moved page 2, so that it is page 1"),
    (MovePages((0, 1), 1), "Moved pages 1, 2, so that they begin with page 1"),
    (SetBelow("a", "e", "confirmed"), "e below a: from suggested to confirmed"),
    (
        Together((MoveShreds(("d",), 2, new_page=True), PlaceRow(2, 0))),
        "Moved shred d from page 1, place 4 to page 1, row 2, place 1",
    ),
    (PlaceRow(1, 0, right_px=118), "Moved page 2 (2 shreds, from e on) to page 1, row 2"),
    (PinShreds(("a", "b")), "Pinned shreds a, b to page 1"),
    (PinShreds(("f",), False), "Released shred f from page 2"),
    (LevelPage(1, -1.5), "Levelled page 2 by hand: from +0.00° to -1.50°"),
    (NamePage(1, "Form"), "Named page 2 “Form”; before “Letter”"),
    (GroupPages((0, 1), "File"), "Put pages 1, 2 into the document “File”"),
    (GroupPages((1,), ""), "Took page 2 out of the document"),
    (SetPageState((1,), "done"), "Called page 2 done"),
    (ShiftShreds(("b", "c"), -2), "Moved shreds b, c up by 2 px"),
    (ShiftJoin("a", "b", 3), "Moved shred b against a from +0 to +3 px"),
    (HalfTurn(("f",)), "Turned shreds e, f by a half, on page 2, place 2"),
    (TurnShred("b", 0.1), "Turned shred b from +0.00° to +0.10°"),
    (TurnPage(1, 1), "Turned page 2 from as its print says to 90°, counter-clockwise"),
    (SetJoin("a", "b", "confirmed"), "Join a | b: from suggested to confirmed"),
    (WriteNote("a|b", "a stamp\ngoes across"), "Noted about the join a | b: “a stamp goes across”"),
    (WriteNote("b", "torn below"), "Changed the note about shred b from “torn” to “torn below”"),
    (WriteNote("b", ""), "Removed the note about shred b: “torn”"),
    (WriteDetails({"exhibit": "3"}), "Details of the case: case number “7” → –, exhibit – → “3”"),
    (FreeJoin("b", "c"), "Join b | c: from placed by hand to suggested"),
    (TurnOver(("e", "f")), "Turned over page 2: 2 shreds"),
    (TurnOver(("f",)), "Turned over shred f, on page 2, place 2"),
    (PairFaces("a", "x", True, 0), "Paired a with x"),
    (PartFaces("f"), "Parted f from f-back, as two pieces of paper"),
    (
        Exchange((("a", "b"), ("b", "c")), (("a", "c"),)),
        "Joins in other places: from a | b, b | c to a | c",
    ),
    (
        Together((SetJoin("a", "b", "forbidden"), SetAside(("b",)))),
        "Join a | b: from suggested to forbidden; set aside shred b, from page 1, place 2",
    ),
]


@pytest.mark.parametrize(("edit", "said"), SAID, ids=lambda value: type(value).__name__)
def test_a_sentence_says_from_where_to_where(edit, said):
    after, _ = edit.apply(BEFORE)
    assert sentence(edit, BEFORE, after) == said


def test_every_kind_of_edit_has_a_sentence_or_the_words_of_whoever_made_it():
    named_by_who_makes_them = {SetMargin, FreeMargin, Replace, Restore}
    assert {type(edit) for edit, _ in SAID} == set(Edit.__subclasses__()) - named_by_who_makes_them
    assert sentence(SetMargin("a", "left"), BEFORE, BEFORE) == ""


def test_pieces_are_said_to_stand_in_rows_of_their_page():
    places = {"a": (0, 0, 0), "c": (0, 1, 0)}
    before = Arrangement((("a", "b"), ("c", "d", "e")), grid_places=places)
    edit = MoveShreds(("d",), 0, 2)
    after, _ = edit.apply(before)
    assert sentence(edit, before, after) == "Moved shred d from page 1, row 2, place 2 to page 1, row 1, place 3"
    split = SplitPage("d")
    alone, _ = split.apply(before)
    assert sentence(split, before, alone) == "Page 1, row 2 begins with shred d, which stood on page 1, row 2, place 2"
    assert pages(before, [0, 1]) == "page 1, row 1; page 1, row 2"
    assert pages(Arrangement(tuple((str(one),) for one in range(5))), range(5)) == "pages 1, 2, 3 and 2 more"


def test_a_row_is_said_to_move_along_its_page_or_off_it():
    rows = Arrangement((("a", "b"), ("c",), ("d",)), grid_places={"a": (0, 0, 0), "c": (0, 1, 0), "d": (0, 2, 0)})
    for edit, said in (
        (PlaceRow(1, 0, right_px=118), "Moved page 1, row 2 (1 shred, from c on) by 10.0 mm to the right"),
        (PlaceRow(1, 2), "Moved page 1, row 2 (1 shred, from c on) to page 1, row 3"),
        (
            turn_row(rows, 0, lambda shred: 10),
            "Turned page 1, row 1 (2 shreds, from a on) upside down as a whole",
        ),
        (PlaceRow(1, None), "Took page 1, row 2 (1 shred, from c on) off its page, to stand by itself"),
    ):
        after, _ = edit.apply(rows)
        assert sentence(edit, rows, after) == said
