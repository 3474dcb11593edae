"""The encoder of pieces."""

import numpy as np
import pytest

from core.embedding.piece_encoder import build_model, shipped
from core.embedding.piece_geometry import DEPTH_PX, DIRECTIONS


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("end", ["right", "left"])
def test_blank_paper_is_nothing(direction, end):
    embedded = shipped().embed(np.zeros((3, 60, DEPTH_PX), np.uint8), direction, end)
    assert embedded.shape == (3, 30, shipped().d)
    assert embedded == pytest.approx(0, abs=1e-5)


def test_a_border_is_embedded_alike_in_any_company():
    rng = np.random.default_rng(2)
    borders = np.where(rng.random((70, 64, DEPTH_PX)) < 0.1, 200, 0).astype(np.uint8)
    together = shipped().embed(borders, "across", "right")
    alone = np.concatenate([shipped().embed(borders[one : one + 1], "across", "right") for one in (0, 33, 69)])
    assert (together[[0, 33, 69]] == alone).all()


def test_no_borders_give_no_embeddings():
    assert shipped().embed(np.zeros((0, 20, DEPTH_PX), np.uint8), "down", "left").shape == (0, 10, shipped().d)


def test_an_untrained_model_has_both_ends():
    model = build_model(8)
    assert [tensor.name for tensor in model.inputs] == ["right_border", "left_border"]
    assert [tensor.shape for tensor in model.outputs] == [(None, None, 8)] * 2
