import ast
from pathlib import Path

import pytest

from app.wording import TEMPLATES, template_of, told

CORE = Path(__file__).resolve().parents[2] / "core"


def texts_of_core():
    """List what `core` tells of its progress, with a number in every gap."""
    found = set()
    for path in sorted(CORE.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and path.parent.name != "command_line":
                name = getattr(call.func, "id", getattr(call.func, "attr", ""))
                counted = name == "map_in_order"
                given = call.args[2:3] if counted or name == "wait_for" else []
                given = call.args[1:2] if name in ("progress", "here", "report") else given
                found |= {text + " 7 of 7" * counted for text in map(with_numbers, given) if text}
    return sorted(found)


def with_numbers(node):
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        sides = {"side": "left"}
        gaps = [part if isinstance(part, ast.Constant) else None for part in node.values]
        names = [getattr(getattr(part, "value", None), "id", "") for part in node.values]
        return "".join(gap.value if gap else sides.get(name, "7") for gap, name in zip(gaps, names, strict=True))
    return ""


def test_whatever_core_tells_is_known():
    texts = texts_of_core()
    assert len(texts) > 30
    assert [text for text in texts if template_of(text) is None] == []


@pytest.mark.parametrize(
    ("text", "template", "gaps"),
    [
        (
            "Reading scan 1, page 2 of 3.pdf, page 4 of 5",
            TEMPLATES[0],
            {"name": "scan 1, page 2 of 3.pdf", "page": "4", "n": "5"},
        ),
        ("Reading borders of shred 3 of 9", TEMPLATES[1], {"number": "3", "n": "9"}),
        ("Reading a.png", "Reading {name}", {"name": "a.png"}),
    ],
)
def test_gaps_are_filled_with_what_stood_there(text, template, gaps):
    assert template_of(text) == (template, gaps)
    assert told(text) == text


def test_what_is_not_known_stays():
    assert told("Counting {sheep}") == "Counting {sheep}"
