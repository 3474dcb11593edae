"""How the house is built, as docs/architecture.md has it: no circles, small rooms, short files, a test for each module.

Which room may use which, the import contracts in pyproject.toml say.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TOPS = ("core", "app", "training")

MOST_MODULES = 14
"""In a folder: what the eye takes in at once."""

MOST_LINES = 420
"""In a file, with docstrings, comments and blank lines. The aim is 400."""

COVERED_BY: dict[str, str] = {
    "app.shell": "tests/app/test_main_window.py",
    "app.sheets.controller": "tests/app/test_main_window.py",
    "app.actions": "tests/app/test_main_window.py",
    "app.desk.desk_view": "tests/app/desk/test_controller.py",
    "app.desk.groups": "tests/app/desk/test_controller.py",
    "app.desk.shred_pictures": "tests/app/desk/test_controller.py",
    "app.joins.cost_plot": "tests/app/joins/test_controller.py",
    "app.joins.pair_canvas": "tests/app/joins/test_controller.py",
    "app.joins.pair_view": "tests/app/joins/test_controller.py",
    "app.joins.review": "tests/app/joins/test_controller.py",
    "app.pages.dragging": "tests/app/pages/test_controller.py",
    "app.pages.find_bar": "tests/app/pages/test_finder.py",
    "app.pages.order_strip": "tests/app/pages/test_controller.py",
    "app.pages.page_editor": "tests/app/pages/test_controller.py",
    "app.pages.page_view": "tests/app/test_main_window.py",
    "app.pages.pointer": "tests/app/pages/test_controller.py",
    "app.pages.shred_operations": "tests/app/pages/test_controller.py",
    "app.pages.turn_popup": "tests/app/pages/test_controller.py",
    "app.record.choices": "tests/app/record/test_export.py",
    "app.record.controller": "tests/app/record/test_export.py",
    "app.record.examiner": "tests/app/record/test_history.py",
    "app.rows.marks": "tests/app/rows/test_controller.py",
    "app.rows.operations": "tests/app/rows/test_controller.py",
    "app.samples.controller": "tests/app/samples/test_sample_panel.py",
    "core.grid.stacking": "tests/core/grid/test_pages.py",
    "app.samples.inspector": "tests/app/samples/test_sample_panel.py",
    "app.samples.sample_cards": "tests/app/samples/test_sample_panel.py",
    "app.samples.sample_map": "tests/app/samples/test_sample_panel.py",
    "app.session.document": "tests/app/test_main_window.py",
    "app.session.engine": "tests/app/test_repeating.py",
    "app.session.writer": "tests/app/test_ending.py",
    "app.settings": "tests/app/test_main_window.py",
    "app.session.mender": "tests/app/sheets/test_mending.py",
    "app.sheets.mend_canvas": "tests/app/sheets/test_mending.py",
    "app.sheets.mend_page": "tests/app/sheets/test_mending.py",
    "app.sheets.mend_paint": "tests/app/sheets/test_mending.py",
    "app.sheets.reshaping": "tests/app/sheets/test_mending.py",
    "app.sheets.sheet_view": "tests/app/test_main_window.py",
    "app.sheets.source_view": "tests/app/test_main_window.py",
    "app.table.page_delegate": "tests/app/table/test_controller.py",
    "app.table.page_model": "tests/app/table/test_controller.py",
    "app.table.table_bar": "tests/app/table/test_controller.py",
    "app.table.table_view": "tests/app/table/test_controller.py",
    "app.table.thumbnails": "tests/app/table/test_controller.py",
    "app.theme": "tests/app/test_main_window.py",
    "app.widgets.drop": "tests/app/test_main_window.py",
    "app.widgets.layouts": "tests/app/widgets/test_options_form.py",
    "app.widgets.note_marks": "tests/app/test_wording.py",
    "app.widgets.plots": "tests/app/samples/test_sample_panel.py",
    "app.widgets.progress_panel": "tests/app/test_application.py",
    "app.widgets.rows": "tests/app/record/test_history.py",
    "app.widgets.welcome": "tests/app/test_main_window.py",
    "core.arrangement.edit": "tests/core/arrangement/test_edits.py",
    "core.arrays": "tests/core/shreds/test_borders.py",
    "core.case.pixels": "tests/core/case/test_file.py",
    "core.case.values": "tests/core/case/test_file.py",
    "core.cli.changing": "tests/core/cli/test_add.py",
    "core.cli.commands": "tests/test_main.py",
    "core.cli.sentences": "tests/core/cli/test_add.py",
    "core.matching.candidates.pooled": "tests/core/matching/candidates/test_find.py",
    "core.matching.candidates.tiles": "tests/core/matching/candidates/test_find.py",
    "core.output.report.pictures": "tests/core/output/report/test_evidence.py",
    "core.output.report.preparing": "tests/core/output/report/test_evidence.py",
    "core.output.report.prose": "tests/core/output/report/test_evidence.py",
    "core.output.report.tables": "tests/core/output/report/test_evidence.py",
    "core.progress": "tests/app/session/test_tasks.py",
    "core.sheets.formats.old_jpeg": "tests/core/sheets/formats/test_tiff.py",
    "core.sheets.input_file": "tests/core/sheets/test_inputs.py",
    "core.shreds.on_sheet": "tests/core/shreds/test_detect.py",
    "core.shreds.regions.long_picture": "tests/core/shreds/test_detect.py",
    "core.shreds.shred": "tests/core/shreds/test_segmentation.py",
    "core.solver.branch_and_bound": "tests/core/solver/test_solver.py",
    "core.solver.local_search": "tests/core/solver/test_solver.py",
    "core.verification.differences": "tests/core/verification/test_verify.py",
    "training.baselines.characters": "tests/training/baselines/test_shapes.py",
    "training.baselines.dummy": "tests/training/baselines/test_marques.py",
    "training.baselines.pair_training": "tests/training/baselines/test_pairwise.py",
    "training.baselines.squeezenet": "tests/training/baselines/test_pairwise.py",
    "training.command": "tests/training/experiments/test_main.py",
    "training.demo.pages": "tests/training/demo/test_sheets.py",
    "training.experiments.origin": "tests/training/experiments/test_main.py",
    "training.experiments.sweep_training": "tests/training/experiments/test_sweep.py",
    "training.experiments.true_samples": "tests/training/experiments/test_neighbours.py",
    "training.learning.card": "tests/training/learning/test_loop.py",
    "training.learning.listwise": "tests/training/learning/test_loop.py",
    "training.measuring.progress_bar": "tests/training/test_evaluate.py",
    "training.rendering.articles": "tests/training/rendering/test_documents.py",
    "training.rendering.blocks": "tests/training/rendering/test_documents.py",
    "training.rendering.drawings": "tests/training/rendering/test_documents.py",
    "training.rendering.forms": "tests/training/rendering/test_documents.py",
    "training.rendering.letters": "tests/training/rendering/test_documents.py",
    "training.rendering.photographs": "tests/training/rendering/test_documents.py",
    "training.rendering.style": "tests/training/rendering/test_documents.py",
}
"""The modules without a test of their own name, and what tests them instead."""


@cache
def modules() -> dict[str, Path]:
    """List all modules and packages, by the name under which they are imported."""
    found = {}
    for path in sorted(path for top in TOPS for path in (ROOT / top).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(path: Path) -> Iterator[str]:
    """List the modules of ours that a file imports: at its top, under TYPE_CHECKING, and inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports here are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in modules() else node.module or "" for name in names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@cache
