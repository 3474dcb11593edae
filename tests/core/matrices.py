"""What is told of joins, as a matrix: a row for each left shred, a column for each right one."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.matching.confidence import confidence
from core.matching.costs import Costs


def matrix(costs: Costs, values: NDArray[Any] | None = None, otherwise: float = np.inf) -> NDArray[Any]:
    """Spread values of the joins of costs, or their prices."""
    values = costs.cost if values is None else values
    spread = np.full((costs.n, costs.n), otherwise, values.dtype)
    spread[costs.left, costs.right] = values
    return spread


def sure_of(costs: Costs, *args: Any) -> NDArray[np.float32]:
    """Spread how sure all joins are."""
    return matrix(costs, confidence(costs, *args), 0)
