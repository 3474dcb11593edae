"""Sheets read again with other options: a step like any other, with other shreds."""

import threading
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt

from app.session.document import case_file
from app.session.safety.autosave import Autosave, UnsavedState
from core.arrangement.edits import MoveShreds, SetJoin
from core.options import Options, SegmentationOptions
from core.shreds.storage import packed
from core.shreds.storage.packed import PackedShred
from tests.app.fakes import FakeEngine, case_of
from tests.app.session.safety.test_autosave import states

NARROW = Options(segmentation=SegmentationOptions(min_width_mm=6))
"""With these, the first strip of the first sheet is too narrow for a shred."""


class ReadingEngine(FakeEngine):
    """Finds a strip less where the options ask for broader ones; the others of the sheet have other names then."""

    def reconstruct(self, paths, on_sheet, progress, options=Options(), mends=None):
        case = super().reconstruct(paths, on_sheet, progress, options)
        if options.segmentation.min_width_mm < 5 or case_file(paths):
            return case
        _, *others = (shred for shred in case.shreds if shred.sheet == 0)
        renamed = [replace(shred, id=f"1-{number:02}") for number, shred in enumerate(others, start=1)]
        shreds = [*renamed, *(shred for shred in case.shreds if shred.sheet)]
        return replace(case_of(case.sheets, shreds, (), self.strips_on_page), options=options)


@pytest.fixture
def engine():
    return ReadingEngine()


@pytest.fixture
def session(opened):
    return opened.session


def until_done(qtbot, session):
    qtbot.waitUntil(lambda: not session.jobs.busy)


def apply(qtbot, opened, options):
    opened.session.updater.apply(options)
    until_done(qtbot, opened.session)


def test_undo_brings_back_what_was_found_before_and_all_that_was_done_with_it(qtbot, opened, session):
    session.editor.edit(SetJoin("1-02", "1-03", "confirmed"), "answer")
    session.editor.edit(MoveShreds(("1-01",), 0, 4), "move")
    before = session.document.case
    apply(qtbot, opened, NARROW)
    assert len(session.document.case.shreds) == 11
    assert session.document.case.arrangement.confirmed == {("1-01", "1-02")}, "the same two under other names"
    assert len(session.document.opened.shreds[0]) == 3
    assert session.document.undo_stack.undoText() == "change of options"
    session.editor.edit(MoveShreds(("1-02",), 1, 0), "move")
    after = session.document.case.arrangement
    canvas = opened.pages.view.canvas
    for _ in range(2):
        qtbot.keyClick(canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.document.case.arrangement == before.arrangement
    assert [shred.id for shred in session.document.case.shreds] == [shred.id for shred in before.shreds]
    assert opened.options_panel.options == Options()
    qtbot.waitUntil(lambda: tuple(canvas.places) == before.arrangement.pages[0])
    for _ in range(2):
        session.editor.undo()
    assert session.document.case.arrangement.confirmed == frozenset()
    for _ in range(4):
        session.editor.redo()
    assert session.document.case.arrangement == after
    assert session.document.case.options == NARROW
    assert opened.options_panel.options == NARROW


def test_what_a_view_shows_is_what_lies_on_the_sheet_now(qtbot, opened, session):
    session.document.select_shred("1-01")
    apply(qtbot, opened, NARROW)
    session.document.select_shred("1-01")
    assert opened.sheets.source.view.chosen.path().boundingRect().left() == pytest.approx(120, abs=1)
    assert "11 shreds" in opened.status.summary.text()
    session.editor.undo()
    session.document.select_shred("1-01")
    assert opened.sheets.source.view.chosen.path().boundingRect().left() == pytest.approx(30, abs=1)


def test_the_case_stays_in_sight_and_what_is_done_meanwhile_is_kept(qtbot, opened, session, engine):
    engine.hold = threading.Event()
    opened.session.updater.apply(NARROW)
    qtbot.waitUntil(lambda: opened.progress_panel.stage.text() == "Embedding borders")
    assert opened.centre.currentWidget() is opened.pages.view
    session.editor.edit(SetJoin("2-01", "2-02", "forbidden"), "answer")
    engine.hold.set()
    until_done(qtbot, session)
    assert session.document.case.options == NARROW
    assert session.document.case.arrangement.forbidden == {("2-01", "2-02")}
    assert session.document.undo_stack.count() == 2


def test_cancelled_or_failed_it_leaves_everything_as_it_was(qtbot, opened, session, engine):
    session.editor.edit(MoveShreds(("1-01",), 0, 4), "move")
    case = session.document.case
    engine.hold = threading.Event()
    opened.session.updater.apply(NARROW)
    qtbot.waitUntil(lambda: opened.progress_panel.stage.text() == "Embedding borders")
    qtbot.keyClick(opened, Qt.Key.Key_Escape)
    until_done(qtbot, session)
    assert session.document.case is case
    assert session.document.undo_stack.count() == 1
    engine.hold = None
    engine.error = ValueError("no")
    opened.session.updater.apply(NARROW)
    until_done(qtbot, session)
    assert session.document.case is case


def test_shreds_out_of_sight_are_packed_where_there_is_no_room(qtbot, opened, session, monkeypatch):
    pixels = session.document.case.shreds[0].pixels
    monkeypatch.setattr(packed, "KEPT_AS_THEY_ARE_BYTES", 0)
    apply(qtbot, opened, NARROW)
    assert not any(isinstance(shred, PackedShred) for shred in session.document.case.shreds)
    session.editor.undo()
    assert all(isinstance(shred, PackedShred) for shred in session.document.case.shreds)
    np.testing.assert_array_equal(session.document.case.shreds[0].pixels, pixels)


def test_a_crash_afterwards_leads_back_to_the_shreds_found_last(qtbot, opened, session, tmp_path):
    autosave = Autosave(session, tmp_path / "unsaved")
    autosave._begin()
    session.editor.edit(MoveShreds(("1-01",), 0, 4), "move")
    apply(qtbot, opened, NARROW)
    session.editor.edit(MoveShreds(("1-02",), 1, 0), "move")
    wanted = session.document.case.arrangement

    def kept():
        found = [UnsavedState.read(path.parent) for path in states(tmp_path)]
        return bool(found and found[0] and found[0].arrangement == wanted and found[0].base)

    qtbot.waitUntil(kept)
    qtbot.waitUntil(lambda: len(session.jobs) == 0)
    unsaved = UnsavedState.read(states(tmp_path)[0].parent)
    autosave._lock.unlock()
    session.document.discard_changes()
    again = Autosave(session, tmp_path / "unsaved")
    again.restore(unsaved)
    until_done(qtbot, session)
    assert session.document.case.arrangement == wanted
    assert len(session.document.case.shreds) == 11
    assert session.document.case.options == NARROW
    assert session.document.modified
