import os
import signal
from contextlib import suppress

import pytest

import main
from core.case.file import load
from core.case.lock import CaseLock
from core.cli import watch
from core.cli.watch import Arrivals, pictures
from core.options import Options
from core.pipeline import reconstruct
from core.verification.verify import verify
from tests.core.repeatable import BACKS
from tests.core.test_memory import assert_same
from tests.core.test_pipeline import write_sheet


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "scans").mkdir()
    return tmp_path / "scans"


def once(bench, folder):
    return bench.call("watch", folder, "--once", "--still", "0")


def test_what_lies_in_the_folder_is_one_step_in_the_order_of_names(bench, folder, capsys):
    second, first = write_sheet(folder / "scan10.png", [8]), write_sheet(folder / "scan9.png", [7, None, 6])
    os.utime(second, (1, 1))
    (folder / "notes.txt").write_text("not a picture")
    (folder / "copy of a.png").write_bytes(bench.sheets[0].read_bytes())
    assert once(bench, folder) == 0
    case = load(bench.case_path)
    assert [sheet.name for sheet in case.sheets] == ["a.png", "b.png", "scan9.png", "scan10.png"]
    assert [entry.what for entry in case.history[2:]] == ["sheets added", "saved"]
    assert capsys.readouterr().out == "2 sheets added, with 4 shreds. 1 page from 9 shreds on 4 sheets.\n"
    assert_same(case.costs, reconstruct([*bench.sheets, first, second], Options(), bench.weights).costs)
    assert verify(bench.case_path, bench.weights).holds
    before = bench.case_path.read_bytes()
    assert once(bench, folder) == 0
    assert bench.case_path.read_bytes() == before


def test_a_case_that_is_not_there_is_made(bench, folder):
    for sheet in bench.sheets:
        (folder / sheet.name).write_bytes(sheet.read_bytes())
    bench.case_path = bench.case_path.with_name("new.rejoin")
    assert once(bench, folder) == 0
    case = load(bench.case_path)
    assert [entry.what for entry in case.history] == ["reconstructed", "saved"]
    assert case.arrangement.pages == bench.case.arrangement.pages
    assert verify(bench.case_path, bench.weights).holds


def test_what_does_not_fit_of_faces_is_said_once(two_faced_bench, folder, capsys):
    write_sheet(folder / "a back.png", BACKS["a back"])
    assert once(two_faced_bench, folder) == 0
    out, err = capsys.readouterr()
    assert "3 of them scanned on both faces" in out
    assert "No shred on these sheets was found on another sheet from behind: sheet 2 (b.png).\n" in err
    write_sheet(folder / "b back.png", BACKS["b back"])
    assert once(two_faced_bench, folder) == 0
    assert "sheet 2" not in capsys.readouterr().err


def test_what_cannot_be_read_is_said_and_the_others_are_added(bench, folder, capsys):
    (folder / "broken.png").write_bytes(b"\x89PNG broken")
    assert once(bench, folder) == 3
    assert "broken.png" in capsys.readouterr().err
    write_sheet(folder / "c.png", [6])
    assert once(bench, folder) == 0
    case = load(bench.case_path)
    assert case.sheets[-1].name == "c.png"
    assert ["broken.png" in note for note in case.unreadable] == [True]


class Scanner:
    """Stands in the place of the clock: at every look at the folder something may have come."""

    def __init__(self, monkeypatch, *events):
        self.events = list(events)
        monkeypatch.setattr(watch.time, "sleep", self.sleep)

    def sleep(self, _seconds):
        if not self.events:
            raise KeyboardInterrupt
        self.events.pop(0)()


def test_it_goes_on_until_ctrl_c_and_reads_old_borders_once(bench, folder, monkeypatch, capsys):
    loads = []
    monkeypatch.setattr("core.case.file.load", lambda *given, load=load: loads.append(given) or load(*given))
    Scanner(
        monkeypatch,
        lambda: write_sheet(folder / "c.png", [7, None, 6]),
        lambda: write_sheet(folder / "d.png", [8]),
        lambda: None,
    )
    assert bench.call("watch", folder, "--still", "0") == 130
    out, err = capsys.readouterr()
    assert out.splitlines()[1:] == [
        "1 sheet added, with 3 shreds. 1 page from 8 shreds on 3 sheets.",
        "1 sheet added, with 1 shred. 1 page from 9 shreds on 4 sheets.",
    ]
    assert err == "Cancelled. No file was left half-written.\n"
    assert len(loads) == 1, "the case stays in memory while nobody else changes it"
    assert [entry.what for entry in load(bench.case_path).history].count("sheets added") == 2


