"""Pages filtered and gone to, doubtful joins walked through, by real keys."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QSpinBox

from core.arrangement.edits import SetJoin, ShiftShreds
from core.arrangement.page_edits import SetPageState
from core.options import Options, SolverOptions
from tests.app.table.test_controller import CTRL, Key, table, text
from tests.app.table.test_page_operations import ALT, NONE, SHIFT, arrangement, click

__all__ = ["table"]


@pytest.fixture
def engine(engine):
    """Four strips on a page: three pages, of four, four and one; in each of the first two the last join is doubtful."""
    engine.strips_on_page = 4
    return engine


def shown(table):
    return [page + 1 for page in table.model.pages]


def chosen(window):
    return window.session.document.selection.shreds


def go_to(qtbot, window, widget, number):
    qtbot.keyClick(widget, Key.Key_P)
    (dialog,) = window.findChildren(QInputDialog)
    box = dialog.findChild(QSpinBox)
    assert (box.minimum(), box.maximum()) == (1, 3)
    box.selectAll()
    qtbot.keyClicks(box, str(number))
    qtbot.keyClick(box, Key.Key_Return)
    qtbot.waitUntil(lambda: not window.findChildren(QInputDialog))
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def test_only_doubtful_pages_are_shown_and_a_key_shows_all_again(qtbot, opened, table):
    assert shown(table) == [1, 2, 3]
    qtbot.keyClick(table.view, Key.Key_5, ALT)
    assert shown(table) == [1, 2]
    assert table.bar.count.text() == "2 of 3 pages"
    opened.session.editor.edit(SetJoin("1-03", "2-01", "confirmed"), "confirmation")
    assert shown(table) == [2]
    assert opened.session.document.page == 1, "the next one is the current one"
    qtbot.keyClick(table.view, Key.Key_5, ALT)
    assert shown(table) == [1, 2, 3]
    assert table.bar.count.text() == "3 pages"


def test_pages_that_the_filters_hide_are_skipped_until_that_is_lifted(qtbot, opened, table):
    canvas, page, hint = opened.pages.view.canvas, lambda: opened.session.document.page + 1, table.hint
    assert hint.isHidden()
    opened.session.editor.edit(ShiftShreds(("3-02",), 2), "nudge")
    opened.session.editor.edit(SetPageState((0, 2), "reviewed"), "review")
    qtbot.keyClick(table.view, Key.Key_8, ALT)
    opened.session.editor.edit(SetPageState((1, 2), "new"), "review")
    qtbot.keyClick(table.view, Key.Key_Return)
    qtbot.waitUntil(lambda: bool(canvas.places))
    assert hint.text() == "Filtered: 2 of 3 pages"
    for key, then in ((Key.Key_PageDown, 3), (Key.Key_PageUp, 2), (Key.Key_End, 3), (Key.Key_Home, 2)):
        qtbot.keyClick(canvas, key, CTRL if key in (Key.Key_End, Key.Key_Home) else NONE)
        assert page() == then
    qtbot.keyClick(opened, Key.Key_PageUp)
    assert opened.statusBar().currentMessage().endswith("No page before this one passes the filter of the light table.")
    qtbot.keyClick(canvas, Key.Key_2, ALT)
    assert page() == 2, "the page that is looked at stays, though the table no longer shows it"
    assert hint.text() == "Filtered: 1 of 3 pages"
    qtbot.keyClick(canvas, Key.Key_PageDown)
    assert page() == 3
    qtbot.mouseClick(hint, Qt.MouseButton.LeftButton)
    assert hint.isHidden()
    qtbot.keyClick(canvas, Key.Key_PageUp)
    qtbot.keyClick(canvas, Key.Key_PageUp)
    assert page() == 1


def test_pages_wider_than_paper_and_those_changed_by_hand(qtbot, window, engine, draw_sheet):
    engine.strips_on_page = 5
    window.session.document.options = Options(solver=SolverOptions(page_width_mm=20))
    window.opener.open([draw_sheet(f"scan{number}.png") for number in (1, 2, 3)])
    qtbot.waitUntil(lambda: bool(window.pages.view.canvas.places))
    table = window.table
    qtbot.keyClick(window.pages.view.canvas, Key.Key_6, ALT)
    qtbot.waitUntil(lambda: shown(table) == [1])
    assert window.centre.currentWidget() is table.widget, "a filter shows the table"
    assert "28 mm: wider than paper" in text(table, 0)
    window.session.editor.edit(ShiftShreds(("3-02",), 2), "nudge")
    qtbot.keyClick(table.view, Key.Key_7, ALT)
    assert shown(table) == [], "none passes both"
    qtbot.keyClick(table.view, Key.Key_6, ALT)
    assert shown(table) == [2]


def test_pages_are_reviewed_one_after_the_other_until_none_is_left(qtbot, opened, table):
    qtbot.keyClick(table.view, Key.Key_8, ALT)
    click(qtbot, table, 0)
    for left in ([2, 3], [3], []):
        qtbot.keyClick(table.view, Key.Key_2, ALT)
        assert shown(table) == left
    assert [arrangement(opened).page_state(page)[0] for page in range(3)] == ["reviewed"] * 3
    assert table.bar.count.text() == "0 of 3 pages"
    table.view.grab()
    opened.session.editor.edit(ShiftShreds(("2-02",), 2), "nudge")
    assert shown(table) == [2], "changed since"


def test_a_page_is_gone_to_by_its_number(qtbot, opened, table):
    go_to(qtbot, opened, table.view, 3)
    assert opened.session.document.page == 2
    assert table.view.chosen() == [2]
    qtbot.keyClick(table.view, Key.Key_Escape)
    go_to(qtbot, opened, opened.pages.view.canvas, 1)
    assert opened.session.document.page == 0
    qtbot.waitUntil(lambda: "1-01" in opened.pages.view.canvas.places)


def test_going_to_a_page_that_the_filters_hide_shows_all(qtbot, opened, table):
    qtbot.keyClick(table.view, Key.Key_5, ALT)
    go_to(qtbot, opened, table.view, 3)
    assert shown(table) == [1, 2, 3]
    assert not opened.commands.only_doubtful.isChecked()
    assert table.view.chosen() == [2]


def test_doubtful_joins_are_walked_through_and_answered(qtbot, opened, table):
    qtbot.keyClick(table.view, Key.Key_Escape)
    canvas = opened.pages.view.canvas
    qtbot.keyClick(canvas, Key.Key_J)
    assert chosen(opened) == ("1-03", "2-01")
    qtbot.keyClick(canvas, Key.Key_J)
    assert chosen(opened) == ("3-01", "3-02")
    assert opened.session.document.page == 1
    qtbot.keyClick(canvas, Key.Key_J)
    assert chosen(opened) == ("1-03", "2-01"), "around the end"
    qtbot.keyClick(canvas, Key.Key_J, SHIFT)
    assert chosen(opened) == ("3-01", "3-02")
    qtbot.keyClick(canvas, Key.Key_J, SHIFT)
    opened.commands.confirm.trigger()
    assert arrangement(opened).confirmed == {("1-03", "2-01")}
    qtbot.keyClick(canvas, Key.Key_J)
    qtbot.keyClick(canvas, Key.Key_J)
    assert chosen(opened) == ("3-01", "3-02"), "what was answered is passed over"
    opened.commands.forbid.trigger()
    qtbot.keyClick(canvas, Key.Key_J)
    assert opened.statusBar().currentMessage() == "No join is doubtful."


def test_doubtful_joins_are_gone_to_on_the_table(qtbot, opened, table):
    qtbot.keyClick(table.view, Key.Key_J, NONE)
    qtbot.keyClick(table.view, Key.Key_J, NONE)
    assert opened.centre.currentWidget() is table.widget
    assert table.view.chosen() == [1]


def test_filters_can_be_clicked(qtbot, opened, table):
    (button,) = [one for one in table.bar.filters if one.defaultAction() is opened.commands.only_doubtful]
    click(qtbot, table, 2)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert shown(table) == [1, 2]
    assert table.view.chosen() == [0]
    assert button.isChecked()


def test_widths_follow_the_options(qtbot, opened, table):
    document = opened.session.document
    qtbot.waitUntil(lambda: "23 mm of 210 mm" in text(table, 0))
    case = replace(document.case, options=Options(solver=SolverOptions(page_width_mm=20)))
    opened.session.editor.adopt(case, "other options")
    qtbot.waitUntil(lambda: "23 mm of 20 mm" in text(table, 0))
    opened.commands.undo.trigger()
    qtbot.waitUntil(lambda: "23 mm of 210 mm" in text(table, 0))
