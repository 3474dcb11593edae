import json
from dataclasses import replace

import pytest

from core.arrangement.edits import TurnPage
from core.composition.pages import all_poses
from core.matching.confidence import JoinBelow
from core.output.result import result, title, write_result
from core.sheets.mends import NotPaper
from tests.core.composition.test_backs import case as two_faced

__all__ = ["two_faced"]


def test_the_result_has_the_fields_that_other_programs_read(small_case, tmp_path):
    write_result(tmp_path / "result.json", small_case)
    told = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert told == result(small_case)
    turned, aside = told["shreds"][3], told["shreds"][2]
    x, y, angle_deg = turned.pop("pose")
    # Small pieces of noise bear no line: their heights are the arrangement's, to some pixels of chance.
    assert (x, y, angle_deg) == (pytest.approx(16.5, abs=1), pytest.approx(52.5, abs=3), -0.3)
    pose = all_poses(small_case)["2-01"]
    assert (x, y) == (pytest.approx(pose.x_px, abs=0.01), pytest.approx(pose.y_px, abs=0.01))
    assert len(turned.pop("pose_error")) == 3
    assert turned.pop("bend_px") == 0.0
    assert aside["pose"] is None
    assert turned == {
        "id": "2-01", "sheet": 2, "bbox": [5, 6, 33, 90], "angle_deg": 0.25, "half_turn": False, "turned_by": "",
        "blank": False, "scrap": "",
    }  # fmt: skip
    assert told["pages"] == [["1-01", "2-02"], ["2-01", "1-02"]]
    assert told["set_aside"] == ["1-03"]
    assert told["joins"][0] == {
        "left": "1-01", "right": "2-02", "cost": 2.5, "shift_px": 4, "confidence": 0.75,
        "ink": 2.5, "contour": 0.0, "tone": 0.0, "lines": 0.0, "laying": 0.0,
    }  # fmt: skip
    assert told["joins"][1]["cost"] is None
    assert told["seconds"] == {"load": 0.5, "total": 1.235}
    assert (told["optimal"], told["gap"], told["weights_sha256"]) == (True, 0.0, "ab" * 32)


def test_mends_are_told_of_the_sheets_that_have_some(small_case):
    mended = replace(small_case.sheets[0], mends=(NotPaper((3.0, 4.0)),))
    one, two = result(replace(small_case, sheets=(mended, small_case.sheets[1])))["sheets"]
    assert one["mends"] == [{"mend": "NotPaper", "at": [3.0, 4.0]}]
    assert "mends" not in two


def test_turned_pages_are_told(small_case):
    arrangement, _ = TurnPage(1, 1).apply(small_case.arrangement)
    assert result(replace(small_case, arrangement=arrangement))["page_turns"] == [0, 1]


def test_fronts_and_backs_are_told(two_faced):
    told = result(two_faced)
    assert told["pages"] == [["1-01", "1-02"], ["2-02", "2-01"], ["1-03"]]
    assert told["faces"] == [[0, 1]]
    assert len(told["page_turns"]) == 3
    of = {shred["id"]: (shred.get("face"), shred.get("other_face"), shred["pose"] is None) for shred in told["shreds"]}
    assert of["1-01"] == ("front", "2-01", False)
    assert of["2-02"] == ("back", "1-02", False)
    assert of["1-03"] == (None, None, False)
    assert [(join["left"], join["right"]) for join in told["joins"]] == [("1-01", "1-02"), ("2-02", "2-01")]


def test_backs_are_no_change_by_hand(two_faced):
    found = replace(two_faced, optimal=True, solved=None)
    assert result(found)["optimal"]
    assert not result(replace(found, solved=replace(found.arrangement, pages=found.arrangement.pages[::-1][:1])))[
        "optimal"
    ]


def test_titles_stay_short(small_case):
    one, two = small_case.sheets
    assert title(replace(small_case, sheets=(one,))) == "Reconstructed from scan 0.png"
    assert title(replace(small_case, sheets=(one, two, one))).endswith("scan 0.png, scan 1.png, page 2 and scan 0.png")
    assert title(replace(small_case, sheets=(one, two) * 3)) == "Reconstructed from scan 0.png and 5 other sheets"


def test_of_rows_of_pieces_it_is_told_what_stands_below_what_and_how_sure_that_is(small_case):
    places = {"1-01": (0, 0, 0), "2-01": (0, 1, 0)}
    rows = replace(small_case.arrangement, grid_places=places)
    shreds = tuple(shred.changed(cross_cut=True) for shred in small_case.shreds)
    case = replace(small_case, shreds=shreds, arrangement=rows, solved=None, below=(JoinBelow("1-01", "2-01", 0.75),))
    assert "joins_below" not in result(small_case)
    assert result(case)["grid"] == [[["1-01", "2-02"], ["2-01", "1-02"]]]
    assert result(case)["joins_below"] == [
        {"above": "1-01", "below": "2-01", "confidence": 0.75},
        {"above": "2-02", "below": "1-02", "confidence": None},
    ]
