from dataclasses import replace
from itertools import combinations, pairwise, product

import numpy as np
import pytest

from core.faces.posed import Posed
from core.faces.ways import HALF_TURN, turned_join
from core.matching.costs import Costs
from core.solver.page_ends import Limits, exchanged, rejoined
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


FOUND, POSE = [(0, 1, 5, 4), (2, 3), (6,)], [0, 1, 2, 3, 11, 12, 6]
"""Of the pages 0 … 3 and 4 … 6 one ends amid print, where a piece of the other one stands upside down."""

NARROW = np.full(7, 0.1)
LIMITS = Limits(widest=1.15, n_least=1, given_back=10, least_gain=1)


@pytest.fixture
def posed():
    """Costs of seven shreds, both ways up: true joins cost 1, the one between the pages 4."""
    n, cost = 7, np.full((14, 14), 30, dtype=np.float32)
    for join, price_ in (((0, 1), 1), ((1, 2), 1), ((2, 3), 1), ((4, 5), 1), ((5, 6), 1), ((1, 12), 4)):
        for one in (join, turned_join(*join, n, HALF_TURN)):
            cost[one] = price_
    shreds = np.arange(n)
    for way in (0, n):
        cost[shreds, shreds + way] = cost[shreds + n, shreds + n - way] = np.inf
    blank = np.full(14, 10, dtype=np.float32)
    costs = Costs.of_all(cost, np.zeros((14, 14), dtype=np.int16), blank, blank.copy(), temperature=1.0)
    return Posed.alone("abcdefg", costs)


def put_together(posed, limits=LIMITS, widths=NARROW, kept=(), avoided=(), by_hand=()):
    return rejoined(FOUND, POSE, posed, widths, kept, avoided, by_hand, limits)


def test_a_join_is_broken_where_both_its_ends_find_pages_turned_or_not(posed):
    pages, pose = put_together(posed)
    assert pages == [(0, 1, 2, 3), (6, 5, 4)]
    assert pose == [0, 1, 2, 3, 11, 12, 13]


def test_one_end_alone_finds_a_page_where_the_other_one_may_not(posed):
    one_end = [(0, 1, 2, 3), (5, 4), (6,)]
    assert put_together(posed, by_hand=[5, 6]) == (one_end, POSE), "they stand as the examiner turned them"
    assert put_together(posed, replace(LIMITS, n_least=3))[0] == one_end
    wide = NARROW.copy()
    wide[6] = 1.0
    assert put_together(posed, widths=wide)[0] == one_end
    assert put_together(posed, avoided=[(5, 6), (13, 12)])[0] == one_end


def test_what_holds_or_gains_too_little_stays(posed):
    assert put_together(posed, kept=[(1, 12), (5, 8)])[0] == sorted(FOUND)
    assert put_together(posed, replace(LIMITS, least_gain=13))[0] == sorted(FOUND)
