import importlib.util
import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pikepdf
import pytest

import main
from core.case.file import load
from core.errors import NothingFoundError, UnreadableInputError
from core.system.places import sample_paths

ROOT = Path(main.__file__).parent


@pytest.fixture
def sheet(tmp_path):
    path = tmp_path / "scan 0.png"
    path.write_bytes(b"an image")
    return path


def run(*arguments):
    return main.main(["reconstruct", *map(str, arguments)])


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (UnreadableInputError("It cannot be read."), 3, "It cannot be read.\n"),
        (NothingFoundError("Nothing is there."), 4, "Nothing is there.\n"),
        (KeyboardInterrupt(), 130, "Cancelled. No file was left half-written.\n"),
        (MemoryError(), 1, "The memory of this machine does not suffice."),
        (RuntimeError("odd"), 1, "Something unexpected went wrong (RuntimeError: odd). Run again with --verbose"),
    ],
)
def test_failures_are_sentences_and_exit_codes(sheet, tmp_path, monkeypatch, capsys, error, code, sentence):
    def fail(*_args, **_others):
        raise error

    monkeypatch.setattr("core.pipeline.reconstruct", fail)
    assert run(sheet, "-o", tmp_path / "pages.pdf") == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(sentence)
    assert "Traceback" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["scan 0.png"]


@pytest.mark.skipif(os.name == "nt", reason="a shell of Unix")
def test_who_has_read_enough_of_the_output_gets_no_complaint(tmp_path):
    code = "import main, core.cli.verify as it; it.run = lambda given: print('x' * 1_000_000) or 0; main.start()"
    command = f'"{sys.executable}" -c "{code}" verify one.rejoin | head -c 10'
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path)}
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False, env=environment)
    assert (done.stdout, done.stderr) == ("x" * 10, "")


def test_verbose_shows_where_it_went_wrong(sheet, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("core.pipeline.reconstruct", lambda *_args, **_others: 1 / 0)
    assert run(sheet, "-o", tmp_path / "pages.pdf", "--verbose") == 1
    assert "Traceback" in capsys.readouterr().err


def test_help_tells_of_both_doors(capsys):
    with pytest.raises(SystemExit, match="0"):
        main.main(["--help"])
    assert "reconstruct" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="0"):
        run("--help")
    out = capsys.readouterr().out
    assert "examples:" in out
    assert "exit codes:" in out
    with pytest.raises(SystemExit, match="2"):
        run("scan.png")


def test_files_without_a_command_go_to_the_window(monkeypatch):
    opened = []
    monkeypatch.setattr(main, "_open_window", lambda paths: opened.append(paths) or 0)
    assert main.main([]) == 0
    assert main.main(["a.png", "b.png"]) == 0
    assert opened == [[], [Path("a.png"), Path("b.png")]]


def test_the_commands_load_nothing_slow_before_they_run():
    slow = ("tensorflow", "keras", "skimage", "scipy", "cv2", "PIL")
    code = "import sys; from core.cli.commands import COMMANDS, module_of; [module_of(name) for name in COMMANDS]; "
    code += f"print([name for name in {slow} if name in sys.modules])"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


def test_missing_sheets_end_with_code_3_in_a_process_of_its_own(tmp_path):
    command = [sys.executable, "main.py", "reconstruct", tmp_path / "gone.png", "-o", tmp_path / "pages.pdf", "-v"]
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=840, check=False, env=environment)
    assert done.returncode == 3
    assert done.stdout == ""
    assert "INFO __main__: The command reconstruct" in done.stderr
    assert "gone.png" in done.stderr
    assert "Traceback" not in done.stderr
    if sys.platform == "linux":
        log = (tmp_path / "state/Rejoin/log/rejoin.log").read_text(encoding="utf-8")
        assert "INFO main: The command reconstruct" in log.replace("__main__", "main")
        assert "gone.png" in log.splitlines()[-1]


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("tensorflow") is None, reason="TensorFlow is not installed")
def test_the_sample_is_reconstructed(tmp_path, sample_cache, capsys):
    command = [sys.executable, "main.py", "reconstruct", *sample_paths(), "-o", tmp_path / "pages.pdf"]
    command += ["--json", tmp_path / "result.json", "--case", tmp_path / "sample.rejoin"]
    command += ["--cache-folder", sample_cache.folder]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=840, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    with pikepdf.open(tmp_path / "pages.pdf") as pdf:
        assert len(pdf.pages) == 2
    result = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert len(result["shreds"]) == 52
    assert result["optimal"]
    joins = {(join["left"], join["right"]) for join in result["joins"]}
    assert joins == {pair for page in result["pages"] for pair in pairwise(page)}
    truth = json.loads((ROOT / "resources" / "samples" / "truth.json").read_text(encoding="utf-8"))
    blank = {shred["id"] for shred in result["shreds"] if shred["blank"]}
    right = set()
    for page in truth["pages"]:
        ids = [f"{place['sheet']}-{place['position']:02d}" for place in page]
        right |= set(pairwise(shred for shred in ids if shred not in blank))
    assert len(joins & right) >= 0.95 * len(right)
    verify_and_tamper(tmp_path / "sample.rejoin", capsys)


def verify_and_tamper(case, capsys):
    """Verify a case in another process than the one that made it; change a bit of a shred's picture, and open it."""
    code = main.main(["verify", str(case)])
    told = capsys.readouterr()
    assert code == 0, told.out + told.err
    assert told.out.endswith("Verified.\n")
    data = bytearray(case.read_bytes())
    data[data.index(b"shreds/1-07.png") + 5000] ^= 1
    case.write_bytes(data)
    with pytest.raises(UnreadableInputError, match=r"1-07\.png"):
        load(case)


def test_qt_reads_no_source_of_what_the_window_loads():
    code = (
        "import builtins, main, sys, types\n"
        "usual = builtins.__import__\n"
        "sys.modules['app.application'] = types.SimpleNamespace(run=len)\n"
        "assert main._open_window(['a.png']) == 1\n"
        "assert 'PySide6.QtCore' in sys.modules\n"
        "assert builtins.__import__ is usual\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
