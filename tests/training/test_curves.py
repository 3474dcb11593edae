import json

import pytest

from training.curves import main
from training.learning.curves import draw_curves

HISTORY = [{"step": k, "loss": 2 / k, "validation_loss": 1 / k, "validation_smd": 2 - 1 / k} for k in range(1, 9)]


@pytest.mark.slow
def test_curves_are_drawn_from_a_card(tmp_path):
    (tmp_path / "card.json").write_text(json.dumps({"history": HISTORY, "settings": {"selection": "smd"}}))
    assert main([str(tmp_path / "card.json")]) == 0
    drawn = (tmp_path / "curves.png").read_bytes()
    draw_curves(HISTORY, "smd", tmp_path / "again.png")
    assert (tmp_path / "again.png").read_bytes() == drawn
