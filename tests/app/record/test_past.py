import pytest
from PySide6.QtCore import Qt

from app.record.past import PastDialog
from core.arrangement.edits import HalfTurn, MoveShreds, SetAside

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def steps(qtbot, opened):
    """The panel with four steps, shown by its key."""
    edit = opened.session.editor.edit
    edit(MoveShreds(("1-01",), 0, 6), "move")
    edit(HalfTurn(("1-02",)), "half-turn")
    edit(SetAside(("3-01",)), "setting aside")
    qtbot.keyClick(opened, Qt.Key.Key_H, CTRL)
    panel = opened.record.history_panel.steps
    qtbot.waitUntil(lambda: panel.filtered.rowCount() == 4)
    return panel


def click(qtbot, view, row, modifier=Qt.KeyboardModifier.NoModifier):
    place = view.visualRect(view.model().index(row, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, modifier, place)


def shown(qtbot, window):
    dialog = next(each for each in window.findChildren(PastDialog) if each.isVisible())
    qtbot.waitUntil(lambda: dialog.view.image_item.finest is not None and dialog.view.image_item.opacity() == 1)
    return dialog


def test_a_click_on_a_step_shows_the_state_then_and_nothing_is_changed(qtbot, opened, steps):
    before = opened.session.document.case
    click(qtbot, steps.table, 1)
    qtbot.keyClick(steps.table, Qt.Key.Key_Return)
    dialog = shown(qtbot, opened)
    assert dialog.text.text().startswith("As it was after step 2 of 4, ")
    assert (
        "Moved shred 1-01 from page 1, place 1 to page 1, place 6. Nothing can be changed here." in dialog.text.text()
    )
    assert dialog.differences == [
        ("shred 3-02", "page 2, place 2, right of 3-01", "page 2, place 1"),
        ("shred 3-01", "page 2, place 1", "the tray"),
        ("turn of shred 1-02", "0° +0.00°", "180° +0.00°"),
    ]
    click(qtbot, dialog.list, 0)
    qtbot.waitUntil(lambda: len(dialog.differences) == 5)
    assert dialog.differences[0] == ("shred 1-02", "page 1, place 2, right of 1-01", "page 1, place 1")
    assert dialog.summary.text() == "5 differences"
    qtbot.mouseClick(dialog.back_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not opened.findChildren(PastDialog))
    assert opened.session.document.case is before


def test_two_chosen_steps_are_compared(qtbot, opened, steps):
    click(qtbot, steps.table, 1)
    click(qtbot, steps.table, 2, CTRL)
    assert steps.see_button.text() == "Compare…"
    qtbot.mouseClick(steps.see_button, Qt.MouseButton.LeftButton)
    dialog = shown(qtbot, opened)
    qtbot.waitUntil(lambda: dialog.differences == [("turn of shred 1-02", "0° +0.00°", "180° +0.00°")])
    assert [dialog.tree.headerItem().text(column) for column in (1, 2)] == ["Step 2", "Step 3"]
    dialog.compared_with.setFocus()
    qtbot.keyClick(dialog.compared_with, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: [row[0] for row in dialog.differences] == ["shred 3-02", "shred 3-01"])
    assert dialog.tree.headerItem().text(2) == "Now"


def test_a_difference_leads_to_its_page(qtbot, opened, steps):
    click(qtbot, steps.table, 0)
    qtbot.mouseClick(steps.see_button, Qt.MouseButton.LeftButton)
    dialog = shown(qtbot, opened)
    qtbot.waitUntil(lambda: len(dialog.differences) == 5)
    assert dialog.page_label.text() == "Page 1 of 2"
    row = [row[0] for row in dialog.differences].index("shred 3-01")
    place = dialog.tree.visualItemRect(dialog.tree.topLevelItem(row)).center()
    qtbot.mouseClick(dialog.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: dialog._outline.isVisible())
    assert dialog.page_label.text() == "Page 2 of 2"
    assert not dialog.next_button.isEnabled()
    qtbot.mouseClick(dialog.previous_button, Qt.MouseButton.LeftButton)
    assert dialog.page_label.text() == "Page 1 of 2"


def test_a_state_that_was_not_kept_is_explained(qtbot, opened, steps):
    document = opened.session.document
    document.put(case=document.case.__class__(**(vars_of(document.case) | {"states": {}, "solved": None})))
    click(qtbot, steps.table, 0)
    qtbot.mouseClick(steps.see_button, Qt.MouseButton.LeftButton)
    dialog = next(each for each in opened.findChildren(PastDialog) if each.isVisible())
    qtbot.waitUntil(lambda: "was not kept" in dialog.summary.text())
    assert not dialog.next_button.isEnabled()


def vars_of(case):
    return {name: getattr(case, name) for name in case.__dataclass_fields__}
