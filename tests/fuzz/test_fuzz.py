"""A few tries of every kind; ``python -m tests.fuzz`` does more of them."""

import os
import warnings

import numpy as np
import pytest

from core.errors import UnreadableInputError
from tests.fuzz import disks, sheets, weights
from tests.fuzz.__main__ import main
from tests.fuzz.kinds import KINDS
from tests.fuzz.trial import attempt, check_sentence, untouched

TRIES = 3
LONG = {**weights.KINDS, **sheets.KINDS, **disks.KINDS}
"""TensorFlow and whole reconstructions."""


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in LONG])
def test_nothing_breaks(kind):
    for number in range(TRIES):
        assert not attempt(kind, KINDS[kind], 0, number).fault


@pytest.mark.slow
@pytest.mark.parametrize("kind", LONG)
def test_nothing_breaks_on_the_long_way(kind):
    assert not attempt(kind, LONG[kind], 0, 0).fault


def test_the_same_seed_makes_the_same():
    def trial(rng, _folder):
        return rng.bytes(8).hex()

    first, again, other = (attempt("any", trial, seed, 0).outcome for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize(
    ("trial", "word"),
    [
        (lambda _rng, _folder: 1 / 0, "ZeroDivisionError"),
        (lambda _rng, _folder: warnings.warn("odd", stacklevel=1), "odd"),
        (lambda _rng, _folder: os.write(2, b"libpng: oh no"), "standard error: 'libpng: oh no'"),
        (lambda _rng, _folder: str(np.ones(20_000_000).sum()), "MB were taken"),
    ],
    ids=["exception", "warning", "native message", "memory"],
)
def test_faults_are_found(trial, word, monkeypatch):
    monkeypatch.setattr("tests.fuzz.trial.MOST_MEGABYTES", 100)
    tried = attempt("any", trial, 0, 0)
    assert tried.outcome == "wrong"
    assert word in tried.fault


def test_what_is_touched_is_found(tmp_path):
    sheet = tmp_path / "scan.png"
    sheet.write_bytes(b"a scan")
    with pytest.raises(AssertionError, match="came or went"), untouched(tmp_path):
        (tmp_path / ".scan.part").write_bytes(b"half")
    with pytest.raises(AssertionError, match="changed"), untouched(tmp_path):
        sheet.write_bytes(b"another scan")


@pytest.mark.parametrize(
    "sentence", ["", "scan.png is broken", "It is broken. Try again.", f"scan.png: {'x' * 999}. A."]
)
def test_poor_sentences_are_found(sentence):
    check_sentence(UnreadableInputError("scan.png is damaged. Scan it again."), "scan.png")
    with pytest.raises(AssertionError):
        check_sentence(UnreadableInputError(sentence), "scan.png")


def test_the_command_counts(monkeypatch, capsys):
    monkeypatch.setattr(
        "tests.fuzz.__main__.tried", lambda *_args: (attempt("sound PNG", KINDS["sound PNG"], 0, n) for n in (0, 1))
    )
    assert main(["--kinds", "sound png", "--count", "2"]) == 0
    out = capsys.readouterr().out
    assert "read 2" in out
    assert "2 tried, 0 wrong" in out
