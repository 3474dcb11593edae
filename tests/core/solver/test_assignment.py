import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from core.solver.assignment import Assignment, assign, components
from core.solver.graph import Graph
from tests.core.solver.test_graph import random_graph

PROHIBITIVE = 100.0


def dense(graph: Graph) -> np.ndarray:
    """Cost of every step, with as many blank nodes as there are pages."""
    nodes = np.concatenate([np.arange(graph.blank), np.full(graph.n_pages, graph.blank)])
    price = graph.price(nodes[:, None], nodes[None, :])
    price[nodes[:, None] == nodes[None, :]] = np.inf
    return np.where(np.isinf(price), 1e6, price)


def value(assignment: Assignment, graph: Graph) -> float:
    return float(graph.price(assignment.nodes, assignment.nodes[assignment.successor]).sum())


@pytest.mark.parametrize("toll", [0.0, PROHIBITIVE])
@pytest.mark.parametrize("share", [1.0, 0.4, 0.05])
@pytest.mark.parametrize("n_pages", [1, 4, 20])
@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_cheapest_of_all(n_pages: int, share: float, toll: float, seed: int) -> None:
    graph = random_graph(40, seed, n_pages=n_pages, share=share, toll=toll)
    assignment = assign(graph)
    cost = dense(graph)
    assert sorted(assignment.successor) == list(range(len(cost)))
    assert assignment.bound == pytest.approx(cost[linear_sum_assignment(cost)].sum())
    assert value(assignment, graph) == pytest.approx(assignment.bound)


@pytest.mark.parametrize("n_pages", [1, 4])
@pytest.mark.parametrize("seed", range(10))
def test_reduced_costs_are_what_an_arc_adds_to_the_bound(n_pages: int, seed: int) -> None:
    graph = random_graph(30, seed, n_pages=n_pages)
    assignment = assign(graph)
    assert assignment.reduced.cost.min() >= 0
    assert value(assignment, assignment.reduced) == pytest.approx(0, abs=1e-9)
    rng = np.random.default_rng(seed)
    tour = rng.permutation(np.concatenate([np.arange(30), np.full(1, 30)]))
    if n_pages == 1:
        assert graph.length(tour) == pytest.approx(assignment.bound + assignment.reduced.length(tour))


@pytest.mark.parametrize("toll", [0.0, PROHIBITIVE])
@pytest.mark.parametrize("seed", range(10))
def test_prices_of_nearly_the_same_costs_are_a_beginning_and_no_more(toll: float, seed: int) -> None:
    before = random_graph(200, seed, n_pages=4, share=0.2, toll=toll)
    rng = np.random.default_rng(seed)
    dearer = before.cost + (rng.random(len(before.cost)) < 0.02) * 5.0 - (rng.random(len(before.cost)) < 0.01) * 0.5
    graph = before.with_costs(dearer, toll)
    assignment = assign(graph, near=assign(before).prices)
    cost = dense(graph)
    assert assignment.bound == pytest.approx(cost[linear_sum_assignment(cost)].sum())
    assert assignment.reduced.cost.min() >= 0
    assert value(assignment, assignment.reduced) == pytest.approx(0, abs=1e-9)


def test_of_many_nodes_few_arcs_are_looked_at_first() -> None:
    graph = random_graph(600, 0, n_pages=30, share=0.1)
    assignment = assign(graph)
    cost = dense(graph)
    assert assignment.bound == pytest.approx(cost[linear_sum_assignment(cost)].sum())
    assert value(assignment, assignment.reduced) == pytest.approx(0, abs=1e-7)


def test_what_passes_over_the_blank_node_is_in_one_cycle_with_it() -> None:
    graph = random_graph(30, 1, share=0.02)
    assignment = assign(graph)
    _, label = components(len(assignment.nodes), np.arange(len(assignment.nodes)), assignment.successor)
    heads = assignment.nodes[assignment.successor]
    over = np.isinf(graph.direct(assignment.nodes, heads))
    assert over.sum() > 2
    assert set(label[over]) == {label[-1]}


def test_components_are_numbered_by_their_first_nodes() -> None:
    # Among cycles of one size the first is patched first: another numbering would give another order.
    successor = np.array([4, 1, 5, 6, 0, 3, 2])
    n, label = components(7, np.arange(7), successor)
    assert (n, label.tolist()) == (3, [0, 1, 2, 2, 0, 2, 2])
