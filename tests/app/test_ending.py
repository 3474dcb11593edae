"""Work that is cancelled, and a window that is closed while something runs: the case is as it was."""

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from app.widgets import messages
from core.arrangement.edits import HalfTurn, MoveShreds, SetJoin
from core.case.file import load
from core.options import Options, SegmentationOptions
from tests.app.solvable import DOUBTFUL, ORDER, SolvableEngine

NARROW = Options(segmentation=SegmentationOptions(min_width_mm=6))


class HeldEngine(SolvableEngine):
    """Everything it does for a case waits at its first report until it is released or cancelled."""

    def __init__(self):
        super().__init__()
        self.released = threading.Event()
        self.released.set()
        self.begun = threading.Event()

    def wait(self, progress):
        self.begun.set()
        while not self.released.wait(0.005):
            progress(0.5, "Waiting")
        progress(0.5, "Waiting")

    def solve_again(self, case, progress):
        self.wait(progress)
        return super().solve_again(case, progress)

    def redo(self, case, options, progress):
        self.wait(progress)
        return super().redo(case, options, progress)

    def keep_said(self, before, after, progress):
        self.wait(progress)
        return super().keep_said(before, after, progress)

    def export(self, path, case, name, progress):
        self.wait(progress)
        return super().export(path, case, name, progress)

    def save(self, path, case, progress, *others):
        self.wait(progress)
        return super().save(path, case, progress, *others)


@pytest.fixture
def engine():
    return HeldEngine()


@pytest.fixture
def workspace(opened):
    return opened.workspace


def hold(engine):
    engine.begun.clear()
    engine.released.clear()


def until_begun(qtbot, engine):
    qtbot.waitUntil(engine.begun.is_set, timeout=10_000)


def until_idle(qtbot, workspace):
    qtbot.waitUntil(lambda: len(workspace.tasks) == 0, timeout=10_000)


@pytest.mark.parametrize("turned", [False, True], ids=["order alone", "compared anew"])
def test_cancelled_solving_leaves_everything_as_it_was(qtbot, opened, workspace, engine, turned):
    workspace.edit(SetJoin(*DOUBTFUL, "forbidden"), "answer")
    if turned:
        workspace.edit(HalfTurn(("1-02",)), "half-turn")
    case, steps = workspace.case, workspace.undo_stack.count()
    hold(engine)
    assert not opened.commands.cancel.isEnabled()
    qtbot.keyClick(opened.page_view.canvas, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    until_begun(qtbot, engine)
    assert opened.commands.cancel.isEnabled()
    qtbot.keyClick(opened, Qt.Key.Key_Escape)
    assert not opened.joins.joining.solving
    assert not workspace.busy
    until_idle(qtbot, workspace)
    assert workspace.case is case
    assert workspace.undo_stack.count() == steps
    assert not opened.commands.cancel.isEnabled()
    assert workspace.case.arrangement.pages == (ORDER,)


def begin_solving(opened, tmp_path):
    opened.commands.solve_again.trigger()


def begin_reading(opened, tmp_path):
    opened.habits.adjusting.apply(NARROW)


def begin_exporting(opened, tmp_path):
    opened.workspace.export(tmp_path / "pages.pdf")


def begin_saving(opened, tmp_path):
    opened.workspace.save(tmp_path / "matter.rejoin")


@pytest.mark.parametrize("begin", [begin_solving, begin_reading, begin_exporting, begin_saving])
def test_closing_while_something_runs_ends_it_and_leaves_files_as_they_were(
    qtbot, opened, workspace, engine, tmp_path, monkeypatch, begin
):
    file = tmp_path / "matter.rejoin"
    with qtbot.waitSignal(workspace.saved, timeout=10_000):
        workspace.save(file)
    bytes_before, pages = file.read_bytes(), workspace.case.arrangement.pages
    workspace.edit(MoveShreds(("1-01",), 0, 4), "move")
    hold(engine)
    begin(opened, tmp_path)
    until_begun(qtbot, engine)
    monkeypatch.setattr(messages, "ask_to_save", lambda parent: QMessageBox.StandardButton.Discard)
    assert opened.close()
    until_idle(qtbot, workspace)
    assert file.read_bytes() == bytes_before
    assert load(file).arrangement.pages == pages
    left = {path.name for path in tmp_path.iterdir() if path.suffix not in (".png", ".ini")}
    assert left == {"matter.rejoin"}, "nothing half-written is left"


def test_who_closes_while_saving_and_wants_to_save_waits_for_it(
    qtbot, opened, workspace, engine, tmp_path, monkeypatch
):
    file = tmp_path / "matter.rejoin"
    with qtbot.waitSignal(workspace.saved, timeout=10_000):
        workspace.save(file)
    workspace.edit(MoveShreds(("1-01",), 0, 4), "move")
    pages = workspace.case.arrangement.pages
    hold(engine)
    workspace.save(file)
    until_begun(qtbot, engine)
    monkeypatch.setattr(messages, "ask_to_save", lambda parent: QMessageBox.StandardButton.Save)
    assert not opened.close()
    assert opened.isVisible()
    engine.released.set()
    qtbot.waitUntil(lambda: not opened.isVisible(), timeout=10_000)
    assert load(file).arrangement.pages == pages
