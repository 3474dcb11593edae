"""Pictures of single shreds whose names tell which two are the faces of one piece of paper."""

from collections.abc import Sequence

from core.arrangement.faces import FacePair
from core.sheets.sheet import SheetInfo, paired_by_name
from core.shreds.shred import Shred

SAME_SIZE = 0.05
"""By more than this share both faces of one paper do not differ in width or height."""


def pairs_by_name(shreds: Sequence[Shred], sheets: Sequence[SheetInfo]) -> tuple[FacePair, ...]:
    """Pair the faces that pictures of single shreds are named as.

    Parameters
    ----------
    shreds : sequence of Shred
        Of a case.
    sheets : sequence of SheetInfo
        On which they lie.

    Returns
    -------
    tuple of FacePair
        As they lie: a picture of each face is taken to be the same way up. Empty where names tell nothing, see
        `core.sheets.sheet.paired_by_name`; what is of another size than its partner stands for itself.
    """
    single = [shred for shred in shreds if sheets[shred.sheet].single_shred and not shred.scrap]
    named = paired_by_name([sheets[shred.sheet].path for shred in single])
    pairs = [(single[one], single[other]) for one, other in named]
    return tuple(FacePair(one.id, other.id, False, 0) for one, other in pairs if _of_one_size(one, other))


def _of_one_size(one: Shred, other: Shred) -> bool:
    sizes = (one.width_px, other.width_px), (one.height_px, other.height_px)
    return all(abs(a_px - b_px) <= SAME_SIZE * max(a_px, b_px) for a_px, b_px in sizes)
