from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from core.progress import Cancelled
from core.solver.graph import Graph, graph_of
from core.solver.subtour_cuts import Programme, _loose_components, _minimum_cuts, violated
from tests.core.solver.test_graph import random_graph


def no_watch() -> None:
    pass


def two_circles() -> Graph:
    """Two circles of three shreds are cheap, everything else costs 1; the blank node is 6."""
    left, right = np.nonzero(~np.eye(6, dtype=bool))
    cheap = {(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)}
    cost = [0.0 if join in cheap else 1.0 for join in zip(left.tolist(), right.tolist(), strict=True)]
    graph = graph_of(left, right, cost, np.ones(6), np.ones(6), 1)
    return graph.with_costs(graph.cost, 100.0)


def test_cuts_open_circles_until_there_is_a_tour() -> None:
    programme = Programme(two_circles(), np.arange(42), 0, no_watch)
    bounds = []
    for _ in range(20):
        x = programme.solve()
        bounds.append(programme.price()[0])
        cuts = violated(programme, x)
        if not len(cuts):
            break
        programme.add_cuts(cuts)
    assert bounds == sorted(bounds)
    assert bounds[-1] == pytest.approx(3)  # blank → circle → circle → blank: three arcs that cost 1, four that cost 0
    assert not len(cuts)


def test_the_bound_counts_arcs_that_are_not_in_the_programme() -> None:
    graph = two_circles()
    tour = np.array([6, 0, 3, 1, 4, 2, 5])
    programme = Programme(graph, graph.arcs.find(tour, np.roll(tour, -1)), 0, no_watch)
    assert programme.solve() @ graph.cost[programme.places] == pytest.approx(7)
    bound, reduced = programme.price()
    assert bound <= 3
    assert reduced[graph.arcs.find(0, 1)] < 0
    while len(missing := np.flatnonzero(reduced < -1e-9)):
        assert programme.add_arcs(missing) > 0
        programme.solve()
        bound, reduced = programme.price()
    assert bound == pytest.approx(2)  # one circle is closed, the other begins and ends at the blank node


@pytest.mark.parametrize("separate", [_loose_components, partial(_minimum_cuts, watch=no_watch)])
def test_fractional_solutions_are_cut_off(separate: Callable[..., list[np.ndarray]]) -> None:
    # Half an arc leaves the shreds 0, 1 and 2; everything else is left by one arc at least. The blank node is 5.
    weights = {
        (5, 3): 1.0, (3, 0): 0.5, (3, 4): 0.5, (0, 1): 1.0, (1, 2): 1.0, (2, 0): 0.5, (2, 4): 0.5, (4, 5): 1.0,
    }  # fmt: skip
    tail, head = np.array(list(weights)).T
    sets = separate(6, tail, head, np.array(list(weights.values())))
    assert [members.tolist() for members in sets] == [[0, 1, 2]]


def test_cancelling_comes_out_of_highs() -> None:
    solving = False

    def cancel() -> None:
        if solving:
            raise Cancelled

    programme = Programme(random_graph(40, 0), np.arange(40 * 41), 0, cancel)
    solving = True
    with pytest.raises(Cancelled):
        programme.solve()


def test_a_cut_holds_for_arcs_that_come_later_and_tolls_are_paid_where_there_is_no_other_way() -> None:
    graph = two_circles()
    circles = np.flatnonzero(graph.cost == 0)
    margins = graph.arcs.find([6, 2, 6, 5], [0, 6, 3, 6])
    programme = Programme(graph, np.concatenate([circles, margins]), 0, no_watch)
    programme.add_cuts([np.array([0, 1, 2]), np.array([3, 4, 5])])
    assert programme.solve() @ graph.cost[programme.places] == pytest.approx(4)  # two pages, and a toll of 100
    programme.add_arcs(np.arange(len(graph.cost)))
    programme.solve()
    assert programme.price()[0] == pytest.approx(3)
