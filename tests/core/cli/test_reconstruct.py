import json
import os
import re
from dataclasses import replace
from math import inf
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

import main
from core.arrangement.faces import FacePair, other_faces
from core.case.file import load
from core.options import FaceOptions, Options, SegmentationOptions
from core.sheets.input_file import InputFile
from core.system.places import weights_path
from tests.core.composition.test_backs import case as two_faced

__all__ = ["two_faced"]


@pytest.fixture
def reconstructed(monkeypatch, small_case):
    """Give a case at once; remembers what it was asked for."""
    asked = {}

    def reconstruct(paths, options, weights, *, progress, **_others):
        asked.update(paths=paths, options=options, weights=weights)
        progress(1.0, "Done")
        first, second = small_case.joins
        return replace(small_case, options=options, joins=(first, replace(second, cost=9.5)))

    monkeypatch.setattr("core.pipeline.reconstruct", reconstruct)
    return asked


@pytest.fixture
def fake_estimates(monkeypatch, small_case):
    """Give a case of a hundred sheets that state no resolution."""
    first = small_case.sheets[0]
    sheets = tuple(replace(first, path=Path(f"scan {n}.png"), dpi_source="estimated") for n in range(100))
    monkeypatch.setattr("core.pipeline.reconstruct", lambda *_, **__: replace(small_case, sheets=sheets))


@pytest.fixture
def sheet(tmp_path):
    path = tmp_path / "scan 0.png"
    path.write_bytes(b"an image")
    return path


def run(*arguments):
    return main.main(["reconstruct", *map(str, arguments)])


@pytest.mark.usefixtures("reconstructed")
def test_pages_json_and_case_are_written(sheet, tmp_path, capsys):
    pages, told, case = tmp_path / "pages.pdf", tmp_path / "result.json", tmp_path / "one.rejoin"
    assert run(sheet, "-o", pages, "--json", told, "--case", case) == 0
    with pikepdf.open(pages) as pdf:
        assert len(pdf.pages) == 2
    result = json.loads(told.read_text(encoding="utf-8"))
    assert result["pages"] == [["1-01", "2-02"], ["2-01", "1-02"]]
    assert result["seconds"]["compose"] > 0
    assert result["seconds"]["total"] > result["seconds"]["compose"]
    assert load(case).arrangement.pages == (("1-01", "2-02"), ("2-01", "1-02"))
    out, err = capsys.readouterr()
    assert "2 pages from 4 shreds on 2 sheets; 1 blank shred set aside; 1 crumb left out." in out
    assert "The paper was cut into strips." in out
    assert str(pages) in out
    assert "1 doubtful join of 2" in out
    assert "page 2:  2-01 | 1-02    10 %" in out
    assert err == "notes.txt is no image.\n"


def test_a_join_of_which_the_costs_tell_nothing_is_not_called_doubtful(
    sheet, tmp_path, monkeypatch, small_case, capsys
):
    assert [join.cost for join in small_case.joins] == [2.5, inf]
    monkeypatch.setattr("core.pipeline.reconstruct", lambda *_, **__: small_case)
    assert run(sheet, "-o", tmp_path / "pages.pdf") == 0
    assert "No join is doubtful." in capsys.readouterr().out


@pytest.mark.usefixtures("reconstructed")
def test_a_case_begins_its_history(sheet, tmp_path, monkeypatch):
    monkeypatch.setattr("getpass.getuser", lambda: "ada")
    given = (sheet, "-o", tmp_path / "pages.pdf", "--seed", 4, "--case", tmp_path / "one.rejoin")
    assert run(*given) == 0
    first, second = load(tmp_path / "one.rejoin").history
    assert (first.who, first.what, first.text) == ("ada", "reconstructed", "2 pages from 4 shreds on 2 sheets")
    assert first.parameters["options"]["solver"]["seed"] == 4
    assert [sheet["name"] for sheet in first.parameters["sheets"]] == ["scan 0.png", "scan 1.png"]
    assert first.parameters["weights_sha256"] == "ab" * 32
    assert first.parameters["versions"] == {"rejoin": "0.1.0", "python": "3.11"}
    assert (second.what, second.text) == ("saved", "saved as one.rejoin")
    assert run(*given, "--examiner", "Grace Hopper") == 0
    assert {entry.who for entry in load(tmp_path / "one.rejoin").history} == {"Grace Hopper"}


