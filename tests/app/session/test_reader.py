"""Sheets added to the case that is open: a step like any other, for which they alone are read."""

import threading
from types import SimpleNamespace

import pytest

from app.session.safety.autosave import Autosave, UnsavedState
from app.widgets import messages
from core.arrangement.edits import SetJoin, WriteNote
from core.comparison import Matched
from core.renewal.adding import add
from tests.app.session.safety.test_autosave import states
from tests.app.solvable import SolvableEngine, doubtful_costs
from tests.core.tampered import entries_of, rewrite


class AddingEngine(SolvableEngine):
    """Prices the strips of as many sheets as there are by `doubtful_costs`, and adds sheets as it is really done."""

    def reconstruct(self, paths, on_sheet, progress, options, mends=None):
        self.n_sheets = len(paths)
        return super().reconstruct(paths, on_sheet, progress, options, mends)

    def costs(self):
        return doubtful_costs().of(range(3 * self.n_sheets))

    def add(self, case, found, progress):
        self.n_sheets = len(case.sheets) + len(found.sheets)
        memory = SimpleNamespace(match=lambda *given, **others: Matched(self.costs(), case.weights_sha256))
        return add(case, found, lambda: None, progress, memory=memory)


@pytest.fixture
def engine():
    return AddingEngine()


@pytest.fixture
def session(qtbot, window, draw_sheet):
    """The session of a window with two sheets."""
    window.session.reader.open([draw_sheet(f"scan{number}.png") for number in (1, 2)])
    until_done(qtbot, window.session)
    return window.session


def until_done(qtbot, session):
    qtbot.waitUntil(lambda: session.document.case is not None and len(session.jobs) == 0)


def add_files(qtbot, session, *paths):
    session.reader.add(paths)
    until_done(qtbot, session)
    return session.document.case


def test_the_new_sheet_alone_is_read_and_everything_said_stays(qtbot, session, engine, draw_sheet):
    session.editor.edit(SetJoin("1-02", "1-03", "confirmed"), "answer")
    session.editor.edit(WriteNote("2-01", "torn"), "note")
    before, third = session.document.case, draw_sheet("scan3.png")
    case = add_files(qtbot, session, third)
    assert engine.runs[-1] == (third,)
    assert [sheet.name for sheet in case.sheets] == ["scan1.png", "scan2.png", "scan3.png"]
    assert case.arrangement.confirmed == {("1-02", "1-03")}
    assert case.arrangement.notes == {"2-01": "torn"}
    assert all(now is then for now, then in zip(case.shreds, before.shreds, strict=False))
    entry = case.history[-1]
    assert (entry.what, entry.text) == ("sheets added", "adding of 1 sheet: scan3.png")
    assert [file["name"] for file in entry.parameters["added"]] == ["scan3.png"]
    assert session.document.opened.paths[-1] == third
    assert session.document.modified


def test_undo_takes_the_sheet_away_and_redo_brings_it_back(qtbot, session, draw_sheet):
    before = session.document.case
    after = add_files(qtbot, session, draw_sheet("scan3.png"))
    session.editor.undo()
    assert session.document.case.arrangement == before.arrangement
    assert len(session.document.opened.sheets) == 2
    session.editor.redo()
    assert session.document.case.arrangement == after.arrangement
    assert len(session.document.opened.sheets) == 3
    assert [entry.what for entry in session.document.history[-3:]] == ["sheets added", "undone", "redone"]


def test_the_panel_lists_joins_before_and_after(qtbot, window, session, draw_sheet):
    panel = window.joins.changes_panel
    session.editor.edit(SetJoin("1-03", "2-02", "confirmed"), "answer")
    session.answers.solve_again()
    until_done(qtbot, session)
    old = session.document.case
    case = add_files(qtbot, session, draw_sheet("scan3.png"))
    lost = {pair for pair in old.arrangement.joins() if not case.arrangement.has_join(*pair)}
    came = {pair for pair in case.arrangement.joins() if not old.arrangement.has_join(*pair)}
    at_old = {pair for pair in came if {*pair} & old.arrangement.places.keys()}
    assert at_old
    assert at_old < came, "joins among new shreds are none that could be put back"
    listed = [pair for part in panel.parts for pair in part.undone]
    assert sorted(listed) == sorted(at_old)
    assert sorted(pair for part in panel.parts for pair in part.made) == sorted(lost)
    assert window.docks["changes"].dock.isVisible()
    tree = panel.tree
    assert tree.header().sectionSize(1) >= tree.sizeHintForColumn(1), "what comes is never cut off"
    panel.refuse.click()
    refused = session.document.case.arrangement
    assert not any(refused.has_join(*pair) for pair in at_old)
    assert refused.places.keys() == case.arrangement.places.keys()


