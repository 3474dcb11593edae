import numpy as np
import pytest

import core.matching.as_they_lie
import core.matching.ink
import core.matching.many
from core.matching.as_they_lie import price_as_they_lie
from tests.core.matching.test_as_they_lie import N, ink, marks

__all__ = ["ink", "marks"]


@pytest.fixture
def every(ink, marks):
    return price_as_they_lie(ink, marks, 2)


@pytest.mark.parametrize("on_a_card", [False, True])
def test_of_many_the_best_of_every_border_cost_what_they_do_among_few(every, ink, marks, monkeypatch, on_a_card):
    """Few shreds are taken for many."""
    monkeypatch.setattr(core.matching.as_they_lie, "EVERY", 10)
    monkeypatch.setattr(core.matching.many, "PER_BORDER", 5)
    monkeypatch.setattr(core.matching.many, "TILE_SHREDS", 8)
    monkeypatch.setattr(core.matching.ink, "TILE_SHREDS", 8)
    monkeypatch.setattr(core.matching.many, "on_a_card", lambda: on_a_card)
    costs, by_ink, contours = price_as_they_lie(ink, marks, 2)
    all_costs, all_by_ink, all_contours = every
    assert len(costs.cost) < len(all_costs.cost) / 2
    assert min(np.diff(costs.starts).min(), np.diff(costs.starts_by_right).min()) >= 5
    assert (costs.at(np.arange(N - 1), np.arange(1, N)) >= 0).all(), "every neighbour is a candidate"
    at = all_costs.at(costs.left, costs.right)
    np.testing.assert_allclose(by_ink.cost, all_by_ink.cost[at], rtol=1e-4)
    np.testing.assert_array_equal(by_ink.shift_px, all_by_ink.shift_px[at])
    np.testing.assert_allclose(contours.cost, all_contours.cost[at], rtol=1e-4, atol=1e-5)
    np.testing.assert_array_equal(contours.shift_px, all_contours.shift_px[at])
    lines = all_costs.lines[at] / all_by_ink.temperature
    np.testing.assert_allclose(costs.lines / by_ink.temperature, lines, rtol=1e-4, atol=1e-6)
    # Among few, grey is compared by thresholds.
    tone = all_costs.tone[at] / all_by_ink.temperature
    assert np.corrcoef(costs.tone / by_ink.temperature, tone)[0, 1] > 0.98
