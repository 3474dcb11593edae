import pikepdf
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.record.details import DetailsDialog
from app.widgets import messages
from core.arrangement.details import CaseDetails
from core.arrangement.edits import HalfTurn

CTRL = Qt.KeyboardModifier.ControlModifier


def details(window):
    return CaseDetails.of(window.session.document.case.arrangement)


@pytest.fixture
def ask(qtbot):
    """Open the window of the details by its key."""

    def ask(window) -> DetailsDialog:
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        qtbot.keyClick(window, Qt.Key.Key_I, CTRL)
        dialogs = [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, DetailsDialog)]
        return next(dialog for dialog in dialogs if dialog.isVisible())

    return ask


def type_in(qtbot, field, text):
    field.selectAll()
    qtbot.keyClicks(field, text)


def test_details_are_entered_by_keys_and_undone(qtbot, opened, ask, settings):
    before = opened.windowTitle()
    dialog = ask(opened)
    qtbot.waitUntil(dialog.number.hasFocus)
    qtbot.keyClicks(dialog.number, "  2026-0412 ")
    qtbot.keyClick(dialog.number, Qt.Key.Key_Tab)
    qtbot.keyClicks(dialog.exhibit, "Exhibit 3")
    type_in(qtbot, dialog.examiner, "Ada Lovelace")
    qtbot.keyClicks(dialog.remarks, "From an envelope.")
    qtbot.keyClick(dialog.exhibit, Qt.Key.Key_Return)
    assert details(opened) == CaseDetails("2026-0412", "Exhibit 3", "", "Ada Lovelace", "From an envelope.")
    assert opened.windowTitle().startswith("2026-0412 · Exhibit 3 · ")
    entry = opened.session.document.history[-1]
    assert entry.what == "edited"
    assert entry.text.startswith("Details of the case: case number – → “2026-0412”, exhibit – → “Exhibit 3”")
    assert entry.who == settings.examiner() == "Ada Lovelace"
    opened.activateWindow()
    qtbot.waitUntil(opened.isActiveWindow)
    qtbot.keyClick(opened, Qt.Key.Key_Z, CTRL)
    assert details(opened) == CaseDetails()
    assert opened.windowTitle() == before


def test_a_name_entered_there_is_not_asked_for_any_more(qtbot, opened, ask):
    line = opened.record.examiner.line
    opened.session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    assert line.isVisible()
    dialog = ask(opened)
    type_in(qtbot, dialog.examiner, "Ada Lovelace")
    qtbot.keyClick(dialog.examiner, Qt.Key.Key_Return)
    assert not line.isVisible()
    assert opened.session.document.case.history[-1].who == "Ada Lovelace"


def test_a_logo_is_chosen_made_smaller_and_removed(qtbot, opened, ask, tmp_path, monkeypatch):
    Image.effect_noise((1600, 900), 90).convert("RGB").save(tmp_path / "logo.png")
    (tmp_path / "text.png").write_text("no picture")
    chosen = [tmp_path / "text.png", tmp_path / "logo.png"]
    monkeypatch.setattr(messages, "choose_picture", lambda parent, folder: chosen.pop(0))
    dialog = ask(opened)
    qtbot.mouseClick(dialog.choose_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.problem.isVisible)
    assert "no picture" in dialog.problem.text()
    qtbot.mouseClick(dialog.choose_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.remove_button.isEnabled)
    assert not dialog.problem.isVisible()
    qtbot.mouseClick(dialog.keep_button, Qt.MouseButton.LeftButton)
    assert details(opened).logo_png.startswith(b"\x89PNG")
    dialog = ask(opened)
    qtbot.mouseClick(dialog.remove_button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(dialog.keep_button, Qt.MouseButton.LeftButton)
    assert details(opened).logo == ""


def test_what_was_entered_for_new_cases_stands_in_the_next_one(qtbot, window, ask, settings, draw_sheet, tmp_path):
    dialog = ask(window)
    assert not dialog.number.isEnabled()
    qtbot.keyClicks(dialog.laboratory, "Institute")
    type_in(qtbot, dialog.examiner, "Ada")
    qtbot.mouseClick(dialog.keep_button, Qt.MouseButton.LeftButton)
    window.opener.open([draw_sheet("scan1.png")])
    qtbot.waitUntil(lambda: bool(window.pages.view.canvas.places))
    assert details(window) == CaseDetails(laboratory="Institute", examiner="Ada")
    session = window.session
    assert [(entry.what, entry.who) for entry in session.document.history] == [
        ("reconstructed", "Ada"),
        ("edited", "Ada"),
    ]
    assert not session.document.undo_stack.canUndo()
    dialog = ask(window)
    qtbot.keyClicks(dialog.number, "7")
    type_in(qtbot, dialog.laboratory, "Another")
    qtbot.mouseClick(dialog.for_new_cases, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(dialog.keep_button, Qt.MouseButton.LeftButton)
    assert settings.details()["laboratory"] == "Institute", "of this case alone"
    session.reader.reconstruct_again()
    qtbot.waitUntil(lambda: session.document.case is not None and not session.jobs.busy)
    assert details(window) == CaseDetails("7", "", "Another", "Ada"), "the same sheets keep theirs"
    with qtbot.waitSignal(session.writer.exported):
        session.writer.export(tmp_path / "pages.pdf")
    with pikepdf.open(tmp_path / "pages.pdf") as pdf, pdf.open_metadata() as metadata:
        assert metadata["dc:title"] == "Reconstructed from scan1.png, case 7"
        assert metadata["dc:creator"] == ["Ada, Another"]


def test_settings_edited_by_hand_are_no_reason_not_to_start(qtbot, window, ask, settings):
    settings.set_details({"logo": "no base64", "colour": "red"})
    dialog = ask(window)
    assert dialog.details.laboratory == dialog.details.logo == ""
