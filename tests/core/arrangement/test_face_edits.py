from dataclasses import replace

import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.edit import InvalidEditError
from core.arrangement.face_edits import PairFaces, PartFaces, TurnOver
from core.arrangement.faces import FacePair, other_faces

FACES = other_faces(
    [
        FacePair("1-01", "2-01", False, 10),
        FacePair("1-02", "2-02", True, -4),
        FacePair("1-03", "2-03", False, 0),
    ]
)
BEFORE = Arrangement(
    pages=(("1-01", "1-02", "1-03"), ("1-04",)),
    set_aside=("1-05",),
    shift_px={"1-02": 3, "1-03": -1},
    confirmed=frozenset({("1-01", "1-02")}),
    forbidden=frozenset({("1-03", "1-04")}),
    held=frozenset({("", "1-01"), ("1-03", "")}),
    half_turned=frozenset({"1-03"}),
    page_names={"1-01": "letter"},
    pinned=frozenset({"1-02"}),
    other_faces=FACES,
)


def test_a_page_that_is_turned_over_runs_from_the_other_end():
    after, back = TurnOver(("1-01", "1-02", "1-03")).apply(BEFORE)
    assert after.pages == (("2-03", "2-02", "2-01"), ("1-04",))
    assert after.half_turned == {"2-03", "2-02"}
    assert after.confirmed == {("2-02", "2-01")}
    assert after.held == {("2-01", ""), ("", "2-03")}
    assert after.forbidden == BEFORE.forbidden
    assert after.page_names == {"2-03": "letter"}
    assert after.pinned == {"2-02"}
    assert after.turned_by_hand == {"2-01", "2-02", "2-03"}
    assert back.apply(after)[0] == BEFORE


def test_paper_keeps_its_height():
    after, _ = TurnOver(("1-01", "1-02", "1-03")).apply(BEFORE)
    # Heights were 0, 3 and 2; the other faces are moved up by 10 px, down by 4 px and not at all.
    assert after.offsets_px(0) == {"2-03": 2 - 2, "2-02": 3 + 4 - 2, "2-01": 0 - 10 - 2}
    again, _ = TurnOver(("2-01", "2-02", "2-03")).apply(after)
    assert again.pages == BEFORE.pages
    assert again.offsets_px(0) == BEFORE.offsets_px(0)


def test_one_shred_turns_in_its_place_and_the_others_stay():
    after, back = TurnOver(("1-02",)).apply(BEFORE)
    assert after.pages[0] == ("1-01", "2-02", "1-03")
    assert after.offsets_px(0) == {"1-01": 0, "2-02": 3 + 4, "1-03": 2}
    assert after.confirmed == BEFORE.confirmed, "what was said of the face that is not seen now is not forgotten"
    assert back.apply(after)[0] == BEFORE


@pytest.mark.parametrize(
    ("shreds", "says"),
    [(("1-04",), "other face of 1-04 is not known"), (("9-01",), "There is no shred 9-01"), ((), "No shred")],
)
def test_what_cannot_be_turned_over(shreds, says):
    with pytest.raises(InvalidEditError, match=says):
        TurnOver(shreds).apply(BEFORE)


def test_two_shreds_become_one_paper_and_the_later_one_goes_behind():
    after, back = PairFaces("1-05", "1-04", False, 0).apply(BEFORE)
    assert (after.pages, after.set_aside) == (BEFORE.pages, ())
    assert after.paired_by_hand == {"1-04", "1-05"}
    assert back.apply(after)[0] == BEFORE


def test_who_is_paired_anew_leaves_the_old_other_face_to_stand_for_itself():
    after, _ = PairFaces("1-01", "1-05", False, 0).apply(BEFORE)
    assert after.other_faces["1-05"] == ("1-01", False, 0, 1.0)
    assert "2-01" not in after.other_faces
    assert after.set_aside == ("2-01",)


def test_faces_that_are_parted_are_two_pieces_of_paper():
    after, back = PartFaces("1-02").apply(BEFORE)
    assert after.pages == BEFORE.pages
    assert after.set_aside == ("1-05", "2-02")
    assert after.paired_by_hand == {"1-02", "2-02"}
    assert back.apply(after)[0] == BEFORE
    with pytest.raises(InvalidEditError, match="not paired"):
        PartFaces("1-04").apply(BEFORE)


def test_a_shred_is_not_its_own_other_face():
    with pytest.raises(InvalidEditError, match="its own"):
        PairFaces("1-04", "1-04", False, 0).apply(BEFORE)
    with pytest.raises(InvalidEditError, match="no shred 9-01"):
        PairFaces("1-04", "9-01", False, 0).apply(replace(BEFORE))
