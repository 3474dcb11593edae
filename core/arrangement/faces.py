"""Both faces of the paper: which shred is the other face of which, and what is seen when paper is turned over.

Each face that was scanned is a shred of its own. One of the two stands on a page; the other is what is seen behind it.
Paper is turned over about its upright axis: what was left is right then, what was above stays above.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.arrangement.arrangement import OtherFace


@dataclass(frozen=True)
class FacePair:
    """Two shreds that are the faces of one piece of paper.

    Attributes
    ----------
    one, other : str
        Identifiers; the first one was scanned first.
    half_turn : bool
        Turned over about its upright axis, the one stands as the other does upside down: each as it was found.
    lower_px : int
        By how much the middle of the other lies lower in the common frame than that of the one, each as it was found,
        when both show the paper at the same height.
    confidence : float
        0 to 1: how sure it is that they are.
    """

    one: str
    other: str
    half_turn: bool
    lower_px: int
    confidence: float = 1.0


def other_faces(pairs: Iterable[FacePair]) -> dict[str, OtherFace]:
    """Return what `Arrangement.other_faces` holds of pairs.

    Parameters
    ----------
    pairs : iterable of FacePair
        No shred is in two of them.

    Returns
    -------
    dict of str to OtherFace
        Each pair under both of its shreds.

    Examples
    --------
    >>> other_faces([FacePair("1-01", "2-05", True, 3)])
    {'1-01': ('2-05', True, 3), '2-05': ('1-01', True, -3)}
    """
    faces: dict[str, OtherFace] = {}
    for pair in pairs:
        faces[pair.one] = pair.other, pair.half_turn, pair.lower_px
        faces[pair.other] = pair.one, pair.half_turn, -pair.lower_px
    return faces


def turned_over(shred: str, half_turned: bool, faces: Mapping[str, OtherFace]) -> tuple[str, bool] | None:
    """Find what is seen when a shred is turned over about its upright axis.

    Parameters
    ----------
    shred : str
        Identifier.
    half_turned : bool
        Whether it stands upside down, against how it was found.
    faces : mapping of str to OtherFace
        See `Arrangement.other_faces`.

    Returns
    -------
    tuple of str and bool, or None
        The other face, and whether that stands upside down then; None if it is not known.
    """
    if shred not in faces:
        return None
    other, half_turn, _ = faces[shred]
    return other, half_turned != half_turn
