import json
from typing import Any, Literal

import pytest

from core.system.json_values import canonical, read_json, read_value, readable


def test_canonical_json_does_not_depend_on_the_order_of_keys():
    assert canonical({"b": 0.1, "a": "é"}) == canonical({"a": "é", "b": 0.1}) == '{"a":"é","b":0.1}'.encode()
    with pytest.raises(ValueError, match="JSON"):
        canonical({"a": float("nan")})


def test_infinite_numbers_are_no_json_unless_an_old_case_is_read():
    with pytest.raises(ValueError, match="NaN is no JSON"):
        read_json(b'{"a": NaN}')
    assert read_json(b'{"a": Infinity}', infinite=True) == {"a": float("inf")}


@pytest.mark.parametrize(
    ("hint", "value", "read"),
    [
        (int, 3, 3),
        (float, 3, 3.0),
        (float | None, None, None),
        (float | None, 1.5, 1.5),
        (tuple[int, int], [1, 2], (1, 2)),
        (tuple[str, ...], ["a"], ("a",)),
        (tuple[tuple[str, ...], ...], [["a"], []], (("a",), ())),
        (Literal["left", "right"], "left", "left"),
        (dict[str, int], {"a": 1}, {"a": 1}),
        (dict[str, Any], {"a": [None]}, {"a": [None]}),
    ],
)
def test_values_come_as_the_hint_asks(hint, value, read):
    back = read_value(hint, value)
    assert back == read
    assert type(back) is type(read)


@pytest.mark.parametrize(
    ("hint", "value"),
    [
        (int, True),
        (int, 1.0),
        (int, "1"),
        (bool, 1),
        (str, None),
        (float, "1"),
        (float, float("inf")),
        (tuple[int, int], [1, 2, 3]),
        (tuple[int, int], "12"),
        (tuple[str, ...], [1]),
        (Literal["left", "right"], "up"),
        (dict[str, int], {"a": "1"}),
        (dict[str, int], []),
    ],
)
def test_values_of_another_kind_are_refused(hint, value):
    with pytest.raises(ValueError, match=r"wrong kind|argument"):
        read_value(hint, value)


def test_names_of_bytes_that_are_no_text_are_escaped():
    name = "scan\udcff.png"
    assert canonical({"name": name}) == b'{"name":"scan\\udcff.png"}'
    assert read_json(canonical({"name": name})) == {"name": name}


@pytest.mark.parametrize(
    "value",
    [
        {"a": [1, [2, {"x": []}], 'ü\n, ": '], "b": {}, "c": {"d": 1.5, "e": None}, "f": "t"},
        {"g": [[], {}], "h": [{"k": (1, 2)}], "i": [True, [False]]},
        [],
        "text",
        1.0,
    ],
)
def test_what_is_readable_is_written_as_python_writes_it(value):
    assert readable(value) == json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False)


def test_what_is_no_json_is_not_written_readably():
    with pytest.raises(ValueError, match="not JSON compliant"):
        readable({"a": [float("nan")]})
