import numpy as np
import pytest

from core.solver.graph import Arcs, Graph, contract, graph_of


def random_graph(n: int, seed: int, *, n_pages: int = 1, share: float = 1.0, toll: float = 100.0) -> Graph:
    """A graph of n shreds in which a share of the joins is possible."""
    rng = np.random.default_rng(seed)
    possible = rng.random((n, n)) < share
    np.fill_diagonal(possible, False)
    left, right = np.nonzero(possible)
    graph = graph_of(left, right, rng.random(len(left)), rng.random(n), rng.random(n), n_pages)
    return graph.with_costs(graph.cost, toll)


@pytest.fixture
def graph() -> Graph:
    """0 → 1 → 2 → 0 and back from 1 to 0; pages of any number."""
    left, right = np.array([0, 1, 1, 2]), np.array([1, 0, 2, 0])
    return graph_of(left, right, [1, 2, 3, 4], [10, 20, 30], [1, 2, 3], None)


def test_arcs_are_found_from_both_ends(graph: Graph) -> None:
    arcs = graph.arcs
    assert list(zip(arcs.tail.tolist(), arcs.head.tolist(), strict=True)) == [
        (0, 1), (0, 3), (1, 0), (1, 2), (1, 3), (2, 0), (2, 3), (3, 0), (3, 1), (3, 2),
    ]  # fmt: skip
    assert arcs.find([0, 2, 3], [1, 1, 2]).tolist() == [0, -1, 9]
    assert arcs.leaving(np.array([2, 0])).tolist() == [5, 6, 0, 1]
    assert arcs.head[arcs.entering(np.array([0, 3]))].tolist() == [0, 0, 0, 3, 3, 3]
    assert arcs.tail[arcs.entering(np.array([0, 3]))].tolist() == [1, 2, 3, 0, 1, 2]


def test_what_has_no_arc_is_passed_over_the_blank_node(graph: Graph) -> None:
    assert graph.to_blank.tolist() == [10, 20, 30, np.inf]
    assert graph.from_blank.tolist() == [1, 2, 3, np.inf]
    assert graph.price([0, 2, 0, 3], [1, 1, 3, 0]).tolist() == [1, 32, 10, 1]
    assert np.isinf(graph.direct(2, 1))
    assert np.isinf(graph.price(3, 3))
    assert graph.length(np.array([3, 0, 2, 1])) == 1 + 13 + 32 + 20
    places, n_tolls = graph.passed(np.array([3, 0, 2, 1]), np.array([0, 2, 1, 3]))
    assert (places.tolist(), n_tolls) == ([1, 4, 6, 7, 8, 9], 2)


@pytest.mark.parametrize("toll", [0.0, 100.0])
def test_coming_to_one_node_from_many_costs_what_each_costs(toll: float) -> None:
    graph = random_graph(20, 0, share=0.3, toll=toll)
    tail = np.array([5, 20, 0, 5, *range(20)])
    for node in range(21):
        np.testing.assert_array_equal(graph.price_to(node, tail), graph.price(tail, node))


def test_a_number_of_pages_that_is_given_rules_out_others() -> None:
    graph = graph_of(np.array([0]), np.array([1]), [1], [2, 3], [4, 5], 2)
    assert (graph.n_pages, graph.toll) == (2, np.inf)
    assert np.isinf(graph.price(1, 0))


def test_the_cheapest_of_each_node_on_either_side() -> None:
    cost = np.random.default_rng(0).random((30, 30))
    tail, head = np.divmod(np.arange(900), 30)
    chosen = Arcs(30, tail, head).cheapest(cost.ravel(), 3).reshape(30, 30)
    rank = [np.argsort(np.argsort(cost, axis=axis), axis=axis) for axis in (0, 1)]
    np.testing.assert_array_equal(chosen, (rank[0] < 3) | (rank[1] < 3))


def test_contracted_costs_go_from_last_to_first() -> None:
    graph = random_graph(4, 0)
    contracted = contract(graph, [[0, 2], [1], [3]])
    assert contracted.direct([0, 1, 0, 3], [1, 0, 3, 0]).tolist() == graph.direct([2, 1, 2, 4], [1, 0, 4, 0]).tolist()
    assert np.isinf(contracted.direct(0, 0))
    assert np.all(np.diff(contracted.arcs.tail * 4 + contracted.arcs.head) > 0)
