import faulthandler
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

import core
from core.system import logs, places
from core.system.logs import without_chatter
from core.system.versions import details


@pytest.fixture
def log(monkeypatch, tmp_path):
    """The place of the log; handlers are as they were afterwards."""
    place = tmp_path / "state" / "rejoin.log"
    monkeypatch.setattr(places, "log_file", lambda: place)
    monkeypatch.setattr(logging, "raiseExceptions", True)
    monkeypatch.setattr(logs, "_recent", logs._Recent())
    monkeypatch.setattr(faulthandler, "enable", lambda file: file.close())
    root = logging.getLogger()
    before = list(root.handlers)
    yield place
    for handler in set(root.handlers) - set(before):
        root.removeHandler(handler)
        handler.close()


def test_a_line_for_each_step_of_ours_and_for_warnings_of_others(log):
    assert logs.start() == log == logs.start()
    logging.getLogger("core.pipeline").info("47 shreds")
    logging.getLogger("PIL").info("chatter")
    logging.getLogger("PIL").warning("odd picture")
    started, ours, theirs = log.read_text(encoding="utf-8").splitlines()
    assert "INFO core.system.logs: Rejoin" in started
    assert ours.endswith("INFO core.pipeline: 47 shreds")
    assert theirs.endswith("WARNING PIL: odd picture")


def test_the_file_is_rotated(log, monkeypatch):
    monkeypatch.setattr(logs, "MAX_BYTES", 500)
    logs.start()
    for number in range(100):
        logging.getLogger("core").info("line %d", number)
    files = sorted(log.parent.glob("rejoin.log*"))
    assert [file.name for file in files] == ["rejoin.log", "rejoin.log.1", "rejoin.log.2", "rejoin.log.3"]
    assert all(file.stat().st_size <= 500 for file in files)
    assert "line 99" in log.read_text(encoding="utf-8")


def test_what_crashes_wrote_is_rotated_too(log, monkeypatch):
    monkeypatch.setattr(logs, "MAX_BYTES", 500)
    log.parent.mkdir(parents=True)
    crashes = log.with_name("crashes.log")
    crashes.write_text("x" * 501)
    logs.start()
    assert crashes.read_text() == ""
    assert crashes.with_name("crashes.log.1").read_text() == "x" * 501


@pytest.mark.skipif(sys.platform != "linux", reason="the folders of the XDG specification")
def test_when_a_library_ends_the_process_the_place_is_written_down(tmp_path):
    code = "import os; from core.system import logs; logs.start(); os.abort()"
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode != 0
    told = (tmp_path / "Rejoin/log/crashes.log").read_text(encoding="utf-8")
    assert "Fatal Python error: Aborted" in told
    assert '"<string>", line 1' in told


def test_where_no_file_can_be_written_the_lines_are_kept_for_a_report(log, capsys):
    log.parent.write_text("no folder can be made in a file")
    assert logs.start() is None
    assert "No log file is written" in capsys.readouterr().err
    logging.getLogger("core").error("what happened", exc_info=ValueError("why"))
    assert logs.recent().endswith("ERROR core: what happened")


def test_a_full_disk_does_not_fill_the_terminal(log, capsys, monkeypatch):
    logs.start()
    handler = logging.getLogger().handlers[-1]
    monkeypatch.setattr(
        handler.stream, "write", lambda _: (_ for _ in ()).throw(OSError("No space left")), raising=False
    )
    logging.getLogger("core").info("lost")
    assert capsys.readouterr().err == ""


def test_details_tell_versions_the_place_and_the_last_lines_but_not_whose_computer_it_is(log, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    logs.start()
    logging.getLogger("core").info("read %s", tmp_path / "scan.png")
    try:
        try:
            raise OSError(f"{tmp_path}/scan.png is gone")
        except OSError as error:
            raise ValueError("no shreds") from error
    except ValueError as error:
        told = details(error)
    for part in ("Rejoin 0.", "numpy 2.", "python 3.", "ValueError: no shreds", "OSError: ~/scan.png is gone"):
        assert part in told
    assert f"read ~{log.anchor}scan.png" in told
    assert str(tmp_path) not in told
    assert Path(__file__).name in told


CHATTERING = """
import os, sys
from core.system.logs import without_chatter
with without_chatter():
    os.write(2, b"WARNING: All log messages before absl::InitializeLog() is called are written to STDERR\\n")
    os.write(2, b"I0000 00:00:1795829483.650334   10555 port.cc:153] oneDNN custom operations are on.\\n")
    os.write(2, b"E0000 00:00:1795829429.677891   10326 cuda_platform.cc:52] failed call to cuInit: UNKNOWN\\n")
    os.write(2, b"libpng error: IDAT: invalid distance code\\n[ WARN:2@32.496] global grfmt_png.cpp:834 too large\\n")
    os.write(2, b"E0000 00:00:1795829429.677891   10326 other.cc:52] the disk is on fire\\n")
    os.write(2, b"an unfinished line")
    print("python's own", file=sys.stderr)
print("I0000 00:00:00 after", file=sys.stderr)
"""


def test_only_information_is_dropped():
    root = Path(core.__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", CHATTERING], cwd=root, capture_output=True, text=True, check=True)
    assert sorted(done.stderr.splitlines()) == sorted(
        [
            "python's own",
            "E0000 00:00:1795829429.677891   10326 other.cc:52] the disk is on fire",
            "an unfinished lineI0000 00:00:00 after",
        ]
    )


def test_standard_error_is_given_back(capfd):
    before = os.fstat(2)
    with without_chatter():
        assert os.fstat(2).st_ino != before.st_ino
    assert os.fstat(2).st_ino == before.st_ino
    os.write(2, b"I0000 00:00:00 after\n")
    assert capfd.readouterr().err == "I0000 00:00:00 after\n"
