from itertools import combinations, pairwise, product

import numpy as np
import pytest

from core.matching.costs import Costs
from core.solver.page_ends import exchanged
from core.solver.solver import price

N = 8
WIDTHS = np.full(N, 0.25)
CROSSED = [(0, 1, 2, 7), (4, 5, 6, 3)]
"""Two pages whose last shreds belong to one another's page."""


@pytest.fixture
def costs():
    """Costs of 0 … 3 and 4 … 7, whose joins cost 1."""
    cost = np.full((N, N), 9, dtype=np.float32)
    for first in (0, 4):
        for left, right in pairwise(range(first, first + 4)):
            cost[left, right] = 1
    np.fill_diagonal(cost, np.inf)
    blank = np.full(N, 3, dtype=np.float32)
    return Costs.of_all(cost, np.zeros((N, N), dtype=np.int16), blank, blank.copy(), temperature=1.0)


def after(pages, costs, widths=WIDTHS, kept=(), avoided=()):
    return exchanged(pages, costs, widths, kept, avoided, 1.15)


def test_ends_go_where_they_cost_less(costs):
    assert after(CROSSED, costs) == [(0, 1, 2, 3), (4, 5, 6, 7)]
    one_too_long = [(0, 1, 2), (4, 5, 6, 7, 3)]
    assert after(one_too_long, costs) == [(0, 1, 2, 3), (4, 5, 6, 7)]
    begun = [(1, 2, 3), (0, 4, 5, 6, 7)]
    assert after(begun, costs, WIDTHS * 0.5) == [(0, 1, 2, 3), (4, 5, 6, 7)]


def test_every_exchange_makes_the_order_cheaper(costs):
    rng = np.random.default_rng(0)
    for _ in range(20):
        shreds = [int(shred) for shred in rng.permutation(N)]
        pages = [tuple(shreds[:3]), tuple(shreds[3:5]), tuple(shreds[5:])]
        found = after(pages, costs)
        assert sorted(shred for page in found for shred in page) == list(range(N))
        assert len(found) == 3
        assert sum(price(page, costs) for page in found) <= sum(price(page, costs) for page in pages)


def test_no_page_becomes_wider_than_paper(costs):
    widths = WIDTHS.copy()
    widths[3] = 0.5
    assert after([(0, 1, 2), (4, 5, 6, 7, 3)], costs, widths) == [(0, 1, 2), (4, 5, 6, 7, 3)]


def test_what_was_said_by_hand_holds(costs):
    assert after(CROSSED, costs, kept=[(2, 7)]) == CROSSED
    assert after(CROSSED, costs, avoided=[(2, 3)]) == CROSSED


def test_what_is_no_evidence_changes_nothing(costs):
    costs.cost[costs.at([2, 6], [7, 3])] = 1.4
    assert after(CROSSED, costs) == CROSSED


@pytest.mark.parametrize("seed", range(10))
def test_no_exchange_that_gains_is_left(seed):
    rng = np.random.default_rng(seed)
    n, widest, no_shift = 24, 1.15, np.zeros((24, 24), dtype=np.int16)
    margins = rng.random((2, n)).astype(np.float32) * 9
    costs = Costs.of_all(rng.random((n, n)).astype(np.float32) * 30, no_shift, *margins, temperature=1.0)
    widths = np.full(n, 0.2)
    pages = [tuple(range(start, start + 4)) for start in range(0, n, 4)]
    found = exchanged(pages, costs, widths, (), (), widest)
    for one, other in combinations(found, 2):
        before = price(one, costs) + price(other, costs)
        for left, right in product(range(len(one) + 1), range(len(other) + 1)):
            new = one[:left] + other[right:], other[:right] + one[left:]
            if (
                all(new)
                and max(map(len, new)) * 0.2 <= widest
                and (left, right) not in ((0, 0), (len(one), len(other)))
            ):
                assert before - sum(price(page, costs) for page in new) < 1.001
