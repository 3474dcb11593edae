"""Names of the arrays that pass from one stage to the next, and the blocks in which large ones are gone through."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Mask: TypeAlias = NDArray[np.bool_]
"""Where something is: paper, ink, or what is chosen."""

Pixels: TypeAlias = NDArray[np.uint8]
"""RGB, grey values, or opacity."""

Floats: TypeAlias = NDArray[np.float32]
"""Costs, embeddings, and whatever else need not be exact."""

Doubles: TypeAlias = NDArray[np.float64]
"""Where rounding adds up: matrices of transforms, prices of orders."""

Indices: TypeAlias = NDArray[np.intp]
"""Rows and columns of arrays, nodes of a tour."""

Array: TypeAlias = NDArray[Any]
"""Of any kind."""


def blocks(n: int, size: int = 256) -> list[slice]:
    """Divide the rows of an array into blocks: what is made of them in between finds room in memory.

    Parameters
    ----------
    n : int
        How many rows there are.
    size : int
        Of a block, but for the last.

    Returns
    -------
    list of slice

    Examples
    --------
    >>> blocks(5, 2)
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]
