"""What is done in the window stands in the history: each step an entry, none taken away."""

import hashlib
from dataclasses import replace

import pytest

from app.session.session import Session
from core.arrangement.edits import HalfTurn, MoveShreds, ShiftShreds
from core.case.arrangement_json import read_arrangement
from core.case.file import load, save
from core.case.history import arrangement_sha256, check_chain
from core.options import CompositionOptions


def told(session):
    return [(entry.what, entry.text) for entry in session.document.case.history]


def last(session):
    """The last entry, once the chain holds and the entry tells how the case is now."""
    history = session.document.case.history
    check_chain(history)
    assert history[-1].result_sha256 == arrangement_sha256(session.document.case.arrangement)
    return history[-1]


def test_a_case_begins_with_what_it_was_made_of(session):
    entry = last(session)
    assert (entry.number, entry.what, entry.text) == (1, "reconstructed", "2 pages from 9 shreds on 3 sheets")
    case = session.document.case
    assert [sheet["sha256"] for sheet in entry.parameters["sheets"]] == [sheet.sha256 for sheet in case.sheets]
    assert not session.document.modified


def test_edits_are_entries_and_so_are_undo_and_redo(session):
    assert session.editor.edit(MoveShreds(("1-01",), 0, 6), "move of 1-01")
    entry = last(session)
    assert entry.parameters["edit"]["edit"] == "MoveShreds"
    assert session.editor.edit(HalfTurn(("1-02",)), "half-turn of 1-02")
    session.editor.undo()
    assert (last(session).what, last(session).text, last(session).parameters) == (
        "undone",
        "half-turn of 1-02",
        {"to": 2},
    )
    session.editor.undo()
    assert last(session).parameters == {"to": 1}
    session.editor.redo()
    session.editor.redo()
    assert (last(session).what, last(session).parameters) == ("redone", {"to": 3})
    session.editor.undo_all()
    assert last(session).text == "half-turn of 1-02, move of 1-01"
    assert last(session).parameters == {"to": 1}
    assert len(session.document.case.history) == 8
    assert not session.editor.edit(MoveShreds(("1-01",), 0, 0), "move of 1-01"), "it stands there"
    assert len(session.document.case.history) == 8


def test_steps_that_are_merged_are_entries_of_their_own(session):
    """A drag is one step to undo, but each of its entries tells how the case was after it."""
    for _ in range(3):
        session.editor.edit(ShiftShreds(("1-02",), 2), "nudge of 1-02")
        last(session)
    assert [entry.what for entry in session.document.case.history] == ["reconstructed", "edited", "edited", "edited"]
    session.editor.undo()
    assert last(session).parameters == {"to": 1}
    session.editor.redo()
    assert last(session).parameters == {"to": 4}
    session.editor.edit(ShiftShreds(("1-02",), -6), "nudge of 1-02")  # leads back: there is nothing to undo any more
    assert session.document.undo_stack.count() == 0
    assert last(session).result_sha256 == session.document.case.history[0].result_sha256
    session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    session.editor.undo()
    assert last(session).parameters == {"to": 7}


def test_other_options_and_solving_again_are_told_apart(session):
    case = session.document.case
    order = case.arrangement.pages[0]
    found = replace(case, arrangement=replace(case.arrangement, pages=(order[::-1], case.arrangement.pages[1])))
    session.editor.adopt(found, "solving again")
    assert (last(session).what, last(session).parameters) == ("solved again", {"solve": True})
    options = replace(case.options, composition=CompositionOptions(show_seams=True))
    session.editor.adopt(replace(session.document.case, options=options), "change of options")
    assert last(session).what == "options changed"
    assert last(session).parameters["options"]["composition"]["show_seams"] is True
    session.editor.undo_all()
    assert last(session).parameters == {"to": 1}
    assert session.document.case.options == case.options


