import pytest

from app.sentences import Difference, differences, pages, place, sentence
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
from core.arrangement.faces import FacePair, other_faces
from core.arrangement.page_edits import GroupPages, LevelPage, MovePages, NamePage, PinShreds, SetPageState

BEFORE = Arrangement(
    pages=(("a", "b", "c", "d"), ("e", "f")),
    set_aside=("x",),
    confirmed=frozenset({("e", "f")}),
    notes={"b": "torn"},
    details={"number": "7"},
    held=frozenset({("b", "c")}),
    page_names={"e": "Letter"},
    other_faces=other_faces([FacePair("e", "e-back", False, 0), FacePair("f", "f-back", True, 2)]),
)
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
