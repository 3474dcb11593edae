from dataclasses import replace

import numpy as np

from core.options import Options
from training.measuring.documents import read_data_set
from training.measuring.reconstruction import reconstruct


class TrueOrder:
    """Knows the truth: every shred costs nothing after the one before it."""

    label, dummy = "truth", "blank"

    def costs(self, shreds, progress=None):
        from core.matching.costs import Costs

        n = len(shreds)
        cost = np.ones((n, n), dtype=np.float32)
        cost[np.arange(n - 1), np.arange(1, n)] = 0
        np.fill_diagonal(cost, np.inf)
        blank = np.full(n, 0.4, dtype=np.float32)
        return Costs.of_all(cost, np.zeros((n, n), np.int16), blank, blank), {"embed": 1.0, "cost": 2.0}


def test_the_truth_is_all_right(data_set):
    data = read_data_set(data_set, Options())
    measured = reconstruct(data.of([data.documents[1]]), TrueOrder())
    assert (measured.accuracy, measured.n) == (1.0, 4)
    assert measured.seconds.keys() == {"embed", "cost", "solve"}
    assert reconstruct(data, TrueOrder()).n == 8
    assert measured.candidates == 1
    left_out = replace(measured.costs, cost=np.where(measured.costs.cost == 0, np.inf, measured.costs.cost))
    assert replace(measured, costs=left_out).candidates == 0