def test_the_history_is_saved_and_goes_on(qtbot, opened, tmp_path):
    session, path = opened.session, tmp_path / "matter.rejoin"
    session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    with qtbot.waitSignal(session.document.saved):
        session.writer.save(path)
    assert told(session)[-1] == ("saved", "matter.rejoin")
    assert load(path).history == session.document.case.history
    opened.opener.open([path])
    qtbot.waitUntil(lambda: not session.jobs.busy)
    session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    assert [entry.what for entry in session.document.case.history] == ["reconstructed", "edited", "saved", "edited"]
    session.editor.undo()
    assert last(session).parameters == {"to": 3}


def test_a_case_without_a_history_is_taken_over(qtbot, opened, tmp_path):
    """Earlier versions kept none; what was done before is told by nobody."""
    path, before = tmp_path / "old.rejoin", opened.session.document.case
    save(replace(before, history=()), path)
    opened.opener.open([path])
    qtbot.waitUntil(lambda: opened.session.document.case is not None and not opened.session.jobs.busy)
    entry = last(opened.session)
    assert (entry.number, entry.what) == (1, "taken over")
    assert read_arrangement(entry.parameters["arrangement"]) == before.arrangement


def test_a_save_that_fails_is_told_too(qtbot, session, tmp_path):
    with qtbot.waitSignal(session.jobs.failed):
        session.writer.save(tmp_path / "nowhere" / "matter.rejoin")
    assert [entry.what for entry in session.document.case.history] == ["reconstructed", "saved", "not saved"]
    assert "there is no folder" in last(session).text


def test_what_was_exported_is_told_with_its_hash(qtbot, opened, tmp_path):
    session, path = opened.session, tmp_path / "pages.tif"
    with qtbot.waitSignal(session.writer.exported):
        session.writer.export(path)
    entry = last(session)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    assert (entry.what, entry.parameters) == ("exported", {"files": [{"name": "pages.tif", "sha256": sha256}], "of": 1})
    assert not session.document.modified, "the case has no file that should have the entry"
    with qtbot.waitSignal(session.document.saved):
        session.writer.save(tmp_path / "matter.rejoin")
    with qtbot.waitSignal(session.writer.exported):
        session.writer.export(path)
    assert opened.isWindowModified()
    with qtbot.waitSignal(session.document.saved):
        session.writer.save(tmp_path / "matter.rejoin")
    assert not session.document.modified


def test_the_same_sheets_read_again_go_on_with_the_history(qtbot, session, draw_sheet):
    session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    session.reader.reconstruct_again()
    qtbot.waitUntil(lambda: not session.jobs.busy)
    assert [entry.what for entry in session.document.case.history] == ["reconstructed", "edited", "reconstructed"]
    session.reader.open([draw_sheet("other.png")])
    qtbot.waitUntil(lambda: not session.jobs.busy)
    assert [entry.text for entry in session.document.case.history] == ["1 page from 3 shreds on 1 sheet"]


def test_with_other_weights_another_history_begins(qtbot, session):
    """One history is repeated with one file of weights."""
    session.document.put_state(replace(session.document.case, weights_sha256="a" * 64))
    session.reader.reconstruct_again()
    qtbot.waitUntil(lambda: not session.jobs.busy)
    assert [entry.what for entry in session.document.case.history] == ["reconstructed"]


def test_a_cancelled_reading_adds_nothing(qtbot, session, engine, draw_sheet):
    import threading

    session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    engine.hold = threading.Event()
    session.reader.open([draw_sheet("other.png")])
    with qtbot.waitSignal(session.jobs.cancelled):
        session.jobs.cancel()
    session.editor.undo()
    assert [entry.what for entry in session.document.case.history] == ["reconstructed", "edited", "undone"]
    assert last(session).parameters == {"to": 1}


@pytest.mark.parametrize("name", ["Dr. Ada Żółć", "x" * 80])
def test_who_did_it_is_told(session, name):
    session: Session = session
    session.journal.who = lambda: name
    session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    assert last(session).who == name
