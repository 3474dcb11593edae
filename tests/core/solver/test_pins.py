"""Shreds that are pinned stay on their page, however much cheaper another order were."""

from dataclasses import replace

import pytest

from core.arrangement.arrangement import Arrangement
from core.errors import UsageError
from core.solver.order import find_order
from tests.core.solver.test_order import IDS, costs, costs_of, problem

__all__ = ["costs"]

FIRST, SECOND = tuple(IDS[:4]), tuple(IDS[4:])


def found(costs, arrangement):
    solution, _ = find_order(problem(costs, 0.25, arrangement), n_least=2)
    return solution, [{IDS[row] for row in page} for page in solution.pages]


def test_a_pinned_shred_stays_on_its_page_with_the_neighbours_that_cost_least(costs):
    moved = Arrangement(pages=((*FIRST[:3], IDS[6], FIRST[3]), (IDS[4], IDS[5], IDS[7])), pinned=frozenset({IDS[6]}))
    solution, pages = found(costs, moved)
    assert pages == [{*FIRST, IDS[6]}, {IDS[4], IDS[5], IDS[7]}]
    assert not solution.optimal
    assert solution.gap > 0
    released, pages = found(costs, replace(moved, pinned=frozenset()))
    assert pages == [{*FIRST}, {*SECOND}]
    assert released.cost < solution.cost


def test_pins_that_hold_anyway_change_nothing(costs):
    plain = Arrangement(pages=(FIRST, SECOND))
    pinned, _ = found(costs, replace(plain, pinned=frozenset(IDS)))
    assert pinned == found(costs, plain)[0]


def test_what_joins_by_hand_hold_to_it_comes_along_and_again_changes_nothing(costs):
    joins = frozenset({(IDS[5], IDS[6])})
    moved = Arrangement(pages=((*FIRST, IDS[6]), (IDS[4], IDS[5], IDS[7])), pinned=frozenset({IDS[6]}), confirmed=joins)
    solution, pages = found(costs, moved)
    assert pages == [{*FIRST, IDS[5], IDS[6]}, {IDS[4], IDS[7]}]
    again = replace(moved, pages=tuple(tuple(IDS[row] for row in page) for page in solution.pages))
    assert found(costs, again)[0] == solution


def test_a_page_of_pinned_shreds_comes_back_where_there_would_be_none():
    alone = Arrangement(pages=((*FIRST, *SECOND[:3]), (IDS[7],)), pinned=frozenset({IDS[7], IDS[0]}))
    solution, _ = find_order(problem(costs_of(dear=1.0), 0.1, alone), n_least=1)
    assert solution.pages == (tuple(range(7)), (7,))


def test_pins_that_contradict_joins_are_named():
    apart = Arrangement(
        pages=(FIRST, SECOND), pinned=frozenset({IDS[1], IDS[5]}), confirmed=frozenset({(IDS[1], IDS[5])})
    )
    with pytest.raises(UsageError, match="1-01 is pinned to page 1 and 1-05 to page 2, but joins"):
        found(costs_of(), apart)
    begun = Arrangement(
        pages=((*FIRST, IDS[4]), SECOND[1:]),
        pinned=frozenset({IDS[0], IDS[4]}),
        held=frozenset({("", IDS[0]), ("", IDS[4])}),
    )
    with pytest.raises(UsageError, match="have no order"):
        found(costs_of(), begun)
