"""Work that is cancelled, and a window that is closed while something runs: the case is as it was."""

import threading

import pytest
from PySide6.QtCore import Qt

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

    def export(self, path, case, name, progress, *others):
        self.wait(progress)
        return super().export(path, case, name, progress, *others)

    def save(self, path, case, progress, *others):
        self.wait(progress)
        return super().save(path, case, progress, *others)


@pytest.fixture
def engine():
    return HeldEngine()


@pytest.fixture
def session(opened):
    return opened.session


def hold(engine):
    engine.begun.clear()
    engine.released.clear()


def until_begun(qtbot, engine):
    qtbot.waitUntil(engine.begun.is_set)


def until_idle(qtbot, session):
    qtbot.waitUntil(lambda: len(session.jobs) == 0)


@pytest.mark.parametrize("turned", [False, True], ids=["order alone", "compared anew"])
def test_cancelled_solving_leaves_everything_as_it_was(qtbot, opened, session, engine, turned):
    session.editor.edit(SetJoin(*DOUBTFUL, "forbidden"), "answer")
    if turned:
        session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    case, steps = session.document.case, session.document.undo_stack.count()
    hold(engine)
    assert not opened.commands.cancel.isEnabled()
    qtbot.keyClick(opened.pages.view.canvas, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    until_begun(qtbot, engine)
    assert opened.commands.cancel.isEnabled()
    qtbot.keyClick(opened, Qt.Key.Key_Escape)
    assert not opened.session.answers.solving
    assert not session.jobs.busy
    until_idle(qtbot, session)
    assert session.document.case is case
    assert session.document.undo_stack.count() == steps
    assert not opened.commands.cancel.isEnabled()
    assert session.document.case.arrangement.pages == (ORDER,)


def begin_solving(opened, tmp_path):
    opened.commands.solve_again.trigger()


def begin_reading(opened, tmp_path):
    opened.session.updater.apply(NARROW)


def begin_exporting(opened, tmp_path):
    opened.session.writer.export(tmp_path / "pages.pdf")


def begin_saving(opened, tmp_path):
    opened.session.writer.save(tmp_path / "matter.rejoin")


@pytest.mark.parametrize("begin", [begin_solving, begin_reading, begin_exporting, begin_saving])
def test_closing_while_something_runs_ends_it_and_leaves_files_as_they_were(
    qtbot, opened, session, engine, tmp_path, monkeypatch, begin
):
    file = tmp_path / "matter.rejoin"
    with qtbot.waitSignal(session.document.saved):
        session.writer.save(file)
    bytes_before, pages = file.read_bytes(), session.document.case.arrangement.pages
    session.editor.edit(MoveShreds(("1-01",), 0, 4), "move")
    hold(engine)
    begin(opened, tmp_path)
    until_begun(qtbot, engine)
    monkeypatch.setattr(messages, "ask_to_save", lambda parent: "discard")
    assert opened.close()
    until_idle(qtbot, session)
    assert file.read_bytes() == bytes_before
    assert load(file).arrangement.pages == pages
    left = {path.name for path in tmp_path.iterdir() if path.suffix not in (".png", ".ini")}
    assert left == {"matter.rejoin"}, "nothing half-written is left"


def test_who_closes_while_saving_and_wants_to_save_waits_for_it(qtbot, opened, session, engine, tmp_path, monkeypatch):
    file = tmp_path / "matter.rejoin"
    with qtbot.waitSignal(session.document.saved):
        session.writer.save(file)
    session.editor.edit(MoveShreds(("1-01",), 0, 4), "move")
    pages = session.document.case.arrangement.pages
    hold(engine)
    session.writer.save(file)
    until_begun(qtbot, engine)
    monkeypatch.setattr(messages, "ask_to_save", lambda parent: "save")
    assert not opened.close()
    assert opened.isVisible()
    engine.released.set()
    qtbot.waitUntil(lambda: not opened.isVisible())
    assert load(file).arrangement.pages == pages