def test_a_file_of_the_case_is_named_and_not_added(qtbot, window, session, engine):
    before, runs = session.document.case, len(engine.runs)
    add_files(qtbot, session, session.document.opened.sheets[1].path)
    assert session.document.case is before
    assert len(engine.runs) == runs
    assert window.notices.text == "scan2.png is in the case already, and was not added again."


def test_a_damaged_file_among_others_is_left_out_and_alone_it_changes_nothing(
    qtbot, window, session, draw_sheet, monkeypatch
):
    shown = []
    monkeypatch.setattr(messages, "show_error", lambda parent, error: shown.append(str(error)))
    broken = draw_sheet("broken.png")
    broken.write_bytes(b"\x89PNG broken")
    before = session.document.case
    add_files(qtbot, session, broken)
    assert session.document.case is before
    assert "broken.png" in shown[0]
    case = add_files(qtbot, session, broken, draw_sheet("scan3.png"))
    assert len(case.sheets) == 3
    assert "broken.png" in case.unreadable[0]
    assert window.notices.text == "1 input was left out."


def test_an_edit_made_meanwhile_is_not_lost(qtbot, session, engine, draw_sheet):
    engine.hold = threading.Event()
    session.reader.add([draw_sheet("scan3.png")])
    session.editor.edit(WriteNote("2-01", "torn"), "note")
    engine.hold.set()
    until_done(qtbot, session)
    assert len(session.document.case.sheets) == 3
    assert session.document.case.arrangement.notes == {"2-01": "torn"}


def test_what_is_dropped_while_something_runs_is_refused_with_a_reason(qtbot, window, session, engine, draw_sheet):
    engine.hold = threading.Event()
    session.reader.add([draw_sheet("scan3.png")])
    window.opener.open([draw_sheet("scan4.png")], add=True)
    assert "Adding sheets" in window.notices.text
    engine.hold.set()
    until_done(qtbot, session)
    assert [sheet.name for sheet in session.document.case.sheets[2:]] == ["scan3.png"]


def test_cancel_leaves_the_case_as_it_was(qtbot, session, engine, draw_sheet):
    before, engine.hold = session.document.case, threading.Event()
    session.reader.add([draw_sheet("scan3.png")])
    session.jobs.cancel()
    engine.hold.set()
    until_done(qtbot, session)
    assert session.document.case is before


def test_what_was_added_comes_back_after_a_crash(qtbot, session, draw_sheet, tmp_path):
    autosave = Autosave(session, tmp_path / "unsaved")
    autosave._begin()  # the case was open before
    add_files(qtbot, session, draw_sheet("scan3.png"))
    session.editor.edit(WriteNote("3-01", "torn"), "note")
    wanted = session.document.case

    def kept():
        found = [UnsavedState.read(path.parent) for path in states(tmp_path)]
        return bool(found and found[0] and found[0].arrangement == wanted.arrangement and found[0].base)

    qtbot.waitUntil(kept)
    qtbot.waitUntil(lambda: len(session.jobs) == 0)
    unsaved = UnsavedState.read(states(tmp_path)[0].parent)
    autosave._lock.unlock()
    session.document.discard_changes()
    again = Autosave(session, tmp_path / "unsaved")
    again.restore(unsaved)
    until_done(qtbot, session)
    case = session.document.case
    assert case.arrangement == wanted.arrangement
    assert [sheet.name for sheet in case.sheets] == ["scan1.png", "scan2.png", "scan3.png"]
    assert [entry.what for entry in case.history][:3] == ["reconstructed", "sheets added", "edited"]
    assert session.document.modified


def test_a_large_case_that_was_altered_is_closed(qtbot, window, session, draw_sheet, tmp_path, monkeypatch):
    shown = []
    monkeypatch.setattr(messages, "show_error", lambda parent, error: shown.append(str(error)))
    monkeypatch.setattr("core.case.archive.COPIED_BYTES", 0)
    session.writer.save(tmp_path / "one.rejoin")
    qtbot.waitUntil(lambda: len(session.jobs) == 0)
    entries = entries_of(tmp_path / "one.rejoin")
    last = [name for name in entries if name.startswith("sheets/")][-1]
    rewrite(tmp_path / "one.rejoin", {**entries, last: entries[last] + b" "}, manifest=False)
    session.reader.open([tmp_path / "one.rejoin"])
    qtbot.waitUntil(lambda: bool(shown))
    assert f"{last} was altered after the case was saved" in shown[0]
    assert session.document.case is None
    qtbot.waitUntil(lambda: len(session.jobs) == 0)
