"""What of a case is to go out; apart from what writes it, which takes long to import."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, TypeAlias

PageFormat: TypeAlias = Literal["png", "tiff"]
OrderFormat: TypeAlias = Literal["csv", "json"]

ABOUT = "ABOUT.txt"
"""File of an exported folder that says what the others are and what they were made from."""

SUMS = "SHA256SUMS"
"""File of an exported folder that lists the hashes of the others."""


@dataclass(frozen=True)
class Export:
    """What to export.

    Attributes
    ----------
    pages : {"png", "tiff"} or None
        The pages, one file each.
    order : collection of {"csv", "json"}
        Where each shred stands, and how sure its join with its left neighbour is.
    shreds : bool
        Each shred, cut out, as it stands on the pages; transparent beyond its paper.
    seams : bool
        The pages once more with cuts drawn, gaps marked, and the shreds' numbers above the paper.
    """

    pages: PageFormat | None = None
    order: Collection[OrderFormat] = ()
    shreds: bool = False
    seams: bool = False
