from dataclasses import replace

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.inspection.alternatives import alternatives
from core.matching.costs import Costs


@pytest.fixture
def case(small_case, make_shred):
    """Four shreds whose joins cost 10 times the number of the left one and the number of the right one more."""
    shreds = tuple(make_shred(f"1-0{number}", np.ones((40, 12), np.bool_)) for number in range(1, 5))
    cost = (10 * np.arange(4)[:, None] + np.arange(4)).astype(np.float32)
    np.fill_diagonal(cost, np.inf)
    ends = np.full(4, 50, np.float32)
    costs = Costs.of_all(cost, np.zeros((4, 4), np.int16), ends, ends.copy())
    arrangement = Arrangement((tuple(shred.id for shred in shreds),))
    return replace(small_case, shreds=shreds, costs=costs, arrangement=arrangement, solved=None)


def test_the_cheapest_of_both_borders_first_and_never_the_pair_itself(case):
    assert alternatives(case, ("1-01", "1-02")) == (
        ("1-01", "1-03"),
        ("1-01", "1-04"),
        ("1-03", "1-02"),
        ("1-04", "1-02"),
    )
    assert alternatives(case, ("1-01", "1-02"), 1) == (("1-01", "1-03"), ("1-03", "1-02"))


def test_without_costs_there_are_none(case):
    assert alternatives(replace(case, costs=None), ("1-01", "1-02")) == ()
    assert alternatives(case, ("1-01", "9-99")) == ()


def test_a_shred_that_was_turned_since_has_no_cost(case):
    turned = replace(case.arrangement, half_turned=frozenset({"1-03"}))
    since = replace(case, solved=case.arrangement, arrangement=turned)
    assert alternatives(since, ("1-01", "1-02")) == (("1-01", "1-04"), ("1-04", "1-02"))
