import json

from core.arrangement.edits import SetJoin
from core.case.file import load
from core.sheets.mends import ExcludeSheet
from core.verification.verify import verify


def test_a_sheet_is_withdrawn_and_taken_back_in_and_both_are_verified(bench, tmp_path, capsys):
    found = bench.case.arrangement.pages
    assert bench.call("withdraw", "b.png", "--json", tmp_path / "told.json") == 0
    case = load(bench.case_path)
    assert {shred.sheet for shred in case.shreds} == {0}
    assert case.sheets[1].mends == (ExcludeSheet(),)
    assert case.arrangement.pages == (("1-03", "1-04", "1-01"),)
    assert [entry.what for entry in case.history[2:]] == ["mended", "saved"]
    assert case.history[2].text == "1 sheet withdrawn: 2 (b.png)"
    assert json.loads((tmp_path / "told.json").read_text())["pages"] == [["1-03", "1-04", "1-01"]]
    out = capsys.readouterr().out
    assert "before: 1 page from 6 shreds on 2 sheets." in out
    assert "5 joins went:" in out
    assert bench.call("withdraw", 2, "--back") == 0
    case = load(bench.case_path)
    assert case.arrangement.pages == found
    assert case.sheets[1].mends == ()
    assert "2 joins went:" in capsys.readouterr().out
    done = verify(bench.case_path, bench.weights)
    assert done.holds, done.first_difference


def test_what_was_said_of_its_shreds_goes_with_it_and_is_told(bench, capsys):
    bench.edit(SetJoin("1-03", "2-03", "confirmed"))
    bench.edit(SetJoin("1-04", "1-01", "confirmed"))
    bench.save()
    assert bench.call("withdraw", "2") == 0
    case = load(bench.case_path)
    assert case.arrangement.confirmed == {("1-04", "1-01")}
    assert not {shred for shred in case.arrangement.order if shred.startswith("2")}
    assert "What was said of 2-03 went with it." in capsys.readouterr().err


def test_what_is_withdrawn_already_and_what_is_not_there_changes_nothing(bench, capsys):
    assert bench.call("withdraw", "2") == 0
    before = bench.case_path.read_bytes()
    assert bench.call("withdraw", "2") == 0
    assert "so it is already" in capsys.readouterr().out
    assert bench.call("withdraw", "1") == 4
    assert bench.call("withdraw", "d.png") == 2
    assert "The case has no sheet d.png. It has 1 a.png, 2 b.png." in capsys.readouterr().err
    assert bench.case_path.read_bytes() == before


def test_a_withdrawn_sheet_given_once_more_is_not_added(bench, capsys):
    assert bench.call("withdraw", "2") == 0
    assert bench.call("add", bench.sheets[1]) == 0
    assert "It was withdrawn; withdraw CASE 2 --back takes it in again." in capsys.readouterr().err


def test_several_sheets_are_one_step(bench, tmp_path):
    from tests.core.test_pipeline import write_sheet

    assert bench.call("add", write_sheet(tmp_path / "c.png", [7, 6]), write_sheet(tmp_path / "d.png", [8, 9])) == 0
    assert bench.call("withdraw", "2", "3") == 0
    case = load(bench.case_path)
    assert case.history[-2].text == "2 sheets withdrawn: 2 (b.png), 3 (c.png)"
    assert {shred.sheet for shred in case.shreds} == {0, 3}
    assert verify(bench.case_path, bench.weights).holds


def test_files_called_alike_are_told_apart_by_their_folders(bench, tmp_path, capsys):
    from tests.core.test_pipeline import write_sheet

    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
    added = write_sheet(tmp_path / "first/c.png", [7, 6]), write_sheet(tmp_path / "second/c.png", [8, 9])
    assert bench.call("add", *added) == 0
    assert bench.call("withdraw", "d.png") == 2
    assert "It has 1 a.png, 2 b.png, 3 first/c.png, 4 second/c.png." in capsys.readouterr().err
    assert bench.call("withdraw", "c.png") == 2
    assert "Several sheets are called c.png: 3 is first/c.png, 4 is second/c.png." in capsys.readouterr().err
    assert bench.call("withdraw", "second/c.png") == 0
    case = load(bench.case_path)
    assert case.history[-2].text == "1 sheet withdrawn: 4 (second/c.png)"
    assert {shred.sheet for shred in case.shreds} == {0, 1, 2}


def test_the_name_of_a_file_stands_for_all_its_pages(bench, tmp_path):
    from PIL import Image

    from tests.core.test_pipeline import write_sheet

    pages = [Image.open(write_sheet(tmp_path / f"{n}.png", of)).convert("RGB") for n, of in enumerate(([7, 6], [8, 9]))]
    pages[0].save(tmp_path / "scan.tif", save_all=True, append_images=pages[1:], dpi=(300, 300))
    assert bench.call("add", tmp_path / "scan.tif") == 0
    assert bench.call("withdraw", "scan.tif") == 0
    assert load(bench.case_path).history[-2].text == "2 sheets withdrawn: 3 (scan.tif), 4 (scan.tif, page 2)"
