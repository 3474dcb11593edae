import numpy as np
import pytest

from core.solver.assignment import assign, components, improve, patch


def random_graph(n: int, seed: int) -> np.ndarray:
    graph = np.random.default_rng(seed).random((n + 1, n + 1))
    np.fill_diagonal(graph, 100.0)
    return graph


def length(cost: np.ndarray, tour: np.ndarray) -> float:
    return float(cost[tour, np.roll(tour, -1)].sum())


@pytest.mark.parametrize("n_pages", [1, 4])
@pytest.mark.parametrize("seed", range(10))
def test_reduced_costs_are_what_an_arc_adds_to_the_bound(n_pages: int, seed: int) -> None:
    cost = random_graph(30, seed)
    assignment = assign(cost, n_pages)
    nodes, successor = assignment.nodes, assignment.successor
    assert assignment.reduced.min() >= 0
    assert assignment.reduced[nodes, nodes[successor]].sum() == pytest.approx(0, abs=1e-9)
    assert cost[nodes, nodes[successor]].sum() == pytest.approx(assignment.bound)
    tour = patch(assignment)
    assert length(cost, tour) == pytest.approx(assignment.bound + length(assignment.reduced, tour))


@pytest.mark.parametrize("n_pages", [1, 4])
@pytest.mark.parametrize("seed", range(10))
def test_patching_and_improving_give_a_tour(n_pages: int, seed: int) -> None:
    assignment = assign(random_graph(30, seed), n_pages)
    patched = patch(assignment)
    improved = improve(assignment.reduced, patched)
    for tour in (patched, improved):
        assert sorted(tour) == sorted([*range(30), *[30] * n_pages])
        assert tour[0] == 30
    assert length(assignment.reduced, improved) <= length(assignment.reduced, patched) + 1e-12


def test_improving_exchanges_two_segments() -> None:
    cost = np.ones((8, 8))
    best = np.array([7, 0, 1, 2, 3, 4, 5, 6])
    cost[best, np.roll(best, -1)] = 0
    exchanged = np.array([7, 0, 4, 5, 1, 2, 3, 6])
    assert improve(cost, exchanged).tolist() == best.tolist()


def test_components_are_numbered_by_their_first_nodes() -> None:
    # Among cycles of one size the first is patched first: another numbering would give another order.
    successor = np.array([4, 1, 5, 6, 0, 3, 2])
    n, label = components(7, np.arange(7), successor)
    assert (n, label.tolist()) == (3, [0, 1, 2, 2, 0, 2, 2])
