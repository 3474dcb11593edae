import json

import cv2
import pytest

from training import sack
from training.pages.two_faced import turned_over_path

pytestmark = pytest.mark.slow


def test_a_sack_is_made_from_nothing_and_its_truth_names_every_shred(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sack, "_spread", lambda work, tasks, n, unit: map(work, tasks))
    assert sack.main(["-o", str(tmp_path), "--pages", "1", "--seed", "3", "--width", "40", "--per-sheet", "3"]) == 0
    truth = json.loads((tmp_path / "truth.json").read_text(encoding="utf-8"))
    assert truth["pages"] == 1
    laid = sorted((shred["page"], shred["number"]) for sheet in truth["sheets"] for shred in sheet)
    assert laid == [(0, number) for number in range(len(laid))]
    assert 5 <= len(laid) <= 7
    for number, sheet in enumerate(truth["sheets"]):
        height, width, _ = cv2.imread(str(sack.sheet_path(tmp_path, number))).shape
        for shred in sheet:
            x, y, wide, high = shred["bbox"]
            assert 0 < x < x + wide < width
            assert 0 < y < y + high < height
    assert not (tmp_path / "strips").exists()
    assert f"{len(laid)} shreds of 1 pages on 2 sheets" in capsys.readouterr().out


def test_both_faces_of_shreds_are_scanned_one_after_the_other(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sack, "_spread", lambda work, tasks, n, unit: map(work, tasks))
    asked = ["--pages", "2", "--seed", "3", "--width", "40", "--per-sheet", "4", "--missing", "0", "--two-faced"]
    assert sack.main(["-o", str(tmp_path), *asked]) == 0
    truth = json.loads((tmp_path / "truth.json").read_text(encoding="utf-8"))
    assert (truth["pages"], truth["papers"]) == (2, 1)
    assert len(truth["sheets"]) == len(truth["turned_over"]) == 2
    for number, (up, down) in enumerate(zip(truth["sheets"], truth["turned_over"], strict=True)):
        path = sack.sheet_path(tmp_path, number)
        assert {cv2.imread(str(file)).ndim for file in (path, turned_over_path(path))} == {3}
        shown = [(shred["page"], shred["number"], shred["face"]) for shred in [*up, *down]]
        assert len(set(shown)) == len(shown) == 2 * len({shred[:2] for shred in shown})
    assert not (tmp_path / "strips").exists()
    assert "of 2 pages on 2 sheets, each scanned on both faces" in capsys.readouterr().out
