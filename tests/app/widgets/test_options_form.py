from dataclasses import fields, replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from core.arrangement.edits import SetJoin
from core.matching.costs import Costs
from core.options import CompositionOptions, Options, SegmentationOptions, SolverOptions


@pytest.fixture
def panel(qtbot, opened):
    """The panel, open, on a case whose shreds have been compared."""
    opened.docks.show("options")
    n = len(opened.session.document.case.matched_ids)
    places = np.arange(n, dtype=np.float32)
    cost = np.abs(places[None, :] - places[:, None] - 1) + 1
    np.fill_diagonal(cost, np.inf)
    ends = np.full(n, 4, np.float32)
    costs = Costs.of_all(cost.astype(np.float32), np.zeros((n, n), np.int16), ends, ends.copy(), 0.3)
    opened.session.editor.adopt(replace(opened.session.document.case, costs=costs), "comparison")
    return opened.options_panel


def apply(qtbot, window, panel):
    assert panel.apply_button.isEnabled()
    qtbot.mouseClick(panel.apply_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.session.jobs.busy)


def test_every_option_has_a_control_with_name_and_help(window):
    panel = window.options_panel
    expected = {(part.name, each.name) for part in fields(Options) for each in fields(getattr(Options(), part.name))}
    assert panel.inputs.keys() == expected
    for field in panel.inputs.values():
        assert field.control.accessibleName()
        assert field.control.toolTip()
    assert panel.options == Options()


def test_values_go_both_ways(window):
    panel = window.options_panel
    other = replace(
        Options(),
        segmentation=SegmentationOptions(min_length_mm=31.5),
        solver=SolverOptions(n_pages=7, engine="local-search", time_limit_s=0.0),
        composition=CompositionOptions(show_seams=True),
    )
    panel.show_options(other)
    assert panel.options == other
    panel.show_options(Options())
    assert panel.options == Options()
    assert panel.options.solver.n_pages is None


def test_bounds_hold(window):
    panel = window.options_panel
    field = panel.inputs["binarization", "window_px"]
    field.set_value(10_000)
    assert field.value == 199
    field.set_value(-3)
    assert field.value == 3


def test_change_is_marked_and_its_consequence_is_told(window):
    panel = window.options_panel
    assert not panel.apply_button.isEnabled()
    for (part, name), value, told in (
        (("composition", "show_seams"), True, "drawn again"),
        (("solver", "seed"), 5, "order is found again"),
        (("binarization", "k"), 0.2, "compared again"),
        (("reading", "dpi"), 300.0, "read again"),
    ):
        panel.inputs[part, name].set_value(value)
        assert told in panel.consequence.text()
    assert panel.apply_button.isEnabled()
    panel.revert_button.click()
    assert panel.options == Options()
    assert not panel.apply_button.isEnabled()


def test_seams_are_drawn_without_any_other_work_and_undone(qtbot, opened, panel, engine):
    runs, pages = len(engine.runs), opened.session.document.case.arrangement
    picture = opened.pages.view.canvas.image_item.finest
    box = panel.inputs["composition", "show_seams"].control
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    apply(qtbot, opened, panel)
    assert opened.session.document.case.options.composition.show_seams
    assert opened.session.document.case.arrangement == pages
    assert len(engine.runs) == runs
    qtbot.waitUntil(lambda: opened.pages.view.canvas.image_item.finest is not picture)
    qtbot.keyClick(opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not opened.session.document.case.options.composition.show_seams
    assert panel.options == Options()


def test_number_of_pages_is_solved_for_and_what_was_said_stays(qtbot, opened, panel, engine):
    session = opened.session
    session.editor.edit(SetJoin("1-01", "1-02", "forbidden"), "answer")
    runs = len(engine.runs)
    panel.inputs["solver", "n_pages"].set_value(3)
    apply(qtbot, opened, panel)
    assert len(session.document.case.arrangement.pages) == 3
    assert session.document.case.arrangement.forbidden == {("1-01", "1-02")}
    assert ("1-01", "1-02") not in session.document.case.arrangement.joins()
    assert len(engine.runs) == runs
    assert session.document.undo_stack.undoText() == "change of options"
    session.editor.undo()
    assert len(session.document.case.arrangement.pages) == 2
    assert panel.options.solver.n_pages is None


def test_what_segmentation_depends_on_reads_the_sheets_again_and_keeps_what_was_said(qtbot, opened, panel, engine):
    session = opened.session
    session.editor.edit(SetJoin("1-02", "1-03", "confirmed"), "answer")
    runs = len(engine.runs)
    panel.inputs["segmentation", "min_width_mm"].set_value(1.0)
    apply(qtbot, opened, panel)
    assert len(engine.runs) == runs + 1
    assert session.document.case.options.segmentation.min_width_mm == 1.0
    assert session.document.case.arrangement.confirmed == {("1-02", "1-03")}
    assert panel.options == session.document.case.options


def test_options_without_a_case_hold_for_what_is_opened_next(qtbot, window, draw_sheet):
    panel = window.options_panel
    window.docks.show("options")
    panel.inputs["solver", "seed"].set_value(9)
    qtbot.mouseClick(panel.apply_button, Qt.MouseButton.LeftButton)
    assert not panel.apply_button.isEnabled()
    window.opener.open([draw_sheet("a.png")])
    qtbot.waitUntil(lambda: window.session.document.case is not None)
    assert window.session.document.case.options.solver.seed == 9
    window.session.reader.reconstruct_again()
    qtbot.waitUntil(lambda: not window.session.jobs.busy)
    assert window.session.document.case.options.solver.seed == 9


def test_values_typed_by_key_are_applied_by_key(qtbot, opened, panel):
    seed = panel.inputs["solver", "seed"].control
    seed.setFocus()
    seed.selectAll()
    qtbot.keyClicks(seed, "12")
    qtbot.keyClick(seed, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: opened.session.document.case.options.solver.seed == 12)
