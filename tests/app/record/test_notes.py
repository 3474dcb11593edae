import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.record.notes import NoteDialog, write
from core.arrangement.edits import MoveShreds
from core.arrangement.noted import note_key

CTRL = Qt.KeyboardModifier.ControlModifier


def notes(window):
    return window.session.document.case.arrangement.notes


@pytest.fixture
def ask(qtbot, opened):
    """Open the note's window by its key."""

    def ask() -> NoteDialog:
        opened.activateWindow()
        qtbot.waitUntil(opened.isActiveWindow)
        qtbot.keyClick(opened, Qt.Key.Key_K, CTRL)
        dialogs = [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, NoteDialog)]
        dialog = next(dialog for dialog in dialogs if dialog.isVisible())
        qtbot.waitUntil(dialog.field.hasFocus)
        return dialog

    return ask


def abouts(dialog):
    return [dialog.about_box.itemData(index) for index in range(dialog.about_box.count())]


def test_a_note_is_about_what_is_chosen(opened, ask):
    session = opened.session
    dialog = ask()
    assert abouts(dialog) == [""]
    dialog.reject()
    session.document.select_shred("1-02")
    dialog = ask()
    assert abouts(dialog) == ["1-02", "1-01|1-02", ""]
    dialog.reject()
    session.document.select_shreds(("1-02", "1-03"), "1-03")
    dialog = ask()
    assert abouts(dialog) == ["1-02|1-03", "1-03", ""]
    dialog.reject()
    assert notes(opened) == {}


def test_a_note_is_written_and_undone(qtbot, opened, ask):
    opened.session.document.select_shred("1-02")
    dialog = ask()
    qtbot.keyClicks(dialog.field, "torn below")
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return, CTRL)
    qtbot.waitUntil(lambda: notes(opened) == {"1-02": "torn below"})
    assert opened.commands.undo.text() == "&Undo note about shred 1-02"
    assert opened.session.document.case.history[-1].text == "Noted about shred 1-02: “torn below”"
    assert opened.isWindowModified()
    dialog = ask()
    assert dialog.field.toPlainText() == "torn below"
    dialog.about_box.setCurrentIndex(2)
    assert dialog.field.toPlainText() == ""
    dialog.about_box.setCurrentIndex(0)
    dialog.field.setPlainText("  ")
    dialog.keep_button.click()
    assert notes(opened) == {}
    opened.session.editor.undo()
    opened.session.editor.undo()
    assert notes(opened) == {}
    opened.session.editor.redo()
    assert notes(opened) == {"1-02": "torn below"}


def test_notes_are_listed_in_reading_order(qtbot, opened):
    session, panel = opened.session, opened.record.history_panel
    write(session.editor, "2-02", "faded")
    write(session.editor, note_key("1-01", "1-02"), "a line runs through")
    write(session.editor, "", "file 12")
    write(session.editor, "1-01", "stapled")
    opened.docks.show("history")
    panel.setCurrentWidget(panel.notes)
    assert [panel.notes.list.item(row).text() for row in range(panel.notes.list.count())] == [
        "file 12",
        "stapled",
        "a line runs through",
        "faded",
    ]
    assert panel.tabText(1) == "Notes (4)"
    rect = panel.notes.list.visualItemRect(panel.notes.list.item(2))
    qtbot.mouseClick(panel.notes.list.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert session.document.selection.shreds == ("1-01", "1-02")
    qtbot.keyClick(panel.notes.list, Qt.Key.Key_Delete)
    assert note_key("1-01", "1-02") not in notes(opened)
    assert "1-02" not in session.document.case.arrangement.set_aside, "Delete took the note away, not the shreds"
    session.editor.undo()
    assert panel.notes.list.count() == 4


def test_what_has_a_note_is_marked_in_the_order(opened):
    session, strip = opened.session, opened.pages.strip
    plain = strip.viewport().grab().toImage()
    write(session.editor, "1-02", "torn below")
    write(session.editor, note_key("1-02", "1-03"), "a line runs through")
    image = strip.viewport().grab().toImage()
    rect, scale = strip.rect_of("1-02"), image.devicePixelRatio()

    def differs(x, y):
        at = round(x * scale), round(y * scale)
        return image.pixel(*at) != plain.pixel(*at)

    assert differs(rect.right() - 2, rect.top() + 2)
    assert not differs(strip.rect_of("1-01").right() - 2, rect.top() + 2)
    assert differs(rect.right() + 2, rect.bottom() - 16)
    middle = rect.center()
    middle.setX(rect.left() + 2)
    assert strip.notes_at(middle) == "Shred 1-02: torn below"
    middle.setX(rect.right() - 1)
    assert strip.notes_at(middle) == "Shred 1-02: torn below\n\nJoin 1-02 | 1-03: a line runs through"
    assert strip.notes_at(strip.rect_of("1-01").center()) == ""


def test_the_pair_view_tells_the_notes(qtbot, opened):
    session = opened.session
    write(session.editor, note_key("1-01", "1-02"), "a line runs through")
    opened.docks.show("pair")
    session.document.select_shred("1-02")
    qtbot.waitUntil(lambda: "◥ Join 1-01 | 1-02: a line runs through" in opened.joins.pair_view.detail.text())
    session.editor.edit(MoveShreds(("1-01",), 0, 6), "move")
    assert notes(opened), "a note stays when the two are parted: what was seen, was seen"
