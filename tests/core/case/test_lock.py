import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.case import lock
from core.case.lock import CaseLock

ROOT = Path(__file__).parents[3]
HOLDS = """
import sys
from pathlib import Path
from core.case.lock import CaseLock
lock = CaseLock(Path(sys.argv[1]))
print(lock.holder, flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def state(monkeypatch, tmp_path):
    """Keep the user's own folder out of it."""
    monkeypatch.setattr(lock, "locks_folder", lambda: tmp_path / "state")
    return tmp_path / "state"


@pytest.fixture
def case(tmp_path):
    (tmp_path / "cases").mkdir()
    return tmp_path / "cases" / "one.rejoin"


def test_the_second_is_told_until_the_first_lets_go(case):
    first = CaseLock(case)
    assert first.holder is None
    second = CaseLock(case)
    assert (second.holder.pid, second.holder.host) == (os.getpid(), lock.host_name())
    second.release()
    assert CaseLock(case).holder is not None, "who never had it cannot let it go"
    first.release()
    first.release()
    assert os.listdir(case.parent) == []
    third = CaseLock(case)
    assert third.holder is None
    third.release()


def test_other_cases_are_others(case):
    first, second = CaseLock(case), CaseLock(case.with_name("two.rejoin"))
    assert second.holder is None
    first.release()
    second.release()


def test_a_link_to_the_case_is_the_case(case):
    case.write_bytes(b"")
    case.with_name("link.rejoin").symlink_to(case)
    first = CaseLock(case)
    assert CaseLock(case.with_name("link.rejoin")).holder is not None
    first.release()


def test_what_a_killed_process_leaves_behind_counts_for_nothing(case):
    command = [sys.executable, "-c", HOLDS, str(case)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)}
    )
    with process:
        assert process.stdout.readline() == "None\n"
        told = CaseLock(case).holder
        assert told.pid == process.pid
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=600)
    assert len(os.listdir(case.parent)) == 1, "it could not clean up"
    lock = CaseLock(case)
    assert lock.holder is None
    lock.release()
    assert os.listdir(case.parent) == []


def test_of_another_computer_is_told_once(case):
    lock = CaseLock(case)
    (file,) = case.parent.iterdir()
    data = json.loads(file.read_text())
    lock.release()
    file.write_text(json.dumps(data | {"host": "elsewhere", "pid": 7, "who": "grace"}))
    first = CaseLock(case)
    assert (first.holder.host, first.holder.who) == ("elsewhere", "grace")
    first.release()
    assert CaseLock(case).holder is None


@pytest.mark.parametrize("text", ["", "{}", "no JSON", '{"who": 1}', "[" * 3000])
def test_a_file_that_tells_nothing_keeps_nobody_out(case, text):
    lock = CaseLock(case)
    (file,) = case.parent.iterdir()
    lock.release()
    file.write_text(text)
    again = CaseLock(case)
    assert again.holder is None
    again.release()


def test_where_nothing_can_be_written_the_users_folder_tells(case, state, monkeypatch):
    real = os.open

    def read_only(path, *given):
        if Path(path).parent == case.parent:
            raise PermissionError(13, "Permission denied")
        return real(path, *given)

    monkeypatch.setattr(os, "open", read_only)
    first = CaseLock(case)
    assert len(os.listdir(state)) == 1
    assert CaseLock(case).holder is not None
    first.release()
    assert os.listdir(state) == []


def test_where_nothing_can_be_written_at_all_the_case_can_be_opened(case, monkeypatch):
    def read_only(*_given):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", read_only)
    lock = CaseLock(case)
    assert lock.holder is None
    lock.release()


def test_a_folder_that_is_not_there_is_not_made(tmp_path):
    lock = CaseLock(tmp_path / "nowhere" / "matter.rejoin")
    assert lock.holder is None
    assert not (tmp_path / "nowhere").exists()
    lock.release()
