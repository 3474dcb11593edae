import numpy as np
import pytest

from core.matching.as_they_lie import price_as_they_lie
from core.matching.ink import Ink
from core.matching.layout import line_costs
from core.matching.pricing import Marks
from core.matching.tone import Tones
from tests.core.matrices import matrix

N = 30


@pytest.fixture
def ink():
    """Each shred continues the one before."""
    rng = np.random.default_rng(0)
    right = rng.normal(0, 1, (N, 40, 4)).astype(np.float32)
    left = rng.normal(0, 1, (N, 40, 4)).astype(np.float32)
    left[1:] = right[:-1] + rng.normal(0, 0.2, (N - 1, 40, 4))
    return Ink(right, left, np.zeros(4, np.float32), np.zeros(4, np.float32), 2)


@pytest.fixture
def marks():
    rng = np.random.default_rng(1)
    lines, waves = rng.normal(0, 0.15, (2, 2, N, 50)).astype(np.float32)
    beside = rng.uniform(20, 120, (2, N, 50)).astype(np.float32)
    beside[1, 1:] = beside[0, :-1] + rng.normal(0, 3, (N - 1, 50))
    farther = beside + rng.normal(0, 3, beside.shape).astype(np.float32)
    toned = np.ones((N, 50), np.bool_)
    return Marks(tuple(lines), tuple(waves), 20.0, tuple(Tones(beside[side], farther[side], toned) for side in (0, 1)))


def test_every_cue_is_added_once(ink, marks):
    costs, by_ink, contours = price_as_they_lie(ink, marks, 2)
    assert len(costs.cost) == N * (N - 1)
    parts = costs.contour + costs.tone + costs.lines
    np.testing.assert_allclose(costs.cost, by_ink.cost + parts, rtol=1e-5, atol=1e-4)
    lines = by_ink.temperature * line_costs(*marks.lines, 2)
    np.testing.assert_allclose(costs.lines, lines[costs.left, costs.right], rtol=1e-5)
    assert contours is not None
    assert (costs.contour <= 0).all()
    assert costs.tone.any()
    assert (matrix(costs)[: N - 1].argmin(axis=1) == np.arange(1, N)).all()


def test_without_other_cues_ink_is_all(ink):
    costs, by_ink, contours = price_as_they_lie(ink, Marks(None, None, 1.0, None), 2)
    np.testing.assert_array_equal(costs.cost, by_ink.cost)
    assert contours is None
