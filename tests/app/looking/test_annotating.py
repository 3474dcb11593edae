import pytest
from PySide6.QtCore import QPoint, Qt

from app.record.notes import NoteDialog
from core.arrangement.edits import HalfTurn
from tests.app.looking.looked_at import CTRL, drag
from tests.app.test_main_window import until_page

Key = Qt.Key


def write(qtbot, window, text):
    """Write what is wanted into the dialog that is open."""
    dialog = next(one for one in window.findChildren(NoteDialog) if one.isVisible())
    qtbot.keyClicks(dialog.field, text)
    qtbot.mouseClick(dialog.keep_button, Qt.MouseButton.LeftButton)


def frame(qtbot, window, canvas, shred="1-02"):
    """Frame the middle of a shred."""
    qtbot.keyClick(canvas, Key.Key_A)
    at = canvas.mapFromScene(canvas.places[shred].center())
    drag(canvas, at - QPoint(4, 20), at + QPoint(4, 20))


def noted(window):
    return window.session.document.case.arrangement.notes


def test_a_framed_place_is_written_about_and_framed_on_the_page(qtbot, opened, canvas):
    frame(qtbot, opened, canvas)
    assert not opened.commands.annotate.isChecked()
    write(qtbot, opened, "a signature")
    ((about, text),) = noted(opened).items()
    assert about.startswith("1-02@")
    assert text == "a signature"
    (mark,) = canvas.noted
    assert mark.toolTip() == "a signature"
    assert mark.polygon().boundingRect().center().x() == pytest.approx(canvas.places["1-02"].center().x(), abs=2)
    assert opened.session.document.undo_stack.undoText().startswith("note about place on shred 1-02")
    qtbot.keyClick(opened, Key.Key_Z, CTRL)
    assert noted(opened) == {}
    assert canvas.noted == []


def test_it_keeps_to_its_place_when_its_shred_is_turned_over(qtbot, opened, canvas):
    frame(qtbot, opened, canvas)
    write(qtbot, opened, "x")
    (about,) = noted(opened)
    place = canvas.noted[0].polygon().boundingRect()
    outline = canvas.outlines["1-02"].boundingRect()
    before = place.top() - outline.top()
    opened.session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    until_page(qtbot, opened)
    qtbot.waitUntil(lambda: len(opened.session.jobs) == 0)
    outline = canvas.outlines["1-02"].boundingRect()
    after = outline.bottom() - canvas.noted[0].polygon().boundingRect().bottom()
    assert after == pytest.approx(before, abs=3)
    assert list(noted(opened)) == [about]


def test_a_frame_by_keys_and_one_where_no_shred_lies(qtbot, opened, canvas):
    canvas.set_zoom(1.0)
    canvas.centerOn(canvas.places["1-02"].center())
    qtbot.keyClick(canvas, Key.Key_A)
    qtbot.keyClick(canvas, Key.Key_Return)
    for key in (Key.Key_Right, Key.Key_Down):
        qtbot.keyClick(canvas, key, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(canvas, Key.Key_Return)
    write(qtbot, opened, "by keys")
    assert list(noted(opened).values()) == ["by keys"]
    canvas.fit()
    qtbot.keyClick(canvas, Key.Key_A)
    corner = canvas.mapFromScene(canvas.image_item.boundingRect().bottomRight()) + QPoint(4, -30)
    drag(canvas, corner, corner + QPoint(8, 20))
    assert "No shred lies" in opened.notices._text.text()


def test_the_list_of_notes_leads_to_the_place(qtbot, opened, canvas):
    frame(qtbot, opened, canvas)
    write(qtbot, opened, "look")
    opened.docks.show("history")
    notes = opened.record.history_panel.notes
    assert "Place on shred 1-02" in notes.list.item(0).data(Qt.ItemDataRole.UserRole + 1)
    notes.list.itemClicked.emit(notes.list.item(0))
    assert opened.session.document.selection.shreds == ("1-02",)
