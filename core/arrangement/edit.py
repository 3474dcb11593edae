"""What an edit of an arrangement is; the edits themselves are in `core.arrangement.edits`."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

from core.arrangement.arrangement import Arrangement

ShiftOf: TypeAlias = Callable[[str, str], int | None]
"""Tells how much lower than its left neighbour a shred lies by the costs; None where nothing was compared."""


class InvalidEditError(ValueError):
    """An edit that the arrangement does not allow; the text is a sentence for the examiner."""


def unknown_shift(left: str, right: str) -> int | None:
    """Know of no shift at all."""
    return None


class Edit(ABC):
    """A change of an arrangement, as plain data."""

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

    def goes_on_in(self, later: "Edit") -> bool:
        """Tell whether a later edit and this one are one step to the examiner: a drag, a nudge."""
        return False


@dataclass(frozen=True)
class Restore(Edit):
    """Sets parts of an arrangement to given values; in dictionaries single entries, None for none."""

    parts: Mapping[str, Any]

    @classmethod
    def between(cls, one: Arrangement, other: Arrangement) -> "Restore":
        """Give the edit that makes the one arrangement the other."""
        parts: dict[str, Any] = {}
        for name in (field.name for field in fields(Arrangement)):
            old, new = getattr(one, name), getattr(other, name)
            if isinstance(new, dict):
                entries = {key: new.get(key) for key, _ in old.items() ^ new.items()}
                if entries:
                    parts[name] = entries
            elif old != new:
                parts[name] = new
        return cls(parts)

    def then(self, later: "Restore") -> "Restore":
        """Give the edit that does what this and a later one do."""
        parts = dict(self.parts)
        for name, part in later.parts.items():
            parts[name] = parts.get(name, {}) | part if isinstance(part, dict) else part
        return Restore(parts)

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        parts = dict(self.parts)
        for name, entries in self.parts.items():
            if isinstance(entries, dict):
                whole = getattr(arrangement, name) | entries
                parts[name] = {key: value for key, value in whole.items() if value is not None}
        return replace(arrangement, **parts)
