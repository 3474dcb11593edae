from dataclasses import replace

import numpy as np
import pytest

from core.matching.confidence import MISSING, STRAY, Confidences, Prospects, confidence, percentage, prospects_of
from core.matching.costs import Costs
from tests.core.matching.test_costs import chain, make_costs
from tests.core.matrices import matrix, sure_of

__all__ = ["chain"]


def drawn(missing: float, seed: int = 0, laying: float = 0.0) -> tuple[Costs, list[tuple[int, int]]]:
    """Draw 12 pages of 25 shreds, a share of them missing; returns costs and the true joins among the rest.

    Strangers cost 500 ± 30 and fit best at any height; neighbours cost 120 to 300 less, and lie at about one height.
    """
    rng = np.random.default_rng(seed)
    n = 300
    cost = rng.normal(500, 30, (n, n))
    shift_px = 4 * rng.integers(-6, 7, (n, n))
    lefts = np.array([row for row in range(n - 1) if row % 25 != 24])
    cost[lefts, lefts + 1] = 500 - rng.uniform(120, 300, len(lefts))
    shift_px[lefts, lefts + 1] = 4 * rng.integers(-1, 2, len(lefts))
    to_blank, from_blank = rng.normal(500, 30, (2, n))
    to_blank[24::25], from_blank[::25] = 300, 300
    kept = np.sort(rng.permutation(n)[round(missing * n) :])
    place = {int(shred): row for row, shred in enumerate(kept)}
    true = [(place[left], place[left + 1]) for left in lefts.tolist() if left in place and left + 1 in place]
    np.fill_diagonal(cost, np.inf)
    whole = Costs.of_all(
        cost.astype(np.float32),
        shift_px.astype(np.int16),
        to_blank.astype(np.float32),
        from_blank.astype(np.float32),
        laying=np.full((n, n), laying, np.float32),
    )
    # Priced anew, since the temperature of all must not tell what is missing.
    return replace(whole.of(kept.tolist()), temperature=0.0).of_all_cues(), true


@pytest.mark.parametrize(("missing", "within"), [(0.0, 0.03), (0.2, 0.05), (0.5, 0.12)])
def test_the_share_that_is_missing_is_estimated(missing, within):
    shares = [prospects_of(drawn(missing, seed)[0], 12).missing for seed in range(3)]
    assert shares == pytest.approx([missing] * 3, abs=within)


@pytest.mark.parametrize("missing", [0.0, 0.2, 0.5])
def test_joins_are_right_as_often_as_they_are_sure(missing):
    costs, true = drawn(missing)
    sure = sure_of(costs, 12)
    best = sure.argmax(axis=1)
    joins = [(row, int(column)) for row, column in enumerate(best) if sure[row, column] > 0.05]
    right = np.array([join in set(true) for join in joins])
    said = np.array([sure[join] for join in joins])
    assert said.mean() == pytest.approx(right.mean(), abs=0.11)
    assert right[said > 0.99].mean() >= 0.99
    assert (said > 0.95).sum() > len(true) / 2, "most neighbours stand out"


def test_more_missing_makes_less_sure():
    costs, true = drawn(0.2)
    rows, columns = np.array(true).T
    by_share = [sure_of(costs, 12, Prospects(share, 4.0))[rows, columns] for share in (0.02, 0.2, 0.5)]
    assert np.mean(by_share[0] > by_share[1]) > 0.95
    assert np.mean(by_share[1] > by_share[2]) > 0.95, "all but those whose rivals now may meet nothing"


def test_the_end_of_what_was_searched_makes_less_sure():
    costs, true = drawn(0.0)
    dearest = costs.at(*max(true, key=lambda join: costs.cost_of(*join)))
    costs.cost[dearest] += 30
    before = confidence(costs, 12)[dearest]
    costs.shift_px[dearest] = 24  # what it needed may lie beyond
    assert confidence(costs, 12)[dearest] < before - 0.1
    told = replace(costs, laying=costs.cost)
    assert prospects_of(told, 12).log_ratio == (0, 0, 0, 0), "where costs tell how shreds were laid, once is enough"


def test_where_neighbours_lie_at_any_height_its_end_is_as_good():
    costs, _ = drawn(0.0)
    costs.shift_px[:] = 4 * np.random.default_rng(1).integers(-6, 7, costs.shift_px.shape)
    assert np.abs(prospects_of(costs, 12).log_ratio).max() < 0.4


def test_of_a_few_shreds_little_is_learnt(chain):
    assert prospects_of(chain).missing == pytest.approx(MISSING, abs=0.08)
    assert prospects_of(chain.of([])).missing == pytest.approx(MISSING)


