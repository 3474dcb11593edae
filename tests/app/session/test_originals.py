"""Sheets that were moved are found again before something reads them; changed ones are refused."""

import shutil

import pytest
from PySide6.QtCore import Qt

from app.widgets import messages
from core.arrangement.edits import HalfTurn
from core.case.file import load


@pytest.fixture
def asked(monkeypatch):
    """What was asked about sheets; answered with the folders given, then with none."""
    asked, answers = [], []

    def ask(parent, told, more, folder):
        asked.append((told, more))
        return answers.pop(0) if answers else None

    monkeypatch.setattr(messages, "ask_for_sheets", ask)
    asked_and_answers = asked, answers
    return asked_and_answers


@pytest.fixture
def matter(qtbot, opened, tmp_path):
    """A saved case that is open, in a folder of its own."""
    path = tmp_path / "cases" / "matter.rejoin"
    path.parent.mkdir()
    with qtbot.waitSignal(opened.session.document.saved):
        opened.session.writer.save(path)
    return path


def move(window, folder):
    """Move the sheets of a case."""
    folder.mkdir(exist_ok=True)
    return [shutil.move(sheet.path, folder / sheet.path.name) for sheet in window.session.document.case.sheets]


def again(qtbot, window, engine):
    """Reconstruct again, and give what was read."""
    runs = len(engine.runs)
    window.commands.again.trigger()
    qtbot.waitUntil(lambda: not window.session.jobs.busy)
    return engine.runs[runs:]


def test_sheets_beside_the_case_are_found(qtbot, opened, engine, matter, asked):
    moved = move(opened, matter.parent)
    assert again(qtbot, opened, engine) == [tuple(moved)]
    assert asked[0] == []
    assert [entry.what for entry in opened.session.document.case.history] == ["reconstructed", "saved", "reconstructed"]


def test_one_question_finds_all(qtbot, opened, engine, matter, asked, tmp_path):
    moved = move(opened, tmp_path / "archive")
    asked[1].append(tmp_path)
    assert again(qtbot, opened, engine) == [tuple(moved)]
    ((told, more),) = asked[0]
    assert told.endswith(
        "scan1.png is not there, nor does it lie beside the case. Name the folder in which it lies now."
    )
    assert more.startswith("So it is with 3 files.")


def test_without_an_answer_nothing_happens(qtbot, opened, engine, matter, asked, tmp_path):
    move(opened, tmp_path / "archive")
    before = opened.session.document.case
    assert again(qtbot, opened, engine) == []
    assert opened.session.document.case is before
    asked[1].append(matter.parent)
    assert again(qtbot, opened, engine) == []
    assert len(asked[0]) == 3, "the folder named holds none of them: asked again"


def test_a_sheet_that_is_looked_at_closely_and_is_not_there_offers_to_name_its_folder(
    qtbot, opened, matter, asked, tmp_path
):
    moved = move(opened, tmp_path / "archive")
    asked[1].append(tmp_path / "archive")
    opened.opener.open([matter])
    qtbot.waitUntil(lambda: bool(opened.pages.view.canvas.places))
    opened.session.document.select_shred("1-02")
    assert not opened.notices.isVisible()
    qtbot.keyClick(opened, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(opened.notices.isVisible)
    text = f"{opened.session.document.case.sheets[0].path} is not there, nor does it lie beside the case. "
    assert opened.notices.text == text + "Name the folder in which it lies now."
    qtbot.mouseClick(opened.notices.more_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: opened.session.pictures.get(("sheet", 0)) is not None)
    assert [sheet.path for sheet in opened.session.document.case.sheets] == moved
    assert len(asked[0]) == 1


def test_a_changed_sheet_is_refused(qtbot, opened, engine, matter, asked):
    sheet = opened.session.document.case.sheets[1].path
    sheet.write_bytes(sheet.read_bytes() + b"x")
    assert again(qtbot, opened, engine) == []
    assert "scan2.png is not the file that was read: its SHA-256 is another." in asked[0][0][0]


def test_sheets_moved_while_they_are_open_are_found_too(qtbot, opened, engine, asked, tmp_path):
    moved = move(opened, tmp_path / "archive")
    asked[1].append(tmp_path / "archive")
    assert again(qtbot, opened, engine) == [tuple(moved)]
    again(qtbot, opened, engine)
    assert len(asked[0]) == 1


def test_more_sheets_are_added_without_those_that_are_there(qtbot, opened, engine, matter, asked, draw_sheet, tmp_path):
    move(opened, tmp_path / "archive")
    more = draw_sheet("more.png")
    opened.session.reader.add([more])
    qtbot.waitUntil(lambda: len(opened.session.document.opened.sheets) == 4)
    assert engine.runs[-1] == (more,)
    assert asked[0] == []
    assert opened.session.document.case_path == matter


# Packed in the case


def test_a_case_is_saved_with_its_sheets_and_stays_so(qtbot, opened, engine, asked, tmp_path, monkeypatch):
    path = tmp_path / "whole.rejoin"
    monkeypatch.setattr(messages, "choose_case", lambda parent, proposed: path)
    with qtbot.waitSignal(opened.session.document.saved):
        opened.commands.save_packed.trigger()
    assert opened.session.document.case.history[-1].text == "whole.rejoin, with the sheets packed in it"
    originals = {sheet.path.name: sheet.path.read_bytes() for sheet in opened.session.document.case.sheets}
    for sheet in opened.session.document.case.sheets:
        sheet.path.unlink()
    opened.session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    with qtbot.waitSignal(opened.session.document.saved):
        opened.commands.save.trigger()
    assert all(sheet.packed_in == path for sheet in load(path).sheets)
    folder = tmp_path / "unpacked"
    folder.mkdir()
    asked[1].append(folder)
    qtbot.waitUntil(lambda: not opened.session.jobs.busy)
    assert again(qtbot, opened, engine) == [tuple(folder / name for name in originals)]
    assert "packed in the case" in asked[0][0][0]
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == originals


def test_a_moved_sheet_is_shown_at_full_resolution(qtbot, opened, matter, asked):
    move(opened, matter.parent)
    opened.session.document.select_shred("2-01")
    qtbot.waitUntil(lambda: opened.session.pictures.get(("sheet", 1)) is not None)
    assert asked[0] == []


def test_sheets_that_are_gone_cannot_be_packed(qtbot, opened, asked, tmp_path, monkeypatch):
    opened.session.document.case.sheets[0].path.unlink()
    monkeypatch.setattr(messages, "choose_case", lambda parent, proposed: tmp_path / "whole.rejoin")
    opened.commands.save_packed.trigger()
    qtbot.waitUntil(lambda: len(asked[0]) == 1)
    assert not (tmp_path / "whole.rejoin").exists()
    assert [entry.what for entry in opened.session.document.case.history] == ["reconstructed"]
