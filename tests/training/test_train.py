import json
from dataclasses import replace

import numpy as np
import pytest

from core.encoder import Encoder
from training.corpus import PAPER_MARGIN, Pages, save_pages
from training.listwise import Recipe
from training.mixture import split
from training.shredding import Wear
from training.train import main, train

TINY = Recipe(d=4, steps=6, pages_per_step=2, cuts_per_page=4, rows=256, held_out=3, least_ink=0.0, learning_rate=3e-3)
GENTLE = Wear(noise=0.1, fringe=0, rim_px=0, misaligned_px=0, mirror=False, turn=False)


@pytest.fixture
def pages() -> Pages:
    """Six pages of slanted strokes."""
    rng = np.random.default_rng(0)
    margins = np.full((6, 400, 500), PAPER_MARGIN, dtype=np.int8)
    for page in margins:
        for _ in range(400):
            y, x, slope = rng.integers(0, 380), rng.integers(0, 450), rng.choice([-1, 0, 1])
            for step in range(40):
                row, column = np.clip(y + slope * step // 2, 0, 396), min(x + step, 499)
                page[row : row + 3, column] = -40
    return Pages([f"page {number}" for number in range(6)], margins)


def test_every_nth_page_is_held_out(pages):
    training, validation = split([pages], 3)
    assert training.names == ["page 0", "page 1", "page 3", "page 4"]
    assert validation.names == ["page 2", "page 5"]


@pytest.mark.slow
def test_training_lowers_the_loss(pages, capsys):
    _, history = train(pages, replace(TINY, steps=60, every=20), GENTLE)
    assert [entry["step"] for entry in history] == [20, 40, 60]
    assert history[-1]["validation_loss"] < 0.8 * np.log(8)
    assert "validation_top1" in capsys.readouterr().out


@pytest.mark.slow
def test_the_same_seed_trains_the_same_weights(pages):
    first, _ = train(pages, TINY, GENTLE)
    second, _ = train(pages, TINY, GENTLE)
    for one, other in zip(first.get_weights(), second.get_weights(), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.slow
def test_the_command_writes_weights_and_their_card(pages, tmp_path):
    save_pages(pages, tmp_path / "pages.npz")
    output = tmp_path / "encoder.keras"
    sizes = {"d": 4, "steps": 2, "pages-per-step": 2, "cuts-per-page": 4, "rows": 256, "held-out": 3}
    assert (
        main([str(tmp_path / "pages.npz"), "-o", str(output), *(f"--{name}={value}" for name, value in sizes.items())])
        == 0
    )
    card = json.loads((tmp_path / "card.json").read_text())
    encoder = Encoder.load(output)
    assert encoder.d == 4
    assert card["sha256"] == encoder.sha256
    assert card["settings"]["steps"] == 2
    assert card["pages"][0]["n"] == 6
    assert card["history"][-1]["step"] == 2
