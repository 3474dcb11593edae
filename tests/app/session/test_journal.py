"""What is done in the window stands in the history: each step an entry, none taken away."""

import hashlib
from dataclasses import replace

import pytest

from app.session.session import Workspace
from core.arrangement.edits import HalfTurn, MoveShreds, ShiftShreds
from core.case.arrangement_json import read_arrangement
from core.case.file import load, save
from core.case.history import arrangement_sha256, check_chain
from core.options import CompositionOptions


def told(workspace):
    return [(entry.what, entry.text) for entry in workspace.case.history]


def last(workspace):
    """The last entry, once the chain holds and the entry tells how the case is now."""
    history = workspace.case.history
    check_chain(history)
    assert history[-1].result_sha256 == arrangement_sha256(workspace.case.arrangement)
    return history[-1]


def test_a_case_begins_with_what_it_was_made_of(opened):
    entry = last(opened.workspace)
    assert (entry.number, entry.what, entry.text) == (1, "reconstructed", "2 pages from 9 shreds on 3 sheets")
    case = opened.workspace.case
    assert [sheet["sha256"] for sheet in entry.parameters["sheets"]] == [sheet.sha256 for sheet in case.sheets]
    assert not opened.workspace.modified


def test_edits_are_entries_and_so_are_undo_and_redo(opened):
    workspace = opened.workspace
    assert workspace.edit(MoveShreds(("1-01",), 0, 6), "move of 1-01")
    entry = last(workspace)
    assert entry.parameters["edit"]["edit"] == "MoveShreds"
    assert workspace.edit(HalfTurn(("1-02",)), "half-turn of 1-02")
    workspace.undo()
    assert (last(workspace).what, last(workspace).text, last(workspace).parameters) == (
        "undone",
        "half-turn of 1-02",
        {"to": 2},
    )
    workspace.undo()
    assert last(workspace).parameters == {"to": 1}
    workspace.redo()
    workspace.redo()
    assert (last(workspace).what, last(workspace).parameters) == ("redone", {"to": 3})
    workspace.undo_all()
    assert last(workspace).text == "half-turn of 1-02, move of 1-01"
    assert last(workspace).parameters == {"to": 1}
    assert len(workspace.case.history) == 8
    assert not workspace.edit(MoveShreds(("1-01",), 0, 0), "move of 1-01"), "it stands there"
    assert len(workspace.case.history) == 8


def test_steps_that_are_merged_are_entries_of_their_own(opened):
    """A drag is one step to undo, but each of its entries tells how the case was after it."""
    workspace = opened.workspace
    for _ in range(3):
        workspace.edit(ShiftShreds(("1-02",), 2), "nudge of 1-02")
        last(workspace)
    assert [entry.what for entry in workspace.case.history] == ["reconstructed", "edited", "edited", "edited"]
    workspace.undo()
    assert last(workspace).parameters == {"to": 1}
    workspace.redo()
    assert last(workspace).parameters == {"to": 4}
    workspace.edit(ShiftShreds(("1-02",), -6), "nudge of 1-02")  # leads back: there is nothing to undo any more
    assert workspace.undo_stack.count() == 0
    assert last(workspace).result_sha256 == workspace.case.history[0].result_sha256
    workspace.edit(HalfTurn(("1-02",)), "half-turn")
    workspace.undo()
    assert last(workspace).parameters == {"to": 7}


def test_other_options_and_solving_again_are_told_apart(opened):
    workspace = opened.workspace
    case = workspace.case
    order = case.arrangement.pages[0]
    found = replace(case, arrangement=replace(case.arrangement, pages=(order[::-1], case.arrangement.pages[1])))
    workspace.adopt(found, "solving again")
    assert (last(workspace).what, last(workspace).parameters) == ("solved again", {"solve": True})
    options = replace(case.options, composition=CompositionOptions(show_seams=True))
    workspace.adopt(replace(workspace.case, options=options), "change of options")
    assert last(workspace).what == "options changed"
    assert last(workspace).parameters["options"]["composition"]["show_seams"] is True
    workspace.undo_all()
    assert last(workspace).parameters == {"to": 1}
    assert workspace.case.options == case.options


