"""Two windows on one case: the second one is told, in a sentence, with a choice."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.widgets import messages
from core.arrangement.edits import HalfTurn
from core.case.file import load
from core.case.lock import CaseLock
from core.system.host import host_name

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def saved(qtbot, opened, tmp_path):
    """A case that was saved, and is no longer open."""
    path = tmp_path / "matter.rejoin"
    with qtbot.waitSignal(opened.session.document.saved):
        opened.session.writer.save(path)
    opened.session.reader.open(tuple(sheet.path for sheet in opened.session.document.case.sheets))
    qtbot.waitUntil(lambda: not opened.session.jobs.busy)
    return path


@pytest.fixture
def asked(monkeypatch):
    """What was asked about another window; answered "copy" unless told otherwise."""
    asked, answers = [], []

    def ask(parent, told, stale):
        asked.append((told, stale))
        return answers.pop(0) if answers else "copy"

    monkeypatch.setattr(messages, "ask_about_other", ask)
    asked_and_answers = asked, answers
    return asked_and_answers


def holder_of(path):
    """Tell who has a case open, as a window would ask."""
    lock = CaseLock(path)
    lock.release()
    return lock.holder


def until_open(qtbot, window):
    qtbot.waitUntil(lambda: window.session.document.case is not None and not window.session.jobs.busy)


def test_a_case_is_held_while_it_is_open(qtbot, opened, saved, draw_sheet):
    assert holder_of(saved) is None, "it was let go when something else was opened"
    opened.opener.open([saved])
    until_open(qtbot, opened)
    assert holder_of(saved) is not None
    opened.opener.open([saved])
    until_open(qtbot, opened)
    assert opened.session.document.case_path == saved, "it is this window's own"
    opened.close()
    assert holder_of(saved) is None
    assert list(saved.parent.glob(".*.lock")) == []


def test_a_case_is_held_from_saving_on(qtbot, opened, tmp_path):
    path = tmp_path / "matter.rejoin"
    with qtbot.waitSignal(opened.session.document.saved):
        opened.session.writer.save(path)
    assert holder_of(path) is not None


def test_the_second_window_opens_a_copy(qtbot, opened, saved, asked, tmp_path, monkeypatch):
    first = CaseLock(saved)
    before = saved.read_bytes()
    opened.opener.open([saved])
    until_open(qtbot, opened)
    (told, stale), *_ = asked[0]
    assert told.startswith("matter.rejoin is open in another window: by ")
    assert not stale
    assert opened.windowTitle() == "matter.rejoin (copy)[*] – Rejoin"
    proposed = []

    def choose(parent, path):
        proposed.append(path)
        return tmp_path / "mine.rejoin"

    monkeypatch.setattr(messages, "choose_case", choose)
    opened.session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    with qtbot.waitSignal(opened.session.document.saved):
        opened.commands.save.trigger()
    assert proposed == [tmp_path / "matter copy.rejoin"]
    assert saved.read_bytes() == before
    assert load(tmp_path / "mine.rejoin").arrangement.half_turned == {"1-02"}
    assert opened.windowTitle() == "mine.rejoin[*] – Rejoin"
    first.release()


def test_the_second_window_can_leave_it(qtbot, opened, saved, asked):
    first = CaseLock(saved)
    asked[1].append("cancel")
    before = opened.session.document.opened
    opened.opener.open([saved])
    assert opened.session.document.opened is before
    first.release()
    opened.opener.open([saved])
    until_open(qtbot, opened)
    assert len(asked[0]) == 1
    assert opened.session.document.case_path == saved


def test_nobody_saves_to_a_case_that_is_open_elsewhere(qtbot, opened, saved, monkeypatch):
    first, before = CaseLock(saved), saved.read_bytes()
    monkeypatch.setattr(messages, "choose_case", lambda parent, path: saved)
    opened.commands.save_as.trigger()
    assert not opened.session.jobs.busy
    assert opened.notices.text.startswith("matter.rejoin is open in another window")
    assert opened.notices.text.endswith("Choose another file.")
    assert saved.read_bytes() == before
    first.release()
    with qtbot.waitSignal(opened.session.document.saved):
        opened.commands.save_as.trigger()
    assert opened.session.document.case_path == saved


HOLD = """
import sys, time
from pathlib import Path
from core.case.lock import CaseLock
lock = CaseLock(Path(sys.argv[1]))
print(lock.holder, flush=True)
time.sleep(600)
"""


def test_what_a_killed_window_held_is_free(qtbot, opened, saved, asked):
    program = subprocess.Popen([sys.executable, "-c", HOLD, saved], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert program.stdout.readline() == "None\n"
    opened.opener.open([saved])
    assert len(asked[0]) == 1, "while it lives"
    until_open(qtbot, opened)
    program.send_signal(signal.SIGKILL)
    program.communicate(timeout=240)
    opened.opener.open([saved])
    until_open(qtbot, opened)
    assert len(asked[0]) == 1
    assert opened.session.document.case_path == saved


def test_a_lock_of_another_computer_may_be_stale(qtbot, opened, saved, asked):
    lock = CaseLock(saved)
    file = lock._held[1]
    lock.release()
    told = {"who": "ada", "host": "far away", "pid": 1, "since": "2026-11-28T09:55:01Z"}
    file.write_text(json.dumps(told))
    asked[1].append("anyway")
    opened.opener.open([saved])
    until_open(qtbot, opened)
    (text, stale), *_ = asked[0]
    assert "by ada on far away, since " in text
    assert stale
    assert opened.session.document.case_path == saved
    assert holder_of(saved).host == host_name()
