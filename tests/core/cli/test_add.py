import json

import pikepdf
import pytest

import main
from core.arrangement.edits import SetJoin
from core.case.file import load
from core.options import Options
from core.pipeline import reconstruct
from core.system.places import weights_path
from core.verification.verify import verify
from tests.core.repeatable import BACKS
from tests.core.test_memory import assert_same
from tests.core.test_pipeline import write_sheet


@pytest.fixture
def third(tmp_path):
    return write_sheet(tmp_path / "c.png", [7, None, 6])


def test_a_sheet_is_added_as_one_step_that_is_verified(bench, third, tmp_path, capsys):
    pages, told = tmp_path / "pages.pdf", tmp_path / "result.json"
    assert bench.call("add", third, "-o", pages, "--json", told, "--examiner", "Grace") == 0
    case = load(bench.case_path)
    assert [entry.what for entry in case.history] == ["reconstructed", "saved", "sheets added", "saved"]
    assert (case.history[2].who, case.history[2].text) == ("Grace", "1 sheet added: c.png")
    at_once = reconstruct([*bench.sheets, third], Options(), bench.weights)
    assert_same(case.costs, at_once.costs)
    assert case.arrangement == at_once.arrangement
    assert json.loads(told.read_text())["pages"] == [list(page) for page in case.arrangement.pages]
    with pikepdf.open(pages) as pdf:
        assert len(pdf.pages) == 1
    done = verify(bench.case_path, bench.weights)
    assert done.holds, done.first_difference
    out, err = capsys.readouterr()
    assert "1 sheet added, with 3 shreds." in out
    assert "1 page from 8 shreds on 3 sheets; before: 1 page from 6 shreds on 2 sheets." in out
    assert "1 join came among new shreds." in out
    assert "1 join came at shreds that were there before:\n  page 1:  2-02 | 3-03" in out
    assert f"Written: {pages}" in out
    assert err == ""


def test_backs_that_were_scanned_later_are_paired_and_what_does_not_fit_is_said(two_faced_bench, tmp_path, capsys):
    backs = {name: write_sheet(tmp_path / f"{name}.png", numbers) for name, numbers in BACKS.items()}
    assert two_faced_bench.call("add", backs["a back"], "-o", tmp_path / "pages.pdf") == 0
    out, err = capsys.readouterr()
    assert "1 page with backs from 6 shreds, 3 of them scanned on both faces, on 3 sheets; before: 1 page from 6" in out
    assert "All joins are as they were before." in out
    assert "No shred on these sheets was found on another sheet from behind: sheet 2 (b.png).\n" in err
    with pikepdf.open(tmp_path / "pages.pdf") as pdf:
        assert len(pdf.pages) == 2
    assert two_faced_bench.call("add", backs["b back"]) == 0
    out, err = capsys.readouterr()
    assert "1 page with backs from 6 shreds scanned on both faces on 4 sheets" in out
    assert "sheet 2" not in err
    assert verify(two_faced_bench.case_path, two_faced_bench.weights).holds
    assert two_faced_bench.call("withdraw", 4) == 0
    out, err = capsys.readouterr()
    assert "1 page with backs from 6 shreds, 3 of them scanned on both faces" in out
    assert "sheet 2 (b.png)" in err


def test_joins_that_went_are_listed_and_confirmed_ones_stay(bench, tmp_path, capsys):
    bench.edit(SetJoin("2-01", "1-01", "confirmed"))
    bench.save()
    between = write_sheet(tmp_path / "between.png", [3])
    assert bench.call("add", between) == 0
    case = load(bench.case_path)
    assert case.arrangement.has_join("2-01", "1-01")
    assert case.arrangement.confirmed == {("2-01", "1-01")}
    assert case.arrangement.has_join("1-04", "3-01")
    assert "1 join went:\n  page 1:  1-04 | 2-01\n" in capsys.readouterr().out


def test_files_of_the_case_are_named_and_skipped(bench, tmp_path, capsys):
    copy = tmp_path / "copy.png"
    copy.write_bytes(bench.sheets[1].read_bytes())
    before = bench.case_path.read_bytes()
    assert bench.call("add", copy, bench.sheets[0]) == 0
    out, err = capsys.readouterr()
    assert out == "Nothing was added.\n"
    assert "copy.png is in the case already, as sheet 2: it was not added again." in err
    assert "a.png is in the case already, as sheet 1" in err
    assert bench.case_path.read_bytes() == before


def test_a_damaged_sheet_stops_the_others_and_nothing_is_changed(bench, third, tmp_path, capsys):
    broken, before = tmp_path / "broken.png", bench.case_path.read_bytes()
    broken.write_bytes(b"\x89PNG broken")
    assert bench.call("add", third, broken) == 3
    err = capsys.readouterr().err
    assert "broken.png" in err
    assert err.endswith("Nothing was added.\n")
    assert bench.call("add", write_sheet(tmp_path / "empty.png", [])) == 4
    assert bench.case_path.read_bytes() == before


def test_a_case_that_is_open_in_a_window_is_left_alone(bench, third, capsys, monkeypatch):
    from core.case import lock

    window, before = lock.CaseLock(bench.case_path), bench.case_path.read_bytes()
    try:
        assert bench.call("add", third) == 1
        assert bench.call("withdraw", "1") == 1
        assert bench.call("watch", third.parent, "--once", "--still", "0") == 1
    finally:
        window.release()
    assert capsys.readouterr().err.count("is open in another window, by ") == 3
    assert bench.case_path.read_bytes() == before


def test_other_weights_are_refused(bench, third, capsys):
    assert main.main(["add", str(bench.case_path), str(third), "--weights", str(weights_path())]) == 2
    assert "was made with other weights" in capsys.readouterr().err


def test_the_case_is_never_written_over_by_pages(bench, third):
    assert bench.call("add", third, "-o", bench.case_path) == 2
    assert bench.call("add", third, "-o", third) == 2
    assert bench.call("add", third, "-o", third.with_suffix(".doc")) == 2
    assert len(load(bench.case_path).sheets) == 2


def test_a_resolution_is_given_to_files_that_state_none(bench, tmp_path):
    from PIL import Image

    path = write_sheet(tmp_path / "c.png", [7, None, 6])
    Image.open(path).save(tmp_path / "without.png")
    assert bench.call("add", tmp_path / "without.png", "--dpi", 300) == 0
    (sheet,) = load(bench.case_path).sheets[2:]
    assert (sheet.dpi, sheet.dpi_source) == (300.0, "given")
    assert verify(bench.case_path, bench.weights).holds
