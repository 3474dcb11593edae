from itertools import pairwise

import numpy as np
import pytest

from core.arrangement.arrangement import MARGIN, Arrangement
from core.errors import UsageError
from core.faces.posed import Posed
from core.matching.costs import Costs
from core.matching.poses import twin
from core.options import SolverOptions
from core.progress import no_progress
from core.solver import order
from core.solver.order import Problem, find_order
from core.solver.solver import Solution
from tests.core.matrices import matrix

N = 8
IDS = [f"1-{k:02d}" for k in range(N)]


def costs_of(dear=5.0, margins=3.0, strangers=9.0):
    """Costs of a chain 0 … 7 whose joins cost 1, but between 3 and 4 they cost more: there a page ends."""
    cost = np.full((N, N), strangers, dtype=np.float32)
    cost[range(N - 1), range(1, N)] = 1
    cost[3, 4] = dear
    np.fill_diagonal(cost, np.inf)
    blank = np.full(N, margins, dtype=np.float32)
    return Costs.of_all(cost, np.zeros((N, N), dtype=np.int16), blank, blank.copy())


def doubled(costs):
    """The same shreds half-turned behind them, which fit nothing that lies the other way up."""
    n = len(costs.to_blank)
    cost = np.full((2 * n, 2 * n), 50, dtype=np.float32)
    cost[:n, :n] = matrix(costs)
    for left in range(n):
        for right in range(n):
            cost[twin(right, n), twin(left, n)] = costs.cost_of(left, right)
    to_blank = np.concatenate([costs.to_blank, costs.from_blank])
    from_blank = np.concatenate([costs.from_blank, costs.to_blank])
    upright = np.concatenate([np.ones(n), -np.ones(n)]).astype(np.float32)
    shift_px = np.zeros(cost.shape, np.int16)
    return Costs.of_all(cost, shift_px, to_blank, from_blank, costs.temperature, upright=upright)


def problem(costs, width, previous=None, n_pages=None):
    options = SolverOptions(n_pages=n_pages)
    return Problem(Posed.alone(IDS, costs), options, previous or Arrangement(), np.full(N, width), no_progress)


@pytest.fixture(params=["one way up", "both ways up"])
def costs(request):
    one_way = costs_of()
    return one_way if request.param == "one way up" else doubled(one_way)


def test_as_many_pages_as_the_widths_fill(costs):
    solution, pose = find_order(problem(costs, 0.1), n_least=1)
    assert solution.pages == (tuple(range(N)),)
    assert pose == list(range(N))
    assert solution.optimal


def test_no_page_is_wider_than_paper(costs):
    solution, _ = find_order(problem(costs, 0.25), n_least=1)
    assert solution.pages == ((0, 1, 2, 3), (4, 5, 6, 7))
    assert solution.optimal, "it is the cheapest on two pages of any width"


@pytest.mark.parametrize(("dear", "n_pages"), [(2.5, 2), (3.5, 3)])
def test_where_paper_calls_for_pages_one_ends_for_what_margins_cost_but_for_blank_beside_blank(dear, n_pages):
    costs = costs_of(dear=3.5, margins=3.0)
    costs.cost[(costs.left == 5) & (costs.right == 6)] = dear
    solution, _ = find_order(problem(costs, 0.15), n_least=1)
    assert len(solution.pages) == n_pages
    assert solution.optimal
    narrow, _ = find_order(problem(costs, 0.1), n_least=1)
    assert len(narrow.pages) == 1


def test_what_the_cheapest_order_cannot_have_is_told_by_the_gap():
    costs = costs_of(dear=1.0, margins=3.0)
    costs.to_blank[1] = costs.from_blank[2] = 2  # cheapest on two pages: 0 and 1, and a page of the others, too wide
    solution, _ = find_order(problem(costs, 0.25), n_least=2)
    assert solution.pages == ((0, 1, 2, 3), (4, 5, 6, 7))
    assert not solution.optimal
    assert solution.gap == pytest.approx(2 / solution.cost)


