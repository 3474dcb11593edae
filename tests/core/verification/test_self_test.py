"""The self-test passes with what ships, and fails with whatever is altered."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import main
from core.arrangement.arrangement import Arrangement
from core.errors import OutputError, UnreadableInputError, UsageError
from core.memory import Memory
from core.pipeline import reconstruct
from core.system.places import ROOT
from core.verification import self_test
from core.verification.self_test import measured
from core.verification.verify import Check, Verification

REPOSITORY = Path(main.__file__).parent


@pytest.fixture
def root(tmp_path, monkeypatch, small_case):
    """Lay out weights, sheets, truth and record of a sample; reconstructing it gives a small case at once."""
    (tmp_path / "root" / "weights").mkdir(parents=True)
    (tmp_path / "root" / "samples").mkdir()
    root = tmp_path / "root"
    (root / "weights" / "encoder.keras").write_bytes(b"weights")
    for number in (1, 2):
        (root / "samples" / f"sheet_{number}.jpg").write_bytes(b"sheet %d" % number)
    truth = [[{"sheet": 1, "position": 1}, {"sheet": 2, "position": 2}], [{"sheet": 2, "position": 1}]]
    truth[1].append({"sheet": 1, "position": 2})
    (root / "samples" / "truth.json").write_text(json.dumps({"pages": truth}))
    monkeypatch.setattr(self_test, "reconstruct", lambda *_args, **_others: small_case)
    monkeypatch.setattr(self_test, "verify", lambda *_args, **_others: Verification((Check("file", "ok", ""),), ""))
    (root / "samples" / "expected.json").write_text(json.dumps(measured(root)))
    return root


def failed(root: Path) -> list[str]:
    done = self_test.self_test(root)
    assert done.passed == all(check.ok for check in done.checks)
    return [check.what for check in done.checks if not check.ok]


def test_what_ships_passes_and_leaves_nothing_behind(root, tmp_path, monkeypatch):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    done = self_test.self_test(root)
    assert [check for check in done.checks if not check.ok] == []
    assert len(done.checks) > 15
    assert list((tmp_path / "temporary").iterdir()) == []
    assert done.when.endswith("Z")
    assert "cores" in done.machine


def test_without_room_for_temporary_files_a_sentence_says_so(root, tmp_path, monkeypatch):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OutputError, match="No space left on device"):
        self_test.self_test(root)


@pytest.mark.parametrize("file", ["weights/encoder.keras", "samples/sheet_1.jpg", "samples/sheet_2.jpg"])
def test_altered_and_missing_files_are_named(root, file):
    (root / file).write_bytes(b"altered")
    name = Path(file).name.replace("encoder.keras", "weights")
    assert failed(root) == [f"{name}, SHA-256"]
    (root / file).unlink()
    assert failed(root) == [f"{name}, SHA-256"]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda told: told.update(shreds=6), "shreds found"),
        (lambda told: told.update(blank=2), "blank ones among them"),
        (lambda told: told["pages"][1].reverse(), "order of page 2"),
        (lambda told: told["pages"].append(["1-03"]), "pages, order of page 3"),
        (lambda told: told["set_aside"].clear(), "set aside"),
        (lambda told: told.update(optimal=False), "order proved the cheapest"),
        (lambda told: told["joins"][0].update(left="1-03"), "joins, joins of the same shift"),
        (lambda told: told["joins"][0].update(shift_px=5), "joins of the same shift"),
        (lambda told: told["joins"][0].update(cost=2.501), "costs of joins"),
        (lambda told: told["joins"][0].update(cost=float("inf")), "costs of joins"),
        (lambda told: told["joins"][0].update(confidence=0.73), "confidence of joins"),
        (lambda told: told["page_sizes_px"].reverse(), "page 1, size in px, page 2, size in px"),
        (lambda told: told["page_greys"].__setitem__(0, "00" * 864), "page 1, grey of 864 fields"),
    ],
)
def test_altered_expectations_are_named(root, change, what):
    path = root / "samples" / "expected.json"
    told = json.loads(path.read_text())
    change(told)
    path.write_text(json.dumps(told))
    assert ", ".join(failed(root)) == what


def test_rounding_passes(root):
    path = root / "samples" / "expected.json"
    told = json.loads(path.read_text())
    told["joins"][0]["cost"] += 1e-5
    told["joins"][0]["confidence"] += 0.005
    told["page_greys"][0] = bytes(abs(grey - 1) for grey in bytes.fromhex(told["page_greys"][0])).hex()
    path.write_text(json.dumps(told))
    assert failed(root) == []


def test_another_order_than_the_paper_had_is_named(root, small_case, monkeypatch):
    other = replace(
        small_case, arrangement=Arrangement(pages=(("1-01", "1-02"), ("2-01", "2-02")), set_aside=("1-03",))
    )
    joins = tuple(replace(join, right=right) for join, right in zip(other.joins, ("1-02", "2-02"), strict=True))
    monkeypatch.setattr(self_test, "reconstruct", lambda *_args, **_others: replace(other, joins=joins))
    (root / "samples" / "expected.json").write_text(json.dumps(measured(root)))
    assert failed(root) == ["joins as the paper was cut"]


def test_what_stops_the_work_is_a_line_of_the_table(root, monkeypatch):
    def fail(*_args, **_others):
        raise UsageError("The weights cannot be read.")

    monkeypatch.setattr(self_test, "reconstruct", fail)
    check = self_test.self_test(root).checks[-1]
    assert (check.what, check.got, check.ok) == ("reconstruction", "The weights cannot be read.", False)


def test_a_case_that_does_not_verify_or_does_not_come_back_is_named(root, monkeypatch, small_case):
    refuted = Verification((Check("pages", "failed", "Page 1 is another."),), "")
    monkeypatch.setattr(self_test, "verify", lambda *_args, **_others: refuted)
    assert failed(root) == ["case verified"]
    monkeypatch.setattr(self_test, "load", lambda path: small_case)
    assert failed(root) == ["case saved and opened", "case verified", "case with one bit altered"]


def test_without_a_record_there_is_a_sentence(root):
    (root / "samples" / "expected.json").write_text("{")
    with pytest.raises(UnreadableInputError, match=r"expected\.json cannot be read .* Install Rejoin anew\."):
        self_test.self_test(root)


@pytest.fixture
def copied(tmp_path):
    """Copy all that ships, to be altered."""
    return Path(shutil.copytree(ROOT, tmp_path / "root", ignore=shutil.ignore_patterns("__pycache__", "icons")))


@pytest.mark.slow
def test_the_real_thing_passes_and_its_table_can_be_signed(tmp_path):
    command = [sys.executable, "main.py", "self-test", "--json", tmp_path / "told.json", "--examiner", "A. Examiner"]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=840, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    assert "Passed: " in done.stdout
    assert "Examiner  A. Examiner    Date ______________    Signature ____" in done.stdout
    told = json.loads((tmp_path / "told.json").read_text())
    assert told["passed"]
    assert {check["what"] for check in told["checks"]} >= {"joins as the paper was cut", "case verified"}


@pytest.mark.slow
def test_other_weights_do_not_pass(copied, sample_cache, monkeypatch):
    from core.embedding.encoder import build_model

    monkeypatch.setattr(self_test, "verify", lambda *_args, **_others: Verification((Check("file", "ok", ""),), ""))
    monkeypatch.setattr(self_test, "reconstruct", partial(reconstruct, memory=Memory(sample_cache)))
    build_model(32).save(copied / "weights" / "encoder.keras")
    assert {"weights, SHA-256", "costs of joins", "confidence of joins"} <= set(failed(copied))
