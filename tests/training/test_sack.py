import json

import cv2
import pytest

from training import sack

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
