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


def test_what_pins_leave_no_choice_in_or_make_no_dearer_is_proved():
    moved = Arrangement(pages=((*FIRST[:3], IDS[6], FIRST[3]), (IDS[4], IDS[5], IDS[7])), pinned=frozenset(IDS))
    solution, pages = found(costs_of(), moved)
    assert pages == [{*FIRST, IDS[6]}, {IDS[4], IDS[5], IDS[7]}]
    assert (solution.optimal, solution.gap) == (True, 0)
    alike = costs_of()
    alike.cost[alike.at([2, 6], [7, 3])] = 1  # shreds 3 and 7 are as good in the place of one another
    free, _ = found(alike, Arrangement(pages=(FIRST, SECOND)))
    swapped = Arrangement(pages=((*FIRST[:3], IDS[7]), (*SECOND[:3], IDS[3])), pinned=frozenset({IDS[3], IDS[7]}))
    solution, pages = found(alike, swapped)
    assert pages == [{*FIRST[:3], IDS[7]}, {*SECOND[:3], IDS[3]}]
    assert solution.cost == free.cost
    assert solution.optimal


def test_pins_to_two_pages_that_a_confirmed_join_makes_one_hold_on_that_one(costs):
    pages = (FIRST[:3], (IDS[3], *SECOND[:1]), SECOND[1:])
    pinned = frozenset({IDS[0], IDS[4], IDS[6]})
    joined = Arrangement(pages=pages, pinned=pinned, confirmed=frozenset({(IDS[2], IDS[3])}))
    _, found_pages = found(costs, joined)
    assert found_pages == [{*FIRST, IDS[4]}, {*SECOND[1:]}]
    _, apart = found(costs, replace(joined, confirmed=frozenset()))
    assert not any({IDS[0], IDS[4]} <= page for page in apart), "without it each stays on its own"


def test_what_joins_by_hand_hold_to_it_comes_along_and_again_changes_nothing(costs):
    joins = frozenset({(IDS[5], IDS[6])})
    moved = Arrangement(pages=((*FIRST, IDS[6]), (IDS[4], IDS[5], IDS[7])), pinned=frozenset({IDS[6]}), confirmed=joins)
    solution, pages = found(costs, moved)
    assert sorted(pages, key=min) == [{*FIRST, IDS[5], IDS[6]}, {IDS[4], IDS[7]}], (
        "in whichever order: it costs the same"
    )
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
