from pathlib import Path

import numpy as np
import pytest

from core.sheets.sheet import SheetInfo, file_names, paired_by_name, sheet_names


def sheets(*files):
    preview = np.zeros((1, 1, 3), np.uint8)
    pairs = [(file, 0) if isinstance(file, str) else file for file in files]
    return [SheetInfo(Path(file), page, "", (1, 1), 300.0, "file", preview) for file, page in pairs]


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (("/a/one.jpg", "/a/two.jpg"), ("one.jpg", "two.jpg")),
        (("/a/D1/s.jpg", "/a/D2/s.jpg", "/a/D2/t.jpg"), ("D1/s.jpg", "D2/s.jpg", "t.jpg")),
        (("/a/x/D1/s.jpg", "/a/y/D1/s.jpg", "/a/y/D2/s.jpg"), ("x/D1/s.jpg", "y/D1/s.jpg", "D2/s.jpg")),
        (("/s.jpg", "/a/s.jpg"), ("s.jpg", "a/s.jpg")),
        ((("/a/s.tif", 0), ("/a/s.tif", 1), ("/b/s.tif", 1)), ("s.tif", "a/s.tif, page 2", "b/s.tif, page 2")),
        (("s.jpg", "s.jpg"), ("s.jpg", "s.jpg")),
        ((), ()),
    ],
)
def test_no_two_sheets_have_one_name(files, names):
    assert sheet_names(sheets(*files)) == names


def test_folders_can_stand_before_all_names():
    assert sheet_names(sheets("/a/D1/s.jpg", "/b/t.jpg", "u.jpg"), 1) == ("D1/s.jpg", "b/t.jpg", "u.jpg")


def test_files_are_named_as_their_sheets_will_be():
    paths = [Path("/a/D1/s.jpg"), Path("/a/D2/s.jpg"), Path("/a/D2/t.jpg"), Path("/"), Path("/a/D2/t.jpg")]
    assert file_names(paths) == ("D1/s.jpg", "D2/s.jpg", "t.jpg", "/", "t.jpg")
    assert sheets(("/a/D1/s.tif", 1))[0].named("D1/s.tif") == "D1/s.tif, page 2"


@pytest.mark.parametrize(
    "names",
    [
        ("000a.png", "001b.png", "001a.png", "000b.png"),
        ("x 1 front.png", "x 2 back.png", "x 2 front.png", "x 1 back.png"),
        ("3_Recto.tif", "4_verso.tif", "4_recto.tif", "3_verso.tif"),
        ("x/7r.png", "8v.png", "8r.png", "x/7v.png"),
    ],
)
def test_names_tell_the_faces_of_a_paper(names):
    assert paired_by_name([Path(name) for name in names]) == [(0, 3), (2, 1)]


def test_of_many_pairs_a_few_may_lack_a_face():
    names = [f"{number}{letter}.png" for number in range(10) for letter in "ab"]
    assert len(paired_by_name([Path(name) for name in names[:-1]])) == 9


@pytest.mark.parametrize(
    "names",
    [
        ("000a.png", "001a.png", "002a.png", "000b.png"),  # most have no partner
        ("panda.png", "pandb.png"),  # a word is no number
        ("x/1a.png", "y/1b.png"),
        ("1.png", "2.png"),
        (),
    ],
)
def test_names_that_mean_something_else_pair_nothing(names):
    assert paired_by_name([Path(name) for name in names]) == []
