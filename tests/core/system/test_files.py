import json
import os
import subprocess
import sys

import pytest

from core.errors import OutputError
from core.system.files import replacing, write_json
from core.system.host import is_running


def test_a_file_is_replaced_when_the_block_ends_well(tmp_path):
    path = tmp_path / "one.txt"
    path.write_text("old")
    with replacing(path) as new:
        new.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert os.listdir(tmp_path) == ["one.txt"]


def test_a_block_that_fails_leaves_what_stood_there(tmp_path):
    path = tmp_path / "one.txt"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), replacing(path) as new:
        new.write_text(f"half {1 / 0}")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["one.txt"]


def test_the_longest_name_can_be_written(tmp_path):
    path = tmp_path / ("é" * 120 + ".rejoin")
    with replacing(path) as new:
        new.write_text("new")
    assert path.read_text() == "new"


def test_only_what_a_process_that_has_ended_left_of_the_same_file_is_removed(tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert not is_running(ended.pid)
    assert is_running(os.getpid())
    with replacing(tmp_path / "one.txt") as new:
        new.write_text("new")
        prefix = new.name.removesuffix(f"{os.getpid()}.part")
    left = tmp_path / f"{prefix}{ended.pid}.part"
    others = [tmp_path / f"{prefix}{os.getppid()}.part", tmp_path / f"{prefix}notes.part", tmp_path / ".x-1.part"]
    for path in (left, *others):
        path.write_text("half")
    with replacing(tmp_path / "one.txt") as new:
        new.write_text("newer")
    assert not left.exists()
    assert all(path.exists() for path in others)
    with replacing(tmp_path / "two.txt") as new:
        assert not new.name.startswith(prefix)
        new.write_text("new")


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(OutputError, match="there is no folder"), replacing(tmp_path / "nowhere" / "one.txt"):
        pytest.fail("nothing is to be written")


def test_names_that_are_no_text_are_escaped_in_json(tmp_path):
    path = tmp_path / "told.json"
    write_json(path, {"name": "\udce4.png", "text": "ü"})
    assert json.loads(path.read_text(encoding="ascii")) == {"name": "\udce4.png", "text": "ü"}
    with pytest.raises(ValueError, match="JSON compliant"):
        write_json(path, {"cost": float("inf")})
    assert json.loads(path.read_text(encoding="ascii"))["text"] == "ü"
