import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.embedding.encoder import Encoder, build_model
from core.errors import UsageError
from training.experiments.__main__ import main
from training.experiments.sweep_training import DIMENSION, HEIGHT
from training.pages.intact import PAPER_MARGIN, Pages, save_pages

HIDDEN = ("cv2", "skimage", "PIL", "matplotlib", "sklearn", "scipy")
SMALL = ["pages_per_step=2", "cuts_per_page=4", "rows=400", "held_out=2", "least_ink=0"]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A prepared file of four pages of dots."""
    rng = np.random.default_rng(0)
    margins = np.where(rng.random((4, 500, 400)) < 0.2, -40, PAPER_MARGIN).astype(np.int8)
    path = tmp_path_factory.mktemp("corpus") / "pages.npz"
    save_pages(Pages([f"page {number}" for number in range(4)], margins), path)
    return path


@pytest.mark.slow
@pytest.mark.usefixtures("untraced")
def test_the_runner_trains_an_encoder_for_each_dimension(pages, tmp_path, capsys):
    command = [
        "dimension-train",
        str(pages),
        "-o",
        str(tmp_path),
        "--values",
        "2",
        "4",
        "--steps",
        "1",
        "--set",
        *SMALL,
    ]
    assert main(command) == 0
    assert [Encoder.load(DIMENSION.weights(tmp_path, d)).d for d in (2, 4)] == [2, 4]
    cards = [json.loads((tmp_path / f"d{d}.json").read_text()) for d in (2, 4)]
    assert [card["settings"]["d"] for card in cards] == [2, 4]
    assert [card["settings"]["steps"] for card in cards] == [1, 1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d2.json", "d2.keras", "d4.json", "d4.keras"]
    capsys.readouterr()
    assert main(command) == 0
    assert capsys.readouterr().out.count("is there") == 2
    assert main([*command, "seed=5"]) == UsageError.exit_code
    assert "trained with other settings" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.usefixtures("untraced")
def test_the_runner_trains_an_encoder_for_each_height(pages, tmp_path):
    command = [
        "height-train",
        str(pages),
        "-o",
        str(tmp_path),
        "--values",
        "64",
        "--steps",
        "1",
        "--set",
        "d=2",
        *SMALL,
    ]
    assert main(command) == 0
    encoder = Encoder.load(HEIGHT.weights(tmp_path, 64))
    assert (encoder.sample_height_px, encoder.d) == (64, 2)


@pytest.mark.slow
def test_the_runner_needs_no_image_libraries():
    hide = f"import sys; sys.modules.update(dict.fromkeys({HIDDEN}))"
    code = f"{hide}; from training.experiments.__main__ import main; main(['dimension-train', '--help'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, check=False)
    assert done.returncode == 0, done.stderr
    assert "--steps" in done.stdout


def test_settings_that_are_none_are_refused(tmp_path, capsys):
    command = ["dimension-train", "pages.npz", "-o", str(tmp_path), "--set"]
    assert main([*command, "colour=red"]) == UsageError.exit_code
    assert "has no setting colour" in capsys.readouterr().err
    assert main([*command, "seed=red"]) == UsageError.exit_code
    assert "seed cannot be red" in capsys.readouterr().err


@pytest.mark.slow
def test_weights_that_are_there_are_measured(data_set, tmp_path):
    for d in (2, 8):
        build_model(d).save(tmp_path / f"d{d}.keras")
    card = {"recipe": "paper", "settings": {"epochs": 20}, "pages": [{"n": 50}]}
    (tmp_path / "d2.json").write_text(json.dumps(card))
    folder = ["--weights-folder", str(tmp_path), "--values", "2", "4", "8"]
    assert main(["dimension", str(data_set), *folder, "-o", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out/dimension.md").read_text()
    assert "| d | d2: accuracy % | every join right | seconds a page | published, all of D2 |" in text
    lines = [line for line in text.splitlines() if line.startswith(("| 2 |", "| 8 |"))]
    assert lines[0].endswith("|  |")
    assert lines[1].endswith("| 97.27 ± 4.06 |")
    assert "Not trained: 4." in text
    assert "Trained by the recipe paper, epochs 20, on 50 intact pages." in text
    assert (tmp_path / "out/dimension.png").stat().st_size > 5000


@pytest.mark.slow
def test_heights_are_measured(data_set, tmp_path):
    for sample_height_px in (32, 64):
        build_model(2, sample_height_px=sample_height_px).save(tmp_path / f"h{sample_height_px}.keras")
    assert main(["height", str(data_set), "--weights-folder", str(tmp_path), "-o", str(tmp_path)]) == 0
    text = (tmp_path / "height.md").read_text()
    assert "| sample height (px) | d2: accuracy % |" in text
    assert "Not trained: 128, 256." in text
    assert (tmp_path / "height.png").stat().st_size > 5000


def test_no_weights_is_an_error_that_says_what_to_do(data_set, tmp_path, capsys):
    assert main(["height", str(data_set), "--weights-folder", str(tmp_path)]) == UsageError.exit_code
    assert "height-train" in capsys.readouterr().err
