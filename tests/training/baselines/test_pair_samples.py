from dataclasses import replace

import cv2
import numpy as np
import pytest

from training.baselines.pair_samples import Sampling, draw_samples
from training.corpus import PAPER_MARGIN, Pages

CLEAN = Sampling(shreds_per_page=5, samples_per_page=60, least_ink=0.2, noisy_px=0, misaligned_px=0)


@pytest.fixture(scope="module")
def pages() -> Pages:
    """A page of coarse speckles, half of it ink, and an empty one."""
    speckles = np.random.default_rng(0).random((100, 150)) < 0.5
    margins = np.full((2, 300, 450), PAPER_MARGIN, dtype=np.int8)
    margins[0][np.kron(speckles, np.ones((3, 3), dtype=np.bool_))] = -20
    return Pages(["speckles", "empty"], margins)


def place(ink: np.ndarray, window: np.ndarray) -> tuple[int, int]:
    """Where on the page a window occurs: row and column."""
    difference = cv2.matchTemplate(ink.astype(np.float32), window.astype(np.float32), cv2.TM_SQDIFF)
    ((y, x),) = np.argwhere(difference < 0.5).tolist()
    return y, x


def test_as_many_samples_of_neighbours_as_of_others_and_none_of_empty_pages(pages):
    samples = draw_samples(np.random.default_rng(1), pages, CLEAN)
    assert samples.seams.shape == (120, 32, 64)
    assert samples.neighbours.sum() == 60
    assert (samples.seams.mean(axis=(1, 2)) >= 0.2).all()


def test_neighbours_lie_side_by_side_on_the_page_and_others_do_not(pages):
    samples = draw_samples(np.random.default_rng(1), pages, CLEAN)
    ink = pages.margins[0] <= 0
    for seam, neighbours in zip(samples.seams[50:70], samples.neighbours[50:70], strict=True):
        y, x = place(ink, seam[:, :32])
        other_y, other_x = place(ink, seam[:, 32:])
        assert y % 2 == 0
        assert y == other_y
        assert (other_x == x + 32) == neighbours


def test_neighbours_may_be_misaligned(pages):
    samples = draw_samples(np.random.default_rng(1), pages, replace(CLEAN, misaligned_px=2))
    ink = pages.margins[0] <= 0
    offsets = set()
    for seam in samples.seams[:30]:
        y, _ = place(ink, seam[:, :32])
        other_y, _ = place(ink, seam[:, 32:])
        offsets.add(other_y - y)
    assert offsets == {-2, -1, 0, 1, 2}


def test_noise_keeps_to_the_columns_beside_the_cut(pages):
    clean = draw_samples(np.random.default_rng(1), pages, CLEAN).seams
    noisy = draw_samples(np.random.default_rng(1), pages, replace(CLEAN, noisy_px=2)).seams
    changed = np.flatnonzero((clean != noisy).any(axis=(0, 1)))
    assert changed.tolist() == [30, 31, 32, 33]


def test_the_same_seed_draws_the_same_samples(pages):
    one, other = (draw_samples(np.random.default_rng(5), pages, CLEAN) for _ in range(2))
    np.testing.assert_array_equal(one.seams, other.seams)
