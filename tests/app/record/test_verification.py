"""Verifying in the window: the file, what came of it, and where the sheets lie."""

import json
import zipfile

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.main_window import MainWindow
from app.record.verification import VerificationDialog
from app.session.engine import Engine
from app.session.session import Session
from app.settings import Settings
from app.widgets import messages
from core.arrangement.edits import MoveShreds
from tests.core.repeatable import Desk, desk
from tests.core.tampered import edit_history

pytestmark = pytest.mark.slow

__all__ = ["desk"]


@pytest.fixture
def window(qtbot, desk: Desk):
    """The window with the engine itself, that compares shreds by the numbers drawn on them."""
    window = MainWindow(Session(Engine()), Settings(desk.folder / "settings.ini"))
    qtbot.addWidget(window, before_close_func=lambda window: window.session.document.discard_changes())
    window.show()
    window.opener.open(desk.sheets)
    qtbot.waitUntil(lambda: window.session.document.case is not None and not window.session.jobs.busy)
    yield window
    window.session.close()
    qtbot.waitUntil(lambda: len(window.session.jobs) == 0)


@pytest.fixture
def matter(qtbot, window, desk: Desk):
    """A case on which something was done, saved."""
    window.session.editor.edit(MoveShreds(("1-01",), 0, 0), "move of shred 1-01")
    with qtbot.waitSignal(window.session.document.saved):
        window.session.writer.save(desk.folder / "matter.rejoin")
    return desk.folder / "matter.rejoin"


def verified(qtbot, window) -> VerificationDialog:
    """Wait for what comes of verifying."""

    def shown():
        found = [w for w in QApplication.topLevelWidgets() if isinstance(w, VerificationDialog) and w.isVisible()]
        assert found
        return found

    qtbot.waitUntil(lambda: bool(shown()))
    qtbot.waitUntil(lambda: not window.session.jobs.busy)
    return shown()[-1]


def outcomes(dialog):
    items = [dialog.table.topLevelItem(row) for row in range(dialog.table.topLevelItemCount())]
    return {item.text(0): item.text(1) for item in items}


def test_a_case_is_verified(qtbot, window, matter):
    window.commands.verify.trigger()
    dialog = verified(qtbot, window)
    assert dialog.title.text() == "Verified", dialog.text.text()
    assert set(outcomes(dialog).values()) == {"✓ holds"}
    assert dialog.folder_button.isHidden()
    history = window.session.document.case.history
    assert history[-1].sha256 in dialog.comparison.text()
    dialog.noted.setText(f" {history[1].sha256.upper()} ")
    assert dialog.comparison.text() == "✓ It is the hash of step 2 of 3."
    dialog.noted.setText("f" * 64)
    assert dialog.comparison.text().startswith("✕")
    dialog.copy_button.click()
    assert "Pages, pixel by pixel\t✓ holds\t" in QGuiApplication.clipboard().text()
    dialog.close()
    assert len(window.session.document.case.history) == 3, "to verify changes nothing"


def test_what_was_altered_is_named(qtbot, window, matter):
    def change(told):
        told[1]["who"] = "Eve"

    edit_history(matter, change)
    window.commands.verify.trigger()
    dialog = verified(qtbot, window)
    assert dialog.title.text() == "Not verified"
    text = dialog.text.text()
    assert text.startswith(
        'Entry 2 of the history ("Moved shred 1-01 from page 1, place 5 to page 1, place 1") was changed'
    )
    assert outcomes(dialog)["Chain of the history"] == "✕ failed"
    assert outcomes(dialog)["Steps repeated"] == "– not checked"
    dialog.close()


def test_sheets_elsewhere_are_asked_for(qtbot, window, matter, desk: Desk, monkeypatch):
    archive = desk.folder / "archive"
    archive.mkdir()
    for sheet in desk.sheets:
        sheet.rename(archive / sheet.name)
    window.commands.verify.trigger()
    dialog = verified(qtbot, window)
    assert outcomes(dialog)["Sheets"] == "✕ failed"
    assert dialog.folder_button.isVisible()
    monkeypatch.setattr(messages, "choose_sheets_folder", lambda parent, folder: archive)
    dialog.folder_button.click()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    again = verified(qtbot, window)
    assert again.title.text() == "Verified", again.text.text()
    again.close()


def test_what_is_not_saved_is_saved_first(qtbot, window, matter):
    window.session.editor.undo()
    window.commands.verify.trigger()
    assert window.notices.text.startswith("What is verified is the file")
    window.notices.more_button.click()
    dialog = verified(qtbot, window)
    assert dialog.title.text() == "Verified", dialog.text.text()
    dialog.close()
    with zipfile.ZipFile(matter) as archive:
        entries = [json.loads(line) for line in archive.read("history.jsonl").splitlines()]
    assert [entry["what"] for entry in entries] == ["reconstructed", "edited", "saved", "undone", "saved"]
