from collections import Counter

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QToolTip


def test_arrow_keys_reach_what_is_grey_in_a_menu_and_the_foot_says_why(qtbot, window):
    menu = next(each for each in window.menuBar().findChildren(QMenu) if window.commands.undo in each.actions())
    menu.popup(window.mapToGlobal(window.rect().center()))
    qtbot.waitUntil(menu.isVisible)
    reached = []
    for _ in menu.actions():
        qtbot.keyClick(menu, Qt.Key.Key_Down)
        reached.append(menu.activeAction())
        if reached[-1] is window.commands.undo:
            assert window.statusBar().currentMessage().startswith("Not now. No case is open")
            assert "Not now. No case is open" in QToolTip.text()
    assert {each for each in menu.actions() if not each.isSeparator()} == {*reached}
    qtbot.keyClick(menu, Qt.Key.Key_Escape)


def test_every_letter_of_a_menu_means_one_entry(opened):
    menus = [menu for menu in opened.findChildren(QMenu) if menu.actions()]
    assert {opened.pages.menu, opened.table.menu, opened.recent_menu} < {*menus}
    for menu in (opened.menuBar(), *menus):
        keys = Counter(QKeySequence.mnemonic(action.text()).toString() for action in menu.actions())
        assert [key for key, n in keys.items() if key and n > 1] == [], [action.text() for action in menu.actions()]


def test_no_menu_is_longer_than_a_small_screen(opened):
    assert max(menu.sizeHint().height() for menu in opened.findChildren(QMenu)) < 720
