from pathlib import Path

import numpy as np
import pytest

from core.embedded import embed
from core.embedding.encoder import Encoder
from core.options import Options
from training.measuring.documents import read_data_set
from training.measuring.methods import VARIANTS, Embedder, EncoderMethod, named_weights


@pytest.mark.slow
def test_borders_are_embedded_once_for_all_variants(data_set, weights):
    data = read_data_set(data_set, Options())
    embedder, fresh = (Embedder(Encoder.load(weights)) for _ in range(2))
    costs, seconds = {}, {}
    for name in ("ink", "ink-no-shift", "zero-dummy"):
        costs[name], seconds[name] = EncoderMethod("x", embedder, VARIANTS[name]).costs(data.found.shreds)
    assert len({of_variant["embed"] for of_variant in seconds.values()}) == 1
    assert seconds["ink"]["embed"] > 0
    alone, _ = EncoderMethod("x", fresh, VARIANTS["ink-no-shift"]).costs(data.found.shreds)
    np.testing.assert_array_equal(costs["ink-no-shift"].cost, alone.cost)
    assert (costs["ink-no-shift"].cost >= costs["ink"].cost).mean() > 0.5
    assert not costs["ink-no-shift"].shift_px.any()
    assert costs["ink"].to_blank.any()
    assert not costs["zero-dummy"].to_blank.any()


def test_the_first_variant_is_what_the_application_does(weights):
    full = EncoderMethod("x", Embedder(Encoder.load(weights)), VARIANTS["full"])
    assert full.options == Options()
    assert next(iter(VARIANTS)) == "full"


@pytest.mark.slow
def test_other_shreds_are_embedded_anew(data_set, weights):
    data = read_data_set(data_set, Options())
    embedder = Embedder(Encoder.load(weights))
    first, second = (data.of([document]).found.shreds for document in data.documents)
    for shreds in (first, second, first):
        embedded = embedder(shreds)
        assert embedded.shreds == shreds
        np.testing.assert_array_equal(embedded.left, embed(shreds, embedder.encoder, Options()).left)
    everything = embedder(data.found.shreds)
    assert embedder(first).seconds == everything.seconds, "parts of what was embedded are not embedded anew"


def test_weights_have_a_name():
    assert named_weights("some/paper.keras") == ("paper", Path("some/paper.keras"))
    assert named_weights("ours=some/encoder.keras") == ("ours", Path("some/encoder.keras"))