@pytest.fixture
def heeding_ctrl_c():
    """Hear SIGINT, which is ignored in what a shell runs in its background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeding_ctrl_c")
def test_a_ctrl_c_that_python_swallows_is_not_lost(bench, folder, monkeypatch):
    def swallowed():
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)

    scanner = Scanner(monkeypatch, swallowed, lambda: write_sheet(folder / "c.png", [6]))
    assert bench.call("watch", folder, "--still", "0") == 130
    assert len(scanner.events) == 1, "it ended at once"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_what_the_window_saved_meanwhile_is_read_again(bench, folder, monkeypatch):
    from core.arrangement.edits import WriteNote

    def work_in_the_window():
        bench.case = load(bench.case_path)
        bench.edit(WriteNote("2-01", "torn"))
        bench.save()

    Scanner(
        monkeypatch,
        lambda: write_sheet(folder / "c.png", [6]),
        work_in_the_window,
        lambda: write_sheet(folder / "d.png", [7]),
    )
    assert bench.call("watch", folder, "--still", "0") == 130
    case = load(bench.case_path)
    assert case.arrangement.notes == {"2-01": "torn"}
    assert [sheet.name for sheet in case.sheets[2:]] == ["c.png", "d.png"]


def test_sheets_wait_while_a_window_has_the_case(bench, folder, monkeypatch, capsys):
    window = CaseLock(bench.case_path)
    Scanner(
        monkeypatch,
        lambda: write_sheet(folder / "c.png", [6]),
        lambda: None,
        window.release,
        lambda: None,
    )
    assert bench.call("watch", folder, "--still", "0") == 130
    out, err = capsys.readouterr()
    assert err.count("1 file waiting.") == 1
    assert "1 sheet added" in out


def test_blank_sheets_wait_for_those_with_print(bench, folder, monkeypatch):
    bench.case_path = bench.case_path.with_name("new.rejoin")
    Scanner(
        monkeypatch,
        lambda: write_sheet(folder / "blank.png", [None, None]),
        lambda: write_sheet(folder / "printed.png", [1, 2]),
    )
    assert bench.call("watch", folder, "--still", "0") == 130
    assert [sheet.name for sheet in load(bench.case_path).sheets] == ["blank.png", "printed.png"]


def test_a_step_begins_when_everything_has_come_to_rest(folder):
    arrivals, growing = Arrivals(still_s=5.0), folder / "a.png"
    growing.write_bytes(b"\x89PNG")
    assert not arrivals.complete(pictures(folder), 100.0)
    growing.write_bytes(b"\x89PNG and more")
    assert not arrivals.complete(pictures(folder), 104.0)
    (folder / "b.png").write_bytes(b"\x89PNG")
    assert not arrivals.complete(pictures(folder), 106.0)
    assert not arrivals.complete(pictures(folder), 109.5), "a.png is at rest, b.png is not yet"
    assert arrivals.complete(pictures(folder), 111.0)
    assert [file.path.name for file in arrivals.new(pictures(folder))] == ["a.png", "b.png"]
    assert arrivals.new(pictures(folder)) == []
    growing.write_bytes(b"\x89PNG once more, scanned again")
    assert not arrivals.complete(pictures(folder), 112.0)
    assert arrivals.complete(pictures(folder), 117.0)
    assert [file.path.name for file in arrivals.new(pictures(folder))] == ["a.png"]


def test_wrong_use_is_refused(bench, folder, capsys):
    assert bench.call("watch", folder / "gone") == 2
    assert bench.call("watch", folder, "--every", "0") == 2
    with pytest.raises(SystemExit, match="0"):
        main.main(["watch", "--help"])
    assert "130 ended with Ctrl+C" in capsys.readouterr().out
