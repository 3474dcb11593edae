"""Plain values that JSON can hold: written so that equal ones give equal bytes, and read with a look at every kind."""

import json
from collections.abc import Callable, Collection, Mapping
from math import isfinite
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def canonical(told: Any) -> bytes:
    """Write values as JSON so that equal ones give equal bytes: UTF-8, keys sorted, no blanks, shortest numbers.

    Names of files may hold bytes that are no text, which Python keeps as lone surrogates: JSON escapes them.

    Raises
    ------
    TypeError, ValueError
        If JSON cannot hold them; infinite numbers are none.
    """
    return json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode(
        "utf-8", "backslashreplace"
    )


def read_json(data: bytes, infinite: bool = False) -> Any:
    """Read JSON.

    Parameters
    ----------
    data : bytes
        UTF-8.
    infinite : bool
        Let infinite numbers pass, which are no JSON.

    Raises
    ------
    ValueError
        If it is none.
    """
    return json.loads(data.decode(), parse_constant=None if infinite else _refuse)


def check_keys(told: Mapping[str, Any], expected: Collection[str], what: str) -> None:
    """Refuse keys that are unknown or lacking: silence would hide what the file wants to say."""
    if not isinstance(told, Mapping):
        raise ValueError(f"{what} is of the wrong kind")
    if told.keys() != set(expected):
        odd = ", ".join(sorted(told.keys() ^ set(expected)))
        raise ValueError(f"unknown or missing in {what}: {odd}")


def build(kind: Callable[..., T], told: Mapping[str, Any], names: Collection[str], what: str) -> T:
    """Build a dataclass of plain values from the values of its fields.

    Parameters
    ----------
    kind : type
        The dataclass.
    told : mapping
        A value for each of its fields.
    names : collection of str
        Of its fields.
    what : str
        Names it in a sentence.

    Raises
    ------
    ValueError
        If a field is unknown, missing, or of the wrong kind.
    """
    return kind(**read_fields(kind, told, names, what))


def read_fields(kind: Callable[..., Any], told: Mapping[str, Any], names: Collection[str], what: str) -> dict[str, Any]:
    """Read the values of some fields of a dataclass; see `build`."""
    check_keys(told, names, what)
    hints = get_type_hints(kind)
    read = {}
    for name in names:
        try:
            read[name] = read_value(hints[name], told[name])
        except ValueError as error:
            raise ValueError(f"{name} in {what} is of the wrong kind") from error
    return read


def read_value(hint: Any, value: Any) -> Any:
    """Give a value as the type hint asks for it: tuples and sets for lists, floats for whole numbers.

    Raises
    ------
    ValueError
        If it is of another kind.
    """
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        hint = next((part for part in parts if part is not type(None)), None)
        return None if value is None else read_value(hint, value)
    if origin is Literal and value in parts:
        return value
    if origin is tuple and isinstance(value, list):
        kinds = parts[:1] * len(value) if parts[1:] == (...,) else parts
        return tuple(read_value(kind, part) for kind, part in zip(kinds, value, strict=True))
    if origin is frozenset and isinstance(value, list):
        return frozenset(read_value(parts[0], part) for part in value)
    if origin in (dict, Mapping) and isinstance(value, dict):
        return {key: read_value(parts[1], part) for key, part in value.items()}
    if hint is float and type(value) in (int, float) and isfinite(value):
        return float(value)
    if hint is Any or (hint in (bool, int, str) and type(value) is hint):
        return value
    raise ValueError(f"{str(value)[:80]} is of the wrong kind")


def pick(source: Any, names: Collection[str]) -> dict[str, Any]:
    """Collect attributes as values that JSON can hold; numbers of numpy become those of Python."""
    return {name: _plain(getattr(source, name)) for name in names}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value.item() if hasattr(value, "item") else value


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
