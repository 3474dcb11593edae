from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QPushButton

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


def test_a_reason_leaves_the_status_line_once_it_no_longer_holds(qtbot):
    window, button = QMainWindow(), QPushButton("Review")
    qtbot.addWidget(window)
    window.setCentralWidget(button)
    bar, line = window.addToolBar("Tools"), window.statusBar()
    action = bar.addAction("Verify")
    for thing, hovered in ((button, button), (action, bar.widgetForAction(action))):
        hovered.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
        allow("No case is open.", thing)
        assert line.currentMessage() == "Not now. No case is open."
        allow("", thing)
        assert line.currentMessage() == ""


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
