from dataclasses import replace

import numpy as np
import pytest

from core.matching.confidence import confidence
from core.matching.costs import Costs, settled


def make_costs(cost, to_blank, from_blank) -> Costs:
    cost = np.array(cost, dtype=np.float32)
    np.fill_diagonal(cost, np.inf)
    ends = [np.array(end, dtype=np.float32) for end in (to_blank, from_blank)]
    return Costs(cost, np.zeros(cost.shape, dtype=np.int16), *ends)


@pytest.fixture
def chain() -> Costs:
    """Six shreds in order: every true join costs 10, everything else about 20."""
    rng = np.random.default_rng(0)
    cost = rng.normal(20, 0.3, (6, 6))
    cost[np.arange(5), np.arange(1, 6)] = 10
    to_blank, from_blank = rng.normal(20, 0.3, (2, 6))
    to_blank[5] = from_blank[0] = 10
    return make_costs(cost, to_blank, from_blank)


def test_some_shreds_keep_the_temperature_of_all(chain):
    some = chain.of([4, 1])
    assert some.cost[0, 1] == chain.cost[4, 1]
    assert some.to_blank.tolist() == [chain.to_blank[4], chain.to_blank[1]]
    assert some.temperature == chain.temperature
    # 15 % of the median gap, which is near 10 here.
    assert 1.2 < chain.temperature < 1.6


def test_a_second_cue_raises_the_temperature_of_the_sum_only(chain):
    assert chain.of_all_cues().temperature == chain.temperature
    contour = np.where(np.eye(6, k=1) > 0, -50, 0).astype(np.float32)
    both = replace(chain, cost=chain.cost + contour, contour=contour)
    assert both.temperature == chain.temperature
    # Gaps grow from about 10 to about 60, that is sixfold, of which 0.8 counts.
    assert 4 < both.of_all_cues().temperature / chain.temperature < 5.6
    np.testing.assert_array_equal(both.of_all_cues().cost, both.cost)


def test_answers_settle_what_can_still_be(chain):
    known = settled(chain, [(4, 0)], [(0, 1), (2, 3)])
    assert known.cost[4, 0] == chain.cost[4, 0]
    assert np.isinf(known.cost[4, 1:]).all()
    assert np.isinf(known.cost[[0, 1, 2, 3, 5], 0]).all()
    assert np.isinf([known.to_blank[4], known.from_blank[0], known.cost[0, 1], known.cost[2, 3]]).all()
    assert known.cost[1, 2] == chain.cost[1, 2]
    assert known.temperature == chain.temperature
    assert np.isfinite(chain.cost[0, 1]), "the costs themselves stay what they are"
    sure = confidence(known)
    assert sure[4, 0] > 0.99
    assert sure[0, 1] == sure[2, 3] == 0
