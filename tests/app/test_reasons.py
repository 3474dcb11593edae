from collections import Counter

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QPushButton, QToolTip

from app.reasons import allow, reason_against, set_tip


def test_what_is_refused_says_why_and_what_is_allowed_says_what_it_does(qtbot):
    button, action = QPushButton(toolTip="Write it"), QAction("Write")
    qtbot.addWidget(button)
    allow("Choose a page first.", button, action)
    assert not button.isEnabled()
    assert reason_against(button) == "Choose a page first."
    assert button.toolTip() == "Write it\nNot now. Choose a page first."
    allow("There is no page.", button, action)
    assert button.toolTip() == "Write it\nNot now. There is no page."
    assert action.statusTip() == "Not now. There is no page."
    set_tip(button, "Write all")
    assert button.toolTip() == "Write all\nNot now. There is no page."
    allow("", button, action)
    assert (button.isEnabled(), button.toolTip(), action.statusTip()) == (True, "Write all", "")


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


def test_every_action_that_is_grey_says_why(qtbot, window, draw_sheet):
    def grey():
        return [action for action in window.actions() if not action.isEnabled()]

    assert window.commands.verify in grey()
    assert window.docks["review"].action in grey()
    assert [action.text() for action in grey() if "Not now. " not in action.toolTip()] == []
    assert "No case is open" in window.commands.find.toolTip()
    window.opener.open([draw_sheet("scan1.png")])
    qtbot.waitUntil(lambda: bool(window.pages.view.canvas.places))
    assert window.commands.verify not in grey()
    for page in window.session.document.case.arrangement.pages:
        window.session.document.select_shreds(page)
        window.commands.set_aside.trigger()
    for action in (window.commands.find, window.commands.name_page, window.commands.next_page):
        assert "No shred stands on a page" in action.toolTip()
    assert [action.text() for action in grey() if "Not now. " not in action.toolTip()] == []


def test_every_letter_of_a_menu_means_one_entry(opened):
    menus = [menu for menu in opened.findChildren(QMenu) if menu.actions()]
    assert {opened.pages.menu, opened.table.menu, opened.recent_menu} < {*menus}
    for menu in (opened.menuBar(), *menus):
        keys = Counter(QKeySequence.mnemonic(action.text()).toString() for action in menu.actions())
        assert [key for key, n in keys.items() if key and n > 1] == [], [action.text() for action in menu.actions()]


def test_no_menu_is_longer_than_a_small_screen(opened):
    assert max(menu.sizeHint().height() for menu in opened.findChildren(QMenu)) < 720
