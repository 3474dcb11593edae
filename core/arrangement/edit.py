"""What an edit of an arrangement is; the edits themselves are in `core.arrangement.edits`."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, TypeAlias

from core.arrangement.arrangement import Arrangement, Pair

ShiftOf: TypeAlias = Callable[[str, str], int | None]
"""Returns how much lower than its left neighbour a shred lies by the costs, in pixels; None if nothing was compared."""


class InvalidEditError(ValueError):
    """An edit that the arrangement does not allow; the text is a sentence for the examiner."""


def unknown_shift(left: str, right: str) -> int | None:
    """Return None: nothing was compared.

    Parameters
    ----------
    left, right : str
        Identifiers of two shreds.

    Returns
    -------
    None
        For any pair.
    """
    return None


def check_confirmed(confirmed: frozenset[Pair], pair: Pair, after: str, before: str, ring: str) -> None:
    """Refuse a confirmation that contradicts those before.

    Parameters
    ----------
    confirmed : frozenset of Pair
        Neighbours that are confirmed already.
    pair : Pair
        Those that are to be.
    after, before, ring : str
        What is said if the first has another neighbour after it, if the second has one before it, and if the second
        leads to the first already: {one} and {other} stand for these, {there} for who is there.

    Raises
    ------
    InvalidEditError
        If they do.
    """
    one, other = pair
    next_of, before_of = dict(confirmed), {second: first for first, second in confirmed}
    if one in next_of:
        raise InvalidEditError(after.format(one=one, other=other, there=next_of[one]))
    if other in before_of:
        raise InvalidEditError(before.format(one=one, other=other, there=before_of[other]))
    end = other
    while end in next_of:
        end = next_of[end]
    if end == one:
        raise InvalidEditError(ring.format(one=one, other=other))


class Edit(ABC):
    """A change of an arrangement, as plain data."""

    _continued_if_same: ClassVar[tuple[str, ...]] = ()
    """Fields that are the same in two edits of this kind that are one step to the examiner: a drag, a nudge."""

    def apply(self, arrangement: Arrangement, shift_of: ShiftOf = unknown_shift) -> tuple[Arrangement, "Restore"]:
        """Change an arrangement.

        Parameters
        ----------
        arrangement : Arrangement
            Before the edit.
        shift_of : callable
            Asked for the shift of each pair that the edit makes neighbours.

        Returns
        -------
        after : Arrangement
            Equal to the one before if there is nothing to change.
        inverse : Restore
            Restores exactly the one before when it is applied to `after`.

        Raises
        ------
        InvalidEditError
            If it names shreds or pages that are not there, or would part what the examiner confirmed.

        Examples
        --------
        >>> from core.arrangement.edits import MoveShreds
        >>> before = Arrangement(pages=(("a", "b", "c"),))
        >>> after, inverse = MoveShreds(("c",), page=0, position=1).apply(before)
        >>> after.pages
        (('a', 'c', 'b'),)
        >>> restored, _ = inverse.apply(after)
        >>> restored == before
        True
        """
        after = self._changed(arrangement, shift_of)
        return after, Restore.between(after, arrangement)

    def foreseen(self, arrangement: Arrangement, shift_of: ShiftOf = unknown_shift) -> Arrangement:
        """Return the arrangement that `apply` would, without what undoes it: that takes time in a large case.

        Parameters
        ----------
        arrangement, shift_of
            See `apply`.

        Returns
        -------
        Arrangement
            After the edit.
        """
        return self._changed(arrangement, shift_of)

    @abstractmethod
    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        """Compute the arrangement after the edit."""

    def goes_on_in(self, later: "Edit") -> bool:
        """Check whether a later edit and this one are one step to the examiner: a drag, a nudge.

        Parameters
        ----------
        later : Edit
            The next one.

        Returns
        -------
        bool
            Whether it continues this one.
        """
        same = self._continued_if_same
        return bool(same) and type(later) is type(self) and all(getattr(later, x) == getattr(self, x) for x in same)


@dataclass(frozen=True)
class Restore(Edit):
    """Sets parts of an arrangement to given values; in dictionaries single entries, None for none."""

    parts: Mapping[str, Any]

    @classmethod
    def between(cls, one: Arrangement, other: Arrangement) -> "Restore":
        """Build the edit that makes one arrangement another.

        Parameters
        ----------
        one, other : Arrangement
            Of the same shreds.

        Returns
        -------
        Restore
            Only what is different.
        """
        parts: dict[str, Any] = {}
        for name in (field.name for field in fields(Arrangement)):
            old, new = getattr(one, name), getattr(other, name)
            if isinstance(new, dict):
                if entries := {key: new.get(key) for key, _ in old.items() ^ new.items()}:
                    parts[name] = entries
            elif old != new:
                parts[name] = new
        return cls(parts)

    def inverse(self, arrangement: Arrangement) -> "Restore":
        """Build the edit that undoes this one.

        Parameters
        ----------
        arrangement : Arrangement
            To which this one is applied.

        Returns
        -------
        Restore
            As `between` finds it of all that there is in both arrangements.
        """
        parts: dict[str, Any] = {}
        for name, part in self.parts.items():
            now = getattr(arrangement, name)
            parts[name] = {key: now.get(key) for key in part} if isinstance(part, dict) else now
        return Restore(parts)

    def then(self, later: "Restore") -> "Restore":
        """Build the edit that does what this and a later one do.

        Parameters
        ----------
        later : Restore
            Applied after this one.

        Returns
        -------
        Restore
            Both in one.
        """
        parts = dict(self.parts)
        for name, part in later.parts.items():
            parts[name] = parts.get(name, {}) | part if isinstance(part, dict) else part
        return Restore(parts)

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        parts = dict(self.parts)
        for name, entries in self.parts.items():
            if isinstance(entries, dict):
                parts[name] = getattr(arrangement, name) | entries
                for key in (key for key, value in entries.items() if value is None):
                    del parts[name][key]
        return replace(arrangement, **parts)
