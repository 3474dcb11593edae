import json
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.embedding.encoder import Encoder
from training.learning import listwise
from training.pages.intact import save_pages
from training.train import main

ROOT = Path(__file__).resolve().parents[2]
KILLED = """
import os, signal, sys
from training.learning import loop
from training.train import main

save, saved = loop.save_checkpoint, []

def save_once(*arguments):
    if saved:  # the steps since then are lost
        os.kill(os.getpid(), signal.SIGKILL)
    saved.append(save(*arguments))

loop.save_checkpoint = save_once
main(sys.argv[1:])
"""


def assert_same_weights(one, other):
    for a, b in zip(one.get_weights(), other.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)


def command(folder, recipe) -> list[str]:
    settings = {
        "listwise": {"d": 4, "steps": 4, "every": 1, "pages-per-step": 2, "cuts-per-page": 4, "rows": 256},
        "paper": {"d": 4, "epochs": 4, "batch-size": 32, "pairs-per-page": 40, "shreds-per-page": 6, "least-ink": 0.05},
    }[recipe]
    options = [f"--{name}={value}" for name, value in (settings | {"held-out": 3}).items()]
    return [str(folder / "pages.npz"), "--recipe", recipe, "-o", str(folder / "encoder.keras"), *options]


@pytest.mark.slow
@pytest.mark.parametrize("recipe", ["listwise", "paper"])
def test_the_command_writes_weights_their_card_and_curves(pages, tmp_path, monkeypatch, recipe):
    monkeypatch.setattr(listwise, "VALIDATION_STEPS", 2)
    save_pages(pages, tmp_path / "pages.npz")
    assert main(command(tmp_path, recipe)) == 0
    card = json.loads((tmp_path / "card.json").read_text())
    encoder = Encoder.load(tmp_path / "encoder.keras")
    assert encoder.d == 4
    assert card["sha256"] == encoder.sha256
    assert card["recipe"] == recipe
    assert card["settings"]["d"] == 4
    assert card["pages"][0]["n"] == 6
    assert len(card["history"]) == 4
    assert card["seconds"] == card["history"][-1]["seconds"]
    assert (tmp_path / "curves.png").is_file()


@pytest.mark.slow
def test_a_killed_command_goes_on_with_resume(pages, tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    for folder in (whole, killed):
        folder.mkdir()
        save_pages(pages, folder / "pages.npz")
    assert main(command(whole, "paper")) == 0
    done = subprocess.run([sys.executable, "-c", KILLED, *command(killed, "paper")], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL
    assert (killed / "encoder.checkpoint.npz").exists()
    assert not (killed / "encoder.keras").exists()
    assert main([*command(killed, "paper"), "--resume"]) == 0
    assert_same_weights(*(Encoder.load(folder / "encoder.keras").model for folder in (whole, killed)))


@pytest.mark.slow
def test_what_cannot_be_done_is_a_sentence(pages, tmp_path, capsys):
    save_pages(pages.select([0, 1]), tmp_path / "pages.npz")
    assert main(command(tmp_path, "listwise")) == 2
    assert "Give more pages" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([str(tmp_path / "pages.npz"), "-o", str(tmp_path / "encoder.h5")])
    assert "named .keras" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*command(tmp_path, "paper"), "--selection=luck"])
    assert "choose from" in capsys.readouterr().err