def test_true_joins_are_sure_and_nothing_else_is(chain):
    sure = sure_of(chain)
    true = np.eye(6, k=1, dtype=bool)
    assert sure.dtype == np.float32
    assert sure[true].min() > 0.9
    assert sure[~true].max() < 0.05
    assert (np.diag(sure) == 0).all()


def test_probabilities_of_a_border_sum_to_one_with_the_margin_and_with_nothing(chain):
    sure = sure_of(chain)
    assert sure.sum(axis=1)[:5] == pytest.approx(np.full(5, 0.94), abs=0.02)
    assert sure.sum(axis=0)[1:] == pytest.approx(np.full(5, 0.94), abs=0.02)
    assert sure[5].sum() < 0.05


def test_where_the_neighbour_is_missing_nothing_is_sure(chain):
    sure = sure_of(chain.of([0, 1, 2, 4, 5]))
    true = [(0, 1), (1, 2), (3, 4)]
    assert min(sure[join] for join in true) > 0.9
    # The borders where shred 3 was are all that is left for each other, and strangers.
    assert sure[2, 3] < 0.4


def test_odds_of_nothing_are_those_beforehand_times_what_strangers_weigh():
    weight, stranger = 20.0, 0.5
    cost = -np.log([[1, weight, stranger], [stranger, 1, stranger], [stranger, stranger, 1]])
    costs = replace(make_costs(cost, np.full(3, 50.0), np.full(3, 50.0)), temperature=1.0)
    share, spread = 0.2, 3.0
    # What is left for strays is put back, so that rows and columns sum to 1 with nothing.
    sure = sure_of(costs, 0, Prospects(share, spread)) * (1 + STRAY * share / (1 - share))
    meets_nothing = (1 - sure[0].sum()) * (1 - sure[:, 1].sum())
    odds = spread * share / (1 - share)
    assert sure[0, 1] / meets_nothing == pytest.approx(weight / (odds * stranger), rel=1e-4)


def test_a_rival_that_clearly_belongs_elsewhere_takes_nothing_away(chain):
    # Shred 2 fits shred 4 almost as well as shred 3, but shred 4 has a far better neighbour.
    chain.cost[chain.at([2, 3], [4, 4])] = 10.2, 2
    assert sure_of(chain)[2, 3] > 0.75


def test_true_rivals_share(chain):
    for i, j in ((0, 1), (0, 2), (1, 2), (2, 1), (1, 3)):
        chain.cost[chain.at(i, j)] = 10
    sure = sure_of(chain)
    assert 0.2 < sure[0, 1] < 0.8
    assert 0.2 < sure[0, 2] < 0.8


def test_equal_costs_leave_everything_open():
    sure = sure_of(make_costs(np.full((5, 5), 3.0), np.full(5, 3.0), np.full(5, 3.0)))
    off_diagonal = sure[~np.eye(5, dtype=bool)]
    assert off_diagonal == pytest.approx(np.full(20, off_diagonal[0]), abs=1e-5)
    assert 0.1 < off_diagonal[0] < 0.3


def test_more_pages_make_margins_likelier(chain):
    chain.to_blank[2] = chain.from_blank[3] = 10
    assert sure_of(chain, 2)[2, 3] < sure_of(chain, 1)[2, 3] - 0.2


def test_costs_far_apart_do_not_overflow(chain):
    far = make_costs(matrix(chain) * 1e6, chain.to_blank * 1e6, chain.from_blank * 1e6)
    np.testing.assert_allclose(confidence(far), confidence(chain), atol=1e-3)
    hopeless = make_costs(np.where(np.eye(6, k=1) > 0, 0.0, 1e12), np.full(6, 1e12), np.full(6, 1e12))
    assert np.isfinite(confidence(hopeless)).all()


def test_single_shred_has_no_joins():
    one = make_costs([[0.0]], [1.0], [1.0])
    assert len(confidence(one)) == 0
    assert one.temperature > 0


def test_no_join_is_called_certain_or_impossible():
    assert [percentage(p) for p in (1.0, 0.985, 0.5, 0.004)] == ["> 99 %", "98 %", "50 %", "< 1 %"]


def test_what_could_stand_beside_a_shred_is_listed_the_likeliest_first(chain):
    chain.cost[chain.at(1, 4)] = 10.5
    sure = Confidences(chain, confidence(chain))
    assert [shred for shred, _ in sure.after(1)][:2] == [2, 4]
    assert [shred for shred, _ in sure.before(4)][:2] == [3, 1]
    assert sure.after(1)[0] == (2, sure.of(1, 2))
    assert sure.of(1, 1) == 0
