"""Names of the arrays that pass from one stage to the next."""

from typing import TypeAlias

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
