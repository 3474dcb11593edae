import ast
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.files import Restorer
from app.main_window import MainWindow
from app.session.safety.autosave import Autosave, UnsavedState
from app.session.session import Session
from core.arrangement.edits import HalfTurn, MoveShreds
from core.case.file import load

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def autosave(session, tmp_path):
    autosave = Autosave(session, tmp_path / "unsaved")
    autosave._begin()  # the case was open before
    return autosave


def states(tmp_path):
    return list(tmp_path.glob("unsaved/*/state.json"))


def until_kept(qtbot, tmp_path, arrangement):
    """Wait until the arrangement has been written."""

    def kept():
        sessions = [UnsavedState.read(path.parent) for path in states(tmp_path)]
        return any(unsaved is not None and unsaved.arrangement.pages == arrangement.pages for unsaved in sessions)

    qtbot.waitUntil(kept)


def test_changes_are_kept_while_they_are_unsaved(qtbot, session, autosave, tmp_path):
    assert not (tmp_path / "unsaved").exists(), "nothing is written before there is a change"
    session.editor.edit(MoveShreds(("1-01",), 0, 6), "move")
    until_kept(qtbot, tmp_path, session.document.case.arrangement)
    base = states(tmp_path)[0].with_name("case.rejoin")
    qtbot.waitUntil(base.is_file)
    assert load(base).arrangement.pages[0][0] == "1-01", "as it was before the change"
    session.editor.undo()
    qtbot.waitUntil(lambda: not states(tmp_path))
    session.editor.redo()
    until_kept(qtbot, tmp_path, session.document.case.arrangement)
    with qtbot.waitSignal(session.document.saved):
        session.writer.save(tmp_path / "matter.rejoin")
    qtbot.waitUntil(lambda: not states(tmp_path))


def test_changes_of_a_saved_case_need_no_copy_of_it(qtbot, session, autosave, tmp_path):
    path = tmp_path / "matter.rejoin"
    with qtbot.waitSignal(session.document.saved):
        session.writer.save(path)
    session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    until_kept(qtbot, tmp_path, session.document.case.arrangement)
    unsaved = UnsavedState.read(states(tmp_path)[0].parent)
    assert unsaved.base == path
    assert unsaved.paths == (path,)
    assert not list(tmp_path.glob("unsaved/*/case.rejoin"))


def test_nothing_is_left_behind_at_a_regular_end(qtbot, session, autosave, tmp_path):
    session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    until_kept(qtbot, tmp_path, session.document.case.arrangement)
    session.document.discard_changes()
    qtbot.waitUntil(lambda: len(session.jobs) == 0)
    autosave.finish()
    assert list((tmp_path / "unsaved").iterdir()) == []


def test_another_window_does_not_take_what_is_in_use(qtbot, session, autosave, tmp_path):
    session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    until_kept(qtbot, tmp_path, session.document.case.arrangement)
    other = Autosave(Session(), tmp_path / "unsaved")
    assert other.left_behind() is None
    assert states(tmp_path)


def test_a_spoilt_state_is_no_reason_not_to_start(session, autosave, tmp_path):
    folder = tmp_path / "unsaved" / "spoilt"
    folder.mkdir(parents=True)
    (folder / "state.json").write_text("{not json")
    (tmp_path / "unsaved" / "empty").mkdir()
    assert autosave.left_behind() is None
    assert [path.name for path in (tmp_path / "unsaved").iterdir()] == ["spoilt"]


def test_a_folder_that_cannot_be_written_stops_nothing(qtbot, session, tmp_path, caplog):
    (tmp_path / "file").write_text("in the way")
    autosave = Autosave(session, tmp_path / "file")
    session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    qtbot.waitUntil(lambda: "cannot be kept" in caplog.text)
    assert autosave.left_behind() is None


PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from app import application
from app.session.engine import Engine
from app.main_window import MainWindow
from core.arrangement.edits import MoveShreds
from core.case.history import check_chain
from tests.app.fakes import FakeEngine

class BothEngine(FakeEngine):
    def reconstruct(self, paths, on_sheet, progress, options, mends=None):
        by = Engine if paths[0].suffix == ".rejoin" else FakeEngine
        return by.reconstruct(self, paths, on_sheet, progress)

def window():
    return next(w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow))

