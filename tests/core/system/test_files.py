import hashlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import pytest

from core.errors import OutputError
from core.progress import Cancelled
from core.system import files
from core.system.files import file_sha256, new_folder, on_disk, replacing, values_sha256, write_json
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


def test_names_that_are_no_text_are_escaped_in_json(tmp_path):
    path = tmp_path / "told.json"
    write_json(path, {"name": "\udce4.png", "text": "ü"})
    assert json.loads(path.read_text(encoding="ascii")) == {"name": "\udce4.png", "text": "ü"}
    with pytest.raises(ValueError, match="JSON compliant"):
        write_json(path, {"cost": float("inf")})
    assert json.loads(path.read_text(encoding="ascii"))["text"] == "ü"


def test_a_file_has_the_hash_of_its_bytes(tmp_path):
    path = tmp_path / "sheet"
    path.write_bytes(b"abc")
    assert file_sha256(path) == hashlib.sha256(b"abc").hexdigest()
    with pytest.raises(FileNotFoundError):
        file_sha256(tmp_path / "missing")


def test_equal_values_have_equal_hashes():
    assert values_sha256({"a": 1, "b": [2]}) == values_sha256({"b": [2], "a": 1})
    assert values_sha256({"a": 1}) == hashlib.sha256(b'{"a":1}').hexdigest()
    assert values_sha256({"a": 1}) != values_sha256({"a": 2})


@dataclass(frozen=True)
class Measured:
    many: np.ndarray
    few: np.ndarray
    more: tuple[np.ndarray | None, ...]


def test_large_arrays_move_to_files_without_a_name(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "cache_folder", lambda: tmp_path / "cache")
    rows = np.random.default_rng(0).random((1000, 400), dtype=np.float32)
    stored = on_disk(Measured(rows, rows[:2], (rows[:, ::-1] > 0.5, rows.T, None)))
    assert [type(array) for array in (stored.many, stored.few)] == [np.memmap, np.ndarray]
    np.testing.assert_array_equal(stored.many, rows)
    assert type(stored.more[0]) is np.ndarray, "less than a megabyte"
    np.testing.assert_array_equal(stored.more[1], rows.T)
    assert stored.more[2] is None
    assert not stored.many.flags.writeable
    assert list((tmp_path / "cache").iterdir()) == []
