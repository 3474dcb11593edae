"""What the encoder of pieces takes, for those who prepare it: nothing here loads Keras."""

from typing import Literal, TypeAlias

Direction: TypeAlias = Literal["across", "down"]
"""Which pieces a join puts together: one beside the other, across the page, or one below the other, down the page."""

DIRECTIONS: tuple[Direction, Direction] = ("across", "down")

DEPTH_PX = 24
"""So far into the piece its borders are read."""

STRIDE_PX = 2
"""One embedding stands for so many pixels along the cut."""

DARKEST = 255
"""A border's value where print is as dark as can be; 0 on paper."""
