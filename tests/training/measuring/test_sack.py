import json
from pathlib import Path

import numpy as np

from core.sheets.sheet import SheetInfo
from core.shreds.detect import Found
from core.shreds.shred import Shred
from training.measuring.sack import TRUTH_FILE, sack_data


def strip(page, number, x, *, blank=False, half_turned=False):
    """Describe a strip as truth.json does."""
    return {"page": page, "number": number, "blank": blank, "half_turned": half_turned, "bbox": [x, 0, 70, 400]}


def shred(name, sheet, x, scrap=""):
    """Make what was found at a place."""
    pixels, mask = np.full((4, 4, 3), 255, np.uint8), np.ones((4, 4), np.bool_)
    outline = np.zeros((0, 2), np.float32)
    return Shred(name, sheet, (x, 2, 69, 399), outline, 0.0, pixels, mask, 0, blank=False, scrap=scrap)


def test_found_shreds_are_known_by_where_they_were_laid(tmp_path):
    # Sheet 2 was read first; of page 0 strip 2 is missing, strip 4 blank, and strip 5 was not found.
    sheets = [
        [strip(0, 1, 0), strip(1, 0, 100, half_turned=True), strip(0, 3, 200)],
        [strip(0, 0, 0), strip(0, 5, 100), strip(0, 4, 300, blank=True)],
    ]
    (tmp_path / TRUTH_FILE).write_text(json.dumps({"pages": 2, "sheets": sheets}))
    preview = np.zeros((1, 1, 3), np.uint8)
    infos = [SheetInfo(Path(f"sheet_{number:05}.jpg"), 0, "", (400, 400), 300.0, "file", preview) for number in (2, 1)]
    found = (
        shred("1-1", 0, 3),
        shred("1-s1", 0, 101, scrap="sliver"),
        shred("1-2", 0, 302),
        shred("2-1", 1, 1),
        shred("2-2", 1, 99),
        shred("2-3", 1, 205),
    )
    data = sack_data(Found(tuple(infos), found, (), (), {}), tmp_path)
    assert data.truth == [["1-1", "2-1"], ["2-3"], ["2-2"]]
    assert data.n_true == 2 + 2 + 1
    assert data.upside_down == {"2-2"}
    assert [document.name for document in data.documents] == ["page 1", "page 1", "page 2"]
    assert [shred.id for shred in data.found.shreds] == ["1-1", "1-2", "2-1", "2-2", "2-3"]
