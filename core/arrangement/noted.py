"""What notes are about: the keys of `Arrangement.notes` taken apart, and places on shreds."""

from collections.abc import Mapping, Sequence

from core.arrangement.arrangement import OtherFace


def note_key(left: str, right: str) -> str:
    """Return the key of a note about a join, see `Arrangement.notes`.

    Parameters
    ----------
    left, right : str
        The shreds that are joined.

    Returns
    -------
    str
        Both, with a bar between them.
    """
    return f"{left}|{right}"


def abouts_of_join(left: str, right: str, faces: Mapping[str, OtherFace]) -> tuple[str, ...]:
    """List the keys of notes about a join: as it is seen, and from behind.

    Parameters
    ----------
    left, right : str
        The shreds that are joined.
    faces : mapping of str to OtherFace
        See `Arrangement.other_faces`.

    Returns
    -------
    tuple of str
        One, or two where both other faces are known.

    Examples
    --------
    >>> abouts_of_join("1-01", "1-02", {})
    ('1-01|1-02',)
    """
    if left not in faces or right not in faces:
        return (note_key(left, right),)
    return note_key(left, right), note_key(faces[right][0], faces[left][0])


def place_key(shred: str, place_px: Sequence[int]) -> str:
    """Return the key of a note about a place, see `Arrangement.notes`.

    Parameters
    ----------
    shred : str
        On which it is.
    place_px : sequence of int
        Left, top, width and height in the shred's own picture, as it was found: before any half-turn.

    Returns
    -------
    str
        The shred and the place, with @ between them.

    Examples
    --------
    >>> place_key("1-02", (40, 300, 120, 60))
    '1-02@40,300,120,60'
    >>> subject_of("1-02@40,300,120,60")
    (('1-02',), (40, 300, 120, 60))
    """
    return f"{shred}@{','.join(map(str, place_px))}"


def subject_of(about: str) -> tuple[tuple[str, ...], tuple[int, ...] | None]:
    """Find what a note is about.

    Parameters
    ----------
    about : str
        A key of `Arrangement.notes`.

    Returns
    -------
    shreds : tuple of str
        None for the case, one, or the two of a join.
    place_px : tuple of int or None
        Left, top, width and height in the picture of the one shred, if the note is about a place.

    Raises
    ------
    ValueError
        If it is no such key.
    """
    named, at, place = about.partition("@")
    shreds = tuple(named.split("|")) if named else ()
    if not at:
        return shreds, None
    place_px = tuple(map(int, place.split(",")))
    if len(shreds) != 1 or len(place_px) != 4:
        raise ValueError(f"{about} names no place on one shred.")
    return shreds, place_px


def over(place_px: Sequence[int], size_px: tuple[int, int]) -> tuple[int, ...]:
    """Return where a place lies on a shred that is turned upside down, or lay before it was.

    Parameters
    ----------
    place_px : sequence of int
        Left, top, width and height.
    size_px : tuple of int
        Width and height of the shred's picture.

    Returns
    -------
    tuple of int
        As `place_px`.

    Examples
    --------
    >>> over((10, 20, 30, 40), (100, 1000))
    (60, 940, 30, 40)
    """
    left, top, width, height = place_px
    return size_px[0] - left - width, size_px[1] - top - height, width, height


def numbered_places(notes: Mapping[str, str]) -> dict[str, int]:
    """Count the places that there are notes about, from 1: on the page and in the report they have the same number.

    Parameters
    ----------
    notes : mapping of str to str
        See `Arrangement.notes`.

    Returns
    -------
    dict of str to int
        By the keys of these notes, in the order in which they were written.
    """
    return {about: number for number, about in enumerate((about for about in notes if "@" in about), start=1)}
