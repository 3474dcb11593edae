import os
import subprocess
import sys

import pytest

from core.errors import OutputError
from core.progress import Cancelled
from core.system.files import new_folder


def test_a_folder_appears_whole_in_the_place_of_an_empty_one(tmp_path):
    (tmp_path / "out").mkdir()
    with new_folder(tmp_path / "out") as new:
        (new / "a.txt").write_text("a")
        assert not list((tmp_path / "out").iterdir())
    assert (tmp_path / "out" / "a.txt").read_text() == "a"
    assert os.listdir(tmp_path) == ["out"]


def write_and_fail(folder, failure):
    with new_folder(folder) as new:
        (new / "a.txt").write_text("a")
        raise failure


def test_after_a_failure_nothing_is_left(tmp_path):
    with pytest.raises(OutputError, match=r"No space left on device\. Nothing was left"):
        write_and_fail(tmp_path / "out", OSError(28, "No space left on device"))
    with pytest.raises(Cancelled):
        write_and_fail(tmp_path / "out", Cancelled())
    assert not os.listdir(tmp_path)


def test_what_is_there_is_not_written_over(tmp_path):
    (tmp_path / "file").write_text("x")
    for target in (tmp_path, tmp_path / "file"):
        with pytest.raises(OutputError, match="there already"), new_folder(target):
            pass
    with pytest.raises(OutputError, match="there is no folder"), new_folder(tmp_path / "nowhere" / "out"):
        pass
    assert os.listdir(tmp_path) == ["file"]


KILLED = """
import os, signal, sys
from pathlib import Path
from core.system.files import new_folder
with new_folder(Path(sys.argv[1])) as new:
    (new / "a.txt").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_process_left_goes_the_next_time(tmp_path):
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "out")], check=False)
    assert len(os.listdir(tmp_path)) == 1
    assert not (tmp_path / "out").exists()
    with new_folder(tmp_path / "out") as new:
        (new / "a.txt").write_text("whole")
    assert os.listdir(tmp_path) == ["out"]
