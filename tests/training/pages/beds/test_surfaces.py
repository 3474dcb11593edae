import numpy as np
import pytest

from training.pages.beds.surfaces import SURFACES, lay_pocket, lay_tape, lid, noise, support_shape

SHAPE = (220, 160)


@pytest.mark.parametrize("name", SURFACES)
def test_a_surface_is_a_picture_that_its_seed_decides(name: str) -> None:
    one, same, other = (SURFACES[name](np.random.default_rng(seed), SHAPE) for seed in (1, 1, 2))
    assert one.shape == (*SHAPE, 3)
    assert one.dtype == np.float32
    np.testing.assert_array_equal(one, same)
    assert np.abs(one - other).max() > 1


def test_dark_is_darker_than_pale() -> None:
    assert (
        SURFACES["dark"](np.random.default_rng(0), SHAPE).mean()
        < SURFACES["pale"](np.random.default_rng(0), SHAPE).mean() - 80
    )


def test_noise_has_mean_and_spread() -> None:
    drawn = noise(np.random.default_rng(0), SHAPE, 7, 30)
    assert drawn.shape == SHAPE
    assert abs(float(drawn.mean())) < 0.01
    assert float(drawn.std()) == pytest.approx(1, abs=0.01)
    assert np.abs(np.diff(drawn, axis=1)).mean() > 2 * np.abs(np.diff(drawn, axis=0)).mean()


def test_a_small_support_leaves_some_of_the_bed_bare() -> None:
    shares = [support_shape(np.random.default_rng(seed), SHAPE, 30).mean() for seed in range(12)]
    assert max(shares) <= 1
    assert 0.4 < min(shares) < 0.9


def test_the_lid_is_nearly_grey() -> None:
    colour = lid(np.random.default_rng(0), SHAPE).mean(axis=(0, 1))
    assert colour.max() - colour.min() < 20
    assert colour.min() > 150


@pytest.mark.parametrize("lay", [lay_pocket, lay_tape])
def test_what_lies_above_lightens_a_dark_picture_in_part(lay: object) -> None:
    image = np.full((*SHAPE, 3), 40, np.float32)
    covered = lay(np.random.default_rng(3), image)  # type: ignore[operator]
    assert covered.shape == image.shape
    assert covered.max() > 60
    assert (image == 40).all()
