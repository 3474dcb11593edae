"""What the parameters of a history's entry may hold: as much as it takes to repeat the step, and nothing besides."""

from collections.abc import Mapping
from typing import Any

from core.errors import UnverifiedError
from core.history import Entry, History
from core.system.json_values import check_keys, read_value

TOLD_AT_ANY_STEP = ("versions", "weights_sha256")
"""What a step was done with stands in the entry that begins a case, and wherever it is no longer the same."""

LEFT_OUT = "left_out"
"""Sentences on inputs that were not read stand where sheets were."""

_REPEATED = frozenset({"sheets", "options", "keep", "edit", "solve", "to", "arrangement"})
_TOGETHER: tuple[set[str], ...] = (
    {"sheets", "options"},
    {"sheets", "options", "keep"},
    {"edit"},
    {"options"},
    {"solve"},
    {"to"},
    {"arrangement"},
    set(),
)
_KINDS: Mapping[str, Any] = {
    "sheets": tuple[dict[str, Any], ...],
    "options": dict[str, Any],
    "keep": bool,
    "edit": dict[str, Any],
    "solve": bool,
    "to": int,
    "arrangement": dict[str, Any],
    "versions": dict[str, str],
    "weights_sha256": str,
    LEFT_OUT: tuple[str, ...],
}
_SHEET: Mapping[str, Any] = {
    "name": str,
    "sha256": str,
    "size_bytes": int,
    "mask_sha256": str | None,
    "single_shred": bool,
}


def check_parameters(history: History) -> None:
    """See that every entry tells in one way alone how it is repeated.

    Raises
    ------
    UnverifiedError
        A sentence that names the first entry that does not.
    """
    for entry in history:
        try:
            _check(entry)
        except (ValueError, TypeError) as error:
            raise UnverifiedError(
                f'Entry {entry.number} of the history ("{entry.text}") does not tell how it is repeated, as Rejoin '
                f"does: {error}."
            ) from error


def told_last(history: History, name: str) -> Any:
    """Give what the history tells of versions or weights at its end; None where it tells nothing."""
    return next((entry.parameters[name] for entry in reversed(history) if name in entry.parameters), None)


def _check(entry: Entry) -> None:
    names = entry.parameters.keys() - set(TOLD_AT_ANY_STEP)
    if "sheets" in names:
        names -= {LEFT_OUT}
    repeated = names & _REPEATED
    if repeated not in _TOGETHER or (repeated and names != repeated):
        raise ValueError(f"{', '.join(sorted(names))} cannot stand together")
    for name in entry.parameters.keys() & _KINDS.keys():
        try:
            read_value(_KINDS[name], entry.parameters[name])
        except ValueError as error:
            raise ValueError(f"{name} is of the wrong kind") from error
    for sheet in entry.parameters.get("sheets", ()):
        check_keys(sheet, _SHEET.keys(), "a sheet")
        for name, kind in _SHEET.items():
            read_value(kind, sheet[name])
