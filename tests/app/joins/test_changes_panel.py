import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from core.arrangement.exchange import Exchange
from tests.app.joins.asking import asked, until_asked, until_quiet
from tests.app.solvable import DOUBTFUL, ORDER, SolvableEngine

CTRL = Qt.KeyboardModifier.ControlModifier
EXCHANGED = ("1-01", "1-02", "1-03", "2-02", "2-01", "2-03", "3-01", "3-02", "3-03")


@pytest.fixture
def engine():
    return SolvableEngine()


@pytest.fixture
def solved(qtbot, opened):
    """The window after a ban by key and solving again, which exchanges two shreds."""
    opened.session.document.select_shreds(DOUBTFUL, DOUBTFUL[1])
    qtbot.keyClick(opened.pages.view.canvas, Qt.Key.Key_N)
    qtbot.keyClick(opened.pages.view.canvas, Qt.Key.Key_R, CTRL)
    qtbot.waitUntil(lambda: order(opened) == EXCHANGED)
    until_quiet(qtbot, opened)
    return opened


def order(window):
    (page,) = window.session.document.case.arrangement.pages
    return page


def click_tick(qtbot, tree, row=0):
    option = QStyleOptionViewItem()
    tree.initViewItemOption(option)
    option.rect = tree.visualItemRect(tree.topLevelItem(row))
    option.features |= QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator
    box = tree.style().subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, tree)
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=box.center())


def click_column(qtbot, tree, row, column):
    at = QPoint(tree.columnViewportPosition(column) + 20, tree.visualItemRect(tree.topLevelItem(row)).center().y())
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_a_solve_that_changes_more_than_was_answered_shows_what(solved):
    panel, panels = solved.joins.changes_panel, solved.docks
    assert panels["changes"].dock.isVisible()
    item = panel.tree.topLevelItem(0)
    assert panel.tree.topLevelItemCount() == 1
    assert [line.split("  ")[0] for line in item.text(0).split("\n")] == ["1-03 | 2-01", "2-01 | 2-02", "2-02 | 2-03"]
    assert [line.split("  ")[0] for line in item.text(1).split("\n")] == ["1-03 | 2-02", "2-02 | 2-01", "2-01 | 2-03"]
    assert "%" in item.text(1)
    assert item.text(2) == "1"
    assert panel.heading.text() == "3 joins have changed, in 1 place."


def test_the_key_of_the_panel_goes_there_where_it_had_come_by_itself_and_puts_it_away_from_there(qtbot, solved):
    dock, canvas, shift = solved.docks["changes"].dock, solved.pages.view.canvas, Qt.KeyboardModifier.ShiftModifier
    canvas.setFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_R, CTRL | shift)
    assert dock.isVisible()
    assert dock.isAncestorOf(solved.focusWidget())
    qtbot.keyClick(solved.focusWidget(), Qt.Key.Key_R, CTRL | shift)
    assert not dock.isVisible()
    assert canvas.hasFocus() or solved.pages.view.isAncestorOf(solved.focusWidget())


def test_a_tick_taken_away_refuses_it_and_set_again_accepts_it(qtbot, solved):
    panel = solved.joins.changes_panel
    item = panel.tree.topLevelItem(0)
    click_tick(qtbot, panel.tree)
    assert order(solved) == ORDER
    assert item.checkState(0) is Qt.CheckState.Unchecked
    assert panel.heading.text().endswith("1 refused.")
    assert solved.session.document.undo_stack.undoText() == "return to 1-03 | 2-01 and 2 more"
    panel.tree.setFocus()
    panel.tree.setCurrentItem(item)
    qtbot.keyClick(panel.tree, Qt.Key.Key_Space)
    assert order(solved) == EXCHANGED
    assert item.checkState(0) is Qt.CheckState.Checked


def test_what_was_refused_stays_so_when_solved_once_more(qtbot, solved):
    qtbot.mouseClick(solved.joins.changes_panel.refuse, Qt.MouseButton.LeftButton)
    assert order(solved) == ORDER
    solved.session.document.select_shred("1-02")
    qtbot.keyClick(solved, Qt.Key.Key_R, CTRL)
    until_quiet(qtbot, solved)
    assert solved.session.document.case.arrangement.pages == (ORDER[:4], ORDER[4:]), "parted where a join is forbidden"


def test_one_undo_takes_the_whole_solution_back_and_the_ticks_follow(qtbot, solved):
    panel = solved.joins.changes_panel
    qtbot.keyClick(solved, Qt.Key.Key_Z, CTRL)
    assert order(solved) == ORDER
    assert panel.tree.topLevelItem(0).checkState(0) is Qt.CheckState.Unchecked
    assert not panel.refuse.isEnabled()
    qtbot.mouseClick(panel.accept, Qt.MouseButton.LeftButton)
    assert order(solved) == EXCHANGED


def test_what_was_changed_by_hand_since_cannot_be_ticked(qtbot, solved):
    solved.session.editor.edit(Exchange((("2-02", "2-01"),), ()), "parting")
    item = solved.joins.changes_panel.tree.topLevelItem(0)
    assert item.checkState(0) is Qt.CheckState.PartiallyChecked
    assert not item.flags() & Qt.ItemFlag.ItemIsUserCheckable
    assert "by hand" in item.toolTip(0)


def test_choosing_a_change_shows_it_on_the_page(qtbot, solved):
    tree, document = solved.joins.changes_panel.tree, solved.session.document
    click_column(qtbot, tree, 0, 1)
    assert document.selection.shreds == ("1-03", "2-02")
    click_column(qtbot, tree, 0, 0)
    assert document.selection.shreds == ("1-03", "2-01")


def test_a_review_goes_on_and_only_says_so(qtbot, opened):
    qtbot.keyClick(opened, Qt.Key.Key_F11)
    queue = opened.joins.review_queue
    until_asked(qtbot, queue)
    while asked(queue) != DOUBTFUL:
        before = asked(queue)
        qtbot.keyClick(queue, Qt.Key.Key_S)
        qtbot.waitUntil(lambda before=before: asked(queue) not in (None, before))
    qtbot.keyClick(queue, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: order(opened) == EXCHANGED)
    until_quiet(qtbot, opened)
    assert opened.docks["review"].dock.isVisible()
    assert opened.notices.isVisible()
    qtbot.mouseClick(opened.notices.more_button, Qt.MouseButton.LeftButton)
    assert opened.docks["changes"].action.isChecked()
    opened.session.editor.undo()
    assert order(opened) == ORDER
    assert not opened.notices.isVisible(), "nothing of it is left"


def test_another_case_begins_with_nothing_changed(solved):
    solved.session.document.case_changed.emit()
    assert solved.joins.changes_panel.parts == ()
    assert solved.joins.changes_panel.tree.topLevelItemCount() == 0