@pytest.mark.usefixtures("reconstructed")
def test_what_a_case_is_called_stands_in_it_and_on_its_pages(sheet, tmp_path, capsys):
    given = (sheet, "-o", tmp_path / "pages.pdf", "--case", tmp_path / "one.rejoin")
    details = {"number": "2026-0412", "exhibit": "Exhibit 3", "laboratory": "QD", "examiner": "Ada", "remarks": "Wet"}
    names = {name: name for name in details} | {"number": "case-number"}
    said = [text for name, value in details.items() for text in (f"--{names[name]}", value)]
    assert run(*given, *said) == 0
    case = load(tmp_path / "one.rejoin")
    assert case.arrangement.details == details
    assert [(entry.who, entry.what) for entry in case.history] == [
        ("Ada", "reconstructed"),
        ("Ada", "edited"),
        ("Ada", "saved"),
    ]
    with pikepdf.open(tmp_path / "pages.pdf") as pdf:
        assert str(pdf.docinfo["/Title"]).endswith("case 2026-0412, Exhibit 3")
    assert run(*given, "--case-number", "1\n2") == 2
    assert "The number is no line" in capsys.readouterr().err
    assert run(*given) == 0
    assert load(tmp_path / "one.rejoin").arrangement.details == {}


@pytest.mark.usefixtures("reconstructed")
def test_quiet_and_list_joins(sheet, tmp_path, capsys):
    assert run(sheet, "-o", tmp_path / "pages.pdf", "--quiet", "--list-joins") == 0
    assert capsys.readouterr().out == "  page 1:  1-01 | 2-02    75 %\n  page 2:  2-01 | 1-02    10 %\n"


def test_options_reach_the_pipeline(reconstructed, sheet, tmp_path):
    output = tmp_path / "pages.pdf"
    assert run(sheet, "-o", output) == 0
    assert reconstructed == {"paths": [InputFile(sheet)], "options": Options(), "weights": weights_path()}
    many = "--dpi 600 --max-megapixels 50 --pages 3 --page-width 216 --max-shift 5 --time-limit 2 --seed 4 --seams"
    assert (
        run(sheet, "-o", output, *many.split(), "--jpeg", 80, "--engine", "local-search", "--weights", "w.keras") == 0
    )
    options = reconstructed["options"]
    assert (options.reading.dpi, options.reading.max_megapixels) == (600, 50)
    assert (options.solver.n_pages, options.solver.page_width_mm) == (3, 216)
    assert (options.solver.time_limit_s, options.solver.seed, options.cost.max_shift_rows) == (2, 4, 5)
    assert (options.composition.show_seams, options.output.lossless, options.output.jpeg_quality) == (True, False, 80)
    assert options.solver.engine == "local-search"
    assert reconstructed["weights"] == Path("w.keras")


def test_pairing_of_faces_can_be_left_out(reconstructed, sheet, tmp_path):
    assert run(sheet, "-o", tmp_path / "pages.pdf", "--no-pair-faces") == 0
    assert reconstructed["options"] == Options(faces=FaceOptions(pair=False))


def test_how_paper_was_cut_can_be_told(reconstructed, sheet, tmp_path):
    assert run(sheet, "-o", tmp_path / "pages.pdf", "--cut", "cross") == 0
    assert reconstructed["options"] == Options(segmentation=SegmentationOptions(cut="cross"))


def test_it_is_said_that_paper_is_cross_cut(sheet, tmp_path, capsys, monkeypatch, small_case):
    pieces = replace(small_case, shreds=tuple(shred.changed(cross_cut=True) for shred in small_case.shreds))
    monkeypatch.setattr("core.pipeline.reconstruct", lambda *_, **__: pieces)
    assert run(sheet, "-o", tmp_path / "pages.pdf") == 0
    assert re.search(r"The paper was cut both ways, into 5 pieces of about \d+ × \d+ mm\.", capsys.readouterr().out)


def test_two_faces_are_one_piece_of_cross_cut_paper(sheet, tmp_path, capsys, monkeypatch, two_faced):
    pieces = replace(two_faced, shreds=tuple(shred.changed(cross_cut=True) for shred in two_faced.shreds))
    monkeypatch.setattr("core.pipeline.reconstruct", lambda *_, **__: pieces)
    assert run(sheet, "-o", tmp_path / "pages.pdf") == 0
    assert "The paper was cut both ways, into 3 pieces" in capsys.readouterr().out


def test_what_does_not_fit_of_faces_is_said_and_paper_is_counted(sheet, tmp_path, capsys, monkeypatch, two_faced):
    faces = two_faced.arrangement.other_faces | other_faces([FacePair("1-01", "2-01", False, 0, 0.7)])
    aside = replace(
        two_faced.arrangement, other_faces=faces, pages=two_faced.arrangement.pages[:1], set_aside=("1-03",)
    )
    monkeypatch.setattr("core.pipeline.reconstruct", lambda *_, **__: replace(two_faced, arrangement=aside))
    assert run(sheet, "-o", tmp_path / "pages.pdf", "--json", tmp_path / "result.json") == 0
    out, err = capsys.readouterr()
    assert (
        "1 page with backs from 2 shreds scanned on both faces on 2 sheets; 1 shred with ink set aside; 1 crumb" in out
    )
    notes = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))["notes"]
    assert err.splitlines() == notes
    assert notes[-2:] == [
        "Set aside, though they bear ink, and their other face was not found: 1-03.",
        "1 pair of faces is less than 90 % sure: 1-01 and 2-01 (70 %).",
    ]


