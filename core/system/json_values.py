"""Plain values that JSON can hold: written so that equal ones give equal bytes, and checked when they are read."""

import json
from collections.abc import Callable, Collection, Mapping
from functools import cache
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


def readable(values: Any) -> str:
    """Write values as ``json.dumps`` does with an indent of 1, of which Python's own takes ten times as long.

    Parameters
    ----------
    values : object
        What JSON can hold; keys are text.

    Returns
    -------
    str
        Without a line feed at the end.

    Raises
    ------
    TypeError, ValueError
        If JSON cannot hold them; infinite numbers are none.

    Examples
    --------
    >>> print(readable({"a": [1, 2], "b": {}}))
    {
     "a": [
      1,
      2
     ],
     "b": {}
    }
    """
    return _readable(values, 0)


def _readable(value: Any, depth: int) -> str:
    parts = value.values() if isinstance(value, dict) else value
    if not isinstance(value, dict | list | tuple) or not value:
        return _encoder(depth).encode(value)
    before, after = f"\n{' ' * (depth + 1)}", f"\n{' ' * depth}"
    if not any(isinstance(part, dict | list | tuple) for part in parts):
        text = _encoder(depth).encode(value)
        return f"{text[0]}{before}{text[1:-1]}{after}{text[-1]}"
    if isinstance(value, dict):
        named = (f"{_encoder(0).encode(key)}: {_readable(part, depth + 1)}" for key, part in value.items())
        return f"{{{before}{f',{before}'.join(named)}{after}}}"
    return f"[{before}{f',{before}'.join(_readable(part, depth + 1) for part in value)}{after}]"


@cache
def _encoder(depth: int) -> json.JSONEncoder:
    """Return what writes the values of a container of this depth, each on a line."""
    return json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(f",\n{' ' * (depth + 1)}", ": "))


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
    readers, read = _readers_of(kind), {}
    for name in names:
        try:
            read[name] = readers[name](values[name])
        except ValueError as error:
            raise ValueError(f"{name} in {what} is of the wrong kind") from error
    return read


@cache  # of thousands of shreds and joins the hints are the same
def _readers_of(kind: Callable[..., Any]) -> dict[str, Callable[[Any], Any]]:
    return {name: _reader(hint) for name, hint in get_type_hints(kind).items()}


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
    return _reader(hint)(value)


@cache
def _reader(hint: Any) -> Callable[[Any], Any]:
    """Return what converts a value to what a type hint asks for."""
    origin, parts = get_origin(hint), get_args(hint)

    def refuse(value: Any) -> Any:
        raise ValueError(f"{str(value)[:80]} is of the wrong kind")

    if origin in (Union, UnionType):
        one = _reader(next((part for part in parts if part is not type(None)), None))
        return lambda value: None if value is None else one(value)
    if origin is Literal:
        return lambda value: value if value in parts else refuse(value)
    if origin is tuple and parts[1:] == (...,):
        each = _reader(parts[0])
        return lambda value: tuple(map(each, value)) if isinstance(value, list) else refuse(value)
    if origin is tuple:
        kinds = tuple(map(_reader, parts))
        return lambda value: (
            tuple(kind(part) for kind, part in zip(kinds, value, strict=True))
            if isinstance(value, list)
            else refuse(value)
        )
    if origin is frozenset:
        each = _reader(parts[0])
        return lambda value: frozenset(map(each, value)) if isinstance(value, list) else refuse(value)
    if origin in (dict, Mapping):
        of_key = _reader(parts[1])
        return lambda value: (
            {key: of_key(part) for key, part in value.items()} if isinstance(value, dict) else refuse(value)
        )
    if hint is float:
        return lambda value: float(value) if type(value) in (int, float) and isfinite(value) else refuse(value)
    if hint in (bool, int, str):
        return lambda value: value if type(value) is hint else refuse(value)
    return (lambda value: value) if hint is Any else refuse


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
