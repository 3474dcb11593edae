import numpy as np
import pytest

from core.matching.confidence import settled
from core.matching.costs import Costs, cheapest
from tests.core.matrices import matrix, sure_of


def make_costs(cost, to_blank, from_blank) -> Costs:
    cost = np.array(cost, dtype=np.float32)
    np.fill_diagonal(cost, np.inf)
    ends = [np.array(end, dtype=np.float32) for end in (to_blank, from_blank)]
    return Costs.of_all(cost, np.zeros(cost.shape, dtype=np.int16), *ends)


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
    assert some.cost_of(0, 1) == chain.cost_of(4, 1)
    assert some.to_blank.tolist() == [chain.to_blank[4], chain.to_blank[1]]
    assert some.temperature == chain.temperature
    # 15 % of the median gap, which is near 10 here.
    assert 1.2 < chain.temperature < 1.6


def test_the_temperature_of_all_cues_is_what_strangers_tell():
    rng = np.random.default_rng(0)
    cost = 500 - rng.exponential(10, (200, 200))
    alone = make_costs(cost, np.full(200, 500.0), np.full(200, 500.0))
    joined = make_costs(cost - 200 * np.eye(200, k=1), np.full(200, 500.0), np.full(200, 500.0))
    # Costs that thin out e-fold every 10. Without neighbours the best stranger is left out in their place.
    assert joined.of_all_cues().temperature == pytest.approx(0.58 * 10, rel=0.2)
    assert 1 < joined.of_all_cues().temperature / alone.of_all_cues().temperature < 2
    assert joined.temperature > 20 * alone.temperature, "the gaps of the best depend on what is there"
    np.testing.assert_array_equal(joined.of_all_cues().cost, joined.cost)


def test_two_shreds_have_no_strangers_to_tell_the_temperature():
    two = make_costs([[0, 1], [5, 0]], [7, 8], [7, 8])
    assert two.of_all_cues().temperature == two.temperature


def test_the_cheapest_of_every_border_are_sorted_out():
    best = cheapest(make_costs([[0, 3], [5, 0]], [1, 2], [9, 2]), 3)
    assert best.tolist() == [[1, 3, np.inf], [2, 5, np.inf], [5, 9, np.inf], [2, 3, np.inf]]


def test_answers_settle_what_can_still_be(chain):
    known = settled(chain, [(4, 0)], [(0, 1), (2, 3)])
    cost = matrix(known)
    assert cost[4, 0] == chain.cost_of(4, 0)
    assert np.isinf(cost[4, 1:]).all()
    assert np.isinf(cost[[0, 1, 2, 3, 5], 0]).all()
    assert np.isinf([known.to_blank[4], known.from_blank[0], cost[0, 1], cost[2, 3]]).all()
    assert cost[1, 2] == chain.cost_of(1, 2)
    assert known.temperature == chain.temperature
    assert np.isfinite(chain.cost_of(0, 1)), "the costs themselves stay what they are"
    sure = sure_of(known)
    assert sure[4, 0] > 0.99
    assert sure[0, 1] == sure[2, 3] == 0


def test_joins_that_do_not_come_into_question_are_looked_up_as_impossible():
    costs = make_costs([[0, 3, np.inf], [5, 0, 4], [np.inf, 7, 0]], np.ones(3), np.ones(3))
    assert list(zip(costs.left.tolist(), costs.right.tolist(), strict=True)) == [(0, 1), (1, 0), (1, 2), (2, 1)]
    assert costs.cost_of([0, 0, 1, 2], [1, 2, 1, 1]).tolist() == [3, np.inf, np.inf, 7]
    assert costs.at(2, 0) == -1
    assert [float(costs.cost_of(2, other)) for other in range(3)] == [np.inf, 7, np.inf]
    assert costs.right[costs.after(1)].tolist() == [0, 2]
    assert costs.left[costs.before(1)].tolist() == [0, 2]
    assert costs.shift_of(0, 2) == 0
    assert costs.parts(0, 2) == {"contour": 0, "tone": 0, "lines": 0, "laying": 0}


def test_rows_of_shreds_are_priced_by_their_ends(chain):
    rows = chain.between([3, 1, 5], [2, 0, 4])
    assert matrix(rows)[[0, 0, 1, 1, 2, 2], [1, 2, 0, 2, 0, 1]].tolist() == [
        chain.cost_of(last, first) for last, first in ((3, 0), (3, 4), (1, 2), (1, 4), (5, 2), (5, 0))
    ]
    assert rows.to_blank.tolist() == chain.to_blank[[3, 1, 5]].tolist()
    assert rows.from_blank.tolist() == chain.from_blank[[2, 0, 4]].tolist()


@pytest.mark.parametrize(
    ("left", "right"), [([1, 0], [0, 1]), ([0, 0], [1, 1]), ([0, 1], [1, 2]), ([0, 1], [1, -1]), ([-1, 0], [1, 1])]
)
def test_joins_in_disorder_or_of_other_shreds_are_no_costs(left, right):
    joins = np.array(left, np.int32), np.array(right, np.int32)
    ends = np.ones(2, np.float32)
    with pytest.raises(ValueError, match="ascending order"):
        Costs(*joins, ends, np.zeros(2, np.int16), ends, ends)
