"""Print the rooms of the house, how large they are, and the sentence that says what each is for.

Run ``python benchmarks/house.py`` for all rooms, or ``python benchmarks/house.py core/shreds`` for the modules of one.
Lines are lines of code: without docstrings, comments and blank lines.
"""

import argparse
import ast
import io
import os
import shutil
import sys
import tokenize
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
TOPS = ("core", "app", "training", "main.py")
_NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


class Row(NamedTuple):
    """A room or a module, as it is printed."""

    name: str
    modules: int
    lines: int
    sentence: str


def code_lines(source: str) -> int:
    """Count the lines on which there is code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node, clean=False)
            if docstring is not None:
                lines.difference_update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return len(lines)


def modules_of(folder: Path, *, deep: bool = True) -> list[Path]:
    """List the modules of a folder, those of the folders in it too if it is to be deep; a file is its own."""
    return [folder] if folder.is_file() else sorted(folder.rglob("*.py") if deep else folder.glob("*.py"))


def row(path: Path, *, deep: bool, indent: str = "", name: str = "") -> Row:
    """Describe a room by its modules and the sentence of its package, or a module by its own."""
    modules = modules_of(path, deep=deep)
    speaking = path / "__init__.py" if path.is_dir() else path
    docstring = ast.get_docstring(ast.parse(speaking.read_text(encoding="utf-8"))) if speaking.exists() else None
    lines = sum(code_lines(module.read_text(encoding="utf-8")) for module in modules)
    named = [module for module in modules if module.name != "__init__.py"]
    return Row(indent + (name or path.name), len(named), lines, (docstring or "").partition("\n")[0])


def rooms_in(folder: Path) -> list[Path]:
    """List the packages that lie in a folder."""
    return sorted(path.parent for path in folder.glob("*/__init__.py"))


def house() -> list[Row]:
    """Describe all rooms, the ones inside others after them; a room's numbers leave out the rooms in it."""
    rows = []
    for top in TOPS:
        rows.append(row(ROOT / top, deep=True))
        for room in rooms_in(ROOT / top):
            rows.append(row(room, deep=False, indent="    "))
            rows += [row(inner, deep=True, indent="    ", name=f"{room.name}/{inner.name}") for inner in rooms_in(room)]
    return rows


def room(folder: Path) -> list[Row]:
    """Describe a room: itself, the rooms in it, its modules."""
    rows = [row(folder, deep=True, name=folder.relative_to(ROOT).as_posix())]
    rows += [row(inner, deep=True, indent="    ", name=f"{inner.name}/") for inner in rooms_in(folder)]
    modules = [module for module in modules_of(folder, deep=False) if module.name != "__init__.py"]
    return rows + [row(module, deep=True, indent="    ") for module in modules]


def table(rows: Sequence[Row]) -> str:
    """Set rows in columns, as wide as the terminal; where the output goes elsewhere, nothing is cut off."""
    width = max(len(row.name) for row in rows)
    lines = [f"{'':{width}}  modules   lines"]
    lines += [f"{row.name:{width}}  {row.modules:7}  {row.lines:6,}  {row.sentence}".rstrip() for row in rows]
    if sys.stdout.isatty():
        columns = shutil.get_terminal_size().columns
        lines = [line if len(line) <= columns else line[: columns - 1] + "…" for line in lines]
    return "\n".join(lines)


def main() -> int:
    """Print the house, or a room."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("room", nargs="?", help="a folder: core, core/shreds, app/session…; without it, all rooms")
    arguments = parser.parse_args()
    if arguments.room is None:
        rows = house()
        tops = [row for row in rows if row.name in TOPS]
        rows.append(Row("total", sum(top.modules for top in tops), sum(top.lines for top in tops), ""))
    else:
        folder = Path(os.path.abspath(ROOT / arguments.room.replace(".", "/")))
        if not (folder / "__init__.py").is_file():
            parser.error(f"{arguments.room} is no room; run without a name to see all.")
        rows = room(folder)
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