@pytest.fixture
def strips(tmp_path):
    """Five strips of a page at 150 dpi, from edge to edge, in a folder of no particular name."""
    folder = tmp_path / "from the bin"
    folder.mkdir()
    for number in range(5):
        Image.new("L", (248, 1754), 250).save(folder / f"{number}.png")
    return folder


def test_what_was_found_is_said_before_it_runs(reconstructed, strips, tmp_path, capsys):
    assert run(strips, "-o", tmp_path / "pages.pdf") == 0
    out, err = capsys.readouterr()
    assert out.startswith("Found 5 single shreds.\n")
    assert err.startswith("5 files do not say their resolution: taken as 150 dpi")
    assert {(file.single_shred, file.dpi) for file in reconstructed["paths"]} == {(True, 150.0)}


def test_the_examiner_knows_better_what_a_file_is(reconstructed, strips, tmp_path, capsys):
    assert run(strips, "-o", tmp_path / "pages.pdf", "--each-file", "sheet", "--dpi", 150) == 0
    assert capsys.readouterr().out.startswith("Found 5 sheets.\n")
    assert {(file.single_shred, file.dpi) for file in reconstructed["paths"]} == {(False, None)}
    assert run(strips, "-o", tmp_path / "pages.pdf", "--each-file", "shred", "--quiet") == 0
    assert "Found" not in capsys.readouterr().out
    assert all(file.single_shred for file in reconstructed["paths"])


@pytest.mark.usefixtures("fake_estimates")
def test_a_hundred_files_without_a_resolution_are_one_sentence(sheet, tmp_path, capsys):
    assert run(sheet, "-o", tmp_path / "pages.pdf") == 0
    told = [line for line in capsys.readouterr().err.splitlines() if "does not say its resolution" in line]
    assert len(told) == 1
    assert "scan 0.png does not say its resolution; taken as 300 dpi" in told[0]
    assert "The same holds for 99 more" in told[0]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--pages", "0"], "n_pages must lie between 1"),
        (["-o", "pages.doc"], "pages.doc"),
        (["-o", "scan 0.png"], "scan 0.png is one of the sheets"),
        (["-o", "link.png"], "link.png is one of the sheets"),
        (["--json", "pages.pdf"], "given for two different results"),
        (["--json", "scan 0.png"], "scan 0.png is one of the sheets"),
    ],
)
def test_wrong_use_is_refused_before_the_work(reconstructed, sheet, tmp_path, monkeypatch, capsys, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    Path("link.png").hardlink_to(sheet)
    assert run(sheet, "-o", "pages.pdf", *arguments) == 2
    assert sentence in capsys.readouterr().err
    assert not reconstructed
    assert sheet.read_bytes() == b"an image"
    assert {path.name for path in tmp_path.iterdir()} == {"scan 0.png", "link.png"}


def test_numbered_pages_never_overwrite_a_sheet(reconstructed, tmp_path, capsys):
    sheet = tmp_path / "pages-02.png"
    sheet.write_bytes(b"an image")
    assert run(sheet, "-o", tmp_path / "pages.png") == 2
    assert "is one of the sheets" in capsys.readouterr().err
    assert reconstructed
    assert [path.name for path in tmp_path.iterdir()] == ["pages-02.png"]
    assert sheet.read_bytes() == b"an image"


@pytest.mark.skipif(not os.path.exists(os.devnull) or os.name == "nt", reason="devices have no such names here")
@pytest.mark.parametrize("option", ["-o", "--case", "--json"])
def test_nothing_is_written_in_the_place_of_a_device(reconstructed, sheet, tmp_path, capsys, option):
    others = [] if option == "-o" else ["-o", tmp_path / "pages.pdf"]
    assert run(sheet, *others, option, os.devnull) == 1
    assert "is a device" in capsys.readouterr().err
    assert not reconstructed


def test_a_folder_that_is_not_there_is_named_before_the_work(reconstructed, sheet, tmp_path, capsys):
    assert run(sheet, "-o", tmp_path / "nowhere" / "pages.pdf") == 1
    assert "there is no folder" in capsys.readouterr().err
    assert not reconstructed
