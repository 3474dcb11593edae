"""Plain values that JSON can hold: written so that equal ones give equal bytes, and checked when they are read."""

import json
from collections.abc import Callable, Collection, Mapping
from math import isfinite
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def canonical(values: Any) -> bytes:
    """Write values as JSON so that equal ones give equal bytes: keys sorted, no blanks, shortest numbers.

    Names of files may hold bytes that are no text, which Python keeps as lone surrogates: JSON escapes them.

    Parameters
    ----------
    values : object
        What JSON can hold.

    Returns
    -------
    bytes
        UTF-8.

    Raises
    ------
    TypeError, ValueError
        If JSON cannot hold them; infinite numbers are none.

    Examples
    --------
    >>> canonical({"b": 0.5, "a": [1, "é"]}) == canonical({"a": [1, "é"], "b": 0.5})
    True
    >>> read_json(canonical({"b": 0.5, "a": None}))
    {'a': None, 'b': 0.5}
    """
    text = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace")


def read_json(data: bytes, infinite: bool = False) -> Any:
    """Read JSON.

    Parameters
    ----------
    data : bytes
        UTF-8.
    infinite : bool
        Let infinite numbers pass, which are no JSON.

    Returns
    -------
    object
        Dictionaries, lists, texts, numbers, True, False and None.

    Raises
    ------
    ValueError
        If it is none.
    """

    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is no JSON")

    return json.loads(data.decode(), parse_constant=None if infinite else refuse)


def check_keys(values: Mapping[str, Any], expected: Collection[str], what: str) -> None:
    """Check that no key is unknown or lacking: silence would hide what the file wants to say.

    Parameters
    ----------
    values : mapping
        As it was read; anything else is refused too.
    expected : collection of str
        The keys that it must have.
    what : str
        Names it in a sentence.

    Raises
    ------
    ValueError
        If it has others, or is no mapping.
    """
    if not isinstance(values, Mapping):
        raise ValueError(f"{what} is of the wrong kind")
    if values.keys() != set(expected):
        odd = ", ".join(sorted(values.keys() ^ set(expected)))
        raise ValueError(f"unknown or missing in {what}: {odd}")


def build(kind: Callable[..., T], values: Mapping[str, Any], names: Collection[str], what: str) -> T:
    """Build a dataclass of plain values from the values of its fields.

    Parameters
    ----------
    kind : type
        The dataclass.
    values : mapping
        A value for each of these fields, and nothing besides.
    names : collection of str
        Of its fields.
    what : str
        Names it in a sentence.

    Returns
    -------
    object
        Of that kind.

    Raises
    ------
    ValueError
        If a field is unknown, missing, or of the wrong kind.
    """
    return kind(**read_fields(kind, values, names, what))


def read_fields(
    kind: Callable[..., Any], values: Mapping[str, Any], names: Collection[str], what: str
) -> dict[str, Any]:
    """Read the values of some fields of a dataclass.

    Parameters
    ----------
    kind : type
        The dataclass.
    values : mapping
        A value for each of these fields, and nothing besides.
    names : collection of str
        The fields.
    what : str
        Names it in a sentence.

    Returns
    -------
    dict
        The values as `read_value` returns them, by the names of the fields.

    Raises
    ------
    ValueError
        If a field is unknown, missing, or of the wrong kind.
    """
    check_keys(values, names, what)
    hints = get_type_hints(kind)
    read = {}
    for name in names:
        try:
            read[name] = read_value(hints[name], values[name])
        except ValueError as error:
            raise ValueError(f"{name} in {what} is of the wrong kind") from error
    return read


def read_value(hint: Any, value: Any) -> Any:
    """Convert a value to what a type hint asks for: lists to tuples and sets, whole numbers to floats.

    Parameters
    ----------
    hint : type
        ``int``, ``tuple[str, ...]``, ``float | None`` and the like.
    value : object
        As JSON holds it.

    Returns
    -------
    object
        Of the type of the hint.

    Raises
    ------
    ValueError
        If it is of another kind.

    Examples
    --------
    >>> read_value(tuple[float, ...], [1, 2.5])
    (1.0, 2.5)
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
    """Collect attributes as values that JSON can hold; numbers of numpy become those of Python.

    Parameters
    ----------
    source : object
        Any object.
    names : collection of str
        Of its attributes.

    Returns
    -------
    dict
        Their values, by their names.
    """
    return {name: _plain(getattr(source, name)) for name in names}


def _plain(value: Any) -> Any:
    """Convert tuples to lists, and numbers of numpy to those of Python."""
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value.item() if hasattr(value, "item") else value
