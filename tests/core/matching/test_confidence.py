from dataclasses import replace

import numpy as np
import pytest

from core.matching.confidence import MISSING_ODDS, confidence, percentage
from tests.core.matching.test_costs import chain, make_costs

__all__ = ["chain"]


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


def test_no_join_is_called_certain_or_impossible():
    assert [percentage(p) for p in (1.0, 0.985, 0.5, 0.004)] == ["> 99 %", "98 %", "50 %", "< 1 %"]