edits = []
def step():
    session = window().session
    if session.document.case is None or session.jobs.busy:
        return
    if {edit}:
        session.editor.edit(MoveShreds((session.document.case.arrangement.pages[0][0],), 0, 6), "move")
        edits.append(1)
        print("edit", len(edits), session.document.case.arrangement.pages, flush=True)
    elif window().notices.text.startswith("Restored"):
        print(window().notices.text)
        print("pages", session.document.case.arrangement.pages)
        check_chain(session.document.case.history)
        print("history", [entry.what for entry in session.document.case.history])
        window().notices.more_button.click()
        print("discarded", session.document.case.arrangement.pages)
        entry = session.document.case.history[-1]
        print(entry.what, dict(entry.parameters), entry.result_sha256 == session.document.case.history[0].result_sha256)
        session.document.discard_changes()
        window().close()

run = QApplication.exec
def run_with_steps(*_):
    timer = QTimer()
    timer.timeout.connect(step)
    timer.start(100)
    return run()
QApplication.exec = run_with_steps
print("code", application.run([Path(path) for path in sys.argv[1:]], BothEngine()))
"""


@pytest.fixture
def start():
    """Start programs; those that have not ended by then are killed after the test."""
    programs = []

    def begin(home: Path, edit: bool, *paths: Path) -> subprocess.Popen:
        programs.append(_start(home, edit, paths))
        return programs[-1]

    yield begin
    for program in programs:
        program.kill()
        program.communicate()


def _start(home: Path, edit: bool, paths: tuple[Path, ...]) -> subprocess.Popen:
    environment = os.environ | {
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_DATA_HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "XDG_STATE_HOME": str(home),
        "PYTHONPATH": str(ROOT),
    }
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(edit=edit), *map(str, paths)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=ROOT,
    )


@pytest.mark.slow
def test_what_a_killed_program_saved_comes_back(draw_sheet, tmp_path, start):
    """Killed in the middle of editing, the next start shows one of the edits; which one depends on the machine."""
    home = tmp_path / "home"
    program = start(home, True, draw_sheet("a.png"), draw_sheet("b.png"))
    told = []

    def kept():
        return list(home.glob("**/unsaved/*/case.rejoin")) and list(home.glob("**/unsaved/*/state.json"))

    for line in program.stdout:
        told.append(line.strip().split(" ", 2)[2])
        if len(told) >= 25 and kept():
            program.send_signal(signal.SIGKILL)
    _, err = program.communicate(timeout=240)
    assert program.returncode == -signal.SIGKILL, err
    assert kept()
    program = start(home, False)
    out, err = program.communicate(timeout=240)
    lines = out.splitlines()
    assert lines[0].startswith("Restored: changes up to"), err
    n_edits = told.index(lines[1].removeprefix("pages ")) + 1
    # The order comes back every six moves: which of them it was, the history tells.
    kinds = ast.literal_eval(lines[2].removeprefix("history "))
    assert kinds == ["reconstructed", *["edited"] * (len(kinds) - 2), "restored"]
    assert (len(kinds) - 2) % 6 == n_edits % 6
    assert lines[3] == "discarded (('1-01', '1-02', '1-03', '2-01', '2-02', '2-03'),)"
    assert lines[4] == "undone {'to': 1} True"
    assert lines[-1] == "code 0", out + err
    assert not list(home.glob("**/unsaved/*"))


def test_changes_are_offered_where_something_else_is_opened(qtbot, opened, tmp_path, engine):
    autosave = Autosave(opened.session, tmp_path / "unsaved")
    autosave._begin()
    folder = tmp_path / "unsaved" / "left"
    folder.mkdir(parents=True)
    opened.session.editor.edit(MoveShreds(("1-01",), 0, 6), "move")
    until_kept(qtbot, tmp_path, opened.session.document.case.arrangement)
    (folder / "state.json").write_bytes(states(tmp_path)[0].read_bytes())
    changed = opened.session.document.case.arrangement
    opened.session.editor.undo()
    unsaved = autosave.left_behind()
    assert unsaved.base is None, "then the sheets are read anew"
    window: MainWindow = opened
    restorer = Restorer(window.shell, window.saver, autosave)
    restorer._look()
    qtbot.waitUntil(window.notices.isVisible)
    assert "newer changes" in window.notices.text
    runs = len(engine.runs)
    window.notices.more_button.click()
    qtbot.waitUntil(lambda: window.session.document.undo_stack.index() == 1)
    assert engine.runs[runs:] == [unsaved.paths]
    assert window.session.document.case.arrangement == changed
    assert window.notices.text.startswith("Restored")
    window.notices.more_button.click()
    assert window.session.document.case.arrangement.pages[0][0] == "1-01"
