import keras
import numpy as np
import pytest

from core.errors import UsageError
from training.learning.checkpoints import Progressed, load_checkpoint, save_checkpoint

SETTINGS = {"d": 4, "wear": [["noise", "0.5"]], "pages": ["ab"]}


@pytest.fixture
def variables() -> list[keras.Variable]:
    rng = np.random.default_rng(0)
    return [keras.Variable(rng.normal(0, 1, shape).astype(np.float32)) for shape in ((2, 3), (), (4,))]


def test_what_is_saved_is_loaded(tmp_path, variables):
    values = [keras.ops.convert_to_numpy(variable).copy() for variable in variables]
    best = [np.arange(3, dtype=np.float32), np.float32([[1.5]])]
    progressed = Progressed(40, [{"step": 40, "loss": 0.125, "seconds": 1.5}], -0.25, best)
    save_checkpoint(tmp_path / "c.npz", progressed, variables, SETTINGS)
    for variable in variables:
        variable.assign(keras.ops.zeros_like(variable))
    loaded = load_checkpoint(tmp_path / "c.npz", variables, SETTINGS)
    assert (loaded.step, loaded.history, loaded.best_score) == (40, progressed.history, -0.25)
    for one, other in zip(loaded.best_weights, best, strict=True):
        np.testing.assert_array_equal(one, other)
    for variable, value in zip(variables, values, strict=True):
        np.testing.assert_array_equal(keras.ops.convert_to_numpy(variable), value)
    assert list(tmp_path.iterdir()) == [tmp_path / "c.npz"]


def test_a_checkpoint_of_another_training_is_refused_and_changes_nothing(tmp_path, variables):
    save_checkpoint(tmp_path / "c.npz", Progressed(), variables, SETTINGS)
    variables[1].assign(7.0)
    with pytest.raises(UsageError, match="another training: d, pages differ"):
        load_checkpoint(tmp_path / "c.npz", variables, SETTINGS | {"d": 8, "pages": ["cd"]})
    assert float(variables[1]) == 7.0


def test_a_file_that_is_no_checkpoint_is_refused(tmp_path, variables):
    (tmp_path / "c.npz").write_bytes(b"nothing")
    with pytest.raises(UsageError, match=r"c\.npz is no checkpoint"):
        load_checkpoint(tmp_path / "c.npz", variables, SETTINGS)
    np.savez(tmp_path / "c.npz", names=np.zeros(2))
    with pytest.raises(UsageError, match="no checkpoint"):
        load_checkpoint(tmp_path / "c.npz", variables, SETTINGS)
