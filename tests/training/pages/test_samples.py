import numpy as np
import pytest

from training.pages.samples import Pairs, concatenate, extract_pairs


@pytest.fixture
def ink() -> np.ndarray:
    """A page of random blots, denser on its right half."""
    rng = np.random.default_rng(0)
    density = np.where(np.arange(120) < 60, 0.2, 0.6)
    return np.kron(rng.random((80, 120)) < density, np.ones((4, 4))).astype(np.bool_)


def joined(pairs: Pairs) -> np.ndarray:
    right, left = pairs.samples(np.arange(len(pairs.same)))
    return np.concatenate([right, left], axis=2)


def extract(ink, seed=1, **settings):
    return extract_pairs(np.random.default_rng(seed), ink, n_shreds=6, **settings)


def windows_of(ink, n_shreds=6) -> dict[bytes, tuple[int, int]]:
    """Every window of 32 × 64 pixels that a pair of shreds could show, and which pair shows it."""
    width = ink.shape[1] // n_shreds
    windows = {}
    for i in range(n_shreds):
        for j in range(n_shreds):
            right, left = ink[:, (i + 1) * width - 32 : (i + 1) * width], ink[:, j * width : j * width + 32]
            for top in range(0, len(ink) - 32, 2):
                windows[np.hstack([right, left])[top : top + 32].tobytes()] = (i, j)
    return windows


def test_samples_are_windows_of_the_page_and_positive_ones_lie_on_either_side_of_a_cut(ink):
    pairs = extract(ink, noise_px=0)
    windows = windows_of(ink)
    shown = [windows[window.astype(np.bool_).tobytes()] for window in joined(pairs)]
    assert {join for join, same in zip(shown, pairs.same, strict=True) if same} == {(i, i + 1) for i in range(5)}
    negative = {join for join, same in zip(shown, pairs.same, strict=True) if not same}
    assert len(negative) > 1
    assert all(j not in (i, i + 1) for i, j in negative)


def test_as_many_negative_pairs_as_positive_ones_and_no_more_than_asked_for(ink):
    pairs = extract(ink, n_pairs=70)
    assert pairs.same.tolist() == [True] * 70 + [False] * 70
    assert pairs.packed.shape == (2, 140, 32, 4)
    everything = extract(ink, n_pairs=10**6)
    assert 140 < everything.same.sum() == (~everything.same).sum()


def test_pairs_with_little_ink_are_discarded(ink):
    assert joined(extract(ink, noise_px=0)).mean(axis=(1, 2)).min() >= 0.2
    assert joined(extract(ink, noise_px=0, least_ink=0.5)).mean(axis=(1, 2)).min() >= 0.5
    blank = extract(np.zeros_like(ink))
    assert blank.packed.shape == (2, 0, 32, 4)


@pytest.mark.parametrize(("noise", "of_ink", "of_paper"), [("paper", 0.5, 0.0), ("salt and pepper", 0.75, 0.25)])
def test_noise_changes_half_of_the_pixels_of_two_columns_on_each_side(noise, of_ink, of_paper):
    for value, expected in ((1, of_ink), (0, of_paper)):
        windows = joined(extract(np.full((400, 480), value, dtype=np.bool_), least_ink=0, noise=noise))
        assert (windows[:, :, :30] == value).all()
        assert (windows[:, :, 34:] == value).all()
        np.testing.assert_allclose(windows[:, :, 30:34].mean(axis=(0, 1)), expected, atol=0.01)


def test_samples_may_have_another_height(ink):
    pairs = extract(ink, sample_height_px=48, n_pairs=5)
    assert pairs.samples(np.array([0, 7])).shape == (2, 2, 48, 32)


def test_the_same_seed_takes_the_same_samples(ink):
    np.testing.assert_array_equal(extract(ink).packed, extract(ink).packed)
    assert (extract(ink).packed != extract(ink, seed=2).packed).any()


def test_pages_are_put_one_after_the_other(ink):
    one, other = extract(ink, n_pairs=3), extract(ink, seed=2, n_pairs=4)
    both = concatenate([one, other])
    assert both.same.tolist() == [True] * 3 + [False] * 3 + [True] * 4 + [False] * 4
    np.testing.assert_array_equal(both.packed[:, 6:], other.packed)


def test_a_page_too_small_is_refused(ink):
    with pytest.raises(ValueError, match="320 × 480 pixels is too small for 30 shreds"):
        extract_pairs(np.random.default_rng(0), ink)
