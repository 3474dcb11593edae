from time import sleep

import keras
import numpy as np
import pytest

from core.embedding.encoder import BLOCK_ROWS, BLOCKS_PER_BATCH, Encoder, build_model
from core.embedding.geometry import n_embedding_rows
from core.errors import UsageError
from core.progress import Cancelled
from core.system.keras_import import BATCHES_AT_A_TIME


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    keras.utils.set_random_seed(7)
    return Encoder(build_model(d=8))


@pytest.fixture
def borders() -> np.ndarray:
    """Text-like borders with long blank stretches, ink at both ends, and one without ink."""
    rng = np.random.default_rng(1)
    ink = rng.random((4, 1003, 32)) < 0.3
    ink[0, 100:600] = False
    ink[1, 3:1000] = False
    ink[2] = False
    return ink


def test_embedding_rows_are_the_papers():
    assert n_embedding_rows(3000) == 743
    assert n_embedding_rows(32) == 1
    assert n_embedding_rows(1) == 1


@pytest.mark.parametrize("side", ["left", "right"])
def test_leaving_out_blank_windows_changes_nothing(encoder, borders, side):
    complete = encoder._compute(borders, side)
    embeddings = encoder.embed(borders, side)
    assert embeddings.shape == (4, n_embedding_rows(1003), 8)
    np.testing.assert_allclose(embeddings, complete, atol=1e-5)


@pytest.mark.parametrize("sample_height_px", [8, pytest.param(64, marks=pytest.mark.slow), 256])
def test_samples_may_be_of_another_height(borders, sample_height_px):
    keras.utils.set_random_seed(7)
    model = build_model(d=2, sample_height_px=sample_height_px)
    encoder = Encoder(model)
    assert encoder.sample_height_px == sample_height_px
    embeddings = encoder.embed(borders, "right")
    assert embeddings.shape == (4, n_embedding_rows(1003, sample_height_px), 2)
    np.testing.assert_allclose(embeddings, encoder._compute(borders, "right"), atol=1e-5)
    # One sample high, and the four rows that the padding spoils: one embedding is left.
    sample = np.zeros((1, sample_height_px + 16, 32, 1), dtype=np.float32)
    assert model.predict_on_batch([sample, sample])[0].shape == (1, 1, 2)


def test_blank_paper_embeds_as_a_constant(encoder, borders):
    embeddings = encoder.embed(borders, "left")
    assert (embeddings[2] == encoder.blank("left")).all()
    assert np.abs(embeddings[3] - encoder.blank("left")).max() > 1e-3


def test_moving_ink_by_four_rows_moves_embeddings_by_one(encoder):
    rng = np.random.default_rng(2)
    ink = np.zeros((1, 400, 32), dtype=bool)
    ink[0, 150:250] = rng.random((100, 32)) < 0.4
    moved = np.roll(ink, 4, axis=1)
    here, there = encoder.embed(ink, "right"), encoder.embed(moved, "right")
    np.testing.assert_allclose(there[0, 1:], here[0, :-1], atol=1e-5)


def test_the_two_sides_are_different_networks(encoder, borders):
    assert np.abs(encoder.embed(borders, "left") - encoder.embed(borders, "right")).max() > 1e-3


def test_a_border_is_embedded_alike_wherever_in_a_batch_it_stands():
    keras.utils.set_random_seed(7)
    encoder = Encoder(build_model(d=2, sample_height_px=96))  # a height at which some processors tell the last apart
    borders = np.random.default_rng(3).random((BLOCKS_PER_BATCH + 3, 600, 32)) < 0.2
    for side in ("right", "left"):
        embedded = encoder.embed(borders, side)
        np.testing.assert_array_equal(encoder.embed(borders, side), embedded)
        np.testing.assert_array_equal(encoder.embed(borders[::-1], side)[::-1], embedded)


def test_a_card_embeds_more_at_once_and_the_same(monkeypatch, encoder, borders):
    monkeypatch.setattr("core.embedding.encoder.on_a_card", lambda: True)
    monkeypatch.setattr("core.embedding.encoder.ON_A_CARD", 3)  # fewer, so that there are several batches
    on_a_card = Encoder(encoder.model)
    batches = []
    run = on_a_card._run
    monkeypatch.setattr(on_a_card, "_run", lambda inputs, side: batches.append(len(inputs)) or run(inputs, side))
    np.testing.assert_allclose(on_a_card.embed(borders, "left"), encoder.embed(borders, "left"), atol=1e-5)
    assert set(batches) == {4}


def test_saved_weights_load_with_the_same_output(encoder, borders, tmp_path):
    path = tmp_path / "encoder.keras"
    encoder.model.save(path)
    loaded = Encoder.load(path)
    assert len(loaded.sha256) == 64
    assert loaded.d == 8
    np.testing.assert_array_equal(loaded.embed(borders, "left"), encoder.embed(borders, "left"))


def test_cancel_stops_embedding(encoder, borders):
    def cancel(fraction: float, text: str) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        encoder.embed(borders, "left", cancel)


def test_other_files_are_refused_with_a_sentence(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        Encoder.load(tmp_path / "missing.keras")
    garbage = tmp_path / "garbage.keras"
    garbage.write_bytes(b"no weights here")
    with pytest.raises(UsageError, match=r"garbage\.keras holds no weights"):
        Encoder.load(garbage)
    other = tmp_path / "other.keras"
    keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)]).save(other)
    with pytest.raises(UsageError, match=r"other\.keras holds no weights"):
        Encoder.load(other)


def test_another_network_with_the_same_inputs_is_refused(tmp_path):
    right, left = (keras.Input((None, 32, 1), name=f"{side}_border") for side in ("right", "left"))
    outputs = [keras.layers.Reshape((-1, 32))(border) for border in (right, left)]
    keras.Model([right, left], outputs).save(tmp_path / "other.keras")
    with pytest.raises(UsageError, match=r"other\.keras holds no weights"):
        Encoder.load(tmp_path / "other.keras")


def test_under_jax_batches_run_one_at_a_time(monkeypatch):
    monkeypatch.setattr(keras.backend, "backend", lambda: "jax")
    encoder = Encoder(build_model(4))
    running, most = 0, 0

    class Counting:
        def predict_on_batch(self, inputs):
            nonlocal running, most
            running += 1
            most = max(most, running)
            sleep(0.01)
            running -= 1
            return np.zeros((len(inputs), BLOCK_ROWS, 4), np.float32)

    encoder._side = {"right": Counting()}
    printed = np.ones((40, 600, 32), np.bool_)
    assert encoder.embed(printed, "right").shape[0] == 40
    assert most == 1 < BATCHES_AT_A_TIME
