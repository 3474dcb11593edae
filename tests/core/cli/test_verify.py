import json

import pytest

import main
from core.cli.common import CHECK_FAILED_EXIT_CODE
from core.verification.verify import Check, Verification

HASH = "ab" * 32


@pytest.fixture
def outcome(monkeypatch):
    """Give an outcome at once; remembers what it was asked for."""
    asked = {"checks": (Check("file", "ok", "as saved"), Check("pages", "ok", "the same anew"))}

    def verify(*given):
        asked["given"] = given[:4]
        return Verification(asked["checks"], HASH)

    monkeypatch.setattr("core.verification.verify.verify", verify)
    return asked


def test_a_case_that_holds_ends_with_code_0(outcome, tmp_path, capsys):
    case, told = tmp_path / "one.rejoin", tmp_path / "told.json"
    code = main.main(["verify", str(case), "--sheets", "a", "--sheets", "b", "--noted", HASH, "--json", str(told)])
    assert code == 0
    out, err = capsys.readouterr()
    assert "  file        ok           as saved\n" in out
    assert f"SHA-256 {HASH}." in out
    assert out.endswith("Verified.\n")
    assert err == ""
    path, weights, folders, noted = outcome["given"]
    assert (path, weights.name, [str(folder) for folder in folders], noted) == (case, "encoder.keras", ["a", "b"], HASH)
    assert json.loads(told.read_text()) == {
        "case": str(case),
        "verified": True,
        "first_difference": None,
        "last_entry_sha256": HASH,
        "checks": [
            {"name": "file", "outcome": "ok", "text": "as saved"},
            {"name": "pages", "outcome": "ok", "text": "the same anew"},
        ],
    }


def test_a_case_that_does_not_hold_ends_with_code_5_and_the_first_difference(outcome, tmp_path, capsys):
    outcome["checks"] = (Check("file", "failed", "case.json was altered."), Check("pages", "not checked", "before"))
    assert main.main(["verify", str(tmp_path / "one.rejoin"), "--quiet"]) == 5
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "Not verified. case.json was altered.\n"


def test_a_case_cannot_say_of_itself_that_it_is_verified(outcome, tmp_path, capsys):
    outcome["checks"] = (Check("history", "failed", 'Entry 2 ("\x1b[2K\rx\nVerified.\n") was changed.'),)
    assert main.main(["verify", str(tmp_path / "one.rejoin")]) == 5
    out, err = capsys.readouterr()
    assert "\nVerified." not in out + err
    assert "\x1b" not in out + err
    assert "\r" not in out + err


def test_what_is_no_case_ends_with_code_3(tmp_path, capsys):
    (tmp_path / "one.rejoin").write_bytes(b"no case")
    assert main.main(["verify", str(tmp_path / "one.rejoin")]) == 3
    assert "is no case of Rejoin" in capsys.readouterr().err


def test_help_tells_the_exit_codes(capsys):
    with pytest.raises(SystemExit, match="0"):
        main.main(["verify", "--help"])
    out = capsys.readouterr().out
    assert f"{CHECK_FAILED_EXIT_CODE} not verified" in out
