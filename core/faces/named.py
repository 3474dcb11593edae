"""Pictures of single shreds whose names tell which two are the faces of one piece of paper: 017a.png and 017b.png."""

from collections import defaultdict
from collections.abc import Sequence

from core.arrangement.faces import FacePair
from core.sheets.sheet import SheetInfo
from core.shreds.shred import Shred

ENDINGS = (("a", "b"), ("r", "v"), ("front", "back"), ("recto", "verso"))
"""Of the names of the two faces; what stands before them is one and the same."""

MOST = 0.9
"""So many of the pictures have a partner, or names are taken to mean something else."""

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
        In the order of the shreds, as they lie: a picture of each face is taken to be the same way up. Empty where most
        pictures have no partner, or are of another size than theirs.
    """
    single = [shred for shred in shreds if sheets[shred.sheet].single_shred and not shred.scrap]
    for endings in ENDINGS:
        faces: dict[tuple[object, ...], list[Shred | None]] = defaultdict(lambda: [None, None])
        for shred in single:
            path = sheets[shred.sheet].path
            for over, ending in enumerate(endings):
                before = path.stem.lower().removesuffix(ending)
                if before != path.stem.lower() and before[-1:] in "0123456789 ._-":
                    faces[path.parent, before, path.suffix, sheets[shred.sheet].page][over] = shred
        pairs = [(one, other) for one, other in faces.values() if one and other and _of_one_size(one, other)]
        if pairs and 2 * len(pairs) >= MOST * len(single):
            return tuple(FacePair(one.id, other.id, False, 0) for one, other in pairs)
    return ()


def _of_one_size(one: Shred, other: Shred) -> bool:
    sizes = (one.width_px, other.width_px), (one.height_px, other.height_px)
    return all(abs(a_px - b_px) <= SAME_SIZE * max(a_px, b_px) for a_px, b_px in sizes)