def test_the_cheapest_order_is_taken_where_breaking_its_wide_pages_is_still_cheaper(monkeypatch):
    costs = costs_of()
    worse = Solution(((0, 2, 1, 3), (4, 6, 5, 7)), 0.0, 0.0, 0.0, False)
    cheapest = Solution((tuple(range(N)),), 0.0, 0.0, 0.0, True)
    answers = iter([(worse, list(range(N))), (cheapest, list(range(N)))])
    monkeypatch.setattr(order, "_solved", lambda *_: next(answers))
    monkeypatch.setattr(order, "exchanged", lambda pages, *_: list(pages))
    solution, _ = find_order(problem(costs, 0.25), n_least=1)
    assert solution.pages == ((0, 1, 2, 3), (4, 5, 6, 7))
    assert not solution.optimal


def test_an_answer_changes_nothing_but_what_is_beside_it(costs):
    """That a page ends elsewhere needs no two others to become one."""
    first, _ = find_order(problem(costs, 0.2), n_least=1)
    assert first.pages == ((0, 1, 2, 3), (4, 5, 6, 7))
    ended = Arrangement(held=frozenset({(IDS[5], MARGIN)}))
    solution, _ = find_order(problem(costs, 0.2, ended), n_least=2)
    assert solution.pages == ((0, 1, 2, 3), (4, 5), (6, 7))


def test_where_joins_cost_the_same_an_answer_elsewhere_decides_nothing():
    costs = costs_of(strangers=1.0)
    pages = [find_order(problem(costs, 0.1), n_least=1)[0].pages]
    for join in pairwise(pages[0][0]):
        answered = Arrangement(confirmed=frozenset({(IDS[join[0]], IDS[join[1]])}))
        pages.append(find_order(problem(costs, 0.1, answered), n_least=1)[0].pages)
    assert len(set(pages)) == 1


def test_the_same_answers_give_the_same_order_whatever_was_there_before(costs):
    first, _ = find_order(problem(costs, 0.25), n_least=1)
    arrangement = Arrangement(pages=tuple(tuple(IDS[k] for k in page) for page in first.pages))
    again, _ = find_order(problem(costs, 0.25, arrangement), n_least=len(first.pages))
    assert again.pages == first.pages
    assert (again.optimal, again.gap) == (first.optimal, first.gap)


def test_a_number_of_pages_that_was_set_holds_however_wide_they_are(costs):
    solution, _ = find_order(problem(costs, 0.25, n_pages=1), n_least=2)
    assert solution.pages == (tuple(range(N)),)


def test_joins_by_hand_may_hold_more_together_than_a_page_is_wide(costs):
    by_hand = Arrangement(confirmed=frozenset(pairwise(IDS)))
    solution, _ = find_order(problem(costs, 0.25, by_hand), n_least=2)
    assert solution.pages == (tuple(range(N)),)


def test_few_joins_that_allow_no_other_number_of_pages_leave_the_first_order_unproved(monkeypatch):
    costs, asked = costs_of(), []

    def only_a_row(problem, n_pages, *broken):
        asked.append(n_pages)
        if n_pages is not None:
            raise UsageError("There is no order of the shreds: too many of their costs are infinite.")
        return solved(problem, n_pages, *broken)

    solved = order._solved
    monkeypatch.setattr(order, "_solved", only_a_row)
    solution, _ = find_order(problem(costs, 0.25), n_least=1)
    assert asked == [None, 2]
    assert solution.pages == ((0, 1, 2, 3), (4, 5, 6, 7))
    assert not solution.optimal
    assert solution.lower_bound <= solution.cost


def test_lots_are_the_same_for_a_join_and_what_it_is_upside_down_and_for_any_set():
    costs = doubled(costs_of(strangers=1.0))
    lots = order._with_lots(Posed.alone(IDS, costs)).costs
    turned = lots.cost_of((costs.right + N) % (2 * N), (costs.left + N) % (2 * N))
    np.testing.assert_array_equal(lots.cost, turned)
    drawn = (lots.cost - costs.cost)[costs.cost < 9] / (order.LOTS * costs.temperature)
    assert 0 <= drawn.min() < 0.1 < 0.4 < drawn.mean() < 0.6 < 0.9 < drawn.max() <= 1.01
    costs.cost[costs.at(3, 4)] = np.inf
    again = order._with_lots(Posed.alone(IDS, costs)).costs.cost
    assert np.array_equal(again[costs.cost < np.inf], lots.cost[costs.cost < np.inf])
    assert again[costs.at(3, 4)] == np.inf
