import numpy as np

from core.solver.chains import chains, contract
from tests.core.solver.test_assignment import random_graph


def test_chains_leave_out_what_branches_or_closes() -> None:
    joins = np.array([[0, 1], [1, 2], [2, 0], [3, 2], [4, 3], [1, 5]])
    assert chains(6, joins) == [[0, 1, 2], [4, 3], [5]]


def test_contracted_costs_go_from_last_to_first() -> None:
    cost = random_graph(4, 0)
    contracted = contract(cost, [[0, 2], [1], [3]])
    assert contracted[0, 1] == cost[2, 1]
    assert contracted[1, 0] == cost[1, 0]
    assert contracted[0, -1] == cost[2, -1]
    assert contracted[-1, 0] == cost[-1, 0]
    assert np.diag(contracted).tolist() == [100.0] * 4