def test_the_history_is_saved_and_goes_on(qtbot, opened, tmp_path):
    workspace, path = opened.workspace, tmp_path / "matter.rejoin"
    workspace.edit(HalfTurn(("1-02",)), "half-turn")
    with qtbot.waitSignal(workspace.saved):
        workspace.save(path)
    assert told(workspace)[-1] == ("saved", "matter.rejoin")
    assert load(path).history == workspace.case.history
    opened.open([path])
    qtbot.waitUntil(lambda: not workspace.busy, timeout=10_000)
    workspace.edit(HalfTurn(("1-02",)), "half-turn")
    assert [entry.what for entry in workspace.case.history] == ["reconstructed", "edited", "saved", "edited"]
    workspace.undo()
    assert last(workspace).parameters == {"to": 3}


def test_a_case_without_a_history_is_taken_over(qtbot, opened, tmp_path):
    """Earlier versions kept none; what was done before is told by nobody."""
    path, before = tmp_path / "old.rejoin", opened.workspace.case
    save(replace(before, history=()), path)
    opened.open([path])
    qtbot.waitUntil(lambda: opened.workspace.case is not None and not opened.workspace.busy, timeout=10_000)
    entry = last(opened.workspace)
    assert (entry.number, entry.what) == (1, "taken over")
    assert read_arrangement(entry.parameters["arrangement"]) == before.arrangement


def test_a_save_that_fails_is_told_too(qtbot, opened, tmp_path):
    workspace = opened.workspace
    with qtbot.waitSignal(workspace.failed):
        workspace.save(tmp_path / "nowhere" / "matter.rejoin")
    assert [entry.what for entry in workspace.case.history] == ["reconstructed", "saved", "not saved"]
    assert "there is no folder" in last(workspace).text


def test_what_was_exported_is_told_with_its_hash(qtbot, opened, tmp_path):
    workspace, path = opened.workspace, tmp_path / "pages.tif"
    with qtbot.waitSignal(workspace.exported):
        workspace.export(path)
    entry = last(workspace)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    assert (entry.what, entry.parameters) == ("exported", {"files": [{"name": "pages.tif", "sha256": sha256}], "of": 1})
    assert not workspace.modified, "the case has no file that should have the entry"
    with qtbot.waitSignal(workspace.saved):
        workspace.save(tmp_path / "matter.rejoin")
    with qtbot.waitSignal(workspace.exported):
        workspace.export(path)
    assert opened.isWindowModified()
    with qtbot.waitSignal(workspace.saved):
        workspace.save(tmp_path / "matter.rejoin")
    assert not workspace.modified


def test_the_same_sheets_read_again_go_on_with_the_history(qtbot, opened, draw_sheet):
    workspace = opened.workspace
    workspace.edit(HalfTurn(("1-02",)), "half-turn")
    workspace.reconstruct_again()
    qtbot.waitUntil(lambda: not workspace.busy, timeout=10_000)
    assert [entry.what for entry in workspace.case.history] == ["reconstructed", "edited", "reconstructed"]
    opened.workspace.open([draw_sheet("other.png")])
    qtbot.waitUntil(lambda: not workspace.busy, timeout=10_000)
    assert [entry.text for entry in workspace.case.history] == ["1 page from 3 shreds on 1 sheet"]


def test_with_other_weights_another_history_begins(qtbot, opened):
    """One history is repeated with one file of weights."""
    workspace = opened.workspace
    workspace.put_case(replace(workspace.case, weights_sha256="a" * 64))
    workspace.reconstruct_again()
    qtbot.waitUntil(lambda: not workspace.busy, timeout=10_000)
    assert [entry.what for entry in workspace.case.history] == ["reconstructed"]


def test_a_cancelled_reading_adds_nothing(qtbot, opened, engine, draw_sheet):
    import threading

    workspace = opened.workspace
    workspace.edit(HalfTurn(("1-02",)), "half-turn")
    engine.hold = threading.Event()
    workspace.open([draw_sheet("other.png")])
    with qtbot.waitSignal(workspace.cancelled):
        workspace.cancel()
    workspace.undo()
    assert [entry.what for entry in workspace.case.history] == ["reconstructed", "edited", "undone"]
    assert last(workspace).parameters == {"to": 1}


@pytest.mark.parametrize("name", ["Dr. Ada Żółć", "x" * 80])
def test_who_did_it_is_told(opened, name):
    workspace: Workspace = opened.workspace
    workspace.recording.who = lambda: name
    workspace.edit(HalfTurn(("1-02",)), "half-turn")
    assert last(workspace).who == name
