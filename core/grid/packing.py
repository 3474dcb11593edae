"""Rows by what lies side by side are packed into rows of one length: a beginning for what improves whole pages."""

from collections import Counter
from collections.abc import Sequence

from core.arrays import Doubles, Floats
from core.grid.completion import LEAST_LENGTH
from core.grid.standing import Run


def likely_length(rows: Sequence[Sequence[int]]) -> int | None:
    """Find how long rows of all pieces may be, where that of complete ones does not tell it.

    Parameters
    ----------
    rows : sequence of sequence of int
        Of all pieces, each once.

    Returns
    -------
    int or None
        A length of which there are two rows at least, and which all pieces fill; the one with most pieces. None where
        there is none.
    """
    n, counts = sum(map(len, rows)), Counter(map(len, rows))
    lengths = [one for one, times in counts.items() if times > 1 and one >= LEAST_LENGTH and n % one == 0 and n > one]
    return max(lengths, key=lambda one: (counts[one] * one, one), default=None)


def packed(rows: Sequence[Run], length: int, seams: Doubles | Floats) -> list[Run]:
    """Break rows that are too long, and put parts of others together, where least speaks against it.

    Parameters
    ----------
    rows : sequence of Run
        Of pieces that fill rows of one length.
    length : int
        Of a row.
    seams : ndarray of shape (m, m), float64
        What each pose right of each other costs.

    Returns
    -------
    list of Run
        The same pieces.
    """
    parts = sorted((part for row in rows for part in broken(row, length, seams)), key=lambda part: (-len(part), part))
    done = []
    while parts:
        row = parts.pop(0)
        while len(row) < length:
            room = length - len(row)
            fitting = [part for part in parts if len(part) <= room]
            if fitting:
                part = min(fitting, key=lambda one: (len(one) != room, -len(one), _beside(row, one, seams)[0], one))
                parts.remove(part)
            else:
                whole = max(parts, key=lambda one: (seams[one[room - 1], one[room]], one))
                parts.remove(whole)
                part = whole[:room]
                parts.append(whole[room:])
            row = _beside(row, part, seams)[1]
        done.append(row)
    return done


def broken(row: Run, length: int, seams: Doubles | Floats) -> list[Run]:
    """Break a row where least speaks for its joins, so that no part is too long.

    Parameters
    ----------
    row, length, seams
        See `packed`.

    Returns
    -------
    list of Run
        Its parts, from left to right.
    """
    if len(row) <= length:
        return [row]

    def weakness(at: int) -> tuple[bool, float]:
        return min(at, len(row) - at) <= length, float(seams[row[at - 1], row[at]])

    at = max(range(1, len(row)), key=weakness)
    return [*broken(row[:at], length, seams), *broken(row[at:], length, seams)]


def _beside(row: Run, part: Run, seams: Doubles | Floats) -> tuple[float, Run]:
    """Put a part to the right of a row or to its left, whichever costs less."""
    right, left = float(seams[row[-1], part[0]]), float(seams[part[-1], row[0]])
    return (right, row + part) if right <= left else (left, part + row)
