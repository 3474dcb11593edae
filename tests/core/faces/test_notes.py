from pathlib import Path

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.faces import FacePair, other_faces
from core.faces.notes import N_NAMED, notes_on_faces
from core.sheets.sheet import SheetInfo

HEIGHT = 1000


def sheet(name, dpi=300.0):
    return SheetInfo(Path(name), 0, name, (2480, 3508), dpi, "file", np.zeros((2, 2, 3), np.uint8))


SHEETS = (sheet("a.png"), sheet("a back.png"), sheet("b.png"))


@pytest.fixture
def shreds(make_shred):
    """Four shreds of a sheet and its back, and one of a sheet that was scanned once."""
    paper = np.ones((HEIGHT, 9), np.bool_)
    return [
        make_shred(f"{number + 1}-{place:02}", paper, sheet=number)
        for number, n in enumerate((4, 4, 1))
        for place in range(1, n + 1)
    ]


def paired(n, confidence=1.0, **values):
    faces = other_faces(FacePair(f"1-{place:02}", f"2-{place:02}", False, 0, confidence) for place in range(1, n + 1))
    return Arrangement(other_faces=faces, **values)


def test_nothing_is_said_where_everything_fits_or_all_paper_has_one_face(shreds):
    assert notes_on_faces(shreds[:8], paired(4), SHEETS) == ()
    assert notes_on_faces(shreds, Arrangement(), SHEETS) == ()


def test_what_has_one_face_where_most_have_two_is_named(shreds):
    (note,) = notes_on_faces(shreds[:8], paired(3), SHEETS)
    assert note == (
        "The other face of 2 shreds was not found: 1-04, 2-04. What is on the face that was scanned alone tells where "
        "they belong."
    )
    note, *_ = notes_on_faces(shreds[:7], paired(3), SHEETS)
    assert note.startswith("The other face of 1 shred was not found: 1-04.")
    assert note.endswith("where it belongs.")
    assert notes_on_faces(shreds[:8], paired(2), SHEETS) == (), "most have one"


def test_what_the_examiner_said_of_faces_is_not_doubted(shreds):
    assert notes_on_faces(shreds[:8], paired(3, paired_by_hand=frozenset({"1-04", "2-04"})), SHEETS) == ()


def test_sheets_scanned_once_are_named(shreds):
    (note,) = notes_on_faces(shreds, paired(4), SHEETS)
    assert note == "No shred on these sheets was found on another sheet from behind: sheet 3 (b.png)."


def test_unequal_numbers_of_shreds_are_told(shreds, make_shred):
    more = [*shreds[:8], make_shred("2-05", np.ones((HEIGHT, 9), np.bool_), sheet=1)]
    _, note = notes_on_faces(more, paired(4), SHEETS)
    assert note == "On sheets scanned from behind lie more shreds than on those scanned before: 5, not 4."
    _, note = notes_on_faces(shreds[:7], paired(3), SHEETS)
    assert note.endswith("lie fewer shreds than on those scanned before: 3, not 4.")
    both_on_one = Arrangement(other_faces=paired(3).other_faces | other_faces([FacePair("2-04", "2-05", False, 0)]))
    assert not any("scanned from behind" in note for note in notes_on_faces(more, both_on_one, SHEETS))


def test_unequal_resolutions_and_lengths_are_told(shreds, make_shred):
    sheets = (SHEETS[0], sheet("a back.png", 600.0))
    (note,) = notes_on_faces(shreds[:8], paired(4), sheets)
    assert note == "Both faces of 4 shreds were scanned at unequal resolutions: 300 and 600 dpi."
    longer = make_shred("2-04", np.ones((HEIGHT + 15, 9), np.bool_), sheet=1)
    (note,) = notes_on_faces([*shreds[:7], longer], paired(4), SHEETS)
    assert note.startswith("The two faces of 1 shred differ in length by more than 1 %: 1-04 and 2-04. Either")
    a_little = make_shred("2-04", np.ones((HEIGHT + 9, 9), np.bool_), sheet=1)
    assert notes_on_faces([*shreds[:7], a_little], paired(4), SHEETS) == ()


def test_pairs_that_are_not_sure_are_listed(shreds):
    faces = other_faces([FacePair("1-01", "1-02", True, 2, 0.64), FacePair("1-03", "1-04", True, 2, 0.95)])
    (note,) = notes_on_faces(shreds[:4], Arrangement(other_faces=faces), SHEETS)
    assert note == "1 pair of faces is less than 90 % sure: 1-01 and 1-02 (64 %)."


def test_shreds_with_ink_that_are_set_aside_are_named(shreds):
    _, note = notes_on_faces(shreds[:8], paired(3, set_aside=("1-04",)), SHEETS)
    assert note == "Set aside, though they bear ink, and their other face was not found: 1-04."


def test_of_many_the_first_are_named_and_the_others_counted(make_shred):
    paper = np.ones((HEIGHT, 9), np.bool_)
    n = N_NAMED + 3
    names = [f"{number}-{place:02}" for number in (1, 2) for place in range(1, n + 1)]
    shreds = [make_shred(name, paper, sheet=int(name[0]) - 1) for name in names]
    (note,) = notes_on_faces(shreds, paired(n, 0.5), SHEETS)
    assert note.startswith(f"{n} pairs of faces are less than 90 % sure: 1-01 and 2-01 (50 %), 1-02")
    assert note.endswith("1-12 and 2-12 (50 %) and 3 others.")
