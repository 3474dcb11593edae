from pathlib import Path

import numpy as np

from core.options import Options
from training.measuring.documents import read_data_set
from training.measuring.methods import VARIANTS, EncoderMethod, RememberingEncoder, named_weights, reconstruct


class TrueOrder:
    """Knows the truth: every shred costs nothing after the one before it."""

    label = "truth"

    def costs(self, shreds, progress=None):
        from core.matching.costs import Costs

        n = len(shreds)
        cost = np.ones((n, n), dtype=np.float32)
        cost[np.arange(n - 1), np.arange(1, n)] = 0
        np.fill_diagonal(cost, np.inf)
        blank = np.full(n, 0.4, dtype=np.float32)
        return Costs(cost, np.zeros((n, n), np.int16), blank, blank), {"embed": 1.0, "cost": 2.0}

    def n_pages(self, n_documents):
        return n_documents


def test_the_truth_is_all_right(data_set):
    data = read_data_set(data_set, Options())
    measured = reconstruct(data.alone(data.documents[1]), TrueOrder())
    assert (measured.accuracy, measured.n) == (1.0, 4)
    assert measured.seconds.keys() == {"embed", "cost", "solve"}
    assert reconstruct(data, TrueOrder()).n == 8


def test_borders_are_embedded_once_for_all_variants(data_set, weights):
    data = read_data_set(data_set, Options())
    encoder = RememberingEncoder.load(weights)
    fresh = RememberingEncoder.load(weights)
    costs = {}
    for name in ("ink", "ink-no-shift", "zero-dummy"):
        costs[name], seconds = EncoderMethod("x", encoder, VARIANTS[name]).costs(data.found.shreds)
        assert seconds["embed"] > encoder.spared_s > 0 or name == "ink"
    alone, _ = EncoderMethod("x", fresh, VARIANTS["ink-no-shift"]).costs(data.found.shreds)
    np.testing.assert_array_equal(costs["ink-no-shift"].cost, alone.cost)
    assert (costs["ink-no-shift"].cost >= costs["ink"].cost).mean() > 0.5
    assert not costs["ink-no-shift"].shift_px.any()
    assert costs["ink"].to_blank.any()
    assert not costs["zero-dummy"].to_blank.any()


def test_the_first_variant_is_what_the_application_does(weights):
    full = EncoderMethod("x", RememberingEncoder.load(weights), VARIANTS["full"])
    assert full.options == Options()
    assert next(iter(VARIANTS)) == "full"


def test_other_borders_are_embedded_anew(weights):
    encoder = RememberingEncoder.load(weights)
    first = np.zeros((1, 200, 32), dtype=np.bool_)
    second = first.copy()
    second[0, 50:150, ::2] = True
    assert (encoder.embed(first, "left") == encoder.blank("left")).all()
    assert (encoder.embed(second, "left") != encoder.blank("left")).any()
    assert (encoder.embed(first, "left") == encoder.blank("left")).all()


def test_weights_have_a_name():
    assert named_weights("some/paper.keras") == ("paper", Path("some/paper.keras"))
    assert named_weights("ours=some/encoder.keras") == ("ours", Path("some/encoder.keras"))
