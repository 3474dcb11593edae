"""Which joins can be known by print: some is on both sides of the cut, on one face at least.

Margins that bear specks alone count as shreds with ink; nothing but their contours tells where they belong.
"""

from collections import defaultdict
from collections.abc import Collection

import numpy as np

from core.embedded import Embedded
from training.measuring.faces.truth import Join, Strip, TwoFaced

LEAST_INK_PX = 100
"""Less ink along a side of a cut is a speck, or the tail of a letter."""


def joins_with_print(joins: Collection[Join], data: TwoFaced, embedded: Embedded, faces: Collection[str]) -> list[Join]:
    """Choose the joins between strips that bear print on both sides of the cut, on the same face.

    Parameters
    ----------
    joins : collection of Join
        True ones, as the front shows them.
    data : TwoFaced
        The truth.
    embedded : Embedded
        Of the shreds that were compared: its borders are looked at.
    faces : collection of str
        Those that count.

    Returns
    -------
    list of Join
        Those of them, in their order.
    """
    beside: dict[Strip, dict[str, tuple[int, int]]] = defaultdict(dict)
    for row, shred in enumerate(embedded.shreds):
        true = data.faces.get(shred.id)
        if true is not None and true.face in faces:
            ink_px = [int(np.count_nonzero(side[row])) for side in (embedded.borders.left, embedded.borders.right)]
            # Upside down the left border is the right one, and so it is from behind.
            reverse = true.upside_down != (true.face == "back")
            beside[true.strip][true.face] = (ink_px[reverse], ink_px[not reverse])

    def has_print(join: Join) -> bool:
        left, right = (beside[strip] for strip in join)
        return any(min(left[face][1], right[face][0]) >= LEAST_INK_PX for face in left.keys() & right.keys())

    return [join for join in joins if has_print(join)]
