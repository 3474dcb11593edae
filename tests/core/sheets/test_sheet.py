from pathlib import Path

import numpy as np
import pytest

from core.sheets.sheet import SheetInfo, file_names, sheet_names


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
