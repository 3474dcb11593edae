"""A run that is killed anywhere goes on where it was, with the same result; what is kept is never evidence."""

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import main
from core import border_blocks, embedded
from core.memory import Memory
from core.options import Options
from core.pipeline import reconstruct
from core.system.disk_cache import DiskCache
from core.system.places import ROOT, weights_path
from tests.core.drawn_sheets import write_sheets

pytestmark = pytest.mark.slow

KILLED_AT = """
import os, signal, sys
from pathlib import Path
from core import border_blocks, embedded
from core.memory import Memory
from core.options import Options
from core.pipeline import reconstruct
from core.system import disk_cache
from core.system.places import weights_path

folder, stage, number, sheets = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), map(Path, sys.argv[4:])
embedded.BLOCK_SHREDS = 5
done, replace, write = 0, os.replace, disk_cache._write

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def replacing(source, target):
    global done
    done += 1
    if stage == "before" and done == number:
        die()
    replace(source, target)
    if stage == "after" and done == number:
        die()

def writing(file, key, arrays):
    if stage == "half" and done + 1 == number:
        file.write(b"Rejoin cache 1 and no more")
        file.flush()
        die()
    write(file, key, arrays)

os.replace, disk_cache._write = replacing, writing
reconstruct([*sheets], Options(), weights_path(), memory=Memory(disk_cache.DiskCache(folder)))
"""
N_SHEETS, N_BLOCKS = 2, 3


@pytest.fixture(scope="module")
def sheets(tmp_path_factory):
    return write_sheets(tmp_path_factory.mktemp("sheets"), N_SHEETS)


def result_of(sheets, folder, monkeypatch):
    """Reconstruct with what is kept; also count what was made for that."""
    made = []
    with monkeypatch.context() as patched:
        patched.setattr(embedded, "BLOCK_SHREDS", 5)
        for module, name in (("core.shreds.on_sheet", "segment_sheet"), ("core.border_blocks", "_read_block")):
            really = getattr(sys.modules[module], name)

            def counting(*arguments, really=really, name=name):
                made.append(name)
                return really(*arguments)

            patched.setattr(f"{module}.{name}", counting)
        return reconstruct(sheets, Options(), weights_path(), memory=Memory(DiskCache(folder))), made


@pytest.fixture(scope="module")
def without(sheets):
    return reconstruct(sheets, Options(), weights_path())


def assert_same(case, other):
    assert case.arrangement == other.arrangement
    assert case.joins == other.joins
    for name in ("shift_px", "to_blank", "from_blank", "upright"):
        np.testing.assert_array_equal(getattr(case.costs, name), getattr(other.costs, name))
    for one, its in zip(case.shreds, other.shreds, strict=True):
        assert (one.id, one.content_sha256) == (its.id, its.content_sha256)


KILLED = [("before", 1, 0), ("half", 3, 2), ("after", 4, 4)]


@pytest.mark.parametrize(("stage", "number", "n_kept"), KILLED)
def test_a_killed_run_goes_on_where_it_was(sheets, tmp_path, monkeypatch, without, stage, number, n_kept):
    script, folder = tmp_path / "killed.py", tmp_path / "kept"
    script.write_text(KILLED_AT)
    command = [sys.executable, str(script), str(folder), stage, str(number), *map(str, sheets)]
    killed = subprocess.run(command, cwd=ROOT.parent, env={"PYTHONPATH": str(ROOT.parent), "HOME": str(tmp_path)})
    assert killed.returncode == -signal.SIGKILL
    assert len(list(folder.glob("*.kept"))) == n_kept
    case, made = result_of(sheets, folder, monkeypatch)
    assert len(made) == N_SHEETS + N_BLOCKS - n_kept
    assert_same(case, without)
    case, made = result_of(sheets, folder, monkeypatch)
    assert not made
    assert_same(case, without)


def test_the_command_goes_on_where_it_was_killed(sheets, tmp_path, monkeypatch):
    folder, results = tmp_path / "kept", [tmp_path / name for name in ("first.json", "second.json", "afresh.json")]

    def command(result, *options):
        outputs = ["-o", str(result.with_suffix(".pdf")), "--json", str(result)]
        return ["reconstruct", *map(str, sheets), *outputs, "-q", *options]

    kept = ["--cache-folder", str(folder)]
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    started = [sys.executable, "main.py", *command(results[0], *kept)]
    with subprocess.Popen(started, cwd=ROOT.parent, env=environment) as running:
        while running.poll() is None and not list(folder.glob("*.kept")):
            time.sleep(0.01)
        running.kill()
    assert not results[0].exists()
    kept_before = {path.name: path.stat().st_ino for path in folder.glob("*.kept")}
    assert kept_before
    stages = tmp_path / ".cache" / "Rejoin" / "stages"
    monkeypatch.setattr("core.system.disk_cache.stages_folder", lambda: stages)
    for result, options in ((results[1], kept), (results[2], ["--cache-gb", "0"])):
        assert main.main(command(result, *options)) == 0
    assert {name: (folder / name).stat().st_ino for name in kept_before} == kept_before, "nothing was made again"
    second, afresh = (json.loads(result.read_text()) | {"seconds": None} for result in results[1:])
    assert second == afresh
    assert not stages.exists()


def test_verifying_believes_nothing_that_is_kept(sheets, tmp_path, monkeypatch, capsys):
    """What is kept is made wrong, with all sums right: a case made of it is refuted."""
    really = border_blocks._read_block
    folder, case_path = tmp_path / "kept", tmp_path / "wrong.rejoin"

    def wrong(*arguments):
        block = really(*arguments)
        return {**block, "right": block["left"], "left": block["right"]}

    command = ["reconstruct", *map(str, sheets), "-o", str(tmp_path / "p.pdf"), "--cache-folder", str(folder), "-q"]
    with monkeypatch.context() as patched:
        patched.setattr(border_blocks, "_read_block", wrong)
        assert main.main(command) == 0
    assert main.main([*command, "--case", str(case_path)]) == 0, "what is kept is used, wrong as it is"
    monkeypatch.setattr("core.system.disk_cache.stages_folder", lambda: folder)
    monkeypatch.setattr(DiskCache, "get", None)
    assert main.main(["verify", str(case_path)]) == 5
    assert "Not verified" in capsys.readouterr().err
