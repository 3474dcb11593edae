"""Saving is killed, runs out of room, or is not allowed: what is on the disk afterwards is the old case or the new one.

A helper process imports once and forks, so that a death costs milliseconds. It answers each line of JSON with one.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from core.arrangement.edits import WriteNote
from core.case.file import load, save

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")

ROOT = Path(__file__).parents[2]
HELPER = """
import json, os, resource, signal, sys, time
from dataclasses import replace
from pathlib import Path

from core.case.file import load, save
from core.errors import OutputError

CALLS = {"write", "flush", "close", "fsync", "replace", "open", "unlink", "writestr", "seek"}

count = 0

def kill_at(number):
    def watch(frame, event, argument):
        global count
        if event == "c_call" and argument.__name__ in CALLS:
            count += 1
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.setprofile(watch)

def child(order, path, ready):
    # Loaded here, not before the fork: threads of the helper would hold locks of libraries as they end.
    case = load(Path(order["case"]))
    os.write(ready, b".")
    if "kill_at" in order:
        kill_at(order["kill_at"])
    if "at_most_bytes" in order:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (order["at_most_bytes"], resource.RLIM_INFINITY))
    if "as_user" in order and os.getuid() == 0:
        os.setuid(order["as_user"])
    try:
        while True:
            save(case, path)
            if "over_and_over" not in order:
                sys.setprofile(None)
                Path(order["said"]).write_text(str(count))
                return 0
    except OutputError as error:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        Path(order["said"]).write_text(str(error))
        return 7

for line in sys.stdin:
    order = json.loads(line)
    path = Path(order["path"])
    waiting, ready = os.pipe()
    pid = os.fork()
    if pid == 0:
        os._exit(child(order, path, ready))
    os.close(ready)
    os.read(waiting, 1)
    os.close(waiting)
    if "kill_after_s" in order:
        time.sleep(order["kill_after_s"])
        os.kill(pid, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    print(json.dumps({"code": code}), flush=True)
"""


@pytest.fixture(scope="module")
def helper():
    command = [sys.executable, "-c", HELPER]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:

        def ask(path, case, **order):
            order |= {"path": path, "case": case, "said": case.with_name("said")}
            process.stdin.write(
                json.dumps({name: str(v) if isinstance(v, Path) else v for name, v in order.items()}) + "\n"
            )
            process.stdin.flush()
            return json.loads(process.stdout.readline())["code"]

        yield ask
        process.stdin.close()


@pytest.fixture
def cases(small_case, tmp_path):
    """Write the case that stands there, and a new one elsewhere; give the paths."""
    noted, _ = WriteNote("", "new").apply(small_case.arrangement)
    save(small_case, tmp_path / "one.rejoin")
    (tmp_path / "new").mkdir()
    save(replace(small_case, arrangement=noted), tmp_path / "new" / "new.rejoin")
    return tmp_path / "one.rejoin", tmp_path / "new" / "new.rejoin"


def note_of(path):
    """Load the case, which is whole; say whether it is the new one."""
    return load(path).arrangement.notes.get("", "old")


def said(case):
    """Read what the helper had to say of a save."""
    return case.with_name("said").read_text()


def parts_beside(path):
    return list(path.parent.glob(".*.part"))


@pytest.mark.slow
def test_killed_at_every_call_that_writes_a_save_leaves_the_old_or_the_new_case(helper, cases):
    path, new = cases
    old = path.read_bytes()
    assert helper(path, new, kill_at=0) == 0
    n_calls = int(said(new))
    points = sorted({*range(1, n_calls, max(1, n_calls // 40)), *range(n_calls - 15, n_calls + 1)})
    seen, left_over = [], 0
    for number in points:
        path.write_bytes(old)
        assert helper(path, new, kill_at=number) == -9
        seen.append(note_of(path))
        left_over += bool(parts_beside(path))
    assert left_over > 30, "most of them while the new file was being written"
    assert seen == sorted(seen, reverse=True), "the old case up to one call, the new one from there on"
    assert set(seen) == {"old", "new"}
    assert helper(path, new) == 0
    assert note_of(path) == "new"
    assert parts_beside(path) == [], "what killed saves left behind is gone after the next one"


@pytest.mark.slow
def test_killed_at_any_time_a_save_leaves_a_whole_case(helper, cases):
    path, new = cases
    rng = random.Random(0)
    for _ in range(20):
        assert helper(path, new, over_and_over=1, kill_after_s=rng.uniform(0.001, 0.15)) == -9
        assert note_of(path) in ("old", "new")
    save(load(new), path)
    assert parts_beside(path) == []


def test_without_room_what_stood_there_still_stands_there(helper, cases):
    path, new = cases
    old = path.read_bytes()
    assert helper(path, new) == 0
    size = path.stat().st_size
    path.write_bytes(old)
    for at_most in (0, 1, 100, size // 3, size // 2, size - 200, size - 1):
        assert helper(path, new, at_most_bytes=at_most) == 7
        assert "one.rejoin could not be written: File too large" in said(new)
        assert path.read_bytes() == old
        assert parts_beside(path) == []
    assert helper(path, new, at_most_bytes=size) == 0
    assert note_of(path) == "new"


def test_on_a_full_disk_what_stood_there_still_stands_there(cases):
    """Mount a small disk in a name space of one's own, where the system lets one."""
    _, new = cases
    script = f"""
import errno, os, sys
from dataclasses import replace
from pathlib import Path
from core.case.file import load, save
from core.errors import OutputError
case = load(Path({str(new)!r}))
path = Path(sys.argv[1]) / "one.rejoin"
save(replace(case, history=()), path)
before = path.read_bytes()
(path.parent / "rest").write_bytes(b"x" * (len(before) // 2))
try:
    save(case, path)
except OutputError as error:
    assert "No space left on device" in str(error), error
    assert path.read_bytes() == before
    assert sorted(os.listdir(path.parent)) == ["one.rejoin", "rest"]
    print("full")
"""
    kilobytes = 2 * new.stat().st_size // 1024
    with tempfile.TemporaryDirectory() as folder:
        command = f'mount -t tmpfs -o size={kilobytes}k tmpfs {folder} && exec {sys.executable} -c "$SCRIPT" {folder}'
        done = subprocess.run(
            ["unshare", "-rm", "sh", "-c", command],
            env=os.environ | {"SCRIPT": script, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    if "mount" in done.stderr or "unshare" in done.stderr:
        pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")
    assert done.stdout == "full\n", done.stderr


def test_in_a_folder_that_is_read_only_nothing_is_written(helper, cases):
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as open_to_all:
        os.chmod(open_to_all, 0o777)
        new = Path(open_to_all, "new.rejoin")
        new.write_bytes(cases[1].read_bytes())
        path = Path(folder, "one.rejoin")
        path.write_bytes(new.read_bytes())
        os.chmod(folder, 0o555)
        assert helper(path, new, as_user=65534) == 7
        assert "one.rejoin could not be written: Permission denied" in said(new)
        assert os.listdir(folder) == ["one.rejoin"]
        os.chmod(folder, 0o755)
