from dataclasses import replace

import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.faces import FacePair, other_faces, with_faces
from core.renewal.carrying import carried_arrangement, renamed_faces

FOUND = other_faces([FacePair("1-01", "1-02", False, 3), FacePair("2-01", "2-02", True, 0)])


@pytest.fixture
def case(small_case):
    """The small case, of which four shreds are two pieces of paper."""
    shreds = tuple(shred.changed(bbox=(40 * k, 0, 30, 80)) for k, shred in enumerate(small_case.shreds))
    return replace(small_case, shreds=shreds, solved=None, arrangement=with_faces(small_case.arrangement, FOUND))


def test_faces_are_paired_under_their_names_now():
    names = {"1-01": "1-02", "1-02": "1-03", "2-01": "2-01"}
    assert renamed_faces(FOUND, names) == other_faces([FacePair("1-02", "1-03", False, 3)])


def test_faces_that_were_found_again_are_as_they_are_found_now(case):
    carried, lost = carried_arrangement(case, case)
    assert carried.other_faces == FOUND
    assert carried.pages == case.arrangement.pages
    assert not lost


def test_what_was_said_of_faces_holds_against_what_is_found(case):
    said = replace(
        with_faces(case.arrangement, other_faces([FacePair("1-01", "2-02", False, 0)])),
        paired_by_hand=frozenset({"1-01", "2-02", "1-02"}),
    )
    carried, _ = carried_arrangement(replace(case, arrangement=said), case)
    assert carried.other_faces == other_faces([FacePair("1-01", "2-02", False, 0)])
    assert carried.paired_by_hand == said.paired_by_hand
    assert {*carried.order, *carried.behind} == {shred.id for shred in case.shreds}


def test_faces_of_which_something_was_said_and_that_are_gone_are_told(case):
    said = replace(case.arrangement, paired_by_hand=frozenset({"1-01", "1-02"}))
    gone = replace(case, shreds=tuple(shred for shred in case.shreds if shred.id != "1-02"))
    fewer = Arrangement(pages=(("1-01",), ("2-01", "2-02")), set_aside=("1-03",))
    carried, lost = carried_arrangement(replace(case, arrangement=said), replace(gone, arrangement=fewer))
    assert lost == ("1-02",)
    assert not carried.other_faces
