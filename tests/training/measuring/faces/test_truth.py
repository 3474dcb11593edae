from pathlib import Path

import numpy as np
import pytest

from core.arrangement.faces import FacePair
from core.errors import UsageError
from core.options import Options
from core.sheets.sheet import SheetInfo
from core.shreds.detect import Found
from core.shreds.shred import Shred
from training.measuring.faces.truth import TrueFace, read_two_faced, two_faced


def lying(page, number, face, x, *, blank=False, half_turned=False):
    """Describe a face as truth.json does."""
    place = {"face": face, "bbox": [x, 0, 70, 400]}
    return {"page": page, "number": number, "blank": blank, "half_turned": half_turned, **place}


def shred(name, sheet, x, scrap="", grey=0):
    """Make what was found at a place."""
    pixels, mask = np.full((4, 4, 3), grey, np.uint8), np.ones((4, 4), np.bool_)
    outline = np.zeros((0, 2), np.float32)
    return Shred(name, sheet, (x, 2, 69, 399), outline, 0.0, pixels, mask, 0, blank=False, scrap=scrap)


TRUTH = {
    "sheets": [[lying(0, 0, "front", 0), lying(0, 2, "back", 100, half_turned=True), lying(1, 0, "front", 200)]],
    "turned_over": [
        [
            lying(0, 2, "front", 0),
            lying(0, 0, "back", 100, half_turned=True),
            lying(1, 0, "back", 200, blank=True),
        ]
    ],
}


def make_data(**of_first):
    """Two strips of one sheet of paper, between which one is lost, and one of another, whose back is blank and lost."""
    preview = np.zeros((1, 1, 3), np.uint8)
    names = ("sheet_00001", "sheet_00001_back")
    infos = [SheetInfo(Path(f"{name}.jpg"), 0, "", (400, 400), 300.0, "file", preview) for name in names]
    found = (
        shred("1-1", 0, 1, **of_first),
        shred("1-2", 0, 102),
        shred("1-3", 0, 199),
        shred("1-s1", 0, 250, scrap="sliver"),
        shred("2-1", 1, 0),
        shred("2-2", 1, 101),
        shred("2-3", 1, 300),
    )
    return two_faced(Found(tuple(infos), found, (), (), {}), TRUTH)


@pytest.fixture
def data():
    return make_data()


def test_print_that_went_with_a_rim_does_not_count(data):
    assert data.inked[0, 0] == {"front", "back"}
    assert make_data(grey=200).inked[0, 0] == {"back"}


def test_found_shreds_are_known_by_where_they_were_laid(data):
    assert data.faces == {
        "1-1": TrueFace((0, 0), "front", False),
        "1-2": TrueFace((0, 2), "back", True),
        "1-3": TrueFace((1, 0), "front", False),
        "2-1": TrueFace((0, 2), "front", False),
        "2-2": TrueFace((0, 0), "back", True),
    }
    assert [one.id for one in data.found.shreds] == ["1-1", "1-2", "1-3", "2-1", "2-2", "2-3"]


def test_faces_of_one_strip_are_a_pair(data):
    assert data.pairs() == (FacePair("1-1", "2-2", True, 0), FacePair("1-2", "2-1", True, 0))


def test_a_lost_strip_parts_its_page_and_a_strip_without_ink_does_not_count(data):
    assert data.runs(("front", "back")) == [[(0, 0)], [(0, 2)], [(1, 0)]]
    assert data.runs(("back",)) == [[(0, 0)], [(0, 2)]]
    assert data.blank_papers("back") == {1}
    assert data.blank_papers("front") == frozenset()


def test_a_folder_of_shreds_with_one_face_is_refused_in_a_sentence(tmp_path):
    for text in (None, '{"pages": 1, "sheets": [[]]}'):
        if text is not None:
            (tmp_path / "truth.json").write_text(text)
        with pytest.raises(UsageError, match="no shreds with two faces in"):
            read_two_faced(tmp_path, Options())
