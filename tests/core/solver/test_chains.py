import numpy as np

from core.solver.chains import chains


def test_chains_leave_out_what_branches_or_closes() -> None:
    joins = np.array([[0, 1], [1, 2], [2, 0], [3, 2], [4, 3], [1, 5]])
    assert chains(6, joins) == [[0, 1, 2], [4, 3], [5]]
