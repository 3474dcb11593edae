import numpy as np
import pytest

from core.solver.assignment import assign
from core.solver.graph import graph_of
from core.solver.tour import improve, pages_of, patch, tour_of
from tests.core.solver.test_graph import random_graph


@pytest.mark.parametrize("toll", [0.0, 100.0])
@pytest.mark.parametrize("share", [1.0, 0.2])
@pytest.mark.parametrize("n_pages", [1, 4, 15])
@pytest.mark.parametrize("seed", range(5))
def test_patching_and_improving_give_a_tour(n_pages: int, share: float, toll: float, seed: int) -> None:
    graph = random_graph(30, seed, n_pages=n_pages, share=share, toll=toll)
    assignment = assign(graph)
    reduced, patched = assignment.reduced, patch(assignment)
    improved = improve(reduced, patched)
    for tour in (patched, improved):
        assert sorted(tour) == sorted([*range(30), *[30] * n_pages])
        assert tour[0] == 30
        assert graph.length(tour) == pytest.approx(assignment.bound + reduced.length(tour))
    assert reduced.length(improved) <= reduced.length(patched) + 1e-12
    assert no_exchange_gains(reduced, improved) or toll == 0


def no_exchange_gains(graph, tour):
    """Try every exchange of neighbouring segments of which the first new arc is one of the most gainful."""
    n, own = len(tour), graph.price(tour, np.roll(tour, -1))
    for start in range(n):
        at = np.roll(tour, -start)
        gain = own[start] - graph.price(at[0], at[2:])
        for end in (np.argsort(-gain, kind="stable")[:8] + 1).tolist():
            for last in range(end + 1, n):
                new = np.concatenate([at[:1], at[end + 1 : last + 1], at[1 : end + 1], at[last + 1 :]])
                if gain[end - 1] > 1e-9 and graph.length(new) < graph.length(tour) - 1e-9:
                    return False
    return True


def test_improving_exchanges_two_segments() -> None:
    left, right = np.nonzero(~np.eye(7, dtype=bool))
    best = list(zip(range(6), range(1, 7), strict=True))
    cost = [0.0 if join in best else 1.0 for join in zip(left.tolist(), right.tolist(), strict=True)]
    to_blank, from_blank = np.ones((2, 7))
    to_blank[6] = from_blank[0] = 0
    graph = graph_of(left, right, cost, to_blank, from_blank, 1)
    exchanged = np.array([7, 0, 4, 5, 1, 2, 3, 6])
    assert improve(graph, exchanged).tolist() == [7, 0, 1, 2, 3, 4, 5, 6]


def test_improving_only_where_a_tour_changed() -> None:
    graph = random_graph(30, 3, n_pages=1, share=1.0, toll=100.0)
    worst = np.roll(np.arange(31), 1)
    assert improve(graph, worst, begin_at=np.zeros(0, dtype=np.intp)).tolist() == worst.tolist()
    some = improve(graph, worst, begin_at=np.array([5]))
    assert graph.length(some) < graph.length(worst)
    assert graph.length(improve(graph, some)) <= graph.length(some)


@pytest.mark.parametrize(("n_pages", "expected"), [(2, [4, 2, 0, 4, 1, 3]), (1, [4, 2, 0, 1, 3])])
def test_a_tour_of_pages_and_back(n_pages: int, expected: list[int]) -> None:
    left, right = np.array([0, 1, 2]), np.array([2, 3, 3])
    graph = graph_of(left, right, np.zeros(3), np.ones(4), np.ones(4), n_pages if n_pages > 1 else None)
    chained = [[0, 9], [1], [2], [3]]
    tour, places = tour_of(graph, [(2, 0, 9), (1, 3)], chained)
    assert tour.tolist() == expected
    # No arc leads from 2 to 0; between pages none has to.
    assert tour[places].tolist() == [2]
    assert pages_of(graph, tour)[-1] == [1, 3]


def test_where_pages_are_free_a_circle_may_become_one() -> None:
    left, right = np.array([0, 1, 2, 3]), np.array([1, 0, 3, 2])
    graph = graph_of(left, right, np.zeros(4), np.ones(4), np.ones(4), None)
    tour = improve(graph, patch(assign(graph)))
    assert graph.length(tour) == pytest.approx(4)


def test_what_leads_back_may_be_left_over_the_blank_node() -> None:
    left, right = np.array([0, 0, 1, 2, 2]), np.array([1, 2, 2, 1, 3])
    to_blank, from_blank = np.full((2, 4), 5.0)
    to_blank[[1, 3]], from_blank[[0, 3]] = 0.25, 0.25
    graph = graph_of(left, right, [1, 0, 1, 0, 1], to_blank, from_blank, None)
    assert improve(graph, np.array([4, 0, 1, 2, 3])).tolist() == [4, 0, 2, 1, 3]
