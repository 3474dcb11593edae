"""What an edit of an arrangement is; the edits themselves are in `core.edits`."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

from core.arrangement import Arrangement

ShiftOf: TypeAlias = Callable[[str, str], int | None]
"""Tells how much lower than its left neighbour a shred lies by the costs; None where nothing was compared."""


class InvalidEditError(ValueError):
    """An edit that the arrangement does not allow; the text is a sentence for the examiner."""


def unknown_shift(left: str, right: str) -> int | None:
    """Know of no shift at all."""
    return None


class Edit(ABC):
    """A change of an arrangement, as plain data."""

    def apply(self, arrangement: Arrangement, shift_of: ShiftOf = unknown_shift) -> tuple[Arrangement, "Edit"]:
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
        inverse : Edit
            Gives back exactly the one before when it is applied to `after`.

        Raises
        ------
        InvalidEditError
            If it speaks of shreds or pages that are not there, or would part what the examiner confirmed.
        """
        after = self._changed(arrangement, shift_of)
        return after, Restore.between(after, arrangement)

    @abstractmethod
    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        """Give the arrangement after the edit."""

    @property
    def is_idle(self) -> bool:
        """Whether it certainly changes nothing."""
        return False

    def merged(self, later: "Edit") -> "Edit | None":
        """Give one edit that does what this and a later one do, if the two are one to the examiner: a drag, a nudge."""
        return None


@dataclass(frozen=True)
class Restore(Edit):
    """Sets parts of an arrangement to given values; in dictionaries single entries, None for none."""

    parts: Mapping[str, Any]

    @property
    def is_idle(self) -> bool:
        """Whether it names no part."""
        return not self.parts

    @classmethod
    def between(cls, one: Arrangement, other: Arrangement) -> "Restore":
        """Give the edit that makes the one arrangement the other."""
        parts: dict[str, Any] = {}
        for name in (field.name for field in fields(Arrangement)):
            old, new = getattr(one, name), getattr(other, name)
            if isinstance(new, dict):
                entries = {key: new.get(key) for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
                if entries:
                    parts[name] = entries
            elif old != new:
                parts[name] = new
        return cls(parts)

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        parts = dict(self.parts)
        for name, entries in self.parts.items():
            if isinstance(entries, dict):
                whole = getattr(arrangement, name) | entries
                parts[name] = {key: value for key, value in whole.items() if value is not None}
        return replace(arrangement, **parts)
