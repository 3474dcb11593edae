"""A case whose order can really be found again: costs that say what the strips' numbers say, without a network."""

from dataclasses import replace

import numpy as np

from core.case.joins import join_table
from core.matching.costs import Costs
from core.pipeline import arrange
from tests.app.fakes import FakeEngine

ORDER = ("1-01", "1-02", "1-03", "2-01", "2-02", "2-03", "3-01", "3-02", "3-03")
"""In which the strips of three sheets are found to belong, on a single page; the last ones of each sheet are blank."""

DOUBTFUL = ("2-01", "2-02")
"""The join whose ban exchanges most: 2-02 and 2-03 change places."""


def doubtful_costs() -> Costs:
    """True joins cost 10, others about 30; but 1-03 2-02 2-01 2-03 costs hardly more than the true order."""
    rng = np.random.default_rng(0)
    n = len(ORDER)
    cost = rng.normal(30, 0.3, (n, n)).astype(np.float32)
    cost[np.arange(n - 1), np.arange(1, n)] = 10
    cost[2, 4] = cost[4, 3] = cost[3, 5] = 10.4
    np.fill_diagonal(cost, np.inf)
    shift_px = rng.integers(-2, 3, (n, n)).astype(np.int16) * 4
    ends = rng.normal(30, 0.3, (2, n)).astype(np.float32)
    ends[0, n - 1] = ends[1, 0] = 10
    contour = np.where(cost < 20, -2, 0).astype(np.float32)
    return Costs.of_all(cost, shift_px, *ends, temperature=1.0, contour=contour)


class SolvableEngine(FakeEngine):
    """Arranges the strips by `doubtful_costs`; everything that needs no network is as it really is."""

    def costs(self):
        """Price joins."""
        return doubtful_costs()

    def reconstruct(self, paths, on_sheet, progress, options, mends=None):
        case = super().reconstruct(paths, on_sheet, progress, options)
        if case.costs is not None:
            return case  # from a file
        costs = self.costs()
        arranged = arrange(case.shreds, costs, case.options)
        case = replace(case, costs=costs, arrangement=arranged.arrangement, joins=arranged.joins)
        assert join_table(case) is not None
        return case
