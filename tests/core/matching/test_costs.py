from dataclasses import replace

import numpy as np
import pytest

from core.matching.confidence import MISSING_ODDS, confidence, percentage
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


def test_true_joins_are_sure_and_nothing_else_is(chain):
    sure = confidence(chain)
    true = np.eye(6, k=1, dtype=bool)
    assert sure.dtype == np.float32
    assert sure[true].min() > 0.95
    assert sure[~true].max() < 0.05
    assert (np.diag(sure) == 0).all()


def test_probabilities_of_a_border_sum_to_one_with_the_margin_and_with_nothing(chain):
    sure = confidence(chain)
    assert sure.sum(axis=1)[:5] == pytest.approx(np.full(5, 0.97), abs=0.02)
    assert sure.sum(axis=0)[1:] == pytest.approx(np.full(5, 0.97), abs=0.02)
    assert sure[5].sum() < 0.05


def test_where_the_neighbour_is_missing_nothing_is_sure(chain):
    sure = confidence(chain.of([0, 1, 2, 4, 5]))
    true = [(0, 1), (1, 2), (3, 4)]
    assert min(sure[join] for join in true) > 0.9
    # The borders where shred 3 was are all that is left for each other, and strangers.
    assert sure[2, 3] < 0.4


def test_odds_of_nothing_are_those_beforehand_times_what_strangers_weigh():
    weight, stranger = 20.0, 0.5
    cost = -np.log([[1, weight, stranger], [stranger, 1, stranger], [stranger, stranger, 1]])
    costs = replace(make_costs(cost, np.full(3, 50.0), np.full(3, 50.0)), temperature=1.0)
    sure = confidence(costs, n_pages=0)
    meets_nothing = (1 - sure[0].sum()) * (1 - sure[:, 1].sum())
    assert sure[0, 1] / meets_nothing == pytest.approx(weight / (MISSING_ODDS * stranger), rel=1e-4)


def test_a_rival_that_clearly_belongs_elsewhere_takes_nothing_away(chain):
    # Shred 2 fits shred 4 almost as well as shred 3, but shred 4 has a far better neighbour.
    chain.cost[2, 4] = 10.2
    chain.cost[3, 4] = 2
    assert confidence(chain)[2, 3] > 0.8


def test_true_rivals_share(chain):
    for i, j in ((0, 1), (0, 2), (1, 2), (2, 1), (1, 3)):
        chain.cost[i, j] = 10
    sure = confidence(chain)
    assert 0.2 < sure[0, 1] < 0.8
    assert 0.2 < sure[0, 2] < 0.8


def test_equal_costs_leave_everything_open():
    sure = confidence(make_costs(np.full((5, 5), 3.0), np.full(5, 3.0), np.full(5, 3.0)))
    off_diagonal = sure[~np.eye(5, dtype=bool)]
    assert off_diagonal == pytest.approx(np.full(20, off_diagonal[0]), abs=1e-5)
    assert 0.1 < off_diagonal[0] < 0.3


def test_more_pages_make_margins_likelier(chain):
    chain.to_blank[2] = chain.from_blank[3] = 10
    assert confidence(chain, n_pages=2)[2, 3] < confidence(chain, n_pages=1)[2, 3] - 0.2


def test_costs_far_apart_do_not_overflow(chain):
    far = make_costs(chain.cost * 1e6, chain.to_blank * 1e6, chain.from_blank * 1e6)
    np.testing.assert_allclose(confidence(far), confidence(chain), atol=1e-3)
    hopeless = make_costs(np.where(np.eye(6, k=1) > 0, 0.0, 1e12), np.full(6, 1e12), np.full(6, 1e12))
    assert np.isfinite(confidence(hopeless)).all()


def test_single_shred_has_no_joins():
    one = make_costs([[0.0]], [1.0], [1.0])
    assert confidence(one).tolist() == [[0.0]]
    assert one.temperature > 0


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


def test_no_join_is_called_certain_or_impossible():
    assert [percentage(p) for p in (1.0, 0.985, 0.5, 0.004)] == ["> 99 %", "98 %", "50 %", "< 1 %"]


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
