import json
import subprocess
import sys

import pytest

from core.embedding.way_up import WayUp
from training.pages.intact import save_pages
from training.way_up import main

SETTINGS = ["--steps=1", "--strips-per-step=2", "--windows-per-strip=3", "--held-out=3", "--validation-strips=4"]


@pytest.mark.slow
@pytest.mark.usefixtures("untraced")
def test_the_command_writes_weights_and_their_card(pages, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("core.embedding.way_up.WINDOWS_PER_BATCH", 32)  # blank ones fill a batch up
    save_pages(pages, tmp_path / "pages.npz")
    output = tmp_path / "way_up.keras"
    assert main([str(tmp_path / "pages.npz"), "-o", str(output), "--processes=1", *SETTINGS]) == 0
    assert "Weights written" in capsys.readouterr().out
    card = json.loads((tmp_path / "way_up.json").read_text())
    assert card["sha256"] == WayUp.load(output).sha256
    assert card["recipe"] == "way-up"
    assert card["settings"]["steps"] == 1
    assert card["pages"][0]["n"] == 6


@pytest.mark.parametrize(
    ("given", "told"), [(["-o", "weights.h5"], "named .keras"), (["-o", "a.keras", "--shares", "1", "2"], "as many")]
)
def test_wrong_use_is_told(given, told, capsys):
    with pytest.raises(SystemExit):
        main(["pages.npz", *given])
    assert told in capsys.readouterr().err


def test_processes_that_cut_strips_need_no_keras():
    code = "import sys; import training.way_up, training.pages.windows; assert 'keras' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
