"""Edges of pages: paper has margins, so print that touches a cut hardly lies at the edge of a sheet.

To the encoder blank paper is blank paper, whether it is the next shred or what lies beyond the sheet. So a blank shred
would fit as well to the left of a page as to its right, and the page would begin with letters at the very edge of the
paper: printers leave that blank. Ink near a border therefore raises the price of a page's end there.
"""

from dataclasses import replace

import numpy as np

from core.arrays import Mask
from core.matching.costs import Costs

NEAR_PX = 12
"""1 mm: print comes no nearer to the edge of a sheet."""

ROWS = 250.0
"""So many rows with ink that near (21 mm) make a page's end there e times less likely. Some few are worn edges, shadows
and marks of a copier, which are not rare at the edges of real sheets."""


def add_margins(costs: Costs, right: Mask, left: Mask) -> Costs:
    """Raise the price of ending a page where print touches the cut.

    Parameters
    ----------
    costs : Costs
        Of n shreds.
    right, left : ndarray of shape (n, h, 32), bool
        Ink on their borders, from `core.shreds.borders.read_borders`: the last column of a right border and the first
        of a left one lie at the cut.

    Returns
    -------
    Costs
        With other prices of pages' ends and beginnings; the costs of joins stay.
    """
    price = costs.temperature / ROWS
    near_right = right[:, :, -NEAR_PX:].any(axis=2).sum(axis=1)
    near_left = left[:, :, :NEAR_PX].any(axis=2).sum(axis=1)
    return replace(
        costs,
        to_blank=(costs.to_blank + price * near_right).astype(np.float32),
        from_blank=(costs.from_blank + price * near_left).astype(np.float32),
    )
