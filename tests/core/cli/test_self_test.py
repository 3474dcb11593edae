"""The table of the self-test, its JSON and its exit code."""

import json

import pytest

import main
from core.verification.self_test import Comparison, SelfTest

GOOD = Comparison("shreds found", "52", "52", True)
LONG = Comparison("weights, SHA-256", "ab" * 32, "ab" * 32, True)
BAD = Comparison("order of page 1", "1-01 1-02", "1-02 1-01", False)


@pytest.fixture
def give(monkeypatch):
    """Let the self-test give these checks."""

    def give(*checks):
        done = SelfTest(checks, "2026-11-28T10:00:00Z", "a machine", {"rejoin": "9.9", "numpy": "2.0"})
        monkeypatch.setattr("core.verification.self_test.self_test", lambda **_others: done)

    return give


def test_a_pass(give, capsys):
    give(GOOD, LONG)
    assert main.main(["self-test"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[:4] == [
        "Rejoin 9.9, self-test",
        "Date      2026-11-28T10:00:00Z (UTC)",
        "Machine   a machine",
        "Versions  numpy 2.0",
    ]
    assert lines[5].split() == ["what", "expected", "got", "ok"]
    assert lines[7].split() == ["shreds", "found", "52", "52", "yes"]
    assert lines[8].split() == ["weights,", "SHA-256", "ab" * 16, "the", "same", "yes"]
    assert lines[9].split() == ["ab" * 16]
    assert "Passed: 2 of 2 checks." in lines
    assert lines[-1].startswith("Examiner  ____")
    assert max(map(len, lines)) <= 120


def test_a_failure(give, capsys, tmp_path):
    give(GOOD, BAD)
    assert main.main(["self-test", "--json", str(tmp_path / "told.json"), "--examiner", "Ada"]) == 5
    out, err = capsys.readouterr()
    assert "NOT PASSED: 1 of 2 checks." in out
    assert "Examiner  Ada    Date" in out
    assert err.startswith("Not passed: order of page 1. Do not use this installation")
    told = json.loads((tmp_path / "told.json").read_text())
    assert (told["passed"], told["examiner"], told["machine"]) == (False, "Ada", "a machine")
    assert told["checks"][1] == {"what": "order of page 1", "expected": "1-01 1-02", "got": "1-02 1-01", "ok": False}


def test_quiet(give, capsys):
    give(GOOD)
    assert main.main(["self-test", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