def graph() -> dict[str, set[str]]:
    """Find which module imports which."""
    return {name: set(imported(path)) & modules().keys() - {name} for name, path in modules().items()}


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Find the modules that reach themselves, those that reach each other in one list."""
    left = {name: set(targets) for name, targets in graph.items()}
    while ends := [name for name, targets in left.items() if not targets & left.keys()]:
        for name in ends:
            del left[name]
    groups = []
    while left:
        start = next(iter(left))
        from_start, to_start = reach(left, start), {name for name in left if start in reach(left, name)}
        group = (from_start & to_start) or {start}
        if start in from_start:
            groups.append(sorted(group))
        left = {name: targets for name, targets in left.items() if name not in group}
    return groups


def reach(graph: dict[str, set[str]], start: str) -> set[str]:
    """Find what is reached from a module in one step or more."""
    seen: set[str] = set()
    ahead = [start]
    while ahead:
        for target in graph.get(ahead.pop(), set()) & graph.keys() - seen:
            seen.add(target)
            ahead.append(target)
    return seen


def mirror(name: str) -> str:
    """Name the test of a module: core.shreds.borders ↔ tests/core/shreds/test_borders.py."""
    *rooms, module = name.split(".")
    return "/".join(["tests", *rooms, f"test_{module.strip('_')}.py"])


def code_modules() -> list[str]:
    """List what needs a test: all modules, and no package that only says what it is for."""
    return [name for name, path in modules().items() if path.name != "__init__.py"]


def test_a_circle_is_found():
    found = circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a", "d"}, "e": {"a"}, "f": set()})
    assert sorted(found) == [["b", "c"], ["d"]]


def test_imports_run_in_no_circle():
    """Not even those for type checkers alone, and those inside functions."""
    assert circles(graph()) == []


@pytest.mark.parametrize("top", TOPS)
def test_a_room_is_taken_in_at_a_glance(top):
    rooms = [path.parent for path in (ROOT / top).rglob("__init__.py")]
    sizes = {room.relative_to(ROOT).as_posix(): len([*room.glob("*.py")]) - 1 for room in rooms}
    assert {room: size for room, size in sizes.items() if size > MOST_MODULES} == {}


@pytest.mark.parametrize("top", TOPS)
def test_a_file_is_read_in_one_sitting(top):
    lengths = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in modules().items()}
    assert {name: n for name, n in lengths.items() if name.startswith(top) and n > MOST_LINES} == {}


@pytest.mark.parametrize(
    ("pattern", "places"),
    [
        (r"QMessageBox", set()),  # every question, warning and error is a MessageDialog of app/widgets/messages.py
        (r"\.setEnabled\(", {"app.reasons", "app.pages.dragging"}),  # there is a reason; and a label that turns grey
    ],
)
def test_the_window_has_one_way_of_asking_and_one_of_refusing(pattern, places):
    texts = {name: path.read_text(encoding="utf-8") for name, path in modules().items() if name.startswith("app")}
    assert {name for name, text in texts.items() if re.search(pattern, text)} == places


@pytest.mark.parametrize("top", TOPS)
def test_every_room_says_what_it_is_for(top):
    sentences = {
        name: ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        for name, path in modules().items()
        if name.split(".")[0] == top and path.name == "__init__.py"
    }
    assert [name for name, sentence in sentences.items() if not sentence] == []


@pytest.mark.parametrize("top", TOPS)
def test_every_module_has_a_test_of_its_name_or_one_that_covers_it(top):
    bare = [name for name in code_modules() if name.split(".")[0] == top and not (ROOT / mirror(name)).exists()]
    assert [name for name in bare if name not in COVERED_BY] == []


def test_the_list_of_what_is_covered_elsewhere_is_true():
    known = code_modules()
    assert [name for name in COVERED_BY if name not in known] == [], "there is no such module"
    assert [name for name in COVERED_BY if (ROOT / mirror(name)).exists()] == [], "it has a test of its name"
    assert [name for name, test in COVERED_BY.items() if not (ROOT / test).exists()] == [], "there is no such test"
