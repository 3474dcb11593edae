"""Options, arrangements and edits as values that JSON can hold, the same for what is equal."""

from collections.abc import Mapping
from typing import Any, get_origin, get_type_hints

from core.arrangement.arrangement import Arrangement
from core.arrangement.edit import Edit
from core.case.wire_names import ARRANGEMENT, EDITS, OPTIONS
from core.options import Options
from core.system.json_values import build, check_keys, pick, read_value


def describe_options(options: Options) -> dict[str, Any]:
    """Put options into values that JSON can hold."""
    return {stage: pick(getattr(options, stage), names) for stage, names in OPTIONS.items()}


def read_options(told: Mapping[str, Any]) -> Options:
    """Build the options that `describe_options` put into values.

    Raises
    ------
    ValueError, KeyError, TypeError
        If they are not the values of options.
    """
    check_keys(told, OPTIONS, "options")
    earlier = {  # what earlier versions did
        "reading": {"keep_duplicates": False},
        "cost": {"use_lines": False, "expect_margins": False},
    }
    told = {**told, **{name: {**known, **told[name]} for name, known in earlier.items()}}
    hints = get_type_hints(Options)
    return Options(**{name: build(hints[name], told[name], names, name) for name, names in OPTIONS.items()})


def describe_arrangement(arrangement: Arrangement) -> dict[str, Any]:
    """Put an arrangement into values that JSON can hold, the same for equal arrangements."""
    return {
        "pages": [list(page) for page in arrangement.pages],
        "set_aside": list(arrangement.set_aside),
        "shift_px": {shred: int(shift) for shred, shift in arrangement.shift_px.items()},
        "confirmed": sorted(map(list, arrangement.confirmed)),
        "forbidden": sorted(map(list, arrangement.forbidden)),
        "held": sorted(map(list, arrangement.held)),
        "parted": sorted(map(list, arrangement.parted)),
        "half_turned": sorted(arrangement.half_turned),
        "turned_deg": {shred: float(angle) for shred, angle in arrangement.turned_deg.items()},
        "notes": dict(arrangement.notes),
    }


def read_arrangement(told: Mapping[str, Any]) -> Arrangement:
    """Build the arrangement that `describe_arrangement` put into values.

    Raises
    ------
    ValueError, KeyError, TypeError
        If they are not the values of an arrangement.
    """
    told = {"notes": {}, **told}  # earlier versions knew of none
    check_keys(told, ARRANGEMENT, "arrangement")
    hints = get_type_hints(Arrangement)
    return Arrangement(**{name: read_value(hints[name], told[name]) for name in ARRANGEMENT})


def describe_edit(edit: Edit) -> dict[str, Any]:
    """Put an edit into values that JSON can hold: its kind under ``edit``, and its fields."""
    kind, names = EDITS[type(edit)]
    return {"edit": kind} | {name: _describe_value(getattr(edit, name)) for name in names}


def read_edit(told: Mapping[str, Any]) -> Edit:
    """Build the edit that `describe_edit` put into values.

    Raises
    ------
    ValueError, KeyError, TypeError
        If they are not the values of an edit.
    """
    found = next(((edit, names) for edit, (kind, names) in EDITS.items() if kind == told["edit"]), None)
    if found is None:
        raise ValueError(f"there is no edit {told['edit']}")
    edit, names = found
    hints = get_type_hints(edit)
    check_keys(told, {"edit", *names}, told["edit"])
    return edit(**{name: _read_value(hints[name], told[name]) for name in names})


def _describe_value(value: Any) -> Any:
    """Put what stands in a field of an edit into values."""
    match value:
        case Edit():
            return describe_edit(value)
        case Arrangement():
            return describe_arrangement(value)
        case Mapping():
            return {key: _describe_value(part) for key, part in value.items()}
        case frozenset():
            return sorted(_describe_value(part) for part in value)
        case tuple():
            return [_describe_value(part) for part in value]
    return value


def _read_value(hint: Any, value: Any) -> Any:
    """Build what stands in a field of an edit."""
    if hint is Arrangement:
        return read_arrangement(value)
    if hint == tuple[Edit, ...]:
        return tuple(map(read_edit, value))
    return _read_parts(value) if hint == Mapping[str, Any] else read_value(hint, value)


def _read_parts(told: Mapping[str, Any]) -> dict[str, Any]:
    """Build the parts of an arrangement that `Restore` holds; in dictionaries None stands for what is to vanish."""
    hints = get_type_hints(Arrangement)
    check_keys(told, told.keys() & hints.keys(), "Restore")
    parts = {}
    for name, part in told.items():
        if get_origin(hints[name]) is dict:
            kept = read_value(hints[name], {key: value for key, value in part.items() if value is not None})
            parts[name] = dict.fromkeys(part) | kept
        else:
            parts[name] = read_value(hints[name], part)
    return parts
