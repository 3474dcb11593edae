"""The harness of all measurements: a method prices the joins of a data set, the solver arranges it, the truth judges.

What is done before (finding the shreds) and after (finding the order) is the same for all methods, so that figures
differ by the costs alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from core.arrangement.arrangement import Arrangement
from core.matching.costs import Costs
from core.options import Options
from core.pipeline import Arranged, arrange
from core.progress import Progress, no_progress
from core.shreds.shred import Shred
from core.solver.constraints import poses
from training.measuring.accuracy import as_read, right_joins
from training.measuring.documents import DataSet
from training.measuring.methods import Method

STAGES = ("embed", "cost", "solve")


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """All documents of a data set, arranged together by one method.

    Attributes
    ----------
    data : DataSet
        Documents and their shreds.
    costs : Costs or None
        Of the joins; None if no shred bears ink.
    arranged : Arranged
        As many pages as there are documents, or one path.
    seconds : dict
        By stage, see `STAGES`.
    """

    data: DataSet
    costs: Costs | None
    arranged: Arranged
    seconds: dict[str, float]

    @property
    def n(self) -> int:
        """How many shreds with ink there are in truth."""
        return self.data.n_true

    @property
    def accuracy(self) -> float:
        """Share of the true joins that were made, 0 to 1."""
        return share_right(self.arranged.arrangement, self.data)

    @property
    def upright(self) -> float:
        """Share of the shreds that came out the right way up, 0 to 1."""
        return share_upright(self.arranged.arrangement, self.data)

    @property
    def candidates(self) -> float:
        """Share of the true joins between shreds that were compared that come into question at all, 0 to 1."""
        if self.costs is None:
            return 0.0
        compared = [shred.id for shred in self.data.found.shreds if shred.compared]
        both_ways = self.costs.n == 2 * len(compared)
        row = dict(zip(compared, poses(compared, self.data.upside_down if both_ways else ()), strict=True))
        true = [join for document in self.data.truth for join in pairwise(document) if {*join} <= row.keys()]
        found = [bool(np.isfinite(self.costs.cost_of(row[left], row[right]))) for left, right in true]
        return float(np.mean(found)) if found else 0.0

    def estimated_n_pages(self) -> int:
        """Arrange the shreds again without telling the number of pages, and count these."""
        if self.costs is None:
            return 0
        return len(arranged_as(self.data.found.shreds, self.costs, None).arrangement.pages)


def reconstruct(data: DataSet, method: Method, progress: Progress = no_progress) -> Reconstruction:
    """Reconstruct all documents of a data set together.

    Parameters
    ----------
    data : DataSet
        Documents; one, or several to be mixed.
    method : Method
        Prices the joins.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Reconstruction
        A document none of whose shreds was found has accuracy 0.
    """
    shreds = data.found.shreds
    if all(shred.blank for shred in shreds):
        return Reconstruction(data, None, Arranged(Arrangement(), (), True, 0.0), dict.fromkeys(STAGES, 0.0))
    costs, seconds = method.costs(shreds, progress)
    n_pages = sum(document.n_true > 0 for document in data.documents) if method.dummy == "blank" else 1
    arranged = arranged_as(shreds, costs, n_pages)
    return Reconstruction(data, costs, arranged, seconds | arranged.seconds)


def arranged_as(
    shreds: Sequence[Shred], costs: Costs, n_pages: int | None, previous: Arrangement | None = None
) -> Arranged:
    """Arrange shreds as so many pages.

    Without a number it is estimated; where an order was found before, there are no fewer, as in the window.
    """
    options = Options()
    solver = replace(options.solver, n_pages=n_pages)
    as_before = len(previous.pages) if previous is not None and n_pages is None else None
    return arrange(shreds, costs, replace(options, solver=solver), previous, n_pages=as_before)


def share_right(arrangement: Arrangement, data: DataSet) -> float:
    """Compute the share of right joins in the measure of `training.measuring.accuracy`, 0 to 1."""
    uncounted = data.uncounted
    counted = [[shred for shred in page if shred not in uncounted] for page in arrangement.pages]
    pages, _ = as_read(counted, arrangement.half_turned ^ data.upside_down)
    return right_joins(pages, data.truth) / max(1, data.n_true - 1)


def share_upright(arrangement: Arrangement, data: DataSet) -> float:
    """Compute the share of the shreds on pages that came out the right way up, 0 to 1."""
    _, upright = as_read(arrangement.pages, arrangement.half_turned ^ data.upside_down)
    return sum(map(len, upright)) / max(1, sum(map(len, arrangement.pages)))
